"""Values by playing on: for positions of games that are too large to solve."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from hazard.agents.seating import seat_agents
from hazard.arena.play.steps import LIMIT
from hazard.arena.statistics.intervals import Z95
from hazard.contract import chance, decide, fanout, land, move, over, payoff, roll
from hazard.dice import AGENTS, DICE, open_stream
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Position
from hazard.solving.solution import Advice


@rule
def play_on(g: Any, s: Any, agent: int, memory: Any, rng: Any, moves: Any) -> Any:
    """Play on from a position with one agent in all seats; the last position is returned."""
    for _ in range(LIMIT):
        if over(g, s):
            break
        if chance(g, s) > 0:
            s = land(g, s, roll(g, s, rng[DICE + s.mover]))
        else:
            s = move(g, s, decide(agent, g, s, moves, memory, rng[AGENTS + s.mover]))
    return s


@rule
def sample(
    g: Any, s: Any, seat: int, agent: int, memory: Any, seed: Any, games: int, rng: Any, moves: Any, sums: Any
) -> None:
    """Play many times from s; adds the seat's payoffs and their squares to sums."""
    for number in range(games):
        for stream in range(AGENTS + g.players):
            open_stream(rng[stream], seed, number, stream)
        last = play_on(g, s, agent, memory, rng, moves)
        if over(g, last):
            value = payoff(g, last, seat)
            sums[0] += value
            sums[1] += value * value


def rollout(position: Position, agent: str, games: int = 20_000, seed: int = 1) -> list[Advice]:
    """Every legal move with the mean payoff of games played on by the agent, best first, with 95 % intervals.

    All moves are tried with the same random streams, so that differences between moves are sharper than the intervals.
    """
    game, g = position.game, position.game.table
    if games < 2:
        raise BadInput(f"{games} games: a rollout needs 2 or more")
    (number,), (memory,) = seat_agents(game, [agent])
    rng, moves = np.zeros((AGENTS + game.seats, 4), np.uint64), np.zeros(int(game.plain(fanout)(g)), np.int64)
    rows = []
    for name, m in zip(position.moves, position.legal(), strict=True):
        sums = np.zeros(2)
        after = game.rules.move(g, position.state, m)
        game.compiled(sample)(g, after, position.mover, number, memory, np.uint64(seed), games, rng, moves, sums)
        mean = float(sums[0]) / games
        spread = Z95 * sqrt(max(float(sums[1]) / games - mean**2, 0.0) / (games - 1))
        rows.append((name, mean, mean - spread, mean + spread))
    rows.sort(key=lambda row: -row[1])
    return [Advice(*row, cost=rows[0][1] - row[1], known="rollout") for row in rows]
