"""Hog: choose how many dice to roll; their sum is yours, but with a one among them the turn scores next to nothing.

Two players; first to the goal wins. In each turn a player rolls once, from one die to `most` dice. A roll with a one
in it scores `one` points instead of its sum: nothing, unless it is set to 1 as in some classrooms. The figure is of a
value iteration made apart from this program.
"""

from typing import NamedTuple

import numpy as np

from hazard.dice import ways
from hazard.jit import rule

LIMITS = {"goal": (1, 1000), "most": (1, 10), "one": (0, 1)}
ATLAS = [
    {
        "rules": "100 points win, at most 10 dice, a roll with a one scores 0",
        "parameters": {"goal": 100, "most": 10, "one": 0},
        "published": (("0.5306649", "a value iteration made apart"),),
    },
    {
        "rules": "100 points win, at most 10 dice, a roll with a one scores 1",
        "parameters": {"goal": 100, "most": 10, "one": 1},
    },
]


class Params(NamedTuple):
    goal: int = 100  # points that win
    most: int = 10  # dice that may be rolled at once
    one: int = 0  # points of a roll with a one in it
    players: int = 2


class Table(NamedTuple):
    goal: int
    most: int
    one: int
    players: int
    weights: np.ndarray  # weights[dice, i]: ordered rolls with a one if i is 0, else with the sum 2 * dice + i - 1


class State(NamedTuple):
    mover: int
    me: int  # points of the mover
    you: int
    dice: int  # dice in the air


def make(p):
    """Without a one, dice are like dice with five sides that show one more."""
    weights = np.zeros((p.most + 1, 4 * p.most + 2), np.int64)
    for dice in range(1, p.most + 1):
        sums = ways(dice, 5)[dice:]
        weights[dice, 0] = 6**dice - 5**dice
        weights[dice, 1 : 1 + len(sums)] = sums
    return Table(*p[:3], p.players, weights)


@rule
def start(g):
    return State(0, 0, 0, 0)


@rule
def over(g, s):
    return s.you >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def legal(g, s, moves):
    for n in range(g.most):
        moves[n] = n + 1
    return g.most


@rule
def move(g, s, m):
    return State(s.mover, s.me, s.you, m)


@rule
def chance(g, s):
    return 4 * s.dice + 2 if s.dice > 0 else 0


@rule
def weight(g, s, i):
    return g.weights[s.dice, i]


@rule
def land(g, s, i):
    """Points beyond the goal are not counted."""
    points = g.one if i == 0 else 2 * s.dice + i - 1
    return State(1 - s.mover, s.you, min(s.me + points, g.goal), 0)


@rule
def progress(g, s):
    """No points are ever lost."""
    return s.me + s.you


def move_text(g, s, m):
    return f"{m} dice" if m > 1 else "1 die"


def outcome_text(g, s, i):
    return "a one" if i == 0 else str(2 * s.dice + i - 1)


@rule
def six_dice(g, s, moves, memory, rng):
    """rolls six dice, or as many as are allowed"""
    return min(6, g.most)


AGENTS = {"six-dice": six_dice}
