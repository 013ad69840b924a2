"""Proves a declared symmetry: goes through all positions that play can reach, and compares each with its stand-in.

Both must have the same row, if all that moves and dice lead to is replaced by stand-ins: the same ways to land, as
likely, each with the same options for the same seat. Then whoever plays from the stand-in can be followed from the
position, move by move, so both are worth the same, and play that must end from the one must end from the other. Rows
are compared by fingerprints of 64 bits.

Where there are too many positions, a part of them is looked at: those near the start, and some from random play.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import canonical, chance, gain, land, legal, move, over, pack, payoff, roll, weight
from hazard.dice import below
from hazard.jit import leaf, rule
from hazard.solving.enumerated.packing import Layout, position
from hazard.solving.enumerated.search import HASH, slot_of

SAME, FULL, SPILL, DIFFERENT = range(4)  # why a walk returns
COUNT, DONE = 0, 1
FEW = 64  # options that are compared with each other
SECOND = 0x2545F4914F6CDD1D


class Walk(NamedTuple):
    """Positions as they are, and the table of stand-ins that has been solved."""

    key: np.ndarray
    slots: np.ndarray
    layout: Layout
    nodes: np.ndarray  # keys of the table
    node_slots: np.ndarray
    node_layout: Layout
    numbers: np.ndarray  # room for the numbers of one position
    moves: np.ndarray  # room for legal moves
    seen: np.ndarray  # room for what options lead to
    real: np.ndarray  # room for a number, whose bits are in `whole`
    whole: np.ndarray
    counts: np.ndarray  # COUNT, DONE
    until: int  # positions that may be found


@leaf
def mixed(a: Any, b: Any) -> Any:
    """Two numbers as one that looks random."""
    a = (np.int64(a) ^ (np.int64(b) * SECOND)) * HASH
    a = (a ^ ((a >> 29) & 0x7FFFFFFFF)) * SECOND
    return a ^ ((a >> 32) & 0xFFFFFFFF)


@leaf
def bits_of(x: Any, number: float) -> Any:
    x.real[0] = number + 0.0  # so that -0.0 is 0.0
    return x.whole[0]


@leaf
def place_of(g: Any, s: Any, x: Any) -> Any:
    """What stands for a position: its stand-in's number in the table, or what is paid; -1 if it is not there."""
    if over(g, s):
        return mixed(bits_of(x, float(payoff(g, s, 0))), 1)
    form = x.node_layout
    a, b, spill = pack(canonical(g, s), form.low, form.check, form.bits, form.at)
    return -1 if spill != 0 else np.int64(x.node_slots[slot_of(x.nodes, x.node_slots, a, b)])


@leaf
def is_new(seen: Any, count: int, found: int) -> bool:
    new = True
    for k in range(min(count, FEW)):
        new = new and seen[k] != found
    return new


@rule
def print_of(g: Any, u: Any, x: Any) -> Any:
    """The fingerprint of the options of a position without dice in the air, whatever their order."""
    if over(g, u) or chance(g, u) > 0:
        return mixed(place_of(g, u, x), 0)
    count, total, different = legal(g, u, x.moves), 0, 0
    for k in range(count):
        m = x.moves[k]
        found = mixed(place_of(g, move(g, u, m), x), bits_of(x, float(gain(g, u, m))))
        if is_new(x.seen, different, found):
            if different < FEW:
                x.seen[different] = found
            total += found
            different += 1
    return total if different == 1 else mixed(total, 2 + u.mover)


@rule
def same_rows(g: Any, s: Any, c: Any, x: Any) -> bool:
    """Whether two positions have the same row."""
    if over(g, c):
        return False
    first, all_first = row_of(g, s, x)
    second, all_second = row_of(g, c, x)
    return first * all_second == second * all_first


@rule
def row_of(g: Any, s: Any, x: Any) -> Any:
    """The fingerprint of a row, and the sum of its weights."""
    ways = chance(g, s)
    if ways == 0:
        return print_of(g, s, x), np.int64(1)
    found, total = np.int64(0), np.int64(0)
    for i in range(ways):
        share = np.int64(weight(g, s, i))
        if share > 0:
            found += share * print_of(g, land(g, s, i), x)
            total += share
    return found, total


@leaf
def stands(g: Any, s: Any, x: Any) -> bool:
    """Whether a position that is not over is like its stand-in."""
    c = canonical(g, s)
    return c == s or same_rows(g, s, c, x)


@leaf
def noted(g: Any, s: Any, x: Any) -> int:
    """Take note of a position; returns 0, or why it cannot be done."""
    if over(g, s):
        return SAME
    a, b, spill = pack(s, x.layout.low, x.layout.check, x.layout.bits, x.layout.at)
    if spill != 0:
        return SPILL
    i = slot_of(x.key, x.slots, a, b)
    if x.slots[i] < 0:
        at = x.counts[COUNT]
        if at >= x.until or at == x.key.shape[0]:
            return SAME if at >= x.until else FULL
        x.slots[i] = at
        x.key[at, 0] = a
        if x.key.shape[1] == 2:
            x.key[at, 1] = b
        x.counts[COUNT] += 1
    return SAME


@rule
def walk(g: Any, x: Any, budget: int) -> int:
    """Go through positions that were found, and find those that they lead to; returns why it stops."""
    while x.counts[DONE] < x.counts[COUNT] and budget > 0:
        s = position(x.key, x.counts[DONE], x.layout, x.numbers)
        if not stands(g, s, x):
            return DIFFERENT
        ways = chance(g, s)
        for i in range(max(ways, 1)):
            u = land(g, s, i) if ways > 0 else s
            if ways > 0 and weight(g, s, i) == 0:
                continue
            if ways > 0:
                status = noted(g, u, x)
                if status != 0:
                    return status
            elif not over(g, u):
                for k in range(legal(g, u, x.moves)):
                    status = noted(g, move(g, u, x.moves[k]), x)
                    if status != 0:
                        return status
        x.counts[DONE] += 1
        budget -= 1
    return SAME


@rule
def choose(g: Any, s: Any, moves: Any, rng: Any) -> Any:
    """Where a move leads that is drawn at random."""
    return move(g, s, moves[below(rng, legal(g, s, moves))])


@rule
def wander(g: Any, s: Any, x: Any, rng: Any, steps: int, longest: int) -> Any:
    """Compare positions from games that are played at random; returns the first that differs, or the start."""
    start, left = s, longest
    for _ in range(steps):
        if over(g, s) or left == 0:
            s, left = start, longest
            continue
        if not stands(g, s, x):
            return s, False
        left -= 1
        s = land(g, s, roll(g, s, rng)) if chance(g, s) > 0 else choose(g, s, x.moves, rng)
    return start, True
