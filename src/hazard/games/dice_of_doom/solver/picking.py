"""Sweeps of a board's table until it settles, with Anderson mixing of the values that still move.

After some sweeps nearly all values of Dice of Doom are settled. What is left are stand-offs, in which each side throws
away one weak attack a turn; they settle by only a few percent a sweep. So of a large table only the values that change
most are mixed; the others are just swept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hazard.solving.mixing import Mixer

PLAIN, PLAIN_LARGE = 15, 18  # sweeps before the first values are picked, of a small table and of a large one
LOOKED = 6  # sweeps in which a large table is searched for values that move
RENEWED = 25  # sweeps after which values are picked again, at most
SMALL = 1_000_000  # values of a table that are all mixed, at most
SHARE = 0.02  # of the greatest change, above which a value is picked
Swept = tuple[float, np.ndarray]  # the greatest change of a sweep; places that changed by more than a limit


class Picker:
    """Chooses the values that are mixed: all of a small table; of a large one those that changed most.

    A stand-off goes through several positions until it is where it was, and a sweep takes a change only from one to the
    next. One sweep does not show all that move, so several are looked at.
    """

    def __init__(self, large: bool, done: int) -> None:
        self.large, self.mixer = large, None  # type: tuple[bool, Mixer | None]
        self.due = max(PLAIN_LARGE if large else PLAIN, done + LOOKED)  # the sweep after which values are picked
        self.seen: list[np.ndarray] = []  # places that changed much in the last sweeps
        self.picked, self.until = 1.0, 0  # the change when values were picked, and the last sweep they are mixed in

    def limit(self, number: int, change: float) -> float:
        """Changes above this are to be noted in a sweep, by the change of the one before."""
        looks = self.large and self.mixer is None and self.due - LOOKED < number <= self.due
        return SHARE * change if looks else np.inf

    def note(self, number: int, change: float, places: np.ndarray) -> None:
        """Take note of what a sweep has changed; pick values when it is time, or let go of those picked before."""
        if self.mixer is None:
            self.seen.append(places)
            if number == self.due:
                self.mixer = Mixer(np.unique(np.concatenate(self.seen)) if self.large else slice(None))
                self.seen, self.picked, self.until = [], change, number + RENEWED
        elif self.large and (number >= self.until or change <= 4 * SHARE * self.picked):
            self.mixer, self.due = None, number + LOOKED  # others move as much by now, or it takes long


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
    picker = Picker(flat.size > (SMALL if small is None else small), done)
    for number in range(done + 1, most + 1):
        mixer = picker.mixer if mixed else None
        before = None if mixer is None else flat[mixer.places].astype(np.float64)
        change, places = sweep(picker.limit(number, change) if mixed else np.inf)
        say(number, change)
        if change <= enough:
            return number, change
        if mixer is not None and before is not None:
            mixer.remember(before, flat[mixer.places].astype(np.float64))
            flat[mixer.places] = np.clip(mixer.mixed(), 0.0, top)
        picker.note(number, change, places)
    return most, change
