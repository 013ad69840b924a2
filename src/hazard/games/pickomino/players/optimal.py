"""The player that looks up what a small solved game is worth after its turn, and plays the turn exactly for that."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.games.pickomino.players.turn_player import with_tile
from hazard.games.pickomino.rules import (
    LOWEST,
    Params,
    State,
    fail,
    highest,
    legal,
    lift,
    over,
    pass_on,
    payoff,
    put,
    top,
)
from hazard.games.pickomino.solver.arrangements import find_key, key_of
from hazard.games.pickomino.turn.states import NEVER, best_move, centre_at, fail_at, find_row, steal_at
from hazard.jit import large, rule

SOLVED = 2  # tells its rows of values from those of others


@rule
def worth_after(g: Params, s: State, seat: int, memory: Any) -> float:
    """What the table after a turn is worth to the one whose turn it was. Memory has all keys, then all values."""
    if over(g, s):
        return payoff(g, s, seat)
    size = memory.size // 16
    return 1.0 - memory.view(np.float64)[size + find_key(memory.view(np.int64)[:size], key_of(s))]


@large
def fill_known(g: Params, s: State, row: int, memory: Any) -> None:
    """The values of all endings of the turn."""
    t, tile, value = g.scratch.turns, -1, NEVER
    for score in range(t.number.shape[2]):
        reached = highest(s.centre, min(score - LOWEST, g.tiles - 1))
        if reached > tile:
            tile, value = reached, worth_after(g, pass_on(g, with_tile(s, reached)), s.mover, memory)
        t.rows[row, centre_at(t, score)] = value
        t.rows[row, steal_at(t, score)] = NEVER
    other = 1 - s.mover
    if top(s, other) >= 0 and top(s, other) + LOWEST < t.number.shape[2]:
        after = pass_on(g, put(lift(s, other), top(s, other)))
        t.rows[row, steal_at(t, top(s, other) + LOWEST)] = worth_after(g, after, s.mover, memory)
    t.rows[row, fail_at(t)] = worth_after(g, fail(g, s), s.mover, memory)


@rule
def known_row(g: Params, s: State, memory: Any) -> Any:
    """The row of the turn at hand."""
    row = find_row(g.scratch.turns, key_of(s), SOLVED, 0, 0)
    if g.scratch.turns.fresh[0]:
        fill_known(g, s, row, memory)
    return row


@large
def optimal(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The best move by the solved values."""
    count = legal(g, s, moves)
    return moves[0] if count == 1 else best_move(g, s, moves, count, known_row(g, s, memory))
