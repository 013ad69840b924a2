"""Where the territories of a map of Dice Wars lie, for pictures of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.drawing.hexagons import Place, land
from hazard.games.dice_wars.land import EDGES, Params, State
from hazard.games.dice_wars.maps.grow import AREA, MAPS, draw_map, map_of
from hazard.games.dice_wars.notation import edge_text

HALF = 10.5  # half the width of a hex


def areas_of(g: Params, number: int) -> np.ndarray:
    """The territory of every hex of a map, -1 for water."""
    if not g.fixed:
        with np.errstate(over="ignore"):
            draw_map(g, number, number % MAPS)
    rows, columns = g.size
    return g.scratch.hexes[AREA, : rows * columns].reshape(rows, columns).copy().clip(-1)


def place(row: int, column: int) -> Place:
    """Odd rows are half a hex to the right; the first hex has room at its left and above."""
    return 2 * column + row % 2 + 1, 3 * row + 2


def hexagons(areas: np.ndarray) -> list[list[Place]]:
    """Those of each territory, in reading order."""
    found: list[list[Place]] = [[] for _ in range(int(areas.max()) + 1)]
    for (row, column), area in np.ndenumerate(areas):
        if area >= 0:
            found[area].append(place(row, column))
    return found


def board(g: Params, s: State) -> dict[str, Any]:
    """Territories by number and the ways of all attacks, on the map of a position."""
    lands = {str(n + 1): cells for n, cells in enumerate(hexagons(areas_of(g, int(s.map))))}
    row = map_of(g, s)
    moves = [edge_text(g, s, edge) for edge in range(g.scratch.counts[row, EDGES])]
    return land(lands, {move: (move.split(">")[0], move.split(">")[1]) for move in moves}, HALF)
