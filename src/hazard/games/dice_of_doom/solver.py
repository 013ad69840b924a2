"""Solves Dice of Doom for two players: sweeps until little changes, then a proof that asks for no trust in that.

With w the turns left under play that is best or nearly so, one sweep with outward rounding shows that value + d w never
rises, another that value - d w never falls. As every game ends, whatever both sides do, the true value lies between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hazard.games.dice_of_doom.mixing import SMALL, Swept, converge
from hazard.games.dice_of_doom.standoffs import can_solve_standoffs, converge_by_standoffs
from hazard.games.dice_of_doom.table import EPS, TURNS, Table

Progress = Callable[[str, int, float], None]  # told what is being done, the sweep, and how much it changed
LOOSE = 0.35  # rises of turns left that are small enough: a turn then still counts for 1 - LOOSE of one at least
MARGIN = 1.6  # by which turns left are taken for more than that: 1.6 * 0.65 is more than one turn
NEAR = 400  # moves that cost less than this many d are counted in: more than d times the turns left, twice
ATTEMPTS = 8


def find_values(
    table: Table, enough: float, most: int, say: Progress, accelerated: bool = True, done: int = 0
) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`; sweeps, with those done before, and the last change."""

    def told(number: int, change: float) -> None:
        say("sweeping", number, change)

    if accelerated and table.values.size > SMALL and can_solve_standoffs(table):
        return converge_by_standoffs(table, enough, most, told, done)
    mixed = accelerated and table.kind == np.float64
    return converge(table.values, table.sweep, enough, most, told, 1.0, mixed, done)


@dataclass(frozen=True)
class Proof:
    """Every value is within `error` of the truth."""

    d: float
    weights: np.ndarray  # turns left, in units
    unit: float
    sweeps: int

    @property
    def error(self) -> float:
        """The greatest error of all."""
        return self.d * (MARGIN * float(self.weights.max()) * self.unit + 1.0) + EPS

    @property
    def mean_error(self) -> float:
        """A value's own error is d times its turns left; this is the mean of these."""
        return self.d * (MARGIN * float(self.weights.mean(dtype=np.float64)) * self.unit + 1.0) + EPS


def no_turns(table: Table) -> np.ndarray:
    return np.zeros(table.values.shape, table.kinds.turns)


def count_turns(table: Table, weights: np.ndarray, near: float, most: int, say: Progress, done: int = 0) -> int:
    """Find how many turns are left, well enough for a proof; the number of sweeps, with those done before."""

    def told(number: int, change: float) -> None:
        say("counting turns", number, change)

    def sweep(limit: float) -> Swept:
        return table.sweep_turns(weights, near, limit)

    mixed = table.kinds.turns == TURNS
    return converge(weights, sweep, LOOSE, most, told, mixed=mixed, done=done)[0]


def prove(table: Table, d: float, most: int, say: Progress) -> Proof | None:
    """Find turns left and prove the bounds; None if no d up to a hundred times the one given will do."""
    weights = no_turns(table)
    return prove_with(table, weights, d, count_turns(table, weights, NEAR * d, most, say), say)


def prove_with(table: Table, weights: np.ndarray, d: float, sweeps: int, say: Progress) -> Proof | None:
    """Prove the bounds with these turns left, which are taken for a little more."""
    for attempt in range(ATTEMPTS):
        beyond = table.beyond(weights, d, MARGIN)
        sweeps += 2
        say("proving", attempt, beyond)
        if beyond <= 0.0:
            return Proof(d, weights, table.counted.unit, sweeps)
        d *= 2
    return None


def sweeps_of_bounds(table: Table, tolerance: float, most: int) -> int:
    """How many sweeps plain interval iteration takes: lower bounds from 0, upper from 1, until they meet."""
    low = Table(table.neighbours, table.dice, table.odds, table.how, table.kind, table.threads)
    low.values[:] = 0.0
    high = Table(table.neighbours, table.dice, table.odds, table.how, table.kind, table.threads)
    high.values[:] = 1.0
    for number in range(1, most + 1):
        low.bound(high.values, -EPS)
        high.bound(low.values, EPS)
        if float((high.values - low.values).max()) <= tolerance:
            return 2 * number
    return 2 * most
