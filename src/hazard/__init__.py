"""A laboratory for dice games: rules written once; exact play, fast agents, honest matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
_HOMES = {
    "Advice": "hazard.solving.solution",
    "BadInput": "hazard.errors",
    "Game": "hazard.rulebook",
    "Position": "hazard.rulebook",
    "Solution": "hazard.solving.solution",
    "best_response": "hazard.solving.solution",
    "evaluate": "hazard.solving.solution",
    "game": "hazard.rulebook",
    "grade": "hazard.arena.grading.grade",
    "match": "hazard.arena.match",
    "playouts": "hazard.arena.play.playout",
    "rule": "hazard.jit",
    "solve": "hazard.solving.solution",
}
__all__ = [
    "Advice",
    "BadInput",
    "Game",
    "Position",
    "Solution",
    "best_response",
    "evaluate",
    "game",
    "grade",
    "match",
    "playouts",
    "rule",
    "solve",
]

if TYPE_CHECKING:
    from hazard.arena.grading.grade import grade as grade
    from hazard.arena.match import match as match
    from hazard.arena.play.playout import playouts as playouts
    from hazard.errors import BadInput as BadInput
    from hazard.jit import rule as rule
    from hazard.rulebook import Game as Game
    from hazard.rulebook import Position as Position
    from hazard.rulebook import game as game
    from hazard.solving.solution import Advice as Advice
    from hazard.solving.solution import Solution as Solution
    from hazard.solving.solution import best_response as best_response
    from hazard.solving.solution import evaluate as evaluate
    from hazard.solving.solution import solve as solve


def __getattr__(name: str) -> Any:
    """Heavy modules are loaded when first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'hazard' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
