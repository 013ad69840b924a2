"""Pig: roll to grow the pot, hold to bank it; a one loses the pot. First to the goal wins."""

from typing import Any, NamedTuple

from hazard.dice import below
from hazard.jit import rule

ROLL, HOLD = 0, 1


class Params(NamedTuple):
    goal: int  # points that win
    sides: int  # sides of the die
    players: int  # always two


class State(NamedTuple):
    me: int  # points of the player to move
    you: int
    pot: int  # points at risk this turn
    rolling: int  # 1 while the die is in the air
    mover: int  # seat of the player to move


@rule
def start(g: Params) -> State:
    return State(0, 0, 0, 0, 0)


@rule
def over(g: Params, s: State) -> bool:
    return s.you >= g.goal


@rule
def payoff(g: Params, s: State, seat: int) -> float:
    return 0.0 if seat == s.mover else 1.0


@rule
def fanout(g: Params) -> int:
    return 2


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    """The first roll is compulsory, and nobody rolls on with the game in hand."""
    count = 0
    if s.me + s.pot < g.goal:
        moves[count] = ROLL
        count += 1
    if s.pot > 0:
        moves[count] = HOLD
        count += 1
    return count


@rule
def move(g: Params, s: State, m: int) -> State:
    if m == ROLL:
        return State(s.me, s.you, s.pot, 1, s.mover)
    return State(s.you, s.me + s.pot, 0, 0, 1 - s.mover)


@rule
def chance(g: Params, s: State) -> int:
    return g.sides * s.rolling


@rule
def weight(g: Params, s: State, i: int) -> int:
    return 1


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    return below(rng, g.sides)


@rule
def land(g: Params, s: State, i: int) -> State:
    """Points beyond the goal are not counted."""
    if i == 0:
        return State(s.you, s.me, 0, 0, 1 - s.mover)
    return State(s.me, s.you, min(s.pot + i + 1, g.goal - s.me), 0, s.mover)


# A turn opens with the first roll; its steps are the points in the pot. Only the two players' busts at the same
# pair of scores close a cycle.
@rule
def size(g: Params) -> int:
    return 2 * g.goal * g.goal


@rule
def index(g: Params, s: State) -> int:
    return (s.mover * g.goal + s.me) * g.goal + s.you


@rule
def state(g: Params, i: int) -> State:
    return State(i // g.goal % g.goal, i % g.goal, 0, 0, i // g.goal // g.goal)


@rule
def layer(g: Params, s: State) -> int:
    return (s.me + s.you) * g.goal + (s.me if s.mover == 0 else s.you)


@rule
def span(g: Params) -> int:
    return g.goal + 1


@rule
def steps(g: Params, s: State) -> int:
    return g.goal - s.me + 1


@rule
def step(g: Params, s: State) -> int:
    return s.pot


@rule
def stage(g: Params, s: State, k: int) -> State:
    return State(s.me, s.you, k, 0, s.mover)
