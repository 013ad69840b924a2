"""The board drawn in text: hexagons with walls where one tile ends, each with its name, owner and number of dice."""

from __future__ import annotations

from hazard.games.dice_of_doom.boards import HOLE, Grid, corners
from hazard.games.dice_of_doom.notation import layout
from hazard.games.dice_of_doom.parameters import COLOURS
from hazard.games.dice_of_doom.tiles import Params, State, dice_on, owner

PAINT = ((r"\br:\d", "red"), (r"\bb:\d", "blue"), (r"\bg:\d", "green"), (r"\by:\d", "yellow"))
WIDE, HIGH, SHIFT = 4, 3, 2  # letters to the next hexagon, lines to the next row, letters a row lies to the right
Canvas = dict[tuple[int, int], str]  # the letter in a line and column


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    grid: Grid = tuple(tuple(map(int, row)) for row in g.grid)
    canvas: Canvas = {}
    _draw_walls(canvas, grid)
    for tile, (r, c) in enumerate(corners(grid)):
        line, column = HIGH * r + 1, WIDE * c + SHIFT * r + 1
        _write(canvas, line, column, layout(g).tiles[tile])
        _write(canvas, line + 1, column, f"{COLOURS[owner(s, tile)]}:{dice_on(s, tile)}")
    return _lines(canvas)


def _draw_walls(canvas: Canvas, grid: Grid) -> None:
    """Look at each hexagon, and at one beyond the edge, from its left, its upper left and its upper right."""
    for r in range(len(grid) + 1):
        for c in range(-1, len(grid[0]) + 1):
            here, line, column = _at(grid, r, c), HIGH * r, WIDE * c + SHIFT * r
            if here != _at(grid, r, c - 1):
                _write(canvas, line + 1, column, "|")
                _write(canvas, line + 2, column, "|")
            if here != _at(grid, r - 1, c):
                _write(canvas, line, column + 1, "/")
            if here != _at(grid, r - 1, c + 1):
                _write(canvas, line, column + 3, "\\")


def _at(grid: Grid, row: int, column: int) -> int:
    return grid[row][column] if 0 <= row < len(grid) and 0 <= column < len(grid[0]) else HOLE


def _write(canvas: Canvas, line: int, column: int, text: str) -> None:
    for n, letter in enumerate(text):
        canvas[line, column + n] = letter


def _lines(canvas: Canvas) -> list[str]:
    """The canvas without empty columns at its left."""
    left = min(column for _, column in canvas)
    found = []
    for line in range(max(line for line, _ in canvas) + 1):
        columns = [column for row, column in canvas if row == line]
        found.append("".join(canvas.get((line, c), " ") for c in range(left, max(columns, default=left - 1) + 1)))
    return found
