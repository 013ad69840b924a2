"""Bradley and Terry's ratings on the Elo scale, by maximum likelihood, with errors that take deals as the units.

Every two different agents that meet in a game make a comparison: 1 point for more payoff, 1/2 for as much. 400 points
of rating are odds of ten to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt

import numpy as np

from hazard.arena.statistics.intervals import Tally

SCALE = 400 / np.log(10)  # points of rating for odds of e to 1
DRAWN = 0.5  # drawn games added to each pair that met, where results alone would send ratings to infinity
SPARE = 2  # deals whose variance under the model is added to what shows, so that a few equal deals are not certainty


def elo_of(share: float) -> float:
    """The difference in rating that makes this share of points."""
    return -inf if share <= 0 else inf if share >= 1 else 400 * log10(share / (1 - share))


def share_of(elo: float) -> float:
    """The share of points that a difference in rating makes."""
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Ratings:
    """Ratings by agent's number. Their mean is 0 in each group; groups never met, so they cannot be compared."""

    elo: np.ndarray
    covariance: np.ndarray
    groups: np.ndarray  # the group's number, by agent
    one_sided: np.ndarray  # whether the agent's group needed drawn games to keep ratings finite

    def error(self, agent: int) -> float:
        return sqrt(max(self.covariance[agent, agent], 0.0))

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """How far a is ahead of b, and the standard error of that."""
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return float(self.elo[a] - self.elo[b]), sqrt(max(variance, 0.0))


def rate(agents: int, line_ups: Sequence[Sequence[int]], tallies: Sequence[Tally]) -> Ratings:
    """Rate agents from their line-ups, each with its tally; deals of different line-ups are taken to be independent."""
    points = np.zeros((agents, agents))
    for line_up, tally in zip(line_ups, tallies, strict=True):
        _add_points(points, line_up, tally)
    groups, one_sided = _groups(points)
    met = (points + points.T) > 0
    padded = points + DRAWN / 2 * met * one_sided[:, None]
    theta = fit(padded, groups)
    inverse = _inverse(_laplacian(_weights(padded, theta)), groups)
    covariance = inverse @ _meat(points, padded, theta, line_ups, tallies) @ inverse
    return Ratings(SCALE * theta, SCALE**2 * covariance, groups, one_sided)


def _add_points(points: np.ndarray, line_up: Sequence[int], tally: Tally) -> None:
    total, _ = tally.scatter()
    for (i, j), won in zip(tally.pairs, total, strict=True):
        if line_up[i] != line_up[j]:
            points[line_up[i], line_up[j]] += won
            points[line_up[j], line_up[i]] += tally.games - won


def _reach(links: np.ndarray) -> np.ndarray:
    """Who can be reached from whom along links."""
    found = links | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):
        found = (found.astype(float) @ found.astype(float)) > 0
    return found


def _groups(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Groups of agents that are linked by games, and whether points flow in only one direction somewhere in them.

    The likelihood has a maximum if and only if everyone in a group leads to everyone else by points taken (Ford 1957).
    """
    together = _reach((points + points.T) > 0)
    both_ways = _reach(points > 0)
    _, groups = np.unique(together.argmax(axis=1), return_inverse=True)
    return groups, (together & ~(both_ways & both_ways.T)).any(axis=1)


def _expected(theta: np.ndarray) -> np.ndarray:
    """The share of points that a takes from b under the model."""
    return 1 / (1 + np.exp(theta[None, :] - theta[:, None]))


def _weights(points: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """The variance of each pair's points if all comparisons were independent."""
    share = _expected(theta)
    return (points + points.T) * share * share.T


def _laplacian(weights: np.ndarray) -> np.ndarray:
    return np.diag(weights.sum(axis=1)) - weights


def _inverse(matrix: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The inverse of a Laplacian on ratings whose mean is 0 in each group."""
    same = (groups[:, None] == groups[None, :]).astype(float)
    constant = same / same.sum(axis=1, keepdims=True)
    size = max(np.trace(matrix) / len(matrix), 1e-300)
    return np.linalg.inv(matrix + size * constant) - constant / size


def _likelihood(points: np.ndarray, theta: np.ndarray) -> float:
    return -float(np.sum(points * np.logaddexp(0, theta[None, :] - theta[:, None])))


def fit(points: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The most likely ratings in units of e to 1, by Newton's method; points[a, b] were taken by a from b."""
    theta = np.zeros(len(points))
    for _ in range(100):
        score = (points - (points + points.T) * _expected(theta)).sum(axis=1)
        step = _inverse(_laplacian(_weights(points, theta)), groups) @ score
        while _likelihood(points, theta + step) < _likelihood(points, theta) and np.abs(step).max() > 1e-9:
            step /= 2
        theta += step
        if np.abs(step).max() < 1e-10:
            break
    return theta


def _meat(
    points: np.ndarray,
    padded: np.ndarray,
    theta: np.ndarray,
    line_ups: Sequence[Sequence[int]],
    tallies: Sequence[Tally],
) -> np.ndarray:
    """The covariance of the likelihood's slope as it shows between deals.

    A pair whose points all went one way shows no variance: there the model's takes its place.
    """
    modelled = _weights(padded, theta)
    games, share = points + points.T, _expected(theta)
    one_way = (games > 0) & ((points == 0) | (points.T == 0))
    spare = SPARE * max((tally.seats for tally in tallies), default=0) * share * share.T * (games > 0)
    meat = _laplacian(np.where(one_way, modelled, spare))
    for line_up, tally in zip(line_ups, tallies, strict=True):
        design = np.zeros((len(tally.pairs), len(points)))
        for row, (i, j) in enumerate(tally.pairs):
            design[row, line_up[i]] += 1
            design[row, line_up[j]] -= 1
        meat += design.T @ tally.scatter()[1] @ design
    return meat
