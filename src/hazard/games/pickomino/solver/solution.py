"""A solved game of Pickomino: keys of all arrangements of tiles, with certified bounds of the mover's value.

Only positions between turns are stored. Within a turn, values are worked out when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from hazard.agents.seating import as_memory
from hazard.games.pickomino.rules import State, over, payoff
from hazard.games.pickomino.solver.arrangements import count_all, key_of
from hazard.games.pickomino.solver.prove import rounding
from hazard.games.pickomino.turn.endings import Turn, ends_of, worth_of_moves
from hazard.games.pickomino.turn.states import state_of
from hazard.rulebook import Game, Position, make_game
from hazard.solving.solution import Advice, Bounds, Solution, ranked
from hazard.solving.tables import Table

TABLES = ("keys", "lower", "upper")
ABOUT_A_TURN = ("mode", "target", "exactly", "kept", "rolled")  # parameters that do not change the game


@dataclass(frozen=True)
class Pickomino(Solution):
    """The values of a solved game; every value is between its bounds."""

    game: Game
    keys: np.ndarray  # of all arrangements of tiles, as their movers see them; see `arrangements`
    lower: np.ndarray  # the mover's value is at least this
    upper: np.ndarray
    meta: dict[str, Any]

    @cached_property
    def policy(self) -> np.ndarray:
        """What the agent `optimal` reads: the bytes of all keys, then of all values."""
        values = (np.asarray(self.lower) + np.asarray(self.upper)) / 2
        return as_memory(np.concatenate([np.asarray(self.keys).view(np.uint8), values.view(np.uint8)]))

    @property
    def values(self) -> np.ndarray:
        """What `worth` reads: the same."""
        return self.policy

    def tables(self) -> Mapping[str, np.ndarray]:
        return {name: getattr(self, name) for name in TABLES}

    def worth(self, s: State, seat: int, surely: bool) -> float:
        """What the table between turns is worth to a seat: what it is sure of, or what it cannot exceed."""
        if over(self.game.g, s):
            return float(payoff(self.game.g, s, seat))
        place = np.searchsorted(self.keys, key_of(s))
        if s.mover == seat:
            return float((self.lower if surely else self.upper)[place])
        return 1.0 - float((self.upper if surely else self.lower)[place])

    def ends(self, s: State, surely: bool) -> np.ndarray:
        """What the endings of a turn are worth to its player; the rounding of a turn is counted in."""
        g, slack = self.game.g, (-1.0 if surely else 1.0) * rounding(self.game.g)
        return ends_of(g, s).valued(g.dice, lambda t: self.worth(t, s.mover, surely) + slack)

    def _own_bounds(self, position: Position) -> tuple[float, float]:
        """What the mover is sure of, and what it cannot exceed."""
        g, s, sides = self.game.g, position.state, (True, False)
        if position.over or not (s.kept or s.rolled):
            low, high = (self.worth(s, s.mover, surely) for surely in sides)
        elif position.rolling:
            low, high = (Turn(g.dice, self.ends(s, surely)).value(int(state_of(g, s.kept)), True) for surely in sides)
        else:
            low, high = (max(worth_of_moves(g, s, position.legal(), self.ends(s, surely))) for surely in sides)
        return low, high

    def bounds(self, position: Position) -> Bounds:
        """For each seat the lower and the upper bound."""
        low, high = self._own_bounds(position)
        lower, upper = (low, 1.0 - high), (high, 1.0 - low)
        return (lower, upper) if position.mover == 0 else (lower[::-1], upper[::-1])

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        position.check_decision()
        s, moves = position.state, position.legal()
        low, high = (worth_of_moves(self.game.g, s, moves, self.ends(s, surely)) for surely in (True, False))
        rows = [(name, (a + b) / 2, a, b) for name, a, b in zip(position.moves, low, high, strict=True)]
        return ranked(rows, "exact")


def opened(game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Pickomino:
    """The solution whose tables these are."""
    size = count_all(game.g.tiles)
    if any(tables[name].shape != (size,) or tables[name].dtype.itemsize != 8 for name in TABLES):
        raise ValueError("its tables are not those described")
    return Pickomino(game, tables["keys"].whole, tables["lower"].whole, tables["upper"].whole, meta)


@lru_cache(maxsize=64)
def whole(game: Game) -> Game:
    """The game without what is said of one turn."""
    plain = {name: value for name, value in game.parameters.items() if name not in ABOUT_A_TURN}
    return make_game(game.name, plain)
