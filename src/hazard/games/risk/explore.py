"""The tables of Risk that the lab shows: every battle up to some armies, by several ways to defend.

Tables are bytes: values in double precision with the lowest byte first, best answers in one byte each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hazard.declaration import Explorer
from hazard.errors import BadInput
from hazard.games.risk.exact import OBJECTIVES, Battles, Faces, battles, koole_dice, outcomes
from hazard.games.risk.koole import Problem
from hazard.rulebook import Game

MOST_ARMIES = 60
MOST_STAKE = 40
Defence = Callable[[Faces, int], int]  # how many dice to roll, by the attacker's roll and the defending armies
DEFENCES: dict[str, Defence] = {"classic": lambda _, d: min(2, d), "koole": koole_dice, "one": lambda _, d: 1}


def explore(game: Game, _: str) -> dict[str, Any]:
    """Every battle: what the attacker can expect, and the best answers to each of his rolls."""
    most, objective = _armies(game), str(game.parameters["objective"])
    exact, armies = battles(most, most, objective), range(most + 1)
    values = {"dutch": [[float(exact.value(a, d)) if a else 0.0 for d in armies] for a in armies]}
    values |= {name: _by_defence(exact, defence) for name, defence in DEFENCES.items()}
    return {
        "armies": most,
        "objective": objective,
        "values": {name: np.array(table, "<f8").tobytes() for name, table in values.items()},
        "rolls": [[_roll(exact, dice, *roll) for roll in exact.attacks(dice + 1)] for dice in range(1, 4)],
        "best": exact.best.astype("u1").tobytes(),  # [attackers, defenders, roll]: 1 for one die, 2 for two, 3 for both
        "error": 1e-12,
        "stakes": _stakes(),
    }


def _armies(game: Game) -> int:
    a, d = game.g.attackers, game.g.defenders
    if max(a, d) > MOST_ARMIES:
        raise BadInput(
            f"{max(a, d)} armies: up to {MOST_ARMIES} are shown here; `hazard solve risk -p attackers={a} "
            f"-p defenders={d}` solves larger battles"
        )
    return max(a, d)


def _roll(exact: Battles, dice: int, faces: Faces, weight: int) -> dict[str, Any]:
    """A roll of the attacker, and in how many rolls of one die and of two he loses 0, 1, ... armies."""
    lost = [outcomes(dice, j, exact.sides, faces) for j in (1, 2)]
    return {"faces": faces, "chance": weight / exact.sides**dice, "lost": lost}


def _by_defence(exact: Battles, defence: Defence) -> list[list[float]]:
    """What the attacker can expect against a defence; sums of positive numbers, right to 1e-12."""
    ended, armies = OBJECTIVES[exact.objective], range(exact.attackers + 1)
    table = [[float(ended(a, d)) for d in armies] for a in armies]
    for a in armies[2:]:
        rolls = exact.attacks(a)
        for d in armies[1:]:
            total = sum(weight * _answered(exact, table, a, d, faces, defence(faces, d)) for faces, weight in rolls)
            table[a][d] = total / sum(weight for _, weight in rolls)
    return table


def _answered(exact: Battles, table: list[list[float]], a: int, d: int, faces: Faces, dice: int) -> float:
    """What the attacker can expect after a roll that is answered by some dice."""
    ways = outcomes(min(a - 1, exact.attack_dice), dice, exact.sides, faces)
    pairs = len(ways) - 1
    return sum(n * table[a - lost][d - pairs + lost] for lost, n in enumerate(ways)) / exact.sides**dice


def _stakes() -> list[dict[str, Any]]:
    """Koole's problem: with 1, 2, ... armies at stake what the attacker loses at most, and the best answers."""
    stakes = Problem().stakes(MOST_STAKE)
    return [
        {"loss": float(stakes.value(n)), "best": [sum(1 << j - 1 for j in best) for best in stakes.best_at(n)]}
        for n in range(1, MOST_STAKE + 1)
    ]


EXPLORER = Explorer(explore=explore, parameters=("attackers", "defenders", "objective"))
