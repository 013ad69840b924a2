"""The map drawn in text: two letters a hex, the owner and dice of its territory, whose number is in its middle."""

from __future__ import annotations

from hazard.bits import count, largest_region
from hazard.drawing.hexagons import inmost
from hazard.games.dice_wars.land import Params, State, dice_on, owned, owner, reserve
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.notation import SEATS
from hazard.games.dice_wars.pictures.geometry import areas_of, hexagons, place

COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan", "white", "bright_black")
PAINT = tuple((rf"(?<![a-z]){seat}\d", colour) for seat, colour in zip(SEATS, COLOURS, strict=True))


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    areas = areas_of(g, int(s.map))
    middles = {inmost(cells): land for land, cells in enumerate(hexagons(areas))}
    lines = []
    for row, lands in enumerate(areas.tolist()):
        hexes = [_hex(s, land, place(row, column) in middles) for column, land in enumerate(lands)]
        lines.append((" " * (row % 2) + "".join(hexes)).rstrip())
    drawn = [line for line in lines if line]
    left = min(len(line) - len(line.lstrip()) for line in drawn)
    return [*(line[left:] for line in drawn), "", *(_standing(g, s, seat) for seat in range(g.players))]


def _hex(s: State, land: int, middle: bool) -> str:
    if land < 0:
        return "  "
    return f"{land + 1:02}" if middle else f"{SEATS[owner(s, land)]}{dice_on(s, land)}"


def _standing(g: Params, s: State, seat: int) -> str:
    """A player's territories, largest region, dice and reserve."""
    row = map_of(g, s)
    own = owned(s, seat, whole(g, row))
    dice = sum(int(dice_on(s, land)) for land in range(g.scratch.counts[row, 0]) if int(own) >> land & 1)
    wide, left = count(largest_region(g.scratch.near[row], own)), int(reserve(s, seat))
    mark = ">" if seat == s.mover else " "
    return f"{mark} {SEATS[seat]}: {count(own)} territories, {wide} in one region, {dice} dice, {left} in reserve"
