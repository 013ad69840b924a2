"""The player that values both outcomes of every attack, and ending the turn, with a network that learnt by playing.

The network gives a player the chance to win from what it sees of a position (see `features`); its weights are read
from `memory`: a mark of these weights, the sizes of the layers, then matrices and offsets layer by layer. `moves` is
the room it works in.
"""

from __future__ import annotations

from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from hazard.games.dice_wars.land import FIRST, MOST, OVER, Params, State, count, dice_on, lowest, owner, without
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
from hazard.games.dice_wars.rules import END, LOST, WON, land, move
from hazard.jit import large, rule
from hazard.learning.weights import in_use
from hazard.rulebook import Game

WIDE, NARROW = 32, 16  # layers between inputs and chances
SIZES = [INPUTS, WIDE, NARROW, 2]  # of all layers; the chance to win, and not to
HEAD = 4  # numbers before the weights: the mark, inputs, first and second layer
SECOND_AT = HEAD + (INPUTS + 1) * WIDE
LAST_AT = SECOND_AT + (WIDE + 1) * NARROW
KINDS_AT = SUMS  # places in the room: sums come first, then kinds of territories, then neurons
SPARE_AT = KINDS_AT + MOST  # kinds of another position
NEURONS_AT = SPARE_AT + MOST
BEST_AT = NEURONS_AT + WIDE + NARROW // 2  # the best moves, then their values; neurons take half a place each
TOP = 4  # moves that are kept
USED = BEST_AT + 2 * TOP  # of the room
LEAST = 0.2  # chance to win a battle from which on an attack is considered


# --- the network -------------------------------------------------------------------------------------------------
@rule
def add_row(to: Any, w: Any, at: int) -> None:
    row = w[at : at + to.size]
    for i in range(to.size):
        to[i] += row[i]


@rule
def swap_rows(to: Any, w: Any, old: int, new: int) -> None:
    a, b = w[old : old + to.size], w[new : new + to.size]
    for i in range(to.size):
        to[i] += b[i] - a[i]


@rule
def add_four(to: Any, w: Any, at: int, bt: int, ct: int, dt: int) -> None:
    """Four rows at once, which is faster."""
    a, b, c, d = w[at : at + to.size], w[bt : bt + to.size], w[ct : ct + to.size], w[dt : dt + to.size]
    for i in range(to.size):
        to[i] += (a[i] + b[i]) + (c[i] + d[i])


@rule
def row_at(n: int) -> int:
    """Where the weights of an input begin."""
    return HEAD + n * WIDE


@rule
def add_inputs(to: Any, w: Any, table: int, seen: Any, n: int) -> None:
    """Add the weights of n inputs."""
    k = 0
    while k + 4 <= n:
        a, b = row_at(table + seen[k]), row_at(table + seen[k + 1])
        add_four(to, w, a, b, row_at(table + seen[k + 2]), row_at(table + seen[k + 3]))
        k += 4
    while k < n:
        add_row(to, w, row_at(table + seen[k]))
        k += 1


@rule
def add_times(to: Any, below: Any, rows: Any) -> None:
    """Add four rows, as far as what is below is positive."""
    a, b = max(below[0], np.float32(0)), max(below[1], np.float32(0))
    c, d = max(below[2], np.float32(0)), max(below[3], np.float32(0))
    p, q, r, s = rows[0:NARROW], rows[NARROW : 2 * NARROW], rows[2 * NARROW : 3 * NARROW], rows[3 * NARROW : 4 * NARROW]
    for i in range(to.size):
        to[i] += (a * p[i] + b * q[i]) + (c * r[i] + d * s[i])


@rule
def second_layer(w: Any, wide: Any, narrow: Any) -> None:
    narrow[:] = 0
    add_row(narrow, w, LAST_AT - NARROW)
    for k in range(0, WIDE, 4):
        add_times(narrow, wide[k : k + 4], w[SECOND_AT + k * NARROW : SECOND_AT + (k + 4) * NARROW])


@rule
def last_layer(w: Any, narrow: Any) -> float:
    """The chance to win."""
    lead = w[LAST_AT + 2 * NARROW] - w[LAST_AT + 2 * NARROW + 1]
    for k in range(NARROW):
        lead += max(narrow[k], np.float32(0)) * (w[LAST_AT + 2 * k] - w[LAST_AT + 2 * k + 1])
    return 1 / (1 + exp(-float(lead)))


@rule
def add_lands(w: Any, table: int, full: int, kinds: Any, to: Any) -> None:
    """The first layer, as far as it comes from territories."""
    to[:] = 0
    add_row(to, w, row_at(INPUTS))
    add_inputs(to, w, table, kinds, count(full))


@rule
def finish(w: Any, table: int, room: Any, wide: Any, narrow: Any) -> float:
    """Add the sums to the first layer, and work out the others."""
    add_inputs(wide, w, table, room, SUMS)
    second_layer(w, wide, narrow)
    return last_layer(w, narrow)


