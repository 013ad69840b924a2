"""Solves one component that is too large or too hard for Newton's method, and proves it or says why not.

Both bounds are swept with Anderson mixing until they hardly change, and then proven as in `hazard.solving.certify`.
Where that does not succeed they are raised from the least value that the component leads to, and lowered from the
greatest: after any number of such sweeps they still reproduce themselves. Either way they hold only if play must end.

Two threads share the sweeps of a component that is large. Each backs up its half in place, reading what the other
writes: values are only a guess until they are proven, and the proof only reads.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

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


# --- sweeps of a guess -----------------------------------------------------------------------------------------------
class Guess(NamedTuple):
    """A component with one value a node, laid out for sweeps: what lies outside comes after the nodes, in order."""

    values: np.ndarray  # of the nodes, then of what options lead to outside
    share: np.ndarray  # how likely each outcome is
    to: np.ndarray  # where each option leads, among the values
    lengths: np.ndarray  # lengths[k]: nodes that play by each bound is expected to pass from there on; 0 outside


@rule
def lay_out(rows: Any, first: int, size: int, value: Any, guess: Any) -> None:
    """Fill in a guess, but for the values of the nodes."""
    outside, begin, start = size, rows.begin[first], rows.first[first]
    for k in range(first, first + size):
        total = 0.0
        for o in range(rows.first[k], rows.first[k + 1]):
            total += rows.weight[o]
        for o in range(rows.first[k], rows.first[k + 1]):
            guess.share[o - start] = rows.weight[o] / total
        for e in range(rows.begin[k], rows.begin[k + 1]):
            t = rows.target[e]
            if t < 0:
                guess.to[e - begin] = ~t
            else:
                guess.to[e - begin] = outside
                guess.values[outside] = (value[t, LOW] + value[t, HIGH]) / 2.0
                guess.lengths[outside, LOW], guess.lengths[outside, HIGH] = 0.0, 0.0
                outside += 1


@rule
def sweep(rows: Any, first: int, size: int, value: Any, guess: Any, begin: int, end: int) -> float:
    """Back up some nodes in their order, in place; returns the greatest change."""
    change, e, o = 0.0, rows.begin[first + begin], rows.first[first + begin]
    base, start, gains = rows.begin[first], rows.first[first], rows.gain.size > 0
    for k in range(begin, end):
        mean = 0.0
        while o < rows.first[first + k + 1]:
            options = rows.options[o]
            best = guess.values[guess.to[e - base]] + (rows.gain[e] if gains else 0.0)
            for other in range(e + 1, e + abs(options)):
                found = guess.values[guess.to[other - base]] + (rows.gain[other] if gains else 0.0)
                best = max(best, found) if options > 0 else min(best, found)
            mean += guess.share[o - start] * best
            e += abs(options)
            o += 1
        change = max(change, abs(mean - guess.values[k]))
        guess.values[k] = mean
    return change


@rule
def sweep_lengths(rows: Any, first: int, size: int, value: Any, guess: Any, d: float, begin: int, end: int) -> float:
    """Count the nodes that play by each bound is expected to pass before it leaves; returns the greatest change.

    Bounds are d times as far from the values. So of equal choices the one counts by which the bound's own seat is
    quicker, and the other slower.
    """
    change, e, o = 0.0, rows.begin[first + begin], rows.first[first + begin]
    base, start, gains = rows.begin[first], rows.first[first], rows.gain.size > 0
    for k in range(begin, end):
        low, high = 1.0, 1.0
        while o < rows.first[first + k + 1]:
            options = rows.options[o]
            least, most, far_low, far_high = 0.0, 0.0, 0.0, 0.0
            for other in range(e, e + abs(options)):
                to = guess.to[other - base]
                found = guess.values[to] + (rows.gain[other] if gains else 0.0)
                a, b = found - d * guess.lengths[to, LOW], found + d * guess.lengths[to, HIGH]
                if other == e or ((a > least) if options > 0 else (a < least)):
                    least, far_low = a, guess.lengths[to, LOW]
                if other == e or ((b > most) if options > 0 else (b < most)):
                    most, far_high = b, guess.lengths[to, HIGH]
            low += guess.share[o - start] * far_low
            high += guess.share[o - start] * far_high
            e += abs(options)
            o += 1
        change = max(change, abs(low - guess.lengths[k, LOW]), abs(high - guess.lengths[k, HIGH]))
        guess.lengths[k, LOW], guess.lengths[k, HIGH] = low, high
    return change


# --- sweeps of bounds ------------------------------------------------------------------------------------------------
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
        self.apart = float((value[out, HIGH] - value[out, LOW]).max()) / 2 if self.exits else 0.0
        self.work = int(options.stop - options.start)
        self.sweeps = int(min(SWEEPS, 1 + MOST_WORK / self.work))  # at most
        half = int(np.searchsorted(rows.begin[first : first + size], rows.begin[first] + self.work // 2))
        self.halves = [(0, half), (half, size)] if size >= SHARED and 0 < half < size else [(0, size)]

    def run(self, function: Any, *more: Any) -> Any:
        return compiled(function)(*self.at, self.room, *more)

    def run_all(self, function: Any, *more: Any) -> float:
        """The most that a function of some of the nodes gives, which threads share."""
        pool = threads() if len(self.halves) > 1 else None
        if pool is None:
            return float(compiled(function)(*self.at, *more, 0, self.at[2]))
        return float(np.max(list(pool.map(lambda part: compiled(function)(*self.at, *more, *part), self.halves))))

    def solve(self, enough: float, begin: np.ndarray | None = None) -> bool:
        """Whether bounds were proven that are close enough; beginning with values that another run has left."""
        if not self.exits:
            return False
        return self._proven(enough, begin) or (not self.gains and self._squeezed(enough))

    def stalling(self) -> int:
        """A node from which play may go on for ever, if both want it; -1 if there is none."""
        return int(compiled(can_stay)(*self.at[:3], JOINT, self.at[3], self.room))

    def _guess(self) -> Guess:
        rows, first, size, _ = self.at
        outcomes = int(rows.first[first + size] - rows.first[first])
        outside = int((rows.target[rows.begin[first] : rows.begin[first + size]] >= 0).sum())
        shape = np.zeros(size + outside), np.zeros(outcomes), np.zeros(self.work, np.int32)
        guess = Guess(*shape, np.ones((size + outside, 2)))
        compiled(lay_out)(*self.at, guess)
        return guess

    def _settle(self, guess: Guess, begin: np.ndarray | None) -> float:
        """Sweep with mixing until the values stay, but for rounding; returns the last change."""
        values = guess.values[: self.at[2]]
        values[:] = (self.least + self.most) / 2 if begin is None else begin
        mixer = Mixer(history=HISTORY_LARGE if values.size > LARGE else HISTORY)
        best, since = np.inf, 0
        for number in range(1, self.sweeps + 1):
            before = values.copy()
            change = self.run_all(sweep, guess)
            best, since = (change, 0) if change < best / 2 else (best, since + 1)
            if change <= 4 * ULP * self.scale or since > SETTLED or not np.isfinite(change):
                break
            self.watch(values)
            mixer.remember(before, values)
            if number > PLAIN:
                mixed = mixer.mixed()
                values[:] = mixed if self.gains else np.clip(mixed, self.least, self.most)
        return float(change)

    def _proven(self, enough: float, begin: np.ndarray | None) -> bool:
        guess = self._guess()
        change = self._settle(guess, begin)
        if not np.isfinite(change):
            return False
        d, size = max(change, 4 * ULP * self.scale), self.at[2]
        self._count_lengths(guess, d, enough)
        values, lengths = guess.values[:size, None], guess.lengths[:size]

        def leaves(tried: Certificate) -> float:
            self.room.bounds[:] = values + (self.apart + tried.width(lengths)) * OUTWARD
            return self.run_all(beyond, self.room)

        proof = certify(values, lengths, leaves, d, doublings=20, stretches=(1.0, 4.0))
        return proof is not None and self._close(enough) and bool(self.run(must_end))

    def _count_lengths(self, guess: Guess, d: float, enough: float) -> None:
        """How long play takes by each bound; given up where that grows too long to prove anything.

        They need not be right: half a node to spare in every backup is enough.
        """
        for _ in range(self.sweeps):
            if self.run_all(sweep_lengths, guess, d) <= 0.5 or d * guess.lengths.max() > enough:
                break

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
