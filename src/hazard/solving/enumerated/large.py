"""Solves one component that is too large or too hard for Newton's method, and proves it or says why not.

Both bounds are swept with Anderson mixing until they hardly change, and then proven as in `hazard.solving.certify`.
Where that does not succeed they are raised from the least value that the component leads to, and lowered from the
greatest: after any number of such sweeps they still reproduce themselves. Either way they hold only if play must end.

Two threads share the sweeps of a component that is large. Each backs up its half in place, reading what the other writes:
values are only a guess until they are proven, and the proof only reads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from hazard.jit import bind, enabled, rule
from hazard.solving.certify import Certificate, certify
from hazard.solving.enumerated.components import (
    HIGH,
    JOINT,
    LOW,
    ULP,
    Room,
    back_up,
    can_stay,
    chosen,
    must_end,
)
from hazard.solving.enumerated.search import Rows
from hazard.solving.mixing import HISTORY, HISTORY_LARGE, LARGE, PLAIN, Mixer

SWEEPS, MOST_WORK = 30_000, 4e11  # sweeps of a component, and options looked at in all of them
MOST_AT_ONCE = 1e8  # options that one call looks at
SETTLED = 200  # sweeps without progress after which rounding is to blame
SHARED = 1 << 15  # nodes of a component whose sweeps threads share
OUTWARD = np.array([-1.0, 1.0])
LABEL = "enumerated"  # code that is the same for all games


def compiled(function: Any) -> Any:
    """Code over rows, which no game's rules are part of."""
    return bind(function, LABEL, {}, enabled())


# --- sweeps ----------------------------------------------------------------------------------------------------------
@rule
def sweep(rows: Any, first: int, size: int, value: Any, room: Any, begin: int, end: int) -> float:
    """Back up some nodes in their order, in place; returns the greatest change."""
    change = 0.0
    for k in range(begin, end):
        low, high = room.bounds[k, LOW], room.bounds[k, HIGH]
        back_up(rows, first + k, value, room, 0, room.bounds[k], room.guess)
        change = max(change, abs(room.bounds[k, LOW] - low), abs(room.bounds[k, HIGH] - high))
    return change


@rule
def sweep_lengths(rows: Any, first: int, size: int, value: Any, room: Any) -> float:
    """For each side the number of nodes that play by its bound is expected to pass before it leaves, in `slopes`.

    Returns the greatest relative change.
    """
    change = 0.0
    for k in range(size):
        for side in range(2):
            e, total, length = rows.begin[first + k], 0.0, 0.0
            for o in range(rows.first[first + k], rows.first[first + k + 1]):
                inside = ~rows.target[chosen(rows, e, rows.options[o], side, value, room)]
                total += rows.weight[o]
                length += rows.weight[o] * room.slopes[2 * inside + side] if inside >= 0 else 0.0
                e += abs(rows.options[o])
            length = 1.0 + length / total
            change = max(change, abs(length - room.slopes[2 * k + side]) / length)
            room.slopes[2 * k + side] = length
    return change


@rule
def beyond(rows: Any, first: int, size: int, value: Any, room: Any, begin: int, end: int) -> float:
    """How far one more backup leaves some bounds, at most; not positive if they reproduce themselves."""
    most, out = -np.inf, room.after[min(begin, 1)]
    for k in range(begin, end):
        back_up(rows, first + k, value, room, 0, out, room.guess)
        if not (np.isfinite(out[LOW]) and np.isfinite(out[HIGH])):
            return np.inf
        if not (np.isfinite(room.bounds[k, LOW]) and np.isfinite(room.bounds[k, HIGH])):
            return np.inf
        most = max(most, room.bounds[k, LOW] - out[LOW], out[HIGH] - room.bounds[k, HIGH])
    return most


@rule
def narrow(rows: Any, first: int, size: int, value: Any, room: Any, sweeps: int, enough: float) -> bool:
    """Raise lower and lower upper bounds, until they are close enough; returns whether nothing changes any more."""
    for _ in range(sweeps):
        changed, gap = False, 0.0
        for k in range(size):
            back_up(rows, first + k, value, room, 0, room.after[0], room.guess)
            if room.after[0, LOW] > room.bounds[k, LOW]:
                room.bounds[k, LOW] = room.after[0, LOW]
                changed = True
            if room.after[0, HIGH] < room.bounds[k, HIGH]:
                room.bounds[k, HIGH] = room.after[0, HIGH]
                changed = True
            gap = max(gap, room.bounds[k, HIGH] - room.bounds[k, LOW])
        if not changed or gap <= enough:
            return True
    return False


def room_for(size: int, heads: int = 1, slopes: int | None = None) -> Room:
    """Room for components of that many nodes and heads."""
    return Room(
        np.zeros((size, 2)),
        np.zeros(2 * size if slopes is None else slopes),
        np.zeros(size, np.int32),
        np.zeros(heads, np.int64),
        np.zeros((heads, 2)),
        np.zeros((heads, heads)),
        np.zeros((heads, 3)),
        np.zeros(size, np.int8),
        np.full(1, np.nan),
        np.zeros(2, np.int64),
    )


