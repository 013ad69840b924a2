"""Solves components of positions, one after the other, and proves the result; all from rows, for any game.

A component without a cycle is one node, and one backup of it is exact but for rounding, which is taken off the lower
bound and added to the upper.

In a cycle, some nodes are needed before they can be known: the *heads*, to which rows lead that stand at or before
them. Given values of the heads, one pass over the component in its order gives the values of all nodes, and new ones of
the heads. So the heads are the only unknowns; the pass is piecewise linear in them, and Newton's method (policy
iteration) solves it in a few passes. That is done for the lower and the upper bound at once.

The result is a guess. It is proven by one more pass, for heads that were moved outward a little: if no head's lower
bound falls in that pass and no upper bound rises, the bounds reproduce themselves, T(L) >= L and T(U) <= U. They then
hold if play leaves the component with probability 1; `can_stay` sees to that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.jit import leaf, rule
from hazard.solving.linear import solve_linear

ULP = 2.0**-52
TINY = 1e-300  # more than what is lost where numbers become too small for their full precision
PASSES = 40  # of Newton's method
PROOFS = 8  # attempts, each with bounds four times as wide as the last
NARROW = 1  # of these as long as another step of Newton's method may do better: what is given away adds up
PATIENT = 24  # passes with narrow attempts
LOW, HIGH = 0, 1
JOINT, FIRST, SECOND = 0, 1, 2  # who may stall: both together, or all but the seat named, which plays by its bound
MOST_HEADS = 128
ACYCLIC, PROVEN, HARD, LARGE = 0, 1, 2, 3  # what became of a component; the last two are left to others


class Room(NamedTuple):
    """What components are solved with."""

    bounds: np.ndarray  # bounds[k]: lower and upper bound of the component's k-th node
    slopes: np.ndarray  # slopes[k * heads + h]: derivative of the lower bound by the h-th head
    head: np.ndarray  # head[k]: the number of the k-th node among the heads, -1 for none
    heads: np.ndarray  # the heads
    after: np.ndarray  # after[h]: the bounds of the h-th head that a pass leads to
    a: np.ndarray  # a x = b: the equations of a step of Newton's method
    b: np.ndarray  # b[h]: steps of the lower and the upper bound, and how far both are moved outward
    stays: np.ndarray  # stays[k]: whether play may stay in the component from the k-th node on
    guess: np.ndarray  # the value of the last head that was solved
    solved: np.ndarray  # how many components were ACYCLIC, how many PROVEN


# --- one node --------------------------------------------------------------------------------------------------------
@leaf
def bound_of(rows: Any, e: int, side: int, value: Any, room: Any) -> float:
    """The bound of what an option leads to."""
    t = rows.target[e]
    found = value[t, side] if t >= 0 else room.bounds[~t, side]
    return found + rows.gain[e] if rows.gain.size > 0 else found


@leaf
def chosen(rows: Any, e: int, options: int, side: int, value: Any, room: Any) -> int:
    """The option that whoever decides takes: the best for seat 0, or the worst if options are negative."""
    best, most = e, bound_of(rows, e, side, value, room)
    for other in range(e + 1, e + abs(options)):
        found = bound_of(rows, other, side, value, room)
        if (found > most) if options > 0 else (found < most):
            best, most = other, found
    return best


@leaf
def outward(mean: float, outcomes: int, size: float, gains: int, side: int) -> float:
    """A mean moved outward by more than its rounding, if numbers up to a size were added up."""
    terms = outcomes + 4 if outcomes > 1 else gains
    slack = terms * ULP * size + TINY if terms > 0 else 0.0
    return mean - slack if side == LOW else mean + slack


@rule
def back_up(rows: Any, k: int, value: Any, room: Any, heads: int, out: Any, slopes: Any) -> None:
    """Set `out` to both bounds of the k-th node of the stream, and `slopes` to derivatives by that many heads."""
    first, last, e = rows.first[k], rows.first[k + 1], rows.begin[k]
    gains, total, low, high, size = 2 if rows.gain.size > 0 else 0, 0.0, 0.0, 0.0, 0.0
    for h in range(heads):
        slopes[h] = 0.0
    for o in range(first, last):
        options, share = rows.options[o], rows.weight[o]
        if last - first == 1:
            share = 1.0
        best = chosen(rows, e, options, LOW, value, room)
        least = bound_of(rows, best, LOW, value, room)
        most = bound_of(rows, chosen(rows, e, options, HIGH, value, room), HIGH, value, room)
        size = max(size, abs(least), abs(most))
        total += share
        low += share * least
        high += share * most
        inside = ~rows.target[best]
        if inside >= 0:
            for h in range(heads):
                slopes[h] += share * room.slopes[inside * heads + h]
        e += abs(options)
    if total != 1.0:
        low, high = low / total, high / total
        for h in range(heads):
            slopes[h] /= total
    out[LOW] = outward(low, last - first, size, gains, LOW)
    out[HIGH] = outward(high, last - first, size, gains, HIGH)


# --- whether play must end -------------------------------------------------------------------------------------------
@leaf
def may_stay(rows: Any, k: int, who: int, value: Any, room: Any) -> bool:
    """Whether, however the dice land, there is a choice that leads to nodes from which play may stay."""
    e = rows.begin[k]
    for o in range(rows.first[k], rows.first[k + 1]):
        options = rows.options[o]
        first, last = e, e + abs(options)
        e = last
        if (who == FIRST and options > 0) or (who == SECOND and options < 0):
            first = chosen(rows, first, options, LOW if who == FIRST else HIGH, value, room)
            last = first + 1
        stays = False
        for option in range(first, last):
            inside = ~rows.target[option]
            stays = stays or (inside >= 0 and room.stays[inside] == 1)
        if not stays:
            return False
    return True


@rule
def can_stay(rows: Any, first: int, size: int, who: int, value: Any, room: Any) -> int:
    """A node of the component from which play may stay in it for ever, -1 if there is none.

    Nodes that must lead out of the set are taken out of it until none does. What is left is closed: within it, some
    choices keep play in it however the dice land. If nothing is left, play leaves with probability 1.
    """
    room.stays[:size] = 1
    changed = True
    left = size
    while changed and left > 0:
        changed = False
        for k in range(size):
            if room.stays[k] == 1 and not may_stay(rows, first + k, who, value, room):
                room.stays[k] = 0
                left -= 1
                changed = True
    for k in range(size):
        if room.stays[k] == 1:
            return k
    return -1


@rule
def must_end(rows: Any, first: int, size: int, value: Any, room: Any) -> bool:
    """Whether the bounds of a component, which reproduce themselves, hold: play must end.

    Either it does whatever both seats do. Or it does as long as one seat makes the choices by which its own bound
    reproduces itself, for each of the two.
    """
    if can_stay(rows, first, size, JOINT, value, room) < 0:
        return True
    if can_stay(rows, first, size, FIRST, value, room) >= 0:
        return False
    return can_stay(rows, first, size, SECOND, value, room) < 0


# --- small cycles ----------------------------------------------------------------------------------------------------
@rule
def find_heads(rows: Any, first: int, size: int, room: Any) -> int:
    """Number the heads of a component; returns how many there are, -1 if too many."""
    room.head[:size] = -1
    heads = 0
    for k in range(size):
        for e in range(rows.begin[first + k], rows.begin[first + k + 1]):
            inside = ~rows.target[e]
            if inside >= k and room.head[inside] < 0:
                if heads == room.heads.size:
                    return -1
                room.head[inside] = heads
                room.heads[heads] = inside
                heads += 1
    return heads


@rule
def first_guess(rows: Any, first: int, size: int, value: Any, room: Any, heads: int) -> None:
    """Begin with the last value that was found, or between all values that the component leads to."""
    least, most = np.inf, -np.inf
    for e in range(rows.begin[first], rows.begin[first + size]):
        t = rows.target[e]
        if t >= 0:
            least, most = min(least, value[t, LOW]), max(most, value[t, HIGH])
    start = room.guess[0]
    if not least <= start <= most:
        start = (least + most) / 2.0 if least <= most else 0.0
    for h in range(heads):
        room.bounds[room.heads[h], LOW] = start
        room.bounds[room.heads[h], HIGH] = start


@rule
def sweep_heads(rows: Any, first: int, size: int, value: Any, room: Any, heads: int, unknowns: int) -> None:
    """One pass over a component: all nodes from the heads, and the heads' new bounds to `after`.

    Derivatives by the unknowns are computed on the way: either all heads or none.
    """
    for h in range(unknowns):
        k = room.heads[h]
        for j in range(unknowns):
            room.slopes[k * unknowns + j] = 1.0 if j == h else 0.0
    for k in range(size):
        h = room.head[k]
        if h < 0:
            slopes = room.slopes[k * unknowns : (k + 1) * unknowns]
            back_up(rows, first + k, value, room, unknowns, room.bounds[k], slopes)
        else:
            back_up(rows, first + k, value, room, unknowns, room.after[h], room.a[h])


@rule
def newton_step(room: Any, heads: int) -> float:
    """Move the heads to where both bounds would stay, but for choices that change; returns the largest relative step.

    `b[:, 2]` is how far to move a bound so that it has a little to spare in the next pass.
    """
    for h in range(heads):
        k = room.heads[h]
        size = 0.0
        for side in range(2):
            room.b[h, side] = room.after[h, side] - room.bounds[k, side]
            size = max(size, abs(room.after[h, side]))
        room.b[h, 2] = 4.0 * ULP * size + TINY
        for j in range(heads):
            room.a[h, j] = (1.0 if j == h else 0.0) - room.a[h, j]
    solve_linear(room.a, room.b, heads)
    step = 0.0
    for h in range(heads):
        k = room.heads[h]
        for side in range(2):
            room.bounds[k, side] += room.b[h, side]
            step = max(step, abs(room.b[h, side]) / (1e-290 + abs(room.bounds[k, LOW]) + abs(room.bounds[k, HIGH])))
            if not np.isfinite(room.bounds[k, side]):
                return np.inf
    return step


@rule
def holds(room: Any, heads: int) -> bool:
    """Whether no lower bound of a head has fallen in the last pass, and no upper bound has risen."""
    for h in range(heads):
        k = room.heads[h]
        if not (room.after[h, LOW] >= room.bounds[k, LOW] and room.after[h, HIGH] <= room.bounds[k, HIGH]):
            return False
    return True


@rule
def prove(rows: Any, first: int, size: int, value: Any, room: Any, heads: int, attempts: int) -> bool:
    """Move the heads' bounds outward until one more pass proves them."""
    factor, done = 1.0, 0.0
    for _ in range(attempts):
        for h in range(heads):
            k = room.heads[h]
            room.bounds[k, LOW] -= (factor - done) * room.b[h, 2]
            room.bounds[k, HIGH] += (factor - done) * room.b[h, 2]
        sweep_heads(rows, first, size, value, room, heads, 0)
        if holds(room, heads):
            return True
        factor, done = 4.0 * factor, factor
    return False


