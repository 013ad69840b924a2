"""Searches: Monte Carlo, the thesis' tree search, and tree search with chance nodes.

Trees live in the arrays `nodes` and `totals` of the scratch, a row for each node. Every decision begins a new tree.
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
FIELDS = len(State._fields)  # a row of `nodes` begins with the position
PARENT, FIRST, KIDS, MOVE = FIELDS, FIELDS + 1, FIELDS + 2, FIELDS + 3
SEAT, COLUMNS = FIELDS - 1, FIELDS + 4
WINS, GAMES, CHANCE = 0, 1, 2  # columns of `totals`; its last row holds wins by seat


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
    return playout(g, s, rng, moves, g.scratch.totals[0])  # where nothing is written: this game has no gains


@rule
def could_win(g: Any, row: int) -> float:
    """The most of all its playouts that a move can still win."""
    return PLAYOUTS - (g.scratch.totals[row, GAMES] - g.scratch.totals[row, WINS])


@rule
def monte_carlo(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The first move with the most wins; ties count for nothing.

    The move that can still win most is tried until it has lost once more. Once it has had all its playouts, no other
    move can become the best, even if that has not had all of its own.
    """
    n = legal(g, s, moves)
    for row in range(n):
        g.scratch.nodes[row, MOVE] = moves[row]
        g.scratch.totals[row, WINS] = 0.0
        g.scratch.totals[row, GAMES] = 0.0 if n > 1 else PLAYOUTS
    while True:
        best = 0
        for row in range(1, n):
            if could_win(g, row) > could_win(g, best):
                best = row
        m, before = g.scratch.nodes[best, MOVE], could_win(g, best)
        after = move(g, s, m)
        while g.scratch.totals[best, GAMES] < PLAYOUTS and could_win(g, best) == before:
            g.scratch.totals[best, GAMES] += 1.0
            if payoff(g, finish(g, after, moves, rng), s.mover) == 1.0:
                g.scratch.totals[best, WINS] += 1.0
        if could_win(g, best) == before:
            return m


# --- the tree search of the thesis: an attack in the tree is won; its chance multiplies bounds and counts -----------
@rule
def write_node(g: Any, row: int, s: Any, parent: int, m: int, p: float) -> int:
    """A node without children; returns the next row."""
    for field in range(FIELDS):
        g.scratch.nodes[row, field] = s[field]
    g.scratch.nodes[row, PARENT] = parent
    g.scratch.nodes[row, KIDS] = 0
    g.scratch.nodes[row, MOVE] = m
    g.scratch.totals[row, WINS] = 0.0
    g.scratch.totals[row, GAMES] = 0.0
    g.scratch.totals[row, CHANCE] = p
    return row + 1


@rule
def read_node(g: Any, row: int) -> Any:
    n = g.scratch.nodes[row]
    return State(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9])


@rule
def bound(g: Any, row: int, games: float) -> float:
    """The thesis' upper confidence bound of a child; 10 before its first game."""
    own = g.scratch.totals[row, GAMES]
    if own <= 0.0:
        return 10.0
    return (g.scratch.totals[row, WINS] / own + 0.5 * sqrt(max(0.0, log(games)) / own)) * g.scratch.totals[row, CHANCE]


@rule
def best_leaf(g: Any) -> int:
    """Down from the root to the leaf with the best bounds, the first of equals."""
    row = 0
    while g.scratch.nodes[row, KIDS] > 0:
        first, games = g.scratch.nodes[row, FIRST], max(1.0, g.scratch.totals[row, GAMES])
        best, most = first, -1.0
        for child in range(first, first + g.scratch.nodes[row, KIDS]):
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
    g.scratch.nodes[row, FIRST] = used
    g.scratch.nodes[row, KIDS] = n
    return n


@rule
def simulate(g: Any, row: int, moves: Any, rng: Any) -> None:
    """Random playouts that begin with the node's move, the dice deciding; wins by seat go to the last row."""
    last = g.scratch.totals.shape[0] - 1
    before = read_node(g, g.scratch.nodes[row, PARENT])
    after = move(g, before, g.scratch.nodes[row, MOVE])
    for seat in range(g.players):
        g.scratch.totals[last, seat] = 0.0
    for _ in range(SIMULATIONS):
        end = finish(g, after, moves, rng)
        for seat in range(g.players):
            if payoff(g, end, seat) == 1.0:
                g.scratch.totals[last, seat] += 1.0


