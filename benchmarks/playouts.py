"""Random games of Pig by Hazard and by OpenSpiel's C++ rollouts, on one core each."""

from __future__ import annotations

from collections.abc import Iterator

import hazard
from benchmarks import rivals
from benchmarks.row import Row, Sample, race

GOAL, OURS, THEIRS, REPEATS = 100, 400_000, 40_000, 7
COUNTED = 5_000  # games in which OpenSpiel's decisions are counted


def ours() -> Sample:
    match = hazard.match(hazard.game("pig", goal=GOAL), "random", "random", games=OURS, seed=1)
    return match.games_per_second, match


def theirs() -> Sample:
    found = rivals.ask("open_spiel_pig.py", "playouts", GOAL, THEIRS, 1)
    return found["games"] / found["seconds"], found


def run() -> Iterator[Row]:
    ours()  # compiles
    (mine, match), (rival, _) = race(ours, theirs, repeats=REPEATS, most=True)
    yield Row(
        "random games of Pig", "OpenSpiel", mine, rival, "games/s", 15, {"games": OURS, "games of OpenSpiel": THEIRS}
    )
    length = match.decisions / match.games
    other = rivals.ask("open_spiel_pig.py", "decisions", GOAL, COUNTED, 1)["decisions"]
    notes = {"decisions a game": length, "decisions a game of OpenSpiel": other}
    yield Row("the same in decisions", "OpenSpiel", mine * length, rival * other, "decisions/s", None, notes)
