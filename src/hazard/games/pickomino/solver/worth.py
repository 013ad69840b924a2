"""What decisions cost in a small solved game: the values of endings are looked up, and turns gone through exactly."""

from __future__ import annotations

from typing import Any

from hazard.games.pickomino.players.optimal import known_row
from hazard.games.pickomino.rules import CENTRE, FACES, STEAL, Params, State, legal, over, payoff
from hazard.games.pickomino.turn.states import centre_at, roll_value, state_of, steal_at, value_of, with_face
from hazard.jit import large, rule


@large
def move_value(g: Params, s: State, m: int, row: int) -> float:
    """What a move is worth to the mover by the values of a row."""
    t, k = g.scratch.turns, state_of(g, s.kept)
    if m < FACES:
        return value_of(t, row, state_of(g, with_face(s.kept, s.rolled, m)))
    if m == CENTRE:
        return t.rows[row, centre_at(t, t.score[k])]
    if m == STEAL:
        return t.rows[row, steal_at(t, t.score[k])]
    return roll_value(t, row, k)


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
        value = roll_value(g.scratch.turns, row, state_of(g, s.kept))
    else:
        value = -1.0
        for n in range(legal(g, s, g.scratch.legal)):
            value = max(value, move_value(g, s, g.scratch.legal[n], row))
    return value if s.mover == seat else 1.0 - value
