"""Sweeps that converge: Anderson's method on the few values that still move.

After some sweeps nearly all values of Dice of Doom are settled. What is left are stand-offs, in which each side throws
away one weak attack a turn; they settle by only a few percent a sweep. So of a large table the values that change most
are picked out, and for them the last sweeps are mixed so that their changes cancel best. The others are just swept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PLAIN, PLAIN_LARGE = 15, 18  # sweeps before the first values are picked
HISTORY = 8  # sweeps that are mixed
LOOKED = 6  # sweeps in which a large table is searched for values that move
RENEWED = 25  # sweeps after which values are picked anew, at most
SMALL = 1_000_000  # values that are all mixed
SHARE = 0.02  # of the greatest change, above which a value of a large table is picked
Swept = tuple[float, np.ndarray]  # the greatest change; places that changed by more than asked


class Mixer:
    """Mixes the last sweeps of some picked values."""

    def __init__(self, places: np.ndarray) -> None:
        self.places = places
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # the last sweep's start and change
        self.turns: list[np.ndarray] = []  # how changes differ from one sweep to the next
        self.moves: list[np.ndarray] = []  # and how results do
        self.gram = np.zeros((0, 0))  # products of every two turns

    def mix(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """What to put in the picked places, after a sweep has taken them from `before` to `after`."""
        change = after - before
        if self.last is not None:
            self._remember(change - self.last[1], after - self.last[0] - self.last[1])
        self.last = before, change
        if not self.turns:
            return after
        right = np.array([_product(turn, change) for turn in self.turns])
        factors = np.linalg.lstsq(self.gram, right, rcond=1e-14)[0]
        for factor, move in zip(factors, self.moves, strict=True):
            after -= factor * move
        return after

    def _remember(self, turn: np.ndarray, move: np.ndarray) -> None:
        if len(self.turns) == HISTORY:
            del self.turns[0], self.moves[0]
            self.gram = self.gram[1:, 1:]
        self.turns.append(turn.astype(np.float32))
        self.moves.append(move.astype(np.float32))
        row = np.array([_product(self.turns[-1], other) for other in self.turns])
        wider = np.pad(self.gram, (0, 1))
        wider[-1], wider[:, -1] = row, row
        self.gram = wider


def _product(a: np.ndarray, b: np.ndarray) -> float:
    """The sum of products in double precision, part by part to save memory."""
    parts = range(0, len(a), 1 << 20)
    return sum(float(a[n : n + (1 << 20)].astype(np.float64) @ b[n : n + (1 << 20)]) for n in parts)


class Picker:
    """Chooses the values that are mixed, from those that changed most in each of the last sweeps.

    A stand-off goes through several positions until it is where it was, and a sweep takes a change only from one to the
    next; so one sweep alone does not show all that move.
    """

    def __init__(self, flat: np.ndarray, begin: int, small: int) -> None:
        self.large, self.size = flat.size > small, flat.size
        self.due = max(PLAIN_LARGE if self.large else PLAIN, begin)  # the sweep after which values are picked
        self.some: list[np.ndarray] = []
        self.picked, self.until = 1.0, 0  # the change when they were picked, and the last sweep they are mixed in

    def looks(self, number: int) -> bool:
        return self.due - (LOOKED if self.large else 1) < number <= self.due

    def pick(self, number: int, change: float, places: np.ndarray) -> Mixer | None:
        """Note what a sweep has changed; after the last of them, mix. Of a small table all values are mixed."""
        if not self.large:
            return Mixer(np.arange(self.size))
        self.some.append(places)
        if number < self.due:
            return None
        chosen, self.some = np.unique(np.concatenate(self.some)), []
        self.picked, self.until = change, number + RENEWED
        return Mixer(chosen)

    def is_done(self, number: int, change: float) -> bool:
        """Whether values have to be picked anew: those that were not picked move as much by now, or it takes long."""
        if not self.large or (number < self.until and change > 4 * SHARE * self.picked):
            return False
        self.due = number + LOOKED
        return True


def converge(
    values: np.ndarray,
    sweep: Callable[[float], Swept],
    enough: float,
    most: int,
    say: Callable[[int, float], None],
    top: float = np.inf,
    mixed: bool = True,
    done: int = 0,
    small: int | None = None,
) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`, or `most` times; the number of sweeps and the last change.

    `sweep(limit)` sweeps `values` in place. Mixed values are kept between 0 and `top`. Sweeps `done` before count. Up
    to `small` values are all mixed.
    """
    flat, change = values.reshape(-1), 1.0
    picker, mixer = Picker(flat, done + LOOKED, SMALL if small is None else small), None
    for number in range(done + 1, most + 1):
        looking = mixed and mixer is None and picker.looks(number)
        before = None if mixer is None else flat[mixer.places].astype(np.float64)
        change, places = sweep(SHARE * change if looking and picker.large else np.inf)
        say(number, change)
        if change <= enough:
            return number, change
        if looking:
            mixer = picker.pick(number, change, places)
        elif mixer is not None and before is not None:
            values_ = mixer.mix(before, flat[mixer.places].astype(np.float64))
            flat[mixer.places] = np.clip(values_, 0.0, top)
            mixer = None if picker.is_done(number, change) else mixer
    return most, change
