"""Turns of Dice of Doom backed up block by block: for one set of own tiles, all ways the dice can lie.

A block is one dense array over the dice of all tiles, own tiles first (slowest), each group in reading order, the last
tile fastest; tiles of a group are counted from the last one. An attack that fails leads back into the block, to fewer
dice on an own tile; one that succeeds leads into the block with one more own tile. So blocks are done from most to
fewest own tiles, and within one by rising dice of the own tiles: then everything that is looked up is known, and all
dice of the others are worked on at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.tiles import widths
from hazard.jit import rule

DETERMINISTIC, RANDOM, WEIGHTED, CHOSEN = 0, 1, 2, 3  # reinforcement
TILE = 32  # side of the squares in which a block is turned over
CHUNK = 1024  # numbers of a row that are worked on at a time, at most
RUN = 25  # numbers that a loop is worth starting for


class Block(NamedTuple):
    """What is the same for all dice: who owns what."""

    dice: int  # the most on a tile
    own: int  # tiles of the mover
    other: int
    gain: int  # dice the mover gets after the turn
    last: float  # what the mover gets if it cannot attack at the start of its turn
    attackers: np.ndarray  # for each attack the own tile, counted among own tiles
    targets: np.ndarray  # and the other's tile, counted among these
    up: np.ndarray  # where the block with the target added begins
    strides: np.ndarray  # strides[attack, own tile] in that block
    lift: np.ndarray  # stride of the target there


def make_block(neighbours: Sequence[Sequence[int]], mask: int, dice: int, slots: Sequence[int]) -> Block:
    """The block of an own mask; slots[mask] is a block's place among others."""
    tiles = len(neighbours)
    last_first = range(tiles - 1, -1, -1)
    own = [t for t in last_first if mask >> t & 1]
    other = [t for t in last_first if not mask >> t & 1]
    attacks = [(t, u) for t in sorted(own) for u in neighbours[t] if u in other]
    rows = {"attackers": [], "targets": [], "up": [], "strides": [], "lift": []}  # type: dict[str, list]
    for t, u in attacks:
        above = mask | 1 << u
        place = {w: n for n, w in enumerate(w for w in last_first if above >> w & 1)}
        unit = dice ** (len(other) - 1)
        rows["attackers"].append(own.index(t))
        rows["targets"].append(other.index(u))
        rows["up"].append(slots[above] * dice**tiles)
        rows["strides"].append([dice ** place[w] * unit for w in own])
        rows["lift"].append(dice ** place[u] * unit)
    arrays = [np.array(rows[name], np.int64) for name in rows]
    arrays[3] = arrays[3].reshape(len(attacks), len(own))
    last = 1.0 if len(own) > len(other) else 0.5 if len(own) == len(other) else 0.0
    return Block(dice, len(own), len(other), int(widths(neighbours)[mask]), last, *arrays)


class Shapes(NamedTuple):
    """The blocks of all own masks in one: compiled code takes them apart again."""

    dice: int
    tiles: int
    own: np.ndarray  # by mask
    gains: np.ndarray
    lasts: np.ndarray
    first: np.ndarray  # first[mask]: where its attacks begin; the next mask's first ends them
    attackers: np.ndarray  # by attack
    targets: np.ndarray
    up: np.ndarray
    strides: np.ndarray
    lift: np.ndarray


def make_shapes(neighbours: Sequence[Sequence[int]], dice: int) -> Shapes:
    """The blocks of a board, each at the place of its mask."""
    tiles = len(neighbours)
    all_ = [make_block(neighbours, mask, dice, range(1 << tiles)) for mask in range(1 << tiles)]
    first = np.cumsum([0, *(b.attackers.size for b in all_)])
    strides = np.zeros((first[-1], tiles), np.int32)
    for b, begin in zip(all_, first, strict=False):
        strides[begin : begin + b.attackers.size, : b.own] = b.strides
    numbers = [np.array([b[n] for b in all_], kind) for n, kind in ((1, np.int64), (3, np.int64), (4, np.float64))]
    parts = [np.concatenate([b[n] for b in all_]) for n in (5, 6, 7, 9)]
    return Shapes._make([dice, tiles, *numbers, first, *parts[:3], strides, parts[3]])


