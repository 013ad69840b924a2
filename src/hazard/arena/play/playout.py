"""Random playouts: every seat takes any legal move, each as likely as the others; one random stream a game."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hazard.contract import add_gain, add_payoffs, chance, fanout, land, legal, move, over, roll
from hazard.dice import below, open_stream
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Position


@rule
def playout(g: Any, s: Any, rng: Any, moves: Any, paid: Any) -> Any:
    """Play on at random to the end; the last position is returned, and what is scored is added to `paid`."""
    while chance(g, s) > 0:
        s = land(g, s, roll(g, s, rng))
    while not over(g, s):
        count = legal(g, s, moves)
        m = moves[0]
        if count > 1:
            m = moves[below(rng, count)]
        add_gain(g, s, m, paid)
        s = move(g, s, m)
        while chance(g, s) > 0:
            s = land(g, s, roll(g, s, rng))
    return s


@rule
def play_out(g: Any, s: Any, seed: Any, games: int, rng: Any, moves: Any, paid: Any, sums: Any) -> None:
    """Play on many times; adds each seat's payoffs to sums[seat, 0] and their squares to sums[seat, 1]."""
    for number in range(games):
        open_stream(rng, seed, number, 0)
        paid[:] = 0.0
        add_payoffs(g, playout(g, s, rng, moves, paid), paid)
        for seat in range(g.players):
            value = paid[seat]
            sums[seat, 0] += value
            sums[seat, 1] += value * value


@dataclass(frozen=True)
class Playouts:
    """What came of random playouts."""

    games: int
    means: list[float]  # of each seat's payoff
    errors: list[float]  # standard errors of the means
    seconds: float = field(compare=False)

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0


def playouts(position: Position, games: int = 10_000, seed: int = 1) -> Playouts:
    """Play on from a position at random; the same arguments give the same games. The game must end if nobody cares."""
    if games < 2:
        raise BadInput(f"{games} games: playouts need 2 or more")
    game, g = position.game, position.game.table
    sums, rng = np.zeros((game.seats, 2)), np.zeros(4, np.uint64)
    fixed = (g, position.state, np.uint64(seed))
    room = np.zeros(int(game.plain(fanout)(g)), np.int64), np.zeros(game.seats)
    kernel = game.compiled(play_out)
    kernel(*fixed, 0, rng, *room, sums)  # compiles, plays nothing
    began = time.perf_counter()
    kernel(*fixed, games, rng, *room, sums)
    seconds = time.perf_counter() - began
    means = sums[:, 0] / games
    errors = np.sqrt(np.maximum(sums[:, 1] / games - means**2, 0) / (games - 1))
    return Playouts(games, means.tolist(), errors.tolist(), seconds)
