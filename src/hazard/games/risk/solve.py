"""What `solve` says of Risk: Koole's problem in fractions, or how a battle is likely to end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hazard.games.risk.koole import Problem
from hazard.rulebook import Game
from hazard.solving.numbered.solution import NumberedSolution
from hazard.solving.numbered.solver import run


def more(solution: NumberedSolution) -> dict[str, Any]:
    """Koole's problem of a stake, or how a battle ends."""
    return stake(solution.game) if solution.game.parameters["mode"] == "stake" else battle(solution)


def stake(game: Game) -> dict[str, Any]:
    """The exact answer in fractions, and what it takes for a large stake."""
    p: dict[str, Any] = game.parameters
    problem, n = Problem(p["attack_dice"], p["defend_dice"], p["sides"]), p["stake"]
    stakes = problem.stakes(n)
    before, settled = stakes.value(n) - stakes.value(n - 1), problem.settled()
    return {
        "stake": n,
        "fraction": str(stakes.value(n)),
        "policy": {roll.text: list(best) for roll, best in zip(problem.rolls, stakes.best_at(n), strict=True)},
        "last_army": {"value": str(before), "float": float(before)},
        "limit": {"value": str(problem.limit.gain), "float": float(problem.limit.gain)},
        "always": {str(k): str(problem.always(k)) for k in range(1, p["defend_dice"] + 1)},
        "differs_from_limit": {text: list(best) for text, best in stakes.departures(n).items()},
        "settled_from": settled.since,
    }


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
    policy = solution.policy
    number = list(game.agents).index("optimal")
    lower, upper = run(game, [number] * 2, [policy] * 2, solution.meta["tolerance"], None).bounds(game.start())
    return lower[0], upper[0]
