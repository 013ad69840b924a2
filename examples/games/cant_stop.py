"""Can't Stop for two, with small columns: pair four dice, climb the columns of both sums, and stop in time.

In a turn two columns can be climbed, of which the outer are short. Who cannot climb loses what was climbed, who stops
keeps it. At its top a column is closed to both players; who first closes `goal` columns wins.
"""

from typing import NamedTuple

import numpy as np

from hazard import rule
from hazard.dice import rolls

LIMITS = {"sides": (2, 6), "goal": (1, 3)}
AGAIN, STOP = 0, 1  # other moves are columns: 100 times the first, and the second or 0


class Params(NamedTuple):
    sides: int = 3  # sides of a die
    goal: int = 2  # columns to close
    players: int = 2


class Table(NamedTuple):
    goal: int
    players: int
    dice: np.ndarray  # dice[roll]: four dice
    weights: np.ndarray  # weights[roll]: ordered rolls
    heights: np.ndarray  # heights[column], 0 where there is none


class State(NamedTuple):
    mover: int
    me: int  # the mover's places on all columns, four bits for each
    you: int
    run: int  # places of the runners this turn, 0 where there is none
    roll: int  # the roll on the table, counted from 1; 0 if there is none
    rolling: int  # 1 while dice are in the air


def make(p):
    dice, weights = zip(*rolls(4, p.sides), strict=True)
    heights = [0, 0, *(min(column, 2 * p.sides + 2 - column) for column in range(2, 2 * p.sides + 1))]
    return Table(p.goal, p.players, np.array(dice), np.array(weights), np.array(heights))


@rule
def place(places, column):
    return places >> 4 * column & 15


@rule
def climbed(g, s, run, column):
    """The runners after a step on a column; -1 if that cannot be."""
    used = 0
    for other in range(2, g.heights.size):
        used += place(run, other) > 0
    if g.heights[column] in (place(s.me, column), place(s.you, column), place(run, column)):
        return -1
    steps = 1 if place(run, column) > 0 else place(s.me, column) + 1
    return run + (steps << 4 * column) if used < 2 or place(run, column) > 0 else -1


@rule
def closed(g, places):
    count = 0
    for column in range(2, g.heights.size):
        count += place(places, column) == g.heights[column]
    return count


@rule
def start(g):
    return State(0, 0, 0, 0, 0, 1)


@rule
def over(g, s):
    return closed(g, s.you) >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def add(moves, count, m):
    moves[count], n = m, 0
    while moves[n] != m:
        n += 1
    return max(count, n + 1)


@rule
def legal(g, s, moves):
    if s.roll == 0:
        moves[0], moves[1] = AGAIN, STOP
        return 2
    count, dice = 0, g.dice[s.roll - 1]
    for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
        x, y = min(dice[a] + dice[b], dice[c] + dice[d]), max(dice[a] + dice[b], dice[c] + dice[d])
        one = climbed(g, s, s.run, x)
        both = one >= 0 and climbed(g, s, one, y) >= 0
        if one >= 0:
            count = add(moves, count, 100 * x + (y if both else 0))
        if not both and climbed(g, s, s.run, y) >= 0:
            count = add(moves, count, 100 * y)
    return count


@rule
def move(g, s, m):
    if m == AGAIN:
        return State(s.mover, s.me, s.you, s.run, 0, 1)
    if m == STOP:
        me = s.me
        for column in range(2, g.heights.size):
            me += max(0, place(s.run, column) - place(s.me, column)) << 4 * column
        return State(1 - s.mover, s.you, me, 0, 0, 1 if closed(g, me) < g.goal else 0)
    run = climbed(g, s, s.run, m // 100)
    return State(s.mover, s.me, s.you, climbed(g, s, run, m % 100) if m % 100 > 0 else run, 0, 0)


@rule
def chance(g, s):
    return g.weights.size * s.rolling


@rule
def weight(g, s, i):
    return g.weights[i]


@rule
def land(g, s, i):
    for a in range(3):
        for b in range(a + 1, 4):
            if climbed(g, s, s.run, g.dice[i, a] + g.dice[i, b]) >= 0:
                return State(s.mover, s.me, s.you, s.run, i + 1, 0)
    return State(1 - s.mover, s.you, s.me, 0, 0, 1)


def move_text(g, s, m):
    return f"{m // 100} and {m % 100}".removesuffix(" and 0") if m >= 100 else ("roll", "stop")[m]


def outcome_text(g, s, i):
    return "-".join(str(die) for die in g.dice[i])
