"""A turn of Pickomino: the best chances of a score, by Hazard's tables and by icepool.

Both go through all states of a turn for every score.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import hazard
from benchmarks import rivals
from benchmarks.row import Row, Sample, race, timed
from hazard.games.pickomino.turn.states import NEVER, Turns, centre_at, fail_at, find_row, steal_at, turn_value
from hazard.games.pickomino.turn.tables import TurnTables
from hazard.jit import rule

GOAL, REPEATS, TIMES = 20, 3, 20  # ours is done TIMES times over, because one takes less than the clock can tell
TABLES = (("at least 21", 21, 21), ("at least 21 to 36", 21, 36))


@rule
def fill_chances(tables: TurnTables, t: Turns, first: int, chances: Any) -> None:
    """The best chance of at least each score from the start of a turn, each worked out from scratch."""
    for n in range(chances.size):
        row = find_row(t, first + n, -1, 0, 0)
        t.known[row] = 0
        for score in range(t.scores):
            t.rows[row, centre_at(t, score)] = 1.0 if score >= first + n else NEVER
            t.rows[row, steal_at(t, score)] = NEVER
        t.rows[row, fail_at(t)] = 0.0
        chances[n] = turn_value(tables, t, row)


def ours(game: hazard.Game, first: int, last: int, times: int = TIMES) -> Sample:
    chances = np.zeros(last - first + 1)
    fill = game.compiled(fill_chances)

    def again() -> None:
        for _ in range(times):
            fill(game.g.turn, game.table.scratch.turns, first, chances)

    seconds, _ = timed(again)
    return seconds / times, chances


def theirs(first: int, last: int) -> Sample:
    icepool = rivals.ask("icepool_turns.py", first, last)
    return min(way["seconds"] for way in icepool.values()), icepool


def compare(name: str, first: int, last: int, repeats: int = REPEATS) -> Row:
    game = hazard.game("pickomino")
    ours(game, first, last, 1)  # compiles
    (mine, chances), (rival, icepool) = race(
        lambda: ours(game, first, last), lambda: theirs(first, last), repeats=repeats
    )
    off = max(float(np.abs(chances - way["chances"]).max()) for way in icepool.values())
    if off > 1e-12:
        raise AssertionError(f"{name}: icepool's chances are off by {off}")
    notes = {
        "chances": chances.tolist(),
        "off by at most": off,
        "seconds of icepool": {way: of["seconds"] for way, of in icepool.items()},
    }
    return Row(f"a turn: {name}", "icepool", mine, rival, "s", GOAL, notes)


def run() -> Iterator[Row]:
    for name, first, last in TABLES:
        yield compare(name, first, last)
