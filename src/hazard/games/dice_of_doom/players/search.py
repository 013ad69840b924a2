"""Searches: Monte Carlo, the thesis' tree search, and tree search with chance nodes.

Trees live in the arrays `notes` and `sums` of the game's parameters, a row for each node; every decision begins them
anew. So one game object must not be searched in two threads at the same time.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np

from hazard.arena.play.playout import playout
from hazard.dice import below
from hazard.games.dice_of_doom.players.greedy import greedy
from hazard.games.dice_of_doom.players.random_play import is_listed, play_at_random
from hazard.games.dice_of_doom.rules import chance, fight, land, legal, move, over, payoff, roll
from hazard.games.dice_of_doom.tiles import BATTLE, State, dice_on
from hazard.jit import rule

PLAYOUTS = 100  # of each move by monte-carlo, as in the thesis
ITERATIONS = 100  # of mcts; the thesis does not say how many
SIMULATIONS = 10  # from each new leaf of mcts; nor this
ROUNDS = 400  # of chance-mcts
WIDTH = 0.5  # of its confidence bounds
FIELDS = len(State._fields)  # a node's row begins with its position
PARENT, FIRST, KIDS, MOVE = FIELDS, FIELDS + 1, FIELDS + 2, FIELDS + 3
SEAT, COLUMNS = FIELDS - 1, FIELDS + 4
WINS, GAMES, CHANCE = 0, 1, 2  # in `sums`; a last row holds wins by seat


def room(edges: int, tiles: int) -> tuple[np.ndarray, np.ndarray]:
    """Arrays for a search on a board: rows for a root, and as many for each iteration as there can be moves."""
    most = max(edges // 2 + 1, tiles)
    rows = 2 + max(ITERATIONS * most, ROUNDS * (most + 1))
    return np.zeros((rows, COLUMNS), np.int64), np.zeros((rows, 4))


@rule
def settle_dice(g: Any, s: Any, rng: Any) -> Any:
    """The position once no dice are in the air."""
    while chance(g, s) > 0:
        s = land(g, s, roll(g, s, rng))
    return s


@rule
def finish(g: Any, s: Any, moves: Any, rng: Any) -> Any:
    """The last position of a random game, looked up where that can be done."""
    if is_listed(g):
        return play_at_random(g, settle_dice(g, s, rng), rng)
    return playout(g, s, rng, moves)


@rule
def could_win(g: Any, row: int) -> float:
    """How many of all its playouts a move may still win."""
    return PLAYOUTS - (g.scratch.sums[row, GAMES] - g.scratch.sums[row, WINS])


@rule
def monte_carlo(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The first move with the most wins; ties count for nothing.

    Always that move is tried which may still win most, until it has lost once more. Once this one has had all playouts,
    no other can become the best: it need not have had all of its own.
    """
    n = legal(g, s, moves)
    for row in range(n):
        g.scratch.notes[row, MOVE] = moves[row]
        g.scratch.sums[row, WINS] = 0.0
        g.scratch.sums[row, GAMES] = 0.0 if n > 1 else PLAYOUTS
    while True:
        best = 0
        for row in range(1, n):
            if could_win(g, row) > could_win(g, best):
                best = row
        m, before = g.scratch.notes[best, MOVE], could_win(g, best)
        after = move(g, s, m)
        while g.scratch.sums[best, GAMES] < PLAYOUTS and could_win(g, best) == before:
            g.scratch.sums[best, GAMES] += 1.0
            if payoff(g, finish(g, after, moves, rng), s.mover) == 1.0:
                g.scratch.sums[best, WINS] += 1.0
        if could_win(g, best) == before:
            return m


