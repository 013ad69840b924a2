"""The states of a turn of Pickomino and what follows them, as tables: made once for each number of dice, never changed.

A state is all that matters of the dice set aside: how many dice are left, which faces are aside, and the score. States
are numbered by dice left, then by the number of faces aside, so that all that can follow a state has lower numbers.
States with equal dice left and number of faces aside form a group; the values of a group are worked out together.
"""

from __future__ import annotations

from functools import cache
from math import factorial
from typing import NamedTuple

import numpy as np

from hazard.games.pickomino.rules import BYTE, FACES, LOWEST, WORM, points

VALUES = tuple(int(points(1 << BYTE * face)) for face in range(FACES))  # what a die of each face scores
FOUR = 4  # dice that a simulated tree throws at once
COLUMNS = 17  # of a risk table: tiles 21 to 36, and scores beyond
Aside = tuple[int, int, int]  # a state: dice left, faces aside as bits, score


class TurnTables(NamedTuple):
    number: np.ndarray  # number[faces aside, dice left, score]: the state, -1 for none
    faces: np.ndarray  # faces[k]: faces aside in state k, as bits
    left: np.ndarray  # left[k]: dice left
    score: np.ndarray
    used: np.ndarray  # used[k]: how many faces are aside
    groups: np.ndarray  # groups[i]: the first state of the i-th group
    after: np.ndarray  # for each group, free face and number of dice: the states that follow those of the group
    after_at: np.ndarray  # after_at[i]: where those of the i-th group begin
    nodes: np.ndarray  # patterns of the free faces in a roll, but for the last: rows of (depth, dice, dice not used)
    node_at: np.ndarray  # node_at[used, n]: where the patterns of n dice begin when `used` faces are aside
    shares: np.ndarray  # chances of the patterns, the last face included; 0 for the one without any free face
    share_at: np.ndarray
    miss: np.ndarray  # miss[used, n]: the chance that n dice show no free face
    risk: np.ndarray  # risk[k, column]: expected nodes of a simulated tree with that score
    fails: np.ndarray  # fails[k]: its expected dead ends
    fours: np.ndarray  # fours[n, i]: the i-th of all ordered throws of n dice, up to four, packed


def scores_of(dice: int) -> int:
    """How many scores there are, from 0 on."""
    return VALUES[WORM] * dice + 1


# --- states --------------------------------------------------------------------------------------------------------
def free_faces(state: Aside) -> list[int]:
    """The faces that can still be set aside."""
    return [face for face in range(FACES) if not state[1] >> face & 1]


def keep(state: Aside, face: int, dice: int) -> Aside:
    """The state once this many dice of a face are set aside."""
    left, faces, score = state
    return left - dice, faces | 1 << face, score + dice * VALUES[face]


def is_valid(state: Aside) -> bool:
    """Whether stopping could bring a tile: a worm is aside, and the score is 21 or more."""
    return bool(state[1] >> WORM & 1) and state[2] >= LOWEST


@cache
def states_of(dice: int) -> list[Aside]:
    """Every state that can come up, in the order of their numbers."""
    start = (dice, 0, 0)
    seen, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        more = {keep(state, face, n) for face in free_faces(state) for n in range(1, state[0] + 1)} - seen
        seen |= more
        waiting += more
    return sorted(seen, key=lambda state: (state[0], state[1].bit_count(), state))


@cache
def _numbered(dice: int) -> dict[Aside, int]:
    return {state: k for k, state in enumerate(states_of(dice))}


def _numbers(dice: int) -> np.ndarray:
    table = np.full((1 << FACES, dice + 1, scores_of(dice)), -1, np.int16)
    for (left, faces, score), k in _numbered(dice).items():
        table[faces, left, score] = k
    return table


def _groups(dice: int) -> dict[str, np.ndarray]:
    """Where each group begins, and what follows its states: by free face, then number of dice, then state."""
    states, number = states_of(dice), _numbered(dice)
    kinds = [(left, faces.bit_count()) for left, faces, _ in states]
    begins = [k for k in range(len(states)) if k == 0 or kinds[k] != kinds[k - 1]]
    after: list[int] = []
    after_at = []
    for begin, end in zip(begins, [*begins[1:], len(states)], strict=True):
        after_at.append(len(after))
        left, used = kinds[begin]
        for place in range(FACES - used):
            for n in range(1, left + 1):
                after += [number[keep(state, free_faces(state)[place], n)] for state in states[begin:end]]
    groups = np.array([*begins, len(states)], np.int32)
    return {"groups": groups, "after_at": np.array(after_at, np.int32), "after": np.array(after, np.int16)}


# --- rolls ---------------------------------------------------------------------------------------------------------
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


def _all_patterns(dice: int) -> dict[str, np.ndarray]:
    """The patterns of any number of dice with any number of faces aside, one after the other."""
    nodes: list[tuple[int, int, int]] = []
    shares: list[float] = []
    places = np.zeros((2, FACES + 1, dice + 2), np.int32)
    for used in range(FACES + 1):
        places[:, used, 0] = len(nodes), len(shares)
        for n in range(dice + 1):
            more, chances = _patterns(n, used)
            nodes, shares = nodes + more, shares + chances
            places[:, used, n + 1] = len(nodes), len(shares)
    return {
        "nodes": np.array(nodes, np.int16),
        "shares": np.array(shares),
        "node_at": places[0],
        "share_at": places[1],
        "miss": np.array([[_miss(used, n) for n in range(dice + 1)] for used in range(FACES + 1)]),
    }


def _miss(used: int, dice: int) -> float:
    """The chance of no free face. Rounded only once: `pow` differs between machines, and the rules' digest has this."""
    return used**dice / FACES**dice


def _expected(dice: int) -> dict[str, np.ndarray]:
    """Nodes by score, and dead ends, of a tree that tries every face of each roll."""
    number = _numbered(dice)
    risk, fails = np.zeros((len(number), COLUMNS)), np.zeros(len(number))
    for state, k in number.items():
        left, faces, score = state
        if is_valid(state):
            risk[k, min(score - LOWEST, COLUMNS - 1)] = 1.0
        fails[k] = _miss(faces.bit_count(), left)
        for n in range(1, left + 1):
            chance = factorial(left) / factorial(n) / factorial(left - n) * 5 ** (left - n) / FACES**left
            after = [number[keep(state, face, n)] for face in free_faces(state)]
            risk[k] += chance * risk[after].sum(axis=0)
            fails[k] += chance * fails[after].sum()
    return {"risk": risk, "fails": fails}


def _fours() -> np.ndarray:
    """All ordered throws of 0 to 4 dice, packed."""
    table = np.zeros((FOUR + 1, FACES**FOUR), np.int64)
    for n in range(FOUR):
        table[n + 1, : FACES ** (n + 1)] = np.add.outer(table[n, : FACES**n], 1 << BYTE * np.arange(FACES)).ravel()
    return table


@cache
def tables_of(dice: int) -> TurnTables:
    """The tables of a turn with this many dice; all games share them."""
    states = np.array(states_of(dice))
    tables = TurnTables(
        number=_numbers(dice),
        left=states[:, 0].copy(),
        faces=states[:, 1].copy(),
        score=states[:, 2].copy(),
        used=np.bitwise_count(states[:, 1]).astype(np.int64),
        fours=_fours(),
        **_groups(dice),
        **_all_patterns(dice),
        **_expected(dice),
    )
    for table in tables:
        table.flags.writeable = False
    return tables
