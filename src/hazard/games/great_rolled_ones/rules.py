"""Great Rolled Ones: roll dice, set the ones aside, count the others; hold to score them.

Each roll uses the dice that are not set aside. Too many ones aside end the turn with nothing; otherwise every die that
is not a one adds a point to the pot. A player who ends a turn at the goal starts the last round: the players still to
come have one turn each and must exceed the leader. A leader who is overtaken can no longer win: the score is struck to
0. The rules are from Neller, Nguyen, Pham, Phan and Presser, "Optimal Play of the Great Rolled Ones Game".
"""

from typing import Any, NamedTuple

import numpy as np

from hazard.dice import below
from hazard.jit import rule

ROLL, HOLD = 0, 1
BITS, MASK = 10, 1023  # a score takes ten bits of `scores`


class Params(NamedTuple):
    goal: int  # points that start the last round
    dice: int  # dice in a full roll
    bust: int  # ones aside that end the turn with nothing
    sides: int  # sides of a die
    players: int
    opening: int  # packed scores at the start: the compensation points
    ceiling: int  # no first player has a reason to roll on from here; see `notation.ceiling`
    ways: np.ndarray  # ways[o, n]: ordered rolls that put n more ones to o aside; the last n stands for all that bust
    every: np.ndarray  # every[ones aside]: ordered rolls of the other dice


class State(NamedTuple):
    scores: int  # points of every seat, seat 0 in the lowest bits
    lead: int  # score to exceed in the last round, 0 before it
    pot: int  # points at risk this turn
    ones: int  # ones set aside this turn
    rolling: int  # 1 while the dice are in the air
    mover: int  # seat of the player to move


@rule
def score(s: State, seat: int) -> int:
    return (s.scores >> (BITS * seat)) & MASK


@rule
def start(g: Params) -> State:
    return State(g.opening, 0, 0, 0, 0, 0)


@rule
def over(g: Params, s: State) -> bool:
    """The round of the first to reach the goal is the last."""
    return s.lead > 0 and s.mover == 0


@rule
def payoff(g: Params, s: State, seat: int) -> float:
    return 1.0 if score(s, seat) == s.lead else 0.0


@rule
def enough(g: Params, s: State) -> int:
    """A total from which the mover has no reason to roll on: for the last seat one that wins."""
    if s.mover < g.players - 1:
        return g.ceiling + s.mover
    return s.lead + 1 if s.lead > 0 else g.goal


@rule
def fanout(g: Params) -> int:
    return 2


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    total = score(s, s.mover) + s.pot
    count = 0
    if total < enough(g, s):
        moves[count] = ROLL
        count += 1
    if s.pot > 0 and total > s.lead:
        moves[count] = HOLD
        count += 1
    return count


@rule
def next_seat(g: Params, s: State) -> int:
    return s.mover + 1 if s.mover < g.players - 1 else 0


@rule
def move(g: Params, s: State, m: int) -> State:
    if m == ROLL:
        return State(s.scores, s.lead, s.pot, s.ones, 1, s.mover)
    scores = s.scores + (s.pot << (BITS * s.mover))
    total = score(s, s.mover) + s.pot
    if total < g.goal:
        return State(scores, s.lead, 0, 0, 0, next_seat(g, s))
    if s.lead > 0:
        for seat in range(s.mover):
            if score(s, seat) == s.lead:
                scores -= s.lead << (BITS * seat)
    return State(scores, total, 0, 0, 0, next_seat(g, s))


@rule
def chance(g: Params, s: State) -> int:
    """Outcomes are numbers of new ones; all that bust are one."""
    return (g.bust - s.ones + 1) * s.rolling


@rule
def weight(g: Params, s: State, i: int) -> int:
    return g.ways[s.ones, i]


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    mark = below(rng, g.every[s.ones])
    i = 0
    while s.ones + i < g.bust:
        mark -= g.ways[s.ones, i]
        if mark < 0:
            return i
        i += 1
    return i


