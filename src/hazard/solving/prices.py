"""What decisions cost by the values of a solution, for any solved game, at compiled speed."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import gain, legal, move, prospect, sense, unpack
from hazard.jit import rule
from hazard.solving.solution import Solution


class Prices(NamedTuple):
    """What decisions cost."""

    legal: np.ndarray  # how many moves there were
    values: np.ndarray  # of the best of them, to the mover
    losses: np.ndarray  # what the moves made give away
    best: np.ndarray  # the first of the best moves


@rule
def price_rows(g: Any, rows: Any, values: Any, slack: float, moves: Any, worths: Any, out: Any, named: Any) -> None:
    """For each decision how many moves are legal and the first that loses nothing; the best value, and the loss."""
    for v in range(rows.shape[0]):
        s = unpack(rows[v, 1:])
        count = legal(g, s, moves)
        most, mine = 0.0, 0.0
        for n in range(count):
            worths[n] = sense(g) * (gain(g, s, moves[n]) + prospect(g, move(g, s, moves[n]), s.mover, values))
            most = worths[n] if n == 0 else max(most, worths[n])
            if moves[n] == rows[v, 0]:
                mine = worths[n]
        best = 0
        while best < count - 1 and most - worths[best] > slack:
            best += 1
        named[v, 0], named[v, 1] = count, moves[best]
        out[v, 0], out[v, 1] = sense(g) * most, most - mine if most - mine > slack else 0.0


def price(solution: Solution, rows: np.ndarray, slack: float = 0.0) -> Prices:
    """What decisions cost; a row is the move made, and then the numbers of the position.

    A loss up to the slack is none.
    """
    game = solution.game
    out, named = np.zeros((len(rows), 2)), np.zeros((len(rows), 2), np.int64)
    room = int(game.ask("fanout"))
    scratch = np.zeros(room, np.int64), np.zeros(room)
    game.soon(price_rows)(game.table, np.ascontiguousarray(rows), solution.values, slack, *scratch, out, named)
    return Prices(named[:, 0], out[:, 0], out[:, 1], named[:, 1])
