"""Games of Dice of Doom for the study, and those that it solves: what was found is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hazard
from hazard.rulebook import Game
from hazard.studies.cache import keep, known

NAME = "dice-of-doom"


def make(board: str, dice: int, **more: int | str) -> Game:
    """A game of Dice of Doom."""
    return hazard.game(NAME, board=board, max_dice=dice, **more)


def solved(game: Game, tolerance: float, stored: bool = False) -> dict[str, Any]:
    """What the game's own solver says of it; if `stored`, its table is there too."""
    from hazard.solving.report import solve_report
    from hazard.solving.solution import solver_of

    game = solver_of(game).subject(game)
    found = known("solved", game, [tolerance])
    if found is None or (stored and not Path(found["solution"]).exists()):
        found = keep("solved", game, [tolerance], solve_report(game, tolerance, None, None))
    return found
