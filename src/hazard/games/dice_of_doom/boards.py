"""Boards of hexagons: `3x3` (rows x columns), `triangle:4`, or a map with holes and merged tiles, from a file or typed.

In a map every line is a row; equal letters or digits are one tile, `.` is a hole, blanks do not count, `#` begins a
comment. Each row lies half a tile to the right of the one above, so that a tile touches those left and right, above and
below, up-right and down-left of it in the text. A map is kept by what it says, `map:aab,a.b`, not by its file's name.
"""

from __future__ import annotations

import re
from string import ascii_letters

from hazard.errors import BadInput
from hazard.files import given

Grid = tuple[tuple[int, ...], ...]  # the tile in each row and column, numbered in reading order; HOLE for none
HOLE = -1
MOST_TILES = 32  # what the rules have bits for
MOST_ROWS, MOST_COLUMNS = 26, 64
LONGEST = 10_000  # characters in a map's file
AROUND = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))  # rows and columns to the six neighbours
RIGHT = "must be rows x columns such as 3x3, triangle:N, map: with rows such as map:aab,a.b, or the file of a map"


def brief(text: str) -> str:
    """A text quoted, the beginning of a long one."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def read_board(text: str) -> Grid:
    """The board that a text stands for."""
    if found := re.fullmatch(r"(\d{1,3})x(\d{1,3})", text, re.ASCII):
        grid = _diamond(text, int(found[1]), int(found[2]))
    elif found := re.fullmatch(r"triangle:(\d{1,3})", text, re.ASCII):
        grid = _triangle(text, int(found[1]))
    elif text.startswith("map:"):
        grid = _map(text, text.removeprefix("map:").split(","))
    else:
        grid = _map(text, _lines(text))
    _check(text, grid)
    return grid


def name_of(grid: Grid) -> str:
    """The one text of a board."""
    rows, columns = len(grid), len(grid[0])
    for name, same in ((f"{rows}x{columns}", _rows(rows, columns)), (f"triangle:{rows}", _corner(rows))):
        if grid == same:
            return name
    return "map:" + ",".join("".join("." if n == HOLE else ascii_letters[n] for n in row).rstrip(".") for row in grid)


def count_tiles(grid: Grid) -> int:
    return 1 + max(n for row in grid for n in row)


def corners(grid: Grid) -> list[tuple[int, int]]:
    """The row and column of each tile's first hexagon in reading order."""
    first: dict[int, tuple[int, int]] = {}
    for r, row in enumerate(grid):
        for c, tile in enumerate(row):
            if tile != HOLE:
                first.setdefault(tile, (r, c))
    return [first[tile] for tile in range(len(first))]


def neighbours(grid: Grid) -> list[list[int]]:
    """For each tile those beside it, by column and then by row: left, down-left, up, down, up-right, right."""
    beside: list[set[int]] = [set() for _ in corners(grid)]
    for r, row in enumerate(grid):
        for c, tile in enumerate(row):
            if tile != HOLE:
                beside[tile] |= {_at(grid, r + dr, c + dc) for dr, dc in AROUND}
    places = corners(grid)
    return [sorted(some - {tile, HOLE}, key=lambda t: places[t][::-1]) for tile, some in enumerate(beside)]


def _at(grid: Grid, row: int, column: int) -> int:
    return grid[row][column] if 0 <= row < len(grid) and 0 <= column < len(grid[0]) else HOLE


def _rows(rows: int, columns: int) -> Grid:
    return tuple(tuple(range(r * columns, (r + 1) * columns)) for r in range(rows))


