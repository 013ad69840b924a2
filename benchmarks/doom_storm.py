"""Dice of Doom solved and proven by Hazard, and the best response to its solution by Storm's sound methods.

Blue's moves are fixed to be the best ones for Storm, while Hazard finds the moves of both; Storm's model has the
positions of either player to move, which Hazard's table puts together. Both use one thread and are asked for 1e-8;
Storm's fastest method counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hazard
from benchmarks import rivals
from benchmarks.doom_mdp import ENDS, export
from benchmarks.doom_solver import Solved, board, certified
from benchmarks.row import Row, Sample, race, timed
from hazard.games.dice_of_doom.solver.value_table import table_of

TOLERANCE, REPEATS = 1e-8, 3
BOARDS = (("2x3", 2), ("2x2", 5))


def ours(game: hazard.Game) -> Sample:
    """Seconds with the table made, and the seconds of making it, which is taken off below."""
    whole, found = timed(lambda: certified(game, TOLERANCE, threads=1))
    building, _ = timed(lambda: table_of(game, threads=1))
    return whole, (found, building)


def theirs(folder: Path) -> Sample:
    found = rivals.ask("storm_doom.py", folder / "mdp.npz", folder / "values.npz")
    return min(found["seconds"].values()) + found["building"], found


def furthest(numbers: np.ndarray, found: Solved, folder: Path) -> dict[str, float]:
    """How far each method's values of red's turns are from those of the solution, at most."""
    red = np.flatnonzero((numbers >= ENDS) & ((numbers - ENDS) % 4 == 0))
    mine = found.starts[(numbers[red] - ENDS) // 4]
    with np.load(folder / "values.npz") as values:
        return {name: float(np.abs(values[name][red] - mine).max()) for name in values.files}


def compare(text: str, dice: int) -> Iterator[Row]:
    game = board(text, dice)
    certified(game, TOLERANCE, threads=1)  # compiles
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        numbers = export(game, folder / "mdp.npz")
        (whole, (found, building)), (rival, storm) = race(lambda: ours(game), lambda: theirs(folder), repeats=REPEATS)
        off = furthest(numbers, found, folder)
    if max(off.values()) > TOLERANCE + found.proof.error:
        raise AssertionError(f"{game.describe()}: Storm's values are off by {off}")
    notes = _notes(found, storm, off)
    yield Row(f"{text}, {dice} dice, solving", "Storm", whole - building, min(storm["seconds"].values()), "s", 1, notes)
    yield Row(f"{text}, {dice} dice, and building", "Storm", whole, rival, "s", 1)


def _notes(found: Solved, storm: dict[str, Any], off: dict[str, float]) -> dict[str, Any]:
    return {
        "certified error": found.proof.error,
        "states": 2 * found.table.boards,
        "sweeps": found.sweeps,
        "sweeps of the proof": found.proof.sweeps,
        "Storm": storm,
        "Storm's values off by at most": off,
    }


def run() -> Iterator[Row]:
    for text, dice in BOARDS:
        yield from compare(text, dice)
