"""Risk: one territory attacks another until one side gives out.

The attacker rolls up to three dice, keeping one army back; the defender up to two. Dice are compared highest to
highest, and a tie costs the attacker the army. By the Dutch rule the defender sees the attacker's dice before
choosing how many to roll; by the classic rule both roll all they may; in between, the defender chooses blind.
With a stake, the battle ends when that many armies have been lost in all (Koole, "An Optimal Dice Rolling Policy
for Risk", 1994).
"""

from typing import Any, NamedTuple

import numpy as np

from hazard.dice import below
from hazard.jit import rule

ATTACKER, DEFENDER = 0, 1
STOP, ATTACK = 0, 1  # moves of the attacker; the defender's move is the number of dice
DUTCH, CLASSIC, BLIND = 0, 1, 2
HOLD, DIFFERENCE, LOSSES = 0, 1, 2  # what is fought for
READY, THROWN, ANSWER, ANSWERED, STOPPED = 0, 1, 2, 3, 4


class Params(NamedTuple):
    attackers: int  # armies on the attacking territory at the start
    defenders: int
    stake: int  # losses on both sides that end the battle, 0 for none
    rule: int  # DUTCH, CLASSIC or BLIND
    objective: int  # HOLD, DIFFERENCE or LOSSES
    stop: int  # 1 if the attacker may stop
    attack_dice: int  # the most dice
    defend_dice: int
    players: int  # always two
    counts: np.ndarray  # counts[side, k]: ways that the compared dice of k can fall
    weights: np.ndarray  # weights[side, k, i]: ordered rolls behind the i-th way
    faces: np.ndarray  # faces[side, k, i]: its compared dice, highest first


class State(NamedTuple):
    attackers: int  # armies on the attacking territory, the one that stays included
    defenders: int
    phase: int  # READY, THROWN, ANSWER, ANSWERED or STOPPED
    roll: int  # the attacker's dice, a number into `faces`; -1 if none lie on the table
    guard: int  # dice the defender has chosen, 0 if none
    mover: int


@rule
def start(g: Params) -> State:
    return State(g.attackers, g.defenders, READY, -1, 0, ATTACKER)


@rule
def at_stake(g: Params, s: State) -> int:
    """How many more armies may be lost before the battle ends."""
    left = s.attackers + s.defenders
    return g.stake - (g.attackers + g.defenders - left) if g.stake > 0 else left


@rule
def over(g: Params, s: State) -> bool:
    return s.phase == STOPPED or s.attackers < 2 or s.defenders < 1 or at_stake(g, s) < 1


@rule
def payoff(g: Params, s: State, seat: int) -> float:
    if g.objective == HOLD:
        won = 1.0 if s.defenders == 0 else 0.0
        return won if seat == ATTACKER else 1.0 - won
    value = float(s.attackers)
    if g.objective == DIFFERENCE:
        value = float(s.attackers - s.defenders)
    return value if seat == ATTACKER else -value


@rule
def purse(g: Params) -> float:
    return 1.0 if g.objective == HOLD else 0.0


@rule
def floor(g: Params) -> float:
    return 0.0 if g.objective == HOLD else -float(g.attackers + g.defenders)


@rule
def fanout(g: Params) -> int:
    return max(2, g.defend_dice)


@rule
def assault(g: Params, s: State) -> int:
    """The attacker's dice: as many as there are armies to send."""
    return min(s.attackers - 1, g.attack_dice)


@rule
def most_guards(g: Params, s: State) -> int:
    """The most dice the defender may roll: no more armies can fall than are at stake."""
    most = min(s.defenders, g.defend_dice)
    return min(most, at_stake(g, s))


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    if s.phase == ANSWER:
        most = most_guards(g, s)
        for k in range(most):
            moves[k] = k + 1
        return most
    moves[0] = ATTACK
    moves[1] = STOP
    return 1 + g.stop


@rule
def move(g: Params, s: State, m: int) -> State:
    if s.phase == ANSWER:
        return State(s.attackers, s.defenders, ANSWERED, s.roll, m, DEFENDER)
    if m == STOP:
        return State(s.attackers, s.defenders, STOPPED, -1, 0, ATTACKER)
    if g.rule == BLIND:
        return State(s.attackers, s.defenders, ANSWER, -1, 0, DEFENDER)
    guard = most_guards(g, s) if g.rule == CLASSIC else 0
    return State(s.attackers, s.defenders, THROWN, -1, guard, ATTACKER)


