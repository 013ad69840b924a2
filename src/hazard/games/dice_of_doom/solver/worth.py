"""The value of any position on a solved board, looked up in its table, or followed to positions that are there."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.bits import count, largest_region, nth
from hazard.games.dice_of_doom.rules import can_attack, chance, land, payoff, place_die, weight
from hazard.games.dice_of_doom.tiles import BATTLE, CAPTURED, CHOSEN, OPEN, OVER, PLACE, Params, State, dice_on, owned
from hazard.jit import rule


@rule
def place(g: Params, s: State) -> int:
    """Where the table has a position: by own tiles, then by the dice on these and on the others."""
    own, number = owned(g, s, s.mover), 0
    for side in range(2):  # the last digits first: own tiles, then the others
        mask = own if side == 0 else g.full & ~own
        for tile in range(g.tiles):
            if (mask >> tile) & 1:
                number = number * g.max_dice + dice_on(s, tile) - 1
    return own * g.max_dice**g.tiles + number


@rule
def captured(g: Params, s: State) -> int:
    """Dice captured in this turn, as far as they count: more than own tiles cannot get new dice."""
    return min(s.gained, count(owned(g, s, s.mover)) + 1)


@rule
def looked_up(g: Params, s: State, memory: Any) -> float:
    """The mover's value of a position; before the first of its new dice is placed, it is that of ending the turn."""
    size = (1 << g.tiles) * g.max_dice**g.tiles
    at = place(g, s) + (0 if s.phase == OPEN else (1 + captured(g, s)) * size)
    places = g.tiles + 3 if g.reinforcement == CAPTURED else 2
    if memory.size == 8 * places * size:
        return memory.view(np.float64)[at]
    return float(memory.view(np.float32)[at])


@rule
def result_of(g: Params, s: State, seat: int, memory: Any) -> float:
    """What a position in which no die is to be placed is worth to a seat."""
    if s.phase == OVER:
        return payoff(g, s, seat)
    value = looked_up(g, s, memory)
    return value if s.mover == seat else 1.0 - value


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
    n, total = count(own), 0.0
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
            continue  # all tiles were full before the last die: this way has been counted before
        value = share * result_of(g, t, s.mover, memory)
        total = max(total, value) if g.reinforcement == CHOSEN else total + value
    return total


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
