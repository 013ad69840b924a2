"""Where chances come from without a solution: a network that the game has for these parameters, if any."""

from __future__ import annotations

from collections.abc import Callable

from hazard.errors import BadInput
from hazard.rulebook import Game, Position

Chances = Callable[[Position], tuple[float, ...]]


def judge_of(game: Game) -> Chances | None:
    """What judges positions of a game; None where it has no judge, or one that was not trained for these parameters."""
    judge = game.declaration.judge
    if judge is None:
        return None
    try:
        _valued(judge, game.start())
    except BadInput:
        return None
    return lambda position: _valued(judge, position)


def _valued(judge: Chances, position: Position) -> tuple[float, ...]:
    found = position.payoffs if position.over else judge(position)
    return tuple(float(value) for value in found)
