"""Certified bounds: `value - width` and `value + width`, proven by one more sweep of each.

Solvers find values by iteration. A small last change proves nothing about them; what follows does, and it asks for no
trust in how the values were found.

**The bounds.** The width of a position is d w: a small d, and a weight w that is about the number of turns left. The
solver sweeps both bounds once, exactly but for rounding. If no upper bound rises and no lower bound falls, they are
proven.

**Why a bound that does not rise bounds from above.** Take one player's view. Let U be its upper bound: its own value
plus the width where it is to move; 1 less the other player's lower bound where the other is. Let T be the backup of one
turn, in which each mover does its best. Suppose T(U) <= U everywhere (U is then called a super-solution), and U equals
the payoff where the game is over. Let the other player always make the move that T chooses. Then, whatever this player
does, the expected U does not rise from turn to turn. So when the game has ended, the expected payoff is at most the U
of the first position. The other player thus holds this one down to U; the true value is no greater. The same with
signs reversed proves the lower bound. Where moves are fixed there is nothing to choose, and the same holds.

**Why play must end.** The step from "does not rise" to "has ended" needs a game that ends with probability 1 whatever
both sides do: of a game that may go on for ever, values that are too low can also reproduce themselves. Payoffs and
bounds lie between 0 and 1, so the expectation has a limit. Each solver must say why its game ends; it is not checked
here.

**Why turns left.** A turn takes one from w, so a backup of value + d w is about value + d (w - 1): there is d to spare
for what the values are off by, and for rounding. A d somewhat above the last change of a sweep will do, if w counts the
longest of all play that is best or nearly so (a bound may prefer a move that is nearly best). Neither need be right: a
bad d or w makes the proof fail, and d is then doubled.

**Rounding.** The sweep of a bound adds to every number it computes more than that number's rounding, outward. What it
compares with the old bound is therefore beyond the exact backup. The constants belong to each sweep and hold for
numbers up to about 1. So a sweep keeps wide bounds between 0 and 1, where payoffs lie; a super-solution cut off at 1
is one still, and what is compared are the bounds as they were cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput


class Certificate(NamedTuple):
    """Every value is within its width, and some rounding, of the truth."""

    weights: np.ndarray  # turns left, in the unit of the table that counts them
    slope: float  # width for each of these
    base: float  # width that every position has
    rounding: float  # of what is done with the values once they are proven
    sweeps: int  # that it took

    def width(self, weight: Any) -> Any:
        """The width of positions by their weights."""
        return self.slope * weight + self.base

    @property
    def error(self) -> float:
        """The greatest error of any value."""
        return self.width(float(self.weights.max())) + self.rounding

    @property
    def mean_error(self) -> float:
        return self.width(float(self.weights.mean(dtype=np.float64))) + self.rounding


class NotProven(BadInput):
    """The values were found, but not proven to the tolerance."""


def not_proven(tolerance: float, error: float | None, sweeps: int) -> NotProven:
    """What to raise if this is the least error that can be proven, None for nothing."""
    known = "nothing" if error is None else f"{error:.2g}"
    return NotProven(f"--tolerance {tolerance:g}: {known} can be proven after {sweeps} sweeps; ask for no less")


def certify(
    values: np.ndarray,
    weights: np.ndarray,
    beyond: Callable[[Certificate], float],
    d: float,
    *,
    doublings: int,
    stretches: Sequence[float] = (1.0,),
    unit: float = 1.0,
    extra: float = 1.0,
    rounding: float = 0.0,
    sweeps: int = 0,
) -> Certificate | None:
    """The first of some bounds that is proven; None if none of them is.

    `beyond` sweeps both bounds of a certificate once and says how far any of them leaves the old one; not positive:
    proven. The weights that are tried are `stretch * unit * weights + extra`, for each stretch, and then with twice the
    d. `sweeps` were taken before.
    """
    if not (is_finite(values) and is_finite(weights)):  # comparisons with NaN would go unnoticed in compiled sweeps
        return None
    for n in range(doublings):
        for stretch in stretches:
            scale, sweeps = d * 2**n, sweeps + 2
            tried = Certificate(weights, scale * stretch * unit, scale * extra, rounding, sweeps)
            if beyond(tried) <= 0.0:
                return tried
    return None


def is_finite(table: np.ndarray) -> bool:
    """Whether all numbers of a table are; without another table of its size."""
    return bool(np.isfinite(table.min()) and np.isfinite(table.max()))
