"""The best average reward of a renewal problem, in exact fractions.

Situations are drawn again and again, each with its own probability. Every option of a situation earns a reward and
takes some time. The gain is the most that can be earned per unit of time in the long run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Option(NamedTuple):
    """One thing to do in a situation."""

    reward: Fraction | int
    duration: Fraction | int  # more than 0


class Situation(NamedTuple):
    """Something that comes up with some probability and leaves a choice of options."""

    probability: Fraction
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Average:
    """The gain, and what every option costs against the best one."""

    gain: Fraction
    costs: tuple[tuple[Fraction, ...], ...]  # costs[i][k]: what option k of situation i gives away; 0 if it is best

    @property
    def policy(self) -> tuple[int, ...]:
        """For each situation the number of its first best option."""
        return tuple(costs.index(0) for costs in self.costs)

    @property
    def margins(self) -> tuple[Fraction | None, ...]:
        """For each situation what the second best option gives away: 0 for a tie, None without a choice."""
        return tuple(sorted(costs)[1] if len(costs) > 1 else None for costs in self.costs)


def gain_of(situations: Sequence[Situation], policy: Sequence[int]) -> Fraction:
    """What a policy earns per unit of time: its expected reward divided by its expected duration."""
    reward, duration = Fraction(0), Fraction(0)
    for (probability, options), choice in zip(situations, policy, strict=True):
        reward += probability * options[choice].reward
        duration += probability * options[choice].duration
    return reward / duration


def maximise(situations: Sequence[Situation]) -> Average:
    """The gain g that solves sum p * max(reward - g * duration) = 0.

    Newton's method from below: each step takes the best options at the gain so far, and then their own gain. That
    never falls, there are finitely many policies, and where it stays the equation holds.
    """
    _check(situations)
    gain = gain_of(situations, [0] * len(situations))
    while True:
        average = Average(gain, tuple(_costs(s.options, gain) for s in situations))
        better = gain_of(situations, average.policy)
        if better == gain:
            return average
        gain = better


def _costs(options: Sequence[Option], gain: Fraction) -> tuple[Fraction, ...]:
    worth = [option.reward - gain * option.duration for option in options]
    return tuple(max(worth) - w for w in worth)


def _check(situations: Sequence[Situation]) -> None:
    if sum(s.probability for s in situations) != 1 or any(s.probability < 0 for s in situations):
        raise ValueError("the probabilities of the situations must add up to exactly 1")
    for i, s in enumerate(situations):
        if not s.options or any(option.duration <= 0 for option in s.options):
            raise ValueError(f"situation {i}: must have options, each with a duration above 0")
