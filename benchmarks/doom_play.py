"""Dice of Doom played: greedy games on the full board, and a searching agent beside itself in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import hazard
from benchmarks.row import Row, Sample, plainly, race, timed
from hazard.arena.play.compiled import LineUp, line_up

GAMES, REPEATS = 20_000, 5
SEARCHED, PLAIN = 60, 1  # games of the searching agent, compiled and not; a plain one takes seconds


def seated(board: str, first: str, second: str) -> LineUp:
    return line_up(hazard.game("dice-of-doom", board=board, max_dice=5), [first, second], seed=1)


def played(who: LineUp, games: int) -> Sample:
    """Decisions a second, and all results of the games."""
    seconds, found = timed(lambda: who.play(0, games))
    return int(found.lengths.sum()) / seconds, (found, games / seconds)


def greedy() -> Row:
    who = seated("5x5", "greedy", "greedy")
    who.play(0, 10)  # compiles
    samples = [played(who, GAMES) for _ in range(REPEATS)]
    decisions, (_, games) = max(samples, key=lambda sample: sample[0])
    return Row(
        "greedy on 5x5, 5 dice, games", "10,000 a second", games, 1e4, "/s", 1, {"decisions a second": decisions}
    )


def search() -> Row:
    who = seated("3x3", "monte-carlo", "greedy")
    who.play(0, 1)
    (ours, (found, games)), (rival, (plain, _)) = race(
        lambda: played(who, SEARCHED), lambda: plainly(lambda: played(who, PLAIN)), repeats=2, most=True
    )
    if (found.payoffs[:PLAIN] != plain.payoffs).any() or (found.lengths[:PLAIN] != plain.lengths).any():
        raise AssertionError("the plain games are not the compiled ones")
    notes = {"games a second": games, "decisions of plain games": int(plain.lengths.sum())}
    return Row("Monte Carlo on 3x3, decisions", "plain Python", ours, rival, "/s", 100, notes)


def run() -> Iterator[Row]:
    yield greedy()
    yield search()
