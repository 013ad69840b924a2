"""Values of positions that compiled code can look up: a hash table, flattened into bytes.

The bytes hold, as 64-bit words: the numbers of fields, of words in a key, of slots and of positions, and what payoffs
add up to; then where each field is (see `packing.Layout`), the keys, and what each position is worth to seat 0. The
slots of the hash table come last, as 32-bit words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import as_memory
from hazard.contract import canonical, chance, gain, land, least, legal, move, over, pack, payoff, weight
from hazard.jit import leaf, rule
from hazard.solving.enumerated.packing import Layout, position
from hazard.solving.enumerated.search import HALF, HASH, NODES, POSITIVE, SPILL, slot_of

FIELDS, WORDS, SLOTS, COUNT, TOTAL, HEAD = 0, 1, 2, 3, 4, 5


def flat(key: np.ndarray, slots: np.ndarray, worth: np.ndarray, layout: Layout, constant: float) -> np.ndarray:
    """A table as bytes."""
    numbers = np.array([len(layout.at), key.shape[1], len(slots), len(key)], np.int64)
    total = np.array([constant]).view(np.int64)
    parts = [numbers, total, *layout, key.reshape(-1), np.ascontiguousarray(worth).view(np.int64)]
    return as_memory(np.concatenate([*parts, np.ascontiguousarray(slots).view(np.int64)]))


@leaf
def found_in(memory: Any, a: int, b: int) -> Any:
    """The number of a packed position in the bytes of a table, -1 if it is not there."""
    words, narrow = memory.view(np.int64), memory.view(np.int32)
    each, count = words[WORDS], words[COUNT]
    keys = HEAD + 4 * words[FIELDS]
    slots = 2 * (keys + count * (each + 1))
    mask = words[SLOTS] - 1
    i = ((((a ^ (b * HASH)) * HASH) & POSITIVE) >> HALF) & mask
    while True:
        node = narrow[slots + i]
        if node < 0:
            return -1
        at = keys + node * each
        if words[at] == a and (each == 1 or words[at + 1] == b):
            return np.int64(node)
        i = (i + 1) & mask


@rule
def worth(g: Any, s: Any, seat: int, values: Any) -> float:
    """What a position is worth to a seat, by the bytes of a table; not a number if it is not in it."""
    if over(g, s):
        return float(payoff(g, s, seat))
    if g.players > 2:  # a table for each seat, one after the other
        size = values.size // g.players
        values, seat = values[seat * size : (seat + 1) * size], 0
    words, numbers = values.view(np.int64), values.view(np.float64)
    fields, each, count = words[FIELDS], words[WORDS], words[COUNT]
    low, check = words[HEAD : HEAD + fields], words[HEAD + fields : HEAD + 2 * fields]
    bits, at = words[HEAD + 2 * fields : HEAD + 3 * fields], words[HEAD + 3 * fields : HEAD + 4 * fields]
    a, b, spill = pack(canonical(g, s), low, check, bits, at)
    node = found_in(values, a, b) if spill == 0 else -1
    if node < 0:
        return np.nan
    found = numbers[HEAD + 4 * fields + count * each + node]
    return found if seat == 0 else numbers[TOTAL] - found


@rule
def prospect(g: Any, s: Any, seat: int, values: Any) -> float:
    """The same with dice in the air: such positions are in the table themselves."""
    return worth(g, s, seat, values)


# --- a table with all decisions --------------------------------------------------------------------------------------
class Table(NamedTuple):
    """Positions and what they are worth to seat 0."""

    key: np.ndarray
    slots: np.ndarray
    worth: np.ndarray
    layout: Layout
    numbers: np.ndarray  # room for the numbers of one position
    moves: np.ndarray  # room for legal moves
    done: np.ndarray  # [positions in the table, nodes whose decisions are in it]


@leaf
def worth_of(g: Any, s: Any, x: Any) -> float:
    """What a node or an end is worth to seat 0."""
    if over(g, s):
        return float(payoff(g, s, 0))
    a, b, _ = pack(canonical(g, s), x.layout.low, x.layout.check, x.layout.bits, x.layout.at)
    return x.worth[x.slots[slot_of(x.key, x.slots, a, b)]]


@leaf
def best_of(g: Any, u: Any, x: Any) -> float:
    """What a decision is worth to seat 0."""
    best = 0.0
    for k in range(legal(g, u, x.moves)):
        found = worth_of(g, move(g, u, x.moves[k]), x) + gain(g, u, x.moves[k])
        if k == 0 or ((found < best) if u.mover == 1 or least(g) else (found > best)):
            best = found
    return best


@rule
def add_decision(g: Any, u: Any, x: Any) -> int:
    """Add a decision to the table; returns 0, or why it cannot be done."""
    a, b, spill = pack(canonical(g, u), x.layout.low, x.layout.check, x.layout.bits, x.layout.at)
    if spill != 0:
        return SPILL
    i = slot_of(x.key, x.slots, a, b)
    if x.slots[i] < 0:
        node = x.done[0]
        if node == x.worth.size:
            return NODES
        x.worth[node] = best_of(g, u, x)
        x.slots[i] = node
        x.key[node, 0] = a
        if x.key.shape[1] == 2:
            x.key[node, 1] = b
        x.done[0] += 1
    return 0


@rule
def add_decisions(g: Any, x: Any, nodes: int) -> int:
    """Add all decisions that dice lead to; returns 0, or why it stops."""
    for node in range(x.done[1], nodes):
        x.done[1] = node
        s = position(x.key, node, x.layout, x.numbers)
        for i in range(chance(g, s)):
            u = land(g, s, i)
            if weight(g, s, i) > 0 and not over(g, u) and chance(g, u) == 0:
                status = add_decision(g, u, x)
                if status != 0:
                    return status
    return 0
