"""What games say: intervals, and the sums from which every figure of a tournament is worked out.

A deal is a run of games that share board and dice, in which every place of a line-up sits in every seat once. Games of
one deal hang together, so variances are taken between deals. A `Tally` adds up batches of games and forgets them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np

from hazard.arena.statistics.counting import COUNT, PAID, SQUARES, Sums, count, count_lengths
from hazard.errors import BadInput

Z95 = 1.959963984540054  # standard errors on either side of a 95 % interval
ROUNDING = 1e-12  # of a sum of squares: a variance below that is what rounding leaves of figures that are all alike
Fault = tuple[int, str, str]  # place, reason, last words


def wilson(hits: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share; it stays within 0 and 1 and is honest for rare events."""
    if trials <= 0:
        return 0.0, 1.0
    share = hits / trials
    scale = 1 + z * z / trials
    middle = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def gain(before: float, after: float) -> float:
    """How many times smaller a variance has become: infinite if none is left, unknown if there was none."""
    return before / after if after > 0 else inf if before > 0 else nan


class Ratio(NamedTuple):
    """Sums over deals of what was scored, u, and of how often, v; u / v is the mean that is estimated."""

    deals: int
    u: float
    v: float
    uu: float
    uv: float
    vv: float

    @property
    def mean(self) -> float:
        return self.u / self.v if self.v else nan

    @property
    def variance(self) -> float:
        """Of the mean, from how far the deals lie apart; unknown with fewer than two."""
        if self.deals < 2:
            return nan
        mean = self.mean
        scatter = self.uu - 2 * mean * self.uv + mean * mean * self.vv
        if scatter <= ROUNDING * self.uu:
            return 0.0
        return self.deals / (self.deals - 1) * scatter / self.v**2

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance)

    def plus(self, other: Ratio) -> Ratio:
        return Ratio(self.deals + other.deals, *(a + b for a, b in zip(self[1:], other[1:], strict=True)))

    def interval(self, low: float, high: float, sure: bool = True) -> tuple[float, float]:
        """95 %: Student's t after adding one deal with the worst and one with the best result there can be.

        As with Agresti and Coull's added successes and failures, few deals, or equal ones, do not pass for certainty.
        Unless `sure`, these are only the worst and the best so far, and the mean may lie outside.
        """
        if not self.deals:
            return low, high
        each = self.v / self.deals
        ends = [Ratio(1, x * each, each, (x * each) ** 2, x * each**2, each**2) for x in (low, high)]
        padded = self.plus(ends[0]).plus(ends[1])
        spread = _student(padded.deals - 1) * padded.error
        if not sure:
            return padded.mean - spread, padded.mean + spread
        return max(low, padded.mean - spread), min(high, padded.mean + spread)


NOTHING = Ratio(0, 0.0, 0.0, 0.0, 0.0, 0.0)


