"""One turn of Dice of Doom backed up by choosing moves, or by following moves that were chosen before.

Blocks are those of `blocks`: for one set of own tiles all ways the dice can lie, own tiles slowest. Where new dice
depend on what was captured in the turn, a block has one such array for each number of captured dice. That number
matters up to one more than the own tiles: each capture adds a tile and at least one die, so it stays beyond.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.tiles import CAPTURED, DETERMINISTIC, WEIGHTED
from hazard.jit import rule

ENDS = 128  # added to the number of an attack: where the turn may be ended, end it
NONE = 255  # no attack is left
SQUARE = 32  # side of the squares in which a block is turned over


class Row(NamedTuple):
    """Attacks as they are for some dice on the own tiles."""

    strength: np.ndarray  # the attacker's dice less one; 0 if it cannot attack
    lost: np.ndarray  # where the block goes on after a lost attack
    won: np.ndarray  # where the block above does after a won one, but for the others' dice


class Column(NamedTuple):
    """The others' dice taken apart."""

    met: np.ndarray  # met[tile, column]: dice on that tile less one
    rest: np.ndarray  # the column without that tile


class Part(NamedTuple):
    """What one functional of the game is backed up in."""

    ends: np.ndarray  # after the turn, by own dice and others' dice
    here: np.ndarray  # where the turn may be ended
    above: np.ndarray  # the same with one more own tile
    starts: np.ndarray  # where an attack must come first


# --- the end of a turn -------------------------------------------------------------------------------------------
@rule
def hand_over(
    base: float, sign: float, values: Any, weights: Any, scale: float, eps: float, ends: Any, block: Any
) -> None:
    """ends = base + sign * (value + scale * weight) + eps, where the values are of the other player's turn to come."""
    rows, columns = block.dice**block.own, block.dice**block.other
    for r0 in range(0, rows, SQUARE):
        for c0 in range(0, columns, SQUARE):
            for r in range(r0, min(r0 + SQUARE, rows)):
                for c in range(c0, min(c0 + SQUARE, columns)):
                    value = values[c * rows + r]
                    if scale != 0.0:
                        value += scale * weights[c * rows + r]
                    ends[r * columns + c] = base + sign * value + eps


@rule
def ended(how: int, captured: int, r: int, block: Any) -> int:
    """The row of the own dice after new ones have come to the first own tiles in reading order."""
    if how != DETERMINISTIC and how != CAPTURED:
        return r
    new = block.gain if how == DETERMINISTIC else min(captured - 1, block.own)
    to = r
    for x in range(block.own - new, block.own):
        to = with_die(to, x, block)
    return to


@rule
def place_drawn(how: int, eps: float, ends: Any, row: Any, block: Any) -> None:
    """Dice that fall where they like, from the last to the first; each row looks at those above, not yet done."""
    dice, columns = block.dice, block.dice**block.other
    for _ in range(block.gain):
        for r in range(dice**block.own):
            rest, unit, total = r, 1, 0.0
            for e in range(columns):
                row[e] = 0.0
            for _x in range(block.own):
                digit = rest % dice
                to = (r + unit if digit < dice - 1 else r) * columns
                share = 1.0 + digit if how == WEIGHTED else 1.0
                total += share
                for e in range(columns):
                    row[e] += share * ends[to + e]
                rest //= dice
                unit *= dice
            for e in range(columns):
                ends[r * columns + e] = row[e] / total + eps * (block.own + 2)


@rule
def with_die(r: int, x: int, block: Any) -> int:
    """The row with one die more on an own tile; a die for a full tile is lost."""
    unit = block.dice**x
    return r + unit if r // unit % block.dice < block.dice - 1 else r


@rule
def place_best(margin: float, ends: Any, placed: Any, row: Any, block: Any) -> None:
    """Dice that are placed by choice: the first tile within the margin of the best, noted in `placed`."""
    columns = block.dice**block.other
    size = columns * block.dice**block.own
    for die in range(block.gain):
        for r in range(block.dice**block.own):
            for e in range(columns):
                best = -1.0
                for x in range(block.own):
                    best = max(best, ends[with_die(r, x, block) * columns + e])
                x = block.own - 1
                while ends[with_die(r, x, block) * columns + e] < best - margin:
                    x -= 1
                placed[die * size + r * columns + e] = x
                row[e] = ends[with_die(r, x, block) * columns + e]
            for e in range(columns):
                ends[r * columns + e] = row[e]


@rule
def place_as(eps: float, ends: Any, placed: Any, row: Any, block: Any) -> None:
    """Dice placed as noted."""
    columns = block.dice**block.other
    size = columns * block.dice**block.own
    for die in range(block.gain):
        for r in range(block.dice**block.own):
            for e in range(columns):
                x = placed[die * size + r * columns + e]
                row[e] = ends[with_die(r, x, block) * columns + e]
            for e in range(columns):
                ends[r * columns + e] = row[e] + eps


# --- attacks -----------------------------------------------------------------------------------------------------
@rule
def held(how: int, block: Any) -> int:
    """How many numbers of captured dice are told apart."""
    return block.own + 2 if how == CAPTURED else 1


