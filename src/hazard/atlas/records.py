"""Solves games of the atlas, and keeps what came out: one small file for each line of it.

A record holds only as long as the rules are those that were solved: it carries their digest.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import msgspec

from hazard.declaration import Chart, atlas_names, declared
from hazard.errors import BadInput, unknown
from hazard.files import write_whole
from hazard.fingerprint import PACKAGE
from hazard.jit import cache_home
from hazard.rulebook import Game, make_game
from hazard.solving.report import solve_report
from hazard.solving.solution import solver_version

SHIPPED = PACKAGE / "atlas" / "records"


class Record(msgspec.Struct, frozen=True):
    """What solving one line of the atlas has proven, and what it took."""

    game: str
    parameters: dict[str, int]
    rules: str  # digest of the rules with these parameters
    solver: str  # digest of the solver
    lower: list[float]  # bounds of what each seat can expect at the start
    upper: list[float]
    error: float  # no value of any position is further than this from the truth
    positions: int
    seconds: float  # to find the positions and to solve them
    processor: float  # seconds of all processors, compiling included
    memory: int  # bytes, at the most

    @property
    def value(self) -> float:
        """What the first player can expect: the middle between its bounds."""
        return (self.lower[0] + self.upper[0]) / 2


class Line(NamedTuple):
    """A line of the atlas."""

    game: Game
    chart: Chart

    @property
    def file(self) -> str:
        """The name of its record."""
        return "-".join([self.game.name, *(f"{key}-{value}" for key, value in self.chart.parameters.items())]) + ".json"


def own_folder() -> Path:
    """Where records are kept unless told otherwise."""
    return cache_home() / "atlas"


def lines(names: Sequence[str] = (), chosen: dict[str, str] | None = None) -> list[Line]:
    """The lines of the atlas: of the games named, or of all; those with certain parameters only."""
    for name in names:
        if name not in atlas_names():
            raise unknown("game of the atlas", name, atlas_names())
    games = sorted(names or atlas_names())
    found = [Line(make_game(name, chart.parameters), chart) for name in games for chart in declared(name).charts]
    kept = [line for line in found if all(str(line.game.parameters.get(k)) == v for k, v in (chosen or {}).items())]
    if not kept:
        wanted = " ".join(f"-p {key}={value}" for key, value in (chosen or {}).items())
        raise BadInput(f"{wanted}: the atlas has no such line; `hazard atlas {' '.join(names)}` shows which it has")
    return kept


# --- records ---------------------------------------------------------------------------------------------------------
def record_of(line: Line, folder: Path | None = None) -> Record | None:
    """What is known of a line, from a folder or from those of the user and of the package; it may be out of date."""
    places = [folder] if folder else [own_folder(), SHIPPED]
    found = [record for place in places if (record := _read(place / line.file))]
    return next((record for record in found if holds(record, line)), found[0] if found else None)


def _read(path: Path) -> Record | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except (OSError, msgspec.DecodeError):
        return None


def holds(record: Record | None, line: Line) -> bool:
    """Whether a record is of the rules as they are now, with these parameters."""
    game = line.game
    made_of = (game.name, game.parameters, game.version)
    return record is not None and (record.game, record.parameters, record.rules) == made_of


# --- solving ---------------------------------------------------------------------------------------------------------
def solve_lines(chosen: Sequence[Line], tolerance: float, folder: Path) -> Iterator[tuple[Line, Record | str]]:
    """Solve lines one after the other, and keep a record of each; or say why there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for line in chosen:
        try:
            record: Record | str = _in_own_process(line, tolerance)
        except BadInput as problem:
            record = str(problem)
        if isinstance(record, Record):
            write_whole(folder / line.file, msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n")
        yield line, record


def _in_own_process(line: Line, tolerance: float) -> Record:
    """A process of its own tells what this game alone takes, and gives it all back."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(_solve, line.game.name, dict(line.chart.parameters), tolerance).result()
        except BrokenProcessPool:
            raise BadInput(
                f"{line.game.describe()}: the process that solved it was ended, for want of memory?"
            ) from None


def _solve(name: str, parameters: dict[str, int], tolerance: float) -> Record:
    game = make_game(name, parameters)
    report = solve_report(game, tolerance, None, None)
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Record(
        game.name,
        {key: int(value) for key, value in game.parameters.items()},
        game.version,
        solver_version(game),
        report["lower"],
        report["upper"],
        report["error"],
        report["states"],
        report["seconds"],
        time.process_time(),
        used.ru_maxrss * 1024,
    )
