"""What is done with a block in one compiled call: back it up, then store its values, check bounds, or count turns.

Small boards are swept in one call. On large ones each thread does block after block.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.solver.block_backup import (
    Backup,
    EndOfTurn,
    Rows,
    back_up,
    place_dice,
    squeeze,
    turn_over,
)
from hazard.games.dice_of_doom.solver.block_layout import block_of
from hazard.games.dice_of_doom.solver.turns_left import back_up_turns, place_turns
from hazard.games.dice_of_doom.tiles import CHOSEN, DETERMINISTIC
from hazard.jit import rule

SWEEP, CHECK, COUNT, SHOW = 0, 1, 2, 3  # tasks


class Stored(NamedTuple):
    """How numbers are kept: as they are, or as whole multiples of a unit."""

    unit: float
    per: float  # one over the unit
    half: float  # added before the rest is cut off
    top: float  # the greatest


class Terms(NamedTuple):
    """The settings of a task; those that do not matter to it are 0."""

    how: int  # reinforcement
    values: Stored
    turns: Stored
    limit: float  # the places of changes above it are listed
    near: float  # a move that costs no more is nearly best
    scale: float  # bounds: value + scale * turns left + shift
    shift: float
    stretch: float  # numbers that rise in a sweep are raised further by this multiple of their rise
    eps: float  # more than the rounding of a backup, with the sign of the direction to round to
    zero: float  # is 0; adding it keeps loops free of branches


class Work(NamedTuple):
    """A thread's own arrays: one block, and a list of changes."""

    ends: np.ndarray  # values after the end of the turn
    starts: np.ndarray  # and at its start
    row: np.ndarray  # of one row
    end_turns: np.ndarray  # turns left after the end of the turn
    start_turns: np.ndarray  # and at its start
    old: np.ndarray  # values that changed much, as they were before
    places: np.ndarray  # where they are
    changed: np.ndarray  # [how many there are]
    rows: Rows


@rule
def list_changes(starts: Any, values: Any, unit: float, limit: float, work: Any) -> None:
    """List the places that change by more than the limit, and their old values."""
    count = 0
    for n in range(values.size):
        if abs(starts[n] - values[n] * unit) > limit:
            work.places[count] = n
            work.old[count] = values[n]
            count += 1
    work.changed[0] = count


@rule
def store(starts: Any, values: Any, how: Any, terms: Any, work: Any) -> tuple[float, float]:
    """Store new values, and list those that change much; the greatest rise and the greatest fall."""
    if terms.limit < np.inf:
        list_changes(starts, values, how.unit, terms.limit, work)
    up, down = 0.0, 0.0
    for n in range(values.size):
        change = starts[n] - values[n] * how.unit
        up, down = max(up, change), min(down, change)
        new = starts[n] + terms.stretch * max(change, 0.0)
        values[n] = min(new * how.per, how.top) + how.half
    return up, -down


@rule
def excess(starts: Any, values: Any, weights: Any, terms: Any) -> float:
    """How far new bounds lie outside the old ones; not positive if none does.

    The new ones follow from the other player's bounds on the other side of its values.
    """
    most, unit = -1.0, terms.values.unit
    for n in range(values.size):
        bound = min(max(values[n] * unit - terms.scale * weights[n] - terms.shift, 0.0), 1.0)
        new = min(max(starts[n], 0.0), 1.0)
        most = max(most, new - bound if terms.shift < 0.0 else bound - new)
    return most


@rule
def back_up_ends(reply: Any, weights: Any, terms: Any, work: Any, block: Any, runs: Any) -> None:
    """What ending the turn is worth."""
    way = EndOfTurn(1.0, -1.0, terms.values.unit, terms.scale, terms.shift)
    turn_over(reply, weights, way, terms.eps, work.ends, block, runs)
    if terms.how != DETERMINISTIC:
        place_dice(terms.how, terms.eps, work.ends, block, work.row)


@rule
def count_ends(reply: Any, weights: Any, terms: Any, work: Any, block: Any, runs: Any) -> None:
    """What ending the turn is worth, and how many turns are left then.

    If dice are placed by choice, only nearly best placements count.
    """
    one_more = EndOfTurn(1.0, 1.0, terms.turns.unit, 0.0, 0.0)  # than the other player's
    turn_over(weights, weights, one_more, 0.0, work.end_turns, block, runs)
    if terms.how == CHOSEN:
        way = EndOfTurn(1.0, -1.0, terms.values.unit, 0.0, 0.0)
        turn_over(reply, weights, way, 0.0, work.ends, block, runs)
        place_turns(terms.near, work.ends, work.end_turns, work.row, work.start_turns, block)
        return
    back_up_ends(reply, weights, terms, work, block, runs)
    if terms.how != DETERMINISTIC:
        place_dice(terms.how, 0.0, work.end_turns, block, work.row)


class Tables(NamedTuple):
    """What all threads share."""

    reply: np.ndarray  # the other player's values at the start of a turn
    values: np.ndarray  # the mover's
    weights: np.ndarray  # turns left; a single number if there are none
    room: np.ndarray  # values where the turn may be ended, block by block
    turns_room: np.ndarray  # and turns left there


@rule
def do_block(task: int, mask: int, t: Any, terms: Any, odds: Any, work: Any, at: Any) -> float:
    """One task on one block: the greatest change, or how far bounds are exceeded."""
    shapes, spread = at
    block, other = block_of(shapes, mask), shapes.own.size - 1 - mask
    begin, about = shapes.begins[mask], (block, spread)
    end = begin + block.dice**block.own * block.columns
    mine, its = shapes.offsets[mask : mask + 2], shapes.offsets[other : other + 2]
    reply, against = t.reply[its[0] : its[1]], t.weights[its[0] : its[1]]
    values, weights = t.values[mine[0] : mine[1]], t.weights[mine[0] : mine[1]]
    if task == COUNT:
        count_ends(reply, against, terms, work, block, spread.runs)
        v = Backup(work.ends, t.room[begin:end], t.room, work.starts)
        w = Backup(work.end_turns, t.turns_room[begin:end], t.turns_room, work.start_turns)
        back_up_turns(terms.how, terms.near, terms.zero, odds, v, w, work.rows, about)
        squeeze(work.start_turns, block, spread.runs)
        rise, _ = store(work.start_turns, weights, terms.turns, terms, work)  # too many turns are as good
        return rise
    back_up_ends(reply, against, terms, work, block, spread.runs)
    here, starts = t.room[begin:end], work.starts
    back_up(terms.how, terms.zero, terms.eps, odds, work.ends, here, t.room, starts, work.rows, about)
    if task == SHOW:
        return 0.0
    squeeze(starts, block, spread.runs)
    if task == SWEEP:
        up, down = store(starts, values, terms.values, terms, work)
        return max(up, down)
    return excess(starts, values, weights, terms)


@rule
def do_blocks(task: int, masks: Any, t: Any, terms: Any, odds: Any, work: Any, at: Any) -> float:
    """A task on some blocks, one after another; the greatest result."""
    most = -1.0
    for i in range(masks.size):
        most = max(most, do_block(task, masks[i], t, terms, odds, work, at))
    return most
