"""One turn backed up exactly: generic code over the contract that every solver shares.

Values are kept for openings only, one for each seat: `low[i, r]` is what the seat r places after the mover of opening
i is sure to get. All decisions of a turn are rebuilt from the last step to the first in a scratch array `buf`, where
`buf[k, p, 0]` is what seat p gets from step k on. If `buf` has room for derivatives, `buf[k, p, 1 + n]` says how that
depends on the n-th unknown of the layer at hand. Every sum is rounded down, so that `low` stays a lower bound.
"""

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import (
    chance,
    decide,
    fanout,
    index,
    land,
    layer,
    legal,
    move,
    over,
    payoff,
    span,
    stage,
    state,
    step,
    steps,
    weight,
)
from hazard.jit import leaf, rule
from hazard.rulebook import Game

BEST, FOLLOW, UNIFORM = -1, -2, -3  # what a seat does: its best, what the policy says, anything; else an agent's number
ULP = 2.0**-52


class Play(NamedTuple):
    """Who plays how."""

    aims: np.ndarray  # for each seat: BEST, FOLLOW, UNIFORM or the number of an agent
    selfish: bool  # each mover takes what is best for itself; otherwise the others are assumed to do their worst
    memory: tuple  # for each seat: the bytes its agent may read
    rng: np.ndarray  # for agents; those evaluated exactly do not draw


class Work(NamedTuple):
    """What a solver works on."""

    low: np.ndarray  # low[i, r], see above
    slot: Any  # the place of each opening in solving order
    mark: np.ndarray  # [first slot of the layer at hand, how often that layer was looked up]
    policy: np.ndarray  # policy[k]: the move chosen at step k of the turn at hand
    buf: np.ndarray  # see above
    q: np.ndarray  # the same for one move
    moves: np.ndarray  # legal moves


def workspace(game: Game, low: np.ndarray, width: int = 1) -> Work:
    """Scratch arrays for `turns`, enough for derivatives by width - 1 unknowns."""
    g = game.table
    steps, seats, moves = int(game.plain(span)(g)), game.seats, int(game.plain(fanout)(g))
    return Work(
        low,
        np.zeros(0, np.int64),
        np.zeros(2, np.int64),
        np.zeros(steps, np.uint8),
        np.zeros((steps, seats, width)),
        np.zeros((seats, width)),
        np.zeros(moves, np.int64),
    )


@leaf
def reach(g: Any, u: Any, share: float, low: Any, slot: Any, mark: Any, buf: Any, q: Any) -> float:
    """Add share times the value of a position to q; the largest magnitude among its values is returned."""
    seats, width = q.shape
    size = 0.0
    if over(g, u):
        for p in range(seats):
            value = payoff(g, u, p)
            size = max(size, abs(value))
            q[p, 0] += share * value
        return size
    k = step(g, u)
    if k > 0:
        for p in range(seats):
            size = max(size, abs(buf[k, p, 0]))
            q[p, 0] += share * buf[k, p, 0]
            for n in range(1, width):
                q[p, n] += share * buf[k, p, n]
        return size
    i = index(g, u)
    inside = slot[i] - mark[0]
    if inside >= 0:
        mark[1] += 1
    for p in range(seats):
        r = p - u.mover
        if r < 0:
            r += seats
        size = max(size, abs(low[i, r]))
        q[p, 0] += share * low[i, r]
        if width > 1 and inside >= 0:
            q[p, 1 + inside * seats + r] += share
    return size


@leaf
def expect(g: Any, u: Any, low: Any, slot: Any, mark: Any, buf: Any, q: Any) -> None:
    """Set q to the expected values after a decision that led to u, rounded down."""
    seats, width = q.shape
    for p in range(seats):
        q[p, 0] = 0.0
        for n in range(1, width):
            q[p, n] = 0.0
    ways = chance(g, u)
    if ways == 0:
        reach(g, u, 1.0, low, slot, mark, buf, q)
        return
    total = 0.0
    size = 0.0
    for i in range(ways):
        share = float(weight(g, u, i))
        total += share
        size = max(size, reach(g, land(g, u, i), share, low, slot, mark, buf, q))
    share = 1.0 / total
    for p in range(seats):
        q[p, 0] = q[p, 0] * share - (ways + 3) * ULP * size
        for n in range(1, width):
            q[p, n] *= share


@leaf
def keep(q: Any, best: Any, p: int) -> None:
    best[p, 0] = q[p, 0]
    for n in range(1, q.shape[1]):
        best[p, n] = q[p, n]


