"""How the tiles of a small game for two can lie between turns, each arrangement by a key, as its mover sees it.

All arrangements are listed, also the few that no game comes to, so that any position can be looked up. The centre is
the highest part of a key: taking a tile, or turning one down, makes it smaller.
"""

from __future__ import annotations

from itertools import permutations
from math import comb, factorial
from typing import Any, NamedTuple

import numpy as np

from hazard.games.pickomino.rules import SLOT, TILE, Params, State, fail, over, pass_on, payoff, robbed, top, with_tile
from hazard.jit import large, rule

MOST_TILES = 8  # what `low` of a state has room for
CENTRE_AT, MINE_AT, OTHER_AT = 50, 45, 40  # bits of a key; `low` is below
LOW = (1 << OTHER_AT) - 1
NONE = -1
ENDS = (0.0, 0.5, 1.0)  # what the one who would be to move has of a game that is over: lost, shared, won


# --- keys ------------------------------------------------------------------------------------------------------------
@rule
def key_of(s: State) -> Any:
    """The key of a position of two, as its mover sees it; the dice do not count."""
    mine, other = top(s, s.mover) + 1, top(s, 1 - s.mover) + 1
    return np.int64((s.centre << CENTRE_AT) | (mine << MINE_AT) | (other << OTHER_AT) | s.low)


@rule
def arranged(key: int) -> State:
    """The position of a key, the first player to move."""
    tops = ((key >> MINE_AT) & TILE) | (((key >> OTHER_AT) & TILE) << SLOT)
    return State(key >> CENTRE_AT, tops, key & LOW, 0, 0, 0, 1, 0)


@rule
def find_key(keys: Any, key: int) -> int:
    """The place of a key among sorted ones."""
    low, high = 0, keys.size - 1
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


def count_all(tiles: int) -> int:
    """How many arrangements there are: k tiles in two stacks, others in the centre, at least one, or turned down."""
    ways = (comb(tiles, k) * factorial(k) * (k + 1) * (2 ** (tiles - k) - 1) for k in range(tiles))
    return sum(ways)


def _stacks(tiles: tuple[int, ...]) -> np.ndarray:
    """All ways to have these tiles in two stacks: keys without a centre."""
    orders = np.array(list(permutations(tiles)), np.int64).reshape(factorial(len(tiles)), len(tiles))
    found = []
    for cut in range(len(tiles) + 1):
        key = np.zeros(len(orders), np.int64)
        for at, stack in ((MINE_AT, orders[:, :cut]), (OTHER_AT, orders[:, cut:])):
            for tile, beneath in zip(stack.T[1:], stack.T, strict=False):
                key |= (beneath + 1) << SLOT * tile
            key |= (stack[:, -1] + 1 if stack.shape[1] else 0) << at
        found.append(key)
    return np.concatenate(found)


def all_keys(tiles: int) -> np.ndarray:
    """The keys of all arrangements, sorted."""
    found, full = [], (1 << tiles) - 1
    for held in range(full):
        stacks = _stacks(tuple(t for t in range(tiles) if held >> t & 1))
        centres = np.array([c for c in range(1, full + 1) if not c & held], np.int64)
        found.append(((centres << CENTRE_AT)[:, None] | stacks).reshape(-1))
    return np.sort(np.concatenate(found))


# --- what follows ----------------------------------------------------------------------------------------------------
@rule
def place_of(g: Params, keys: Any, s: State, seat: int) -> Any:
    """The place of a position after a turn; after all keys come those that are over, by what its mover has of them."""
    if over(g, s):
        return np.int64(keys.size + (1.0 - payoff(g, s, seat)) * (len(ENDS) - 1))
    return find_key(keys, key_of(s))


@large
def follow(g: Params, keys: Any, out: Any) -> None:
    """out[i]: where a turn can lead from the i-th key: by tile of the centre, then a steal, then a failure."""
    for i in range(keys.size):
        s = arranged(keys[i])
        for tile in range(g.tiles):
            if (s.centre >> tile) & 1:
                out[i, tile] = place_of(g, keys, pass_on(g, with_tile(s, tile)), 0)
        if top(s, 1) >= 0:
            out[i, g.tiles] = place_of(g, keys, pass_on(g, robbed(s, 1)), 0)
        out[i, g.tiles + 1] = place_of(g, keys, fail(g, s), 0)


class Arrangements(NamedTuple):
    keys: np.ndarray
    after: np.ndarray  # after[i]: places that follow, see `follow`; NONE where there is nothing to take
    levels: list[list[np.ndarray]]  # places, by tiles turned down, most first, then by tiles in the centre

    @property
    def size(self) -> int:
        return len(self.keys)

    def reachable(self, first: int) -> int:
        """How many can come up in a game that begins with the one at that place."""
        seen = np.zeros(self.size + len(ENDS), bool)
        seen[self.size :] = True
        waiting, found = np.array([first]), 0
        while len(waiting):
            found += len(waiting)
            seen[waiting] = True
            nearby = np.unique(self.after[waiting])
            waiting = nearby[(nearby != NONE) & ~seen[nearby]]
        return found


def _levels(keys: np.ndarray, tiles: int) -> list[list[np.ndarray]]:
    """Places in the order in which they are worked on: what is turned down never comes back."""
    centre = np.bitwise_count((keys >> CENTRE_AT).astype(np.uint64)).astype(np.int64)
    held = np.zeros(len(keys), np.int64)
    for at in (MINE_AT, OTHER_AT):
        tile = keys >> at & TILE
        while tile.any():
            held += tile > 0
            tile = np.where(tile > 0, keys >> SLOT * (tile - 1).clip(0) & TILE, 0)
    turned = tiles - centre - held
    places = [[np.flatnonzero((turned == t) & (centre == c)) for c in range(1, tiles + 1)] for t in range(tiles)]
    return [[some for some in layer if len(some)] for layer in reversed(places)]


def arrangements(game: Any) -> Arrangements:
    """All arrangements of a game of two, and what follows each."""
    keys = all_keys(game.table.tiles)
    after = np.full((len(keys), game.table.tiles + 2), NONE, np.int32)
    game.compiled(follow)(game.table, keys, after)
    return Arrangements(keys, after, _levels(keys, game.table.tiles))
