"""Solves a game of the atlas as its rules say, without keeping anything."""

import hazard
from hazard.solving.solution import solver_of


def certified(name: str, tolerance: float = 1e-9, **parameters: int) -> tuple[float, float]:
    """Bounds of what the first player can expect."""
    game = hazard.game(name, **parameters)
    lower, upper = solver_of(game).solve(game, tolerance, None, None).bounds(game.start())
    return lower[0], upper[0]
