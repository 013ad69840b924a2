"""Games of Dice of Doom for the study, and the cached reports of those that it solves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hazard
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.studies.cache import keep, known

NAME = "dice-of-doom"


def make(board: str, dice: int, **more: int | str) -> Game:
    """A game on a board with at most `dice` dice on a tile."""
    return hazard.game(NAME, board=board, max_dice=dice, **more)


def boards_of(board: str, dice: int) -> int:
    """In how many ways owners and dice can lie on a board, e.g. "2x3"."""
    rows, _, columns = board.partition("x")
    return (2 * dice) ** (int(rows) * int(columns))


def solve_report(game: Game, tolerance: float, stored: bool = False) -> dict[str, Any]:
    """What `hazard solve` says of a game, from the cache if possible; if `stored`, the solution can be loaded too."""
    from hazard.solving import report
    from hazard.solving.solution import solver_of

    game = solver_of(game).subject(game)
    result = known("solved", game, [tolerance])
    if result is None or (stored and not _stored(Path(result["solution"]))):
        result = keep("solved", game, [tolerance], report.solve_report(game, tolerance, None, None))
    return result


def _stored(folder: Path) -> bool:
    from hazard.solving.solution import load

    try:
        return bool(load(folder))
    except BadInput:
        return False
