"""Pig with nothing but its rules: roll to grow the pot, hold to bank it; a one loses the pot."""

from typing import NamedTuple

from hazard import rule

LIMITS = {"goal": (1, 1000), "sides": (2, 100)}
ROLL, HOLD = 0, 1


class Params(NamedTuple):
    goal: int = 100  # points that win
    sides: int = 6  # sides of the die
    players: int = 2


class State(NamedTuple):
    mover: int  # seat of the player to move
    me: int  # points of the player to move
    you: int
    pot: int  # points at risk this turn
    rolling: int  # 1 while the die is in the air


@rule
def start(g):
    return State(0, 0, 0, 0, 0)


@rule
def over(g, s):
    return s.you >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def legal(g, s, moves):
    """The first roll is compulsory, and nobody rolls on with the game in hand."""
    count = 0
    if s.me + s.pot < g.goal:
        moves[count] = ROLL
        count += 1
    if s.pot > 0:
        moves[count] = HOLD
        count += 1
    return count


@rule
def move(g, s, m):
    if m == ROLL:
        return State(s.mover, s.me, s.you, s.pot, 1)
    return State(1 - s.mover, s.you, s.me + s.pot, 0, 0)


@rule
def chance(g, s):
    return g.sides * s.rolling


@rule
def weight(g, s, i):
    return 1


@rule
def land(g, s, i):
    """Points beyond the goal are not counted."""
    if i == 0:
        return State(1 - s.mover, s.you, s.me, 0, 0)
    return State(s.mover, s.me, s.you, min(s.pot + i + 1, g.goal - s.me), 0)