@rule
def chance(g: Params, s: State) -> int:
    """The attacker's dice, the defender's, or both at once (the attacker's number times the defender's ways)."""
    if s.phase != THROWN and s.phase != ANSWERED:
        return 0
    ways = 1
    if s.roll < 0:
        ways = g.counts[ATTACKER, assault(g, s)]
    if s.guard > 0:
        ways *= g.counts[DEFENDER, s.guard]
    return ways


@rule
def weight(g: Params, s: State, i: int) -> int:
    if s.guard == 0:
        return g.weights[ATTACKER, assault(g, s), i]
    ways = g.counts[DEFENDER, s.guard]
    times = g.weights[DEFENDER, s.guard, i % ways]
    if s.roll < 0:
        times *= g.weights[ATTACKER, assault(g, s), i // ways]
    return times


@rule
def land(g: Params, s: State, i: int) -> State:
    if s.guard == 0:
        return State(s.attackers, s.defenders, ANSWER, i, 0, DEFENDER)
    ways = g.counts[DEFENDER, s.guard]
    roll = s.roll if s.roll >= 0 else i // ways
    pairs = min(s.guard, assault(g, s))
    held = 0
    for k in range(pairs):
        if g.faces[DEFENDER, s.guard, i % ways, k] >= g.faces[ATTACKER, assault(g, s), roll, k]:
            held += 1
    return State(s.attackers - held, s.defenders - (pairs - held), READY, -1, 0, ATTACKER)


@rule
def drawn(g: Params, side: int, dice: int, mark: int) -> int:
    """The way that so many dice of a side fall which the mark, a number below the sum of their weights, stands for."""
    i = 0
    while mark >= g.weights[side, dice, i]:
        mark -= g.weights[side, dice, i]
        i += 1
    return i


@rule
def rolls_of(g: Params, side: int, dice: int) -> int:
    """How many ordered rolls so many dice of a side have."""
    total = 0
    for i in range(g.counts[side, dice]):
        total += g.weights[side, dice, i]
    return total


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    """The same draw as one mark on the list of all ways. Where both sides roll that list may have 25 million entries,
    so the attacker's dice are found first, then the defender's."""
    attack = rolls_of(g, ATTACKER, assault(g, s)) if s.roll < 0 else 1
    if s.guard == 0:
        return drawn(g, ATTACKER, assault(g, s), below(rng, attack))
    guard = rolls_of(g, DEFENDER, s.guard)
    mark = below(rng, attack * guard)
    if s.roll >= 0:
        return drawn(g, DEFENDER, s.guard, mark)
    # Each of the attacker's ways stands for its weight times `guard` marks, and within them the defender's ways for
    # their weights times that weight.
    way = drawn(g, ATTACKER, assault(g, s), mark // guard)
    for i in range(way):
        mark -= g.weights[ATTACKER, assault(g, s), i] * guard
    return way * g.counts[DEFENDER, s.guard] + drawn(
        g, DEFENDER, s.guard, mark // g.weights[ATTACKER, assault(g, s), way]
    )


# A turn is one exchange. Armies only fall, so nothing is cyclic.
@rule
def size(g: Params) -> int:
    return (g.attackers - 1) * g.defenders


@rule
def index(g: Params, s: State) -> int:
    return (s.attackers - 2) * g.defenders + s.defenders - 1


@rule
def state(g: Params, i: int) -> State:
    return State(i // g.defenders + 2, i % g.defenders + 1, READY, -1, 0, ATTACKER)


@rule
def layer(g: Params, s: State) -> int:
    return g.attackers + g.defenders - s.attackers - s.defenders


@rule
def span(g: Params) -> int:
    most = 1
    for k in range(g.attack_dice + 1):
        most = max(most, g.counts[ATTACKER, k])
    return 1 + most


@rule
def steps(g: Params, s: State) -> int:
    if g.rule == CLASSIC:
        return 1
    return 2 if g.rule == BLIND else 1 + g.counts[ATTACKER, assault(g, s)]


@rule
def step(g: Params, s: State) -> int:
    if s.phase != ANSWER:
        return 0
    return 1 if s.roll < 0 else 1 + s.roll


@rule
def stage(g: Params, s: State, k: int) -> State:
    if k == 0:
        return State(s.attackers, s.defenders, READY, -1, 0, ATTACKER)
    return State(s.attackers, s.defenders, ANSWER, -1 if g.rule == BLIND else k - 1, 0, DEFENDER)
