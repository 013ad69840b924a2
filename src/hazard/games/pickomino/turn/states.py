"""A turn of Pickomino, exactly: its states, and the best way through them for any value of its endings.

A state is what can matter of the dice set aside: the faces, how many dice are left, and the score. Rows of values are
worked out only as far as they are asked for, and kept: the decisions of a turn share one.
"""

from __future__ import annotations

from functools import cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np

from hazard.dice import mix
from hazard.games.pickomino.rules import BYTE, EACH, FACES, WORM, number, points, shown
from hazard.jit import large, rule

VALUES = (1, 2, 3, 4, 5, 5)  # points of the faces
ROWS = 4096  # rows of values that are kept
KEY = 4  # numbers that tell rows apart
FEW = 8  # states of a group that are worked out together, also if there are fewer
NEVER = -1e6  # the value of what cannot be done
POSITIVE = 2**63 - 1  # all bits but the sign
NEURONS = 128  # room for a network: what it sees, and its layers
FOUR = 4  # dice that a tree throws at once
COLUMNS = 17  # of a risk table: tiles 21 to 36, and scores beyond


class Turns(NamedTuple):
    """States are numbered upward by dice left, so that what can follow a state has lower numbers."""

    number: np.ndarray  # number[faces aside, dice left, score]: the state, -1 for none
    faces: np.ndarray  # faces[k]: faces aside, as bits
    left: np.ndarray  # left[k]: dice left
    score: np.ndarray
    used: np.ndarray  # used[k]: how many faces are aside
    groups: np.ndarray  # groups[i]: the first state of the i-th group, of as many faces aside and dice left
    after: np.ndarray  # for each group, free face and number of dice: the states that follow those of the group
    after_at: np.ndarray  # after_at[i]: where those of the i-th group begin
    nodes: np.ndarray  # patterns of the free faces in a roll, but for the last: rows of (depth, dice, dice not used)
    node_at: np.ndarray  # node_at[used, n]: where the patterns of n dice begin with so many faces aside
    shares: np.ndarray  # chances of the patterns, the last face included; 0 for that without any free face
    share_at: np.ndarray
    miss: np.ndarray  # miss[used, n]: the chance that n dice show no free face
    risk: np.ndarray  # risk[k, column]: nodes of a simulated tree with that score, expected
    fails: np.ndarray  # fails[k]: its dead ends, expected
    fours: np.ndarray  # fours[n, i]: the i-th of all ordered throws of up to four dice, packed
    keys: np.ndarray  # keys[row]: what the row was worked out for
    known: np.ndarray  # known[row]: groups that have been worked out
    rows: np.ndarray  # rows[row]: values of states, of stops by score, of a failure
    options: np.ndarray  # room: options[place of a free face, dice, state of the group]
    most: np.ndarray  # room: most[depth, state of the group]: the best option of a pattern so far
    totals: np.ndarray  # room: sums over all patterns for the states of a group
    stack: np.ndarray  # room for a tree that is simulated
    table: np.ndarray  # room for a table of risk, dead ends last
    fresh: np.ndarray  # fresh[0]: whether the row just found is new
    seen: np.ndarray  # room for what a network sees of a table
    neurons: np.ndarray  # room for what it works out


# --- tables --------------------------------------------------------------------------------------------------------
@cache
def states_of(dice: int) -> list[tuple[int, int, int]]:
    """Every state that can come up: dice left, faces aside, score; by dice left, then by the number of faces."""
    found, waiting = {(dice, 0, 0)}, [(dice, 0, 0)]
    while waiting:
        left, faces, score = waiting.pop()
        for face in range(FACES):
            for n in range(1, left + 1) if not faces >> face & 1 else ():
                after = left - n, faces | 1 << face, score + n * VALUES[face]
                if after not in found:
                    found.add(after)
                    waiting.append(after)
    return sorted(found, key=lambda state: (state[0], state[1].bit_count(), state))


def _numbers(dice: int) -> np.ndarray:
    found = np.full((1 << FACES, dice + 1, 5 * dice + 1), -1, np.int16)
    for k, (left, faces, score) in enumerate(states_of(dice)):
        found[faces, left, score] = k
    return found


