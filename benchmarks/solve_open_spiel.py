"""Pig solved by Hazard and by OpenSpiel's value iteration."""

from __future__ import annotations

from collections.abc import Iterator

import hazard
from benchmarks import rivals
from benchmarks.row import Row, race, timed
from hazard.solving.numbered.solver import solve

GOAL = 40  # OpenSpiel needs a minute or two; its time grows with the fourth power of the goal
TOLERANCE = 1e-9
PATIENCE = 1800  # seconds


def run() -> Iterator[Row]:
    game = hazard.game("pig", goal=GOAL)
    solve(game, TOLERANCE)  # compiles
    ((ours, solution),) = race(lambda: timed(lambda: solve(game, TOLERANCE)), repeats=20)
    theirs = rivals.ask("open_spiel_pig.py", "solve", GOAL, TOLERANCE, timeout=PATIENCE)
    value = solution.value(game.start())[0]
    if abs(value - theirs["value"]) > 100 * TOLERANCE:
        raise AssertionError(f"Pig to {GOAL}: the start is worth {value}, to OpenSpiel {theirs['value']}")
    notes = {
        "goal": GOAL,
        "tolerance": TOLERANCE,
        "value": value,
        "value of OpenSpiel": theirs["value"],
        "certified error": solution.error,
        "states": solution.meta["states"],
        "states of OpenSpiel": theirs["states"],
    }
    yield Row(f"solve Pig to {GOAL}", "OpenSpiel", ours, theirs["seconds"], "s", 1000, notes)
