"""The solution of a game that numbers its openings: what each seat is sure of at every opening.

Other values are computed on demand, by rebuilding the turn of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from hazard.solving.numbered.turns import (
    BEST,
    UNIFORM,
    Play,
    Work,
    expect,
    hooks_for,
    options,
    turn,
    with_policy,
    workspace,
)
from hazard.solving.solution import Advice, Bounds, Solution, ranked

FEW = 4_000  # decisions that plain Python goes through in about a second
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
class Players:
    """Who plays how in a game that is solved or evaluated, and the code that this takes."""

    game: Game
    words: tuple[str, ...]  # for each seat: best, uniform (any legal move), or the name of an agent
    compensated: bool = False
    memory: Sequence[np.ndarray] | None = None  # what agents read, if not what they usually do

    @cached_property
    def agents(self) -> list[str]:
        """The agents that are compiled in; none if every seat does its best.

        The quick ones of a game of the package always are: compiled once, the solver then serves each of them.
        """
        known = self.game.agents
        uniform = [name for name, agent in known.items() if agent.uniform]
        named = {uniform[0] if word == "uniform" else word for word in self.words if word != "best"}
        quick = {name for name, agent in known.items() if not (self.game.file or agent.slow or agent.solved)}
        return sorted(named | quick) if named else []

    @cached_property
    def play(self) -> Play:
        known = {"best": BEST, "uniform": UNIFORM}
        aims = [known[word] if word in known else self.agents.index(word) for word in self.words]
        memory = self.memory
        if memory is None:
            _, memory = seat_agents(self.game, [None if word in known else word for word in self.words])
        return Play(np.array(aims), BEST in aims and self.game.seats > 2, padded(memory), dice.stream(0))

    def code(self, function: Callable) -> Callable:
        """Generic code bound for these players. Small games begin in plain Python."""
        bind = self.game.soon if decisions(self.game) <= FEW else self.game.compiled
        return bind(function, self.hooks, self.agents)

    @property
    def hooks(self) -> dict[str, Callable]:
        return hooks_for(bool(self.agents), self.compensated)

    def plain(self, function: Callable) -> Callable:
        return self.game.plain(function, hooks_for(False, self.compensated))


def decisions(game: Game) -> int:
    """How many decisions there are, at most."""
    return int(game.ask("size")) * int(game.ask("span"))


@dataclass(frozen=True)
class NumberedSolution(Solution):
    """The values of a game, certified: every value is between `lower` and `upper`."""

    game: Game
    low: np.ndarray  # low[i, r]: what the seat r places after the mover of opening i is sure of
    meta: dict[str, Any]
    kept_policy: np.ndarray | None = None  # the table of all moves, if it has been kept

    @cached_property
    def _players(self) -> Players:
        return Players(self.game, tuple(self.meta["seats"]), self.meta["compensated"])

    @cached_property
    def _turns(self) -> dict[int, Work]:
        return {}

    def _work(self, position: Position) -> Work:
        """The workspace in which the turn of a position has been rebuilt; the latest ones are remembered."""
        game, g = self.game, self.game.table
        number = int(game.plain(index)(g, position.state))
        if number in self._turns:
            return self._turns[number]
        if self.meta["seats"] != ["best"] * game.seats:
            raise BadInput("this table evaluates fixed agents: it has values for the start of a turn only")
        w = workspace(game, self.low, np.broadcast_to(-1, len(self.low)))
        opening = game.plain(stage)(g, position.state, 0)
        self._players.plain(turn)(g, opening, self._players.play, 0.0, w)
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
            self._players.plain(expect)(g, s, w, w.q)
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
        count = self._players.plain(options)(game.table, position.state, w, values)
        rows = []
        for sure, name in zip(values[:count, :, 0].tolist(), position.moves, strict=True):
            lower, upper = sure[m], upper_bound(game.ask("purse"), sure, m)
            rows.append((name, (lower + upper) / 2, lower, upper))
        return ranked(rows, "exact")

    def choice(self, position: Position) -> int:
        """The same as by the table of all moves, which need not be filled for that."""
        return int(self._work(position).policy[self.game.ask("step", position.state)])

    @cached_property
    def policy_table(self) -> np.ndarray:
        """policy_table[i, k]: the best move, as a number, at step k of the turn of opening i."""
        if self.kept_policy is not None:
            return self.kept_policy
        game = self.game
        table = np.zeros((int(game.ask("size")), int(game.plain(span)(game.table))), np.uint8)
        low = np.ascontiguousarray(self.low).view()
        low.flags.writeable = False  # as of a solution that was loaded, so that one compilation serves both
        w = workspace(game, low)
        best = Players(game, ("best",) * game.seats, self.meta["compensated"])
        best.code(fill_policy)(game.table, best.play, w, table)
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
        w = workspace(game, np.array(self.low))
        table = np.zeros(shape)
        self._players.code(fill_values)(game.table, self._players.play, w, table)
        return as_memory(table)

    def tables(self) -> Mapping[str, np.ndarray]:
        filled = "policy_table" in vars(self)
        return {"low": self.low} | ({"policy": self.policy_table} if filled else {})


def values_obstacle(game: Game) -> str:
    """Why a table of all values would be too large; empty if it is not."""
    need = 8 * int(game.ask("size")) * int(game.plain(span)(game.table)) * (game.seats - 1)
    if need <= MOST_BYTES:
        return ""
    most = f"{need / 2**30:.1f} GiB, more than the {MOST_BYTES / 2**30:g} GiB allowed"
    return f"{game.describe()}: a table of values for every decision needs {most}; take a smaller game"
