"""How strong a network is: matches of the agent that plays by it against fixed rivals."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from hazard.agents.seating import line_up_seed, padded, seat_agents
from hazard.arena.match import tally_of
from hazard.arena.play.compiled import LineUp
from hazard.arena.play.seated import Played
from hazard.rulebook import Game


class Strength(msgspec.Struct, frozen=True):
    """The mean payoff of the learner in one match."""

    rival: str  # sits in all other seats
    games: int
    mean: float
    low: float  # of the 95 % interval
    high: float


def measure(game: Game, agent: str, memory: np.ndarray, rivals: Sequence[str], games: int, seed: int) -> list[Strength]:
    """Play the agent with these weights against each rival, which takes all other seats; games in whole deals."""
    return [_one(game, agent, memory, rival, -(-games // game.seats) * game.seats, seed) for rival in rivals]


def _one(game: Game, agent: str, memory: np.ndarray, rival: str, games: int, seed: int) -> Strength:
    names = [agent] + [rival] * (game.seats - 1)
    numbers, theirs = seat_agents(game, [None, *names[1:]])
    numbers[0] = list(game.agents).index(agent)
    seated = LineUp(game, np.array(numbers), padded([memory, *theirs[1:]]), line_up_seed(seed, names))
    tally = tally_of(game, 0, Played(seated.play(0, games)))
    mean = tally.payoff(0)
    return Strength(rival, games, mean.mean, *tally.interval(mean))
