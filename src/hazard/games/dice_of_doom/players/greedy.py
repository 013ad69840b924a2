"""Players that look one attack ahead: greedy, expansion and return-zero of the thesis, and where they put new dice."""

from __future__ import annotations

from typing import Any

from hazard.bits import count, lowest, region
from hazard.dice import below
from hazard.games.dice_of_doom.rules import END, legal
from hazard.games.dice_of_doom.tiles import AGAIN, PLACE, Params, State, dice_on, owned
from hazard.jit import rule

SIZE = 32  # bits for the tiles of a territory; its size stands above them
NOTHING = -1.0e9  # a score below all others


@rule
def list_territories(g: Params, own: int, areas: Any) -> int:
    """Write the territories into `areas`, each with its size, and return how many there are."""
    n = 0
    while own:
        area = region(g.near, own, own & -own)
        own &= ~area
        areas[n] = area | (count(area) << SIZE)
        n += 1
    return n


@rule
def joined(beside: int, areas: Any, n: int) -> int:
    """The size of the territory that a tile with these neighbours joins, once captured."""
    size = 1
    for i in range(n):
        if areas[i] & beside:
            size += areas[i] >> SIZE
    return size


@rule
def best_attack(g: Params, s: State, areas: Any, die: float) -> Any:
    """The first attack with the highest expected score, and what it gains on stopping here.

    The score is the largest own territory, and `die` for each own die.
    """
    own = owned(g, s, s.mover)
    n = list_territories(g, own, areas)
    now = 0
    for i in range(n):
        now = max(now, areas[i] >> SIZE)
    best, most, rest = END, NOTHING, own
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        a = dice_on(s, tile)
        if a < 2 or not g.near[tile] & ~own:
            continue
        for edge in range(g.first[tile], g.first[tile + 1]):
            target = g.target[edge]
            if (own >> target) & 1:
                continue
            p = g.odds[a, dice_on(s, target)]
            growth = max(0, joined(g.near[target], areas, n) - now)
            score = p * growth - (1.0 - p) * (a - 1) * die
            if score > most:
                best, most = edge, score
    return best, most


@rule
def first_room(g: Params, s: State) -> int:
    """The first own tile that takes another die."""
    rest = owned(g, s, s.mover)
    while dice_on(s, lowest(rest)) >= g.max_dice:
        rest &= rest - 1
    return lowest(rest)


@rule
def strongest_enemy(g: Params, s: State, tile: int, own: int) -> int:
    """The most dice on a tile beside this one that is not own, 0 if there is none."""
    enemies, strongest = g.near[tile] & ~own, 0
    while enemies:
        strongest = max(strongest, dice_on(s, lowest(enemies)))
        enemies &= enemies - 1
    return strongest


@rule
def most_threatened(g: Params, s: State) -> int:
    """The tile with room that its strongest enemy neighbour exceeds the most; the first with room if there is none."""
    own = owned(g, s, s.mover)
    best, worst, rest = first_room(g, s), -g.max_dice, own
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        strongest = strongest_enemy(g, s, tile, own)
        threat = strongest - dice_on(s, tile)
        if strongest > 0 and dice_on(s, tile) < g.max_dice and threat > worst:
            best, worst = tile, threat
    return best


@rule
def greedy(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack that leaves the most own dice, reinforcements to come included; ends if none leaves more than now."""
    if s.phase == PLACE:
        return most_threatened(g, s)
    attack, gain = best_attack(g, s, moves, 1.0)
    return END if s.phase == AGAIN and gain <= 0.0 else attack


@rule
def expansion(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The attack that is expected to enlarge the largest territory the most; any attack first if none does."""
    if s.phase == PLACE:
        return most_threatened(g, s)
    attack, gain = best_attack(g, s, moves, 0.0)
    if gain > 0.0:
        return attack
    return END if s.phase == AGAIN else moves[below(rng, legal(g, s, moves))]


@rule
def return_zero(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The first attack as long as there is one."""
    if s.phase == PLACE:
        return first_room(g, s)
    legal(g, s, moves)
    return moves[0]
