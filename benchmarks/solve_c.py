"""Pig to 100 solved by Hazard and by a plain C program."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hazard
from benchmarks.row import Row, Sample, race, timed
from hazard.solving.numbered.solver import solve

GOAL, TOLERANCE, REPEATS = 100, 1e-9, 7
BUILDS = {"C -O2": ["-O2"], "C -O3": ["-O3"], "C -O3, backward": ["-O3", "-DBACKWARD=1"]}


def build(folder: Path, number: int, options: list[str]) -> Path:
    program = folder / f"pig{number}"
    source = Path(__file__).with_name("pig.c")
    subprocess.run(["gcc", *options, "-o", program, source, "-lm"], check=True)
    return program


def measure(program: Path) -> Sample:
    found = json.loads(subprocess.run([program, str(GOAL), str(TOLERANCE)], check=True, capture_output=True).stdout)
    return found["seconds"], found


def run() -> Iterator[Row]:
    game = hazard.game("pig", goal=GOAL)
    solve(game, TOLERANCE)  # compiles
    with tempfile.TemporaryDirectory() as folder:
        programs = [build(Path(folder), n, options) for n, options in enumerate(BUILDS.values())]
        sides = [lambda program=program: measure(program) for program in programs]
        (ours, solution), *rest = race(lambda: timed(lambda: solve(game, TOLERANCE)), *sides, repeats=REPEATS)
    value = solution.value(game.start())[0]
    for name, (rival, found) in zip(BUILDS, rest, strict=True):
        notes = {
            "value": value,
            "certified error": solution.error,
            "value of C": found["value"],
            "sweeps of C": found["sweeps"],
        }
        yield Row(f"solve Pig to {GOAL}", name, ours, rival, "s", 1 / 3, notes)
