"""Table VIII of the Pickomino paper: all 190 pairs of its twenty programs, 20,000 matches each, on two cores.

A share of the matches is played, and the time is scaled; `python -m benchmarks.pickomino_table --matches 20000` plays
them all. The time with simulated trees is put together from what a few matches of each program against itself take.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

import hazard
from benchmarks.row import Row, timed
from hazard.arena.play.compiled import line_up
from hazard.games.pickomino.players.programs import PROGRAMS, PUBLISHED

MATCHES, SHARE = 20_000, 2_000  # of a pair: in the paper, and played here
PATIENCE = 600.0  # seconds aimed at
CORES = 2
FEW = 4  # matches by which simulated programs are timed
Pair = tuple[str, str]


def exact(name: str) -> str:
    """The program with exact tables; with those, the number of trees makes no difference."""
    same = "mc" if name in ("mc100it", "mc1000it") else name
    return f"{same}-exact" if f"{same}-exact" in PROGRAMS else same


def pairs() -> list[Pair]:
    return list(combinations(map(exact, PUBLISHED), 2))


def play_all(some: Sequence[Pair], matches: int) -> float:
    """Processor seconds for all matches of some pairs, compilation left out."""
    game, company = hazard.game("pickomino"), sorted({name for pair in some for name in pair})
    line_up(game, some[0], seed=1, company=company).play(0, 1)
    return timed(lambda: [line_up(game, pair, seed=1, company=company).play(0, matches) for pair in some])[0]


def on_cores(matches: int, every: Sequence[Pair]) -> tuple[float, float]:
    """Processor seconds of the core that is busy longest, and seconds by the clock, start-up included."""
    began = time.perf_counter()
    with ProcessPoolExecutor(CORES, mp_context=get_context("spawn")) as pool:
        parts = [pool.submit(play_all, every[n::CORES], matches) for n in range(CORES)]
        busiest = max(part.result() for part in parts)
    return busiest, time.perf_counter() - began


def simulated(names: Sequence[str], matches: int) -> dict[str, float]:
    """Processor seconds of a match of each program against itself."""
    return {name: play_all([(name, name)], matches) / matches for name in names}


def rows(matches: int = SHARE, few: int = FEW, every: Sequence[Pair] | None = None) -> Iterator[Row]:
    every = pairs() if every is None else every
    busiest, clock = on_cores(matches, every)
    ours = busiest * MATCHES / matches
    name = f"{len(every)} pairs of Table VIII, two cores"
    notes = {"matches played of each pair": matches, "processor seconds": busiest, "seconds by the clock": clock}
    yield Row(name, "ten minutes", ours, PATIENCE, "s", 1, notes)
    each = simulated([name for name in PUBLISHED if any(exact(name) in pair for pair in every)], few)
    theirs = MATCHES / CORES * sum(each[a] / 2 + each[b] / 2 for a, b in combinations(each, 2))
    yield Row("the same", "simulated trees, from rates", ours, theirs, "s", None, {"seconds a match": each})


def run() -> Iterator[Row]:
    yield from rows()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pickomino_table", description=__doc__)
    parser.add_argument("--matches", type=int, default=SHARE, metavar="N", help="matches of each pair to play")
    for row in rows(parser.parse_args().matches):
        print(f"{row.name}, against {row.against}: {row.ours:,.0f} s, {row.rival:,.0f} s, ratio {row.ratio:,.3g}")
        print(f"  {row.notes}")
