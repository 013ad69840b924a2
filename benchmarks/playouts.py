"""Random games of Pig by Hazard and by OpenSpiel's C++ rollouts, on one core each."""

from __future__ import annotations

from collections.abc import Iterator

import hazard
from benchmarks import rivals
from benchmarks.row import Row, Sample, race, timed

GOAL, OURS, THEIRS, REPEATS = 100, 400_000, 40_000, 7
COUNTED = 5_000  # games in which OpenSpiel's decisions are counted


def playouts() -> Sample:
    start = hazard.game("pig", goal=GOAL).start()
    seconds, found = timed(lambda: hazard.playouts(start, games=OURS, seed=1))
    return OURS / seconds, found


def match() -> Sample:
    game = hazard.game("pig", goal=GOAL)
    seconds, found = timed(lambda: hazard.match(game, "random", "random", games=OURS, seed=1))
    return OURS / seconds, found


def theirs() -> Sample:
    found = rivals.ask("open_spiel_pig.py", "playouts", GOAL, THEIRS, 1)
    return found["games"] / found["seconds"], found


def run() -> Iterator[Row]:
    playouts(), match()  # both compile
    (ours, found), (matched, games), (rival, other) = race(playouts, match, theirs, repeats=REPEATS, most=True)
    wins = {"first player wins": found.means[0], "first player wins, OpenSpiel": other["value"]}
    yield Row("random playouts of Pig", "OpenSpiel", ours, rival, "/s", 15, wins)
    yield Row("the same as a match", "OpenSpiel", matched, rival, "/s", None)
    length = games.decisions / games.games
    longer = rivals.ask("open_spiel_pig.py", "decisions", GOAL, COUNTED, 1)["decisions"]
    notes = {"decisions a game": length, "decisions a game, OpenSpiel": longer}
    yield Row("playouts in decisions", "OpenSpiel", ours * length, rival * longer, "/s", None, notes)
