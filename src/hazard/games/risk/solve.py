"""What `solve` says of Risk: Koole's problem in fractions, or how a battle is likely to end."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hazard.games.risk.koole import Problem
from hazard.rulebook import Game
from hazard.solving.numbered.solution import NumberedSolution
from hazard.solving.numbered.solver import run
from hazard.solving.report import exact_values


def answer(game: Game) -> dict[str, Any] | None:
    """Koole's problem, where the parameters ask for it; values are the armies that the attacker has left."""
    p: dict[str, Any] = game.parameters
    if p["mode"] != "stake":
        return None
    begun, n = time.perf_counter(), p["stake"]
    problem = Problem(p["attack_dice"], p["defend_dice"], p["sides"])
    stakes = problem.stakes(n)
    loss, last, settled = stakes.value(n), stakes.value(n) - stakes.value(n - 1), problem.settled()
    facts = {
        "stake": n,
        "loss": float(loss),
        "fraction": str(loss),
        "policy": {roll.text: list(best) for roll, best in zip(problem.rolls, stakes.best_at(n), strict=True)},
        "last_army": _both(last),
        "limit": _both(problem.limit.gain),
        "always": {str(k): str(problem.always(k)) for k in range(1, p["defend_dice"] + 1)},
        "differs_from_limit": {text: list(best) for text, best in stakes.departures(n).items()},
        "settled_from": settled.since,
    }
    left = game.g.attackers - loss
    return exact_values([left, -left], n * len(problem.rolls), time.perf_counter() - begun) | facts


def _both(x: Fraction) -> dict[str, Any]:
    return {"value": str(x), "float": float(x)}


def battle(solution: NumberedSolution) -> dict[str, Any]:
    """How the battle ends if both sides play the solution: conquest, and the armies left."""
    ends = {objective: _under(solution, objective) for objective in ("hold", "losses", "difference")}
    conquer, attackers, difference = ends["hold"], ends["losses"], ends["difference"]
    return {
        "conquer": sum(conquer) / 2,
        "conquer_lower": conquer[0],
        "conquer_upper": conquer[1],
        "attackers_left": sum(attackers) / 2,
        "attackers_left_lower": attackers[0],
        "attackers_left_upper": attackers[1],
        "defenders_left": (sum(attackers) - sum(difference)) / 2,
        "defenders_left_lower": attackers[0] - difference[1],
        "defenders_left_upper": attackers[1] - difference[0],
    }


def _under(solution: NumberedSolution, objective: str) -> tuple[float, float]:
    """Bounds of what the attacker gets when the solution's policy is scored by another objective."""
    game = replace(solution.game, parameters=solution.game.parameters | {"objective": objective})
    found = run(game, ["optimal"] * 2, solution.meta["tolerance"], None, [solution.policy] * 2)
    lower, upper = found.bounds(game.start())
    return lower[0], upper[0]
