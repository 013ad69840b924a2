"""The three players of Turecek: attack at random, by the difference of dice, or by the chance to take and hold."""

from __future__ import annotations

from typing import Any

from hazard.dice import below
from hazard.games.dice_wars.land import FIRST, Params, State, dice_on, lowest, owned, without
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.rules import END
from hazard.jit import large, rule

LIKELY = 0.2  # what an attack must promise


@large
def naive(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """A random territory that can attack, and a random enemy beside it, as long as there is one."""
    row = map_of(g, s)
    own, best, lands = owned(s, s.mover, whole(g, row)), END, 0
    sources = own & without(s, 1)
    while sources:
        source = lowest(g, sources)
        sources &= sources - 1
        if g.scratch.near[row, source] & ~own:
            lands += 1
            best = any_target(g, row, own, source, rng) if below(rng, lands) == 0 else best
    return best


@rule
def any_target(g: Params, row: int, own: int, source: int, rng: Any) -> int:
    """A random attack from a territory; there is one."""
    best, targets = END, 0
    for edge in range(g.scratch.counts[row, FIRST + source], g.scratch.counts[row, FIRST + source + 1]):
        if not (own >> g.scratch.edges[row, edge, 1]) & 1:
            targets += 1
            best = edge if below(rng, targets) == 0 else best
    return best


@large
def sdc(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack with the greatest difference of dice, any of those equal; none if it is below zero."""
    row = map_of(g, s)
    own, best, most, ties = owned(s, s.mover, whole(g, row)), END, 0, 0
    sources = own & without(s, 1)
    while sources:
        source = lowest(g, sources)
        sources &= sources - 1
        dice = dice_on(s, source)
        for edge in range(g.scratch.counts[row, FIRST + source], g.scratch.counts[row, FIRST + source + 1]):
            target = g.scratch.edges[row, edge, 1]
            gap = dice - dice_on(s, target)
            if (own >> target) & 1 or gap < most:
                continue
            ties = ties + 1 if gap == most else 1
            most = gap
            best = edge if below(rng, ties) == 0 else best
    return best


@rule
def hold(g: Params, s: State, row: int, own: int, edge: int) -> float:
    """Equation 1: the chance to take a territory and hold it through the others' next turns."""
    source, target = g.scratch.edges[row, edge, 0], g.scratch.edges[row, edge, 1]
    dice = dice_on(s, source)
    chance = g.odds[dice, dice_on(s, target)]
    enemies = g.scratch.near[row, target] & ~own & without(s, 1)
    while enemies:
        chance *= 1 - g.odds[dice_on(s, lowest(g, enemies)), dice - 1]
        enemies &= enemies - 1
    return chance


@large
def ste(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack that is likeliest to take and hold, if that is likely enough or eight dice attack."""
    row = map_of(g, s)
    own, best, most = owned(s, s.mover, whole(g, row)), END, -1.0
    sources = own & without(s, 1)
    while sources:
        source = lowest(g, sources)
        sources &= sources - 1
        dice = dice_on(s, source)
        least = -1.0 if dice == g.max_dice else LIKELY
        for edge in range(g.scratch.counts[row, FIRST + source], g.scratch.counts[row, FIRST + source + 1]):
            target = g.scratch.edges[row, edge, 1]
            if (own >> target) & 1 or g.odds[dice, dice_on(s, target)] <= max(most, least):
                continue
            chance = hold(g, s, row, own, edge)
            if chance > max(most, least):
                best, most = edge, chance
    return best
