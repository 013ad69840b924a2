"""Stand-offs solved to the end: the positions that still move most, as one system of linear equations.

Late in a solve only stand-offs still move, and what leads to them. With the best moves of both sides fixed, the value
of a position is a weighted sum of values at the start of the other player's turn. For the picked positions these sums
are written down and solved together, while all other values are held. The next sweeps correct the rest.

Attack and reinforcement are repeated here on packed dice: a sweep backs up rows of positions, while this follows single
ones, scattered over the table, through one turn. A test compares the equations with a sweep.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.solver.value_table import ValueTable, compiled
from hazard.jit import rule

LEAVES = 24  # ends of a turn in an equation, at most; the values of the others are held
NODES = 96  # places within a turn that are followed, at most
RARE = 1e-7  # the values of less likely places are held
PART = 1 << 16  # positions that a thread does at a time
EXACT = 1e-4  # part of the residual that may be left
ROUNDS = 300  # of the linear solver, at most
PLAIN = 12  # sweeps before the first positions are picked
LOOKED = 6  # sweeps in which they are looked for: a stand-off goes through several positions, one in a sweep
SLOW = 0.85  # they are looked for once a sweep leaves more than this part of the greatest change
SHARE = 0.15  # of the greatest change, above which a position is picked


class TurnBoard(NamedTuple):
    """The board as turns are followed on it."""

    tiles: int
    dice: int
    near: np.ndarray  # near[tile]: bits of its neighbours
    gains: np.ndarray  # gains[mask]: new dice
    lasts: np.ndarray  # lasts[mask]: what a player gets who cannot attack
    fresh: np.ndarray  # fresh[mask], offsets[mask]: starts of turns that are kept, and where
    offsets: np.ndarray
    sure: np.ndarray  # sure[mask], begins[mask]: the same for places where a turn may be ended
    begins: np.ndarray
    odds: np.ndarray


class Stack(NamedTuple):
    """Places in a turn still to be followed: own mask, dice (less one, four bits a tile), and how likely each is."""

    masks: np.ndarray
    dice: np.ndarray
    shares: np.ndarray


@rule
def number_of(b: Any, mask: int, packed: int, first: int) -> int:
    """Where these dice are among those of a mask, if some first tiles of the other player have more than one die."""
    number = 0
    for tile in range(b.tiles):
        if (mask >> tile) & 1:
            number = number * b.dice + ((packed >> (4 * tile)) & 15)
    for tile in range(b.tiles):
        if not (mask >> tile) & 1:
            least = 1 if first > 0 else 0
            number = number * (b.dice - least) + ((packed >> (4 * tile)) & 15) - least
            first -= 1
    return number


@rule
def later_in(b: Any, mask: int, packed: int) -> int:
    """Where the table's room has a place where the turn may be ended."""
    return b.begins[mask] + number_of(b, mask, packed, b.sure[mask])


@rule
def dice_at(b: Any, mask: int, place: int) -> int:
    """The packed dice of a place in the table."""
    number, packed, free = place - b.offsets[mask], 0, -b.fresh[mask]
    for tile in range(b.tiles):
        free += 1 - ((mask >> tile) & 1)
    for tile in range(b.tiles - 1, -1, -1):
        if not (mask >> tile) & 1:
            least = 0 if free > 0 else 1
            packed |= (number % (b.dice - least) + least) << (4 * tile)
            number //= b.dice - least
            free -= 1
    for tile in range(b.tiles - 1, -1, -1):
        if (mask >> tile) & 1:
            packed |= (number % b.dice) << (4 * tile)
            number //= b.dice
    return packed


@rule
def ended(b: Any, mask: int, packed: int) -> int:
    """The place in the table after the turn is ended: reinforced, and the other player's."""
    left = b.gains[mask]
    for tile in range(b.tiles):
        if left > 0 and (mask >> tile) & 1:
            left -= 1
            if (packed >> (4 * tile)) & 15 < b.dice - 1:
                packed += 1 << (4 * tile)
    other = (1 << b.tiles) - 1 - mask
    return b.offsets[other] + number_of(b, other, packed, b.fresh[other])


@rule
def best_attack(b: Any, mask: int, packed: int, later: Any) -> tuple[float, int, int]:
    """The value of the best attack, from where and to where; -1 if there is none."""
    most, source, target = -1.0, 0, 0
    for tile in range(b.tiles):
        digit = (packed >> (4 * tile)) & 15
        if digit == 0 or not (mask >> tile) & 1:
            continue
        bare = packed - (digit << (4 * tile))
        lost = -1.0
        for other in range(b.tiles):
            if (b.near[tile] >> other) & 1 and not (mask >> other) & 1:
                if lost < 0.0:
                    lost = float(later[later_in(b, mask, bare)])
                met = (packed >> (4 * other)) & 15
                won = float(later[later_in(b, mask | 1 << other, bare + ((digit - 1 - met) << (4 * other)))])
                value = lost + b.odds[digit, met] * (won - lost)
                if value > most:
                    most, source, target = value, tile, other
    return most, source, target


@rule
def put(s: Any, n: int, mask: int, packed: int, share: float) -> int:
    s.masks[n], s.dice[n], s.shares[n] = mask, packed, share
    return n + 1


@rule
def spread(b: Any, s: Any, n: int, mask: int, packed: int, share: float, source: int, target: int) -> int:
    """Put both outcomes of an attack on the stack."""
    digit, met = (packed >> (4 * source)) & 15, (packed >> (4 * target)) & 15
    bare = packed - (digit << (4 * source))
    n = put(s, n, mask, bare, share * (1.0 - b.odds[digit, met]))
    return put(s, n, mask | 1 << target, bare + ((digit - 1 - met) << (4 * target)), share * b.odds[digit, met])


