"""Agents that need only the contract, so every game has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.contract import index, legal, span, step
from hazard.dice import below
from hazard.jit import rule
from hazard.rulebook import Agent


@rule
def any_move(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """A legal move, each as likely as the others."""
    count = legal(g, s, moves)
    return moves[below(rng, count)] if count > 1 else moves[0]


@rule
def solved_move(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The move that the policy of a solution gives."""
    return np.int64(memory[index(g, s) * span(g) + step(g, s)])


RANDOM = Agent(any_move, "takes any legal move, each as likely as the others", uniform=True)
OPTIMAL = Agent(solved_move, "plays the solved game; solves it first where that has not been done", solved=True)
