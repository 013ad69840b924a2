"""Solves Dice of Doom for two players: sweeps until little changes, then a proof that asks for no trust in that.

With w the turns left under play that is best or nearly so, one sweep with outward rounding shows that value + d w never
rises, another that value - d w never falls. As every game ends, whatever both sides do, the true value lies between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hazard.games.dice_of_doom import blocks
from hazard.games.dice_of_doom.mixing import converge
from hazard.games.dice_of_doom.table import EPS, NOTHING, Table, compiled, settle

Progress = Callable[[str, int, float], None]  # told what is being done, the sweep, and how much it changed
MARGIN = (
    1.05  # turns left are taken for more than they are found to be, so that what is left of their error does not matter
)
ATTEMPTS = 8


def find_values(table: Table, enough: float, most: int, say: Progress, accelerated: bool = True) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`; sweeps and the last change."""

    def told(number: int, change: float) -> None:
        say("sweeping", number, change)

    return converge(table.values, table.sweep, enough, most, told, 1.0, accelerated)


@dataclass(frozen=True)
class Proof:
    """Every value is within `error` of the truth."""

    error: float
    d: float
    weights: np.ndarray  # turns left; a state's own error is d times its weight
    sweeps: int


def prove(table: Table, d: float, most: int, say: Progress) -> Proof | None:
    """Find turns left and prove the bounds; None if no d up to a hundred times the one given will do."""
    weights = np.zeros_like(table.values)

    def told(number: int, change: float) -> None:
        say("counting turns", number, change)

    near = 400 * d
    sweeps, _ = converge(weights, lambda limit: table.sweep_turns(weights, near, limit), 0.02, most, told)
    weights *= MARGIN
    weights += 1.0
    for attempt in range(ATTEMPTS):
        beyond = table.beyond(weights, d)
        sweeps += 2
        say("proving", attempt, beyond)
        if beyond <= 0.0:
            return Proof(d * float(weights.max()) + EPS, d, weights, sweeps)
        d *= 2
    return None


def sweeps_of_bounds(table: Table, tolerance: float, most: int) -> int:
    """How many sweeps plain interval iteration takes: lower bounds from 0, upper from 1, until they meet."""
    low = Table(table.neighbours, table.dice, table.odds, table.how, table.kind, table.threads)
    low.values[:] = 0.0
    high = Table(table.neighbours, table.dice, table.odds, table.how, table.kind, table.threads)
    high.values[:] = 1.0
    for number in range(1, most + 1):
        for one, other, eps in ((low, high, -EPS), (high, low, EPS)):
            _bound(one, other, eps)
        if float((high.values - low.values).max()) <= tolerance:
            return 2 * number
    return 2 * most


def _bound(one: Table, other: Table, eps: float) -> None:
    """A sweep of one bound, which needs the other's values of the player who moves next."""

    def task(mask: int, here: np.ndarray, above: np.ndarray) -> float:
        block, work = one.blocks[mask], one.scratch()
        reply = other.values[len(one.blocks) - 1 - mask]
        compiled(blocks.turn_over)(reply, NOTHING, 0.0, eps, work.ends, block)
        if one.how != blocks.DETERMINISTIC:
            compiled(blocks.place_dice)(one.how, eps, work.ends, block, work.row)
        compiled(blocks.back_up)(one.how, eps, one.odds, work.ends, here, above, work.starts, block)
        return compiled(settle)(work.starts, one.values[mask])

    one.each(task)
