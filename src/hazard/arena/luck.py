"""What chance gave each seat, so that it can be taken off the result.

Every time dice land, the value of how they landed less the mean over all ways to land is luck. Its mean is zero
whatever the values are, so a payoff less the luck is unbiased; the better the values, the smaller its error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hazard import dice
from hazard.arena.line_up import seat_agents
from hazard.arena.play import add_luck
from hazard.arena.story import Event
from hazard.contract import over, purse, size, span, state, steps
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.solution import Solution
from hazard.solving.solver import Progress, evaluate, padded, workspace
from hazard.solving.store import solved
from hazard.solving.turns import BEST, UNIFORM, Play, turn

MOST_BYTES = 2 << 30  # for a table of values


@rule
def middle(sure: Any, p: int, total: float) -> float:
    """The middle between what seat p is sure of and what the others leave it."""
    others = 0.0
    for q in range(sure.shape[0]):
        if q != p:
            others += sure[q, 0]
    return (sure[p, 0] + total - others) / 2


@rule
def fill_values(g: Any, play: Any, w: Any, table: Any) -> None:
    """The value of every decision, at table[opening, step, seat]; openings keep the values they were solved with."""
    seats, total = w.q.shape[0], purse(g)
    for i in range(table.shape[0]):
        s = state(g, i)
        if over(g, s):
            continue
        turn(g, s, play, 0.0, w)
        for p in range(seats):
            w.buf[0, p, 0] = w.low[i, (p - s.mover) % seats]
        for k in range(steps(g, s)):
            for p in range(seats - 1):
                table[i, k, p] = middle(w.buf[k], p, total)


def check_table(game: Game) -> None:
    """Refuse a game that cannot be solved, or whose table of values would be too large."""
    if not hasattr(game.rules, "size"):
        raise BadInput(f"{game.name}: its positions are not counted, so it has no table of values; take a solved game")
    rows = int(game.plain(size)(game.g)) * int(game.plain(span)(game.g))
    if (need := rows * (game.seats - 1) * 8) > MOST_BYTES:
        most = f"{need / 2**30:.1f} GiB, more than the {MOST_BYTES / 2**30:g} GiB allowed"
        raise BadInput(f"{game.describe()}: a table of values for every decision needs {most}; take a smaller game")


def value_table(solution: Solution) -> np.ndarray:
    """The value of every decision to every seat but the last, in row index * span + step.

    The solution may be of optimal play, or the values of fixed agents (`hazard.evaluate`).
    """
    game = solution.game
    check_table(game)
    w = workspace(game, np.array(solution.low))._replace(slot=np.full(len(solution.low), -1, np.int64))
    table = np.zeros((len(solution.low), int(game.plain(span)(game.g)), game.seats - 1))
    game.compiled(fill_values)(game.g, _play(solution), w, table)
    return table.reshape(-1, game.seats - 1)


def _play(solution: Solution) -> Play:
    """Who plays how in a solution."""
    game, seats = solution.game, solution.meta["seats"]
    words = {"best": BEST, "uniform": UNIFORM}
    numbers, memory = seat_agents(game, [None if name in words else name for name in seats])
    aims = [words.get(name, n) for name, n in zip(seats, numbers, strict=True)]
    return Play(np.array(aims), BEST in aims and game.seats > 2, padded(memory), dice.stream(0))


def values_for(game: Game, agents: Sequence[str] | None = None, progress: Progress | None = None) -> np.ndarray:
    """The values of optimal play, or of the given agents, one for each seat.

    Optimal values are the ones to take for a match: what is left of the error is what the agents give away, and it is
    left in every seat. The values of the very agents that play leave nothing while each sits in its own seat, but then
    their exact result is known without playing. They help where agents cannot be evaluated but resemble some that can.
    """
    check_table(game)
    return value_table(solved(game, progress=progress) if agents is None else evaluate(game, agents, progress=progress))


def luck_of_trail(game: Game, trail: Iterable[Event], values: np.ndarray) -> np.ndarray:
    """What chance gave every seat but the last in one game told event by event."""
    luck = np.zeros(game.seats - 1)
    add = game.plain(add_luck)
    for event in trail:
        if event.rolled:
            add(game.g, event.state, event.after, values, luck)
    return luck


def adjusted(payoffs: np.ndarray, luck: np.ndarray) -> np.ndarray:
    """Payoffs less luck, for every game and seat; what chance gave the others it took from the last seat."""
    return payoffs - np.column_stack([luck, -luck.sum(axis=1)])
