"""Players of Great Rolled Ones: the four human-playable policies of Neller et al., written for a goal of 50.

Where the slides contradict themselves, the reading is the one that gives their own figures. Every agent also holds when
that wins the game at once, and rolls on in a last round until it leads: the rules leave it no other move there.
"""

from __future__ import annotations

from typing import Any

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.great_rolled_ones.rules import HOLD, ROLL, Params, State, legal, score
from hazard.jit import rule
from hazard.solving.optimal import OPTIMAL


@rule
def best_other(g: Params, s: State) -> int:
    """The highest score among the other players."""
    most = 0
    for seat in range(g.players):
        if seat != s.mover:
            most = max(most, score(s, seat))
    return most


@rule
def unless_forced(g: Params, s: State, moves: Any, choice: int) -> int:
    """The agent's choice, or the only legal move."""
    return moves[0] if legal(g, s, moves) == 1 else choice


@rule
def moves_last(g: Params, s: State) -> bool:
    """Whether the mover is the last of the round (player 2 of two)."""
    return s.mover == g.players - 1


@rule
def roll_with_4_or_5(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Algorithm 1 of the slides: roll as long as fewer than two ones lie aside."""
    return unless_forced(g, s, moves, ROLL if s.ones < g.bust - 1 else HOLD)


@rule
def fixed_hold_at(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Algorithm 2, its third line read as its comment says (player 2 holds and wins)."""
    if s.ones == 0:
        return unless_forced(g, s, moves, ROLL)
    return unless_forced(g, s, moves, ROLL if s.pot < (24 if s.ones == 1 else 4) else HOLD)


@rule
def simple_cases(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Algorithm 3: simple player and ones cases."""
    i, j = score(s, s.mover), best_other(g, s)
    if s.ones >= 2:
        return unless_forced(g, s, moves, ROLL if s.pot < min(g.goal - i, 5) else HOLD)
    if s.ones == 0 or moves_last(g, s):
        return unless_forced(g, s, moves, ROLL)
    return unless_forced(g, s, moves, ROLL if s.pot < max(g.goal - i, 20 + j - i) else HOLD)


@rule
def keep_pace(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Algorithm 4: keep pace, end race, by case; with the code's 18, not the comment's 28."""
    i, j = score(s, s.mover), best_other(g, s)
    delta = j - i
    if s.ones >= 2:
        race = i + j >= (84 if moves_last(g, s) else 71)
        target = g.goal - i if race else min(g.goal - i, 5)
    elif not moves_last(g, s):
        target = max(g.goal - i, 38 + delta)
        if s.ones == 1:
            target = 22 + delta
            if i >= 10 or j >= 23:
                target = max(g.goal - i, target)
    elif s.ones == 0:
        target = g.goal
    else:
        target = g.goal - i if i >= 20 or j >= 32 else 18 + delta
    return unless_forced(g, s, moves, ROLL if s.pot < target else HOLD)


AGENTS = {
    "random": RANDOM,
    "optimal": OPTIMAL,
    "roll-with-4-or-5": Agent(roll_with_4_or_5, "rolls while at most one one lies aside"),
    "fixed-hold-at": Agent(fixed_hold_at, "rolls on with no ones aside, holds at 24 with one, at 4 with two"),
    "simple-cases": Agent(simple_cases, "a few cases by player and ones aside"),
    "keep-pace": Agent(keep_pace, "keeps pace with the other player, then races for the goal"),
}
