"""What `solve` and `advise` report, as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hazard.errors import BadInput
from hazard.files import check_folder
from hazard.rulebook import Game
from hazard.solving.exact import solve_exactly
from hazard.solving.solution import SIGN, Solution, stored_at
from hazard.solving.solver import Progress, solve
from hazard.solving.store import can_be_solved, solved


def solve_report(game: Game, tolerance: float, out: Path | None, progress: Progress | None) -> dict[str, Any]:
    """Solve, keep the solution, and say what was found; a game may have a report of its own to add."""
    folder = out or stored_at(game)
    check_folder(folder, SIGN)
    own = game.part("report")
    if own and (found := own.instead(game, tolerance, folder, progress)):
        return _head(game) | found
    if not hasattr(game.rules, "size"):
        raise BadInput(f"{game.name}: there is no solver for this game; `hazard advise {game.name}` plays on instead")
    solution = solve(game, tolerance, progress)
    if solution.error > tolerance:
        raise BadInput(f"--tolerance {tolerance:g}: rounding leaves {solution.error:.2g} here; ask for no less")
    return (
        _head(game) | values(solution) | (own.more(solution) if own else {}) | {"solution": str(solution.save(folder))}
    )


def _head(game: Game) -> dict[str, Any]:
    return {"game": game.name, "parameters": game.parameters, "rules": game.version}


def values(solution: Solution) -> dict[str, Any]:
    start, meta = solution.game.start(), solution.meta
    lower, upper = solution.bounds(start)
    return {
        "value": list(solution.value(start)),
        "lower": list(lower),
        "upper": list(upper),
        "error": solution.error,
        "states": meta["states"],
        "layers": meta["layers"],
        "regret": meta["regret"],
        "unsettled": meta["unsettled"],
        "seconds": meta["seconds"],
    }


def exact_report(game: Game) -> dict[str, Any]:
    """The value of the start in exact fractions."""
    if not hasattr(game.rules, "size"):
        raise BadInput(f"--exact: positions of {game.name} are not counted; leave it out for proven bounds")
    value = solve_exactly(game).value(game.start())
    return _head(game) | {"value": [str(v) for v in value], "float": [float(v) for v in value]}


def advise_report(
    game: Game, text: str, tolerance: float, rollouts: int | None, agent: str | None, progress: Progress | None
) -> dict[str, Any]:
    """Every legal move of a position, best first: exact where the game can be solved, else by playing on.

    A game may have advice of its own, with more to each move.
    """
    position = game.parse(text)
    head = _head(game) | {"position": str(position), "mover": game.seat_name(position.mover)}
    if rollouts is None and agent is None and (own := game.part("advice")):
        return head | own.advise(position)
    if rollouts is None and agent is None and can_be_solved(game):
        advice = solved(game, tolerance, progress).advise(position)
    else:
        from hazard.arena.rollout import rollout

        advice = rollout(position, agent or "random", games=20_000 if rollouts is None else rollouts)
    return head | {"moves": [row._asdict() for row in advice]}
