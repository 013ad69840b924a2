"""The figures of a grade: from what was counted in games to means with intervals and the positions worth showing."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from hazard.arena.grading.watch import CHOICES, DECISIONS, ERRORS, LOSS, Errors, Watched
from hazard.arena.statistics.intervals import Z95, wilson
from hazard.rulebook import Game
from hazard.solving.solution import Solution

BANDS = (1e-4, 1e-3, 1e-2, 1e-1)  # where losses are split into small and large
KINDS = 10  # kinds of errors that are listed, or all if there are fewer


@dataclass(frozen=True)
class Estimate:
    """A figure from a sample of games, with a 95 % interval; no interval from a single game."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class SeatGrade:
    """One seat. Exact figures are None where the agent cannot be evaluated exactly."""

    seat: str
    games: int
    value: float  # of optimal play in this seat
    expects: float | None  # what the agent gets here against optimal play, exactly
    loss: float | None  # the difference
    sampled_loss: Estimate  # the same as the sum of what its decisions gave away, per game
    decisions: float  # per game
    response: float | None  # what a best response gets here with the agent in every other seat, exactly
    gain: float | None  # how much more that is than the value of optimal play


@dataclass(frozen=True)
class Slip:
    """A move that gives something away."""

    seat: str
    position: str
    move: str
    best: str
    loss: float
    per_game: float  # how often it was made


@dataclass(frozen=True)
class Band:
    """Decisions with a choice by the size of the loss."""

    above: float
    up_to: float | None
    share: float  # of decisions with a choice
    share_of_loss: float


@dataclass(frozen=True)
class Kind:
    """All errors of a seat with the same move made where the same other one is best."""

    seat: str
    move: str
    best: str
    share: float  # of decisions with a choice
    share_of_loss: float


@dataclass(frozen=True)
class Grade:
    """What an agent gives away. Losses are in the game's payoff; figures per game are means over all seats."""

    game: str
    parameters: dict[str, int | str]
    rules: str
    agent: str
    games: int
    seed: int | None
    certified: float  # no value of the solution is further than this from the truth
    loss_per_game: float | None  # exact
    sampled_loss_per_game: Estimate
    loss_per_decision: Estimate
    loss_per_choice: Estimate  # per decision with more than one legal move
    decisions_per_game: float
    choices_per_game: float
    error_rate: Estimate  # share of the decisions with a choice that give something away
    gain_of_best_response: float | None  # exact
    seats: list[SeatGrade]
    bands: list[Band]
    kinds: list[Kind] = field(default_factory=list)  # by what they cost
    worst: list[Slip] = field(default_factory=list)  # the largest losses
    costliest: list[Slip] = field(default_factory=list)  # the largest losses times how often
    faults: dict[str, int] = field(default_factory=dict)  # of a bot, by reason; those games are left out
    remarks: dict[str, str] = field(default_factory=dict)  # what else is to be known of these figures


def ratio(what: np.ndarray, per: np.ndarray) -> Estimate:
    """The sum of one figure over the sum of another; games are independent, what happens within one is not."""
    games, total = len(what), float(per.sum())
    if total == 0:
        return Estimate(0.0, None, None)
    mean = float(what.sum()) / total
    if games < 2:
        return Estimate(mean, None, None)
    spread = Z95 * sqrt(float(((what - mean * per) ** 2).sum()) / (games - 1) * games) / total
    return Estimate(mean, max(0.0, mean - spread), mean + spread)


def _error_rate(sums: np.ndarray) -> Estimate:
    """Without an error seen, the interval is that of a rare event."""
    found = ratio(sums[:, ERRORS], sums[:, CHOICES])
    if found.mean == 0 or found.high is None:
        return Estimate(found.mean, *wilson(int(sums[:, ERRORS].sum()), int(sums[:, CHOICES].sum())))
    return Estimate(found.mean, found.low, min(1.0, found.high))


