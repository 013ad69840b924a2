"""Turns of Dice of Doom backed up block by block: for one set of own tiles, all ways the dice can lie.

A block is one dense array over the dice of all tiles, own tiles first (slowest), each group in reading order, the first
tile fastest. An attack that fails leads back into the block, to fewer dice on an own tile; one that succeeds leads into
the block with one more own tile. So blocks are done from most to fewest own tiles, and within one by rising dice of the
own tiles: then everything that is looked up is known, and all dice of the others are worked on at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.jit import rule

DETERMINISTIC, RANDOM, WEIGHTED, CHOSEN = 0, 1, 2, 3  # reinforcement
TILE = 32  # side of the squares in which a block is turned over


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
    """The block of an own mask; slots[mask] is a block's place in its layer."""
    tiles = len(neighbours)
    own = [t for t in range(tiles) if mask >> t & 1]
    other = [t for t in range(tiles) if not mask >> t & 1]
    attacks = [(t, u) for t in own for u in neighbours[t] if u in other]
    rows = {"attackers": [], "targets": [], "up": [], "strides": [], "lift": []}  # type: dict[str, list]
    for t, u in attacks:
        above = mask | 1 << u
        place = {w: n for n, w in enumerate(w for w in range(tiles) if above >> w & 1)}
        unit = dice ** (len(other) - 1)
        rows["attackers"].append(own.index(t))
        rows["targets"].append(other.index(u))
        rows["up"].append(slots[above] * dice**tiles)
        rows["strides"].append([dice ** place[w] * unit for w in own])
        rows["lift"].append(dice ** place[u] * unit)
    arrays = [np.array(rows[name], np.int64) for name in rows]
    arrays[3] = arrays[3].reshape(len(attacks), len(own))
    last = 1.0 if len(own) > len(other) else 0.5 if len(own) == len(other) else 0.0
    return Block(dice, len(own), len(other), largest(neighbours, mask), last, *arrays)


def largest(neighbours: Sequence[Sequence[int]], mask: int) -> int:
    """The size of the largest territory within a mask."""
    best = 0
    while mask:
        territory = fresh = mask & -mask
        while fresh:
            near = 0
            for t, others in enumerate(neighbours):
                if fresh >> t & 1:
                    near |= sum(1 << u for u in others)
            fresh = near & mask & ~territory
            territory |= fresh
        best = max(best, territory.bit_count())
        mask &= ~territory
    return best


@rule
def turn_over(values: Any, weights: Any, scale: float, eps: float, ends: Any, block: Any) -> None:
    """ends[own, other]: what ending the turn is worth to the mover, before reinforcement.

    `values` are the other player's at the start of its turn, in its own block; `scale` times `weights` is added.
    """
    rows, columns = block.dice**block.own, block.dice**block.other
    for r0 in range(0, rows, TILE):
        for c0 in range(0, columns, TILE):
            for r in range(r0, min(r0 + TILE, rows)):
                for c in range(c0, min(c0 + TILE, columns)):
                    value = values[c * rows + r]
                    if scale != 0.0:
                        value = min(max(value + scale * weights[c * rows + r], 0.0), 1.0)
                    ends[r * columns + c] = 1.0 - value + eps


@rule
def turns_left(weights: Any, ends: Any, block: Any) -> None:
    """The same for the number of turns left: one more than the other player's."""
    rows, columns = block.dice**block.own, block.dice**block.other
    for r0 in range(0, rows, TILE):
        for c0 in range(0, columns, TILE):
            for r in range(r0, min(r0 + TILE, rows)):
                for c in range(c0, min(c0 + TILE, columns)):
                    ends[r * columns + c] = 1.0 + weights[c * rows + r]


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


