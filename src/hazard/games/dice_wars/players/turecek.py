"""The three players of Turecek: attack at random, by the difference of dice, or by the chance to take and hold."""

from __future__ import annotations

from typing import Any

from hazard.bits import lowest
from hazard.dice import below
from hazard.games.dice_wars.land import Params, State, dice_on, owned, without
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.rules import END, list_attacks, odds_of, sides
from hazard.jit import large, rule

LIKELY = 0.2  # what an attack must promise


@large
def naive(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """A random territory that can attack, and a random enemy beside it, as long as there is one."""
    row, best, lands, first = map_of(g, s), END, 0, 0
    n = list_attacks(g, s, row, owned(s, s.mover, whole(g, row)), moves)
    while first < n:
        end = first + 1  # of the attacks from one territory
        while end < n and g.scratch.edges[row, moves[end], 0] == g.scratch.edges[row, moves[first], 0]:
            end += 1
        lands += 1
        best = any_of(moves[first:end], rng) if below(rng, lands) == 0 else best
        first = end
    return best


@rule
def any_of(moves: Any, rng: Any) -> int:
    """One of some moves, each as likely as the others."""
    best = moves[0]
    for n in range(moves.size):
        best = moves[n] if below(rng, n + 1) == 0 else best
    return best


@large
def sdc(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack with the greatest difference of dice, any of those equal; none if it is below zero."""
    row, best, most, ties = map_of(g, s), END, 0, 0
    for i in range(list_attacks(g, s, row, owned(s, s.mover, whole(g, row)), moves)):
        a, d = sides(g, s, row, moves[i])
        if a - d < most:
            continue
        ties = ties + 1 if a - d == most else 1
        most = a - d
        best = moves[i] if below(rng, ties) == 0 else best
    return best


@rule
def hold(g: Params, s: State, row: int, own: int, edge: int) -> float:
    """Equation 1: the chance to take a territory and hold it through the others' next turns."""
    source, target = g.scratch.edges[row, edge, 0], g.scratch.edges[row, edge, 1]
    dice = dice_on(s, source)
    chance = g.odds[dice, dice_on(s, target)]
    enemies = g.scratch.near[row, target] & ~own & without(s, 1)
    while enemies:
        chance *= 1 - g.odds[dice_on(s, lowest(enemies)), dice - 1]
        enemies &= enemies - 1
    return chance


@rule
def required(g: Params, s: State, row: int, edge: int, likely: float) -> float:
    """What an attack must promise: nothing with as many dice as a territory can have."""
    return -1.0 if dice_on(s, g.scratch.edges[row, edge, 0]) == g.max_dice else likely


@large
def ste(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack that is likeliest to take and hold, if that is likely enough or eight dice attack."""
    row, best, most = map_of(g, s), END, -1.0
    own = owned(s, s.mover, whole(g, row))
    for i in range(list_attacks(g, s, row, own, moves)):
        least = max(most, required(g, s, row, moves[i], LIKELY))
        if odds_of(g, s, row, moves[i]) > least:  # otherwise to take it and hold it is less likely still
            chance = hold(g, s, row, own, moves[i])
            if chance > least:
                best, most = moves[i], chance
    return best
