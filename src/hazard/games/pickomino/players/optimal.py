"""The player that looks up what a small solved game is worth after its turn, and plays the turn exactly for that."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.games.pickomino.rules import (
    LOWEST,
    Params,
    State,
    bought,
    fail,
    legal,
    over,
    pass_on,
    payoff,
    robbed,
    top,
    with_tile,
)
from hazard.games.pickomino.solver.arrangements import find_key, key_of
from hazard.games.pickomino.turn.states import NEVER, best_move, centre_at, fail_at, find_row, steal_at
from hazard.jit import large, rule

SOLVED = 2  # tells rows of this player from those of others


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
    for score in range(t.scores):
        if bought(s.centre, score) > tile:
            tile = bought(s.centre, score)
            value = worth_after(g, pass_on(g, with_tile(s, tile)), s.mover, memory)
        t.rows[row, centre_at(t, score)] = value
        t.rows[row, steal_at(t, score)] = NEVER
    other = 1 - s.mover
    if top(s, other) >= 0 and top(s, other) + LOWEST < t.scores:
        value = worth_after(g, pass_on(g, robbed(s, other)), s.mover, memory)
        t.rows[row, steal_at(t, top(s, other) + LOWEST)] = value
    t.rows[row, fail_at(t)] = worth_after(g, fail(g, s), s.mover, memory)


@rule
def known_row(g: Params, s: State, memory: Any) -> Any:
    """The row of this turn."""
    row = find_row(g.scratch.turns, key_of(s), SOLVED, 0, 0)
    if g.scratch.turns.fresh[0]:
        fill_known(g, s, row, memory)
    return row


@large
def optimal(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The best move by the solved values."""
    count = legal(g, s, moves)
    return moves[0] if count == 1 else best_move(g, s, moves, count, known_row(g, s, memory))
