"""One line-up of agents, many games: the seats rotate from game to game, and every game has its own random streams."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hazard.arena.line_up import seat_agents
from hazard.arena.statistics import wilson
from hazard.contract import chance, deal, decide, fanout, land, move, over, payoff, roll
from hazard.dice import AGENTS, BOARD, DICE, open_stream
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.solver import padded

LIMIT = 10_000_000  # decisions after which a game is cut off and counted as a tie
CUT, DECISIONS = 0, 1  # places in `totals`


@rule
def play_game(g: Any, agents: Any, memory: Any, sitting: Any, rng: Any, moves: Any, totals: Any) -> Any:
    """Play one game in which seat p belongs to the agent sitting[p]; the last position is returned."""
    s = deal(g, rng[BOARD])
    decisions = 0
    while not over(g, s) and decisions < LIMIT:
        if chance(g, s) > 0:
            s = land(g, s, roll(g, s, rng[DICE]))
        else:
            a = sitting[s.mover]
            s = move(g, s, decide(agents[a], g, s, moves, memory[a], rng[AGENTS + s.mover]))
            decisions += 1
    totals[DECISIONS] += decisions
    return s


@rule
def play_games(
    g: Any,
    agents: Any,
    memory: Any,
    seed: Any,
    first: int,
    count: int,
    sitting: Any,
    rng: Any,
    moves: Any,
    wins: Any,
    payoffs: Any,
    totals: Any,
) -> None:
    """Play games `first` to `first + count - 1`; adds up wins[agent, seat] and what each agent was paid."""
    for number in range(first, first + count):
        for seat in range(g.players):
            sitting[seat] = (seat - number) % g.players
        for stream in range(AGENTS + g.players):
            open_stream(rng[stream], seed, number, stream)
        s = play_game(g, agents, memory, sitting, rng, moves, totals)
        if not over(g, s):
            totals[CUT] += 1
            continue
        best, shared = 0, False
        for seat in range(g.players):
            value = payoff(g, s, seat)
            payoffs[sitting[seat], 0] += value
            payoffs[sitting[seat], 1] += value * value
            if seat > 0 and value >= payoff(g, s, best):
                shared = value == payoff(g, s, best)
                best = best if shared else seat
        if not shared:
            wins[sitting[best], best] += 1


@dataclass(frozen=True)
class Match:
    """What came of a match; agents are in the order given."""

    agents: list[str]
    games: int
    wins: list[int]
    ties: int
    intervals: list[tuple[float, float]]  # 95 % for the share of games won
    wins_by_seat: list[list[int]]  # [agent][seat]
    payoffs: list[tuple[float, float]]  # mean and its standard error
    seed: int
    cut: int  # games that did not end, among the ties
    decisions: int
    seconds: float = field(compare=False)

    @property
    def games_per_second(self) -> float:
        return self.games / self.seconds if self.seconds > 0 else 0.0


def match(
    game: Game, *agents: str, games: int = 10_000, seed: int = 1, progress: Callable[[int, int], None] | None = None
) -> Match:
    """Play games between agents, one for each seat; the same arguments give the same games, always."""
    _check(game, agents, games, seed)
    seats = game.seats
    numbers, memory = seat_agents(game, agents)
    wins, payoffs, totals = np.zeros((seats, seats), np.int64), np.zeros((seats, 2)), np.zeros(2, np.int64)
    rng = np.zeros((AGENTS + seats, 4), np.uint64)
    moves, sitting = np.zeros(int(game.plain(fanout)(game.g)), np.int64), np.zeros(seats, np.int64)
    kernel = game.compiled(play_games)
    fixed = (game.g, np.array(numbers), padded(memory), np.uint64(seed))
    kernel(*fixed, 0, 0, sitting, rng, moves, wins, payoffs, totals)  # compiles, plays nothing
    began = time.perf_counter()
    done, batch = 0, 16
    while done < games:
        started = time.perf_counter()
        count = min(batch, games - done)
        kernel(*fixed, done, count, sitting, rng, moves, wins, payoffs, totals)
        done += count
        batch = max(1, batch * 2 if time.perf_counter() - started < 0.1 else batch // 2)
        if progress:
            progress(done, games)
    return _result(agents, games, seed, wins, payoffs, totals, time.perf_counter() - began)


def _check(game: Game, agents: Sequence[str], games: int, seed: int) -> None:
    if len(agents) != game.seats:
        raise BadInput(f"{len(agents)} agents for {game.seats} seats; name one for each seat")
    if games < 1:
        raise BadInput(f"games={games}: must be 1 or more")
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed={seed}: must be from 0 to 2^63 - 1")


def _result(
    agents: Sequence[str], games: int, seed: int, wins: Any, payoffs: Any, totals: Any, seconds: float
) -> Match:
    won = [int(n) for n in wins.sum(axis=1)]
    means = payoffs[:, 0] / games
    errors = np.sqrt(np.maximum(payoffs[:, 1] / games - means**2, 0) / games)
    return Match(
        list(agents),
        games,
        won,
        games - sum(won),
        [wilson(n, games) for n in won],
        [[int(n) for n in row] for row in wins],
        [(float(m), float(e)) for m, e in zip(means, errors, strict=True)],
        seed,
        int(totals[CUT]),
        int(totals[DECISIONS]),
        seconds,
    )
