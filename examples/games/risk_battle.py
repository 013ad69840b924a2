"""A Risk battle by the Dutch rule: the defender sees the attacker's dice before choosing how many to roll.

The attacker rolls up to three dice, keeping one army back; the defender up to two. Dice are compared highest to
highest, and a tie costs the attacker the army. The attacker may stop at any time, and wins by taking the territory.
"""

from typing import NamedTuple

import numpy as np

from hazard import rule
from hazard.dice import top_rolls

LIMITS = {"attackers": (1, 60), "defenders": (1, 60)}
STOP, ATTACK = 0, 1  # moves of the attacker; those of the defender are numbers of dice


class Params(NamedTuple):
    attackers: int = 10  # armies that attack, with the one that stays
    defenders: int = 10  # armies that defend
    players: int = 2


class Table(NamedTuple):
    attackers: int
    defenders: int
    players: int
    counts: np.ndarray  # counts[dice]: ways that the two highest of these dice can fall
    weights: np.ndarray  # weights[dice, i]
    faces: np.ndarray  # faces[dice, i]: the two highest, 0 for one that is not there


class State(NamedTuple):
    mover: int  # 0 attacks, 1 defends
    attackers: int
    defenders: int
    thrown: int  # dice in the air
    seen: int  # the attacker's roll on the table, counted from 1; 0 if there is none
    stopped: int


def make(p):
    counts, weights, faces = np.zeros(4, np.int64), np.zeros((4, 21), np.int64), np.zeros((4, 21, 2), np.int64)
    for dice in (1, 2, 3):
        found = top_rolls(dice, min(dice, 2))
        counts[dice] = len(found)
        for i, (shown, ways) in enumerate(found):
            weights[dice, i] = ways
            faces[dice, i, : len(shown)] = shown
    return Table(*p, counts, weights, faces)


@rule
def start(g):
    return State(0, g.attackers, g.defenders, 0, 0, 0)


@rule
def over(g, s):
    return s.stopped == 1 or s.attackers < 2 or s.defenders == 0


@rule
def payoff(g, s, seat):
    return 1.0 if (s.defenders == 0) == (seat == 0) else 0.0


@rule
def legal(g, s, moves):
    if s.mover == 0:
        moves[0], moves[1] = ATTACK, STOP
        return 2
    moves[0], moves[1] = 1, 2
    return min(2, s.defenders)


@rule
def move(g, s, m):
    if s.mover == 1:
        return State(1, s.attackers, s.defenders, m, s.seen, 0)
    if m == STOP:
        return State(0, s.attackers, s.defenders, 0, 0, 1)
    return State(0, s.attackers, s.defenders, min(3, s.attackers - 1), 0, 0)


@rule
def chance(g, s):
    return g.counts[s.thrown]


@rule
def weight(g, s, i):
    return g.weights[s.thrown, i]


@rule
def land(g, s, i):
    if s.mover == 0:
        return State(1, s.attackers, s.defenders, 0, i + 1, 0)
    attack, lost, held = g.faces[min(3, s.attackers - 1), s.seen - 1], 0, 0
    for n in range(2):
        guard = g.faces[s.thrown, i, n]
        if attack[n] > 0 and guard > 0:
            held += 1 if attack[n] > guard else 0
            lost += 1 if attack[n] <= guard else 0
    return State(0, s.attackers - lost, s.defenders - held, 0, 0, 0)


def move_text(g, s, m):
    if s.mover == 1:
        return f"{m} dice" if m > 1 else "1 die"
    return "attack" if m == ATTACK else "stop"


def outcome_text(g, s, i):
    return "-".join(str(face) for face in g.faces[s.thrown, i] if face)
