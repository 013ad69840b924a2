"""Maps and positions of Dice Wars as pictures: plain SVG, readable in light and dark, and by the colour-blind.

Territories are outlines of their hexes with their number, their owner's letter and colour, and the number of dice.
Advice is drawn as arrows over borders: the best move bold with its value, the others thin with what they cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from hazard.drawing.arrows import Point, Shape, arrow, below, label, middle
from hazard.drawing.hexagons import Place, crossing, inmost, outline, path
from hazard.files import write_whole
from hazard.games.dice_wars.land import BATTLE, PLACE, dice_on, owner, reserve
from hazard.games.dice_wars.maps.files import neighbours, save_map
from hazard.games.dice_wars.notation import LETTERS, edge_text, map_of
from hazard.games.dice_wars.pictures.geometry import HALF, areas_of, hexagons
from hazard.rulebook import Game, Position
from hazard.solving.solution import Advice

THIRD = 6.0  # a quarter of the height of a hex
MARGIN, LINE, NARROWEST = 24.0, 22.0, 430.0  # around the map; height of a line of text; width that words need
BOLD, THIN = Shape(17.0, 6.0, 8.0, 3), Shape(13.0, 2.0, 5.0, 3)  # the best attack, and others
PAINT = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")  # Okabe and Ito's
INK = ("#000000", "#000000", "#ffffff", "#000000", "#ffffff", "#ffffff", "#000000", "#000000")  # on these colours
STYLE = """
text { font-family: system-ui, sans-serif; text-anchor: middle; }
.page { fill: #ffffff; } .word { fill: #1a1a1a; font-size: 14px; }
.land { stroke: #1a1a1a; stroke-width: 2; stroke-linejoin: round; } .bare { fill: #e8e4da; }
.name { font-size: 9px; } .count { font-size: 17px; font-weight: bold; } .plain { fill: #1a1a1a; }
.arrow { stroke: #000000; fill: #000000; } .halo { stroke: #ffffff; fill: #ffffff; }
.label { fill: #000000; stroke: #ffffff; stroke-width: 3; paint-order: stroke; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
.page { fill: #16181c; } .word { fill: #f2f2f2; } .land { stroke: #16181c; }
}
"""


# --- what is drawn ---------------------------------------------------------------------------------------------------
def map_svg(areas: np.ndarray, title: str) -> str:
    """A map with nobody on it."""
    inside = _outlines(areas, ["bare"] * _lands(areas), None)
    for land, (x, y) in enumerate(_middles(areas)):
        inside.append(f'<text class="count plain" x="{x:.1f}" y="{y + 6:.1f}">{land + 1}</text>')
    return _page(areas, title, [(title, "bold")], inside, [])


def write_map(game: Game, number: int, path: Path) -> dict[str, int]:
    """Draw or save a map, by the file's ending; how many territories and borders it has is returned."""
    areas = areas_of(game.table, number)
    if path.suffix.lower() == ".svg":
        write_whole(path, map_svg(areas, f"map {number}").encode())
    else:
        save_map(path, areas)
    return {"territories": _lands(areas), "borders": sum(near.bit_count() for near in neighbours(areas)) // 2}


def board_svg(game: Game, position: Position, advice: Sequence[Advice] | None = None) -> str:
    """A position as the text of an SVG file, with arrows for the moves of `advice`, which has the best one first."""
    s = position.state
    areas = areas_of(game.table, int(s.map))
    owners = [int(owner(s, land)) for land in range(_lands(areas))]
    inside = _outlines(areas, [LETTERS[seat] for seat in owners], owners)
    for land, (x, y) in enumerate(_middles(areas)):
        seat, fill = owners[land], f'fill="{INK[owners[land]]}"'
        inside.append(
            f'<text class="count" x="{x:.1f}" y="{y + 3:.1f}" {fill}>{LETTERS[seat]}{dice_on(s, land)}</text>'
        )
        inside.append(f'<text class="name" x="{x:.1f}" y="{y + 14:.1f}" {fill}>{land + 1}</text>')
    arrows = _arrows(game, position, areas, advice or [])
    return _page(
        areas, str(position), _said(game, position), inside + arrows, below(game, position, advice or [], _worth)
    )


def _page(
    areas: np.ndarray,
    title: str,
    above: Sequence[tuple[str, str]],
    inside: Sequence[str],
    below: Sequence[tuple[str, str]],
) -> str:
    """The whole text of a picture: lines of words, the map, more lines."""
    wide = (2 * areas.shape[1] + 1) * HALF
    width = max(2 * MARGIN + wide, NARROWEST)
    top = MARGIN + LINE * len(above)
    end = top + (3 * areas.shape[0] + 1) * THIRD + LINE
    height = end + LINE * len(below)
    words = [_words(width, MARGIN + LINE * n, *line) for n, line in enumerate(above)]
    words += [_words(width, end + LINE * (n + 0.5), *line) for n, line in enumerate(below)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img">',
            f"<title>{escape(title)}</title><style>{STYLE}</style>",
            '<rect class="page" width="100%" height="100%"/>',
            *words,
            f'<g transform="translate({(width - wide) / 2:.0f} {top - 6:.0f})">',
            *inside,
            "</g>",
            "</svg>\n",
        ]
    )


def _words(width: float, y: float, text: str, weight: str) -> str:
    return f'<text class="word" x="{width / 2:.1f}" y="{y:.1f}" font-weight="{weight}">{escape(text)}</text>'


def _said(game: Game, position: Position) -> list[tuple[str, str]]:
    """Who is to move and what is going on; then the dice in reserve."""
    s, letter = position.state, LETTERS[position.mover]
    doing = "to move"
    if position.over:
        doing = "has won" if 1.0 in position.payoffs else "would move, but turns have run out"
    elif s.phase == BATTLE:
        doing = f"attacks {edge_text(game.table, s, s.attack)}"
    elif s.phase == PLACE:
        doing = f"has {s.left} dice to place"
    kept = ", ".join(f"{LETTERS[n]} {reserve(s, n)}" for n in range(game.seats) if reserve(s, n))
    line = f"map {s.map}, turn {s.turn + 1}: {letter} {doing}"
    return [(line, "bold"), (f"in reserve: {kept}" if kept else "no dice in reserve", "normal")]


# --- territories -----------------------------------------------------------------------------------------------------
def _lands(areas: np.ndarray) -> int:
    return int(areas.max()) + 1


def _outlines(areas: np.ndarray, names: Sequence[str], owners: Sequence[int] | None) -> list[str]:
    """Territories as closed lines around their hexes."""
    found = []
    for land, cells in enumerate(hexagons(areas)):
        line = path(outline(cells), HALF, THIRD)
        paint = f'fill="{PAINT[owners[land]]}"' if owners else ""
        kind = "land" if owners else f"land {names[land]}"
        found.append(f'<path class="{kind}" data-land="{land + 1}" d="{line}" {paint} fill-rule="evenodd"/>')
    return found


def _middles(areas: np.ndarray) -> list[Point]:
    """For each territory the middle of a hex deep inside."""
    return [_point(inmost(cells)) for cells in hexagons(areas)]


def _point(place: Place) -> Point:
    return place[0] * HALF, place[1] * THIRD


# --- moves -----------------------------------------------------------------------------------------------------------
def _arrows(game: Game, position: Position, areas: np.ndarray, advice: Sequence[Advice]) -> list[str]:
    """Attacks, the best one last so that it lies on top; or the one whose dice are in the air."""
    s, g = position.state, game.table
    if s.phase == BATTLE:
        source, target = (int(land) for land in g.scratch.edges[map_of(g, s), s.attack])
        return _arrow(*_way(areas, source, target), True, "")
    found = []
    for n in reversed(range(len(advice))):
        if advice[n].move != "end":
            source, target = (int(land) - 1 for land in advice[n].move.split(">"))
            found += _arrow(*_way(areas, source, target), n == 0, _worth(advice[n], n == 0))
    return found


def _worth(advice: Advice, best: bool) -> str:
    """The value of the best move, and what others cost."""
    return f"{advice.value:.3f}" if best else f"−{advice.cost:.3f}"


def _way(areas: np.ndarray, source: int, target: int) -> tuple[Point, Point]:
    """The middles of two hexes that touch, one of each territory."""
    lands = hexagons(areas)
    start, end = crossing(lands[source], lands[target])
    return _point(start), _point(end)


def _arrow(start: Point, end: Point, best: bool, words: str) -> list[str]:
    """Across a border, with the words below its middle."""
    x, y = middle(start, end)
    found = arrow(start, end, 2 * HALF, BOLD if best else THIN)
    return found + ([label(x, y + 14, words, 13 if best else 9, best)] if words else [])
