"""Agents that need only the contract, so every game has them; and how agents are seated."""

from __future__ import annotations

from typing import Any

from hazard.contract import legal
from hazard.declaration import Agent
from hazard.dice import below
from hazard.jit import rule


@rule
def any_move(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """A legal move, each as likely as the others."""
    count = legal(g, s, moves)
    return moves[below(rng, count)] if count > 1 else moves[0]


RANDOM = Agent(any_move, "takes any legal move, each as likely as the others", uniform=True)
