"""A turn of Pickomino in fractions: the best chance of a score, and the tables of risk that simulated trees approach.

The compiled turns (`states`) do the same in floating point and over patterns; that both are there lets each check the
other. Chances of a state with n dice left are whole numbers of parts, 6^(1 + 2 + ... + n) of which make 1: each roll on
the way has fewer dice than the one before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from hazard.dice import rolls
from hazard.errors import BadInput
from hazard.games.pickomino.rules import FACES, LOWEST, WORM, number, points, shown
from hazard.games.pickomino.turn.states import faces_of
from hazard.games.pickomino.turn.tables import COLUMNS, Aside, free_faces, is_valid, keep, states_of

ROLLS = FACES  # rolls in a turn, at most: each sets another face aside


@cache
def parts(dice: int) -> int:
    """How many parts make 1 with this many dice left."""
    return FACES ** (dice * (dice + 1) // 2)


@cache
def counted(dice: int) -> tuple[tuple[tuple[tuple[int, int], ...], int], ...]:
    """All rolls of some dice as pairs of a face and its number of dice, with their weights."""
    return tuple((tuple(Counter(face - 1 for face in roll).items()), weight) for roll, weight in rolls(dice))


def aside_of(kept: int, dice: int) -> Aside:
    return dice - int(number(kept)), int(faces_of(kept)), int(points(kept))


@dataclass(frozen=True)
class Target:
    """The best chance to stop with a score, or with no less."""

    dice: int
    score: int
    exactly: bool
    _known: dict[Aside, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scores = {score for _, faces, score in states_of(self.dice) if faces >> WORM & 1}
        if self.score > max(scores):
            raise BadInput(f"target={self.score}: {self.dice} dice score {max(scores)} at most")
        if self.exactly and self.score not in scores:
            raise BadInput(f"target={self.score}: no {self.dice} dice with a worm score just that; try exactly=false")

    @property
    def states(self) -> int:
        """How many states were gone through so far."""
        return len(self._known)

    def hit(self, score: int) -> bool:
        return score == self.score if self.exactly else score >= self.score

    def chance(self, state: Aside) -> Fraction:
        """The chance with these dice just set aside."""
        return Fraction(self._parts(state), parts(state[0]))

    def choices(self, kept: int, rolled: int) -> dict[int, Fraction]:
        """The chance for each face of a roll that can be set aside."""
        state = aside_of(kept, self.dice)
        free = [face for face in free_faces(state) if shown(rolled, face)]
        return {face: self.chance(keep(state, face, int(shown(rolled, face)))) for face in free}

    def _parts(self, state: Aside) -> int:
        """The chance in parts."""
        if state not in self._known:
            left, faces, score = state
            stop = faces >> WORM & 1 and self.hit(score)
            self._known[state] = parts(left) if stop else self._rolled(state) if left else 0
        return self._known[state]

    def _rolled(self, state: Aside) -> int:
        """Each roll counts with its best face."""
        left, worth = state[0], {}
        for face in free_faces(state):
            for n in range(1, left + 1):
                worth[face, n] = self._parts(keep(state, face, n)) * (parts(left - 1) // parts(left - n))
        return sum(w * max((worth.get(pair, 0) for pair in roll), default=0) for roll, w in counted(left))


# --- tables of risk ------------------------------------------------------------------------------------------------
@cache
def _risk(state: Aside) -> Any:
    """Expected nodes of a tree that tries every face of each roll, by roll and score, in parts."""
    left, _, score = state
    table = np.zeros((ROLLS + 1, COLUMNS), object)
    if is_valid(state):
        table[0, min(score - LOWEST, COLUMNS - 1)] = parts(left)
    for n in range(1, left + 1):
        weight = comb(left, n) * (FACES - 1) ** (left - n) * (parts(left - 1) // parts(left - n))
        for face in free_faces(state):
            table[1:] += weight * _risk(keep(state, face, n))[:-1]
    return table


def risk_fractions(state: Aside) -> list[list[Fraction]]:
    """The expected table of risk of a state: [n][c] of a tree's nodes are n rolls on with score 21 + c.

    Row 0 is for the dice aside themselves; the last column, 37, for all scores beyond 36.
    """
    return [[Fraction(x, parts(state[0])) for x in row] for row in _risk(state)]


def risk_table(state: Aside) -> np.ndarray:
    """The same in floats: table[rolls, columns]."""
    return (_risk(state) / parts(state[0])).astype(float)
