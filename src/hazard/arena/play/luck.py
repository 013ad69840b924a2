"""What chance gave each seat, so that it can be taken off the result.

Every time dice land, the value of how they landed less the mean over all ways to land is luck. Its mean is zero
whatever the values are, so a payoff less the luck is unbiased; the better the values, the smaller its error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from hazard.arena.play.compiled import add_luck, lucky_seats
from hazard.arena.play.steps import Event
from hazard.rulebook import Game
from hazard.solving.solution import Progress, check_values, evaluate, solved

MOST_BYTES = 2 << 30  # for a table of values


def values_for(game: Game, agents: Sequence[str] | None = None, progress: Progress | None = None) -> np.ndarray:
    """The values of optimal play, or of the given agents, one for each seat.

    Optimal values are the ones to take for a match: what is left of the error is what the agents give away, and it is
    left in every seat. The values of the very agents that play leave nothing while each sits in its own seat, but then
    their exact result is known without playing. They help where agents cannot be evaluated but resemble some that can.
    """
    check_values(game)
    return (solved(game, progress=progress) if agents is None else evaluate(game, agents, progress=progress)).values


def luck_of_trail(game: Game, trail: Iterable[Event], values: np.ndarray) -> np.ndarray:
    """What chance gave every seat but the last, or a player who is alone, in one game told event by event."""
    luck = np.zeros(lucky_seats(game))
    add = game.plain(add_luck)
    for event in trail:
        if event.rolled:
            add(game.table, event.state, event.after, values, luck)
    return luck


def adjusted(payoffs: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Payoffs less luck, for every game and seat; what chance gave the others it took from the last seat."""
    if luck.shape[1] == payoffs.shape[1]:
        return payoffs - luck
    return payoffs - np.column_stack([luck, -luck.sum(axis=1)])
