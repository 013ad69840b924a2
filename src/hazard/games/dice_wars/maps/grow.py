"""Maps of Dice Wars, grown hex by hex from a number: compiled, so that every game can have its own.

A territory starts two hexes from what has grown, takes the six hexes around it, and goes on at random until it has its
12 to 18 hexes; then it takes those that lie deep between its own. Where there is no room for that many, the hexes
stay empty and it starts again elsewhere.
"""

from __future__ import annotations

import numpy as np

from hazard.bits import lowest
from hazard.dice import below, open_stream
from hazard.games.dice_wars.land import EDGES, FIRST, LANDS, Params, State
from hazard.jit import large, rule

FREE, BESIDE, WASTE = -1, -2, -3  # hexes of no territory: far from all, beside one, and where there was no room
OUTSIDE = -4  # what lies around the grid: hex -1, the last of a row of `hexes`
SMALLEST, LARGEST = 12, 18  # hexes of a territory when it has grown
AREA, OWN = range(2)  # rows of `hexes`: the territory of each hex; the hexes of a new territory
DEEP = 4  # sides of a hex that lies between those of a territory
TRIES = 10_000  # to start a territory, before the map is started over
MAPS = 16  # that are cached
SIDES = 6


def beside(rows: int, columns: int) -> np.ndarray:
    """For each hex the six around it, -1 outside; odd rows are half a hex to the right."""
    found = np.full((rows * columns, SIDES), -1, np.int16)
    for row in range(rows):
        for column in range(columns):
            shift = row % 2
            around = [(0, 1), (1, shift), (1, shift - 1), (0, -1), (-1, shift - 1), (-1, shift)]
            for side, (down, right) in enumerate(around):
                r, c = row + down, column + right
                if 0 <= r < rows and 0 <= c < columns:
                    found[row * columns + column, side] = r * columns + c
    return found


# --- growing -----------------------------------------------------------------------------------------------------
@rule
def take(g: Params, hex_: int, land: int) -> None:
    """Add a hex to a territory; those around it are no longer far from all."""
    area = g.scratch.hexes[AREA]
    area[hex_] = land
    for side in range(SIDES):
        other = g.beside[hex_, side]
        if area[other] == FREE:
            area[other] = BESIDE


@rule
def empty_beside(g: Params, hex_: int) -> int:
    """A random one of the empty hexes around a hex, -1 if there is none."""
    area, found, chosen = g.scratch.hexes[AREA], 0, -1
    for side in range(SIDES):
        other = g.beside[hex_, side]
        if FREE >= area[other] >= BESIDE:
            found += 1
            chosen = other if found == 1 or below(g.scratch.rng, found) == 0 else chosen
    return chosen


@rule
def take_ring(g: Params, land: int) -> int:
    """Take the first hex of a territory, OWN[0], and the empty ones around it; how many are taken is returned."""
    area, own, taken = g.scratch.hexes[AREA], g.scratch.hexes[OWN], 1
    take(g, own[0], land)
    for side in range(SIDES):
        other = g.beside[own[0], side]
        if FREE >= area[other] >= BESIDE:
            own[taken] = other
            take(g, other, land)
            taken += 1
    return taken


@rule
def grow(g: Params, land: int, size: int) -> bool:
    """Grow a territory from its first hex; whether there was room. If not, its hexes are waste."""
    own, taken = g.scratch.hexes[OWN], take_ring(g, land)
    open_ = taken  # hexes at the front of the list that may have empty ones around them
    while taken < size and open_ > 0:
        i = below(g.scratch.rng, open_)
        other = empty_beside(g, own[i])
        if other < 0:
            open_ -= 1
            own[i], own[open_] = own[open_], own[i]
        else:
            own[taken] = own[open_]
            own[open_] = other
            take(g, other, land)
            open_, taken = open_ + 1, taken + 1
    for i in range(taken if taken < size else 0):
        g.scratch.hexes[AREA, own[i]] = WASTE
    return taken >= size


