"""The player that looks its moves up in a solved table of its board."""

from typing import Any

import numpy as np

from hazard.games.dice_of_doom.rules import END, chance, land, legal, move, payoff, weight
from hazard.games.dice_of_doom.tiles import AGAIN, OPEN, OVER, Params, State, dice_on, owned
from hazard.jit import rule

CLOSE = 1e-6  # values that differ by less are taken for equal: then attack


@rule
def place(g: Params, s: State) -> int:
    """Where the table has a position: by own tiles, then by the dice on these and on the others."""
    own, number = owned(g, s, s.mover), 0
    for side in range(2):  # the last digits first: own tiles backward, then the others
        mask = own if side == 0 else g.full & ~own
        for tile in range(g.tiles - 1, -1, -1):
            if (mask >> tile) & 1:
                number = number * g.max_dice + dice_on(s, tile) - 1
    return own * g.max_dice**g.tiles + number


@rule
def looked_up(g: Params, s: State, memory: Any) -> float:
    """The mover's value of a position; before the first of its new dice is placed, it is that of ending the turn."""
    size = (1 << g.tiles) * g.max_dice**g.tiles
    at = place(g, s) + (0 if s.phase == OPEN else size)
    if memory.size == 16 * size:
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
def optimal(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack with the greatest value; the end of the turn if the table says that there is more to be had."""
    n = legal(g, s, moves)
    best, most = moves[0], -1.0
    for i in range(n):
        if moves[i] == END:
            continue
        battle = move(g, s, moves[i])
        total, value = 0, 0.0
        for k in range(chance(g, battle)):
            share = weight(g, battle, k)
            total += share
            value += share * result_of(g, land(g, battle, k), s.mover, memory)
        if value > most * total:
            best, most = moves[i], value / total
    if s.phase == AGAIN and looked_up(g, s, memory) > most + CLOSE:
        return END
    return best