@rule
def backpropagate(g: Any, row: int) -> None:
    """Add the wins to the node and all above it: those of the player who chose to go there."""
    last, share = g.scratch.totals.shape[0] - 1, 1.0
    while row >= 0:
        parent = g.scratch.nodes[row, PARENT]
        chooser = g.scratch.nodes[max(parent, 0), SEAT]
        g.scratch.totals[row, GAMES] += share * SIMULATIONS
        g.scratch.totals[row, WINS] += share * g.scratch.totals[last, chooser]
        share *= g.scratch.totals[row, CHANCE]
        row = parent


@rule
def most_tried(g: Any) -> Any:
    """The root's move with the most games."""
    best = g.scratch.nodes[0, FIRST]
    for child in range(best, best + g.scratch.nodes[0, KIDS]):
        if g.scratch.totals[child, GAMES] > g.scratch.totals[best, GAMES]:
            best = child
    return g.scratch.nodes[best, MOVE]


@rule
def mcts(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> Any:
    """The move with the most games after some rounds of selection, expansion, simulation and backpropagation."""
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
        backpropagate(g, row)
    return most_tried(g)


# --- tree search with chance nodes: a move's row has a node for every position its dice have led to -----------------
@rule
def add_moves(g: Any, row: int, used: int, moves: Any) -> int:
    """Add a row for every move in a node; returns how many."""
    n = legal(g, read_node(g, row), moves)
    for i in range(n):
        g.scratch.nodes[used + i, PARENT] = row
        g.scratch.nodes[used + i, MOVE] = moves[i]
        g.scratch.nodes[used + i, FIRST] = -1
        g.scratch.totals[used + i, WINS] = 0.0
        g.scratch.totals[used + i, GAMES] = 0.0
    g.scratch.nodes[row, FIRST] = used
    g.scratch.nodes[row, KIDS] = n
    return n


@rule
def best_move(g: Any, row: int) -> int:
    """The row of the move with the best upper confidence bound; moves not yet tried come first."""
    first, spread = g.scratch.nodes[row, FIRST], log(max(1.0, g.scratch.totals[row, GAMES]))
    best, most = first, -1.0
    for child in range(first, first + g.scratch.nodes[row, KIDS]):
        games = g.scratch.totals[child, GAMES]
        if games == 0.0:
            return child
        value = g.scratch.totals[child, WINS] / games + WIDTH * sqrt(spread / games)
        if value > most:
            best, most = child, value
    return best


@rule
def node_of(g: Any, edge: int, s: Any) -> int:
    """The node that a move has for a position, or -1."""
    row = g.scratch.nodes[edge, FIRST]
    while row >= 0:
        same = True
        for field in range(FIELDS):
            same = same and g.scratch.nodes[row, field] == s[field]
        if same:
            return row
        row = g.scratch.nodes[row, MOVE]
    return row


@rule
def descend(g: Any, used: int, moves: Any, rng: Any) -> Any:
    """Down from the root, the dice falling as they may, to the end of a game or a new node; that and the rows used."""
    row = 0
    s = read_node(g, row)
    while not over(g, s):
        if g.scratch.nodes[row, KIDS] == 0:
            used += add_moves(g, row, used, moves)
        edge = best_move(g, row)
        s = settle_dice(g, move(g, s, g.scratch.nodes[edge, MOVE]), rng)
        row = node_of(g, edge, s)
        if row < 0:
            write_node(g, used, s, edge, g.scratch.nodes[edge, FIRST], 1.0)
            g.scratch.nodes[edge, FIRST] = used
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
    edge = g.scratch.nodes[row, PARENT]
    while edge >= 0:
        node = g.scratch.nodes[edge, PARENT]
        g.scratch.totals[edge, GAMES] += 1.0
        g.scratch.totals[edge, WINS] += payoff(g, end, g.scratch.nodes[node, SEAT])
        g.scratch.totals[node, GAMES] += 1.0
        edge = g.scratch.nodes[node, PARENT]


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
