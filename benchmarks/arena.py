"""The arena: what it costs beside the bare loop, what two processes bring, what luck adjustment and pairs save."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

import hazard
from benchmarks.row import Row, Sample, race, timed
from hazard.arena.play.compiled import Games, LineUp
from hazard.arena.tournament.run import run as tournament
from hazard.arena.tournament.runner import played, workers
from hazard.arena.tournament.schedule import left_to_play
from hazard.arena.tournament.setting import Setting, settle

AGENTS = ("optimal", "keep-pace")
BATCH, BATCHES, REPEATS = 1_200_000, 6, 5  # a batch takes about a second
BOT = Path(__file__).parents[1] / "examples" / "bots" / "hold20.py"


def game() -> hazard.Game:
    return hazard.game("great-rolled-ones")


def setting(batches: int, batch: int = BATCH) -> Setting:
    return settle(game(), AGENTS, [[0, 1]], games=batches * batch, seed=1, batch=batch)


class Watched:
    """Adds up the processor seconds spent in the compiled loop."""

    def __init__(self) -> None:
        self.seconds, self.play = 0.0, LineUp.play

    def __call__(self, seated: LineUp, first: int, count: int) -> Games:
        seconds, found = timed(lambda: self.play(seated, first, count))
        self.seconds += seconds
        return found


def arena() -> tuple[float, float]:
    """A tournament in this process, and the bare loop within it: games a second of either.

    Both come from the same run: from run to run this machine's speed differs by more than the overhead.
    """
    watched, play = Watched(), LineUp.play
    try:
        LineUp.play = lambda *seated: watched(*seated)  # type: ignore[method-assign]
        with tempfile.TemporaryDirectory() as folder:
            seconds, _ = timed(lambda: tournament(Path(folder) / "x", setting(BATCHES)))
    finally:
        LineUp.play = play  # type: ignore[method-assign]
    return BATCHES * BATCH / seconds, BATCHES * BATCH / watched.seconds


def by_processes(count: int, batches: int = 12, batch: int = 600_000) -> Sample:
    """Games a second, by the clock, of some processes that have been started."""
    what = setting(batches, batch)
    with workers(count, None) as crew:
        warm = msgspec.structs.replace(what, games=2 * batch, seed=2)
        list(played(warm, left_to_play(warm, {}), replace(crew, ahead=2 * count)))
        began = time.perf_counter()
        for _ in played(what, left_to_play(what, {}), crew):
            pass
        return batches * batch / (time.perf_counter() - began), None


def pairs() -> Iterator[Row]:
    """Variances, not times: how many times the games would be needed without."""
    plain = hazard.match(game(), *AGENTS, games=200_000, shared=False, luck=True)
    shared = hazard.match(game(), *AGENTS, games=200_000)
    (_, error), (_, less) = plain.payoffs[0], (plain.adjusted or [])[0]
    assert error
    assert less
    notes = {"mean": plain.payoffs[0], "adjusted": plain.adjusted}
    yield Row("variance, luck taken off", "plain", less**2, error**2, "", 10, notes)
    (_, other) = shared.payoffs[0]
    assert other
    yield Row("variance, seat orders share dice", "plain", other**2, error**2, "", None)


def run() -> Iterator[Row]:
    hazard.match(game(), *AGENTS, games=2), arena()  # both compile
    turns = [arena() for _ in range(REPEATS)]
    ours, rival = sorted(turns, key=lambda turn: turn[0] / turn[1])[REPEATS // 2]
    notes = {"batch": BATCH, "batches": BATCHES, "ratios": [a / b for a, b in turns]}
    yield Row("a tournament, median", "the bare loop", ours, rival, "/s", 0.95, notes)
    yield Row("games of Great Rolled Ones", "a million a second", rival, 1e6, "/s", 1)
    (two, _), (one, _) = race(lambda: by_processes(2), lambda: by_processes(1), repeats=3, most=True)
    yield Row("two processes", "one process", two, one, "/s", 1.8)
    yield from pairs()
    yield bots()
    yield from walls()


def bots() -> Row:
    """A Python bot's games against the same moves made by a built-in agent in the same loop."""
    from hazard.arena.bots.games import play_bot_games
    from hazard.arena.bots.limits import Limits

    pig = hazard.game("pig")

    def side(line_up: list[str]) -> Sample:
        began = time.perf_counter()
        found = play_bot_games(pig, line_up, 1, 0, 40, True, Limits())
        return sum(g.length for g in found) / (time.perf_counter() - began), found

    (ours, _), (rival, _) = race(
        lambda: side([str(BOT), "hold-at-20"]), lambda: side(["hold-at-20", "hold-at-20"]), repeats=3, most=True
    )
    return Row("decisions in games with a bot", "told, without", ours, rival, "/s", None)


def walls() -> Iterator[Row]:
    """What isolation costs at the start of a bot, and in its games."""
    from hazard.arena.bots.games import play_bot_games
    from hazard.arena.bots.limits import Limits
    from hazard.arena.bots.process import Process

    pig, command = hazard.game("pig"), ["/bin/sh", "-c", "echo; read line"]

    def starts(limits: Limits) -> Sample:
        seconds = 0.0
        for _ in range(20):
            began = time.perf_counter()
            process = Process(command, limits)
            process.read_line(time.monotonic() + 60)
            seconds += time.perf_counter() - began
            process.finish()
        return 20 / seconds, None

    def decisions(limits: Limits) -> Sample:
        began = time.perf_counter()
        found = play_bot_games(pig, [str(BOT), "hold-at-20"], 1, 0, 100, True, limits)
        return sum(g.length for g in found) / (time.perf_counter() - began), None

    for name, side in (("starts of an isolated bot", starts), ("decisions of an isolated bot", decisions)):
        (ours, _), (rival, _) = race(
            lambda side=side: side(Limits()), lambda side=side: side(Limits(isolated=False)), repeats=5, most=True
        )
        yield Row(name, "without isolation", ours, rival, "/s", None)
