"""Arrays that the rules and the players of Dice Wars write to, one set for each thread.

The rules cache the latest maps here. Each player that searches or looks at a network has arrays of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hazard.games.dice_wars.land import FIRST, MOST, MOST_EDGES, Params, State
from hazard.games.dice_wars.maps.files import neighbours
from hazard.games.dice_wars.maps.grow import AREA, LARGEST, MAPS, draw_map, list_edges
from hazard.games.dice_wars.players.expectimax import LEVELS
from hazard.games.dice_wars.players.features import SUMS
from hazard.games.dice_wars.players.master import NARROW, TOP, WIDE
from hazard.games.dice_wars.players.mcts import ROWS


class Network(NamedTuple):
    """What the network of `players.master` sees of a position, what it works out, and the moves it likes best."""

    sums: np.ndarray  # inputs that sum up the position, of the one looked at last
    kinds: np.ndarray  # kinds[territory]: the input of each territory, in the position to decide
    spare: np.ndarray  # the same of another position
    base: np.ndarray  # the first layer of the position to decide, as far as it comes from territories
    wide: np.ndarray  # the first layer of the position looked at last
    narrow: np.ndarray  # the second layer
    moves: np.ndarray  # the best moves, the best first
    values: np.ndarray  # and their values


class Trials(NamedTuple):
    """Moves that `players.lookahead` tries out, the most promising first."""

    moves: np.ndarray
    sums: np.ndarray  # sums of the values of each move's playouts
    squares: np.ndarray  # place by place, not sorted with the moves: squared differences to the leader's playouts
    rng: np.ndarray  # the dice of a playout


class Levels(NamedTuple):
    """The attacks that `players.expectimax` is looking at, one level for each attack ahead."""

    states: np.ndarray  # states[level]: the numbers of the position
    notes: np.ndarray  # notes[level]: whole numbers, in columns EDGE to TRIED
    sums: np.ndarray  # sums[level]: fractions, in columns BEST to SAMPLES


class Tree(NamedTuple):
    """The tree of `players.mcts`. A node is a row for each of its moves, one after the other."""

    moves: np.ndarray  # moves[row]
    games: np.ndarray  # games[row]: rounds that made this move
    sums: np.ndarray  # sums[row]: the sum of what these rounds were worth
    parents: np.ndarray  # parents[row]: the row of the move before, -1 for none
    sizes: np.ndarray  # sizes[row]: in a node's first row, how many rows it has
    after: np.ndarray  # after[row, WON or LOST]: the first row of the node after the battle, 0 for none


class Scratch(NamedTuple):
    """The latest maps, a map that is being grown, and what players work with."""

    keys: np.ndarray  # keys[row]: the number of the map in that row
    counts: np.ndarray  # counts[row]: its territories, its edges, and from FIRST on the first edge of each territory
    near: np.ndarray  # near[row, territory]: bits of its neighbours
    edges: np.ndarray  # edges[row, edge]: neighbours, the attacker and the one under attack; ordered
    hexes: np.ndarray  # hexes[kind, hex], see `maps.grow`
    rng: np.ndarray  # the stream that a map is grown from
    network: Network
    trials: Trials
    levels: Levels
    tree: Tree


def make_scratch(g: Params) -> Scratch:
    """New arrays. If all games are on one map, it is there already."""
    found = Scratch(
        keys=_integers(MAPS),
        counts=_integers(MAPS, FIRST + MOST + 1),
        near=_integers(MAPS, MOST),
        edges=_integers(MAPS, MOST_EDGES, 2),
        hexes=np.zeros((2, int(g.size.prod()) + LARGEST), np.int16),
        rng=np.zeros(4, np.uint64),
        network=Network(
            sums=_integers(SUMS),
            kinds=_integers(MOST),
            spare=_integers(MOST),
            base=np.zeros(WIDE, np.float32),
            wide=np.zeros(WIDE, np.float32),
            narrow=np.zeros(NARROW, np.float32),
            moves=_integers(TOP),
            values=np.zeros(TOP),
        ),
        trials=Trials(_integers(TOP), np.zeros(TOP), np.zeros(TOP), np.zeros(4, np.uint64)),
        levels=Levels(_integers(LEVELS, len(State._fields)), _integers(LEVELS, 4), np.zeros((LEVELS, 5))),
        tree=Tree(
            moves=_integers(ROWS),
            games=_integers(ROWS),
            sums=np.zeros(ROWS, np.float32),
            parents=_integers(ROWS),
            sizes=_integers(ROWS),
            after=_integers(ROWS, 2),
        ),
    )
    _fix_map(g._replace(scratch=found))
    return found


def _integers(*shape: int) -> np.ndarray:
    return np.zeros(shape, np.int64)


def _fix_map(g: Params) -> None:
    """Grow or copy the map that all games are on, if there is one."""
    if g.number:
        with np.errstate(over="ignore"):
            draw_map(g, g.number, 0)
    elif g.fixed:
        near = neighbours(g.areas)
        g.scratch.hexes[AREA, : g.areas.size] = g.areas.reshape(-1)
        g.scratch.near[0, : len(near)] = near
        list_edges(g, 0, len(near))
