"""Games solved from their rules alone, and by their own numbering, to the same certified error."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import hazard
from benchmarks.row import Row, Sample, race, timed
from hazard.declaration import Declaration
from hazard.rulebook import Game
from hazard.solving.enumerated.run import Found, Run
from hazard.solving.enumerated.solver import Enumerated
from hazard.solving.numbered.solver import solve

REPEATS = 3
TOLERANCE = 1e-9
AFTERSTATES, BYTES = 2e6, 40.0  # what is aimed at, a second and for each
SLOWER = 3.0  # times that rules alone may take


@dataclass(frozen=True)
class ByRules(Game):
    """A game of the package without its numbering."""

    own: Any = field(default=None, compare=False)

    __hash__ = Game.__hash__

    @property
    def declaration(self) -> Declaration:
        return self.own


def by_rules(game: Game) -> Game:
    return ByRules(f"{game.name}-by-rules", game.parameters, own=replace(game.declaration, solver=Enumerated()))


class TimedRun(Run):
    """A run that knows what its search alone has taken."""

    searched = 0.0

    def _search(self) -> int:
        seconds, status = timed(super()._search)
        self.searched += seconds
        return status


def enumerated(game: Game) -> Sample:
    """Processor seconds in all, then what was found and the seconds of the search."""
    run = TimedRun(game, TOLERANCE)
    run._compile()
    run.searched = 0.0
    seconds, found = timed(lambda: run.run(None))
    return seconds, (found, run.searched)


def check(game: Game, found: Found, value: float, error: float) -> None:
    """Both must agree on the start, which is the first position that was found."""
    low, high = found.value[0]
    if not low - error <= value <= high + error:
        raise AssertionError(f"{game.name}: {value} by its numbering, but from {low} to {high} by its rules")


def compare(name: str) -> list[Row]:
    game = hazard.game(name)
    solve(game, TOLERANCE)  # compiles
    rules = by_rules(game)
    ours, rival = race(lambda: enumerated(rules), lambda: timed(lambda: solve(game, TOLERANCE)), repeats=REPEATS)
    (found, searched), solution = ours[1], rival[1]
    check(game, found, solution.value(game.start())[0], solution.error)
    count, title = len(found.key), game.declaration.title
    error = float((found.value[:, 1] - found.value[:, 0]).max())
    notes = {"afterstates": count, "error": error, "error by numbering": solution.error, "search seconds": searched}
    return [
        Row(f"{title} solved", "its own numbering", ours[0], rival[0], "s", 1 / SLOWER, notes),
        Row(f"{title}: afterstates found", "aim", count / searched, AFTERSTATES, "/s", 1.0, notes),
        Row(f"{title}: bytes an afterstate", "aim", found.bytes_each, BYTES, "B", 1.0, notes),
    ]


def run() -> list[Row]:
    return [*compare("pig"), *compare("great-rolled-ones")]