def _student(freedom: int) -> float:
    """How many standard errors on either side make 95 % if the error itself is estimated."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


@dataclass(eq=False)
class Tally:
    """Sums over the games of one line-up; figures are by place, not by seat."""

    seats: int
    low: float = 0.0  # the least payoff of the game
    high: float = 1.0  # the greatest
    sure: bool = True  # otherwise these are the least and the greatest so far
    games: int = 0
    deals: int = 0
    cut: int = 0  # games that did not end
    lucky: int = 0  # games whose luck is known
    sums: np.ndarray = field(init=False)  # of deals: games, payoffs, adjusted payoffs, points of pairs of places
    products: np.ndarray = field(init=False)  # of every two of these
    by_seat: np.ndarray = field(init=False)  # [place, seat, COUNT to TIES]
    beaten: np.ndarray = field(init=False)  # [i, j]: games in which place i got more than place j
    lengths: Counter[int] = field(default_factory=Counter)  # games by their decisions
    faults: dict[tuple[int, str], tuple[int, str]] = field(default_factory=dict)  # place, reason: count, last words

    def __post_init__(self) -> None:
        self.pairs = list(combinations(range(self.seats), 2))
        width = 1 + 2 * self.seats + len(self.pairs)
        self.sums, self.products = np.zeros(width), np.zeros((width, width))
        self.by_seat = np.zeros((self.seats, self.seats, 5))
        self.beaten = np.zeros((self.seats, self.seats), np.int64)

    # --- adding games ------------------------------------------------------------------------------------------------
    def add(
        self,
        first: int,
        payoffs: np.ndarray,
        lengths: np.ndarray,
        luck: np.ndarray | None = None,
        faults: Iterable[Fault] = (),
        cut: int = 0,
        seated: bool = False,
    ) -> None:
        """Add consecutive games from number `first`: payoffs[game, place], luck likewise, decisions in lengths[game].

        If `seated`, payoffs and luck are by seat; luck may leave the last seat out, which loses what others gain.

        A batch begins with a deal; an incomplete deal at its end counts as a deal with the games it has.
        """
        if first % self.seats or payoffs.shape[1:] != (self.seats,):
            raise BadInput(f"games from {first}, {payoffs.shape}: must begin a deal and pay {self.seats} places")
        if not self.sure and len(payoffs):
            self._widen(float(payoffs.min()), float(payoffs.max()))
        self.games += len(payoffs)
        self.deals += -(-len(payoffs) // self.seats)
        self.cut += cut
        self.lucky += 0 if luck is None else len(payoffs)
        count(seated, payoffs, luck, Sums(self.sums, self.products, self.by_seat, self.beaten))
        self.lengths.update(count_lengths(lengths))
        for place, reason, words in faults:
            self._add_fault(place, reason, 1, words)

    def _widen(self, low: float, high: float) -> None:
        self.low = min(self.low, low) if self.games else low
        self.high = max(self.high, high) if self.games else high

    def _add_fault(self, place: int, reason: str, times: int, words: str) -> None:
        self.faults[place, reason] = self.faults.get((place, reason), (0, ""))[0] + times, words

    def merge(self, other: Tally) -> None:
        """Add what another tally of the same line-up knows; its games come later."""
        if not self.sure and other.games:
            self._widen(other.low, other.high)
        for name in ("games", "deals", "cut", "lucky", "sums", "products", "by_seat", "beaten"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.lengths.update(other.lengths)
        for (place, reason), (times, words) in other.faults.items():
            self._add_fault(place, reason, times, words)

    # --- reading figures ---------------------------------------------------------------------------------------------
    def _ratio(self, weights: np.ndarray, times: int = 1) -> Ratio:
        """The mean of a weighted sum of what deals add up to, over `times` comparisons a game."""
        u, uv = weights @ self.sums, weights @ self.products[:, 0]
        uu, v, vv = weights @ self.products @ weights, self.sums[0], self.products[0, 0]
        return Ratio(self.deals, float(u), float(v) * times, float(uu), float(uv) * times, float(vv) * times**2)

    def _unit(self, column: int) -> np.ndarray:
        found = np.zeros(len(self.sums))
        found[column] = 1
        return found

    def _versus(self, i: int, j: int) -> np.ndarray:
        """Weights of the points of place i against place j: 1 for more, 1/2 for as much."""
        pair = self._unit(1 + 2 * self.seats + self.pairs.index((min(i, j), max(i, j))))
        return pair if i < j else self._unit(0) - pair

    def payoff(self, place: int) -> Ratio:
        return self._ratio(self._unit(1 + place))

    def interval(self, mean: Ratio) -> tuple[float, float]:
        """The 95 % interval of a mean payoff."""
        return mean.interval(self.low, self.high, self.sure)

    def adjusted(self, place: int) -> Ratio | None:
        """The payoff less what chance gave, if the luck of all games is known."""
        return self._ratio(self._unit(1 + self.seats + place)) if self.games and self.lucky == self.games else None

    def luck(self, place: int) -> Ratio:
        """What chance gave; its mean is zero but for chance, or the adjustment is wrong."""
        return self._ratio(self._unit(1 + place) - self._unit(1 + self.seats + place))

    def points(self, ours: Iterable[int], theirs: Iterable[int]) -> Ratio:
        """The share of points of some places against others, all meetings within a game counted."""
        meetings = [(i, j) for i in ours for j in theirs if i != j]
        return self._ratio(np.sum([self._versus(i, j) for i, j in meetings], axis=0), len(meetings))

    def rank(self, *places: int) -> Ratio:
        """The mean rank of some places: 1 is best, equals share theirs."""
        above = [self._versus(j, i) for i in places for j in range(self.seats) if j != i]
        return self._ratio(len(places) * self._unit(0) + np.sum(above, axis=0), len(places))

    def apart(self, place: int) -> float:
        """The variance of the mean payoff if the games of a deal had only the rotation of seats in common."""
        seat = self.by_seat[place]
        if seat[:, COUNT].min() < 2:
            return nan
        scatter = seat[:, SQUARES] - seat[:, PAID] ** 2 / seat[:, COUNT]
        scatter[scatter <= ROUNDING * seat[:, SQUARES]] = 0
        return float(np.sum(scatter * seat[:, COUNT] / (seat[:, COUNT] - 1))) / self.games**2

    def scatter(self) -> tuple[np.ndarray, np.ndarray]:
        """Points of all pairs of places, and the covariance matrix of these sums as it shows between deals."""
        first = 1 + 2 * self.seats
        total, cross = self.sums[first:], np.outer(self.products[first:, 0], self.sums[first:]) / max(self.games, 1)
        share = total / max(self.games, 1)
        found = self.products[first:, first:] - cross - cross.T + self.products[0, 0] * np.outer(share, share)
        return total, found * self.deals / max(self.deals - 1, 1)
