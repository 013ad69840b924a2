"""Where the tiles of a board of Dice of Doom lie, for pictures of it."""

from __future__ import annotations

from typing import Any

from hazard.drawing.hexagons import Place, land
from hazard.games.dice_of_doom.boards import HOLE
from hazard.games.dice_of_doom.notation import attack_name, layout
from hazard.games.dice_of_doom.tiles import Params, State

HALF = 43.0  # half the width of a hexagon in a browser's picture


def place(row: int, column: int) -> Place:
    """Each row lies half a tile to the right of the one above."""
    return 2 * column + row, 3 * row


def hexagons(g: Params) -> list[list[Place]]:
    """Those of each tile, in reading order."""
    found: list[list[Place]] = [[] for _ in range(g.tiles)]
    for r, row in enumerate(g.grid.tolist()):
        for c, tile in enumerate(row):
            if tile != HOLE:
                found[tile].append(place(r, c))
    return found


def board(g: Params, s: State) -> dict[str, Any]:
    """Tiles by name and the ways of all attacks; the same in every position."""
    names = layout(g).tiles
    ways = {attack_name(g, edge): (names[g.source[edge]], names[g.target[edge]]) for edge in range(g.edges)}
    return land(dict(zip(names, hexagons(g), strict=True)), ways, HALF)
