"""Solutions kept in the user's cache: load the one that is there, or solve and keep it."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.solution import Solution, stored_at
from hazard.solving.solver import TOLERANCE, Progress, solve


def solved(game: Game, tolerance: float = TOLERANCE, progress: Progress | None = None) -> Solution:
    """The solution of a game to within the tolerance, from the cache if possible."""
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
