"""Fields made of hexagons, for pictures: their outlines, their middles, and where one touches another.

Hexagons stand on a corner. Places are whole numbers, x in half widths and y in quarters of the height of a hexagon: the
one to the right of (x, y) is (x + 2, y), the one below it to the right (x + 1, y + 3).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

Place = tuple[int, int]
AROUND = ((2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3), (1, -3))  # to the hexagons over the six sides, from the right on
CORNERS = ((1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1), (0, -2))  # from the middle, to where each side begins


def _step(place: Place, by: Place) -> Place:
    return place[0] + by[0], place[1] + by[1]


def outline(cells: Collection[Place]) -> list[list[Place]]:
    """Closed lines around the hexagons of a field, as corners; lines around holes go the other way round."""
    sides = {
        _step(cell, CORNERS[side]): _step(cell, CORNERS[(side + 1) % 6])
        for cell in cells
        for side, over in enumerate(AROUND)
        if _step(cell, over) not in cells
    }
    lines = []
    while sides:
        corner = next(iter(sides))
        line = []
        while corner in sides:  # a corner begins one side of an outline at most
            line.append(corner)
            corner = sides.pop(corner)
        lines.append(line)
    return lines


def path(lines: Sequence[Sequence[Place]], wide: float, high: float) -> str:
    """Closed lines as SVG has them; `wide` and `high` are half a hexagon's width and a quarter of its height."""
    return "".join("M" + "L".join(f"{x * wide:.1f} {y * high:.1f}" for x, y in line) + "Z" for line in lines)


def inmost(cells: Collection[Place]) -> Place:
    """The hexagon of a field with the most of it around, near and then far: of several the most central."""
    x, y = (sum(cell[axis] for cell in cells) / len(cells) for axis in (0, 1))

    def outness(cell: Place) -> tuple[int, int, float]:
        near = [_step(cell, by) for by in AROUND]
        second = {_step(place, by) for place in near for by in AROUND}
        return -sum(place in cells for place in near), -sum(place in cells for place in second), far(cell, (x, y))

    return min(cells, key=outness)


def far(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The square of a distance, in quarters of a hexagon's height."""
    return 3 * (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def crossing(cells: Collection[Place], others: Collection[Place]) -> tuple[Place, Place]:
    """Hexagons of two fields that touch, as near to the middles of both as can be."""
    here, there = inmost(cells), inmost(others)
    pairs = [(cell, _step(cell, by)) for cell in cells for by in AROUND if _step(cell, by) in others]
    return min(pairs, key=lambda pair: far(pair[0], here) ** 0.5 + far(pair[1], there) ** 0.5)


def land(fields: Mapping[str, Collection[Place]], ways: Mapping[str, tuple[str, str]], wide: float) -> dict[str, Any]:
    """What a browser draws a board from: named fields with outline and middle, and the ways of moves over borders."""
    high = wide / 3**0.5
    left, top = min(x for cells in fields.values() for x, _ in cells) - 1, _top(fields)
    moved = {name: [(x - left, y - top) for x, y in cells] for name, cells in fields.items()}

    def at(*places: Place) -> list[float]:
        return [round(part, 1) for x, y in places for part in (x * wide, y * high)]

    width = max(x for cells in moved.values() for x, _ in cells) + 1
    height = max(y for cells in moved.values() for _, y in cells) + 2
    drawn = [
        {"name": name, "path": path(outline(set(cells)), wide, high), "middle": at(inmost(cells))}
        for name, cells in moved.items()
    ]
    over = {move: at(*crossing(moved[source], moved[target])) for move, (source, target) in ways.items()}
    return {"size": at((width, height)), "fields": drawn, "ways": over}


def _top(fields: Mapping[str, Collection[Place]]) -> int:
    return min(y for cells in fields.values() for _, y in cells) - 2
