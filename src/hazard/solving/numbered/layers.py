"""Solves any game that declares its progress, layer by layer, and proves the result.

Within a layer that has no cycle one backup of each opening is exact. A small cyclic layer is solved by Newton's method
(which is policy iteration): the backup of a turn is piecewise linear in the values of the layer's openings. The guess
is then lowered a little and proven: if one more backup, rounded down, gives at least as much everywhere, and the
policy cannot be kept from leaving the layer for ever, then it is a lower bound for each seat. What the other seats
are sure of bounds it from above. Large cyclic layers are iterated from below, which needs no further proof.
"""

from __future__ import annotations

from typing import Any

from hazard.contract import floor, over, payoff, purse, size, state, steps
from hazard.jit import rule
from hazard.solving.numbered.turns import ULP, Work, stuck, turn

UNKNOWNS = 36  # the most unknowns that Newton's method solves for at once
CLOSE = 1e-6  # a step this small was taken with the final choices; the proof will tell
NEWTON = 40  # steps before choices are made to stick
ACYCLIC, PROVEN, ITERATED, UNSETTLED = 0, 1, 2, 3
WAYS = ("acyclic", "proven", "iterated", "unsettled")


@rule
def solve_linear(a: Any, b: Any, n: int) -> None:
    """Solve a x = b in place by elimination with pivots; the solution is left in b."""
    for c in range(n):
        pivot = c
        for i in range(c + 1, n):
            if abs(a[i, c]) > abs(a[pivot, c]):
                pivot = i
        for j in range(n):
            a[c, j], a[pivot, j] = a[pivot, j], a[c, j]
        for j in range(2):
            b[c, j], b[pivot, j] = b[pivot, j], b[c, j]
        for i in range(c + 1, n):
            f = a[i, c] / a[c, c]
            if f != 0.0:
                for j in range(c, n):
                    a[i, j] -= f * a[c, j]
                for j in range(2):
                    b[i, j] -= f * b[c, j]
    for j in range(2):
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                b[i, j] -= a[i, k] * b[k, j]
            b[i, j] /= a[i, i]


@rule
def backup(g: Any, i: int, row: int, play: Any, stick: float, w: Any, policies: Any) -> None:
    """Rebuild the turn of opening i; its policy is read from and written to a row of `policies`."""
    s = state(g, i)
    if over(g, s):
        for p in range(w.low.shape[1]):
            w.buf[0, p, :] = 0.0
            w.buf[0, p, 0] = payoff(g, s, p)
        return
    turn(g, s, play, stick, Work(w.low, w.slot, w.mark, policies[row], w.buf, w.q, w.moves))


