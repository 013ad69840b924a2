"""The solution of a game that was enumerated: bounds for every node, found by hashing the position.

Decisions that dice lead to have no entry of their own. What they are worth follows from the nodes that moves lead to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum, inf, nextafter
from typing import Any

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.jit import bind
from hazard.rulebook import Game, Position
from hazard.solving.enumerated.large import LABEL
from hazard.solving.enumerated.lookup import flat
from hazard.solving.enumerated.packing import Layout
from hazard.solving.enumerated.search import slot_of
from hazard.solving.enumerated.table import with_decisions
from hazard.solving.solution import Advice, Bounds, Solution, ranked

Pair = tuple[float, float]  # lower and upper bound of what seat 0 gets


def below(*terms: float) -> float:
    """The sum of some numbers, rounded down."""
    total = fsum(terms)
    return total if fsum([*terms, -total]) >= 0 else nextafter(total, -inf)


def above(*terms: float) -> float:
    """The sum of some numbers, rounded up."""
    return -below(*(-x for x in terms))


@dataclass(frozen=True)
class EnumeratedSolution(Solution):
    """The values of a game, certified: every value is between its bounds."""

    game: Game
    key: np.ndarray  # packed positions
    slots: np.ndarray  # hash table
    pairs: np.ndarray  # pairs[node]: bounds of what seat 0 gets
    meta: dict[str, Any]

    @cached_property
    def layout(self) -> Layout:
        return Layout(*np.array(self.meta["layout"], np.int64))

    def _node(self, s: Any) -> int:
        """The node of a position, -1 if it was never reached."""
        a, b, spill = self.game.plain(contract.pack)(self.game.ask("canonical", s), *self.layout)
        if spill or not len(self.key):
            return -1
        return int(self.slots[bind(slot_of, LABEL, {}, False)(self.key, self.slots, a, b)])

    def pair(self, position: Position) -> Pair:
        """Bounds of what seat 0 gets."""
        if position.over:
            return (position.payoffs[0],) * 2
        node = self._node(position.state)
        if node >= 0:
            return float(self.pairs[node, 0]), float(self.pairs[node, 1])
        if position.rolling:
            raise BadInput(f"{str(position)!r}: play from the start never comes here, so it was not solved")
        pairs = [pair for _, pair in self.options(position)]
        best = min if position.mover == 1 or self.game.least else max
        return best(a for a, _ in pairs), best(b for _, b in pairs)

    def options(self, position: Position) -> list[tuple[str, Pair]]:
        """The moves with the bounds of what seat 0 then gets."""
        game, rows = self.game, []
        for name, m in zip(position.moves, position.legal(), strict=True):
            after = Position(game, game.ask("move", position.state, m))
            (low, high), scored = self.after(after), float(game.ask("gain", position.state, m))
            rows.append((name, (below(low, scored), above(high, scored))))
        return rows

    def after(self, position: Position) -> Pair:
        """The same of a position that a move led to, which is a node or an end if play comes here at all."""
        if not position.over and self._node(position.state) < 0:
            raise BadInput(f"{str(position)!r}: play from the start never comes here, so it was not solved")
        return self.pair(position)

    def _for_seat(self, pair: Pair, seat: int) -> Pair:
        """The bounds for a seat: the second gets what the first leaves of the constant."""
        if seat == 0:
            return pair
        total, apart = self.meta["constant"], self.meta["apart"]
        return below(total, -pair[1], -apart), above(total, -pair[0], apart)

    def bounds(self, position: Position) -> Bounds:
        if position.over:
            return (position.payoffs,) * 2
        pairs = [self._for_seat(self.pair(position), seat) for seat in range(self.game.seats)]
        return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)

    def advise(self, position: Position) -> list[Advice]:
        position.check_decision()
        rows = []
        for name, pair in self.options(position):
            lower, upper = self._for_seat(pair, position.mover)
            rows.append((name, (lower + upper) / 2, lower, upper))
        return ranked(rows, "exact", self.game.least)

    # --- for compiled code -------------------------------------------------------------------------------------------
    def _check_start(self) -> None:
        if "deal" in self.game.contract:
            raise BadInput(f"{self.game.name}: solved from its start only, but play begins with boards that are dealt")

    @cached_property
    def policy(self) -> np.ndarray:
        """The values of all nodes: an agent looks up where its moves lead."""
        self._check_start()
        return flat(self.key, self.slots, self.pairs.mean(axis=1), self.layout, self.meta["constant"])

    @cached_property
    def values(self) -> np.ndarray:
        """The same, with all decisions."""
        self._check_start()
        return with_decisions(self.game, self.key, self.pairs.mean(axis=1), self.layout, self.meta["constant"])

    def tables(self) -> Mapping[str, np.ndarray]:
        return {"key": self.key, "slots": self.slots, "value": self.pairs}