@rule
def layers(room: Any) -> Any:
    """Room for the first layer of the position at hand, for the first layer and the second."""
    neurons = room[NEURONS_AT:].view(np.float32)
    return neurons[:WIDE], neurons[WIDE : 2 * WIDE], neurons[2 * WIDE : 2 * WIDE + NARROW]


@large
def judge(g: Params, s: State, seat: int, ended: int, memory: Any, room: Any) -> float:
    """The chance to win of a player who is in the game, at a decision or having ended the turn."""
    w, row = memory.view(np.float32), map_of(g, s)
    _, wide, narrow = layers(room)
    v = look(g, s, seat, row, cores_of(g, s, row), room)
    see_kinds(g, row, v, v.full, room[SPARE_AT:])
    add_lands(w, table_of(v, ended), v.full, room[SPARE_AT:], wide)
    return finish(w, table_of(v, ended), room, wide, narrow)


# --- decisions ---------------------------------------------------------------------------------------------------
@large
def judge_next(g: Params, s: State, row: int, cores: int, v: Sight, memory: Any, room: Any) -> float:
    """The mover's chance to win at a decision soon after another, whose sight, kinds and first layer are known."""
    w = memory.view(np.float32)
    first, wide, narrow = layers(room)
    u = look(g, s, s.mover, row, cores, room)
    lands, table = changed(g, row, v, u), table_of(u, MOVING)
    if table != table_of(v, MOVING):
        return judge(g, s, s.mover, MOVING, memory, room)
    for i in range(wide.size):
        wide[i] = first[i]
    while lands:
        land_ = lowest(g, lands)
        lands &= lands - 1
        old, new = room[KINDS_AT + land_], kind_of(g, row, u, land_)
        if old != new:
            swap_rows(wide, w, row_at(table + old), row_at(table + new))
    return finish(w, table, room, wide, narrow)


@large
def after(g: Params, s: State, edge: int, outcome: int, row: int, v: Sight, memory: Any, room: Any) -> float:
    """The mover's chance to win once a battle has gone one way."""
    t = land(g, move(g, s, edge), outcome)
    if t.phase == OVER:
        return 1.0
    cores, target = v.cores, g.scratch.edges[row, edge, 1]
    if outcome == WON:
        cores = cores_after(g, t, row, v, 1 << target, owner(s, target))
    return judge_next(g, t, row, cores, v, memory, room)


@large
def begin(g: Params, s: State, row: int, memory: Any, room: Any) -> Any:
    """Look at a decision: how it is seen, and the chance to win if the turn ends here."""
    w, (first, wide, narrow) = memory.view(np.float32), layers(room)
    v, kinds = look(g, s, s.mover, row, cores_of(g, s, row), room), room[KINDS_AT:]
    see_kinds(g, row, v, v.full, kinds)
    add_lands(w, table_of(v, MOVING), v.full, kinds, first)
    add_lands(w, table_of(v, ENDED), v.full, kinds, wide)
    return v, finish(w, table_of(v, ENDED), room, wide, narrow)


@rule
def keep(moves: Any, values: Any, m: int, value: float) -> None:
    """Put a move in its place among the best."""
    k = TOP - 1
    if value <= values[k]:
        return
    while k > 0 and value > values[k - 1]:
        moves[k], values[k] = moves[k - 1], values[k - 1]
        k -= 1
    moves[k], values[k] = m, value


@large
def choose(g: Params, s: State, memory: Any, room: Any) -> Any:
    """The best of all attacks and of ending the turn, and the chance to win that it promises; the room has the next."""
    row, moves = map_of(g, s), room[BEST_AT : BEST_AT + TOP]
    values = room[BEST_AT + TOP : BEST_AT + 2 * TOP].view(np.float64)
    values[:] = -1
    v, ended = begin(g, s, row, memory, room)
    keep(moves, values, END, ended)
    sources = v.own & without(s, 1)
    while sources:
        source, lost = lowest(g, sources), -1.0
        sources &= sources - 1
        dice = dice_on(s, source)
        for edge in range(g.scratch.counts[row, FIRST + source], g.scratch.counts[row, FIRST + source + 1]):
            target = g.scratch.edges[row, edge, 1]
            odds = g.odds[dice, dice_on(s, target)]
            if (v.own >> target) & 1 or odds < LEAST:
                continue
            if lost < 0:  # the same whatever was attacked
                lost = after(g, s, edge, LOST, row, v, memory, room)
            keep(moves, values, edge, odds * after(g, s, edge, WON, row, v, memory, room) + (1 - odds) * lost)
    return moves[0], values[0]


@large
def master_fast(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move that promises most, by the network alone."""
    return choose(g, s, memory, moves)[0]


def weights_of(game: Game) -> np.ndarray:
    """The weights that ship, for any number of players, or those of the file that HAZARD_WEIGHTS names."""
    return in_use(Path(__file__).parents[1] / "weights" / "all.bin", game, VERSION, SIZES)