@rule
def last_before(places: Any, place: int) -> int:
    """The last of a sorted list that is not beyond a place; -1 if all are."""
    low, high = 0, places.size
    while low < high:
        middle = (low + high) >> 1
        if places[middle] <= place:
            low = middle + 1
        else:
            high = middle
    return low - 1


@rule
def find_place(places: Any, place: int) -> int:
    """Where a sorted list has a place, -1 if it does not."""
    at = last_before(places, place)
    return at if at >= 0 and places[at] == place else -1


@rule
def follow(
    b: Any, place: int, places: Any, values: Any, later: Any, s: Any, columns: Any, shares: Any
) -> tuple[int, float]:
    """One equation: value = constant - sum of shares * values in columns; how many there are, and the constant."""
    mask = last_before(b.offsets, place)
    packed = dice_at(b, mask, place)
    most, source, target = best_attack(b, mask, packed, later)
    if most < 0.0:
        return 0, b.lasts[mask]
    n, count, constant, nodes = spread(b, s, 0, mask, packed, 1.0, source, target), 0, 0.0, 0
    while n > 0:
        n -= 1
        mask, packed, share = s.masks[n], s.dice[n], s.shares[n]
        nodes += 1
        if share < RARE or nodes > NODES or count == LEAVES:
            constant += share * float(later[later_in(b, mask, packed)])
            continue
        end = ended(b, mask, packed)
        most, source, target = best_attack(b, mask, packed, later)
        if most > 1.0 - values[end]:
            n = spread(b, s, n, mask, packed, share, source, target)
            continue
        column = find_place(places, end)
        constant += share
        if column < 0:
            constant -= share * values[end]
        else:
            columns[count], shares[count] = column, share
            count += 1
    return count, constant


@rule
def follow_all(
    b: Any,
    some: Any,
    places: Any,
    values: Any,
    later: Any,
    s: Any,
    columns: Any,
    shares: Any,
    ends: Any,
    constants: Any,
) -> None:
    """The equations of some places, one after another; ends[i] is where those of the i-th end."""
    at = 0
    for i in range(some.size):
        count, constants[i] = follow(b, some[i], places, values, later, s, columns[at:], shares[at:])
        at += count
        ends[i] = at


def board_of(table: ValueTable) -> TurnBoard:
    near = np.array([sum(1 << u for u in others) for others in table.neighbours], np.int64)
    shapes = table.shapes
    rest = shapes.fresh, shapes.offsets, shapes.sure, shapes.begins, table.odds
    return TurnBoard(table.tiles, table.dice, near, shapes.gains, shapes.lasts, *rest)


def equations(table: ValueTable, places: np.ndarray) -> tuple[Any, np.ndarray]:
    """The matrix of shares and the constants, for sorted places."""
    from scipy.sparse import csr_matrix

    board, values = board_of(table), table.values

    def part(begin: int, later: np.ndarray) -> tuple[np.ndarray, ...]:
        some = places[begin : begin + PART]
        stack = Stack(np.zeros(2 * NODES, np.int64), np.zeros(2 * NODES, np.int64), np.zeros(2 * NODES))
        columns, shares = np.zeros(LEAVES * len(some), np.int32), np.zeros(LEAVES * len(some))
        ends, constants = np.zeros(len(some), np.int64), np.zeros(len(some))
        compiled(follow_all)(board, some, places, values, later, stack, columns, shares, ends, constants)
        return columns[: ends[-1]].copy(), shares[: ends[-1]].copy(), ends, constants

    parts = list(table.pool.map(part, range(0, len(places), PART), repeat(table.room)))
    offsets = np.cumsum([0, *(len(p[0]) for p in parts)])
    ends = np.concatenate([[0], *(p[2] + offset for p, offset in zip(parts, offsets, strict=False))])
    columns, shares, constants = (np.concatenate([p[k] for p in parts]) for k in (0, 1, 3))
    return csr_matrix((shares, columns, ends), (len(places), len(places))), constants


def solve_standoffs(table: ValueTable, places: np.ndarray) -> float:
    """Put the solution of the picked places' equations into the table; how far it moved the values at most."""
    from scipy.sparse.linalg import LinearOperator, bicgstab

    matrix, constants = equations(table, places)
    flat = table.values
    start = flat[places].astype(np.float64)
    left = constants - matrix @ start - start
    system = LinearOperator(matrix.shape, lambda x: x + matrix @ x, dtype=np.float64)
    step, _ = bicgstab(system, left, rtol=EXACT, maxiter=ROUNDS)
    remains = left - (step + matrix @ step)
    if not np.abs(remains).max() < np.abs(left).max():
        return 0.0
    flat[places] = np.clip(start + step, 0.0, 1.0)
    return float(np.abs(step).max())


def can_solve_standoffs(table: ValueTable) -> bool:
    """Whether dice come in a fixed order, so that turns have few ends, and all values stay in the table's room."""
    return table.keeps_all and table.kind != np.uint16


def converge_by_standoffs(
    table: ValueTable, enough: float, most: int, say: Callable[[int, float], None], done: int = 0
) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`, solving stand-offs in between; sweeps and the last change."""
    change, before, picked = 1.0, 1.0, []  # type: tuple[float, float, list[np.ndarray]]
    for number in range(done + 1, most + 1):
        looking = number > PLAIN - LOOKED and (change > SLOW * before or picked)
        before = change
        change, places = table.sweep(SHARE * change if looking else np.inf)
        say(number, change)
        if change <= enough:
            break
        if looking:
            picked.append(places)
        if len(picked) == LOOKED:
            solve_standoffs(table, np.unique(np.concatenate(picked)))
            picked = []
    return number, change
