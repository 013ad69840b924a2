"""A turn of Pickomino in fractions: the best chance of a score, and the tables of risk that simulated trees approach.

Chances of a state with n dice left are whole numbers of parts, 6^(1 + 2 + ... + n) of which make 1: each roll on the
way has fewer dice than the one before.
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
from hazard.games.pickomino.notation import parse_kept
from hazard.games.pickomino.rules import FACES, LOWEST, WORM, number, points, shown
from hazard.games.pickomino.turn.states import COLUMNS, VALUES, faces_of, states_of

ROLLS = FACES  # rolls in a turn, at most: each sets another face aside
Aside = tuple[int, int, int]  # dice left, faces aside as bits, score


@cache
def parts(dice: int) -> int:
    """How many parts make 1 with so many dice left."""
    return FACES ** (dice * (dice + 1) // 2)


@cache
def _counted(dice: int) -> tuple[tuple[tuple[tuple[int, int], ...], int], ...]:
    """All rolls of some dice as pairs of a face and its number of dice, with their weights."""
    return tuple((tuple(Counter(face - 1 for face in roll).items()), weight) for roll, weight in rolls(dice))


def aside_of(kept: int, dice: int) -> Aside:
    return dice - int(number(kept)), int(faces_of(kept)), int(points(kept))


def after(state: Aside, face: int, dice: int) -> Aside:
    """The state once some dice of a face are set aside."""
    left, faces, score = state
    return left - dice, faces | 1 << face, score + dice * VALUES[face]


@dataclass(frozen=True)
class Target:
    """The best chance to stop with a score, or with no less."""

    dice: int
    score: int
    exactly: bool
    _known: dict[Aside, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        made = {score for _, faces, score in states_of(self.dice) if faces >> WORM & 1}
        if self.score > max(made):
            raise BadInput(f"target={self.score}: {self.dice} dice score {max(made)} at most")
        if self.exactly and self.score not in made:
            raise BadInput(f"target={self.score}: no {self.dice} dice with a worm score just that; try exactly=false")

    def hit(self, score: int) -> bool:
        return score == self.score if self.exactly else score >= self.score

    def chance(self, state: Aside) -> Fraction:
        """The chance with these dice just set aside."""
        return Fraction(self._parts(state), parts(state[0]))

    def choices(self, kept: int, rolled: int) -> dict[int, Fraction]:
        """The chance for each face of a roll that can be set aside."""
        state = aside_of(kept, self.dice)
        free = [face for face in range(FACES) if shown(rolled, face) and not shown(kept, face)]
        return {face: self.chance(after(state, face, int(shown(rolled, face)))) for face in free}

    def _parts(self, state: Aside) -> int:
        if state not in self._known:
            left, faces, score = state
            stop = faces >> WORM & 1 and self.hit(score)
            self._known[state] = parts(left) if stop else self._rolled(state) if left else 0
        return self._known[state]

    def _rolled(self, state: Aside) -> int:
        """Each roll counts with its best face."""
        left, faces, _ = state
        worth = {}
        for face in (f for f in range(FACES) if not faces >> f & 1):
            for n in range(1, left + 1):
                worth[face, n] = self._parts(after(state, face, n)) * (parts(left - 1) // parts(left - n))
        return sum(w * max((worth.get(pair, 0) for pair in roll), default=0) for roll, w in _counted(left))


# --- tables of risk ------------------------------------------------------------------------------------------------
@cache
def _risk(state: Aside) -> Any:
    """Expected nodes of a tree that tries every face of each roll, by roll and score, in parts."""
    left, faces, score = state
    table = np.zeros((ROLLS + 1, COLUMNS), object)
    if faces >> WORM & 1 and score >= LOWEST:
        table[0, min(score - LOWEST, COLUMNS - 1)] = parts(left)
    for n in range(1, left + 1):
        weight = comb(left, n) * (FACES - 1) ** (left - n) * (parts(left - 1) // parts(left - n))
        for face in (f for f in range(FACES) if not faces >> f & 1):
            table[1:] += weight * _risk(after(state, face, n))[:-1]
    return table


def risk_fractions(dice: int, kept: str) -> list[list[Fraction]]:
    """The expected table of risk with these dice aside: [n][c] of a tree's nodes are n rolls on with score 21 + c.

    Row 0 is for the dice aside themselves; the last column, 37, for all scores beyond 36.
    """
    state = aside_of(parse_kept(kept, dice), dice)
    return [[Fraction(x, parts(state[0])) for x in row] for row in _risk(state)]


def risk_table(dice: int, kept: str) -> np.ndarray:
    """The same in floats: table[rolls, columns]."""
    state = aside_of(parse_kept(kept, dice), dice)
    return (_risk(state) / parts(state[0])).astype(float)
