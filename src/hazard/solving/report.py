"""What `hazard solve` reports, as plain data: one shape for all games, with the game's own facts after it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nextafter
from pathlib import Path
from typing import Any

from hazard.errors import BadInput
from hazard.files import check_folder
from hazard.rulebook import Game
from hazard.solving.fractions import solve_exactly
from hazard.solving.solution import SIGN, Progress, Solution, find, solver_of, stored_at


def head(game: Game) -> dict[str, Any]:
    return {"game": game.name, "parameters": game.parameters, "rules": game.version}


def kept_report(game: Game, tolerance: float) -> dict[str, Any] | None:
    """The same of a solution that is kept, or ships with the package, and is as exact as asked for."""
    if found := _answered(game):
        return found
    kept = None if solver_of(game).obstacle(game) else find(game)
    return _report(*kept) if kept and kept[1].error <= tolerance else None


def _answered(game: Game) -> dict[str, Any] | None:
    """The answer to the question that some parameters ask instead."""
    answer = game.declaration.answer
    found = answer(game) if answer else None
    return head(game) | found if found else None


def _report(folder: Path, solution: Solution) -> dict[str, Any]:
    return values(solution) | solver_of(solution.game).facts(solution) | {"solution": str(folder)}


def solve_report(
    game: Game, tolerance: float, out: Path | None, progress: Progress | None, certificate: Path | None = None
) -> dict[str, Any]:
    """Solve, keep the solution, and say what was found."""
    if found := _answered(game):
        return found
    solver = solver_of(game)
    if why := solver.obstacle(game):
        raise BadInput(why)
    if certificate:
        solver.check_certificate(game)
    folder = out or stored_at(game)
    check_folder(folder, SIGN)
    solution = solver.solve(solver.subject(game), tolerance, folder, progress)
    if certificate is None:
        return _report(folder, solution)
    solver.write_certificate(solution, certificate)
    return _report(folder, solution) | {"certificate": str(certificate)}


def values(solution: Solution) -> dict[str, Any]:
    """The value of the start, how surely it is known, and what it took."""
    start, meta = solution.game.start(), solution.meta
    lower, upper = solution.bounds(start)
    return head(solution.game) | {
        "value": list(solution.value(start)),
        "lower": list(lower),
        "upper": list(upper),
        "error": solution.error,
        "states": meta["states"],
        "seconds": meta["seconds"],
    }


def exact_report(game: Game) -> dict[str, Any]:
    """The value of the start in exact fractions."""
    if not int(game.ask("size")):
        raise BadInput(f"--exact: positions of {game.name} are not numbered; leave it out for proven bounds")
    value = solve_exactly(game).value(game.start())
    return head(game) | {"value": [str(v) for v in value], "float": [float(v) for v in value]}


def exact_values(fractions: Sequence[Fraction], states: int, seconds: float) -> dict[str, Any]:
    """The same as `values` for an answer in fractions: the nearest floats, with bounds that are rounded outward."""
    value = [float(x) for x in fractions]
    lower = [v if v <= x else nextafter(v, -inf) for v, x in zip(value, fractions, strict=True)]
    upper = [v if v >= x else nextafter(v, inf) for v, x in zip(value, fractions, strict=True)]
    error = max(max(v - low, high - v) for v, low, high in zip(value, lower, upper, strict=True))
    return {"value": value, "lower": lower, "upper": upper, "error": error, "states": states, "seconds": seconds}
