"""What decisions cost on a solved board: the value of any position, looked up or followed to where the table knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.arena.grade_uncounted import Prices
from hazard.errors import BadInput
from hazard.games.dice_of_doom.optimal import looked_up, optimal, result_of
from hazard.games.dice_of_doom.rules import END, can_attack, chance, land, legal, move, payoff, place_die, weight
from hazard.games.dice_of_doom.stored import can_be_solved
from hazard.games.dice_of_doom.tiles import (
    BATTLE,
    CHOSEN,
    OVER,
    PLACE,
    Params,
    State,
    count,
    largest,
    nth,
    owned,
)
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.solver import as_memory

REMARKS = {
    "limit of turns": "none (turns=0): the solved values know no limit",
    "boards": "dealt; optimal play is the mean value of those dealt",
}


@rule
def share_of(g: Params, s: State, i: int) -> float:
    """How likely the next die is to fall on the i-th own tile."""
    total = 0
    for k in range(count(owned(g, s, s.mover))):
        total += weight(g, s, k)
    return weight(g, s, i) / total


@rule
def after_dice(g: Params, s: State, memory: Any) -> float:
    """The mover's value with dice still to place: the mean over all ways they can fall, or the best way to choose."""
    own = owned(g, s, s.mover)
    n, found = count(own), 0.0
    if s.left == largest(g, own) and not can_attack(g, s, s.mover):
        return looked_up(g, s, memory)  # the turn had to end, so that the table knows what this is worth
    for way in range(n**s.left):  # each digit says where a die goes
        t, share, rest = s, 1.0, way
        while t.phase == PLACE:
            if g.reinforcement != CHOSEN:
                share *= share_of(g, t, rest % n)
            t = place_die(g, t, nth(g, own, rest % n))
            rest //= n
        if rest > 0:
            continue  # all tiles were full before the last die: this way has been met
        value = share * result_of(g, t, s.mover, memory)
        found = max(found, value) if g.reinforcement == CHOSEN else found + value
    return found


@rule
def settled(g: Params, s: State, seat: int, memory: Any) -> float:
    """What a position without dice in the air is worth to a seat."""
    if s.phase == OVER:
        return payoff(g, s, seat)
    value = after_dice(g, s, memory) if s.phase == PLACE else looked_up(g, s, memory)
    return value if s.mover == seat else 1.0 - value


@rule
def worth(g: Params, s: State, seat: int, memory: Any) -> float:
    """What any position is worth to a seat."""
    if s.phase != BATTLE:
        return settled(g, s, seat, memory)
    total, value = 0, 0.0
    for i in range(chance(g, s)):
        share = weight(g, s, i)
        total += share
        value += share * settled(g, land(g, s, i), seat, memory)
    return value / total


@rule
def best_move(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move of optimal play; of tiles that may get a die, the first that loses nothing."""
    if s.phase != PLACE:
        return optimal(g, s, moves, memory, rng)
    return dearest(g, s, moves, memory)


@rule
def dearest(g: Params, s: State, moves: Any, memory: Any) -> int:
    """The first move with the greatest value, by however little: `optimal` takes moves that nearly have it."""
    best, most = moves[0], -1.0
    for i in range(legal(g, s, moves)):
        value = worth(g, move(g, s, moves[i]), s.mover, memory)
        if value > most:
            best, most = moves[i], value
    return best


@rule
def price_all(g: Params, rows: Any, memory: Any, moves: Any, rng: Any, out: Any, best: Any) -> None:
    """For each decision the number of legal moves, the mover's value, and what the move made gives away."""
    for v in range(rows.shape[0]):
        r = rows[v]
        s = State(r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10])
        best[v] = best_move(g, s, moves, memory, rng)
        out[v, 0] = legal(g, s, moves)
        out[v, 1] = worth(g, s, s.mover, memory)
        if r[0] == END == best[v]:  # then the table's value is that of ending the turn, however the dice will fall
            out[v, 2] = 0.0
        else:
            out[v, 2] = out[v, 1] - worth(g, move(g, s, r[0]), s.mover, memory)


def price(solution: Any, rows: np.ndarray) -> Prices:
    """What decisions cost; a row is the move made and the numbers of the position."""
    game, rng = solution.game, np.zeros(4, np.uint64)
    out, best = np.zeros((len(rows), 3)), np.zeros(len(rows), np.int64)
    moves = np.zeros(game.rules.fanout(game.g), np.int64)
    memory = as_memory(solution.policy)
    game.compiled(price_all)(game.g, np.ascontiguousarray(rows), memory, moves, rng, out, best)
    return Prices(out[:, 0].astype(np.int64), out[:, 1], out[:, 2], best)


def check(game: Game) -> None:
    """Refuse what is not solved for equal and opposite aims, or would take long to solve."""
    if game.g.own_win:
        raise BadInput("objective=own-win: grades are for zero-sum, where what one player loses the other gains")
    if not can_be_solved(game):
        raise BadInput(
            f"{game.describe()}: no solution is at hand, and none can be made quickly; try `hazard solve` first, "
            "or a smaller board, e.g. -p board=2x3"
        )
