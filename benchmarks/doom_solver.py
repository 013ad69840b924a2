"""The solver of Dice of Doom: state backups a second, and sweeps beside plain interval iteration."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import hazard
from benchmarks.row import Row
from hazard.games.dice_of_doom.solver.bounds import find_values, prove, sweeps_of_bounds
from hazard.games.dice_of_doom.solver.value_table import ValueTable, table_of
from hazard.solving.certify import Certificate

MOST = 20_000  # sweeps
FINER = 300  # how many times smaller than the tolerance the last change must be


class Solved(NamedTuple):
    """A board solved and proven, with the seconds by the clock, and of all threads' processors for the sweeps."""

    table: ValueTable
    sweeps: int
    sweeping: float
    proof: Certificate
    proving: float  # and showing all values
    worked: float
    starts: np.ndarray  # values of all positions at the start of a turn


def quiet(what: str, number: int, change: float) -> None:
    pass


def board(text: str, dice: int) -> hazard.Game:
    return hazard.game("dice-of-doom", board=text, max_dice=dice, turns=0)


def certified(game: hazard.Game, tolerance: float, threads: int = 2) -> Solved:
    """Sweep and prove, more finely where that does not do; all sweeps and seconds are counted."""
    table, sweeps, sweeping, proving, worked, proofs = table_of(game, threads=threads), 0, 0.0, 0.0, 0.0, 0
    for finer in (FINER, 10 * FINER, 100 * FINER):
        began, begun = time.perf_counter(), time.process_time()
        more, change = find_values(table, tolerance / finer, MOST, quiet)
        swept, worked = time.perf_counter(), worked + time.process_time() - begun
        proof = prove(table, max(3 * change, tolerance / finer), MOST, quiet)
        done = proof is not None and proof.error <= tolerance
        starts = table.shown()[0].reshape(-1) if done and not table.whole else table.values
        sweeps, sweeping, proving = sweeps + more, sweeping + swept - began, proving + time.perf_counter() - swept
        proofs += proof.sweeps if proof else 0
        if proof and done:
            return Solved(table, sweeps, sweeping, proof._replace(sweeps=proofs), proving, worked, starts)
    raise AssertionError(f"{game.describe()}: not proven to {tolerance}")


def backups() -> Iterator[Row]:
    certified(board("2x2", 3), 1e-6)  # compiles
    found = certified(board("3x3", 3), 1e-6)
    done = found.sweeps * 2 * found.table.worked
    notes = {
        "certified error": found.proof.error,
        "sweeps": found.sweeps,
        "sweeps of the proof": found.proof.sweeps,
        "states": 2 * found.table.boards,
        "of these in a sweep": 2 * found.table.worked,
        "seconds of sweeps": found.sweeping,
        "seconds of the proof": found.proving,
        "backups in a processor second": done / found.worked,
    }
    rate, whole = done / found.sweeping, done / (found.sweeping + found.proving)
    yield Row("3x3, 3 dice, state backups", "10^8 a second", rate, 1e8, "/s", 1, notes)
    yield Row("the same, the proof's time included", "10^8 a second", whole, 1e8, "/s", None)


def sweeps() -> Row:
    """Ours with all sweeps of the proof; the bounds may be twice the tolerance apart, their middle is as good then."""
    found = certified(board("2x3", 5), 1e-9)
    began = time.perf_counter()
    plain = sweeps_of_bounds(found.table, 2e-9, MOST)
    notes = {
        "certified error": found.proof.error,
        "sweeps": found.sweeps,
        "sweeps of the proof": found.proof.sweeps,
        "seconds": found.sweeping + found.proving,
        "seconds of interval iteration": time.perf_counter() - began,
    }
    ours = found.sweeps + found.proof.sweeps
    return Row("2x3, 5 dice to 1e-9, sweeps", "interval iteration", ours, plain, "sweeps", 5, notes)


def run() -> Iterator[Row]:
    yield from backups()
    yield sweeps()