def _corner(rows: int) -> Grid:
    """A triangle: one tile in the first row, each of the others one more than the one above."""
    return tuple((HOLE,) * (rows - 1 - r) + tuple(range(r * (r + 1) // 2, (r + 1) * (r + 2) // 2)) for r in range(rows))


def _diamond(text: str, rows: int, columns: int) -> Grid:
    if not 2 <= rows * columns <= MOST_TILES or rows > MOST_ROWS:
        raise BadInput(f"board={text}: must have 2 to {MOST_TILES} tiles, in at most {MOST_ROWS} rows")
    return _rows(rows, columns)


def _triangle(text: str, rows: int) -> Grid:
    if not 2 <= rows <= 7:
        raise BadInput(f"board={text}: must be triangle:2 to triangle:7")
    return _corner(rows)


def _lines(path: str) -> list[str]:
    """The lines of a map's file."""
    named = given(path)
    try:
        with named.open(encoding="utf-8") as file:
            content = file.read(LONGEST + 1)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or "it is not text"
        raise BadInput(f"board={brief(path)}: {RIGHT}; as a file: {why}") from None
    if len(content) > LONGEST:
        raise BadInput(f"board={brief(path)}: more than {LONGEST} characters; a map is a few short lines")
    return [line for line in (part.split("#")[0].strip() for part in content.splitlines()) if line]


def _map(text: str, lines: list[str]) -> Grid:
    rows = ["".join(line.split()) for line in lines]
    width = max((len(row) for row in rows), default=0)
    for number, row in enumerate(rows, 1):
        for symbol in row:
            if not (symbol == "." or (symbol.isascii() and symbol.isalnum())):
                raise BadInput(
                    f"board={brief(text)}: {symbol!r} in row {number}; write letters or digits, and . for a hole"
                )
    return _numbered(text, _cropped([row.ljust(width, ".") for row in rows]))


def _cropped(rows: list[str]) -> list[str]:
    """Without rows and columns of holes at the edges."""
    while rows and not rows[0].strip("."):
        rows = rows[1:]
    while rows and not rows[-1].strip("."):
        rows = rows[:-1]
    used = [c for row in rows for c, symbol in enumerate(row) if symbol != "."]
    return [row[min(used) : max(used) + 1] for row in rows]


def _numbered(text: str, rows: list[str]) -> Grid:
    numbers: dict[str, int] = {".": HOLE}
    for row in rows:
        for symbol in row:
            numbers.setdefault(symbol, len(numbers) - 1)
    if not 3 <= len(numbers) <= MOST_TILES + 1:
        raise BadInput(f"board={brief(text)}: a map has 2 to {MOST_TILES} tiles, this one {len(numbers) - 1}")
    if len(rows) > MOST_ROWS or len(rows[0]) > MOST_COLUMNS:
        raise BadInput(f"board={brief(text)}: a map has at most {MOST_ROWS} rows of at most {MOST_COLUMNS} letters")
    return tuple(tuple(numbers[symbol] for symbol in row) for row in rows)


def _reached(grid: Grid, tiles: set[int] | None) -> set[tuple[int, int]]:
    """Hexagons that hang together with the first, of these tiles or of any."""
    every = [(r, c) for r, row in enumerate(grid) for c, n in enumerate(row) if n != HOLE]
    cells = {cell for cell in every if tiles is None or grid[cell[0]][cell[1]] in tiles}
    waiting = [min(cells)]
    found = set(waiting)
    while waiting:
        r, c = waiting.pop()
        new = {(r + dr, c + dc) for dr, dc in AROUND} & cells - found
        found |= new
        waiting += new
    return found


def _check(text: str, grid: Grid) -> None:
    """Every tile in one piece, and all of the board."""
    places = corners(grid)
    for tile, (r, c) in enumerate(places):
        cells = sum(row.count(tile) for row in grid)
        if len(_reached(grid, {tile})) < cells:
            raise BadInput(
                f"board={brief(text)}: the tile first met in row {r + 1}, column {c + 1} is in several pieces; "
                "hexagons with the same letter must touch"
            )
    whole = _reached(grid, None)
    for tile, (r, c) in enumerate(places):
        if (r, c) not in whole:
            raise BadInput(
                f"board={brief(text)}: row {r + 1}, column {c + 1} (tile {tile + 1}) cannot be reached; "
                "all tiles must hang together"
            )
