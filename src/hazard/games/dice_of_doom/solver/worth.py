"""The value of any position on a solved board, looked up or followed to where the table knows."""

from __future__ import annotations

from typing import Any

from hazard.bits import count, largest_region, nth
from hazard.games.dice_of_doom.players.optimal import looked_up, result_of
from hazard.games.dice_of_doom.rules import can_attack, chance, land, payoff, place_die, weight
from hazard.games.dice_of_doom.tiles import BATTLE, CHOSEN, OVER, PLACE, Params, State, owned
from hazard.jit import rule


@rule
def share_of(g: Params, s: State, i: int) -> float:
    """How likely the next die is to fall on the i-th own tile."""
    total = 0
    for k in range(count(owned(g, s, s.mover))):
        total += weight(g, s, k)
    return weight(g, s, i) / total


@rule
def after_dice(g: Params, s: State, memory: Any) -> float:
    """The mover's value with dice still to place: the mean over all ways they can fall, or the best way to choose."""
    own = owned(g, s, s.mover)
    n, found = count(own), 0.0
    if s.left == count(largest_region(g.near, own)) and not can_attack(g, s, s.mover):
        return looked_up(g, s, memory)  # the turn had to end, so that the table knows what this is worth
    for way in range(n**s.left):  # each digit says where a die goes
        t, share, rest = s, 1.0, way
        while t.phase == PLACE:
            if g.reinforcement != CHOSEN:
                share *= share_of(g, t, rest % n)
            t = place_die(g, t, nth(own, rest % n))
            rest //= n
        if rest > 0:
            continue  # all tiles were full before the last die: this way has been met
        value = share * result_of(g, t, s.mover, memory)
        found = max(found, value) if g.reinforcement == CHOSEN else found + value
    return found


@rule
def worth(g: Params, s: State, seat: int, memory: Any) -> float:
    """What a position without dice in the air of a battle is worth to a seat."""
    if s.phase == OVER:
        return payoff(g, s, seat)
    value = after_dice(g, s, memory) if s.phase == PLACE else looked_up(g, s, memory)
    return value if s.mover == seat else 1.0 - value


@rule
def prospect(g: Params, s: State, seat: int, memory: Any) -> float:
    """What any position is worth to a seat."""
    if s.phase != BATTLE:
        return worth(g, s, seat, memory)
    total, value = 0, 0.0
    for i in range(chance(g, s)):
        share = weight(g, s, i)
        total += share
        value += share * worth(g, land(g, s, i), seat, memory)
    return value / total
