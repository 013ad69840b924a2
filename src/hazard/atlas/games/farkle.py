"""Farkle for two players: roll dice, set scoring ones aside, and bank before a roll in which nothing scores.

First to `goal` points wins. In a turn six dice are rolled. At least one scoring die must be set aside after each
roll; the player then banks the points of this turn, if they are at least `least`, or rolls the dice that are left.
When all six have been set aside, all six are rolled again. A roll in which nothing scores is a farkle: the turn ends,
and its points are lost. Dice score only with others of the same roll:

- a one 100, a five 50;
- three alike 100 times their number, three ones 1000; each further one that is alike adds as much again;
- 1 2 3 4 5 6 in one roll 1500; three different pairs in one roll 750.

The player says how many dice to set aside, and these are the ones that score most. Who has enough points to win banks
them. Points are counted in fifties. There is no further penalty for farkles. Facebook's game, for which Matt Busche
(2016) gives 53.487 % to the first player, takes 1000 points for three farkles in a row, and is another one.
"""

from collections import defaultdict
from itertools import product
from typing import NamedTuple

import numpy as np

from hazard.dice import hands
from hazard.jit import rule

DICE, UNIT_POINTS = 6, 50
LIMITS = {"goal": (50, 20_000), "least": (0, 1000)}
ATLAS = [
    {"rules": "to 10,000 points, at least 300 to bank", "parameters": {"goal": 10_000, "least": 300}},
    {"rules": "to 5,000 points, at least 300 to bank", "parameters": {"goal": 5000, "least": 300}},
    {"rules": "to 2,000 points, at least 300 to bank", "parameters": {"goal": 2000, "least": 300}},
    {"rules": "to 2,000 points, nothing has to be banked", "parameters": {"goal": 2000, "least": 0}},
]


class Params(NamedTuple):
    goal: int = 10_000  # points that win, in steps of 50
    least: int = 300  # points of a turn that may be banked, in steps of 50
    players: int = 2


class Table(NamedTuple):
    goal: int  # in fifties
    least: int
    players: int
    first: np.ndarray  # first[dice]: where the kinds of rolls of that many dice begin
    ways: np.ndarray  # ways[kind]: how many ordered rolls are of a kind
    scores: np.ndarray  # scores[kind, n]: the most that n dice score, in fifties; 0 if they cannot be set aside


class State(NamedTuple):
    mover: int
    me: int  # points that are banked, in fifties
    you: int
    turn: int  # points of this turn
    dice: int  # dice in the air, or on the table
    kind: int  # the kind of roll that has landed, counted from 1; 0 while dice are in the air


def make(p):
    """Rolls are of one kind if the same numbers of dice score the same."""
    if p.goal % UNIT_POINTS or p.least % UNIT_POINTS:
        raise ValueError(f"goal={p.goal} least={p.least}: points are counted in fifties")
    first, ways, scores = [0, 0], [], []
    for dice in range(1, DICE + 1):
        kinds = defaultdict(int)
        table = hands(dice)
        for counts, size, many in zip(table.counts.tolist(), table.dice, table.ways.tolist(), strict=True):
            if size == dice:
                kinds[best_scores(counts)] += many
        scores += kinds
        ways += kinds.values()
        first.append(len(ways))
    return Table(p.goal // UNIT_POINTS, p.least // UNIT_POINTS, p.players, *map(np.array, (first, ways, scores)))


def best_scores(counts):
    """The most that n of the dice score, for n from 0 to 6; `counts` says how many show each face."""
    best = [0] * (DICE + 1)
    for taken in product(*(range(n + 1) for n in counts)):
        parts = [alike(face, n) for face, n in enumerate(taken, 1)]
        if None not in parts:
            best[sum(taken)] = max(best[sum(taken)], sum(parts))
    if sum(counts) == DICE and max(counts) == 1:
        best[DICE] = max(best[DICE], 1500)
    if sorted(counts) == [0, 0, 0, 2, 2, 2]:
        best[DICE] = max(best[DICE], 750)
    return tuple(points // UNIT_POINTS for points in best)


def alike(face, n):
    """What n dice of a face score; None if they do not."""
    if n >= 3:
        return (n - 2) * (1000 if face == 1 else 100 * face)
    each = {1: 100, 5: 50}.get(face)
    return 0 if n == 0 else None if each is None else n * each


@rule
def start(g):
    return State(0, 0, 0, 0, DICE, 0)


@rule
def over(g, s):
    """Who has banked enough has given the turn to the other."""
    return s.you >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def legal(g, s, moves):
    """Set aside n dice, and roll on (2 n) or bank (2 n + 1)."""
    found = 0
    for n in range(1, s.dice + 1):
        scored = g.scores[s.kind - 1, n]
        if scored == 0:
            continue
        if s.me + s.turn + scored < g.goal:
            moves[found] = 2 * n
            found += 1
        if s.turn + scored >= min(g.least, g.goal - s.me):
            moves[found] = 2 * n + 1
            found += 1
    return found


@rule
def move(g, s, m):
    turn, left = s.turn + g.scores[s.kind - 1, m // 2], s.dice - m // 2
    if m % 2 == 1:
        return State(1 - s.mover, s.you, min(s.me + turn, g.goal), 0, DICE, 0)
    return State(s.mover, s.me, s.you, turn, left if left > 0 else DICE, 0)


@rule
def chance(g, s):
    return 0 if s.kind > 0 or over(g, s) else g.first[s.dice + 1] - g.first[s.dice]


@rule
def weight(g, s, i):
    return g.ways[g.first[s.dice] + i]


@rule
def land(g, s, i):
    kind = g.first[s.dice] + i
    for n in range(1, s.dice + 1):
        if g.scores[kind, n] > 0:
            return State(s.mover, s.me, s.you, s.turn, s.dice, kind + 1)
    return State(1 - s.mover, s.you, s.me, 0, DICE, 0)


@rule
def progress(g, s):
    """Points that are banked stay so."""
    return s.me + s.you


def kind_text(g, kind):
    scores = g.scores[kind].tolist()
    parts = [f"{n} for {points * UNIT_POINTS}" for n, points in enumerate(scores) if points]
    return ", ".join(parts) or "farkle"


def move_text(g, s, m):
    return f"set aside {m // 2}, {'bank' if m % 2 else 'roll'}"


def outcome_text(g, s, i):
    return kind_text(g, g.first[s.dice] + i)


def draw(g, s):
    """The scores, and what lies on the table."""
    first, second = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    banked = f"banked: {first * UNIT_POINTS} and {second * UNIT_POINTS}; this turn {s.turn * UNIT_POINTS}"
    return [banked, f"dice: {s.dice}; {kind_text(g, s.kind - 1)}" if s.kind else f"dice in the air: {s.dice}"]
