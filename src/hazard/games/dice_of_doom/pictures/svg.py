"""Boards of Dice of Doom as pictures: plain SVG, readable in light and dark, by the colour-blind, and in print.

Every tile shows its name, its owner's letter, the number of its dice, and the dice. Advice is drawn as arrows: the best
move bold with its value, the others thin with what they cost; what is no attack stands below the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from hazard.drawing.arrows import Point, Shape, arrow, below, label, middle
from hazard.drawing.hexagons import AROUND, CORNERS, Place, crossing
from hazard.games.dice_of_doom.notation import attack_name, layout
from hazard.games.dice_of_doom.parameters import COLOURS
from hazard.games.dice_of_doom.pictures.geometry import hexagons
from hazard.games.dice_of_doom.tiles import BATTLE, dice_on, owner
from hazard.rulebook import Game, Position
from hazard.solving.solution import Advice

RADIUS = 72.0  # of a hexagon, from its middle to a corner
WIDTH = RADIUS * 3**0.5
MARGIN, LINE = 28.0, 26.0  # around the board; height of a line of text
BOLD, THIN = Shape(36.0, 8.0, 11.0, 4), Shape(31.0, 3.0, 7.0, 4)  # the best attack, and others
PAINT = ("#d55e00", "#0072b2", "#009e73", "#f0e442")  # the colour-blind can tell them apart; see PATTERNS
INK = ("#ffffff", "#ffffff", "#ffffff", "#000000")  # on these colours
PATTERNS = ("", "M0 6H12", "M6 0V12", "M0 12L12 0")  # strokes over the colour, so that owners differ in print too
STYLE = """
text { font-family: system-ui, sans-serif; text-anchor: middle; }
.page { fill: #ffffff; } .word { fill: #1a1a1a; font-size: 15px; }
.rim { stroke: #1a1a1a; stroke-width: 3; stroke-linecap: round; }
.name { font-size: 14px; } .count { font-size: 30px; font-weight: bold; }
.arrow { stroke: #000000; fill: #000000; } .halo { stroke: #ffffff; fill: #ffffff; }
.label { fill: #000000; stroke: #ffffff; stroke-width: 4; paint-order: stroke; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
.page { fill: #16181c; } .word { fill: #f2f2f2; } .rim { stroke: #f2f2f2; }
}
"""


class Sketch(NamedTuple):
    """The page that is drawn on."""

    tiles: list[list[Place]]  # the hexagons of each
    names: list[str]  # of the tiles
    left: float  # where the middle of a first column would be in the first row
    width: float
    height: float  # of the board, without text

    def point(self, place: Place) -> Point:
        return self.left + place[0] * WIDTH / 2, MARGIN + LINE + RADIUS * (1 + place[1] / 2)

    def corner(self, cell: Place, side: int) -> Point:
        """Where a side begins."""
        x, y = CORNERS[side % 6]
        return self.point((cell[0] + x, cell[1] + y))


def board_svg(game: Game, position: Position, advice: Sequence[Advice] | None = None) -> str:
    """A position as the text of an SVG file, with arrows for the moves of `advice`, which has the best one first."""
    sketch = _sketch(game)
    lines = below(game, position, advice or [], _worth)
    height = sketch.height + LINE * len(lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sketch.width:.0f} {height:.0f}" '
        f'width="{sketch.width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{escape(str(position))}</title><style>{STYLE}</style>{_patterns()}",
        '<rect class="page" width="100%" height="100%"/>',
        _words(sketch, MARGIN, _said(game, position), "bold"),
        *_areas(game, position, sketch),
        *_rims(sketch),
        *_contents(position, sketch),
        *_arrows(game, position, sketch, advice or []),
        *(_words(sketch, sketch.height + LINE * (n + 0.4), line, weight) for n, (line, weight) in enumerate(lines)),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _sketch(game: Game) -> Sketch:
    tiles = hexagons(game.table)
    across, down = ([cell[axis] for cells in tiles for cell in cells] for axis in (0, 1))
    board = ((max(across) - min(across)) / 2 + 1) * WIDTH
    width = max(2 * MARGIN + board, 420.0)
    left = (width - board + WIDTH) / 2 - min(across) * WIDTH / 2
    return Sketch(tiles, layout(game.table).tiles, left, width, 2 * MARGIN + LINE + RADIUS * (2 + max(down) / 2))


def _said(game: Game, position: Position) -> str:
    """What is going on, in the words of the position's text."""
    if position.over:
        return "the game is over"
    return game.seat_name(position.mover) + str(position).partition(" | ")[2][1:]


def _words(sketch: Sketch, y: float, text: str, weight: str) -> str:
    return f'<text class="word" x="{sketch.width / 2:.1f}" y="{y:.1f}" font-weight="{weight}">{escape(text)}</text>'


def _patterns() -> str:
    drawn = (
        f'<pattern id="{COLOURS[n]}" width="12" height="12" patternUnits="userSpaceOnUse">'
        f'<rect width="12" height="12" fill="{PAINT[n]}"/>'
        f'<path d="{path}" stroke="#000000" stroke-opacity="0.28" stroke-width="2" fill="none"/></pattern>'
        for n, path in enumerate(PATTERNS)
    )
    return f"<defs>{''.join(drawn)}</defs>"


# --- tiles -----------------------------------------------------------------------------------------------------------
def _areas(game: Game, position: Position, sketch: Sketch) -> list[str]:
    """Hexagons in their owners' colours."""
    found = []
    for tile, cells in enumerate(sketch.tiles):
        paint = f"url(#{COLOURS[owner(position.state, tile)]})"
        for cell in cells:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (sketch.corner(cell, side) for side in range(6)))
            name = sketch.names[tile]
            found.append(f'<polygon points="{points}" fill="{paint}" stroke="{paint}" data-tile="{name}"/>')
    return found


def _rims(sketch: Sketch) -> list[str]:
    """Lines where one tile ends: there are none within a merged tile."""
    found, every = [], {cell for cells in sketch.tiles for cell in cells}
    for cells in sketch.tiles:
        for cell in cells:
            for side, (right, down) in enumerate(AROUND):
                beyond = cell[0] + right, cell[1] + down
                if beyond not in cells and (beyond not in every or side < 3):  # between two tiles it is drawn once
                    (x, y), (u, v) = sketch.corner(cell, side), sketch.corner(cell, side + 1)
                    found.append(f'<line class="rim" x1="{x:.1f}" y1="{y:.1f}" x2="{u:.1f}" y2="{v:.1f}"/>')
    return found


def _contents(position: Position, sketch: Sketch) -> list[str]:
    """In the first hexagon of each tile: its name, owner and number of dice, and the dice."""
    found = []
    for tile, cells in enumerate(sketch.tiles):
        x, y = sketch.point(cells[0])
        seat, dice = int(owner(position.state, tile)), int(dice_on(position.state, tile))
        fill = f'fill="{INK[seat]}"'
        found.append(f'<text class="name" x="{x:.1f}" y="{y - 33:.1f}" {fill}>{sketch.names[tile]}</text>')
        found.append(f'<text class="count" x="{x:.1f}" y="{y + 4:.1f}" {fill}>{COLOURS[seat]}{dice}</text>')
        found += _stack(x, y + 20, dice, INK[seat])
    return found


def _stack(x: float, y: float, dice: int, colour: str) -> list[str]:
    """Small dice in rows of at most four."""
    found, size, gap = [], 9, 3
    for n in range(dice):
        row, column = divmod(n, 4)
        wide = min(4, dice - 4 * row) * (size + gap) - gap
        left, top = x - wide / 2 + column * (size + gap), y - size / 2 + row * (size + gap)
        found.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{size}" height="{size}" rx="2" fill="{colour}"/>')
    return found


# --- moves -----------------------------------------------------------------------------------------------------------
def _arrows(game: Game, position: Position, sketch: Sketch, advice: Sequence[Advice]) -> list[str]:
    """Attacks, the best one last so that it lies on top; or the one whose dice are in the air."""
    attacks = {attack_name(game.table, edge): edge for edge in range(game.table.edges)}
    s = position.state
    if s.phase == BATTLE:
        return _arrow(*_way(game, sketch, int(s.attack)), True, "")
    found = []
    for n in reversed(range(len(advice))):
        if (edge := attacks.get(advice[n].move)) is not None:
            found += _arrow(*_way(game, sketch, edge), n == 0, _worth(advice[n], n == 0))
        elif advice[n].move in sketch.names:
            found += _mark(sketch, advice[n], n == 0)
    return found


def _worth(advice: Advice, best: bool) -> str:
    """The value of the best move; of the others what they cost, if more than is known surely."""
    if best:
        return f"{advice.value:.3f}"
    same = advice.known == "exact" and advice.cost <= advice.upper - advice.lower
    return "as good" if same else f"−{advice.cost:.3f}"


def _way(game: Game, sketch: Sketch, edge: int) -> tuple[Point, Point]:
    """The middles of two hexagons that touch, one of each tile."""
    start, end = crossing(sketch.tiles[game.table.source[edge]], sketch.tiles[game.table.target[edge]])
    return sketch.point(start), sketch.point(end)


def _arrow(start: Point, end: Point, best: bool, words: str) -> list[str]:
    """Across the border of two tiles, with the words on it."""
    found = arrow(start, end, WIDTH, BOLD if best else THIN)
    return found + ([_label(*middle(start, end), words, best)] if words else [])


def _label(x: float, y: float, text: str, best: bool) -> str:
    return label(x, y + 5, text, 16 if best else 13, best)


def _mark(sketch: Sketch, advice: Advice, best: bool) -> list[str]:
    """A tile that may get a die."""
    x, y = sketch.point(sketch.tiles[sketch.names.index(advice.move)][0])
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS * 0.78:.1f}" fill="none" stroke="{{}}" stroke-width="{{}}"/>'
    rings = [ring.format("#ffffff", 9), ring.format("#000000", 5)] if best else []
    return [*rings, _label(x, y + 50, "+1: " + _worth(advice, best), best)]
