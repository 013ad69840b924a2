"""One turn backed up by choosing moves, or by following a policy: moves that were chosen before.

Blocks are those of `block_backup`, with all columns there. Where new dice depend on what was captured in the turn, a
block has one such array for each number of captured dice. That number matters up to one more than the own tiles: each
capture adds a tile and at least one die, so it stays beyond.

`block_backup` backs up a whole chunk of a row at once and keeps only the best value. Here every place is looked at by
itself: a policy must be noted, the first of equal moves is taken, and an attack that is won leads to as many captured
dice as stood on its target. This is several times slower, so that zero-sum boards are not done in this way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.solver.block_backup import first_row, in_order, next_row, reinforced, with_die
from hazard.games.dice_of_doom.tiles import CAPTURED
from hazard.jit import rule

ENDS = 128  # added to the number of an attack: where the turn may be ended, end it
NONE = 255  # no attack is left


class Column(NamedTuple):
    """The others' dice taken apart."""

    met: np.ndarray  # met[tile, column]: dice on that tile less one
    rest: np.ndarray  # the column without that tile


class Turn(NamedTuple):
    """What all backups of a block read."""

    how: int  # reinforcement
    odds: np.ndarray  # odds[attacker's dice - 1, defender's dice - 1]
    rows: Any
    column: Column
    block: Any


# --- dice that are placed by choice --------------------------------------------------------------------------------
@rule
def place_best(margin: float, ends: Any, placed: Any, row: Any, block: Any) -> None:
    """Place them on the first tile within the margin of the best, noted in `placed`."""
    columns = block.columns
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
    """Place them as noted."""
    columns = block.columns
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
    """How many numbers of captured dice are distinguished."""
    return block.own + 2 if how == CAPTURED else 1


@rule
def can_attack(rows: Any, block: Any) -> bool:
    """Whether the own dice of a row allow any attack."""
    most = 0
    for q in range(block.attackers.size):
        most = max(most, rows.digits[block.attackers[q]])
    return most > 0


@rule
def attacked(q: int, n: int, e: int, captured: int, part: Any, turn: Turn) -> float:
    """What the q-th attack is worth at place n, column e: the odds between a won and a lost one."""
    rows, block = turn.rows, turn.block
    size, x, y = block.dice ** (block.own + block.other), block.attackers[q], block.targets[q]
    digit, met = rows.digits[x], turn.column.met[y, e]
    more = min(captured + met + 1, block.own + 2) if turn.how == CAPTURED else 0
    lost = part.here[captured * size + n - digit * rows.drops[x]]
    won = part.above[more * size + rows.bases[q] + turn.column.rest[y, e]]
    return lost + turn.odds[digit, met] * (won - lost)


@rule
def first_best(margin: float, n: int, e: int, captured: int, part: Any, turn: Turn) -> tuple[int, float]:
    """The first attack within the margin of the best, and what it is worth."""
    best, block = -1e9, turn.block
    for q in range(block.attackers.size):
        if turn.rows.digits[block.attackers[q]] > 0:
            best = max(best, attacked(q, n, e, captured, part, turn))
    for q in range(block.attackers.size):
        if turn.rows.digits[block.attackers[q]] > 0:
            value = attacked(q, n, e, captured, part, turn)
            if value >= best - margin:
                return q, value
    return NONE, best


@rule
def choose(margin: float, last: float, eps: float, part: Any, notes: Any, turn: Turn) -> None:
    """Back a turn up by choosing: the first attack within the margin of the best, and to end only if that is better."""
    rows, block = turn.rows, turn.block
    size = block.columns * block.dice**block.own
    for c in range(held(turn.how, block)):
        first_row(rows, block)
        for r in range(block.dice**block.own):
            some, end = can_attack(rows, block), reinforced(in_order(turn.how, c, block), rows, block)
            for e in range(block.columns):
                n = r * block.columns + e
                q, value, stop = NONE, last, part.ends[end + n]
                if some:
                    q, value = first_best(margin, n, e, c, part, turn)
                    value += eps
                stops = not some or stop > value + margin
                notes[c * size + n] = q + ENDS if some and stops else q
                part.here[c * size + n] = stop if stops else value
                if c == 0:
                    part.starts[n] = value
            next_row(rows, block)


@rule
def follow(last: float, eps: float, part: Any, notes: Any, turn: Turn) -> None:
    """Back a turn up by the moves that were noted."""
    rows, block = turn.rows, turn.block
    size = block.columns * block.dice**block.own
    for c in range(held(turn.how, block)):
        first_row(rows, block)
        for r in range(block.dice**block.own):
            some, end = can_attack(rows, block), reinforced(in_order(turn.how, c, block), rows, block)
            for e in range(block.columns):
                n = r * block.columns + e
                note = notes[c * size + n]
                value = attacked(note % ENDS, n, e, c, part, turn) + eps if some else last
                part.here[c * size + n] = part.ends[end + n] if note >= ENDS else value
                if c == 0:
                    part.starts[n] = value
            next_row(rows, block)


@rule
def count_near(near: float, part: Any, turns: Any, turn: Turn) -> None:
    """The most turns left over all moves whose value is within `near` of the best, once values have been backed up."""
    rows, block = turn.rows, turn.block
    size = block.columns * block.dice**block.own
    for c in range(held(turn.how, block)):
        first_row(rows, block)
        for r in range(block.dice**block.own):
            end = reinforced(in_order(turn.how, c, block), rows, block)
            for e in range(block.columns):
                n = r * block.columns + e
                here, start = part.here[c * size + n], part.starts[n]
                late, first = turns.ends[end + n] if part.ends[end + n] >= here - near else 0.0, 0.0
                for q in range(block.attackers.size):
                    if rows.digits[block.attackers[q]] > 0:
                        value = attacked(q, n, e, c, part, turn)
                        left = attacked(q, n, e, c, turns, turn)
                        late = max(late, left if value >= here - near else 0.0)
                        first = max(first, left if value >= start - near else 0.0)
                turns.here[c * size + n] = late
                if c == 0:
                    turns.starts[n] = first
            next_row(rows, block)
