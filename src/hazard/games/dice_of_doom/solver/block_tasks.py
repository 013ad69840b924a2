"""What is done with a block in one compiled call: back it up, then take its values over, check bounds, or count turns.

Small boards are swept whole in one call; of large ones each thread does block after block.
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
    """What a task is done with; numbers that do not matter to it are 0."""

    how: int  # reinforcement
    values: Stored
    turns: Stored
    limit: float  # changes above it are noted
    near: float  # what a move may cost to be counted in
    scale: float  # bounds: value + scale * turns left + shift
    shift: float
    stretch: float  # how many times what it rises in a sweep a number is raised further
    eps: float  # rounding of a backup
    zero: float  # keeps loops free of branches


class Work(NamedTuple):
    """What one thread works on: blocks of its own, and what it finds."""

    ends: np.ndarray
    starts: np.ndarray
    row: np.ndarray
    far: np.ndarray  # turns left after the end of the turn
    late: np.ndarray  # turns left at the start
    old: np.ndarray  # values that changed, as they were
    places: np.ndarray  # where
    found: np.ndarray  # how many
    rows: Rows


@rule
def find(starts: Any, values: Any, unit: float, limit: float, work: Any) -> None:
    """Note the places that change by more than the limit, and their old values."""
    count = 0
    for n in range(values.size):
        if abs(starts[n] - values[n] * unit) > limit:
            work.places[count] = n
            work.old[count] = values[n]
            count += 1
    work.found[0] = count


@rule
def settle(starts: Any, values: Any, how: Any, terms: Any, work: Any) -> tuple[float, float]:
    """Take new values over, noting those that change much; by how much they rise at most, and fall."""
    if terms.limit < np.inf:
        find(starts, values, how.unit, terms.limit, work)
    up, down = 0.0, 0.0
    for n in range(values.size):
        change = starts[n] - values[n] * how.unit
        up, down = max(up, change), min(down, change)
        new = starts[n] + terms.stretch * max(change, 0.0)
        values[n] = min(new * how.per, how.top) + how.half
    return up, -down


@rule
def excess(starts: Any, values: Any, weights: Any, terms: Any) -> float:
    """How far new bounds lie outside of the old ones; negative if they lie within.

    They were made from the other player's bounds, on the other side of its values.
    """
    most, unit = -1.0, terms.values.unit
    for n in range(values.size):
        bound = min(max(values[n] * unit - terms.scale * weights[n] - terms.shift, 0.0), 1.0)
        found = min(max(starts[n], 0.0), 1.0)
        most = max(most, found - bound if terms.shift < 0.0 else bound - found)
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
    """The same, and how many turns are left then; of dice that are chosen only nearly best places count."""
    one_more = EndOfTurn(1.0, 1.0, terms.turns.unit, 0.0, 0.0)  # than the other player's
    turn_over(weights, weights, one_more, 0.0, work.far, block, runs)
    if terms.how == CHOSEN:
        way = EndOfTurn(1.0, -1.0, terms.values.unit, 0.0, 0.0)
        turn_over(reply, weights, way, 0.0, work.ends, block, runs)
        place_turns(terms.near, work.ends, work.far, work.row, work.late, block)
        return
    back_up_ends(reply, weights, terms, work, block, runs)
    if terms.how != DETERMINISTIC:
        place_dice(terms.how, 0.0, work.far, block, work.row)


class Tables(NamedTuple):
    """What all threads share: the other player's values, values and turns left, rooms for blocks of both."""

    reply: np.ndarray
    values: np.ndarray
    weights: np.ndarray  # a single number stands for none
    room: np.ndarray
    late: np.ndarray


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
        w = Backup(work.far, t.late[begin:end], t.late, work.late)
        back_up_turns(terms.how, terms.near, terms.zero, odds, v, w, work.rows, about)
        squeeze(work.late, block, spread.runs)
        return settle(work.late, weights, terms.turns, terms, work)[0]  # too many are as good
    back_up_ends(reply, against, terms, work, block, spread.runs)
    here, starts = t.room[begin:end], work.starts
    back_up(terms.how, terms.zero, terms.eps, odds, work.ends, here, t.room, starts, work.rows, about)
    if task == SHOW:
        return 0.0
    squeeze(starts, block, spread.runs)
    if task == SWEEP:
        up, down = settle(starts, values, terms.values, terms, work)
        return max(up, down)
    return excess(starts, values, weights, terms)


@rule
def do_blocks(task: int, masks: Any, t: Any, terms: Any, odds: Any, work: Any, at: Any) -> float:
    """A task on some blocks, one after another; the most that is found."""
    most = -1.0
    for i in range(masks.size):
        most = max(most, do_block(task, masks[i], t, terms, odds, work, at))
    return most
