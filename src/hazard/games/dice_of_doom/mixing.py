"""Sweeps that converge: Anderson's method on the few values that still move.

After some sweeps nearly all values of Dice of Doom are settled. What is left are stand-offs, in which each side throws
away one weak attack a turn; they settle by only a few percent a sweep. So of a large table the values that change most
are picked out, and for them the last sweeps are mixed so that their changes cancel best. The others are just swept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PLAIN, PLAIN_LARGE = 15, 30  # sweeps before the first values are picked
HISTORY = 8  # sweeps that are mixed
RENEWED = 25  # sweeps after which values are picked anew
ROOM = 4_000_000  # values that are picked, at most
SHARE = 0.02  # of the greatest change, above which a value of a large table is picked
Swept = tuple[float, np.ndarray, np.ndarray]  # the greatest change; places that changed by more than asked; from what


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
        right = np.array([turn @ change for turn in self.turns])
        factors = np.linalg.lstsq(self.gram, right, rcond=1e-14)[0]
        for factor, move in zip(factors, self.moves, strict=True):
            after = after - factor * move
        return after

    def _remember(self, turn: np.ndarray, move: np.ndarray) -> None:
        if len(self.turns) == HISTORY:
            del self.turns[0], self.moves[0]
            self.gram = self.gram[1:, 1:]
        self.turns.append(turn)
        self.moves.append(move)
        row = np.array([turn @ other for other in self.turns])
        wider = np.pad(self.gram, (0, 1))
        wider[-1], wider[:, -1] = row, row
        self.gram = wider


def converge(
    values: np.ndarray,
    sweep: Callable[[float], Swept],
    enough: float,
    most: int,
    say: Callable[[int, float], None],
    top: float = np.inf,
    accelerated: bool = True,
) -> tuple[int, float]:
    """Sweep until no value changes by more than `enough`, or `most` times; the number of sweeps and the last change.

    `sweep(limit)` sweeps `values` in place. Mixed values are kept between 0 and `top`.
    """
    flat, mixer, change, since = values.reshape(-1), None, 1.0, 0
    large = flat.size > ROOM
    plain, renewed, share = (PLAIN_LARGE, RENEWED, SHARE) if large else (PLAIN, most, 0.0)
    for number in range(1, most + 1):
        renew = accelerated and number >= plain and (mixer is None or since >= renewed)
        before = flat[mixer.places].astype(np.float64) if mixer and not renew else None
        change, places, old = sweep(share * change if renew else np.inf)
        say(number, change)
        if change <= enough:
            return number, change
        if renew:
            places, old = _strongest(flat, places, old)
            mixer, before, since = Mixer(places), old, 0
        if mixer is not None and before is not None:
            mixed = mixer.mix(before, flat[mixer.places].astype(np.float64))
            flat[mixer.places] = np.clip(mixed, 0.0, top)
            since += 1
    return most, change


def _strongest(flat: np.ndarray, places: np.ndarray, old: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places that changed most, as many as there is room for."""
    if len(places) <= ROOM:
        return places, old
    change = np.abs(flat[places] - old)
    kept = np.argpartition(change, len(places) - ROOM)[len(places) - ROOM :]
    kept.sort()
    return places[kept], old[kept]
