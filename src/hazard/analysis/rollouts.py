"""Chances by playing on: games from several points with one agent in all seats, added up until they are enough.

Game n from a point has the streams of number n, so that points that share a seed share their dice: differences between
them are sharper than the intervals. A tally can be handed on, to play more games later or elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from hazard.agents.seating import padded
from hazard.analysis.answers import Tally
from hazard.analysis.players import Player
from hazard.arena.play.compiled import make_room, play_from
from hazard.arena.statistics.intervals import Ratio
from hazard.contract import add_payoffs
from hazard.dice import AGENTS, open_stream
from hazard.jit import rule
from hazard.rulebook import Game, Position

STEPS = (10, 100, 500, 2_000, 8_000, 32_000, 128_000, 512_000, 2_048_000)  # games after which an answer is better
BATCH = 1, 1_000  # games between two looks at the clock: at first, at most
LOOK = 0.05  # seconds between two looks, about


@rule
def sample_seats(
    g: Any, s: Any, agents: Any, memory: Any, seed: Any, first: int, count: int, room: Any, sums: Any
) -> None:
    """Play games `first` to `first + count - 1` from s; adds each seat's payoffs and their squares to sums."""
    for number in range(first, first + count):
        for stream in range(AGENTS + g.players):
            open_stream(room.rng[stream], seed, number, stream)
        last, _ = play_from(g, s, agents, memory, room, sums)
        add_payoffs(g, last, room.paid)
        for seat in range(g.players):
            value = room.paid[seat]
            sums[seat, 0] += value
            sums[seat, 1] += value * value


class Rollouts:
    """One agent in all seats of a game."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.room = make_room(game, [True] * game.seats)
        self.agents, self.memory = np.zeros(game.seats, np.int64), padded([player.memory] * game.seats)
        self.kernel = game.soon(sample_seats, agents=[player.name])

    @property
    def is_compiled(self) -> bool:
        return self.game.is_compiled(sample_seats, agents=[self.player.name])

    def sample(self, position: Position, seed: int, first: int, count: int) -> np.ndarray:
        """The sums of some games: for each seat those of payoffs and of their squares."""
        if position.over:
            paid = np.array(position.payoffs)
            return np.column_stack([paid, paid**2]) * count
        sums = np.zeros((self.game.seats, 2))
        seated = self.game.table, position.state, self.agents, self.memory
        self.kernel(*seated, np.uint64(seed), first, count, self.room, sums)
        return sums


def blank(points: int, seats: int) -> Tally:
    return Tally([0] * points, [[0.0] * seats for _ in range(points)], [[0.0] * seats for _ in range(points)])


def play_more(
    rollouts: Rollouts,
    points: Sequence[Position],
    seeds: Sequence[int],
    tally: Tally,
    steps: Sequence[int],
    seconds: float,
) -> None:
    """Play on from all points to the next step, or as far as time allows."""
    target = next((step for step in steps if step > least(tally)), 0)
    now, batch = time.monotonic(), BATCH[0]
    end = now + seconds
    for n, point in enumerate(points):
        while tally.games[n] < target and now < end:
            count = min(batch, target - tally.games[n])
            _add(tally, n, count, rollouts.sample(point, seeds[n], tally.games[n], count))
            before, now = now, time.monotonic()
            batch = min(2 * batch, BATCH[1]) if now - before < LOOK else max(1, batch // 2)


def _add(tally: Tally, n: int, count: int, found: np.ndarray) -> None:
    tally.games[n] += count
    tally.sums[n] = [a + float(b) for a, b in zip(tally.sums[n], found[:, 0], strict=True)]
    tally.squares[n] = [a + float(b) for a, b in zip(tally.squares[n], found[:, 1], strict=True)]


def least(tally: Tally) -> int:
    """The games that every point has."""
    return min(tally.games, default=0)


def means(tally: Tally, n: int) -> list[float]:
    """The chances of each seat at a point."""
    return [total / tally.games[n] for total in tally.sums[n]]


def interval(point: Position, tally: Tally, n: int, seat: int) -> tuple[float, float]:
    """The 95 % interval of a seat's chances at a point."""
    game = point.game
    if point.over:
        return point.payoffs[seat], point.payoffs[seat]
    games, total = tally.games[n], tally.sums[n][seat]
    mean = Ratio(games, total, games, tally.squares[n][seat], total, games)
    ends = game.payoff_range or (mean.mean, mean.mean)
    lower, upper = mean.interval(*ends, sure=game.payoff_range is not None)
    return float(lower), float(upper)
