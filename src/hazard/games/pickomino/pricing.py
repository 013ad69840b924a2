"""What decisions cost in a small solved game: the values of endings are looked up, and turns gone through exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.arena.grade_uncounted import Prices
from hazard.errors import BadInput
from hazard.games.pickomino.optimal import known_row
from hazard.games.pickomino.rules import CENTRE, FACES, STEAL, Params, State, legal
from hazard.games.pickomino.stored import QUICK, can_be_solved
from hazard.games.pickomino.turns import best_move, centre_at, roll_value, state_of, steal_at, value_of, with_face
from hazard.jit import large, rule
from hazard.rulebook import Game
from hazard.solving.solver import as_memory

REMARKS = {"turns": "gone through exactly; between turns the solved values"}


@large
def move_value(g: Params, s: State, m: int, row: int) -> float:
    """What a move is worth to the mover by the values of a row."""
    t, k = g.turns, state_of(g, s.kept)
    if m < FACES:
        return value_of(t, row, state_of(g, with_face(s.kept, s.rolled, m)))
    if m == CENTRE:
        return t.rows[row, centre_at(t, t.score[k])]
    if m == STEAL:
        return t.rows[row, steal_at(t, t.score[k])]
    return roll_value(t, row, k)


@rule
def price_all(g: Params, rows: Any, memory: Any, moves: Any, out: Any, best: Any) -> None:
    """For each decision the number of legal moves, the mover's value, and what the move made gives away."""
    for v in range(rows.shape[0]):
        r = rows[v]
        s = State(r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8])
        row, count = known_row(g, s, memory), legal(g, s, moves)
        best[v] = best_move(g, s, moves, count, row)
        out[v, 0] = count
        out[v, 1] = move_value(g, s, best[v], row)
        out[v, 2] = out[v, 1] - move_value(g, s, r[0], row)


def price(solution: Any, rows: np.ndarray) -> Prices:
    """What decisions cost; a row is the move made and the numbers of the position."""
    game = solution.game
    out, best = np.zeros((len(rows), 3)), np.zeros(len(rows), np.int64)
    moves = np.zeros(game.rules.fanout(game.g), np.int64)
    game.compiled(price_all)(game.g, np.ascontiguousarray(rows), as_memory(solution.policy), moves, out, best)
    return Prices(out[:, 0].astype(np.int64), out[:, 1], out[:, 2], best)


def check(game: Game) -> None:
    """Refuse what is not solved, and would take long to solve."""
    if not can_be_solved(game):
        raise BadInput(
            f"{game.describe()}: no solution is at hand, and none can be made quickly; try `hazard solve` first, "
            f"or a smaller game of two, e.g. -p tiles={QUICK}"
        )