@rule
def reinforced(how: int, r: int, block: Any) -> int:
    """The row of the own dice after reinforcement: the first tiles in reading order get a die each."""
    if how != DETERMINISTIC:
        return r
    rest, unit, to = r, 1, r
    for _ in range(block.gain):
        if rest % block.dice < block.dice - 1:
            to += unit
        rest //= block.dice
        unit *= block.dice
    return to


@rule
def success(q: int, digit: int, r: int, block: Any) -> int:
    """Where the block above holds the outcome of a won attack, but for the dice of the others."""
    place = block.up[q] + (digit - 1) * block.lift[q]
    rest = r
    for x in range(block.own):
        if x != block.attackers[q]:
            place += (rest % block.dice) * block.strides[q, x]
        rest //= block.dice
    return place


@rule
def attack(q: int, r: int, first: bool, eps: float, odds: Any, here: Any, above: Any, best: Any, block: Any) -> bool:
    """Raise `best` to what the attack is worth, or set it if it is the first; whether there is such an attack."""
    dice, columns, x, y = block.dice, block.dice**block.other, block.attackers[q], block.targets[q]
    unit = dice**x
    digit = r // unit % dice
    if digit == 0:
        return False
    won, lost = success(q, digit, r, block), (r - digit * unit) * columns
    run = dice**y
    for h in range(columns // (run * dice)):
        for t in range(dice):
            p, at = odds[digit, t], (h * dice + t) * run
            for e in range(run):
                value = here[lost + at + e] + p * (above[won + h * run + e] - here[lost + at + e]) + eps
                if first:
                    best[at + e] = value
                else:
                    best[at + e] = max(best[at + e], value)
    return True


@rule
def back_up(how: int, eps: float, odds: Any, ends: Any, here: Any, above: Any, starts: Any, block: Any) -> None:
    """Fill `here` with values where the turn may be ended, and `starts` with those where an attack must come first."""
    columns = block.dice**block.other
    for r in range(block.dice**block.own):
        best = starts[r * columns : (r + 1) * columns]
        end = reinforced(how, r, block) * columns
        none = True
        for q in range(block.attackers.size):
            if attack(q, r, none, eps, odds, here, above, best, block):
                none = False
        at = r * columns
        if none:
            for e in range(columns):
                best[e] = block.last
                here[at + e] = ends[end + e]
        else:
            for e in range(columns):
                here[at + e] = max(best[e], ends[end + e])


class Lengths(NamedTuple):
    """Turns left, beside the values: `here` and `above` where the turn may be ended, `ends` after it, `starts`."""

    ends: np.ndarray
    here: np.ndarray
    above: np.ndarray
    starts: np.ndarray


@rule
def count_turns(
    how: int, near: float, odds: Any, ends: Any, here: Any, above: Any, starts: Any, w: Any, block: Any
) -> None:
    """The most turns left over all moves whose value is within `near` of the best, once `back_up` has been done."""
    dice, columns = block.dice, block.dice**block.other
    for r in range(dice**block.own):
        at, end = r * columns, reinforced(how, r, block) * columns
        for e in range(columns):
            w.starts[at + e] = 0.0
            w.here[at + e] = w.ends[end + e] if ends[end + e] >= here[at + e] - near else 0.0
        for q in range(block.attackers.size):
            unit = dice ** block.attackers[q]
            digit = r // unit % dice
            if digit == 0:
                continue
            won, lost, run = success(q, digit, r, block), (r - digit * unit) * columns, dice ** block.targets[q]
            for h in range(columns // (run * dice)):
                for t in range(dice):
                    p, o = odds[digit, t], (h * dice + t) * run
                    for e in range(run):
                        n = at + o + e
                        value = here[lost + o + e] + p * (above[won + h * run + e] - here[lost + o + e])
                        turns = w.here[lost + o + e] + p * (w.above[won + h * run + e] - w.here[lost + o + e])
                        w.starts[n] = max(w.starts[n], turns if value >= starts[n] - near else 0.0)
                        w.here[n] = max(w.here[n], turns if value >= here[n] - near else 0.0)
