"""Koole's problem in exact fractions: with n armies at stake, how many dice should the defender roll?

The attacker always rolls all dice and shows them; both sides have armies to spare. V_n is the most that the attacker
can be made to lose of the n armies (Koole, "An Optimal Dice Rolling Policy for Risk", 1994). For large n the best
answers are those that maximise the attacker's loss per army.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import NamedTuple

from hazard.dice import rolls, top_rolls
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.solving.average import Average, Option, Situation, gain_of, maximise

Choices = tuple[tuple[int, ...], ...]  # for each roll of the attacker the numbers of dice that are best


@rule
def second_die_rule(second: int, most: int) -> int:
    """Koole's rule: two dice if and only if the attacker's second die is at most three; a lone die counts as 0."""
    return min(2, most) if second <= 3 else 1


def held(attack: tuple[int, ...], defence: tuple[int, ...]) -> int:
    """How many armies the attacker loses: dice are compared highest to highest, and the defender wins ties."""
    return sum(d >= a for a, d in zip(attack, defence, strict=False))


class Roll(NamedTuple):
    """A roll of the attacker, and what it will cost him."""

    faces: tuple[int, ...]  # the dice that can be compared, highest first
    probability: Fraction
    losses: tuple[Fraction, ...]  # losses[j - 1]: his expected loss against j dice

    @property
    def text(self) -> str:
        return "-".join(map(str, self.faces))


class Settled(NamedTuple):
    """From which stake on the best answers are those of the limit."""

    checked: int  # the largest stake looked at
    last: int  # the last stake up to there with other answers, 0 if none
    proven: int | None  # a stake from which the answers provably never change, None if there is no proof

    @property
    def since(self) -> int | None:
        """The first stake from which nothing changes any more, if that is proven."""
        return self.last + 1 if self.proven is not None else None


@dataclass(frozen=True)
class Problem:
    """Koole's problem for some dice."""

    attack_dice: int = 3
    defend_dice: int = 2
    sides: int = 6

    def __post_init__(self) -> None:
        if min(self.attack_dice, self.defend_dice) < 1 or self.sides < 2:
            raise BadInput(f"{self}: there must be at least one die on each side, and two sides on a die")

    @cached_property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll of the attacker as far as it is compared."""
        every = self.sides**self.attack_dice
        found = top_rolls(self.attack_dice, self.defend_dice, self.sides)
        return tuple(Roll(faces, Fraction(weight, every), self._losses(faces)) for faces, weight in found)

    def _losses(self, faces: tuple[int, ...]) -> tuple[Fraction, ...]:
        return tuple(
            Fraction(sum(w * held(faces, dice) for dice, w in rolls(j, self.sides)), self.sides**j)
            for j in range(1, self.defend_dice + 1)
        )

    def removed(self, dice: int) -> int:
        """How many armies fall on both sides together when the defender rolls this many dice."""
        return min(dice, self.attack_dice)

    # --- the limit ---------------------------------------------------------------------------------------------
    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """The problem without end: what is earned are the attacker's losses, what is spent are armies."""
        return tuple(
            Situation(roll.probability, tuple(Option(x, self.removed(j)) for j, x in enumerate(roll.losses, 1)))
            for roll in self.rolls
        )

    @cached_property
    def limit(self) -> Average:
        """The attacker's loss per army, and the answers that maximise it."""
        return maximise(self.situations)

    @cached_property
    def limit_best(self) -> Choices:
        return tuple(tuple(j for j, cost in enumerate(costs, 1) if cost == 0) for costs in self.limit.costs)

    def always(self, dice: int) -> Fraction:
        """The attacker's loss per army if the defender always rolls this many dice."""
        if not 1 <= dice <= self.defend_dice:
            raise BadInput(f"{dice} dice: the defender rolls from 1 to {self.defend_dice}")
        return gain_of(self.situations, [dice - 1] * len(self.rolls))

    # --- a stake of n armies -----------------------------------------------------------------------------------
    def stakes(self, most: int) -> Stakes:
        """V_0 to V_most with their best answers.

        V_n is kept as a whole number over denominator * weight**n, so that comparing takes no divisions.
        """
        weight, denominator = self.sides**self.attack_dice, self.sides**self.defend_dice
        weights = [int(roll.probability * weight) for roll in self.rolls]
        losses = [[int(x * denominator) for x in roll.losses] for roll in self.rolls]
        numerators, best, scale = [0], [], 1  # scale is weight**(n - 1)
        for n in range(1, most + 1):
            options = range(1, min(self.defend_dice, n) + 1)
            later = [numerators[n - self.removed(j)] * weight ** (self.removed(j) - 1) for j in options]
            worth = [[x * scale + v for x, v in zip(row, later, strict=False)] for row in losses]
            numerators.append(sum(w * max(row) for w, row in zip(weights, worth, strict=True)))
            best.append(tuple(tuple(j for j in options if row[j - 1] == max(row)) for row in worth))
            scale *= weight
        return Stakes(self, tuple(numerators), tuple(best))

    def settled(self, most: int = 100) -> Settled:
        """When the best answers settle.

        Let h_n = V_n - g * n. Each h_n is an average of best choices among the h before it, so it stays within their
        range, and the range of the last few h never grows. Once that is less than any mistake costs in the limit, the
        best answers are those of the limit for good.
        """
        stakes, margin = self.stakes(most), self._margin()
        last = max((n for n in range(1, most + 1) if stakes.best_at(n) != self.limit_best), default=0)
        for n in range(self.defend_dice, most + 1):
            recent = [stakes.value(k) - self.limit.gain * k for k in range(n - self.removed(self.defend_dice), n)]
            if max(recent) - min(recent) < margin:
                return Settled(most, last, n)
        return Settled(most, last, None)

    def _margin(self) -> Fraction | float:
        """The least cost of a mistake in the limit; 0 if answers tie there that remove different numbers of armies."""
        if any(len({self.removed(j) for j in best}) > 1 for best in self.limit_best):
            return 0
        return min((cost for costs in self.limit.costs for cost in costs if cost), default=inf)


@dataclass(frozen=True)
class Stakes:
    """V_0, V_1, ... and the best answers for each stake."""

    problem: Problem
    numerators: tuple[int, ...]
    best: tuple[Choices, ...]  # best[n - 1] for a stake of n

    def value(self, n: int) -> Fraction:
        """V_n, the most that the attacker can be made to lose on average."""
        p = self.problem
        return Fraction(self.numerators[n], p.sides ** (p.defend_dice + p.attack_dice * n))

    def best_at(self, n: int) -> Choices:
        """For each roll the best numbers of dice with n armies at stake; several if they tie."""
        return self.best[n - 1]

    def costs(self, n: int, roll: int) -> tuple[Fraction, ...]:
        """What each number of dice gives away against a roll with n armies at stake."""
        p = self.problem
        losses = p.rolls[roll].losses[:n]
        worth = [x + self.value(n - p.removed(j)) for j, x in enumerate(losses, 1)]
        return tuple(max(worth) - w for w in worth)

    def departures(self, n: int) -> dict[str, tuple[int, ...]]:
        """The rolls whose best answers are not those of the limit."""
        rows = zip(self.problem.rolls, self.best_at(n), self.problem.limit_best, strict=True)
        return {roll.text: best for roll, best, limit in rows if best != limit}