@rule
def fill_in(g: Params, land: int, size: int) -> None:
    """Add hexes that lie deep in a territory: looking around each of its own, as long as all are empty."""
    area, own = g.scratch.hexes[AREA], g.scratch.hexes[OWN]
    i = 0
    while i < size:
        for side in range(SIDES):
            other = g.beside[own[i], side]
            if area[other] != BESIDE:
                break
            if sides_in(g, other, land) >= DEEP:
                own[size] = other
                size += 1
                take(g, other, land)
                break
        i += 1


@rule
def sides_in(g: Params, hex_: int, land: int) -> int:
    """How many of the hexes around a hex belong to a territory."""
    area, found = g.scratch.hexes[AREA], 0
    for side in range(SIDES):
        found += area[g.beside[hex_, side]] == land
    return found


@rule
def can_start(g: Params, hex_: int) -> bool:
    """Whether a hex is two from what has grown, and not at the edge of the grid."""
    area, near = g.scratch.hexes[AREA], False
    if area[hex_] != FREE:
        return False
    for side in range(SIDES):
        kind = area[g.beside[hex_, side]]
        if kind == OUTSIDE:
            return False
        near |= kind == BESIDE
    return near


@rule
def grow_all(g: Params, lands: int) -> int:
    """Grow territories until there are enough, or no room seems to be left; their number is returned."""
    g.scratch.hexes[AREA] = FREE
    g.scratch.hexes[AREA, -1] = OUTSIDE
    own, land, tried = g.scratch.hexes[OWN], 0, 0
    size = SMALLEST + below(g.scratch.rng, LARGEST - SMALLEST + 1)
    while land < lands and tried < TRIES:
        own[0] = below(g.scratch.rng, g.beside.shape[0])
        tried += 1
        if (land == 0 or can_start(g, own[0])) and grow(g, land, size):
            fill_in(g, land, size)
            size = SMALLEST + below(g.scratch.rng, LARGEST - SMALLEST + 1)
            land, tried = land + 1, 0
    return land


# --- what play needs of a map --------------------------------------------------------------------------------------
@rule
def note_neighbours(g: Params, row: int, lands: int) -> None:
    """Which territories share a side, as bits and as a list of ordered pairs."""
    area, near = g.scratch.hexes[AREA], g.scratch.near[row]
    near[:] = 0
    for hex_ in range(g.beside.shape[0]):
        land = area[hex_]
        if land < 0:
            continue
        for side in range(SIDES // 2):
            other = area[g.beside[hex_, side]]
            if other >= 0 and other != land:
                near[land] |= 1 << np.int64(other)
                near[other] |= 1 << np.int64(land)
    list_edges(g, row, lands)


@rule
def list_edges(g: Params, row: int, lands: int) -> None:
    edge = 0
    for land in range(lands):
        g.scratch.counts[row, FIRST + land] = edge
        rest = g.scratch.near[row, land]
        while rest:
            g.scratch.edges[row, edge, 0], g.scratch.edges[row, edge, 1] = land, lowest(rest)
            rest &= rest - 1
            edge += 1
    g.scratch.counts[row, LANDS], g.scratch.counts[row, EDGES], g.scratch.counts[row, FIRST + lands] = lands, edge, edge


@large
def draw_map(g: Params, number: int, row: int) -> None:
    """Grow the map of that number into a row."""
    open_stream(g.scratch.rng, np.uint64(number), 0, 0)
    lands = 0
    wanted = g.fewest + below(g.scratch.rng, g.most - g.fewest + 1)
    while lands < wanted:
        lands = grow_all(g, wanted)
    note_neighbours(g, row, lands)
    g.scratch.keys[row] = number


@rule
def map_of(g: Params, s: State) -> int:
    """The row that holds the map of a position."""
    if g.fixed:
        return 0
    row = s.map % MAPS
    if g.scratch.keys[row] != s.map:
        draw_map(g, s.map, row)
    return row


@rule
def whole(g: Params, row: int) -> int:
    """All territories of a map, as a set."""
    return (1 << g.scratch.counts[row, LANDS]) - 1