@leaf
def choose(g: Any, t: Any, k: int, count: int, selfish: bool, stick: float, w: Any) -> None:
    """The mover does its best at step k; a choice already made is left only for a gain above `stick`."""
    seats, _ = w.q.shape
    m = t.mover
    best = w.buf[k]
    before = w.policy[k]
    most = 0.0
    for n in range(count):
        expect(g, move(g, t, w.moves[n]), w.low, w.slot, w.mark, w.buf, w.q)
        gain = w.q[m, 0] + (stick if w.moves[n] == before else 0.0)
        if n == 0 or gain > most:
            most = gain
            w.policy[k] = w.moves[n]
            keep(w.q, best, m)
            if selfish or n == 0:
                for p in range(seats):
                    keep(w.q, best, p)
        if not selfish:
            for p in range(seats):
                if p != m and w.q[p, 0] < best[p, 0]:
                    keep(w.q, best, p)


@rule
def average(g: Any, t: Any, k: int, count: int, w: Any) -> None:
    """The mover takes any legal move, each as likely as the others."""
    seats, width = w.q.shape
    for p in range(seats):
        for n in range(width):
            w.buf[k, p, n] = 0.0
    for i in range(count):
        expect(g, move(g, t, w.moves[i]), w.low, w.slot, w.mark, w.buf, w.q)
        for p in range(seats):
            w.buf[k, p, 0] -= (count + 1) * ULP * abs(w.q[p, 0]) / count
            for n in range(width):
                w.buf[k, p, n] += w.q[p, n] / count


@rule
def turn(g: Any, s: Any, play: Any, stick: float, w: Any) -> None:
    """Fill buf for every step of the turn that s opens, and the policy of the seats that do their best.

    Zero-sum play gives each seat what it is sure of: the best at its own decisions, the worst at those of others who do
    their best. Selfish play gives every seat what follows from each mover's own best.
    """
    for k in range(steps(g, s) - 1, -1, -1):
        t = stage(g, s, k)
        aim = play.aims[t.mover]
        count = legal(g, t, w.moves)
        if count == 0:  # a place that play never reaches
            w.buf[k, :, :] = 0.0
        elif aim == BEST:
            choose(g, t, k, count, play.selfish, stick, w)
        elif aim == UNIFORM:
            average(g, t, k, count, w)
        else:
            choice = np.int64(w.policy[k])
            if aim >= 0:
                choice = np.int64(decide(aim, g, t, w.moves, play.memory[t.mover], play.rng))
                w.policy[k] = choice
            expect(g, move(g, t, choice), w.low, w.slot, w.mark, w.buf, w.buf[k])


@rule
def options(g: Any, t: Any, w: Any, values: Any) -> int:
    """The values of every legal move at a decision, once `turn` has filled buf; returns how many moves there are."""
    count = legal(g, t, w.moves)
    for n in range(count):
        expect(g, move(g, t, w.moves[n]), w.low, w.slot, w.mark, w.buf, values[n])
    return count


@rule
def find_layers(g: Any, found: Any) -> None:
    """The layer of every opening."""
    for i in range(found.size):
        found[i] = layer(g, state(g, i))


@leaf
def kept(g: Any, u: Any, seat: int, seats: int, w: Any, held: Any, flags: Any) -> bool:
    """Whether every way the dice can land keeps play within the openings marked in `held`."""
    ways = chance(g, u)
    for i in range(max(ways, 1)):
        v = land(g, u, i) if ways > 0 else u
        if over(g, v):
            return False
        k = step(g, v)
        if k > 0:
            if flags[k] == 0:
                return False
            continue
        inside = w.slot[index(g, v)] - w.mark[0]
        if inside < 0 or held[inside, (seat - v.mover) % seats] == 0:
            return False
    return True


@rule
def stuck(g: Any, s: Any, seat: int, play: Any, w: Any, held: Any, flags: Any) -> bool:
    """Whether the others can keep the turn that s opens within `held` for sure while `seat` follows the policy."""
    seats = play.aims.size
    for k in range(steps(g, s) - 1, -1, -1):
        t = stage(g, s, k)
        flags[k] = 0
        aim = play.aims[t.mover]
        free = aim == UNIFORM or (aim == BEST and t.mover != seat and not play.selfish)
        count = legal(g, t, w.moves)
        for n in range(count):
            if free or w.moves[n] == w.policy[k]:
                flags[k] = 1 if kept(g, move(g, t, w.moves[n]), seat, seats, w, held, flags) else 0
                if flags[k] == (0 if aim == UNIFORM else 1):
                    break
    return flags[0] == 1