@rule
def solve_cycle(rows: Any, first: int, size: int, value: Any, room: Any, heads: int) -> bool:
    """Solve a component by Newton's method and prove it."""
    first_guess(rows, first, size, value, room, heads)
    for n in range(PASSES):
        sweep_heads(rows, first, size, value, room, heads, heads)
        step = newton_step(room, heads)
        if not np.isfinite(step):
            return False
        attempts = NARROW if n < PATIENT else PROOFS
        if step <= 1e-9 and prove(rows, first, size, value, room, heads, attempts):
            room.guess[0] = room.bounds[room.heads[heads - 1], LOW]
            return must_end(rows, first, size, value, room)
    return False


# --- all components --------------------------------------------------------------------------------------------------
@rule
def solve_components(rows: Any, nodes: Any, components: Any, begin: int, end: int, value: Any, room: Any) -> Any:
    """Solve components of the stream until one is left to others; returns its number, or `end`, and why."""
    for c in range(begin, end):
        first, size = components[c], components[c + 1] - components[c]
        heads = find_heads(rows, first, size, room) if size <= room.head.size else -1
        if heads == 0:
            back_up(rows, first, value, room, 0, value[nodes[first]], room.guess)
            room.solved[ACYCLIC] += 1
            continue
        if heads < 0 or size * heads > room.slopes.size:
            return c, LARGE
        if not solve_cycle(rows, first, size, value, room, heads):
            return c, HARD
        for k in range(size):
            value[nodes[first + k], LOW] = room.bounds[k, LOW]
            value[nodes[first + k], HIGH] = room.bounds[k, HIGH]
        room.solved[PROVEN] += 1
    return end, ACYCLIC