@rule
def block_of(shapes: Any, mask: int) -> Block:
    """The block of a mask."""
    a, z, own = shapes.first[mask], shapes.first[mask + 1], shapes.own[mask]
    return Block(
        shapes.dice,
        own,
        shapes.tiles - own,
        shapes.gains[mask],
        shapes.lasts[mask],
        shapes.attackers[a:z],
        shapes.targets[a:z],
        shapes.up[a:z],
        shapes.strides[a:z],
        shapes.lift[a:z],
    )


@rule
def turn_over(values: Any, weights: Any, how: Any, eps: float, ends: Any, block: Any) -> None:
    """ends[own, other]: what ending the turn is worth to the mover, before reinforcement.

    `values` are the other player's at the start of its turn, in its own block, to be multiplied by the first number of
    `how`; the second times `weights`, and the third, are added.
    """
    unit, scale, shift = how
    rows, columns = block.dice**block.own, block.dice**block.other
    for r0 in range(0, rows, TILE):
        for c0 in range(0, columns, TILE):
            for r in range(r0, min(r0 + TILE, rows)):
                for c in range(c0, min(c0 + TILE, columns)):
                    value = values[c * rows + r] * unit
                    if scale != 0.0:
                        value = min(max(value + scale * weights[c * rows + r] + shift, 0.0), 1.0)
                    ends[r * columns + c] = 1.0 - value + eps


@rule
def place_dice(how: int, eps: float, ends: Any, block: Any, row: Any) -> None:
    """Place the dice of a reinforcement that is drawn or chosen, one after another, from the last to the first.

    A die for a full tile is lost. Rows are done upwards: each looks at rows above it, which still know one die less.
    """
    dice, own, columns = block.dice, block.own, block.dice**block.other
    for _ in range(block.gain):
        for r in range(dice**own):
            rest, unit, total = r, 1, 0.0
            for e in range(columns):
                row[e] = 0.0
            for _x in range(own):
                digit = rest % dice
                rest //= dice
                to = (r + unit if digit < dice - 1 else r) * columns
                share = 1.0 + digit if how == WEIGHTED else 1.0
                total += share
                if how == CHOSEN:
                    for e in range(columns):
                        row[e] = max(row[e], ends[to + e])
                else:
                    for e in range(columns):
                        row[e] += share * ends[to + e]
                unit *= dice
            factor = 1.0 if how == CHOSEN else 1.0 / total
            for e in range(columns):
                ends[r * columns + e] = row[e] * factor + eps * (own + 2)


class Spread(NamedTuple):
    """How the dice of a tile under attack repeat along a chunk of a row; chunks stay in the fastest memory."""

    tiles: int  # whose dice change within a chunk; those of the others are the same all over it
    quick: int  # of these, tiles whose dice change so fast that outcomes are better repeated first
    spots: np.ndarray  # spots[tile, number in the chunk]: where the block above has it
    shares: np.ndarray  # shares[attacker's dice - 1, tile, number in the chunk]: odds of the attack


