"""The solution of a game that numbers its openings: what each seat is sure of at every opening.

Other values are computed on demand, by rebuilding the turn of the position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum, inf, nextafter
from typing import Any

import numpy as np

from hazard import dice
from hazard.agents.seating import as_memory, padded, seat_agents
from hazard.contract import index, over, purse, span, stage, state, step, steps
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game, Position
from hazard.solving.numbered.turns import BEST, UNIFORM, Play, Work, expect, options, turn, with_policy, workspace
from hazard.solving.solution import Advice, Bounds, Solution, ranked

MOST_TURNS = 64  # rebuilt turns that are remembered
MOST_BYTES = 2 << 30  # for a table of values


@rule
def fill_policy(g: Any, play: Any, w: Any, table: Any) -> None:
    """The best move of every decision, at table[opening, step]."""
    for i in range(table.shape[0]):
        turn(g, state(g, i), play, 0.0, with_policy(w, table[i]))


@rule
def middle(sure: Any, p: int, total: float) -> float:
    """The middle between what seat p is sure of and what the others, sure of theirs, leave it at most."""
    others = 0.0
    for q in range(sure.shape[0]):
        if q != p:
            others += sure[q, 0]
    return (sure[p, 0] + total - others) / 2


@rule
def fill_values(g: Any, play: Any, w: Any, table: Any) -> None:
    """The value of every decision, at table[opening, step, seat]; openings have the values they were solved with."""
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


def upper_bound(total: float, sure: list[float], p: int) -> float:
    """The most that seat p can get if every other seat gets what it is sure of: the exact difference, rounded up."""
    terms = [total, *(-x for q, x in enumerate(sure) if q != p)]
    most = fsum(terms)
    return max(sure[p], nextafter(most, inf) if fsum([*terms, -most]) > 0 else most)


@dataclass(frozen=True)
class NumberedSolution(Solution):
    """The values of a game, certified: every value is between `lower` and `upper`."""

    game: Game
    low: np.ndarray  # low[i, r]: what the seat r places after the mover of opening i is sure of
    meta: dict[str, Any]

    @cached_property
    def _play(self) -> Play:
        selfish = self.game.seats > 2
        return Play(np.full(self.game.seats, BEST), selfish, ((),) * self.game.seats, dice.stream(0))

    @cached_property
    def _turns(self) -> dict[int, Work]:
        return {}

    def _workspace(self, low: np.ndarray, slot: np.ndarray | None = None) -> Work:
        """Room to rebuild turns, with sums like those of the solver."""
        return workspace(self.game, low, slot)._replace(compensated=self.meta["compensated"])

    def _work(self, position: Position) -> Work:
        """The workspace in which the turn of a position has been rebuilt; the latest ones are remembered."""
        game, g = self.game, self.game.table
        number = int(game.plain(index)(g, position.state))
        if number in self._turns:
            return self._turns[number]
        if self.meta["seats"] != ["best"] * game.seats:
            raise BadInput("this table evaluates fixed agents: it has values for the start of a turn only")
        w = self._workspace(self.low, np.broadcast_to(-1, len(self.low)))
        opening = game.plain(stage)(g, position.state, 0)
        game.plain(turn)(g, opening, self._play, 0.0, w)
        while len(self._turns) >= MOST_TURNS:
            self._turns.pop(next(iter(self._turns)))
        self._turns[number] = w
        return w

    def _sure(self, position: Position) -> np.ndarray:
        """What each seat is sure of."""
        game, g, s = self.game, self.game.table, position.state
        if position.over:
            return np.array(position.payoffs)
        if game.plain(step)(g, s) == 0 and not position.rolling:
            shift = [(p - s.mover) % game.seats for p in range(game.seats)]
            return self.low[game.plain(index)(g, s), shift]
        w = self._work(position)
        if position.rolling:
            game.plain(expect)(g, s, w, w.q)
            return w.q[:, 0].copy()
        return w.buf[game.plain(step)(g, s), :, 0].copy()

    def bounds(self, position: Position) -> Bounds:
        """For each seat the lower and the upper bound."""
        sure = self._sure(position).tolist()
        return tuple(sure), tuple(upper_bound(self.game.ask("purse"), sure, p) for p in range(len(sure)))

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        position.check_decision()
        game, w, m = self.game, self._work(position), position.mover
        values = np.zeros((game.ask("fanout"), game.seats, 1))
        count = game.plain(options)(game.table, position.state, w, values)
        rows = []
        for sure, name in zip(values[:count, :, 0].tolist(), position.moves, strict=True):
            lower, upper = sure[m], upper_bound(game.ask("purse"), sure, m)
            rows.append((name, (lower + upper) / 2, lower, upper))
        return ranked(rows, "exact")

    @cached_property
    def policy_table(self) -> np.ndarray:
        """policy_table[i, k]: the best move, as a number, at step k of the turn of opening i."""
        game = self.game
        table = np.zeros((int(game.ask("size")), int(game.plain(span)(game.table))), np.uint8)
        play = self._play._replace(memory=padded([]))
        w = self._workspace(np.ascontiguousarray(self.low))
        game.compiled(fill_policy)(game.table, play, w, table)
        return table

    @property
    def policy(self) -> np.ndarray:
        return as_memory(self.policy_table)

    @cached_property
    def values(self) -> np.ndarray:
        """The value of every decision to every seat but the last, in row index * span + step."""
        game, openings = self.game, len(self.low)
        if why := values_obstacle(game):
            raise BadInput(why)
        shape = openings, int(game.plain(span)(game.table)), game.seats - 1
        w = self._workspace(np.array(self.low))
        table = np.zeros(shape)
        game.compiled(fill_values)(game.table, self._players(), w, table)
        return as_memory(table)

    def _players(self) -> Play:
        """Who plays how: their best, or fixed agents."""
        game, seats = self.game, self.meta["seats"]
        words = {"best": BEST, "uniform": UNIFORM}
        numbers, memory = seat_agents(game, [None if name in words else name for name in seats])
        aims = [words.get(name, n) for name, n in zip(seats, numbers, strict=True)]
        return Play(np.array(aims), BEST in aims and game.seats > 2, padded(memory), dice.stream(0))

    def tables(self) -> Mapping[str, np.ndarray]:
        return {"low": self.low}


def values_obstacle(game: Game) -> str:
    """Why a table of all values would be too large; empty if it is not."""
    need = 8 * int(game.ask("size")) * int(game.plain(span)(game.table)) * (game.seats - 1)
    if need <= MOST_BYTES:
        return ""
    most = f"{need / 2**30:.1f} GiB, more than the {MOST_BYTES / 2**30:g} GiB allowed"
    return f"{game.describe()}: a table of values for every decision needs {most}; take a smaller game"