# --- the tree search of the thesis: an attack in the tree is won; its chance multiplies bounds and counts -----------
@rule
def write_node(g: Any, row: int, s: Any, parent: int, m: int, p: float) -> int:
    """A node without children; returns the next row."""
    for field in range(FIELDS):
        g.scratch.notes[row, field] = s[field]
    g.scratch.notes[row, PARENT] = parent
    g.scratch.notes[row, KIDS] = 0
    g.scratch.notes[row, MOVE] = m
    g.scratch.sums[row, WINS] = 0.0
    g.scratch.sums[row, GAMES] = 0.0
    g.scratch.sums[row, CHANCE] = p
    return row + 1


@rule
def read_node(g: Any, row: int) -> Any:
    n = g.scratch.notes[row]
    return State(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9])


@rule
def bound(g: Any, row: int, games: float) -> float:
    """The thesis' upper confidence bound of a child; 10 before its first game."""
    own = g.scratch.sums[row, GAMES]
    if own <= 0.0:
        return 10.0
    return (g.scratch.sums[row, WINS] / own + 0.5 * sqrt(max(0.0, log(games)) / own)) * g.scratch.sums[row, CHANCE]


@rule
def best_leaf(g: Any) -> int:
    """Down from the root to the leaf with the best bounds, the first of equals."""
    row = 0
    while g.scratch.notes[row, KIDS] > 0:
        first, games = g.scratch.notes[row, FIRST], max(1.0, g.scratch.sums[row, GAMES])
        best, most = first, -1.0
        for child in range(first, first + g.scratch.notes[row, KIDS]):
            value = bound(g, child, games)
            if value > most:
                best, most = child, value
        row = best
    return row


@rule
def expand(g: Any, row: int, used: int, moves: Any, rng: Any) -> int:
    """Add a child for every move; returns how many."""
    s = read_node(g, row)
    n = legal(g, s, moves)
    for i in range(n):
        after, p = move(g, s, moves[i]), 1.0
        if after.phase == BATTLE:
            edge = after.attack
            p = g.odds[dice_on(s, g.source[edge]), dice_on(s, g.target[edge])]
            after = fight(g, after, edge, p > 0.0)
        write_node(g, used + i, settle_dice(g, after, rng), row, moves[i], p)
    g.scratch.notes[row, FIRST] = used
    g.scratch.notes[row, KIDS] = n
    return n


@rule
def simulate(g: Any, row: int, moves: Any, rng: Any) -> None:
    """Random playouts that begin with the node's move, the dice deciding; wins by seat go to the last row."""
    last = g.scratch.sums.shape[0] - 1
    before = read_node(g, g.scratch.notes[row, PARENT])
    after = move(g, before, g.scratch.notes[row, MOVE])
    for seat in range(g.players):
        g.scratch.sums[last, seat] = 0.0
    for _ in range(SIMULATIONS):
        end = finish(g, after, moves, rng)
        for seat in range(g.players):
            if payoff(g, end, seat) == 1.0:
                g.scratch.sums[last, seat] += 1.0


@rule
def report_back(g: Any, row: int) -> None:
    """Add the wins to the node and all above it: those of the player who chose to go there."""
    last, share = g.scratch.sums.shape[0] - 1, 1.0
    while row >= 0:
        parent = g.scratch.notes[row, PARENT]
        chooser = g.scratch.notes[max(parent, 0), SEAT]
        g.scratch.sums[row, GAMES] += share * SIMULATIONS
        g.scratch.sums[row, WINS] += share * g.scratch.sums[last, chooser]
        share *= g.scratch.sums[row, CHANCE]
        row = parent


@rule
def most_tried(g: Any) -> Any:
    """The root's move with the most games."""
    best = g.scratch.notes[0, FIRST]
    for child in range(best, best + g.scratch.notes[0, KIDS]):
        if g.scratch.sums[child, GAMES] > g.scratch.sums[best, GAMES]:
            best = child
    return g.scratch.notes[best, MOVE]


