"""Solutions kept in the user's cache: load the one that is there, or solve and keep it."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.solution import Solution, stored_at
from hazard.solving.solver import MOST_BYTES, TOLERANCE, Progress, bytes_needed, solve


def solved(game: Game, tolerance: float = TOLERANCE, progress: Progress | None = None) -> Any:
    """The solution of a game to within the tolerance, from the cache if possible; a game may have its own solver."""
    if own := game.part("stored"):
        return own.solved(game)
    found = _recent(game)
    if found is None or found.error > tolerance:
        found = solve(game, tolerance, progress)
        with suppress(BadInput, OSError):  # a cache that cannot be written costs time, not the answer
            found.save(stored_at(game))
        _recent.cache_clear()
    return found


@lru_cache(maxsize=8)
def _recent(game: Game) -> Solution | None:
    try:
        return Solution.load(stored_at(game))
    except BadInput:
        return None


def can_be_solved(game: Game) -> bool:
    """Whether the game's positions can be counted, and its table fits in memory."""
    if own := game.part("stored"):
        return own.can_be_solved(game)
    return hasattr(game.rules, "size") and bytes_needed(game) <= MOST_BYTES
