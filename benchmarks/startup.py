"""How soon Hazard is there: its import, its command, and a second process that finds everything compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.row import Row, Sample, race

REPEATS = 15
COMMAND = Path(sys.executable).with_name("hazard")
SOLVE = """
import time
import hazard
from hazard.solving.numbered.solver import solve
game = hazard.game("pig", goal=20)
began = time.perf_counter()
solve(game)
print(time.perf_counter() - began)
"""


def process(*command: str | Path) -> Sample:
    """The seconds by the clock from start to end."""
    began = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began, done


def python(code: str) -> Sample:
    return process(sys.executable, "-c", code)


def starts() -> Iterator[Row]:
    """Fresh processes; to import numpy alone takes Python some tenths of a second."""
    bare, numpy, imported, helped = race(
        lambda: python("pass"),
        lambda: python("import numpy"),
        lambda: python("import hazard"),
        lambda: process(COMMAND, "--help"),
        repeats=REPEATS,
    )
    yield Row("import hazard", "python -c pass", imported[0], bare[0], "s", None)
    yield Row("import hazard", "import numpy", imported[0], numpy[0], "s", 1)
    yield Row("hazard --help", "python -c pass", helped[0], bare[0], "s", None)
    yield Row("hazard --help", "import numpy", helped[0], numpy[0], "s", 1)


def first_solve(cache: str) -> float:
    """The seconds that the first solve of a fresh process takes, compilation included."""
    environment = {**os.environ, "HAZARD_CACHE": cache}
    done = subprocess.run([sys.executable, "-c", SOLVE], env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)


def compiled(cache: str) -> dict[str, int]:
    """The compiled code on disk: files and when they were written."""
    return {str(path): path.stat().st_mtime_ns for path in Path(cache).rglob("*.nbc")}


def second_process() -> Row:
    with tempfile.TemporaryDirectory() as cache:
        first = first_solve(cache)
        before = compiled(cache)
        second = min(first_solve(cache) for _ in range(3))
        again = len(compiled(cache).items() - before.items())
    return Row(
        "second process solves",
        "first process",
        second,
        first,
        "s",
        10,
        {"compiled": len(before), "compiled again": again},
    )


def run() -> Iterator[Row]:
    yield from starts()
    yield second_process()
