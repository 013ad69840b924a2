"""The player that looks its moves up in a solved table of its board."""

from typing import Any

import numpy as np

from hazard.bits import count, lowest
from hazard.games.dice_of_doom.rules import END, chance, land, legal, move, pass_on, payoff, weight
from hazard.games.dice_of_doom.tiles import AGAIN, CAPTURED, OPEN, OVER, PLACE, Params, State, add_dice, dice_on, owned
from hazard.jit import rule

CLOSE = 1e-6  # values that differ by less are taken for equal: then attack, and that which is legal first


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
    """What a position after a battle is worth to the attacker."""
    if s.phase == OVER:
        return payoff(g, s, seat)
    value = looked_up(g, s, memory)
    return value if s.mover == seat else 1.0 - value


@rule
def noted(g: Params, s: State, memory: Any) -> Any:
    """The move of the solved profile: at the start of a turn, where it may be ended, or of a die to be placed."""
    at = 0
    if s.phase == AGAIN:
        at = 1 + captured(g, s)
    elif s.phase == PLACE:
        at = 1 + s.left
    return np.int64(memory[at * (1 << g.tiles) * g.max_dice**g.tiles + place(g, s)])


@rule
def filled(g: Params, s: State) -> int:
    """The first own tile that takes no more dice, or -1."""
    rest = owned(g, s, s.mover)
    while rest:
        tile = lowest(rest)
        if dice_on(s, tile) == g.max_dice:
            return tile
        rest &= rest - 1
    return -1


@rule
def next_plan(g: Params, s: State, t: State) -> State:
    """The next way to place some of the dice that s has left: t counts upward, tile by tile, and ends as s."""
    rest, left = owned(g, s, s.mover), t.left
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        if dice_on(t, tile) < g.max_dice and left > 0:
            t = add_dice(t, tile, 1)
            return State(t.low, t.high, t.dice, t.more, PLACE, -1, left - 1, 0, t.turn, t.mover)
        left += dice_on(t, tile) - dice_on(s, tile)
        t = add_dice(t, tile, dice_on(s, tile) - dice_on(t, tile))
    return s


@rule
def placed(g: Params, s: State, memory: Any) -> int:
    """The tile for the next die: one that gets a die in the best of all ways to place those left.

    Some may be lost on a tile that is full. In which order they are placed does not matter.
    """
    t, plan, most, more = s, s, -1.0, True
    while more:
        if t.left == 0 or filled(g, t) >= 0:
            value = result_of(g, pass_on(g, t), s.mover, memory)
            if value > most + CLOSE:
                plan, most = t, value
        t = next_plan(g, s, t)
        more = t.left < s.left
    rest = owned(g, s, s.mover)
    while rest:
        tile = lowest(rest)
        if dice_on(plan, tile) > dice_on(s, tile):
            return tile
        rest &= rest - 1
    return filled(g, s)


@rule
def optimal(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move of the solved profile, or the best by the solved values."""
    if g.own_win:
        return noted(g, s, memory)
    if s.phase == PLACE:
        return placed(g, s, memory)
    return attack_or_end(g, s, moves, memory)


@rule
def attack_or_end(g: Params, s: State, moves: Any, memory: Any) -> int:
    """The first attack with the greatest value; the end of the turn if the table says that there is more to be had."""
    n = legal(g, s, moves)
    best, taken, most = moves[0], -1.0, -1.0
    for i in range(n):
        if moves[i] == END:
            continue
        battle = move(g, s, moves[i])
        total, value = 0, 0.0
        for k in range(chance(g, battle)):
            share = weight(g, battle, k)
            total += share
            value += share * result_of(g, land(g, battle, k), s.mover, memory)
        most = max(most, value / total)
        if most > taken + CLOSE:
            best, taken = moves[i], most
    if s.phase == AGAIN and looked_up(g, s, memory) > most + CLOSE:
        return END
    return best
