"""Solves Dice of Doom for two players: sweeps until little changes, then a proof that asks for no trust in that.

With w the turns left under play that is best or nearly so, one sweep with outward rounding shows that value + d w never
rises, another that value - d w never falls. As every game ends, whatever both sides do, the true value lies between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hazard.games.dice_of_doom.solver.mixing import SMALL, converge
from hazard.games.dice_of_doom.solver.standoffs import can_solve_standoffs, converge_by_standoffs
from hazard.games.dice_of_doom.solver.table import EPS, TURNS, Table

Progress = Callable[[str, int, float], None]  # told what is being done, the sweep, and how much it changed
MIXED = 20_000_000  # turns left that are mixed, which takes 64 bytes for each
PLAIN = 4  # sweeps that count turns before these are raised
STRETCH = 4.0  # times their rise
ROUNDED = 1 / 256  # by which a rise of two turns may be off
LOOSE = 1.0  # rises of turns left in a sweep that are small enough: a sweep takes both players' turns, so half a turn
SLOWLY = 0.98  # of a rise that is left after a sweep, from which on a coarse table is not counted further
MARGINS = (0.8, 1.2, 1.8)  # times what makes up for the rise that is left: turns are taken for so many times as many
NEAR = 400  # moves that cost less than this many d are counted in: more than d times the turns left, twice
ATTEMPTS = 12


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
    unit: float  # in which they are taken for more
    sweeps: int
    rounding: float = EPS  # of a turn that is backed up once more, to show all its places

    def error_of(self, weight: float) -> float:
        """The error of a position with so many turns left."""
        return self.d * (weight * self.unit + 1.0) + self.rounding

    @property
    def error(self) -> float:
        """The greatest error of all, also of positions that are not kept: their turns lead to some that are."""
        return self.error_of(float(self.weights.max()))

    @property
    def mean_error(self) -> float:
        return self.error_of(float(self.weights.mean(dtype=np.float64)))


def no_turns(table: Table) -> np.ndarray:
    return np.zeros(table.values.shape, table.kinds.turns)


def count_turns(
    table: Table, weights: np.ndarray, near: float, most: int, say: Progress, done: int = 0, rise: float = 0.0
) -> tuple[int, float]:
    """Find how many turns are left, well enough for a proof; the sweeps, with those done before, and the last rise.

    `rise` is that of sweeps done before. While games are sure to last longer than has been counted, some number rises
    by the two turns of a sweep. Of a large table all are then raised far beyond, once: what was too much falls faster.
    """
    if table.values.size <= MIXED and table.kinds.turns == TURNS:
        return converge(
            weights,
            lambda limit: table.sweep_turns(weights, near, limit),
            LOOSE,
            most,
            lambda number, change: say("counting turns", number, change),
            done=done,
            small=MIXED,
        )
    for number in range(done + 1, most + 1):
        stretch, before = STRETCH if number > PLAIN and abs(rise - 2.0) < ROUNDED else 0.0, rise
        rise = table.sweep_turns(weights, near, stretch=stretch)[0]
        say("counting turns", number, rise)
        slow = table.kind == np.uint16 and SLOWLY * before < rise < before < 2.0 - LOOSE / 4
        if (rise <= LOOSE or slow) and not stretch:
            break
    return number, rise


def prove(table: Table, d: float, most: int, say: Progress) -> Proof | None:
    """Find turns left and prove the bounds; None if no d up to eight times the one given will do."""
    weights = no_turns(table)
    return prove_with(table, weights, d, *count_turns(table, weights, NEAR * d, most, say), say)


def prove_with(table: Table, weights: np.ndarray, d: float, sweeps: int, rise: float, say: Progress) -> Proof | None:
    """Prove the bounds with turns left that are taken for more and more, and if that does not do, with a greater d.

    What turns left still rise in a sweep is missing from its two turns: of these must be left what makes up for errors.
    """
    for attempt in range(ATTEMPTS):
        margin = MARGINS[attempt % len(MARGINS)] / (1.0 - max(rise, LOOSE) / 2)
        beyond = table.beyond(weights, d, margin)
        sweeps += 2
        say("proving", attempt, beyond)
        if beyond <= 0.0:
            return Proof(d, weights, margin * table.counted.unit, sweeps, table.eps * table.longest)
        d *= 2 if attempt % len(MARGINS) == len(MARGINS) - 1 else 1
    return None


def sweeps_of_bounds(table: Table, tolerance: float, most: int) -> int:
    """How many sweeps plain interval iteration takes: lower bounds from 0, upper from 1, until they meet."""
    low, high = replace(table), replace(table)
    low.values[:], high.values[:] = 0.0, 1.0
    for number in range(1, most + 1):
        low.bound(high.values, -EPS)
        high.bound(low.values, EPS)
        if float((high.values - low.values).max()) <= tolerance:
            return 2 * number
    return 2 * most