@rule
def land(g: Params, s: State, i: int) -> State:
    ones = s.ones + i
    if ones >= g.bust:
        return State(s.scores, s.lead, 0, 0, 0, next_seat(g, s))
    pot = min(s.pot + g.dice - ones, enough(g, s) - score(s, s.mover))
    return State(s.scores, s.lead, pot, ones, 0, s.mover)


# A turn opens before its first roll; its steps are ones aside and points in the pot. Scores only grow, so a cycle needs
# a bust of every player at the same scores.
@rule
def with_scores(i: int, goal: int, seats: int, scores: int) -> int:
    """The number i with the scores of the seats as further digits to the base `goal`, those of seat 0 last."""
    for seat in range(seats - 1, -1, -1):
        i = i * goal + ((scores >> (BITS * seat)) & MASK)
    return i


@rule
def from_digits(i: int, goal: int, seats: int) -> int:
    """The packed scores that are the last digits of i."""
    scores = 0
    for seat in range(seats):
        scores += (i % goal) << (BITS * seat)
        i //= goal
    return scores


@rule
def leads_before(g: Params, mover: int, leader: int) -> int:
    """How many leads there are in the last rounds numbered before those of this mover and leader."""
    total = 0
    for m in range(1, mover + 1):
        for seat in range(m if m < mover else leader):
            total += g.ceiling + seat - g.goal + 1
    return total


@rule
def size(g: Params) -> int:
    """Every score below the goal, for every mover; then the last rounds, for every mover, leader and lead."""
    rest = g.goal ** (g.players - 1)
    return g.players * rest * g.goal + leads_before(g, g.players, 0) * rest


@rule
def index(g: Params, s: State) -> int:
    if s.lead == 0:
        return with_scores(s.mover, g.goal, g.players, s.scores)
    leader = 0
    while score(s, leader) != s.lead:
        leader += 1
    lower = s.scores & ((1 << (BITS * leader)) - 1)
    others = lower + (s.scores >> (BITS * (leader + 1)) << (BITS * leader))
    i = leads_before(g, s.mover, leader) + s.lead - g.goal
    return g.players * g.goal**g.players + with_scores(i, g.goal, g.players - 1, others)


@rule
def state(g: Params, i: int) -> State:
    before = g.players * g.goal**g.players
    if i < before:
        return State(from_digits(i, g.goal, g.players), 0, 0, 0, 0, i // g.goal**g.players)
    others = from_digits(i - before, g.goal, g.players - 1)
    lead = (i - before) // g.goal ** (g.players - 1)
    mover = 1
    while leads_before(g, mover + 1, 0) <= lead:
        mover += 1
    leader = 0
    while leader + 1 < mover and leads_before(g, mover, leader + 1) <= lead:
        leader += 1
    lead += g.goal - leads_before(g, mover, leader)
    lower = others & ((1 << (BITS * leader)) - 1)
    scores = lower + (lead << (BITS * leader)) + (others >> (BITS * leader) << (BITS * (leader + 1)))
    return State(scores, lead, 0, 0, 0, mover)


@rule
def layer(g: Params, s: State) -> int:
    return g.goal**g.players + s.mover if s.lead > 0 else with_scores(0, g.goal, g.players, s.scores)


@rule
def span(g: Params) -> int:
    return g.bust * (g.ceiling + g.players)


@rule
def steps(g: Params, s: State) -> int:
    return g.bust * (enough(g, s) - score(s, s.mover) + 1)


@rule
def step(g: Params, s: State) -> int:
    return s.ones * (enough(g, s) - score(s, s.mover) + 1) + s.pot


@rule
def stage(g: Params, s: State, k: int) -> State:
    pots = enough(g, s) - score(s, s.mover) + 1
    return State(s.scores, s.lead, k % pots, k // pots, 0, s.mover)
