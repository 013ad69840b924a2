"""A sequential test between two agents: pairs of games are added until one of two claims can be given up.

It is the generalised sequential probability ratio test on the scores of pairs that share their dice, each game once
from either seat. The likelihood under a claim is the greatest of any distribution of pair scores with that mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isfinite, log

import numpy as np

from hazard.arena.statistics.intervals import NOTHING, Ratio
from hazard.arena.statistics.ratings import elo_of, share_of
from hazard.errors import BadInput

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of the points of a pair: 0, 1/2, 1, 3/2 or 2 of 2
SPECK = 1e-3  # pairs counted for a score that has not come up, so that no score is impossible


def pair_counts(payoffs: np.ndarray) -> list[int]:
    """How many pairs brought the first place 0, 1/2, 1, 3/2 and 2 points; payoffs[game, place], two games a pair."""
    twice = 1 + np.sign(payoffs[:, 0] - payoffs[:, 1]).astype(np.int64)
    if len(twice) % 2:
        raise BadInput(f"{len(twice)} games: pairs need an even number")
    return np.bincount(twice.reshape(-1, 2).sum(axis=1), minlength=5).tolist()


def likeliest(counts: Sequence[float], mean: float) -> list[float]:
    """The distribution of pair scores with this mean that fits the counts best; all counts are positive.

    By Lagrange's method p = share / (1 + x (score - mean)) for the one x that gives the mean; found by bisection.
    """
    total, away = sum(counts), [share - mean for share in SHARES]
    low, high = -1 / away[-1], -1 / away[0]
    for _ in range(100):
        x = (low + high) / 2
        if not low < x < high:
            break
        if sum(n * d / (1 + x * d) for n, d in zip(counts, away, strict=True)) > 0:
            low = x
        else:
            high = x
    return [n / total / (1 + x * d) for n, d in zip(counts, away, strict=True)]


@dataclass
class Sequential:
    """The first agent is elo0 points of rating better (H0) or elo1 (H1); games are added until that is decided."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often H1 may be taken though H0 holds
    beta: float = 0.05  # how often H0 may be taken though H1 holds
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    decision: str | None = None

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1 or not isfinite(self.elo1 - self.elo0):
            raise BadInput(f"elo0={self.elo0:g}, elo1={self.elo1:g}: elo0 must be less than elo1")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < chance < 0.5:
                raise BadInput(f"{name}={chance:g}: must be between 0 and 0.5")

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's: at or below the first H0 is taken, at or above the second H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def llr(self) -> float:
        """The logarithm of how many times likelier the counts are under H1 than under H0."""
        if not self.pairs:
            return 0.0
        counts = [n or SPECK for n in self.counts]
        under0, under1 = (likeliest(counts, share_of(elo)) for elo in (self.elo0, self.elo1))
        return sum(n * log(q / p) for n, p, q in zip(counts, under0, under1, strict=True))

    def add(self, counts: Sequence[int]) -> str | None:
        """Add one batch of pairs, in schedule order; returns the decision if there is one now."""
        if self.decision:
            raise BadInput(f"the test was decided after {self.pairs} pairs ({self.decision}); no more can be added")
        if len(counts) != 5 or min(counts) < 0:
            raise BadInput(f"{list(counts)}: must be five counts, of pairs with 0, 1/2, 1, 3/2 and 2 points")
        self.counts = [a + int(b) for a, b in zip(self.counts, counts, strict=True)]
        low, high = self.bounds
        llr = self.llr
        self.decision = "H0" if llr <= low else "H1" if llr >= high else None
        return self.decision

    @property
    def share(self) -> Ratio:
        """The share of points that the first agent took."""
        u = sum(n * x for n, x in zip(self.counts, SHARES, strict=True))
        uu = sum(n * x * x for n, x in zip(self.counts, SHARES, strict=True))
        n = self.pairs
        return Ratio(n, u, n, uu, u, n) if n else NOTHING

    def sentence(self, a: str, b: str) -> str:
        """What was decided, and how surely."""
        after = f"after {self.pairs:,} pairs of games"
        if self.decision == "H1":
            wrong = f"if it were {self.elo0:g} or less, at most about {self.alpha:.3g} of such tests would say this"
            return f"{after.capitalize()}: {a} is more than {self.elo0:g} Elo better than {b} ({wrong})."
        if self.decision == "H0":
            wrong = f"if it were {self.elo1:g} or more, at most about {self.beta:.3g} of such tests would say this"
            return f"{after.capitalize()}: {a} is less than {self.elo1:g} Elo better than {b} ({wrong})."
        low, high = self.bounds
        return f"Not decided {after}: the log-likelihood ratio is {self.llr:.2f}, between {low:.2f} and {high:.2f}."

    def report(self, a: str, b: str) -> dict:
        """Everything, for JSON; a difference in rating without bound is None."""
        low, high = self.share.interval(0, 1)
        elos = [elo_of(x) for x in (self.share.mean, low, high)]
        elo, elo_low, elo_high = (x if isfinite(x) else None for x in elos)
        return {
            "agents": [a, b],
            **{name: getattr(self, name) for name in ("elo0", "elo1", "alpha", "beta", "pairs", "counts", "llr")},
            "bounds": list(self.bounds),
            "decision": self.decision,
            "sentence": self.sentence(a, b),
            "elo": elo,
            "elo_interval": [elo_low, elo_high],
            "note": "Tests stop early when results run high or low, so the estimate is biased away from the middle.",
        }
