"""Monte Carlo tree search with chance nodes: moves by UCB1, dice as they fall, games played on at random from the tree.

A node stands for a position by the way that leads to it. Payoffs may be any numbers: they are scaled by the least and
the most that was paid so far in the search.
"""

from math import log, sqrt
from typing import Any

from hazard.agents.search.playouts import play_on
from hazard.agents.search.room import NODES, PATH
from hazard.contract import add_gain, chance, land, legal, move, over, roll, sense
from hazard.jit import large, rule

GAMES = 2_000  # a decision
BOLD = 1.0  # how much is tried that is not known to be good
LABEL, FIRST, NEXT, CHILDREN, VISITS = 0, 1, 2, 3, 4  # links: the move or the way dice landed; children, newest first


@rule
def new_node(label: int, node: int, x: Any) -> None:
    x.links[node, LABEL] = label
    for column in (FIRST, NEXT, CHILDREN, VISITS):
        x.links[node, column] = 0
    for seat in range(x.totals.shape[1]):
        x.totals[node, seat] = 0.0


@rule
def child_of(node: int, label: int, x: Any) -> int:
    """The child that a move or a roll leads to; 0 if there is none yet."""
    child = x.links[node, FIRST]
    while child > 0 and x.links[child, LABEL] != label:
        child = x.links[child, NEXT]
    return child


@rule
def promising(g: Any, node: int, seat: int, x: Any) -> int:
    """The move that UCB1 chooses among those that have been tried."""
    worst = x.paid[x.paid.size - (1 if sense(g) < 0 else 2)]
    scale = max(x.paid[x.paid.size - 1] - x.paid[x.paid.size - 2], 1e-12) * sense(g)
    known = log(float(x.links[node, VISITS]) + 1.0)
    child, best, most = x.links[node, FIRST], 0, -1.0
    while child > 0:
        visits = float(x.links[child, VISITS])
        value = (x.totals[child, seat] / visits - worst) / scale + BOLD * sqrt(known / visits)
        if value > most:
            best, most = x.links[child, LABEL], value
        child = x.links[child, NEXT]
    return best


@rule
def choose(g: Any, s: Any, node: int, moves: Any, x: Any) -> int:
    """Every move once, in their order; then the promising."""
    count, tried = legal(g, s, moves), x.links[node, CHILDREN]
    return moves[tried] if tried < count else promising(g, node, s.mover, x)


@large
def descend(g: Any, s: Any, used: int, moves: Any, rng: Any) -> Any:
    """Down the tree until the game leaves it: the position there, the nodes on the way, and the nodes in use. What is
    scored on the way is noted."""
    x, node, steps = g.scratch, 0, 1
    x.path[0] = 0
    while steps < PATH:
        rolling = chance(g, s) > 0
        if not rolling and over(g, s):
            break
        label = roll(g, s, rng) if rolling else choose(g, s, node, moves, x)
        if not rolling:
            add_gain(g, s, label, x.paid)
        s = land(g, s, label) if rolling else move(g, s, label)
        child = child_of(node, label, x)
        fresh = child == 0
        if fresh and used == NODES:
            break
        if fresh:
            child, used = used, used + 1
            new_node(label, child, x)
            x.links[child, NEXT] = x.links[node, FIRST]
            x.links[node, FIRST] = child
            x.links[node, CHILDREN] += 1
        node = child
        x.path[steps] = node
        steps += 1
        if fresh:
            break
    return s, steps, used


@rule
def credit(steps: int, first: bool, x: Any) -> None:
    """Add what a game paid to all nodes on its way."""
    seats = x.totals.shape[1]
    for seat in range(seats):
        x.paid[seats] = x.paid[seat] if first and seat == 0 else min(x.paid[seats], x.paid[seat])
        x.paid[seats + 1] = x.paid[seat] if first and seat == 0 else max(x.paid[seats + 1], x.paid[seat])
    for n in range(steps):
        node = x.path[n]
        x.links[node, VISITS] += 1
        for seat in range(seats):
            x.totals[node, seat] += x.paid[seat]


@large
def mcts(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The move that was tried most often."""
    x, used = g.scratch, 1
    if legal(g, s, moves) == 1:
        return moves[0]
    new_node(0, 0, x)
    for game in range(GAMES):
        for seat in range(g.players):
            x.paid[seat] = 0.0
        t, steps, used = descend(g, s, used, moves, rng)
        play_on(g, t, moves, rng, x.paid)
        credit(steps, game == 0, x)
    child = x.links[0, FIRST]
    best = child
    while child > 0:
        if x.links[child, VISITS] >= x.links[best, VISITS]:
            best = child
        child = x.links[child, NEXT]
    return x.links[best, LABEL]
