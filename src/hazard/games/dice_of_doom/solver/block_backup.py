"""Turns of Dice of Doom backed up block by block. A block is one set of own tiles, with all ways the dice can lie.

It is one dense array over the dice of all tiles. Own tiles come first (slowest), then the others; each group is in
reading order, its last tile fastest. Tiles of a group are counted from the last one. A row is one way the own dice can
lie, a column one of the others'. An attack that fails leads back into the block, to fewer dice on an own tile; one that
succeeds leads into the block with one more own tile. So blocks are done from most to fewest own tiles, and rows by
rising dice: then everything that is looked up is known, and all columns are worked on at once. Only columns that can
come up are there; see `block_layout`.

This repeats the rules' attack and reinforcement, for whole rows of positions at a time. Tests compare the two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_of_doom.tiles import CAPTURED, CHOSEN, DETERMINISTIC, WEIGHTED
from hazard.jit import rule

SQUARE = 32  # side of the squares in which a block is transposed
FEW = 24  # numbers of a chunk that are done one by one, at most


class Backup(NamedTuple):
    """What one quantity is backed up in: values, wins, losses or turns left."""

    ends: np.ndarray  # after the turn, by own dice and others' dice
    here: np.ndarray  # where the turn may be ended
    above: np.ndarray  # the same in blocks with one more own tile
    starts: np.ndarray  # where an attack must come first


class EndOfTurn(NamedTuple):
    """How the other player's number becomes the mover's: base + sign * (unit * number + scale * weight + shift).

    What is in brackets is kept between 0 and 1 if there is a scale: then it is a bound.
    """

    base: float
    sign: float
    unit: float = 1.0
    scale: float = 0.0
    shift: float = 0.0


# --- the end of a turn -------------------------------------------------------------------------------------------
@rule
def turn_over(values: Any, weights: Any, way: EndOfTurn, eps: float, ends: Any, block: Any, runs: Any) -> None:
    """ends[own, other]: what ending the turn is worth to the mover, once it has got its dice.

    `values` are the other player's at the start of its turn, in its own block; `way` says what becomes of them.
    """
    run, free = block.dice ** (block.own - block.passed), block.dice ** (block.other - block.sure)
    rows, first = (block.dice - 1) ** block.passed * run, runs.first[block.own, block.passed]
    for h in range(block.columns // free):
        column = runs.begins[runs.first[block.other, block.sure] + h]
        for r0 in range(0, rows, SQUARE):
            for c0 in range(0, free, SQUARE):
                for i in range(r0, min(r0 + SQUARE, rows)):
                    r = runs.begins[first + i // run] + i % run
                    to = r * block.columns + h * free
                    some = ends[to + c0 : to + min(c0 + SQUARE, free)]
                    turn_some(values, weights, way, eps, some, rows, column + c0, i)


@rule
def turn_some(values: Any, weights: Any, way: EndOfTurn, eps: float, ends: Any, rows: int, column: int, i: int) -> None:
    """The same for some columns of a row, which is the i-th that is kept."""
    factor = way.sign * way.unit
    if way.scale == 0.0:
        for c in range(ends.size):
            ends[c] = way.base + values[(column + c) * rows + i] * factor + eps
        return
    for c in range(ends.size):
        value = values[(column + c) * rows + i] * way.unit
        value = min(max(value + way.scale * weights[(column + c) * rows + i] + way.shift, 0.0), 1.0)
        ends[c] = way.base + way.sign * value + eps


@rule
def squeeze(starts: Any, block: Any, runs: Any) -> None:
    """Move what can come up at the start of a turn to the front."""
    if block.fresh == block.sure:
        return
    run, free, to = block.dice ** (block.other - block.fresh), block.dice ** (block.other - block.sure), 0
    first = runs.first[block.other - block.sure, block.fresh - block.sure]
    count = (block.dice - 1) ** (block.fresh - block.sure)
    for h in range(block.dice**block.own * (block.columns // free)):
        for n in range(first, first + count):
            begin = h * free + runs.begins[n]
            for e in range(run):
                starts[to + e] = starts[begin + e]
            to += run


@rule
def place_dice(how: int, eps: float, ends: Any, block: Any, row: Any) -> None:
    """Place dice that fall at random or are placed by choice, one after another, from the last to the first.

    A die for a full tile is lost. Rows are done upwards: each looks up rows above it, in which one die less is placed.
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


