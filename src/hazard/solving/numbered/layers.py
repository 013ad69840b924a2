"""Solves a game that numbers its openings, layer by layer, and proves the result.

In a layer without a cycle one backup of each opening is exact up to rounding. A small cyclic layer is solved by
Newton's method, which is policy iteration: the backup of a turn is piecewise linear in the values of the layer's
openings. The result is a guess. It is lowered a little for each turn that the layer is expected to last. If one more
backup, rounded down, then gives at least as much everywhere, and no seat that keeps to its policy can be kept in the
layer for ever, it is a lower bound for each seat. What the other seats are sure of bounds each seat from above. A large
cyclic layer is iterated from below, which needs no further proof.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import floor, over, payoff, purse, size, state, steps
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.linear import solve_linear
from hazard.solving.numbered.turns import BEST, FOLLOW, ULP, Play, Work, can_trap, turn, with_policy, workspace

UNKNOWNS = 36  # the most unknowns that Newton's method solves for at once
CLOSE = 1e-6  # after a step this small the choices are probably final; the proof will tell
NEWTON = 40  # steps before a choice is kept unless another one gains more than a threshold
DEEPEST = 1e-13  # the most that values are lowered for each turn that the layer lasts: enough for rounding
PROOFS = 8  # attempts to prove a layer; another step of Newton's method is taken after each one that fails
SWEEPS = 1_000_000
ACYCLIC, PROVEN, ITERATED, UNSETTLED = 0, 1, 2, 3
WAYS = ("acyclic", "proven", "iterated", "unsettled")


class Scratch(NamedTuple):
    """What layers are solved with."""

    play: Play
    proof: Play  # whose values are proven: the same, but selfish seats keep to the policy that they have chosen
    values: Work
    slopes: Work  # the same values, with room for derivatives
    policies: np.ndarray  # policies[row]: the moves chosen in the turn of the layer's opening of that row
    a: np.ndarray  # a x = b: the equations of a step of Newton's method
    b: np.ndarray  # b[:, 0]: the step; b[:, 1]: how many turns the layer is expected to last
    trapped: np.ndarray  # trapped[row, r]: whether the others may be able to keep that seat in the layer
    flags: np.ndarray  # room for `can_trap`


def scratch(game: Game, play: Play, low: np.ndarray, slot: np.ndarray, widest: int) -> Scratch:
    """Room to solve layers of up to `widest` openings by Newton's method."""
    unknowns = widest * game.seats
    work = workspace(game, low, slot)
    wide = workspace(game, low, slot, 1 + unknowns)._replace(mark=work.mark)
    follow = play._replace(aims=np.where(play.aims == BEST, FOLLOW, play.aims))
    return Scratch(
        play,
        follow if play.selfish else play,
        work,
        wide,
        np.zeros((widest, len(work.policy)), np.uint8),
        np.zeros((unknowns, unknowns)),
        np.zeros((unknowns, 2)),
        np.zeros((widest, game.seats), np.uint8),
        np.zeros(len(work.policy), np.uint8),
    )


@rule
def backup(g: Any, i: int, play: Any, stick: float, w: Any, policy: Any) -> None:
    """Rebuild the turn of opening i; its value is left in step 0 of buf."""
    s = state(g, i)
    if over(g, s):
        for p in range(w.low.shape[1]):
            w.buf[0, p, :] = 0.0
            w.buf[0, p, 0] = payoff(g, s, p)
        return
    turn(g, s, play, stick, with_policy(w, policy))


