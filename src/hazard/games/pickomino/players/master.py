"""The player that goes through each turn exactly, and values its endings with a network that learnt by playing itself.

The network gives every seat its chance to win from what it sees of the table (see `features`). Its weights are read
from `memory` (see `hazard.learning.kernel`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.pickomino.players.features import VERSION, inputs, see
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
from hazard.games.pickomino.turn.states import NEVER, best_move, centre_at, fail_at, find_row, steal_at
from hazard.jit import large, rule
from hazard.learning.kernel import HEAD, ONE, add_inputs, run_layer, set_offsets, soften
from hazard.learning.weights import in_use
from hazard.rulebook import Game, Position

LAYERS = (64, 32)  # between inputs and chances
CHANCES = sum(LAYERS)  # where `neurons` hold the chances of all seats
MINE = 1 << 40  # in the key of a row of values: that it is this player's


@large
def judge(g: Params, s: State, memory: Any) -> None:
    """Every seat's chance to win before a turn, in `neurons` from CHANCES on, in the order of turns."""
    w, t = memory.view(np.float32), g.scratch.turns
    inputs, wide, narrow = int(w[1]), int(w[2]), int(w[3])
    first, second = t.neurons[:wide], t.neurons[wide : wide + narrow]
    chances = t.neurons[CHANCES : CHANCES + g.players]
    set_offsets(first, w, inputs)
    add_inputs(first, w, 0, t.seen, see(g, s, t.seen), ONE)
    at = run_layer(w, HEAD + (inputs + 1) * wide, first, second, ONE)
    run_layer(w, at, second, chances, ONE)
    soften(chances)


@rule
def worth(g: Params, s: State, seat: int, memory: Any) -> float:
    """A seat's chance to win from the end of a turn."""
    if over(g, s):
        return payoff(g, s, seat)
    judge(g, s, memory)
    place = seat - s.mover
    return float(g.scratch.turns.neurons[CHANCES + (place if place >= 0 else place + g.players)])


@large
def value_ends(g: Params, s: State, row: int, memory: Any) -> None:
    """Value all endings of the turn."""
    t, me = g.scratch.turns, s.mover
    values = t.rows[row]
    values[centre_at(t, 0) : fail_at(t)] = NEVER
    for seat in range(g.players):
        tile = top(s, seat)
        if seat != me and tile >= 0 and tile + LOWEST < t.scores:
            values[steal_at(t, tile + LOWEST)] = worth(g, pass_on(g, robbed(s, seat)), me, memory)
    before, value = -1, NEVER
    for score in range(LOWEST, t.scores):
        tile = bought(s.centre, score)
        if tile > before:
            before, value = tile, worth(g, pass_on(g, with_tile(s, tile)), me, memory)
        values[centre_at(t, score)] = value
    values[fail_at(t)] = worth(g, fail(g, s), me, memory)


@rule
def own_row(g: Params, s: State, memory: Any) -> int:
    """The row of values for the turn of a position, for these weights."""
    digest = int(memory.view(np.float32)[0])
    return find_row(g.scratch.turns, s.centre + (s.mover << 16) + MINE, s.tops + (digest << 36), s.low, s.high)


@large
def master(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Play the turn exactly for the chance to win that its endings leave."""
    n = legal(g, s, moves)
    if n == 1:
        return moves[0]
    row = own_row(g, s, memory)
    if g.scratch.turns.fresh[0]:
        value_ends(g, s, row, memory)
    return best_move(g, s, moves, n, row)


def sizes(game: Game) -> list[int]:
    """Of all layers."""
    return [inputs(game.seats), *LAYERS, game.seats]


def weights_of(game: Game) -> np.ndarray:
    """The weights that ship for that many players, or those of the file that HAZARD_WEIGHTS names."""
    return in_use(Path(__file__).parents[1] / "weights" / f"{game.seats}.bin", game, VERSION, sizes(game))


def values_of_endings(position: Position) -> np.ndarray:
    """What the endings of the turn leave the mover, as `endings.Turn` takes them: chances to win."""
    game, t = position.game, position.game.table.scratch.turns
    if (game.table.tiles, game.table.dice) != (16, 8):
        raise BadInput(f"{game.describe()}: the network has learnt the game of 16 tiles and 8 dice only")
    t.keys[0] = 0  # the row is not to be found again
    game.soon(value_ends)(game.table, position.state, 0, weights_of(game))
    return t.rows[0, t.states :].copy()
