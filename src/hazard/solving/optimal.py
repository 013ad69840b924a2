"""The agent that plays a solved game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hazard.contract import gain, index, legal, move, prospect, sense, span, step
from hazard.declaration import Agent
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.solution import solved


def policy_of(game: Game) -> np.ndarray:
    """The policy of the game's solution, which is made first if there is none."""
    return solved(game).policy


def optimal_agent(decide: Callable) -> Agent:
    """The agent that decides by the policy of a solution."""
    words = "plays the solved game; solves it first where that has not been done"
    return Agent(decide, words, solved=True, reads=policy_of)


@rule
def solved_move(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The move that the policy of a solution gives."""
    return np.int64(memory[index(g, s) * span(g) + step(g, s)])


@rule
def best_valued_move(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The first of the moves with the best prospect, for solutions whose policy is a table of values."""
    count, best, most = legal(g, s, moves), moves[0], -np.inf
    for n in range(count):
        worth = sense(g) * (gain(g, s, moves[n]) + prospect(g, move(g, s, moves[n]), s.mover, memory))
        if worth > most:
            best, most = moves[n], worth
    return np.int64(best)


OPTIMAL = optimal_agent(solved_move)
OPTIMAL_BY_VALUE = optimal_agent(best_valued_move)
