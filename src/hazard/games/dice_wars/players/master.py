"""The player that values both outcomes of every attack, and ending the turn, with a network that learnt by playing.

The network gives a player's chance to win from what that player sees of a position (see `features`). Its weights are
read from `memory` (see `hazard.learning.kernel`). What it sees and works out stands in `g.scratch.network`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hazard.bits import count, lowest
from hazard.games.dice_wars.land import OVER, Params, State, owner
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.features import (
    ENDED,
    INPUTS,
    MOVING,
    SUMS,
    VERSION,
    Sight,
    changed,
    cores_after,
    cores_of,
    kind_of,
    look,
    see_kinds,
    table_of,
)
from hazard.games.dice_wars.rules import END, LOST, WON, land, list_attacks, move, odds_of
from hazard.jit import large, rule
from hazard.learning.kernel import FOUR, HEAD, add_inputs, first_of_two, run_layer, set_offsets, swap_inputs
from hazard.learning.weights import in_use
from hazard.rulebook import Game

WIDE, NARROW = 32, 16  # layers between inputs and chances
SIZES = [INPUTS, WIDE, NARROW, 2]  # of all layers; the chance to win, and not to
SECOND_AT = HEAD + (INPUTS + 1) * WIDE  # where the weights of the second layer begin
TOP = 4  # moves that are remembered
LEAST = 0.2  # the least chance to win a battle for which an attack is considered


# --- the network -------------------------------------------------------------------------------------------------
@rule
def add_lands(w: Any, table: int, full: int, kinds: Any, first: Any) -> None:
    """The first layer, as far as it comes from territories."""
    set_offsets(first, w, INPUTS)
    add_inputs(first, w, table, kinds, count(full), FOUR)


@rule
def finish(g: Params, w: Any, table: int) -> float:
    """Add the sums to the first layer, and work out the chance to win."""
    net = g.scratch.network
    add_inputs(net.wide, w, table, net.sums, SUMS, FOUR)
    return first_of_two(w, run_layer(w, SECOND_AT, net.wide, net.narrow, FOUR), net.narrow)


@large
def judge(g: Params, s: State, seat: int, ended: int, memory: Any) -> float:
    """The chance to win of a player who is in the game, at a decision or having ended the turn."""
    w, net, row = memory.view(np.float32), g.scratch.network, map_of(g, s)
    v = look(g, s, seat, row, cores_of(g, s, row), net.sums)
    see_kinds(g, row, v, v.full, net.spare)
    add_lands(w, table_of(v, ended), v.full, net.spare, net.wide)
    return finish(g, w, table_of(v, ended))


# --- decisions ---------------------------------------------------------------------------------------------------
@large
def judge_next(g: Params, s: State, row: int, cores: int, v: Sight, memory: Any) -> float:
    """The mover's chance to win at a decision soon after another, whose sight, kinds and first layer are known."""
    w, net = memory.view(np.float32), g.scratch.network
    u = look(g, s, s.mover, row, cores, net.sums)
    lands, table = changed(g, row, v, u), table_of(u, MOVING)
    if table != table_of(v, MOVING):
        return judge(g, s, s.mover, MOVING, memory)
    for i in range(net.wide.size):
        net.wide[i] = net.base[i]
    while lands:
        land_ = lowest(lands)
        lands &= lands - 1
        old, new = net.kinds[land_], kind_of(g, row, u, land_)
        if old != new:
            swap_inputs(net.wide, w, table + old, table + new)
    return finish(g, w, table)


@large
def after(g: Params, s: State, edge: int, outcome: int, row: int, v: Sight, memory: Any) -> float:
    """The mover's chance to win once a battle has gone one way."""
    t = land(g, move(g, s, edge), outcome)
    if t.phase == OVER:
        return 1.0
    cores, target = v.cores, g.scratch.edges[row, edge, 1]
    if outcome == WON:
        cores = cores_after(g, t, row, v, 1 << target, owner(s, target))
    return judge_next(g, t, row, cores, v, memory)


@large
def begin(g: Params, s: State, row: int, memory: Any) -> Any:
    """Look at a decision: how it is seen, and the chance to win if the turn ends here."""
    w, net = memory.view(np.float32), g.scratch.network
    v = look(g, s, s.mover, row, cores_of(g, s, row), net.sums)
    see_kinds(g, row, v, v.full, net.kinds)
    add_lands(w, table_of(v, MOVING), v.full, net.kinds, net.base)
    add_lands(w, table_of(v, ENDED), v.full, net.kinds, net.wide)
    return v, finish(g, w, table_of(v, ENDED))


@rule
def remember(moves: Any, values: Any, m: int, value: float) -> None:
    """Put a move in its place among the best."""
    k = TOP - 1
    if value <= values[k]:
        return
    while k > 0 and value > values[k - 1]:
        moves[k], values[k] = moves[k - 1], values[k - 1]
        k -= 1
    moves[k], values[k] = m, value


@large
def choose(g: Params, s: State, moves: Any, memory: Any) -> Any:
    """The best of all attacks and of ending the turn, and its chance to win; the scratch has the next best too."""
    row, net = map_of(g, s), g.scratch.network
    net.values[:] = -1
    v, ended = begin(g, s, row, memory)
    remember(net.moves, net.values, END, ended)
    before, lost = -1, 0.0
    for i in range(list_attacks(g, s, row, v.own, moves)):
        edge = moves[i]
        odds = odds_of(g, s, row, edge)
        if odds < LEAST:
            continue
        if g.scratch.edges[row, edge, 0] != before:  # a defeat leaves the same position, whatever was attacked
            before, lost = g.scratch.edges[row, edge, 0], after(g, s, edge, LOST, row, v, memory)
        won = after(g, s, edge, WON, row, v, memory)
        remember(net.moves, net.values, edge, odds * won + (1 - odds) * lost)
    return net.moves[0], net.values[0]


@large
def master_fast(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move that promises most, by the network alone."""
    return choose(g, s, moves, memory)[0]


def weights_of(game: Game) -> np.ndarray:
    """The weights that ship, for any number of players, or those of the file that HAZARD_WEIGHTS names."""
    return in_use(Path(__file__).parents[1] / "weights" / "all.bin", game, VERSION, SIZES)
