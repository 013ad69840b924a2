"""What the states of a turn of Pickomino are worth: the best way through a turn for any values of its endings.

The values of one turn make a row: first those of all states, then of stops for the centre and of steals by score, then
of a failure. A row is worked out only as far as it is needed, and stored: the decisions of a turn share one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.dice import mix
from hazard.games.pickomino.rules import CENTRE, FACES, STEAL, WORM, Params, State, number, points, shown, with_face
from hazard.games.pickomino.turn.tables import COLUMNS, TurnTables
from hazard.jit import large, rule

ROWS = 4096  # rows that are stored; a power of two
KEY = 4  # numbers that tell rows apart
FEW = 8  # states of a group that are worked out together, also if there are fewer
NEVER = -1e6  # the value of what cannot be done
POSITIVE = 2**63 - 1  # all bits but the sign
NEURONS = 128  # room for a network: what it sees, and its layers


class Turns(NamedTuple):
    """Rows of values, and arrays to work in. All is written to: each thread has its own (see `Game.table`)."""

    states: int  # of a turn
    scores: int  # from 0 to the most that all dice can score
    keys: np.ndarray  # keys[row]: what the row was worked out for
    known: np.ndarray  # known[row]: groups that have been worked out
    rows: np.ndarray  # rows[row]: see above
    fresh: np.ndarray  # fresh[0]: whether the row that `find_row` gave last is a new one
    options: np.ndarray  # options[place of a free face, dice, state of the group]
    most: np.ndarray  # most[depth, state of the group]: the best option of a pattern so far
    totals: np.ndarray  # sums over all patterns for the states of a group
    stack: np.ndarray  # of a simulated tree
    table: np.ndarray  # a table of risk, dead ends last
    seen: np.ndarray  # what a network sees of a table
    neurons: np.ndarray  # what it works out


def turns_of(tables: TurnTables, rows: int = ROWS) -> Turns:
    """Arrays for turns with these tables. Rows are not filled, so that memory is taken only as they come into use."""
    states, (_, dice, scores) = tables.left.size, tables.number.shape
    size = max(FEW, int(np.diff(tables.groups).max()))
    return Turns(
        states,
        scores,
        keys=np.zeros((rows, KEY), np.int64),
        known=np.zeros(rows, np.int64),
        rows=np.empty((rows, states + 2 * scores + 1)),
        fresh=np.zeros(1, np.int64),
        options=np.full((FACES, dice, size), NEVER),
        most=np.full((FACES, size), NEVER),
        totals=np.zeros(size),
        stack=np.zeros(FACES * FACES * dice, np.int64),
        table=np.zeros(COLUMNS + 1, np.int64),
        seen=np.zeros(NEURONS, np.int64),
        neurons=np.zeros(NEURONS, np.float32),
    )


# --- rows ----------------------------------------------------------------------------------------------------------
@rule
def centre_at(t: Turns, score: int) -> int:
    """Where a row holds the value of stopping for the centre with that score."""
    return t.states + score


@rule
def steal_at(t: Turns, score: int) -> int:
    return t.states + t.scores + score


@rule
def fail_at(t: Turns) -> int:
    return t.states + 2 * t.scores


@rule
def find_row(t: Turns, a: int, b: int, c: int, d: int) -> int:
    """The row that was worked out for these numbers, or one that is to be: fresh[0] says which."""
    x = mix(np.uint64(a & POSITIVE) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(b & POSITIVE))
    x = mix(x ^ mix(np.uint64(c & POSITIVE) * np.uint64(0xBF58476D1CE4E5B9) ^ np.uint64(d & POSITIVE)))
    row: Any = np.int64(x & np.uint64(t.keys.shape[0] - 1))
    key = t.keys[row]
    t.fresh[0] = not (key[0] == a and key[1] == b and key[2] == c and key[3] == d)
    if t.fresh[0]:
        key[0], key[1], key[2], key[3] = a, b, c, d
        t.known[row] = 0
    return row


@rule
def faces_of(dice: int) -> int:
    """The faces that packed dice show, as bits."""
    faces = 0
    for face in range(FACES):
        faces |= (1 if shown(dice, face) else 0) << face
    return faces


@rule
def state_of(g: Params, kept: int) -> Any:
    """The number of the state with these dice aside."""
    return np.int64(g.turn.number[faces_of(kept), g.dice - number(kept), points(kept)])


@rule
def group_of(tables: TurnTables, k: int) -> int:
    group = tables.groups.size - 2
    while tables.groups[group] > k:
        group -= 1
    return group


# --- working out ---------------------------------------------------------------------------------------------------
@rule
def stop_value(tables: TurnTables, t: Turns, values: Any, k: int) -> float:
    """The best that stopping in a state is worth."""
    if not (tables.faces[k] >> WORM) & 1:
        return NEVER
    return max(values[centre_at(t, tables.score[k])], values[steal_at(t, tables.score[k])])


@rule
def note_options(tables: TurnTables, t: Turns, values: Any, group: int) -> None:
    """Note what the states of a group can become, by free face and number of dice."""
    begin, size = tables.groups[group], tables.groups[group + 1] - tables.groups[group]
    at = tables.after_at[group]
    for place in range(FACES - tables.used[begin]):
        for c in range(1, tables.left[begin] + 1):
            option, after = t.options[place, c, :size], tables.after[at : at + size]
            for i in range(size):
                option[i] = values[after[i]]
            at += size


@rule
def take_better(most: Any, before: Any, option: Any) -> None:
    for i in range(most.size):
        most[i] = option[i] if option[i] > before[i] else before[i]


@rule
def add_better(totals: Any, share: float, most: Any, option: Any) -> None:
    for i in range(totals.size):
        totals[i] += share * (option[i] if option[i] > most[i] else most[i])


@rule
def take_better_few(most: Any, before: Any, option: Any) -> None:
    """The same for FEW numbers: a length that the compiler knows makes short loops quicker."""
    for i in range(FEW):
        most[i] = option[i] if option[i] > before[i] else before[i]


@rule
def add_better_few(totals: Any, share: float, most: Any, option: Any) -> None:
    for i in range(FEW):
        totals[i] += share * (option[i] if option[i] > most[i] else most[i])


@rule
def add_patterns(tables: TurnTables, t: Turns, n: int, used: int, size: int) -> None:
    """Add up the best option of every pattern of a roll, in `totals`."""
    last, share, totals, few = FACES - used - 1, tables.share_at[used, n], t.totals[:size], size == FEW
    for node in tables.nodes[tables.node_at[used, n] : tables.node_at[used, n + 1]]:
        depth, most = node[0], t.most[node[0], :size]
        if depth > 0:
            before, option = t.most[depth - 1, :size], t.options[depth - 1, node[1], :size]
            if few:
                take_better_few(most, before, option)
            else:
                take_better(most, before, option)
        if depth == last:
            for c in range(node[2] + 1):
                if few:
                    add_better_few(totals, tables.shares[share + c], most, t.options[last, c, :size])
                else:
                    add_better(totals, tables.shares[share + c], most, t.options[last, c, :size])
            share += node[2] + 1


@large
def roll_all(tables: TurnTables, t: Turns, values: Any, group: int) -> None:
    """What rolling on is worth in the states of a group, in `totals`; all that can follow is known."""
    begin, size = tables.groups[group], max(tables.groups[group + 1] - tables.groups[group], FEW)
    n, used = tables.left[begin], tables.used[begin]
    note_options(tables, t, values, group)
    t.totals[:size] = values[fail_at(t)] * tables.miss[used, n]
    add_patterns(tables, t, n, used, size)


@large
def work_out(tables: TurnTables, t: Turns, row: int, groups: int) -> None:
    """Work out what the states of the first groups are worth with dice just set aside."""
    values = t.rows[row]
    for group in range(t.known[row], groups):
        begin, size = tables.groups[group], tables.groups[group + 1] - tables.groups[group]
        totals = t.totals[:size]
        if tables.left[begin] > 0:
            roll_all(tables, t, values, group)
        else:
            totals[:] = NEVER
        for i in range(size):
            best = max(stop_value(tables, t, values, begin + i), totals[i])
            values[begin + i] = values[fail_at(t)] if best == NEVER else best
    t.known[row] = max(t.known[row], groups)


# --- asked by players and solvers ----------------------------------------------------------------------------------
@rule
def value_of(tables: TurnTables, t: Turns, row: int, k: int) -> float:
    """What a state is worth with dice just set aside."""
    group = group_of(tables, k)
    if t.known[row] <= group:
        work_out(tables, t, row, group + 1)
    return t.rows[row, k]


@rule
def roll_value(tables: TurnTables, t: Turns, row: int, k: int) -> float:
    """What rolling on from a state is worth."""
    group = group_of(tables, k)
    work_out(tables, t, row, group)
    roll_all(tables, t, t.rows[row], group)
    return t.totals[k - tables.groups[group]]


@rule
def turn_value(tables: TurnTables, t: Turns, row: int) -> float:
    """What the turn is worth before its first roll."""
    return roll_value(tables, t, row, t.states - 1)


@rule
def move_value(g: Params, s: State, m: int, row: int) -> float:
    """What a move is worth to the mover by the values of a row."""
    t = g.scratch.turns
    if m < FACES:
        return value_of(g.turn, t, row, state_of(g, with_face(s.kept, s.rolled, m)))
    if m == CENTRE:
        return t.rows[row, centre_at(t, points(s.kept))]
    if m == STEAL:
        return t.rows[row, steal_at(t, points(s.kept))]
    return roll_value(g.turn, t, row, state_of(g, s.kept))


@large
def best_move(g: Params, s: State, moves: Any, count: int, row: int) -> int:
    """The best of some legal moves by the values of a row."""
    best, most = moves[0], 2 * NEVER
    for i in range(count):
        value = move_value(g, s, moves[i], row)
        if value > most:
            best, most = moves[i], value
    return best
