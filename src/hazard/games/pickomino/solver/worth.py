"""What positions of a small solved game are worth: endings are looked up, and turns are worked out exactly."""

from __future__ import annotations

from typing import Any

from hazard.games.pickomino.players.optimal import known_row
from hazard.games.pickomino.rules import Params, State, legal, over, payoff
from hazard.games.pickomino.turn.states import move_value, roll_value, state_of
from hazard.jit import large, rule


@rule
def worth(g: Params, s: State, seat: int, memory: Any) -> float:
    """What a position without dice in the air is worth to a seat."""
    return prospect(g, s, seat, memory)


@large
def prospect(g: Params, s: State, seat: int, memory: Any) -> float:
    """What any position is worth to a seat."""
    if over(g, s):
        return payoff(g, s, seat)
    row = known_row(g, s, memory)
    if s.rolling:
        value = roll_value(g.turn, g.scratch.turns, row, state_of(g, s.kept))
    else:
        value = -1.0
        for n in range(legal(g, s, g.scratch.legal)):
            value = max(value, move_value(g, s, g.scratch.legal[n], row))
    return value if s.mover == seat else 1.0 - value
