"""Dice Wars played: `ste` against `sdc` with a new map for every game, beside the same code in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import hazard
from benchmarks.row import Row, Sample, plainly, race, timed
from hazard.arena.play.compiled import LineUp, line_up

GAMES, REPEATS = 10_000, 5
PLAIN = 3  # games in plain Python, which take tenths of a second each
GOALS = {2: 10_000, 6: 5_000}  # games a second, by players


def seated(players: int) -> LineUp:
    """Games do not share maps: each has its own."""
    return line_up(hazard.game("dice-wars", players=players), ["ste", "sdc"] * (players // 2), seed=1, shared=False)


def played(who: LineUp, games: int) -> Sample:
    """Games a second, and all results."""
    seconds, found = timed(lambda: who.play(0, games))
    return games / seconds, found


def play(players: int) -> Iterator[Row]:
    """Against the goal, and against plain Python."""
    who = seated(players)
    who.play(0, 10)  # compiles
    (ours, found), (rival, plain) = race(
        lambda: played(who, GAMES), lambda: plainly(lambda: played(who, PLAIN)), repeats=REPEATS, most=True
    )
    if (found.payoffs[:PLAIN] != plain.payoffs).any() or (found.lengths[:PLAIN] != plain.lengths).any():
        raise AssertionError("the plain games are not the compiled ones")
    name, notes = f"Dice Wars, {players} players, games", {"decisions a game": float(found.lengths.mean())}
    yield Row(name, f"{GOALS[players]:,} a second", ours, GOALS[players], "/s", 1, notes)
    yield Row(name, "plain Python", ours, rival, "/s", None, {"plain games a second": rival})


def run() -> Iterator[Row]:
    for players in GOALS:
        yield from play(players)