# --- small cycles ----------------------------------------------------------------------------------------------------
@rule
def newton_step(g: Any, openings: Any, stick: float, x: Any) -> float:
    """Solve for the values that the best choices at the present values lead to; returns the largest relative change.

    If no opening looks up another one of its layer, the values are exact, and the change is -1.
    """
    w = x.slopes
    seats = w.low.shape[1]
    unknowns = openings.size * seats
    w.mark[1] = 0
    for row in range(openings.size):
        i = openings[row]
        backup(g, i, x.play, stick, w, x.policies[row])
        for r in range(seats):
            p = (r + state(g, i).mover) % seats
            n = row * seats + r
            for j in range(unknowns):
                x.a[n, j] = (1.0 if j == n else 0.0) - w.buf[0, p, 1 + j]
            x.b[n, 0] = w.buf[0, p, 0] - w.low[i, r]
            x.b[n, 1] = w.buf[0, p, 0]
    if w.mark[1] == 0:
        for n in range(unknowns):
            w.low[openings[n // seats], n % seats] = x.b[n, 1]
        return -1.0
    x.b[:unknowns, 1] = 1.0
    solve_linear(x.a, x.b, unknowns)
    change = 0.0
    for n in range(unknowns):
        i = openings[n // seats]
        w.low[i, n % seats] += x.b[n, 0]
        change = max(change, abs(x.b[n, 0]) / (1.0 + abs(w.low[i, n % seats])))
    return change


@rule
def holds(g: Any, openings: Any, play: Any, w: Any, policies: Any) -> bool:
    """Whether one backup of each opening, rounded down, gives at least what is claimed."""
    seats = w.low.shape[1]
    for row in range(openings.size):
        i = openings[row]
        backup(g, i, play, 0.0, w, policies[row])
        for p in range(seats):
            if not w.buf[0, p, 0] >= w.low[i, (p - state(g, i).mover) % seats]:
                return False
    return True


@rule
def ends(g: Any, openings: Any, x: Any) -> bool:
    """Whether play leaves the layer almost surely as long as any one seat keeps to the policy."""
    seats = x.values.low.shape[1]
    x.trapped[: openings.size, :] = 1
    changed = True
    while changed:
        changed = False
        for row in range(openings.size):
            s = state(g, openings[row])
            w = with_policy(x.values, x.policies[row])
            for r in range(seats):
                seat = (s.mover + r) % seats
                if x.trapped[row, r] == 1 and not can_trap(g, s, seat, x.play, w, x.trapped, x.flags):
                    x.trapped[row, r] = 0
                    changed = True
    for row in range(openings.size):
        for r in range(seats):
            if x.trapped[row, r] == 1:
                return False
    return True


@rule
def prove(g: Any, openings: Any, x: Any) -> bool:
    """Lower the layer's values by the least depth tried that one more backup proves."""
    low = x.values.low
    seats = low.shape[1]
    depth = ULP
    done = 0.0
    while depth <= DEEPEST:
        for n in range(openings.size * seats):
            i = openings[n // seats]
            low[i, n % seats] -= (depth - done) * x.b[n, 1] * (1.0 + abs(low[i, n % seats]))
        if holds(g, openings, x.proof, x.values, x.policies):
            return ends(g, openings, x)
        done = depth
        depth *= 4.0
    return False


@rule
def solve_small(g: Any, openings: Any, tolerance: float, x: Any) -> tuple[int, int]:
    """Solve a layer by Newton's method and prove it; returns the way it was solved, and the effort.

    A small step does not mean that the choices are final: a move may still be better by less. If the proof fails for
    that reason, another step mends it. To lower the values until the proof succeeds would spoil all earlier layers.
    """
    stick = 0.0
    close = proven = False
    taken = proofs = 0
    while not proven and taken < 2 * NEWTON and proofs < PROOFS:
        change = newton_step(g, openings, stick, x)
        taken += 1
        if change < 0.0:
            return ACYCLIC, taken
        if close or change <= (0.0 if x.play.selfish else CLOSE):
            proven = prove(g, openings, x)
            proofs += 1
        close = change < 1e-9  # then one more step makes sure of the choices
        if taken > NEWTON:
            stick = max(2.0 * stick, 1e-12)
    if proven or (proofs == 0 and prove(g, openings, x)):
        return UNSETTLED if taken > NEWTON else PROVEN, taken
    return ITERATED, iterate(g, openings, x.proof, tolerance, x.values, x.policies)


# --- large cycles ----------------------------------------------------------------------------------------------------
@rule
def iterate(g: Any, openings: Any, play: Any, tolerance: float, w: Any, policies: Any) -> int:
    """Raise the values from the least payoff until the bounds meet, or rounding stops them; returns the sweeps."""
    seats = w.low.shape[1]
    for row in range(openings.size):
        w.low[openings[row], :] = floor(g)
    for sweep in range(1, SWEEPS):
        w.mark[1] = 0
        change = 0.0
        gap = 0.0
        for row in range(openings.size):
            i = openings[row]
            backup(g, i, play, 0.0, w, policies[row if row < policies.shape[0] else 0])
            total = 0.0
            for p in range(seats):
                r = (p - state(g, i).mover) % seats
                change = max(change, w.buf[0, p, 0] - w.low[i, r])
                w.low[i, r] = max(w.low[i, r], w.buf[0, p, 0])
                total += w.low[i, r]
            gap = max(gap, purse(g) - total)
        if w.mark[1] == 0 or gap <= tolerance or change <= 0.0:
            return sweep
    return SWEEPS


# --- all layers ------------------------------------------------------------------------------------------------------
@rule
def guess(g: Any, order: Any, bounds: Any, number: int, selfish: bool, low: Any) -> None:
    """Begin with the values of the layer solved before, or on a line through the last two, if they are of one size.

    Selfish players begin with the former: of several equilibria, the first guess decides which one is found.
    """
    first, size = bounds[number], bounds[number + 1] - bounds[number]
    alike = 0
    while alike < min(number, 1 if selfish else 2) and bounds[number - alike] - bounds[number - alike - 1] == size:
        alike += 1
    for row in range(first, first + size):
        i, last, other = order[row], order[row - size * min(alike, 1)], order[row - size * alike]
        for r in range(low.shape[1]):
            if alike == 0:
                low[i, r] = purse(g) / low.shape[1]
            else:
                low[i, r] = low[last, r] + (low[last, r] - low[other, r])


@rule
def solve_layers(g: Any, order: Any, bounds: Any, begin: int, end: int, tolerance: float, x: Any, how: Any) -> None:
    """Solve the layers numbered begin to end - 1; `how` records for each the way it was solved and the effort.

    Iterating stops when the bounds are half of the tolerance apart, or when rounding allows no more. So the bounds of
    any layer are at most half of the tolerance further apart than rounding alone would leave them.
    """
    w = x.values
    for number in range(begin, end):
        openings = order[bounds[number] : bounds[number + 1]]
        w.mark[0] = bounds[number]
        if openings.size * w.low.shape[1] > UNKNOWNS:
            how[number, 1] = iterate(g, openings, x.play, tolerance / 2, w, x.policies)
            how[number, 0] = ACYCLIC if w.mark[1] == 0 else ITERATED
        else:
            guess(g, order, bounds, number, x.play.selfish, w.low)
            how[number, 0], how[number, 1] = solve_small(g, openings, tolerance / 2, x)


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