@rule
def mcts(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The move with the most games after some rounds of selection, expansion, simulation and report."""
    if legal(g, s, moves) == 1:
        return moves[0]
    used = write_node(g, 0, s, -1, 0, 1.0)
    for _ in range(ITERATIONS):
        row = best_leaf(g)
        if not over(g, read_node(g, row)):
            n = expand(g, row, used, moves, rng)
            row = used + below(rng, n)
            used += n
        simulate(g, row, moves, rng)
        report_back(g, row)
    return most_tried(g)


# --- tree search with chance nodes: a move's row has a node for every position its dice have led to -----------------
@rule
def add_moves(g: Any, row: int, used: int, moves: Any) -> int:
    """Add a row for every move in a node; returns how many."""
    n = legal(g, read_node(g, row), moves)
    for i in range(n):
        g.scratch.notes[used + i, PARENT] = row
        g.scratch.notes[used + i, MOVE] = moves[i]
        g.scratch.notes[used + i, FIRST] = -1
        g.scratch.sums[used + i, WINS] = 0.0
        g.scratch.sums[used + i, GAMES] = 0.0
    g.scratch.notes[row, FIRST] = used
    g.scratch.notes[row, KIDS] = n
    return n


@rule
def best_move(g: Any, row: int) -> int:
    """The row of the move with the best upper confidence bound; moves not yet tried come first."""
    first, spread = g.scratch.notes[row, FIRST], log(max(1.0, g.scratch.sums[row, GAMES]))
    best, most = first, -1.0
    for child in range(first, first + g.scratch.notes[row, KIDS]):
        games = g.scratch.sums[child, GAMES]
        if games == 0.0:
            return child
        value = g.scratch.sums[child, WINS] / games + WIDTH * sqrt(spread / games)
        if value > most:
            best, most = child, value
    return best


@rule
def node_of(g: Any, edge: int, s: Any) -> int:
    """The node that a move has for a position, or -1."""
    row = g.scratch.notes[edge, FIRST]
    while row >= 0:
        same = True
        for field in range(FIELDS):
            same = same and g.scratch.notes[row, field] == s[field]
        if same:
            return row
        row = g.scratch.notes[row, MOVE]
    return row


@rule
def descend(g: Any, used: int, moves: Any, rng: Any) -> Any:
    """Down from the root, the dice falling as they may, to the end of a game or a new node; that and the rows used."""
    row = 0
    s = read_node(g, row)
    while not over(g, s):
        if g.scratch.notes[row, KIDS] == 0:
            used += add_moves(g, row, used, moves)
        edge = best_move(g, row)
        s = settle_dice(g, move(g, s, g.scratch.notes[edge, MOVE]), rng)
        row = node_of(g, edge, s)
        if row < 0:
            write_node(g, used, s, edge, g.scratch.notes[edge, FIRST], 1.0)
            g.scratch.notes[edge, FIRST] = used
            return used, used + 1
    return row, used


@rule
def play_greedily(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The last position if all players are greedy."""
    while not over(g, s):
        s = settle_dice(g, move(g, s, greedy(g, s, moves, memory, rng)), rng)
    return s


@rule
def credit(g: Any, row: int, end: Any) -> None:
    """Add what came of a game to all moves on the way, for the player who made each."""
    edge = g.scratch.notes[row, PARENT]
    while edge >= 0:
        node = g.scratch.notes[edge, PARENT]
        g.scratch.sums[edge, GAMES] += 1.0
        g.scratch.sums[edge, WINS] += payoff(g, end, g.scratch.notes[node, SEAT])
        g.scratch.sums[node, GAMES] += 1.0
        edge = g.scratch.notes[node, PARENT]


@rule
def chance_mcts(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The move tried most often; new nodes are judged by a game between greedy players."""
    if legal(g, s, moves) == 1:
        return moves[0]
    used = write_node(g, 0, s, -1, -1, 1.0)
    for _ in range(ROUNDS):
        row, used = descend(g, used, moves, rng)
        credit(g, row, play_greedily(g, read_node(g, row), moves, memory, rng))
    return most_tried(g)
