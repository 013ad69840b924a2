"""Tree search with chance nodes: the tree holds the attacks of the own turn, each of which is won or lost.

What comes after it, the turns of all others among it, is sampled by the policy of `ste-corrected`. So all nodes are the
mover's, and of every seat's share only the mover's is needed. The tree lives in the room for legal moves: 93 rows.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_wars.land import CHOOSE, Params, State, owner
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.search import SETTINGS, SURE, next_best, sample, settle_dice, told
from hazard.games.dice_wars.rules import END, LOST, WON, move
from hazard.jit import large, rule
from hazard.rulebook import Game

WORDS = 2  # of the room for a row; a node is a row for each of its moves, one after the other
MOVE, GAMES, PARENT, MOVES = range(4)  # in a row of notes; MOVES, in a node's first row: how many rows it has
LATER = 4  # the first row of the node after a win, then of that after a loss; 0 if there is none
SUM = 3  # in a row of sums, the last of the same room: shares


class Effort(NamedTuple):
    """How much the search does."""

    rounds: int = 400  # at most 32,767
    width: int = 6  # attacks of a node, those that promise most; and the end of the turn
    explore: float = 0.2  # the width of confidence bounds
    turns: int = 2  # own turns that begin before a sample is judged
    ripe: int = 6  # rounds through a move before nodes are added behind it


class Tree(NamedTuple):
    """The tree, and what the agent plays by."""

    notes: Any
    sums: Any
    memory: Any
    weights: Any
    effort: Effort


@rule
def tree_in(moves: Any, memory: Any) -> Tree:
    rows, w = moves.size // WORDS, memory.view(np.float64)
    room, k = moves[: WORDS * rows], SETTINGS
    effort = Effort(int(w[k]), int(w[k + 1]), w[k + 2], int(w[k + 3]), int(w[k + 4]))
    notes, sums = room.view(np.int16).reshape((rows, 4 * WORDS)), room.view(np.float32).reshape((rows, 2 * WORDS))
    return Tree(notes, sums, memory, w, effort)


@rule
def add_row(row: Any, m: int, parent: Any, tree: Tree) -> None:
    note = tree.notes[row]
    note[MOVE], note[GAMES], note[PARENT], note[MOVES] = m, 0, parent, 1
    note[LATER + WON], note[LATER + LOST], tree.sums[row, SUM] = 0, 0, 0.0


@rule
def add_node(g: Params, s: State, parent: Any, used: Any, tree: Tree) -> Any:
    """Add a row for the end of the turn, and one for each of the best attacks, if there is room; rows then used."""
    if used + tree.effort.width >= tree.notes.shape[0]:
        return used
    add_row(used, END, parent, tree)
    edge, limit = -1, SURE
    for n in range(1, tree.effort.width + 1):
        edge, limit = next_best(g, s, edge, limit, tree.weights)
        if edge == END:
            break
        add_row(used + n, edge, parent, tree)
        tree.notes[used, MOVES] = n + 1
    return used + np.int64(tree.notes[used, MOVES])


@rule
def best_row(first: Any, tree: Tree) -> Any:
    """The row of a node with the greatest upper confidence bound; those not yet tried come first."""
    after, games = first + np.int64(tree.notes[first, MOVES]), 0
    for row in range(first, after):
        games += tree.notes[row, GAMES]
    spread, best, most = log(max(1.0, 1.0 * games)), first, -1.0
    for row in range(first, after):
        own = 1.0 * tree.notes[row, GAMES]
        if own == 0.0:
            return row
        bound = tree.sums[row, SUM] / own + tree.effort.explore * sqrt(spread / own)
        if bound > most:
            best, most = row, bound
    return best


@large
def descend(g: Params, s: State, used: Any, tree: Tree, rng: Any) -> Any:
    """Down from the root, battles falling as they may, until the tree ends: position, last row, and rows then used."""
    seat, first = s.mover, np.int64(0)
    while True:
        row = best_row(first, tree)
        m = np.int64(tree.notes[row, MOVE])
        s = move(g, s, m)
        if m == END:
            return s, row, used
        s = settle_dice(g, s, rng)
        if s.phase != CHOOSE:
            return s, row, used
        later = LATER + (WON if owner(s, g.scratch.edges[map_of(g, s), m, 1]) == seat else LOST)
        first = np.int64(tree.notes[row, later])
        if first == 0:
            if tree.notes[row, GAMES] >= tree.effort.ripe:
                first, used = used, add_node(g, s, row, used, tree)
                tree.notes[row, later] = first if used > first else 0
            return s, row, used


@rule
def credit(row: Any, value: float, tree: Tree) -> None:
    """Add what came of a round to all moves on the way."""
    while row >= 0:
        tree.notes[row, GAMES] += 1
        tree.sums[row, SUM] += value
        row = np.int64(tree.notes[row, PARENT])


@rule
def most_tried(tree: Tree) -> Any:
    best = 0
    for row in range(1, tree.notes[0, MOVES]):
        if tree.notes[row, GAMES] > tree.notes[best, GAMES]:
            best = row
    return np.int64(tree.notes[best, MOVE])


@large
def chance_mcts(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> Any:
    """The move tried most often."""
    tree = tree_in(moves, memory)
    if next_best(g, s, -1, SURE, tree.weights)[0] == END:
        return END
    used = add_node(g, s, -1, 0, tree)
    for _ in range(tree.effort.rounds):
        t, row, used = descend(g, s, used, tree, rng)
        credit(row, sample(g, t, s.mover, tree.effort.turns, moves, memory, rng), tree)
    return most_tried(tree)


def searched(game: Game) -> np.ndarray:
    """What the agent plays by."""
    return told(game, *Effort())