# --- one component ---------------------------------------------------------------------------------------------------
@cache
def threads() -> ThreadPoolExecutor | None:
    """Two threads, if there are cores for them."""
    return ThreadPoolExecutor(2) if len(os.sched_getaffinity(0)) > 1 else None


class Component:
    """A component of the stream. `watch` is called after every sweep, and may raise."""

    def __init__(
        self,
        rows: Rows,
        first: int,
        size: int,
        value: np.ndarray,
        scale: float,
        watch: Callable[[np.ndarray | None], None] = lambda bounds: None,
    ) -> None:
        self.at, self.room, self.scale, self.watch = (rows, first, size, value), room_for(size, 2), scale, watch
        options = slice(rows.begin[first], rows.begin[first + size])
        self.gains = bool(rows.gain.size) and bool(rows.gain[options].any())
        out = rows.target[options][rows.target[options] >= 0]
        self.exits = len(out) > 0
        self.least = float(value[out, LOW].min()) if self.exits else 0.0
        self.most = float(value[out, HIGH].max()) if self.exits else 0.0
        self.work = int(options.stop - options.start)
        self.sweeps = int(min(SWEEPS, 1 + MOST_WORK / self.work))  # at most
        half = int(np.searchsorted(rows.begin[first : first + size], rows.begin[first] + self.work // 2))
        self.halves = [(0, half), (half, size)] if size >= SHARED and 0 < half < size else [(0, size)]

    def run(self, function: Any, *more: Any) -> Any:
        return compiled(function)(*self.at, self.room, *more)

    def run_all(self, function: Any) -> float:
        """The most that a function of some of the nodes gives, which threads share."""
        pool = threads()
        if pool is None or len(self.halves) == 1:
            return float(self.run(function, 0, self.at[2]))
        return float(np.max(list(pool.map(lambda part: self.run(function, *part), self.halves))))

    def solve(self, enough: float, begin: np.ndarray | None = None) -> bool:
        """Whether bounds were proven that are close enough; beginning with some that another run has left."""
        if not self.exits:
            return False
        return self._proven(self._settle(begin), enough) or (not self.gains and self._squeezed(enough))

    def stalling(self) -> int:
        """A node from which play may go on for ever, if both want it; -1 if there is none."""
        return int(compiled(can_stay)(*self.at[:3], JOINT, self.at[3], self.room))

    def _settle(self, begin: np.ndarray | None) -> float:
        """Sweep with mixing until the bounds stay, but for rounding; returns the last change."""
        bounds = self.room.bounds.reshape(-1)
        bounds[:] = (self.least + self.most) / 2 if begin is None else begin.reshape(-1)
        mixer = Mixer(history=HISTORY_LARGE if bounds.size > LARGE else HISTORY)
        best, since = np.inf, 0
        for number in range(1, self.sweeps + 1):
            before = bounds.copy()
            change = self.run_all(sweep)
            best, since = (change, 0) if change < best / 2 else (best, since + 1)
            if change <= 4 * ULP * self.scale or since > SETTLED or not np.isfinite(change):
                break
            self.watch(self.room.bounds)
            mixer.remember(before, bounds)
            if number > PLAIN:
                mixed = mixer.mixed()
                bounds[:] = mixed if self.gains else np.clip(mixed, self.least, self.most)
        return float(change)

    def _proven(self, change: float, enough: float) -> bool:
        if not np.isfinite(change):
            return False
        values, d = self.room.bounds.copy(), max(change, 4 * ULP * self.scale)
        lengths = self._lengths(values, d, enough)

        def leaves(tried: Certificate) -> float:
            self.room.bounds[:] = values + tried.width(lengths) * OUTWARD
            return self.run_all(beyond)

        proof = certify(values, lengths, leaves, d, doublings=20, stretches=(1.0, 4.0))
        return proof is not None and self._close(enough) and bool(self.run(must_end))

    def _lengths(self, values: np.ndarray, d: float, enough: float) -> np.ndarray:
        """How long play takes by each bound; of equal choices, the one counts by which the bound's own seat is quicker.

        They need not be right, and are given up where they grow too long to prove anything.
        """
        lengths = self.room.slopes.reshape(-1, 2)
        lengths[:] = 1.0
        for _ in range(self.sweeps):
            self.room.bounds[:] = values + d * lengths * OUTWARD
            if self.run(sweep_lengths) <= 1e-3 or d * lengths.max() > enough:
                break
        return lengths

    def _squeezed(self, enough: float) -> bool:
        self.room.bounds[:, LOW], self.room.bounds[:, HIGH] = self.least, self.most
        each = 1 + int(MOST_AT_ONCE / self.work)
        for _ in range(0, self.sweeps, each):  # not all in one call, which could not be interrupted
            self.watch(None)
            if self.run(narrow, each, enough):
                break
        return self._close(enough) and bool(self.run(must_end))

    def _close(self, enough: float) -> bool:
        return float((self.room.bounds[:, HIGH] - self.room.bounds[:, LOW]).max()) <= enough
