"""Random games of two on small boards, up to three times as fast as by the rules: searches spend their time here.

Edges are bits of a number. All attacks of a set of own tiles are one lookup, and so are all edges from tiles with two
dice or more; new dice in order are one addition. Attack and reinforcement of the rules are repeated for this. A test
compares the games roll by roll.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.bits import count, nth
from hazard.dice import below
from hazard.games.dice_of_doom.tiles import AGAIN, DETERMINISTIC, OVER, RANDOM, WEIGHTED, Params, State, owned, widths
from hazard.jit import rule

MOST_TILES, MOST_EDGES = 12, 62  # of boards whose sets are listed
ONES = 0x111111111111  # one die on each tile
DIE = 15  # the dice of one tile
LOW = 0x0F0F0F0F0F0F  # the dice of every other tile
EVERY, TOPS, BYTES = 0x010101010101, 0x808080808080, 0xFFFFFFFFFFFF  # the lowest bit of six bytes, the highest, and all
TOTAL = 40  # where the last byte begins


class Sets(NamedTuple):
    """Tables by sets of tiles; empty for boards and rules that are played by the rules themselves."""

    attacks: np.ndarray  # attacks[own]: the edges from own tiles to others
    out: np.ndarray  # out[tiles]: the edges from these tiles
    each: np.ndarray  # each[tiles]: one die on each of these
    new: np.ndarray  # new[own]: how many dice a turn brings
    first: np.ndarray  # first[own]: one die on each of the first own tiles, as many as there are new dice
    nth: np.ndarray  # nth[own, n]: one die on the n-th own tile


def sets_of(beside: list[list[int]], players: int, reinforcement: int) -> Sets:
    """All sets of tiles of a board that is small enough, for two players whose dice are not placed by choice."""
    tiles, edges = len(beside), [(tile, other) for tile, others in enumerate(beside) for other in others]
    kinds = (DETERMINISTIC, RANDOM, WEIGHTED)
    if tiles > MOST_TILES or len(edges) > MOST_EDGES or players > 2 or reinforcement not in kinds:
        return Sets(*(np.zeros(shape, np.int64) for shape in (*[1] * 5, (1, 1))))
    sets = np.arange(1 << tiles)
    has = [sets >> tile & 1 for tile in range(tiles)]
    attacks = sum((has[a] & ~has[b]) << n for n, (a, b) in enumerate(edges))
    out = sum(has[a] << n for n, (a, _) in enumerate(edges))
    each = sum(has[tile] << 4 * tile for tile in range(tiles))
    new, first, before = widths(beside), np.zeros_like(sets), np.zeros_like(sets)
    nth = np.zeros((1 << tiles, tiles), np.int64)
    for tile in range(tiles):
        first |= (has[tile] & (before < new)) << 4 * tile
        nth[sets, before] += has[tile] << 4 * tile
        before += has[tile]
    found = Sets(*(np.array(table, np.int64) for table in (attacks, out, each, new, first, nth)))
    for table in found:
        table.flags.writeable = False
    return found


@rule
def is_listed(g: Params) -> bool:
    return g.sets.attacks.size > 1


@rule
def attacks_of(g: Params, own: int, dice: int) -> int:
    """The attacks there are, as edges: from own tiles with two dice or more to others."""
    more = (dice >> 1 | dice >> 2 | dice >> 3) & ONES
    more = (more | more >> 3) & 0x030303030303
    more = (more | more >> 6) & 0x00000F000F000F
    more = (more | more >> 12 | more >> 24) & 0xFFF
    return g.sets.attacks[own] & g.sets.out[more]


@rule
def with_room(g: Params, dice: int) -> int:
    """One die on each tile that is not full."""
    short = dice ^ g.max_dice * ONES
    return (short | short >> 1 | short >> 2 | short >> 3) & ONES


@rule
def sums_of(weights: int) -> int:
    """A byte for every two tiles: what these and all before them weigh together; the last has the total."""
    return ((weights & LOW) + ((weights >> 4) & LOW)) * EVERY & BYTES


@rule
def drawn(weights: int, sums: int, mark: int) -> int:
    """Where the tile is whose weight, added to those before it, first exceeds the mark: its first bit."""
    above = ((sums | TOPS) - (mark + 1) * EVERY) & TOPS  # no byte borrows from the next: sums are below 128
    pair = count((above & -above) - 1) - 7
    low, high = (weights >> pair) & DIE, (weights >> pair + 4) & DIE
    before = ((sums >> pair) & 0xFF) - low - high
    return pair if mark - before < low else pair + 4


@rule
def reinforced(g: Params, own: int, dice: int, rng: Any) -> int:
    """The dice once new ones have come."""
    if g.reinforcement == DETERMINISTIC:
        return dice + (g.sets.first[own] & with_room(g, dice))
    left, each = g.sets.new[own], g.sets.each[own]
    room, tiles = with_room(g, dice) & each, count(own)
    while left > 0 and room:
        if g.reinforcement == WEIGHTED:
            weights = dice & DIE * each
            sums = sums_of(weights)
            new = room & 1 << drawn(weights, sums, below(rng, sums >> TOTAL))
        else:
            new = room & g.sets.nth[own, below(rng, tiles)]
        dice += new
        room = with_room(g, dice) & each
        left -= 1
    return dice


@rule
def is_won(g: Params, a: int, b: int, rng: Any) -> bool:
    """Whether a dice beat b."""
    win, every = g.win[a, b], g.every[a, b]
    return below(rng, every) < win if 0 < win < every else win > 0


@rule
def play_at_random(g: Params, s: State, rng: Any) -> State:
    """The last position if all moves from a decision on are made at random, each as likely as the others."""
    dice, turn, mover, again = s.dice, s.turn, s.mover, 1 if s.phase == AGAIN else 0
    own = owned(g, s, mover)
    edges = attacks_of(g, own, dice)
    over = s.phase == OVER
    while not over:
        ways = count(edges)
        i = below(rng, ways + again) if ways + again > 1 else 0
        if i < ways:
            edge = nth(edges, i)
            source, target = 4 * g.source[edge], 4 * g.target[edge]
            a, b = (dice >> source) & DIE, (dice >> target) & DIE
            if is_won(g, a, b, rng):
                own |= 1 << g.target[edge]
                dice += (a - 1 - b) << target
            dice -= (a - 1) << source
            again = 1
            edges = attacks_of(g, own, dice)
        if i == ways or edges == 0:
            dice = reinforced(g, own, dice, rng)
            turn += 1 if g.turns > 0 else 0
            if own != g.full:
                own, mover = g.full & ~own, 1 - mover
            again = 0
            edges = attacks_of(g, own, dice)
            over = edges == 0 or (g.turns > 0 and turn >= g.turns)
    low = own if mover else g.full & ~own
    return State(low, 0, dice, 0, OVER, -1, 0, 0, turn, mover)