def make_grade(
    solution: Solution,
    agent: str,
    seed: int | None,
    watched: Watched,
    exact: list[tuple[float, float]] | None,
    shown: int,
) -> Grade:
    game, sums, every = solution.game, watched.sums, np.ones(len(watched.sums))
    seats = [_seat_grade(solution, seat, watched, exact) for seat in sorted(set(watched.seats.tolist()))]
    worst, costliest = _slips(game, watched.errors, len(sums), shown)
    return Grade(
        game.name,
        game.parameters,
        game.version,
        agent,
        len(sums),
        seed,
        solution.error,
        _mean([s.loss for s in seats]),
        ratio(sums[:, LOSS], every),
        ratio(sums[:, LOSS], sums[:, DECISIONS]),
        ratio(sums[:, LOSS], sums[:, CHOICES]),
        float(sums[:, DECISIONS].mean()),
        float(sums[:, CHOICES].mean()),
        _error_rate(sums),
        _mean([s.gain for s in seats]),
        seats,
        _bands(watched.errors),
        _kinds(game, watched.errors, shown),
        worst,
        costliest,
    )


def _mean(figures: list[float | None]) -> float | None:
    known = [x for x in figures if x is not None]
    return sum(known) / len(known) if known else None


def _seat_grade(solution: Solution, seat: int, watched: Watched, exact: list[tuple[float, float]] | None) -> SeatGrade:
    game, mine = solution.game, watched.seats == seat
    known = watched.firsts[mine & ~np.isnan(watched.firsts)]
    value = float(known.mean()) if len(known) else solution.value(game.start())[seat]
    expects, response = exact[seat] if exact else (None, None)
    sums = watched.sums[mine]
    return SeatGrade(
        game.seat_name(seat),
        len(sums),
        value,
        expects,
        None if expects is None else value - expects,
        ratio(sums[:, LOSS], np.ones(len(sums))),
        float(sums[:, DECISIONS].mean()),
        response,
        None if response is None else response - value,
    )


def _bands(found: Errors) -> list[Band]:
    """First the moves that give nothing away, then losses by size."""
    total, lost = max(found.choices, 1), float((found.counts * found.losses).sum()) or 1.0
    bands = [Band(0.0, 0.0, (found.choices - int(found.counts.sum())) / total, 0.0)]
    edges: list[Any] = [0.0, *BANDS, None]
    for low, high in pairwise(edges):
        among = (found.losses > low) & (found.losses <= (np.inf if high is None else high))
        counts, losses = found.counts[among], found.losses[among]
        bands.append(Band(low, high, float(counts.sum()) / total, float((counts * losses).sum()) / lost))
    return bands


def _kinds(game: Game, found: Errors, shown: int) -> list[Kind]:
    """The kinds of errors that cost most, each named as in its costliest position."""
    cost = found.losses * found.counts
    total, lost = max(found.choices, 1), float(cost.sum())
    movers = found.rows[:, 1 + game.rules.State._fields.index("mover")]
    sorts, kind = np.unique(np.column_stack([movers, found.rows[:, 0], found.best]), axis=0, return_inverse=True)
    kinds = []
    for n in range(len(sorts)):
        among = np.flatnonzero(kind.reshape(-1) == n)
        slip = _slip(game, found, int(among[np.argmax(cost[among])]), 1)
        share, part = float(found.counts[among].sum()) / total, float(cost[among].sum()) / lost
        kinds.append(Kind(slip.seat, slip.move, slip.best, share, part))
    return sorted(kinds, key=lambda k: -k.share_of_loss)[: max(shown, KINDS)]


def _slips(game: Game, found: Errors, games: int, shown: int) -> tuple[list[Slip], list[Slip]]:
    """The largest losses, and the largest losses times how often they came up."""
    cost = found.losses * found.counts
    by_loss, by_cost = np.lexsort((-cost, -found.losses)), np.lexsort((-found.losses, -cost))
    first, second = by_loss[:shown], by_cost[:shown]
    return [_slip(game, found, v, games) for v in first], [_slip(game, found, v, games) for v in second]


def _slip(game: Game, found: Errors, v: int, games: int) -> Slip:
    position, often = found.position(game, v), float(found.counts[v]) / games
    made, best = (
        game.notation.move_text(game.table, position.state, int(m)) for m in (found.rows[v, 0], found.best[v])
    )
    return Slip(game.seat_name(position.mover), str(position), made, best, float(found.losses[v]), often)