def make_spread(dice: int, odds: np.ndarray) -> Spread:
    """The largest chunks up to `CHUNK`."""
    tiles = next(n for n in range(1, 12) if dice ** (n + 1) > CHUNK)
    number, units = np.arange(dice**tiles), [dice**t for t in range(tiles)]
    spots = np.array([number // (unit * dice) * unit + number % unit for unit in units], np.uint16)
    shares = np.array([[odds[a, number // unit % dice] for unit in units] for a in range(dice)])
    return Spread(tiles, min(tiles, next(n for n in range(1, 12) if dice**n >= RUN)), spots, shares)


class Rows(NamedTuple):
    """Where a scan over the rows of a block is: the own dice, and where the outcome of each attack begins above."""

    digits: np.ndarray
    bases: np.ndarray
    values: np.ndarray  # room for a chunk of outcomes
    turns: np.ndarray


@rule
def first_row(rows: Any, at: Any) -> None:
    """The row with one die on every own tile; blocks above are where `slots` says, by their masks."""
    block, _, slots = at
    size = block.dice ** (block.own + block.other)
    for x in range(block.own):
        rows.digits[x] = 0
    for q in range(block.attackers.size):
        rows.bases[q] = slots[block.up[q] // size] * size - block.lift[q]


@rule
def next_row(rows: Any, block: Any) -> None:
    """One die more on the first own tile; from the limit it goes back to one, and the next tile gets one more."""
    for x in range(block.own):
        old = rows.digits[x]
        new = old + 1 if old < block.dice - 1 else 0
        rows.digits[x] = new
        for q in range(block.attackers.size):
            rows.bases[q] += (new - old) * (block.lift[q] if block.attackers[q] == x else block.strides[q, x])
        if new > 0:
            return


@rule
def reinforced(how: int, r: int, rows: Any, block: Any) -> int:
    """The row of the own dice after reinforcement: the first tiles in reading order get a die each."""
    if how != DETERMINISTIC:
        return r
    to = r
    for x in range(block.own - block.gain, block.own):
        if rows.digits[x] < block.dice - 1:
            to += block.dice**x
    return to


@rule
def expand(from_: Any, spots: Any, to: Any) -> None:
    """Repeat outcomes for all dice of the tile under attack."""
    for e in range(to.size):
        to[e] = from_[spots[e]]


@rule
def meet(best: Any, lost: Any, won: Any, share: float, zero: float) -> None:
    """Raise `best` to what an attack is worth. Adding `zero` keeps the loop free of branches."""
    for e in range(best.size):
        value = lost[e]
        best[e] = max(best[e], value + share * (won[e] - value)) + zero


@rule
def meet_any(best: Any, lost: Any, won: Any, shares: Any, zero: float) -> None:
    """The same where odds differ."""
    for e in range(best.size):
        value = lost[e]
        best[e] = max(best[e], value + shares[e] * (won[e] - value)) + zero


@rule
def attack(
    q: int, lost: int, k: int, zero: float, odds: Any, here: Any, above: Any, best: Any, rows: Any, at: Any
) -> None:
    """The q-th attack in the k-th chunk of a row; `lost` is where the chunk begins in the row of a lost attack."""
    block, spread, _ = at
    dice, y, size, digit = block.dice, block.targets[q], best.size, rows.digits[block.attackers[q]]
    begin = rows.bases[q] + k * (size // dice)
    if y < spread.quick:
        won = rows.values[:size]
        expand(above[begin : begin + size // dice], spread.spots[y], won)
        meet_any(best, here[lost : lost + size], won, spread.shares[digit, y], zero)
    elif y < spread.tiles:
        run = dice**y
        for h in range(size // run):
            o, a = h * run, begin + h // dice * run
            meet(best[o : o + run], here[lost + o : lost + o + run], above[a : a + run], odds[digit, h % dice], zero)
    else:
        unit = dice ** (y - spread.tiles)
        begin = rows.bases[q] + (k // (unit * dice) * unit + k % unit) * size
        meet(best, here[lost : lost + size], above[begin : begin + size], odds[digit, k // unit % dice], zero)


@rule
def back_up_row(
    r: int,
    how: int,
    zero: float,
    eps: float,
    odds: Any,
    ends: Any,
    here: Any,
    above: Any,
    starts: Any,
    rows: Any,
    at: Any,
) -> None:
    """Fill a row of `here` with values where the turn may be ended, and of `starts` where an attack must come first."""
    block, spread, _ = at
    columns = block.dice**block.other
    size = min(columns, block.dice**spread.tiles)
    end = reinforced(how, r, rows, block) * columns - r * columns
    for k in range(columns // size):
        begin = r * columns + k * size
        best, there = starts[begin : begin + size], here[begin : begin + size]
        stop = ends[begin + end : begin + end + size]
        none = True
        for e in range(size):
            best[e] = -1.0
        for q in range(block.attackers.size):
            x = block.attackers[q]
            if rows.digits[x] > 0:
                none = False
                lost = begin - rows.digits[x] * block.dice**x * columns
                attack(q, lost, k, zero, odds, here, above, best, rows, at)
        for e in range(size):
            best[e] += eps
            there[e] = max(best[e], stop[e])
        if none:
            for e in range(size):
                best[e] = block.last


@rule
def back_up(
    how: int, zero: float, eps: float, odds: Any, ends: Any, here: Any, above: Any, starts: Any, rows: Any, at: Any
) -> None:
    """Back up the turns of a block, row by row."""
    block = at[0]
    first_row(rows, at)
    for r in range(block.dice**block.own):
        back_up_row(r, how, zero, eps, odds, ends, here, above, starts, rows, at)
        next_row(rows, block)
