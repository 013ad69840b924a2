"""The player that looks its moves up in a solved table of its board."""

from typing import Any

import numpy as np

from hazard.bits import lowest
from hazard.games.dice_of_doom.rules import END, legal, move, pass_on
from hazard.games.dice_of_doom.solver.worth import captured, looked_up, place, prospect, result_of
from hazard.games.dice_of_doom.tiles import AGAIN, PLACE, Params, State, add_dice, dice_on, owned
from hazard.jit import rule

CLOSE = 1e-6  # values that differ by less count as equal: then attack, and the attack that is listed first


@rule
def noted(g: Params, s: State, memory: Any) -> Any:
    """The move of the solved policy: at the start of a turn, where it may be ended, or of a die to be placed."""
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
    """The move of the solved policy, or the best by the solved values."""
    if g.own_win:
        return noted(g, s, memory)
    if s.phase == PLACE:
        return placed(g, s, memory)
    return attack_or_end(g, s, moves, memory)


@rule
def attack_or_end(g: Params, s: State, moves: Any, memory: Any) -> int:
    """The first attack with the greatest value; the end of the turn if the table says that this is worth more."""
    n = legal(g, s, moves)
    best, taken, most = moves[0], -1.0, -1.0
    for i in range(n):
        if moves[i] == END:
            continue
        most = max(most, prospect(g, move(g, s, moves[i]), s.mover, memory))
        if most > taken + CLOSE:
            best, taken = moves[i], most
    if s.phase == AGAIN and looked_up(g, s, memory) > most + CLOSE:
        return END
    return best
