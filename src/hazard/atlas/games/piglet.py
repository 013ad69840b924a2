"""Piglet: Pig with a coin. Flip for a point at a time, bank when you dare; tails loses what this turn has made.

Two players; first to `goal` points wins. In each turn the mover flips a coin at least once, and then as often as it
likes. Heads adds a point to the turn; tails ends it with nothing. Banking adds the turn's points to the score; a turn
with enough points to win is banked. Rules and the figure for a goal of 2 are from Neller and Presser, Optimal Play of
the Dice Game Pig (2004).
"""

from typing import NamedTuple

from hazard.jit import rule

FLIP, BANK = 0, 1
LIMITS = {"goal": (1, 1000)}
SOURCE = "Neller and Presser, 2004"
ATLAS = [
    {"rules": "2 points win", "parameters": {"goal": 2}, "published": (("4/7", SOURCE),)},
    {"rules": "10 points win", "parameters": {"goal": 10}},
    {"rules": "100 points win", "parameters": {"goal": 100}},
]


class Params(NamedTuple):
    goal: int = 10  # points that win
    players: int = 2


class State(NamedTuple):
    mover: int
    me: int  # points of the mover
    you: int
    turn: int  # heads of this turn, which are not banked yet
    flying: int  # 1 while the coin is in the air


@rule
def start(g):
    return State(0, 0, 0, 0, 0)


@rule
def over(g, s):
    """Who has banked enough has given the turn to the other."""
    return s.you >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def legal(g, s, moves):
    if s.turn == 0 or s.me + s.turn >= g.goal:
        moves[0] = FLIP if s.turn == 0 else BANK
        return 1
    moves[0] = FLIP
    moves[1] = BANK
    return 2


@rule
def move(g, s, m):
    if m == FLIP:
        return State(s.mover, s.me, s.you, s.turn, 1)
    return State(1 - s.mover, s.you, s.me + s.turn, 0, 0)


@rule
def chance(g, s):
    return 2 if s.flying == 1 else 0


@rule
def weight(g, s, i):
    return 1


@rule
def land(g, s, i):
    if i == 0:
        return State(1 - s.mover, s.you, s.me, 0, 0)
    return State(s.mover, s.me, s.you, s.turn + 1, 0)


@rule
def progress(g, s):
    """Points that are banked stay so."""
    return s.me + s.you


def move_text(g, s, m):
    return "flip" if m == FLIP else "bank"


def outcome_text(g, s, i):
    return ("tails", "heads")[i]
