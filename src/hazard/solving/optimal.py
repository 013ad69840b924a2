"""The agent that plays a solved game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hazard.contract import index, span, step
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


OPTIMAL = optimal_agent(solved_move)