def _after(dice: int, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups of states with as many faces aside and dice left: where each begins, and what follows its states.

    after[after_at[group]:] holds, for every free face in order and every number of dice, the states that follow those
    of the group.
    """
    states = states_of(dice)
    kinds = [(left, faces.bit_count()) for left, faces, _ in states]
    begins = [k for k in range(len(states)) if k == 0 or kinds[k] != kinds[k - 1]]
    after: list[int] = []
    places = []
    for begin, end in zip(begins, [*begins[1:], len(states)], strict=True):
        places.append(len(after))
        left, used = kinds[begin]
        for place in range(FACES - used):
            for n in range(1, left + 1):
                for _, faces, score in states[begin:end]:
                    face = [f for f in range(FACES) if not faces >> f & 1][place]
                    after.append(numbers[faces | 1 << face, left - n, score + n * VALUES[face]])
    return np.array([*begins, len(states)], np.int32), np.array(places, np.int32), np.array(after, np.int16)


def _patterns(dice: int, used: int) -> tuple[list[tuple[int, int, int]], list[float]]:
    """How some dice can show the free faces: a tree of all but the last of these, and chances with the last."""
    nodes: list[tuple[int, int, int]] = []
    shares: list[float] = []
    free = FACES - used

    def grow(depth: int, count: int, rest: int, ways: float) -> None:
        nodes.append((depth, count, rest))
        if depth < free - 1:
            for n in range(rest + 1):
                grow(depth + 1, n, rest - n, ways / factorial(n))
            return
        for n in range(rest + 1):
            none = n == 0 and rest == dice
            shares.append(0.0 if none else ways / factorial(n) / factorial(rest - n) * used ** (rest - n))

    if free > 0 and dice > 0:
        grow(0, 0, dice, factorial(dice) / FACES**dice)
    return nodes, shares


def _expected(dice: int, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes by score, and dead ends, of a tree that tries every face of each roll."""
    states = states_of(dice)
    risk, fails = np.zeros((len(states), COLUMNS)), np.zeros(len(states))
    for k, (left, faces, score) in enumerate(states):
        if faces >> WORM & 1 and score > 20:
            risk[k, min(score - 21, COLUMNS - 1)] = 1.0
        fails[k] = (faces.bit_count() / FACES) ** left
        for n in range(1, left + 1):
            chance = factorial(left) / factorial(n) / factorial(left - n) * 5 ** (left - n) / 6**left
            free = [f for f in range(FACES) if not faces >> f & 1]
            after = [numbers[faces | 1 << f, left - n, score + n * VALUES[f]] for f in free]
            risk[k] += chance * risk[after].sum(axis=0)
            fails[k] += chance * fails[after].sum()
    return risk, fails


def _fours() -> np.ndarray:
    """All ordered throws of 0 to 4 dice, packed."""
    found = np.zeros((FOUR + 1, FACES**FOUR), np.int64)
    for n in range(FOUR):
        found[n + 1, : FACES ** (n + 1)] = np.add.outer(found[n, : FACES**n], 1 << BYTE * np.arange(FACES)).ravel()
    return found


@cache
def _tables(dice: int) -> dict[str, np.ndarray]:
    numbers = _numbers(dice)
    states = np.array(states_of(dice))
    found = {"number": numbers, "left": states[:, 0], "faces": states[:, 1], "score": states[:, 2]}
    found["used"] = np.array([int(faces).bit_count() for faces in states[:, 1]])
    found["groups"], found["after_at"], found["after"] = _after(dice, numbers)
    nodes: list[tuple[int, int, int]] = []
    shares: list[float] = []
    places = np.zeros((2, FACES + 1, dice + 2), np.int32)
    for used in range(FACES + 1):
        for n in range(dice + 1):
            more, chances = _patterns(n, used)
            nodes, shares = nodes + more, shares + chances
            places[:, used, n + 1] = len(nodes), len(shares)
        if used < FACES:
            places[:, used + 1, 0] = len(nodes), len(shares)
    found |= {
        "nodes": np.array(nodes, np.int16),
        "shares": np.array(shares),
        "node_at": places[0],
        "share_at": places[1],
    }
    found["miss"] = (np.arange(FACES + 1)[:, None] / FACES) ** np.arange(dice + 1)
    found["risk"], found["fails"] = _expected(dice, numbers)
    found["fours"] = _fours()
    for table in found.values():
        table.flags.writeable = False
    return found


def turns_of(dice: int) -> Turns:
    """All of it for some dice, with room of one's own."""
    states, scores, tables = len(states_of(dice)), 5 * dice + 1, _tables(dice)
    size = max(FEW, int(np.diff(tables["groups"]).max()))
    return Turns(
        **tables,
        keys=np.zeros((ROWS, KEY), np.int64),
        rows=np.empty((ROWS, states + 2 * scores + 1)),
        known=np.zeros(ROWS, np.int64),
        options=np.full((FACES, dice + 1, size), NEVER),
        most=np.full((FACES, size), NEVER),
        totals=np.zeros(size),
        stack=np.zeros(FACES * FACES * dice, np.int64),
        table=np.zeros(COLUMNS + 1, np.int64),
        fresh=np.zeros(1, np.int64),
        seen=np.zeros(NEURONS, np.int64),
        neurons=np.zeros(NEURONS, np.float32),
    )


# --- rows of values --------------------------------------------------------------------------------------------------
@rule
def centre_at(t: Turns, score: int) -> int:
    """Where a row holds the value of stopping for the centre with that score."""
    return t.left.size + score


@rule
def steal_at(t: Turns, score: int) -> int:
    return t.left.size + t.number.shape[2] + score


@rule
def fail_at(t: Turns) -> int:
    return t.left.size + 2 * t.number.shape[2]


@rule
def find_row(t: Turns, a: int, b: int, c: int, d: int) -> int:
    """The row that was worked out for these numbers, or one that is to be: fresh[0] tells which."""
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
def faces_of(kept: int) -> int:
    """The faces that dice show, as bits."""
    found = 0
    for face in range(FACES):
        found |= (1 if shown(kept, face) else 0) << face
    return found


@rule
def state_of(g: Any, kept: int) -> Any:
    """The state of a turn with these dice aside."""
    return np.int64(g.scratch.turns.number[faces_of(kept), g.dice - number(kept), points(kept)])


@rule
def with_face(kept: int, rolled: int, face: int) -> int:
    """The dice aside once all dice of a face are added."""
    return kept | (rolled & (EACH << (BYTE * face)))


@rule
def face_value(face: int) -> int:
    return min(face + 1, 5)


@rule
def stop_value(t: Turns, values: Any, k: int) -> float:
    """The best that stopping in a state is worth."""
    if not (t.faces[k] >> WORM) & 1:
        return NEVER
    return max(values[centre_at(t, t.score[k])], values[steal_at(t, t.score[k])])


@rule
def follow_all(t: Turns, values: Any, group: int) -> None:
    """Note what the states of a group can become, by free face and number of dice."""
    begin, size = t.groups[group], t.groups[group + 1] - t.groups[group]
    at = t.after_at[group]
    for place in range(FACES - t.used[begin]):
        for c in range(1, t.left[begin] + 1):
            option, after = t.options[place, c, :size], t.after[at : at + size]
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
    """The same for FEW numbers: a length that is known beforehand makes short loops quicker."""
    for i in range(FEW):
        most[i] = option[i] if option[i] > before[i] else before[i]


@rule
def add_better_few(totals: Any, share: float, most: Any, option: Any) -> None:
    for i in range(FEW):
        totals[i] += share * (option[i] if option[i] > most[i] else most[i])


@rule
def roll_patterns(t: Turns, n: int, used: int, size: int) -> None:
    """Add up the best option of every pattern of a roll, in `totals`."""
    last, share, totals, few = FACES - used - 1, t.share_at[used, n], t.totals[:size], size == FEW
    for node in t.nodes[t.node_at[used, n] : t.node_at[used, n + 1]]:
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
                    add_better_few(totals, t.shares[share + c], most, t.options[last, c, :size])
                else:
                    add_better(totals, t.shares[share + c], most, t.options[last, c, :size])
            share += node[2] + 1


@large
def roll_all(t: Turns, values: Any, group: int) -> None:
    """What rolling on is worth in the states of a group, in `totals`; all that can follow is known."""
    begin, size = t.groups[group], max(t.groups[group + 1] - t.groups[group], FEW)
    n, used = t.left[begin], t.used[begin]
    follow_all(t, values, group)
    t.totals[:size] = values[fail_at(t)] * t.miss[used, n]
    roll_patterns(t, n, used, size)


@large
def work_out(t: Turns, row: int, groups: int) -> None:
    """Work out what the states of the first groups are worth with dice just set aside."""
    values = t.rows[row]
    for group in range(t.known[row], groups):
        begin, size = t.groups[group], t.groups[group + 1] - t.groups[group]
        totals = t.totals[:size]
        if t.left[begin] > 0:
            roll_all(t, values, group)
        else:
            totals[:] = NEVER
        for i in range(size):
            best = max(stop_value(t, values, begin + i), totals[i])
            values[begin + i] = values[fail_at(t)] if best == NEVER else best
    t.known[row] = max(t.known[row], groups)


@rule
def group_of(t: Turns, k: int) -> int:
    group = t.groups.size - 2
    while t.groups[group] > k:
        group -= 1
    return group


@rule
def value_of(t: Turns, row: int, k: int) -> float:
    """What a state is worth with dice just set aside."""
    group = group_of(t, k)
    if t.known[row] <= group:
        work_out(t, row, group + 1)
    return t.rows[row, k]


@rule
def roll_value(t: Turns, row: int, k: int) -> float:
    """What rolling on from a state is worth."""
    group = group_of(t, k)
    work_out(t, row, group)
    roll_all(t, t.rows[row], group)
    return t.totals[k - t.groups[group]]


@rule
def turn_value(t: Turns, row: int) -> float:
    """What the turn is worth before its first roll."""
    return roll_value(t, row, t.left.size - 1)


@large
def best_move(g: Any, s: Any, moves: Any, count: int, row: int) -> int:
    """The best of some legal moves by the values of a row."""
    t = g.scratch.turns
    k = state_of(g, s.kept)
    best, most = moves[0], 2 * NEVER
    for i in range(count):
        m = moves[i]
        if m < FACES:
            value = value_of(t, row, state_of(g, with_face(s.kept, s.rolled, m)))
        elif m == FACES:  # the centre
            value = t.rows[row, centre_at(t, t.score[k])]
        elif m == FACES + 1:  # a steal
            value = t.rows[row, steal_at(t, t.score[k])]
        else:
            value = roll_value(t, row, k)
        if value > most:
            best, most = m, value
    return best
