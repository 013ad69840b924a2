"""Finds all positions that matter, and the components they form, in one depth-first search over a game's rules.

The nodes are afterstates, positions with dice in the air, and decisions that are reached without a roll in between.
Decisions that dice lead to are gone through: a node's row lists every way its dice can land, and for each of these the
options of whoever then has to decide. An option leads to a node or to an end of the game.

Tarjan's algorithm finds the strongly connected components on the way. Nodes that are open lie on a stack, their rows
beside them. When a component is complete it is moved to a stream, from which it is solved; its rows are then forgotten.
Components come out in reverse topological order: all that one leads to has come before. Within a component, nodes come
in the order in which the search has finished them, so that most of what a node leads to stands before it.

Of a game that declares its progress, one window of it can be searched at a time. A position beyond the window is noted
as one of the `later` ones, by which that part of the game is entered, and is not gone into.

Arrays are never enlarged here. Where one is full, or a field of a position does not fit, the search says so and returns
with everything as it was before the node at hand; it goes on from there when it is called again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import canonical, chance, gain, land, least, legal, move, over, pack, payoff, progress, weight
from hazard.jit import leaf, rule
from hazard.solving.enumerated.packing import Layout, position

UNSEEN, DONE = -1, -2  # places of nodes that are not on the stack: not expanded yet, sent
ENDED, BEYOND = -3, -4  # ends of the game, positions beyond the window
EVERYTHING, PAUSE, STREAM, NODES, OPEN, OUTCOMES, OPTIONS, ENDS, SPILL, FAULT, ENTRIES = range(11)  # why it returns
N_NODES, N_OPEN, N_OUTCOMES, N_OPTIONS, N_FINISHED, N_ENDS, CURRENT, N_SENT, SENT_COMPONENTS, SENT_OUTCOMES = range(10)
SENT_OPTIONS, ROOT, N_ROOTS, COUNTS = range(10, 14)
WHOLE = (1 << 63) - 1  # a window without an end
CONSTANT, APART, LARGEST, TERMS = 0, 1, 2, 3  # facts: what payoffs add up to, how far any end is from that, ...
HASH, HALF, POSITIVE = 0x1E3779B97F4A7C15, 29, (1 << 63) - 1
SPREAD, PRIME = 2.0**40, 1e15 + 37  # for payoffs, which may be fractions
MOST_PAYOFF, MOST_WEIGHT = 1e100, 2.0**52


class Rows(NamedTuple):
    """Rows of nodes, one after the other."""

    first: np.ndarray  # first[n]: where the outcomes of the n-th node begin
    begin: np.ndarray  # begin[n]: where its options begin
    weight: np.ndarray  # of each outcome
    options: np.ndarray  # how many each outcome has; negative if seat 1 chooses
    target: np.ndarray  # where each option leads: to this node
    gain: np.ndarray  # what each option scores; empty in a game without gains


class Later(NamedTuple):
    """Positions by which later parts of the game are entered."""

    key: np.ndarray
    slots: np.ndarray  # hash table
    value: np.ndarray  # bounds, as in a search; they say nothing until that part has been solved
    level: np.ndarray  # the progress of each
    total: np.ndarray  # how many there are


class Search(NamedTuple):
    """What has been found, and what is open."""

    key: np.ndarray  # the packed position of each node
    slots: np.ndarray  # hash table of nodes, -1 where it is empty
    place: np.ndarray  # each node's place on the stack, UNSEEN or DONE
    value: np.ndarray  # value[node]: lower and upper bound of what seat 0 gets; of ends, what it gets
    ends: np.ndarray  # hash table of ends, by payoffs
    layout: Layout
    numbers: np.ndarray  # room for the numbers of one position
    moves: np.ndarray  # room for legal moves, with more of it than there should be
    fanout: int
    players: int
    stack: Rows
    node: np.ndarray  # of each place on the stack
    parent: np.ndarray  # the place from which it was reached
    least: np.ndarray  # the lowest place that is known to be reached from it
    cursor: np.ndarray  # the next of its options to look at
    finished: np.ndarray  # places, in the order in which they were finished
    rank: np.ndarray  # the place of each place in that order, within its component
    stream: Rows
    sent: np.ndarray  # nodes of the stream
    components: np.ndarray  # where each component of the stream begins
    facts: np.ndarray  # CONSTANT, APART, LARGEST
    until: np.ndarray  # the last progress of the window
    later: Later


# --- numbering -------------------------------------------------------------------------------------------------------
@leaf
def slot_of(key: Any, slots: Any, a: int, b: int) -> int:
    """Where a packed position is in the hash table, or where it would be."""
    mask = slots.size - 1
    mixed = ((a ^ (b * HASH)) * HASH) & POSITIVE
    i = (mixed >> HALF) & mask
    while slots[i] >= 0 and not (key[slots[i], 0] == a and (key.shape[1] == 1 or key[slots[i], 1] == b)):
        i = (i + 1) & mask
    return i


@rule
def fill_slots(key: Any, place: Any, slots: Any, count: int) -> None:
    """Make the hash table anew; ends of the game are not in it."""
    slots[:] = -1
    for node in range(count):
        if place[node] != ENDED:
            second = key[node, 1] if key.shape[1] == 2 else 0
            slots[slot_of(key, slots, key[node, 0], second)] = node


@rule
def drop_ends(key: Any, place: Any, value: Any, slots: Any, count: int) -> int:
    """Close the gaps that ends have left among the nodes, with nodes from the end; returns how many are left."""
    node = 0
    while True:
        while count > 0 and place[count - 1] == ENDED:
            count -= 1
        while node < count and place[node] != ENDED:
            node += 1
        if node >= count:
            return count
        count -= 1
        second = key[count, 1] if key.shape[1] == 2 else 0
        slots[slot_of(key, slots, key[count, 0], second)] = node
        for word in range(key.shape[1]):
            key[node, word] = key[count, word]
        for side in range(2):
            value[node, side] = value[count, side]
        place[node] = place[count]


@leaf
def end_slot(value: Any, ends: Any, worth: float) -> int:
    mask = ends.size - 1
    i = ((int(abs(worth) * SPREAD % PRIME) * HASH) & POSITIVE) >> HALF & mask
    while ends[i] >= 0 and value[ends[i], 0] != worth:
        i = (i + 1) & mask
    return i


@rule
def fill_ends(value: Any, place: Any, ends: Any, count: int) -> None:
    """Make the hash table of ends anew."""
    ends[:] = -1
    for node in range(count):
        if place[node] == ENDED:
            ends[end_slot(value, ends, value[node, 0])] = node


@leaf
def end_of(g: Any, s: Any, x: Any, n: Any) -> Any:
    """The node of an end of the game: one for all that pay the same. Negative: why there is none."""
    worth = float(payoff(g, s, 0))
    if not abs(worth) <= MOST_PAYOFF:
        return -FAULT
    if x.players == 2:
        other = float(payoff(g, s, 1))
        total = worth + other
        if not np.isfinite(x.facts[CONSTANT]):
            x.facts[CONSTANT] = total
        part = total - worth
        lost = (worth - (total - part)) + (other - part)  # by rounding the sum
        apart = abs(total - x.facts[CONSTANT]) + abs(lost)
        if not apart <= 1e-12 * (abs(worth) + abs(total) + abs(x.facts[CONSTANT])):
            return -FAULT
        x.facts[APART] = max(x.facts[APART], apart)
    i = end_slot(x.value, x.ends, worth)
    if x.ends[i] < 0:
        if 2 * n[N_ENDS] >= x.ends.size:
            return -ENDS
        if n[N_NODES] == x.place.size:
            return -NODES
        x.facts[LARGEST] = max(x.facts[LARGEST], abs(worth))
        x.ends[i] = n[N_NODES]
        x.place[n[N_NODES]] = ENDED
        x.value[n[N_NODES], 0] = worth
        x.value[n[N_NODES], 1] = worth
        n[N_NODES] += 1
        n[N_ENDS] += 1
    return np.int64(x.ends[i])


@leaf
def entry_of(level: int, a: int, b: int, later: Any) -> Any:
    """The number of a position among the later ones, -1 if there is no room for it."""
    i = slot_of(later.key, later.slots, a, b)
    if later.slots[i] < 0:
        entry = later.total[0]
        if entry == later.level.size or 4 * entry >= 3 * later.slots.size:
            return np.int64(-1)
        later.slots[i] = entry
        later.level[entry] = level
        later.value[entry, 0], later.value[entry, 1] = -np.inf, np.inf
        later.key[entry, 0] = a
        if later.key.shape[1] == 2:
            later.key[entry, 1] = b
        later.total[0] += 1
    return np.int64(later.slots[i])


@leaf
def number_of(g: Any, s: Any, least: int, x: Any, n: Any) -> Any:
    """The node of a position, which is a new one if it was not met before. Negative: why there is none."""
    if over(g, s):
        return end_of(g, s, x, n)
    c, form = canonical(g, s), x.layout
    level = progress(g, c)
    if level < least:
        return -FAULT
    a, b, spill = pack(c, form.low, form.check, form.bits, form.at)
    if spill != 0:
        return -SPILL
    i = slot_of(x.key, x.slots, a, b)
    if x.slots[i] < 0:
        node = n[N_NODES]
        if node == x.place.size or 4 * node >= 3 * x.slots.size:
            return -NODES
        x.place[node] = UNSEEN
        if level > x.until[0]:
            entry = entry_of(level, a, b, x.later)
            if entry < 0:
                return -ENTRIES
            x.value[node, 0], x.value[node, 1] = x.later.value[entry, 0], x.later.value[entry, 1]
            x.place[node] = BEYOND
        x.slots[i] = node
        x.key[node, 0] = a
        if x.key.shape[1] == 2:
            x.key[node, 1] = b
        n[N_NODES] += 1
    return np.int64(x.slots[i])


# --- expanding -------------------------------------------------------------------------------------------------------
@rule
def expand(g: Any, s: Any, x: Any, n: Any) -> int:
    """Write the row of a position on top of the stack; returns 0, or why it cannot be done."""
    rows, outcome, option = x.stack, n[N_OUTCOMES], n[N_OPTIONS]
    ways, level, total = chance(g, s), progress(g, s), 0.0
    for i in range(max(ways, 1)):
        share = weight(g, s, i) if ways > 0 else 1
        if share == 0:
            continue
        u = land(g, s, i) if ways > 0 else s
        decides = ways == 0 or (not over(g, u) and chance(g, u) == 0)
        count = legal(g, u, x.moves) if decides else 1
        total += share
        if share < 0 or total > MOST_WEIGHT or count < 1 or count > x.fanout:
            return FAULT
        if decides and (u.mover < 0 or u.mover >= x.players):
            return FAULT
        if outcome == rows.weight.size:
            return OUTCOMES
        if option + count > rows.target.size:
            return OPTIONS
        rows.weight[outcome] = share
        rows.options[outcome] = -count if decides and (u.mover == 1 or least(g)) else count
        outcome += 1
        for k in range(count):
            v = move(g, u, x.moves[k]) if decides else u
            scored = float(gain(g, u, x.moves[k])) if decides else 0.0
            if scored != 0.0 and (x.players > 1 or x.stack.gain.size == 0 or not abs(scored) <= MOST_PAYOFF):
                return FAULT
            node = number_of(g, v, level, x, n)
            if node < 0:
                return -node
            rows.target[option] = node
            if rows.gain.size > 0:
                rows.gain[option] = scored
                x.facts[LARGEST] = max(x.facts[LARGEST], abs(scored))
            option += 1
    if outcome == n[N_OUTCOMES]:
        return FAULT
    n[N_OUTCOMES], n[N_OPTIONS] = outcome, option
    return 0


@rule
def visit(g: Any, node: int, x: Any, n: Any) -> int:
    """Put a node on the stack, with its row; returns 0, or why it cannot be done."""
    place, rows = n[N_OPEN], x.stack
    if place + 1 >= rows.first.size:
        return OPEN
    status = expand(g, position(x.key, node, x.layout, x.numbers), x, n)
    if status != 0:
        return status
    rows.first[place + 1], rows.begin[place + 1] = n[N_OUTCOMES], n[N_OPTIONS]
    x.node[place], x.parent[place], x.least[place] = node, n[CURRENT], place
    x.cursor[place] = rows.begin[place]
    x.place[node] = place
    n[N_OPEN], n[CURRENT] = place + 1, place
    return 0


# --- components ------------------------------------------------------------------------------------------------------
@leaf
def has_room(x: Any, n: Any, root: int) -> bool:
    """Whether the component on top of the stack fits into the stream."""
    rows, out = x.stack, x.stream
    return (
        n[SENT_COMPONENTS] + 2 < x.components.size
        and n[N_SENT] + n[N_OPEN] - root < x.sent.size
        and n[SENT_OUTCOMES] + n[N_OUTCOMES] - rows.first[root] <= out.weight.size
        and n[SENT_OPTIONS] + n[N_OPTIONS] - rows.begin[root] <= out.target.size
    )


@leaf
def send_row(x: Any, n: Any, place: int) -> None:
    """Copy a row from the stack to the stream; what leads into the component gets the complement of a rank."""
    rows, out = x.stack, x.stream
    to = n[SENT_OUTCOMES]
    for o in range(rows.first[place], rows.first[place + 1]):
        out.weight[to] = rows.weight[o]
        out.options[to] = rows.options[o]
        to += 1
    n[SENT_OUTCOMES] = to
    to = n[SENT_OPTIONS]
    for e in range(rows.begin[place], rows.begin[place + 1]):
        inside = x.place[rows.target[e]]
        out.target[to] = ~x.rank[inside] if inside >= 0 else rows.target[e]
        if out.gain.size > 0:
            out.gain[to] = rows.gain[e]
        to += 1
    n[SENT_OPTIONS] = to


@rule
def send(x: Any, n: Any, root: int) -> None:
    """Move the component on top of the stack to the stream."""
    size, sent = n[N_OPEN] - root, n[N_SENT]
    base = n[N_FINISHED] - size
    for k in range(size):
        x.rank[x.finished[base + k]] = k
    for k in range(size):
        place = x.finished[base + k]
        send_row(x, n, place)
        x.sent[sent + k] = x.node[place]
        x.stream.first[sent + k + 1], x.stream.begin[sent + k + 1] = n[SENT_OUTCOMES], n[SENT_OPTIONS]
    for k in range(size):
        x.place[x.sent[sent + k]] = DONE
    n[N_SENT], n[N_OPEN], n[N_FINISHED] = sent + size, root, base
    n[N_OUTCOMES], n[N_OPTIONS] = x.stack.first[root], x.stack.begin[root]
    n[SENT_COMPONENTS] += 1
    x.components[n[SENT_COMPONENTS]] = n[N_SENT]


@rule
def search(g: Any, x: Any, n: Any, budget: int) -> int:
    """Go on with the search, for that many nodes at most; returns why it has stopped. It begins with the first nodes,
    the roots."""
    while True:
        while n[CURRENT] >= 0:
            place = n[CURRENT]
            if x.cursor[place] < x.stack.begin[place + 1]:
                target = np.int64(x.stack.target[x.cursor[place]])
                there = x.place[target]
                if there == UNSEEN:
                    status = PAUSE if budget == 0 else visit(g, target, x, n)
                    if status != 0:
                        return status
                    budget -= 1
                x.cursor[place] += 1
                x.least[place] = min(x.least[place], there) if there >= 0 else x.least[place]
                continue
            if x.least[place] == place and not has_room(x, n, place):
                return STREAM
            x.finished[n[N_FINISHED]] = place
            n[N_FINISHED] += 1
            n[CURRENT] = x.parent[place]
            if n[CURRENT] >= 0:
                x.least[n[CURRENT]] = min(x.least[n[CURRENT]], x.least[place])
            if x.least[place] == place:
                send(x, n, place)
        while n[ROOT] < n[N_ROOTS] and x.place[n[ROOT]] != UNSEEN:
            n[ROOT] += 1
        if n[ROOT] == n[N_ROOTS]:
            return EVERYTHING
        status = visit(g, n[ROOT], x, n)
        if status != 0:
            return status
