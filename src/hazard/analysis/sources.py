"""Where chances come from: a solution if there is one or it is quickly made, else a trained network, else rollouts.

A network is a part `network` of a game with `value(position)`, which gives the chances of all seats in any position
that is not over, dice in the air or not, and refuses with BadInput what it was not trained for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hazard.contract import size, span
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.solution import stored_at
from hazard.solving.store import can_be_solved, solved

QUICK = 4_000_000  # decisions of a game that is solved in seconds
Chances = Callable[[Position], tuple[float, ...]]


def within_reach(game: Game) -> bool:
    """Whether a solution is at hand or quickly made."""
    if not can_be_solved(game):
        return False
    counted = hasattr(game.rules, "size") and not game.part("stored")
    return not counted or stored_at(game).exists() or _decisions(game) <= QUICK


def solution_of(game: Game) -> Any | None:
    """The solution of a game that is at hand or quickly made."""
    return solved(game) if within_reach(game) else None


def _decisions(game: Game) -> int:
    return int(game.plain(size)(game.g)) * int(game.plain(span)(game.g))


def network_of(game: Game) -> Chances | None:
    """What judges positions of a game, if it has a network for these parameters."""
    part = game.part("network")
    if part is None:
        return None
    try:
        _valued(part.value, game.start())
    except BadInput:
        return None
    return lambda position: _valued(part.value, position)


def _valued(judge: Chances, position: Position) -> tuple[float, ...]:
    found = position.payoffs if position.over else judge(position)
    return tuple(float(value) for value in found)


def bounds_of(solution: Any, position: Position) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Between what the chances of each seat certainly are."""
    if hasattr(solution, "bounds"):
        return solution.bounds(position)
    value = solution.value(position)
    spread = 0.0 if position.over else solution.error
    return tuple(v - spread for v in value), tuple(v + spread for v in value)
