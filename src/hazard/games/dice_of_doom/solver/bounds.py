"""Values of a board for two with opposite aims, turns left, and proven bounds; `hazard.solving.certify` has the proof.

The proof needs that every game ends, whatever both sides do. It does if every attack can be won and can be lost: let
one player win all its attacks and the other lose all. It must attack at least once a turn, so it takes a tile in each
of its turns and loses none. The game is over after as many of its turns as there are tiles, at the latest. From any
position this has a probability that is bounded away from 0; so play that goes on for ever has probability 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hazard.games.dice_of_doom.solver.memory import TURNS
from hazard.games.dice_of_doom.solver.picking import SMALL, converge
from hazard.games.dice_of_doom.solver.standoffs import can_solve_standoffs, converge_by_standoffs
from hazard.games.dice_of_doom.solver.value_table import EPS, ValueTable
from hazard.solving.certify import Certificate, certify

Progress = Callable[[str, int, float], None]  # hears what is being done, the sweep, and its greatest change
MIXED = 20_000_000  # turns left that are mixed, at most; this takes 64 bytes for each
PLAIN = 4  # sweeps that count turns before these are raised
STRETCH = 4.0  # how far they are raised, in multiples of their rise in a sweep
ROUNDED = 1 / 256  # what a rise of two turns may be off by
LOOSE = 1.0  # rise in a sweep that is small enough. A sweep takes both players' turns: this is half a turn for each
STALLED = 0.98  # of its rise before; a coarse table whose rise shrinks no faster is not counted further
MARGINS = (0.8, 1.2, 1.8)  # factors on turns left that are tried, besides the one that makes up for the last rise
DOUBLINGS = 4  # of d
NEAR = 400  # a move that costs less than this many d is nearly best: it is more than twice d times the turns left


def find_values(
    table: ValueTable, enough: float, most: int, say: Progress, accelerated: bool = True, done: int = 0
) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`; sweeps, with those done before, and the last change."""

    def report(number: int, change: float) -> None:
        say("sweeping", number, change)

    if accelerated and table.values.size > SMALL and can_solve_standoffs(table):
        return converge_by_standoffs(table, enough, most, report, done)
    mixed = accelerated and table.kind == np.float64
    return converge(table.values, table.sweep, enough, most, report, 1.0, mixed, done)


def no_turns(table: ValueTable) -> np.ndarray:
    return np.zeros(table.values.shape, table.kinds.turns)


def count_turns(
    table: ValueTable, weights: np.ndarray, near: float, most: int, say: Progress, done: int = 0, rise: float = 0.0
) -> tuple[int, float]:
    """Find how many turns are left, well enough for a proof; the sweeps, with those done before, and the last rise.

    `rise` is that of sweeps done before. While games are sure to last longer than has been counted, some number rises
    by the two turns of a sweep. In a large table all are then raised far beyond, once: what is too much falls faster.
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
        stalled = table.kind == np.uint16 and STALLED * before < rise < before < 2.0 - LOOSE / 4
        if (rise <= LOOSE or stalled) and not stretch:
            break
    return number, rise


def prove(table: ValueTable, d: float, most: int, say: Progress) -> Certificate | None:
    """Count turns left and prove bounds; None if no d up to eight times the one given will do."""
    weights = no_turns(table)
    return prove_with(table, weights, d, *count_turns(table, weights, NEAR * d, most, say))


def prove_with(table: ValueTable, weights: np.ndarray, d: float, sweeps: int, rise: float) -> Certificate | None:
    """Prove bounds with turns left that still rise by so much in a sweep.

    That rise is missing from the two turns of a sweep. What is left of them must make up for errors, so turns left are
    taken for more.
    """
    left = 1.0 - max(rise, LOOSE) / 2
    return certify(
        table.values,
        weights,
        table.beyond,
        d,
        doublings=DOUBLINGS,
        stretches=[margin / left for margin in MARGINS],
        unit=table.counted.unit,
        rounding=table.rounding,
        sweeps=sweeps,
    )


def sweeps_of_bounds(table: ValueTable, tolerance: float, most: int) -> int:
    """How many sweeps plain interval iteration takes: lower bounds from 0, upper from 1, until they meet."""
    low, high = replace(table), replace(table)
    low.values[:], high.values[:] = 0.0, 1.0
    for number in range(1, most + 1):
        low.bound(high.values, -EPS)
        high.bound(low.values, EPS)
        if float((high.values - low.values).max()) <= tolerance:
            return 2 * number
    return 2 * most