@rule
def with_die(r: int, x: int, block: Any) -> int:
    """The row with one die more on an own tile; a die for a full tile is lost."""
    unit = block.dice**x
    return r + unit if r // unit % block.dice < block.dice - 1 else r


@rule
def in_order(how: int, captured: int, block: Any) -> int:
    """How many new dice come to the first own tiles in reading order; `captured` were taken in the turn."""
    if how == CAPTURED:
        return min(captured - 1, block.own)
    return block.gain if how == DETERMINISTIC else 0


# --- rows --------------------------------------------------------------------------------------------------------
class Rows(NamedTuple):
    """The current row of a scan over a block: its dice, and where the outcome of each attack begins above."""

    digits: np.ndarray
    drops: np.ndarray  # what a die of each own tile is in numbers of the block
    bases: np.ndarray
    values: np.ndarray  # room for a chunk of outcomes
    turns: np.ndarray


@rule
def first_row(rows: Any, block: Any) -> None:
    """The row with one die on every own tile."""
    unit = block.columns
    for x in range(block.own):
        rows.digits[x] = 0
        rows.drops[x] = unit
        unit *= block.dice
    for q in range(block.attackers.size):
        rows.bases[q] = block.up[q] - block.lift[q]


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
def reinforced(new: int, rows: Any, block: Any) -> int:
    """How much further the row is after reinforcement: the first tiles in reading order get a die each."""
    to = 0
    for x in range(block.own - new, block.own):
        to += rows.drops[x] if rows.digits[x] < block.dice - 1 else 0
    return to


# --- attacks -----------------------------------------------------------------------------------------------------
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
    """The same where odds differ from column to column."""
    for e in range(best.size):
        value = lost[e]
        best[e] = max(best[e], value + shares[e] * (won[e] - value)) + zero


@rule
def attack(
    q: int, digit: int, k: int, zero: float, odds: Any, lost: Any, above: Any, best: Any, rows: Any, at: Any
) -> None:
    """The q-th attack in the k-th chunk of a row; `lost` are the values if it is lost."""
    block, spread = at
    dice, y, size, slow = block.dice, block.targets[q], best.size, block.slow[q] + k
    begin = rows.bases[q] + block.places[slow]
    if y >= block.fast:
        meet(best, lost, above[begin : begin + size], odds[digit, block.met[slow]], zero)
    elif size <= FEW:
        won, spots, shares = above[begin : begin + size // dice], spread.spots[y], spread.shares[digit, y]
        for e in range(size):
            value = lost[e]
            best[e] = max(best[e], value + shares[e] * (won[spots[e]] - value)) + zero
    elif y < spread.quick:
        expand(above[begin : begin + size // dice], spread.spots[y], rows.values[:size])
        meet_any(best, lost, rows.values[:size], spread.shares[digit, y], zero)
    else:
        run = dice**y
        for h in range(size // run):
            o, a = h * run, begin + h // dice * run
            meet(best[o : o + run], lost[o : o + run], above[a : a + run], odds[digit, h % dice], zero)


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
    block = at[0]
    size, end = block.dice**block.fast, reinforced(in_order(how, 0, block), rows, block)
    for k in range(block.columns // size):
        begin, none = r * block.columns + k * size, True
        best, there = starts[begin : begin + size], here[begin : begin + size]
        stop = ends[begin + end : begin + end + size]
        for e in range(size):
            best[e] = -1.0
        for q in range(block.attackers.size):
            x = block.attackers[q]
            digit = rows.digits[x]
            if digit > 0:
                none = False
                lost = begin - digit * rows.drops[x]
                attack(q, digit, k, zero, odds, here[lost : lost + size], above, best, rows, at)
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
    first_row(rows, block)
    for r in range(block.dice**block.own):
        back_up_row(r, how, zero, eps, odds, ends, here, above, starts, rows, at)
        next_row(rows, block)
