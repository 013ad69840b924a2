"""Sweeps that converge faster: Anderson mixing.

A sweep takes values to new ones; the difference is its residual. Anderson's method keeps some of the last sweeps and
combines their results so that the residuals cancel as well as they can, in the sense of least squares.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PLAIN = 12  # sweeps before the first are mixed
HISTORY, HISTORY_LARGE = 8, 3  # sweeps that are remembered
SHORT = 8192  # numbers of a vector that BLAS multiplies in one thread
LARGE = 4_000_000  # values of a table of which fewer sweeps are remembered


class Mixer:
    """Mixes the last sweeps of some values. What it remembers is in single precision, which is enough for factors."""

    def __init__(self, places: np.ndarray | slice = slice(None), history: int = HISTORY) -> None:
        self.places, self.history = places, history  # where the values are in their table
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # result and residual of the last sweep
        self.residuals: list[np.ndarray] = []  # how residuals differ from one sweep to the next
        self.results: list[np.ndarray] = []  # and how results do
        self.gram = np.zeros((0, 0))  # products of every two differences of residuals

    def remember(self, before: np.ndarray, after: np.ndarray) -> None:
        """Take note of a sweep that has taken the values from `before` to `after`."""
        residual = after - before
        if self.last is not None:
            self._add(after - self.last[0], residual - self.last[1])
        self.last = after.copy(), residual

    def _add(self, result: np.ndarray, residual: np.ndarray) -> None:
        if len(self.residuals) == self.history:
            del self.residuals[0], self.results[0]
            self.gram = self.gram[1:, 1:]
        self.residuals.append(residual.astype(np.float32))
        self.results.append(result.astype(np.float32))
        row = np.array([_product(self.residuals[-1], other) for other in self.residuals])
        gram = np.empty((len(row), len(row)))
        gram[:-1, :-1], gram[-1], gram[:, -1] = self.gram, row, row
        self.gram = gram

    def mixed(self) -> np.ndarray:
        """What to go on from, in place of the result of the last sweep."""
        assert self.last is not None
        after, residual = self.last[0].copy(), self.last[1]
        if self.residuals:
            right = np.array([_product(other, residual) for other in self.residuals])
            factors = np.linalg.lstsq(self.gram, right, rcond=1e-14)[0]
            for factor, result in zip(factors, self.results, strict=True):
                after -= factor * result
        return after


def _product(a: np.ndarray, b: np.ndarray) -> float:
    """The scalar product in double precision, in one thread: of long vectors BLAS shares it among threads, which wait
    for each other longer than they work."""
    if len(a) <= SHORT:
        return float(np.dot(a.astype(np.float64), b.astype(np.float64)))
    return float(np.einsum("i,i->", a, b, dtype=np.float64))


def converge(
    values: np.ndarray, sweep: Callable[[], None], enough: float, most: int, say: Callable[[int], None], top: float
) -> tuple[int, float]:
    """Sweep a table in place, mixing all its values, until none changes by more than `enough`, or `most` times.

    Mixed values are kept between 0 and `top`. Returns the number of sweeps and the greatest change of the last.
    """
    flat, change = values.reshape(-1), np.inf
    mixer = Mixer(history=HISTORY_LARGE if flat.size > LARGE else HISTORY)
    for number in range(1, most + 1):
        before = flat.copy()
        sweep()
        say(number)
        change = float(np.abs(flat - before).max())
        if change <= enough:
            return number, change
        mixer.remember(before, flat)
        if number > PLAIN:
            flat[:] = np.clip(mixer.mixed(), 0.0, top)
    return most, change
