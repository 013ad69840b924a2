"""One turn backed up: generic code over the contract, shared by all that solve layers or read their values.

Values are stored for openings only, one for each seat: `low[i, r]` is a lower bound of what the seat r places after
the mover of opening i gets. The decisions of a turn are rebuilt from the last step to the first in the array `buf`:
`buf[k, p, 0]` is what seat p gets from step k on. If `buf` has room for derivatives, `buf[k, p, 1 + n]` is the
derivative of that by the n-th unknown of the layer that is being solved. Every sum is rounded down, so that a backup of
lower bounds gives lower bounds.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hazard.contract import (
    chance,
    decide,
    index,
    land,
    layer,
    legal,
    move,
    over,
    payoff,
    stage,
    state,
    step,
    steps,
    weight,
)
from hazard.jit import leaf, replaceable, rule
from hazard.rulebook import Game

BEST, FOLLOW, UNIFORM = -1, -2, -3  # a seat's aim: its best, the moves of the policy, any legal move; else an agent
ULP = 2.0**-52


class Play(NamedTuple):
    """Who plays how."""

    aims: np.ndarray  # for each seat: BEST, FOLLOW, UNIFORM or the number of an agent
    selfish: bool  # each mover takes what is best for itself; otherwise the others are assumed to do their worst
    memory: tuple  # for each seat: the bytes its agent may read
    rng: np.ndarray  # for agents; those evaluated exactly do not draw


class Work(NamedTuple):
    """Values of openings, and room to rebuild one turn."""

    low: np.ndarray  # low[i, r], see above
    slot: np.ndarray  # the place of each opening in solving order; negative if no layer is being solved
    mark: np.ndarray  # [first slot of the layer that is being solved, how often one of its openings was looked up]
    policy: np.ndarray  # policy[k]: the move chosen at step k
    buf: np.ndarray  # buf[k, p, n], see above
    q: np.ndarray  # the same for one move: q[p, n]
    moves: np.ndarray  # legal moves
    terms: np.ndarray  # for compensated sums: the values of one outcome, those of the first, what the sum has lost


def hooks_for(agents: bool, compensated: bool) -> dict[str, Callable]:
    """The rules to bind: agents are compiled in only where some are seated, compensated sums only where they help."""
    found: dict[str, Callable] = {"settle": settle_by_agents} if agents else {}
    return found | ({"mean": compensated_mean} if compensated else {})


def workspace(game: Game, low: np.ndarray, slot: np.ndarray | None = None, width: int = 1) -> Work:
    """Room to rebuild turns, with derivatives by width - 1 unknowns."""
    most_steps, seats = int(game.ask("span")), game.seats
    return Work(
        low,
        np.full(len(low), -1, np.int64) if slot is None else slot,
        np.zeros(2, np.int64),
        np.zeros(most_steps, np.uint8),
        np.zeros((most_steps, seats, width)),
        np.zeros((seats, width)),
        np.zeros(int(game.ask("fanout")), np.int64),
        np.zeros((3, seats, width)),
    )


@leaf
def with_policy(w: Any, policy: Any) -> Any:
    """The same workspace with another place for the policy."""
    return Work(w.low, w.slot, w.mark, policy, w.buf, w.q, w.moves, w.terms)


# --- one move --------------------------------------------------------------------------------------------------------
@leaf
def reach(g: Any, u: Any, share: float, w: Any, q: Any) -> float:
    """Add share times the value of a position to q; returns the largest magnitude among its values."""
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
            size = max(size, abs(w.buf[k, p, 0]))
            q[p, 0] += share * w.buf[k, p, 0]
            for n in range(1, width):
                q[p, n] += share * w.buf[k, p, n]
        return size
    i = index(g, u)
    inside = w.slot[i] - w.mark[0]
    if inside >= 0:
        w.mark[1] += 1
    for p in range(seats):
        r = p - u.mover
        if r < 0:
            r += seats
        size = max(size, abs(w.low[i, r]))
        q[p, 0] += share * w.low[i, r]
        n = 1 + inside * seats + r
        if n < width and inside >= 0:  # an opening of a later layer has no place here, should `layer` fall
            q[p, n] += share
    return size


@leaf
def clear(q: Any) -> None:
    for p in range(q.shape[0]):
        q[p, 0] = 0.0  # apart from the loop, which is a slow call to memset otherwise
        for n in range(1, q.shape[1]):
            q[p, n] = 0.0


@leaf
def expect(g: Any, u: Any, w: Any, q: Any) -> None:
    """Set q to the expected values after a decision that led to u, rounded down."""
    clear(q)
    ways = chance(g, u)
    if ways == 0:
        reach(g, u, 1.0, w, q)
    else:
        mean(g, u, ways, w, q)


@leaf
@replaceable
def mean(g: Any, u: Any, ways: int, w: Any, q: Any) -> None:
    """The mean over all ways the dice can land, by a plain sum."""
    seats, width = q.shape
    total = 0.0
    size = 0.0
    for i in range(ways):
        share = float(weight(g, u, i))
        total += share
        size = max(size, reach(g, land(g, u, i), share, w, q))
    share = 1.0 / total
    for p in range(seats):
        q[p, 0] = q[p, 0] * share - (ways + 3) * ULP * size
        for n in range(1, width):
            q[p, n] *= share


@rule
def compensated_mean(g: Any, u: Any, ways: int, w: Any, q: Any) -> None:
    """The same with less rounding, and slower: differences from the first outcome, by Kahan's compensated sum.

    The number of outcomes then does not matter to rounding, and the size of the values only in the last two operations.
    In units of 2^-53, the error is at most 6 of the largest difference and 2 of the result; 8 and 2 are taken off.
    """
    seats, width = q.shape
    one, first, lost = w.terms[0], w.terms[1], w.terms[2]
    total = 0.0
    apart = 0.0
    for i in range(ways):
        clear(one)
        reach(g, land(g, u, i), 1.0, w, one)
        share = float(weight(g, u, i))
        total += share
        for p in range(seats):
            if i == 0:
                first[p, 0] = one[p, 0]
                lost[p, 0] = 0.0
            difference = one[p, 0] - first[p, 0]
            apart = max(apart, abs(difference))
            term = share * difference - lost[p, 0]
            grown = q[p, 0] + term
            lost[p, 0] = (grown - q[p, 0]) - term
            q[p, 0] = grown
            for n in range(1, width):
                q[p, n] += share * one[p, n]
    for p in range(seats):
        mean = first[p, 0] + q[p, 0] / total
        q[p, 0] = mean - (4.0 * ULP * apart + ULP * abs(mean))
        for n in range(1, width):
            q[p, n] /= total


@leaf
def keep(q: Any, best: Any, p: int) -> None:
    best[p, 0] = q[p, 0]
    for n in range(1, q.shape[1]):
        best[p, n] = q[p, n]


# --- one decision ----------------------------------------------------------------------------------------------------
@leaf
def choose(g: Any, t: Any, k: int, count: int, selfish: bool, stick: float, w: Any) -> None:
    """The mover does its best at step k. It leaves the move it had chosen before only for a gain above `stick`."""
    seats, _ = w.q.shape
    m = t.mover
    best = w.buf[k]
    before = w.policy[k]
    most = 0.0
    for n in range(count):
        expect(g, move(g, t, w.moves[n]), w, w.q)
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
    clear(w.buf[k])
    for i in range(count):
        expect(g, move(g, t, w.moves[i]), w, w.q)
        for p in range(seats):
            w.buf[k, p, 0] -= (count + 1) * ULP * abs(w.q[p, 0]) / count
            for n in range(width):
                w.buf[k, p, n] += w.q[p, n] / count


@replaceable
def settle(g: Any, t: Any, k: int, count: int, play: Any, w: Any) -> None:
    """A mover that does not do its best keeps to the policy."""
    expect(g, move(g, t, np.int64(w.policy[k])), w, w.buf[k])


@rule
def settle_by_agents(g: Any, t: Any, k: int, count: int, play: Any, w: Any) -> None:
    """The same where agents are seated, too."""
    aim = play.aims[t.mover]
    if aim == UNIFORM:
        average(g, t, k, count, w)
    else:
        choice = np.int64(w.policy[k])
        if aim >= 0:
            choice = np.int64(decide(aim, g, t, w.moves, play.memory[t.mover], play.rng))
            w.policy[k] = choice
        expect(g, move(g, t, choice), w, w.buf[k])


@rule
def options(g: Any, t: Any, w: Any, values: Any) -> int:
    """The values of every legal move at a decision, once `turn` has filled buf; returns how many moves there are."""
    count = legal(g, t, w.moves)
    for n in range(count):
        expect(g, move(g, t, w.moves[n]), w, values[n])
    return count


# --- one turn --------------------------------------------------------------------------------------------------------
@rule
def turn(g: Any, s: Any, play: Any, stick: float, w: Any) -> None:
    """Fill buf for every step of the turn that s opens, and the policy of the seats that do their best.

    In zero-sum play each seat gets what it can be sure of: the best at its own decisions, the worst at those of others
    who do their best. In selfish play every seat gets what follows from each mover's own best.
    """
    for k in range(steps(g, s) - 1, -1, -1):
        t = stage(g, s, k)
        count = legal(g, t, w.moves)
        if count == 0:  # play never comes here
            clear(w.buf[k])
        elif play.aims[t.mover] == BEST:
            choose(g, t, k, count, play.selfish, stick, w)
        else:
            settle(g, t, k, count, play, w)


@rule
def find_layers(g: Any, layers: Any) -> int:
    """Set the layer of every opening; returns the first whose number is not its index, -1 if there is none."""
    for i in range(layers.size):
        s = state(g, i)
        if not over(g, s) and index(g, s) != i:
            return i
        layers[i] = layer(g, s)
    return -1


# --- whether play can be kept within a layer -------------------------------------------------------------------------
@leaf
def stays(g: Any, u: Any, seat: int, seats: int, w: Any, trapped: Any, flags: Any) -> bool:
    """Whether every outcome leaves play at steps with a flag or at openings that are marked as trapped."""
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
        if inside < 0 or inside >= trapped.shape[0] or trapped[inside, (seat - v.mover) % seats] == 0:
            return False
    return True


@rule
def can_trap(g: Any, s: Any, seat: int, play: Any, w: Any, trapped: Any, flags: Any) -> bool:
    """Whether the others can surely keep the turn of s among trapped openings while `seat` follows the policy.

    `flags` has room for one flag a step.
    """
    seats = play.aims.size
    for k in range(steps(g, s) - 1, -1, -1):
        t = stage(g, s, k)
        flags[k] = 0
        aim = play.aims[t.mover]
        free = aim == UNIFORM or (aim == BEST and t.mover != seat and not play.selfish)
        count = legal(g, t, w.moves)
        for n in range(count):
            if free or w.moves[n] == w.policy[k]:
                flags[k] = 1 if stays(g, move(g, t, w.moves[n]), seat, seats, w, trapped, flags) else 0
                if flags[k] == (0 if aim == UNIFORM else 1):
                    break
    return flags[0] == 1
