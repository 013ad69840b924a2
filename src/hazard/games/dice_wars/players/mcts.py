"""Tree search with chance nodes: the tree holds the attacks of the own turn, each of which is won or lost.

All that follows, with the turns of the others, is sampled by the policy of `ste-corrected`. So all nodes are the
mover's, and of every seat's share only the mover's is needed. The tree stands in `g.scratch.tree`.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_wars.land import CHOOSE, Params, State, owner
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.search import SETTINGS, SURE, next_best, sample, search_memory
from hazard.games.dice_wars.rules import END, LOST, WON, move, settle_dice
from hazard.jit import large, rule
from hazard.rulebook import Game

ROWS = 93  # moves in the tree, at most; another limit would change how the agent plays


class Effort(NamedTuple):
    """How much the search does."""

    rounds: int = 400
    width: int = 6  # attacks of a node, those that promise most; and the end of the turn
    explore: float = 0.2  # the width of confidence bounds
    turns: int = 2  # own turns that begin before a sample is judged
    ripe: int = 6  # rounds through a move before nodes are added behind it


class Search(NamedTuple):
    """The tree, what the agent reads, and a list of moves to work with."""

    tree: Any
    weights: Any
    moves: Any
    effort: Effort


@rule
def new_search(g: Params, moves: Any, memory: Any) -> Search:
    w, k = memory.view(np.float64), SETTINGS
    effort = Effort(int(w[k]), int(w[k + 1]), w[k + 2], int(w[k + 3]), int(w[k + 4]))
    return Search(g.scratch.tree, w, moves, effort)


@rule
def add_row(row: int, m: int, parent: int, tree: Any) -> None:
    tree.moves[row], tree.games[row], tree.sums[row], tree.parents[row], tree.sizes[row] = m, 0, 0.0, parent, 1
    tree.after[row, WON], tree.after[row, LOST] = 0, 0


@rule
def add_node(g: Params, s: State, parent: int, used: int, x: Search) -> int:
    """Add a row for the end of the turn, and one for each of the best attacks, if there is room.

    `used` rows are in use; how many then are is returned.
    """
    if used + x.effort.width >= ROWS:
        return used
    add_row(used, END, parent, x.tree)
    edge, limit = -1, SURE
    for n in range(1, x.effort.width + 1):
        edge, limit = next_best(g, s, edge, limit, x.moves, x.weights)
        if edge == END:
            break
        add_row(used + n, edge, parent, x.tree)
        x.tree.sizes[used] = n + 1
    return used + x.tree.sizes[used]


@rule
def best_row(first: int, x: Search) -> int:
    """The row of a node with the greatest upper confidence bound; moves not yet tried come first."""
    tree, games = x.tree, 0
    after = first + tree.sizes[first]
    for row in range(first, after):
        games += tree.games[row]
    spread, best, most = log(max(1.0, 1.0 * games)), first, -1.0
    for row in range(first, after):
        own = 1.0 * tree.games[row]
        if own == 0.0:
            return row
        bound = tree.sums[row] / own + x.effort.explore * sqrt(spread / own)
        if bound > most:
            best, most = row, bound
    return best


@large
def descend(g: Params, s: State, used: int, x: Search, rng: Any) -> Any:
    """From the root down, with dice thrown for battles, until the tree ends.

    The position there, the last row, and how many rows are then in use are returned.
    """
    tree, seat, first = x.tree, s.mover, 0
    while True:
        row = best_row(first, x)
        m = tree.moves[row]
        s = move(g, s, m)
        if m == END:
            return s, row, used
        s = settle_dice(g, s, rng)
        if s.phase != CHOOSE:
            return s, row, used
        outcome = WON if owner(s, g.scratch.edges[map_of(g, s), m, 1]) == seat else LOST
        first = tree.after[row, outcome]
        if first == 0:
            if tree.games[row] >= x.effort.ripe:
                first, used = used, add_node(g, s, row, used, x)
                tree.after[row, outcome] = first if used > first else 0
            return s, row, used


@rule
def credit(row: int, value: float, tree: Any) -> None:
    """Add what a round was worth to all moves on the way."""
    while row >= 0:
        tree.games[row] += 1
        tree.sums[row] += value
        row = tree.parents[row]


@rule
def most_tried(tree: Any) -> int:
    best = 0
    for row in range(1, tree.sizes[0]):
        if tree.games[row] > tree.games[best]:
            best = row
    return tree.moves[best]


@large
def chance_mcts(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> Any:
    """The move tried most often."""
    x = new_search(g, moves, memory)
    if next_best(g, s, -1, SURE, moves, x.weights)[0] == END:
        return END
    used = add_node(g, s, -1, 0, x)
    for _ in range(x.effort.rounds):
        t, row, used = descend(g, s, used, x, rng)
        credit(row, sample(g, t, s.mover, x.effort.turns, moves, memory, rng), x.tree)
    return most_tried(x.tree)


def memory_of(game: Game) -> np.ndarray:
    """What the agent reads."""
    return search_memory(game, *Effort())
