"""The table drawn in text: the tiles of the centre with their worms, everyone's stack, and the dice."""

from __future__ import annotations

from hazard.games.pickomino.notation import MARKS, stack_of, tiles_text, turned_down
from hazard.games.pickomino.rules import FACES, LOWEST, Params, State, points, shown, worms

PAINT = ((r"\[w\]", "yellow"), (r"\b\d w\b", "yellow"), (r"\b\dw\b", "yellow"))


def draw_text(g: Params, s: State) -> list[str]:
    """The lines of a drawing."""
    centre = [tile for tile in range(g.tiles) if int(s.centre) >> tile & 1]
    turned = turned_down(g, s)
    below = [f"turned down: {tiles_text(turned)}"] if turned else []
    return [*_tiles(centre), *(_stack(s, seat) for seat in range(g.players)), *below, *_dice(s)]


def _tiles(tiles: list[int]) -> list[str]:
    """Tiles side by side, with their numbers and worms."""
    if not tiles:
        return ["the centre is empty"]
    edge = "+--" * len(tiles) + "+"
    numbers = "".join(f"|{tile + LOWEST}" for tile in tiles) + "|"
    return [edge, numbers, "".join(f"|{worms(tile)}w" for tile in tiles) + "|", edge]


def _stack(s: State, seat: int) -> str:
    """A player's stack from bottom to top."""
    tiles = stack_of(s, seat)
    total = sum(int(worms(tile)) for tile in tiles)
    held = " ".join(str(tile + LOWEST) for tile in tiles)
    return f"{'>' if seat == s.mover else ' '} p{seat + 1}: {f'{held}  ({total} w)' if tiles else 'no tiles'}"


def _dice(s: State) -> list[str]:
    """The dice aside and on the table."""
    aside = [f"aside: {_faces(int(s.kept))}  (score {points(s.kept)})"] if s.kept else []
    rolled = [f"rolled: {_faces(int(s.rolled))}"] if s.rolled else []
    return [*aside, *rolled]


def _faces(dice: int) -> str:
    return "".join(f"[{MARKS[face]}]" * int(shown(dice, face)) for face in range(FACES))
