"""Great Rolled Ones with nothing but its rules: roll dice, set the ones aside, count the others; hold to score them.

Too many ones aside end the turn with nothing; otherwise every die that is not a one adds a point. Who first ends a turn
at the goal is the leader; if that is player 1, player 2 has one more turn and must exceed the leader. From the ceiling
on nobody rolls any more, so that scores have an end.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from hazard import rule

LIMITS = {"goal": (1, 500), "ceiling": (1, 1000), "dice": (1, 10), "bust": (1, 10), "sides": (2, 20)}
ROLL, HOLD = 0, 1


class Params(NamedTuple):
    goal: int = 50  # points that start the last turn
    ceiling: int = 80  # points from which player 1 has no reason to roll on
    dice: int = 5  # dice in a full roll
    bust: int = 3  # ones aside that end the turn with nothing
    sides: int = 6  # sides of a die
    players: int = 2


class Table(NamedTuple):
    goal: int
    ceiling: int
    dice: int
    bust: int
    players: int
    ways: np.ndarray  # ways[o, n]: ordered rolls that put n more ones to o aside; the last n stands for all that bust


class State(NamedTuple):
    mover: int
    first: int  # points of player 1
    second: int
    pot: int  # points at risk this turn
    ones: int  # ones set aside this turn
    rolling: int  # 1 while dice are in the air


def make(p):
    """A table of rolls."""
    if p.bust > p.dice or p.ceiling < p.goal:
        raise ValueError("bust must not exceed dice, nor goal the ceiling")
    ways = np.zeros((p.bust, p.bust + 1), np.int64)
    for aside in range(p.bust):
        free, end = p.dice - aside, p.bust - aside
        counts = [comb(free, n) * (p.sides - 1) ** (free - n) for n in range(free + 1)]
        ways[aside, :end] = counts[:end]
        ways[aside, end] = sum(counts[end:])
    return Table(p.goal, p.ceiling, p.dice, p.bust, p.players, ways)


@rule
def start(g):
    return State(0, 0, 0, 0, 0, 0)


@rule
def over(g, s):
    """Player 1 comes to move again after somebody has reached the goal."""
    return s.mover == 0 and max(s.first, s.second) >= g.goal


@rule
def payoff(g, s, seat):
    return 1.0 if (s.second > s.first) == (seat == 1) else 0.0


@rule
def total(s):
    return (s.first if s.mover == 0 else s.second) + s.pot


@rule
def enough(g, s):
    """Points from which the mover has no reason to roll on."""
    if s.mover == 0:
        return g.ceiling
    return s.first + 1 if s.first >= g.goal else g.goal


@rule
def legal(g, s, moves):
    count = 0
    if total(s) < enough(g, s):
        moves[count] = ROLL
        count += 1
    if s.pot > 0 and (s.mover == 0 or s.first < g.goal or total(s) > s.first):
        moves[count] = HOLD
        count += 1
    return count


@rule
def move(g, s, m):
    if m == ROLL:
        return State(s.mover, s.first, s.second, s.pot, s.ones, 1)
    if s.mover == 0:
        return State(1, s.first + s.pot, s.second, 0, 0, 0)
    return State(0, s.first, s.second + s.pot, 0, 0, 0)


@rule
def chance(g, s):
    return (g.bust - s.ones + 1) * s.rolling


@rule
def weight(g, s, i):
    return g.ways[s.ones, i]


@rule
def land(g, s, i):
    ones = s.ones + i
    if ones >= g.bust:
        return State(1 - s.mover, s.first, s.second, 0, 0, 0)
    most = enough(g, s) - total(s) + s.pot
    return State(s.mover, s.first, s.second, min(s.pot + g.dice - ones, most), ones, 0)