@rule
def newton(g: Any, order: Any, first: int, last: int, play: Any, w: Any, policies: Any, a: Any, b: Any) -> int:
    """Improve the layer's values until they settle; leaves how much each is worth lowering in b[:, 1].

    Returns 0 if no opening looks up another one of its layer (then the values are exact), else the steps taken.
    """
    seats = w.low.shape[1]
    unknowns = (last - first) * seats
    w.mark[1] = 0
    stick = 0.0
    settled = False  # then one more step makes sure of the choices
    for attempt in range(2 * NEWTON):
        for row in range(last - first):
            i = order[first + row]
            backup(g, i, row, play, stick, w, policies)
            for r in range(seats):
                p = (r + state(g, i).mover) % seats
                n = row * seats + r
                for j in range(unknowns):
                    a[n, j] = (1.0 if j == n else 0.0) - w.buf[0, p, 1 + j]
                b[n, 0] = w.buf[0, p, 0] - w.low[i, r]
                b[n, 1] = w.buf[0, p, 0]
        if w.mark[1] == 0:
            for n in range(unknowns):
                w.low[order[first + n // seats], n % seats] = b[n, 1]
            return 0
        b[:unknowns, 1] = 1.0
        solve_linear(a, b, unknowns)
        change = 0.0
        for n in range(unknowns):
            i = order[first + n // seats]
            w.low[i, n % seats] += b[n, 0]
            change = max(change, abs(b[n, 0]) / (1.0 + abs(w.low[i, n % seats])))
        if settled or change <= (0.0 if play.selfish else CLOSE):
            return attempt + 1
        settled = change < 1e-9
        if attempt >= NEWTON:
            stick = max(2.0 * stick, 1e-12)
    return 2 * NEWTON


@rule
def holds(g: Any, order: Any, first: int, last: int, play: Any, w: Any, policies: Any) -> bool:
    """Whether one backup of each opening of the layer, rounded down, gives at least what is claimed."""
    seats = w.low.shape[1]
    for row in range(last - first):
        i = order[first + row]
        backup(g, i, row, play, 0.0, w, policies)
        for p in range(seats):
            if not w.buf[0, p, 0] >= w.low[i, (p - state(g, i).mover) % seats]:
                return False
    return True


@rule
def ends(g: Any, order: Any, first: int, last: int, play: Any, w: Any, policies: Any, held: Any, flags: Any) -> bool:
    """Whether play leaves the layer almost surely as long as any one seat keeps to the policy."""
    seats = w.low.shape[1]
    held[: last - first, :] = 1
    changed = True
    while changed:
        changed = False
        for row in range(last - first):
            s = state(g, order[first + row])
            own = Work(w.low, w.slot, w.mark, policies[row], w.buf, w.q, w.moves)
            for r in range(seats):
                if held[row, r] == 1 and not stuck(g, s, (s.mover + r) % seats, play, own, held, flags):
                    held[row, r] = 0
                    changed = True
    return held[: last - first].sum() == 0


@rule
def prove(
    g: Any,
    order: Any,
    first: int,
    last: int,
    play: Any,
    follow: Any,
    tolerance: float,
    w: Any,
    policies: Any,
    b: Any,
    held: Any,
    flags: Any,
) -> bool:
    """Lower the layer's values by the least tried amount that one more backup proves."""
    seats = w.low.shape[1]
    delta = ULP
    done = 0.0
    while delta <= tolerance:
        for n in range((last - first) * seats):
            i = order[first + n // seats]
            w.low[i, n % seats] -= (delta - done) * b[n, 1] * (1.0 + abs(w.low[i, n % seats]))
        done = delta
        if holds(g, order, first, last, follow if play.selfish else play, w, policies):
            return ends(g, order, first, last, play, w, policies, held, flags)
        delta *= 4.0
    return False


@rule
def iterate(g: Any, order: Any, first: int, last: int, play: Any, tolerance: float, w: Any, policies: Any) -> int:
    """Raise the layer's values from the least payoff until the bounds meet; returns the number of sweeps."""
    seats = w.low.shape[1]
    for row in range(first, last):
        w.low[order[row], :] = floor(g)
    for sweep in range(1, 1_000_000):
        w.mark[1] = 0
        change = 0.0
        gap = 0.0
        for row in range(last - first):
            i = order[first + row]
            backup(g, i, row if row < policies.shape[0] else 0, play, 0.0, w, policies)
            total = 0.0
            for p in range(seats):
                r = (p - state(g, i).mover) % seats
                change = max(change, w.buf[0, p, 0] - w.low[i, r])
                w.low[i, r] = max(w.low[i, r], w.buf[0, p, 0])
                total += w.low[i, r]
            gap = max(gap, purse(g) - total)
        if w.mark[1] == 0 or gap <= tolerance or change <= 0.0:
            return sweep
    return 1_000_000


@rule
def guess(g: Any, order: Any, first: int, last: int, before: int, low: Any) -> None:
    """Begin with the values of the layer solved before, if it is of the same size."""
    for row in range(first, last):
        for r in range(low.shape[1]):
            low[order[row], r] = (
                low[order[row - first + before], r] if first - before == last - first else purse(g) / low.shape[1]
            )


@rule
def solve_layers(
    g: Any,
    order: Any,
    bounds: Any,
    begin: int,
    end: int,
    play: Any,
    follow: Any,
    tolerance: float,
    w: Any,
    wide: Any,
    policies: Any,
    a: Any,
    b: Any,
    held: Any,
    flags: Any,
    how: Any,
) -> None:
    """Solve the layers numbered begin to end - 1; `how` records for each the way it was solved and the effort."""
    for number in range(begin, end):
        first, last = bounds[number], bounds[number + 1]
        w.mark[0] = first
        if (last - first) * w.low.shape[1] > UNKNOWNS:
            how[number, 1] = iterate(g, order, first, last, play, tolerance, w, policies)
            how[number, 0] = ACYCLIC if w.mark[1] == 0 else ITERATED
            continue
        guess(g, order, first, last, bounds[max(number - 1, 0)], w.low)
        effort = newton(g, order, first, last, play, wide, policies, a, b)
        how[number, 1] = max(effort, 1)
        if effort == 0:
            how[number, 0] = ACYCLIC
        elif prove(g, order, first, last, play, follow, tolerance, w, policies, b, held, flags):
            how[number, 0] = UNSETTLED if effort > NEWTON else PROVEN
        else:
            iterate(g, order, first, last, follow if play.selfish else play, tolerance, w, policies)
            how[number, 0] = ITERATED


@rule
def count_states(g: Any) -> int:
    """The number of decisions behind all openings."""
    total = 0
    for i in range(size(g)):
        total += steps(g, state(g, i))
    return total


@rule
def greatest_gain(g: Any, play: Any, w: Any) -> float:
    """The most that any seat could gain by playing one turn of its own differently."""
    gain = 0.0
    w.mark[0] = w.low.shape[0]
    for i in range(w.low.shape[0]):
        s = state(g, i)
        if not over(g, s):
            turn(g, s, play, 0.0, w)
            gain = max(gain, w.buf[0, s.mover, 0] - w.low[i, 0])
    return gain
