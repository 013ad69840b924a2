"""The chances of all seats in any position, by the network of `master`.

The network values the endings of the turn. The turn itself is worked out exactly, played for those values.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np

from hazard.games.pickomino.players.master import CHANCES, judge, values_of_endings, weights_of
from hazard.games.pickomino.rules import CENTRE, ROLL, STEAL, State, over, payoff, points
from hazard.games.pickomino.turn.endings import Turn, after_move, ends_of
from hazard.games.pickomino.turn.states import NEVER
from hazard.rulebook import Game, Position

CACHED = 16  # turns


class ValuedTurn:
    """The turn of a position, with what each of its endings leaves to every seat."""

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
        return max((self.after(s, m) for m in moves), key=lambda chances: chances[s.mover])

    def after(self, s: State, m: int) -> np.ndarray:
        if m in (CENTRE, STEAL):
            return self.every[:, int(points(s.kept)) + (5 * self.g.dice + 1 if m == STEAL else 0)]
        return self.every @ self.turn.chances(*after_move(self.g, s, m))


def _left(game: Game, s: State, memory: np.ndarray) -> list[float]:
    """What each seat can expect between turns."""
    if over(game.table, s):
        return [float(payoff(game.table, s, seat)) for seat in range(game.seats)]
    game.soon(judge)(game.table, s, memory)
    chances = game.table.scratch.turns.neurons[CHANCES : CHANCES + game.seats]
    return [float(chances[(seat - s.mover) % game.seats]) for seat in range(game.seats)]


@lru_cache(maxsize=CACHED)
def _valued_turn(game: Game, s: State) -> ValuedTurn:
    return ValuedTurn(Position(game, s))


def value(position: Position) -> tuple[float, ...]:
    """The chances of all seats in a position that is not over; BadInput where there is no network for the game."""
    s = position.state
    turn = _valued_turn(position.game, s._replace(kept=0, rolled=0, rolling=1))
    return tuple(float(chance) for chance in turn.value(s, position.legal()))
