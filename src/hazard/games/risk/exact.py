"""The whole battle in exact numbers: by the Dutch rule, with an attacker who never stops.

The value of a armies against d is a whole number over one denominator for all battles of a + d armies, so that the
defender's choices are compared without rounding and ties are ties. The battle stands here a second time, beside
`rules`, on purpose: nothing is shared with the compiled game but the dice, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from hazard.dice import rolls, top_rolls
from hazard.errors import BadInput
from hazard.games.risk.koole import held, second_die_rule

Faces = tuple[int, ...]
# What the attacker has at the end and the defender wants to keep small, from the armies left on both sides.
OBJECTIVES: dict[str, Callable[[int, int], int]] = {
    "hold": lambda a, d: int(d == 0),
    "difference": lambda a, d: a - d,
    "losses": lambda a, d: a,
}


@cache
def outcomes(attack: int, defend: int, sides: int, faces: Faces) -> tuple[int, ...]:
    """In how many rolls of the defender's dice the attacker, showing these faces, loses 0, 1, ... armies."""
    found = [0] * (min(attack, defend) + 1)
    for dice, weight in rolls(defend, sides):
        found[held(faces, dice)] += weight
    return tuple(found)


@dataclass(frozen=True)
class Battles:
    """Every battle up to some armies on both sides, solved."""

    attackers: int
    defenders: int
    objective: str
    attack_dice: int
    defend_dice: int
    sides: int
    numerators: list[list[int]]  # numerators[a][d] over unit**(a + d)
    best: np.ndarray  # best[a, d, i]: bit j - 1 is set if j dice are best against the i-th roll of `attacks(a)`

    @property
    def unit(self) -> int:
        return self.sides ** (self.attack_dice + self.defend_dice)

    def value(self, a: int, d: int) -> Fraction:
        """What the attacker can expect: the probability to conquer, or armies."""
        return Fraction(self.numerators[a][d], self.unit ** (a + d))

    def attacks(self, a: int) -> tuple[tuple[Faces, int], ...]:
        """The rolls of an attacker with a armies as far as they are compared, with their weights."""
        return top_rolls(min(a - 1, self.attack_dice), self.defend_dice, self.sides)

    def answers(self, a: int, d: int) -> dict[Faces, tuple[int, ...]]:
        """For each roll of the attacker the best numbers of dice; several if they tie."""
        options = range(1, min(d, self.defend_dice) + 1)
        return {
            faces: tuple(j for j in options if int(self.best[a, d, i]) >> (j - 1) & 1)
            for i, (faces, _) in enumerate(self.attacks(a))
        }

    def costs(self, a: int, d: int, faces: Faces) -> tuple[Fraction, ...]:
        """What each number of dice gives away against a roll."""
        worth = _worth(self, a, faces, [_after(self, a, d, j) for j in range(1, min(d, self.defend_dice) + 1)])
        scale = self.unit ** (a + d - 1) * self.sides**self.defend_dice
        return tuple(Fraction(w - min(worth), scale) for w in worth)

    def departures(self, a: int, d: int) -> dict[Faces, tuple[int, ...]]:
        """The rolls against which Koole's rule is not among the best answers, with those that are."""
        answers = self.answers(a, d).items()
        return {faces: best for faces, best in answers if koole_dice(faces, d) not in best}

    def ties(self, a: int, d: int) -> list[Faces]:
        """The rolls against which several answers are equally good."""
        return [faces for faces, best in self.answers(a, d).items() if len(best) > 1]

    def chance(self, a: int, faces: Iterable[Faces]) -> Fraction:
        """The probability that the attacker rolls one of these."""
        weights = dict(self.attacks(a))
        return Fraction(sum(weights[f] for f in faces), sum(weights.values()))


def koole_dice(faces: Faces, defenders: int) -> int:
    """The dice that Koole's rule says against a roll."""
    return int(second_die_rule(faces[1] if len(faces) > 1 else 0, defenders))


def battles(
    attackers: int,
    defenders: int,
    objective: str = "hold",
    attack_dice: int = 3,
    defend_dice: int = 2,
    sides: int = 6,
    answer: Callable[[Faces, int], int] | None = None,
) -> Battles:
    """Solve every battle of up to this many armies, from the smallest on.

    The defender does his best, or rolls as many dice as `answer` says against a roll when he has some armies left.
    """
    if objective not in OBJECTIVES:
        raise BadInput(f"objective {objective!r}: must be one of {', '.join(OBJECTIVES)}")
    most = max(len(top_rolls(k, defend_dice, sides)) for k in range(attack_dice + 1))
    table = [[0] * (defenders + 1) for _ in range(attackers + 1)]
    best = np.zeros((attackers + 1, defenders + 1, most), np.uint8)
    solved = Battles(attackers, defenders, objective, attack_dice, defend_dice, sides, table, best)
    powers = [solved.unit**n for n in range(attackers + defenders + 1)]
    for a in range(1, attackers + 1):
        for d in range(defenders + 1):
            ended = a < 2 or d < 1
            table[a][d] = OBJECTIVES[objective](a, d) * powers[a + d] if ended else _exchange(solved, a, d, answer)
    return solved


def _exchange(b: Battles, a: int, d: int, answer: Callable[[Faces, int], int] | None) -> int:
    """The numerator of a against d; the best answers, or those given, are noted."""
    after = [_after(b, a, d, j) for j in range(1, min(d, b.defend_dice) + 1)]
    total = 0
    for i, (faces, weight) in enumerate(b.attacks(a)):
        worth = _worth(b, a, faces, after)
        least = min(worth)
        chosen = [answer(faces, d)] if answer else [j for j, w in enumerate(worth, 1) if w == least]
        total += weight * worth[chosen[0] - 1]
        b.best[a, d, i] = sum(1 << j - 1 for j in chosen)
    return total * b.sides ** max(b.attack_dice - a + 1, 0)


def _worth(b: Battles, a: int, faces: Faces, after: list[list[int]]) -> list[int]:
    """For each number of dice what the attacker can expect of a roll, over the denominator that all have in common."""
    dice = min(a - 1, b.attack_dice)
    counts = (outcomes(dice, j, b.sides, faces) for j in range(1, len(after) + 1))
    return [sum(n * v for n, v in zip(row, later, strict=True)) for row, later in zip(counts, after, strict=True)]


def _after(b: Battles, a: int, d: int, j: int) -> list[int]:
    """Numerators after the defender rolled j dice and the attacker lost 0, 1, ... armies, scaled to compare."""
    pairs = min(j, a - 1, b.attack_dice)
    scale = b.unit ** (pairs - 1) * b.sides ** (b.defend_dice - j)
    return [b.numerators[a - lost][d - pairs + lost] * scale for lost in range(pairs + 1)]
