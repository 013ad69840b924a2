"""The chances of all seats in any position, by the network of `master`: it values the endings of the turn at hand, and
the turn itself is gone through exactly, played for those values.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from hazard.games.pickomino.players.master import CHANCES, judge, values_of_endings, weights_of
from hazard.games.pickomino.rules import CENTRE, ROLL, STEAL, State, over, payoff, points
from hazard.games.pickomino.turn.endings import Turn, after_move, ends_of
from hazard.games.pickomino.turn.states import NEVER
from hazard.rulebook import Game, Position

KEPT = 16  # turns that are remembered


class Table:
    """The turn at hand, with what each of its endings leaves to every seat."""

    def __init__(self, position: Position) -> None:
        game, memory = position.game, weights_of(position.game)
        self.turn, self.g = Turn(game.table.dice, values_of_endings(position)), game.table
        ends, left = ends_of(game.table, position.state), cache(lambda s: _left(game, s, memory))

        def left_to(seat: int) -> np.ndarray:
            return ends.valued(game.table.dice, lambda s: left(s)[seat])

        every = np.array([left_to(seat) for seat in range(game.seats)])
        self.every = np.where(every == NEVER, 0.0, every)

    def value(self, s: State, moves: list[int]) -> np.ndarray:
        """The chances of all seats with some dice set aside, the mover taking the best of its moves, or rolling."""
        if not moves:
            return self.after(s, ROLL)
        return max((self.after(s, m) for m in moves), key=lambda found: found[s.mover])

    def after(self, s: State, m: int) -> np.ndarray:
        if m in (CENTRE, STEAL):
            return self.every[:, int(points(s.kept)) + (5 * self.g.dice + 1 if m == STEAL else 0)]
        return self.every @ self.turn.chances(*after_move(self.g, s, m))


def _left(game: Game, s: State, memory: np.ndarray) -> list[float]:
    """What each seat can expect between turns."""
    if over(game.table, s):
        return [float(payoff(game.table, s, seat)) for seat in range(game.seats)]
    game.compiled(judge)(game.table, s, memory)
    chances = game.table.scratch.turns.neurons[CHANCES : CHANCES + game.seats]
    return [float(chances[(seat - s.mover) % game.seats]) for seat in range(game.seats)]


@lru_cache(maxsize=KEPT)
def _table(game: Game, s: State) -> Table:
    return Table(Position(game, s))


def value(position: Position) -> tuple[float, ...]:
    """The chances of all seats in a position that is not over; BadInput where there is no network for the game."""
    s = position.state
    table = _table(position.game, s._replace(kept=0, rolled=0, rolling=1))
    return tuple(float(chance) for chance in table.value(s, position.legal()))
