"""The player that goes through each turn exactly, with a simple idea of what its endings are worth.

A tile of the centre is worth its worms, a stolen one twice its worms, and a failure costs the worms on the own top
tile. Where the turn may end the game, who then wins decides.
"""

from __future__ import annotations

from typing import Any

from hazard.games.pickomino.rules import (
    LOWEST,
    Params,
    State,
    bought,
    fail,
    highest,
    legal,
    over,
    payoff,
    stealable,
    top,
    with_tile,
    worms,
)
from hazard.games.pickomino.turn.states import NEVER, best_move, centre_at, fail_at, find_row, steal_at
from hazard.jit import large, rule

WON = 100.0  # more than any tiles


@rule
def at_end(g: Params, s: State, seat: int) -> float:
    """The end of the game in worms: a great many for a win."""
    return WON * (2 * payoff(g, s, seat) - 1)


@rule
def tile_value(g: Params, s: State, tile: int) -> float:
    """A tile of the centre."""
    if s.centre == 1 << tile:
        return at_end(g, with_tile(s, tile), s.mover)
    return 1.0 * worms(tile)


@rule
def fail_value(g: Params, s: State) -> float:
    after = fail(g, s)
    if over(g, after):
        return at_end(g, after, s.mover)
    return -1.0 * worms(top(s, s.mover)) if top(s, s.mover) >= 0 else 0.0


@large
def fill_ends(g: Params, s: State, row: int) -> None:
    """Value all endings of the turn."""
    t, targets = g.scratch.turns, stealable(g, s)
    for score in range(t.scores):
        tile = bought(s.centre, score)
        t.rows[row, centre_at(t, score)] = tile_value(g, s, tile) if tile >= 0 else NEVER
        stolen = 0 <= score - LOWEST < g.tiles and (targets >> (score - LOWEST)) & 1
        t.rows[row, steal_at(t, score)] = 2.0 * worms(score - LOWEST) if stolen else NEVER
    t.rows[row, fail_at(t)] = fail_value(g, s)


@rule
def first_of_each(g: Params, s: State) -> int:
    """Of the centre's tiles with as many worms the lowest: no score takes more worms with the others."""
    tiles = most = 0
    for tile in range(g.tiles):
        if (s.centre >> tile) & 1 and worms(tile) > most:
            tiles, most = tiles | 1 << tile, worms(tile)
    return tiles


@large
def turn(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Play the turn exactly for the worms it brings."""
    n = legal(g, s, moves)
    if n == 1:
        return moves[0]
    last = s.centre & (s.centre - 1) == 0
    mine = tile_value(g, s, highest(s.centre, g.tiles - 1)) if last else 0.0
    tiles = first_of_each(g, s) + (stealable(g, s) << 16) + (last << 32)
    row = find_row(g.scratch.turns, tiles, 1, int(8 * fail_value(g, s)), int(8 * mine))
    if g.scratch.turns.fresh[0]:
        fill_ends(g, s, row)
    return best_move(g, s, moves, n, row)
