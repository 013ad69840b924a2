"""Sweeps of a table until it settles, by Anderson's method: the last sweeps are mixed so that their changes cancel."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PLAIN = 12  # sweeps before the first are mixed
HISTORY, HISTORY_LARGE = 8, 3  # sweeps that are mixed
LARGE = 4_000_000  # values of a table of which fewer sweeps are kept


def settle(
    values: np.ndarray, sweep: Callable[[], None], enough: float, most: int, say: Callable[[int], None], top: float
) -> tuple[int, float]:
    """Sweep in place until nothing changes by more than `enough`; the number of sweeps and the last change."""
    flat, change = values.reshape(-1), np.inf
    turns: list[np.ndarray] = []  # how changes differ from one sweep to the next
    moves: list[np.ndarray] = []  # and how results do
    last: tuple[np.ndarray, np.ndarray] | None = None
    for number in range(1, most + 1):
        before = flat.copy()
        sweep()
        say(number)
        moved = flat - before
        change = float(np.abs(moved).max())
        if change <= enough:
            return number, change
        if last is not None:
            _keep(turns, moved - last[1], flat.size)
            _keep(moves, flat - last[0], flat.size)
        last = flat.copy(), moved
        if number > PLAIN:
            flat[:] = np.clip(_mixed(flat, moved, turns, moves), 0.0, top)
    return most, change


def _keep(history: list[np.ndarray], new: np.ndarray, size: int) -> None:
    history.append(new)
    if len(history) > (HISTORY_LARGE if size > LARGE else HISTORY):
        del history[0]


def _mixed(after: np.ndarray, moved: np.ndarray, turns: list[np.ndarray], moves: list[np.ndarray]) -> np.ndarray:
    """What a sweep's result becomes once the mix of earlier changes that best cancels its own is taken away."""
    products = np.array([[a @ b for b in turns] for a in turns])
    factors = np.linalg.lstsq(products, np.array([turn @ moved for turn in turns]), rcond=1e-14)[0]
    for factor, move in zip(factors, moves, strict=True):
        after = after - factor * move
    return after