@rule
def set_row(r: int, row: Any, block: Any) -> bool:
    """Find the attacks that the own dice allow; whether there are any."""
    dice, some = block.dice, False
    for q in range(block.attackers.size):
        unit = dice ** block.attackers[q]
        digit = r // unit % dice
        row.strength[q] = digit
        row.lost[q] = (r - digit * unit) * dice**block.other
        to, rest = block.up[q] + (digit - 1) * block.lift[q], r
        for x in range(block.own):
            if x != block.attackers[q]:
                to += rest % dice * block.strides[q, x]
            rest //= dice
        row.won[q] = to
        some = some or digit > 0
    return some


@rule
def attacked(q: int, captured: int, e: int, how: int, odds: Any, part: Any, row: Any, column: Any, block: Any) -> float:
    """What the attack is worth: the odds between a won and a lost one."""
    size = block.dice ** (block.own + block.other)
    y = block.targets[q]
    t = column.met[y, e]
    more = min(captured + t + 1, block.own + 2) if how == CAPTURED else 0
    lost = part.here[captured * size + row.lost[q] + e]
    won = part.above[more * size + row.won[q] + column.rest[y, e]]
    return lost + odds[row.strength[q], t] * (won - lost)


@rule
def choose(
    how: int,
    margin: float,
    last: float,
    eps: float,
    odds: Any,
    part: Any,
    notes: Any,
    row: Any,
    column: Any,
    block: Any,
) -> None:
    """Back a turn up by choosing: the first attack within the margin of the best, and to end only if that is better."""
    columns = block.dice**block.other
    size = columns * block.dice**block.own
    for c in range(held(how, block)):
        for r in range(block.dice**block.own):
            some, end = set_row(r, row, block), ended(how, c, r, block) * columns
            for e in range(columns):
                n, stop = r * columns + e, part.ends[end + e]
                q, value = NONE, last
                if some:
                    q, value = first_best(margin, c, e, how, odds, part, row, column, block)
                    value += eps
                stops = not some or stop > value + margin
                notes[c * size + n] = q + ENDS if some and stops else q
                part.here[c * size + n] = stop if stops else value
                if c == 0:
                    part.starts[n] = value


@rule
def first_best(
    margin: float, captured: int, e: int, how: int, odds: Any, part: Any, row: Any, column: Any, block: Any
) -> tuple[int, float]:
    """The first attack within the margin of the best, and what it is worth."""
    best = -1e9
    for q in range(block.attackers.size):
        if row.strength[q] > 0:
            best = max(best, attacked(q, captured, e, how, odds, part, row, column, block))
    for q in range(block.attackers.size):
        if row.strength[q] > 0:
            value = attacked(q, captured, e, how, odds, part, row, column, block)
            if value >= best - margin:
                return q, value
    return NONE, best


@rule
def follow(
    how: int, last: float, eps: float, odds: Any, part: Any, notes: Any, row: Any, column: Any, block: Any
) -> None:
    """Back a turn up by the moves that were noted."""
    columns = block.dice**block.other
    size = columns * block.dice**block.own
    for c in range(held(how, block)):
        for r in range(block.dice**block.own):
            some, end = set_row(r, row, block), ended(how, c, r, block) * columns
            for e in range(columns):
                n, note = r * columns + e, notes[c * size + r * columns + e]
                value = attacked(note % ENDS, c, e, how, odds, part, row, column, block) + eps if some else last
                part.here[c * size + n] = part.ends[end + e] if note >= ENDS else value
                if c == 0:
                    part.starts[n] = value


# --- turns left, where a proof needs the most over all moves that are nearly best ----------------------------------
@rule
def count_near(how: int, near: float, odds: Any, part: Any, turns: Any, row: Any, column: Any, block: Any) -> None:
    """The most turns left over all moves whose value is within `near` of the best, once values have been backed up."""
    columns = block.dice**block.other
    size = columns * block.dice**block.own
    for c in range(held(how, block)):
        for r in range(block.dice**block.own):
            _, end = set_row(r, row, block), ended(how, c, r, block) * columns
            for e in range(columns):
                n = c * size + r * columns + e
                here, start = part.here[n], part.starts[r * columns + e]
                late, first = turns.ends[end + e] if part.ends[end + e] >= here - near else 0.0, 0.0
                for q in range(block.attackers.size):
                    if row.strength[q] > 0:
                        value = attacked(q, c, e, how, odds, part, row, column, block)
                        left = attacked(q, c, e, how, odds, turns, row, column, block)
                        late = max(late, left if value >= here - near else 0.0)
                        first = max(first, left if value >= start - near else 0.0)
                turns.here[n] = late
                if c == 0:
                    turns.starts[r * columns + e] = first


@rule
def place_turns(near: float, ends: Any, turns: Any, row: Any, far: Any, block: Any) -> None:
    """Dice that are placed by choice: the best value, and the most turns left over placements within `near` of it.

    Before, `ends` and `turns` are those after the last die; both are overwritten. `row` and `far` are room for a row.
    """
    columns = block.dice**block.other
    for _ in range(block.gain):
        for r in range(block.dice**block.own):
            for e in range(columns):
                row[e], far[e] = -1e9, 0.0
            for x in range(block.own):
                to = with_die(r, x, block) * columns
                for e in range(columns):
                    row[e] = max(row[e], ends[to + e])
            for x in range(block.own):
                to = with_die(r, x, block) * columns
                for e in range(columns):
                    far[e] = max(far[e], turns[to + e] if ends[to + e] >= row[e] - near else 0.0)
            for e in range(columns):
                ends[r * columns + e] = row[e]
                turns[r * columns + e] = far[e]
