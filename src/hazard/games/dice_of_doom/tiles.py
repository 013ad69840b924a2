"""What a game of Dice of Doom is made of: its parameters, a position, sets of tiles, and the dice on tiles.

A set of tiles is a number with one bit for each; tiles are numbered in reading order.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hazard.jit import rule

OPEN, AGAIN, BATTLE, PLACE, OVER = 0, 1, 2, 3, 4  # phases
DETERMINISTIC, RANDOM, WEIGHTED, CHOSEN, CAPTURED = 0, 1, 2, 3, 4  # reinforcements
HALF = 16  # tiles whose dice fit in one number, four bits each


class Params(NamedTuple):
    players: int
    tiles: int
    full: int  # a bit for every tile
    max_dice: int  # on a tile
    reinforcement: int  # DETERMINISTIC to CAPTURED
    equal: int  # 1 if all players are dealt the same number of tiles, give or take one
    turns: int  # after which the game is a tie, 0 for no limit
    own_win: int  # 1 if ties are worth nothing to a solver, 0 for zero-sum
    edges: int  # ordered pairs of neighbours
    near: np.ndarray  # near[tile]: bits of its neighbours
    first: np.ndarray  # first[tile]: its first edge; the next tile's first edge ends them
    source: np.ndarray  # source[edge]: the attacking tile
    target: np.ndarray  # target[edge]: the tile under attack
    win: np.ndarray  # win[a, b]: of every[a, b] equally likely rolls those with which a dice beat b
    every: np.ndarray
    odds: np.ndarray  # odds[a, b]: the same as a fraction
    grid: np.ndarray  # grid[row, column]: the tile there, -1 for a hole
    sets: Any  # what random games look up by sets of tiles, see `random_play`
    scratch: Any  # arrays for searches; see Scratch


class Scratch(NamedTuple):
    """Arrays for searches; see `players.search`."""

    nodes: np.ndarray  # nodes[row]: a position, and where its parent and its children are
    totals: np.ndarray  # totals[row]: games and wins, or values


class State(NamedTuple):
    low: int  # a bit for each tile: the lower bit of its owner's number
    high: int  # the higher bit
    dice: int  # four bits for each of the first 16 tiles
    more: int  # and for each of the others
    phase: int  # OPEN to OVER
    attack: int  # the edge of the battle whose dice are in the air, otherwise -1
    left: int  # dice still to be placed
    gained: int  # dice captured this turn, where that counts
    turn: int  # turns played, where there is a limit
    mover: int  # seat of the player to move


# --- owners ------------------------------------------------------------------------------------------------------
@rule
def owned(g: Params, s: State, seat: int) -> int:
    """The tiles of a player."""
    low = s.low if seat & 1 else ~s.low
    high = s.high if seat & 2 else ~s.high
    return low & high & g.full


@rule
def owner(s: State, tile: int) -> int:
    return ((s.low >> tile) & 1) + 2 * ((s.high >> tile) & 1)


def widths(beside: Sequence[Sequence[int]]) -> np.ndarray:
    """The size of the largest territory of every set of tiles; `beside` has the neighbours of each tile."""
    return _widths(tuple(map(tuple, beside)))


@cache
def _widths(beside: tuple[tuple[int, ...], ...]) -> np.ndarray:
    left = np.arange(1 << len(beside))
    best = np.zeros_like(left)
    while left.any():
        area, before = left & -left, np.zeros_like(left)
        while (area != before).any():
            before = area
            for tile, others in enumerate(beside):
                area = area | np.where(area >> tile & 1, sum(1 << other for other in others), 0) & left
        best, left = np.maximum(best, np.bitwise_count(area)), left & ~area
    best.flags.writeable = False
    return best


# --- dice on tiles -----------------------------------------------------------------------------------------------
@rule
def dice_on(s: State, tile: int) -> int:
    if tile < HALF:
        return (s.dice >> (4 * tile)) & 15
    return (s.more >> (4 * (tile - HALF))) & 15


@rule
def add_dice(s: State, tile: int, n: int) -> State:
    """The position with n dice more on a tile, or fewer."""
    dice, more = s.dice, s.more
    if tile < HALF:
        dice += n << (4 * tile)
    else:
        more += n << (4 * (tile - HALF))
    return State(s.low, s.high, dice, more, s.phase, s.attack, s.left, s.gained, s.turn, s.mover)
