"""Dice of Doom in words: positions as text.

`3x3 r2 b1 r5 / b3 b1 r1 / r2 r2 b4 | r to move, first attack`: the board, then owner and dice of each tile, row by row.
Holes are not written; of a merged tile the first hexagon is, and `-` stands for the others. A tile is named by its row
and column, `a1` being the first of the first row; `a1-a2` is an attack.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from hazard.bits import count, largest_region, nth
from hazard.errors import BadInput
from hazard.games.dice_of_doom.boards import HOLE, Grid, brief, corners, name_of
from hazard.games.dice_of_doom.parameters import COLOURS, PARAMETERS, REINFORCEMENTS, fit, make
from hazard.games.dice_of_doom.rules import END, LOST, can_attack, has_room, open_turn, result, settle, start
from hazard.games.dice_of_doom.tiles import (
    AGAIN,
    BATTLE,
    CAPTURED,
    OPEN,
    OVER,
    PLACE,
    Params,
    State,
    dice_on,
    owned,
    owner,
)
from hazard.notation import read, whole

__all__ = ["PARAMETERS", "fit", "make", "move_text", "outcome_text", "parse", "text"]
SEATS = ("red", "blue", "green", "yellow")
EXAMPLE = "3x3 r2 b1 r5 / b3 b1 r1 / r2 r2 b4 | r to move, first attack"


class Layout(NamedTuple):
    """How a board is written."""

    name: str
    tiles: list[str]  # their names
    shape: str  # the rows with {} for each tile


@cache
def _layout(rows: int, cells: bytes) -> Layout:
    grid: Grid = tuple(map(tuple, np.frombuffer(cells, np.int64).reshape(rows, -1).tolist()))
    places = corners(grid)
    lines = [
        " ".join("{}" if places[n] == (r, c) else "-" for c, n in enumerate(row) if n != HOLE)
        for r, row in enumerate(grid)
    ]
    return Layout(name_of(grid), [f"{chr(ord('a') + r)}{c + 1}" for r, c in places], " / ".join(lines))


def layout(g: Params) -> Layout:
    return _layout(len(g.grid), g.grid.tobytes())


def attack_name(g: Params, edge: int) -> str:
    tiles = layout(g).tiles
    return f"{tiles[g.source[edge]]}-{tiles[g.target[edge]]}"


def text(g: Params, s: State) -> str:
    words = [f"{COLOURS[owner(s, tile)]}{dice_on(s, tile)}" for tile in range(g.tiles)]
    mover = COLOURS[s.mover]
    tail = {
        OPEN: f"{mover} to move, first attack",
        AGAIN: f"{mover} to move, attack again or end",
        BATTLE: f"{mover} attacks {attack_name(g, s.attack)}" if s.phase == BATTLE else "",
        PLACE: f"{mover} places {s.left}",
        OVER: f"{mover} to move, over",
    }[int(s.phase)]
    gained = f", captured {s.gained}" if s.gained else ""
    turn = f", turn {s.turn + 1}" if s.turn else ""
    return f"{layout(g).name} {layout(g).shape.format(*words)} | {tail}{gained}{turn}"


def _example(g: Params) -> str:
    """A position of this board."""
    return text(g, start(g))


_PARTS = (
    r"(?P<board>\S+)",
    r" (?P<rows>([a-z]\d{1,2}|-)(( /)? ([a-z]\d{1,2}|-))*)",
    r" \| (?P<mover>[a-z])",
    r" (?P<phase>to move, first attack|to move, attack again or end|to move, over|attacks (?=[a-z])|places (?=\d))",
    r"(?P<edge>(?<=attacks )[a-z]\d{1,2}-[a-z]\d{1,2})?",
    r"(?P<left>(?<=places )\d{1,2})?",
    r"(, captured (?P<gained>\d{1,3}))?",
    r"(, turn (?P<turn>\d{1,5}))?",
)


def parse(g: Params, text: str) -> State:
    found = read(text, _PARTS, _example(g))
    board = layout(g).name
    if found["board"] != board:
        raise BadInput(f"{brief(text)}: the board here is {board}; set board={brief(found['board'] or '')} for another")
    s = _settled(g, text, found["rows"] or "")
    mover = _colour(g, text, found["mover"] or "")
    if not owned(g, s, mover):
        raise BadInput(f"{brief(text)}: {COLOURS[mover]} has no tiles, so it is another player's turn")
    turn = max(whole(found, "turn") - 1, 0)
    if turn > g.turns:
        why = f"the game ends after turn {g.turns}" if g.turns else "turns are not counted without a limit"
        raise BadInput(f"{brief(text)}: turn {turn + 1}, but {why}; see turns")
    return _phase(g, text, found, open_turn(g, s, mover, turn))


def _colour(g: Params, text: str, letter: str) -> int:
    if letter not in COLOURS[: g.players]:
        known = ", ".join(COLOURS[: g.players])
        raise BadInput(f"{brief(text)}: {letter!r} is not a player; with players={g.players} there are {known}")
    return COLOURS.index(letter)


def _settled(g: Params, text: str, rows: str) -> State:
    """The board with its owners and dice."""
    words = [word for word in rows.split() if word not in ("/", "-")]
    if re.sub(r"[a-z]\d{1,2}", "{}", rows) != layout(g).shape:
        raise BadInput(
            f"{brief(text)}: {len(words)} tiles in that order do not make this board; write it like {_example(g)!r}"
        )
    s = State(0, 0, 0, 0, OPEN, -1, 0, 0, 0, 0)
    for tile, word in enumerate(words):
        dice = int(word[1:])
        if not 1 <= dice <= g.max_dice:
            raise BadInput(f"{brief(text)}: {word!r} must have 1 to {g.max_dice} dice; see max_dice")
        s = settle(s, tile, _colour(g, text, word[0]), dice)
    return s


def _phase(g: Params, text: str, found: dict[str, str | None], s: State) -> State:
    """The position with what is going on in it, checked against the rules."""
    said, gained = (found["phase"] or "").split()[-1], whole(found, "gained")
    if gained and (g.reinforcement != CAPTURED or said in ("attack", "over", "places")):
        raise BadInput(f"{brief(text)}: captured dice count with reinforcement=captured, after the first attack")
    _need(gained <= g.tiles * g.max_dice, text, f"captured {gained} is more dice than the board holds")
    if said in ("attack", "over"):
        return s
    if g.turns and s.turn >= g.turns:
        raise BadInput(f"{brief(text)}: the game ends after turn {g.turns}")
    if said == "end":
        _need(can_attack(g, s, s.mover), text, "no attack is left, so the turn has ended")
        return s._replace(phase=AGAIN, gained=gained)
    if said == "attacks":
        return s._replace(phase=BATTLE, attack=_edge(g, text, found["edge"] or "", s), gained=gained)
    left = whole(found, "left")
    most = count(largest_region(g.near, owned(g, s, s.mover)))
    _need(REINFORCEMENTS[g.reinforcement] in ("random", "weighted", "chosen"), text, "dice are placed at once")
    _need(1 <= left <= most, text, f"there are 1 to {most} dice to place")
    _need(has_room(g, s), text, "no tile has room for another die")
    return s._replace(phase=PLACE, left=left)


def _need(good: bool, text: str, why: str) -> None:
    if not good:
        raise BadInput(f"{brief(text)}: {why}")


def _edge(g: Params, text: str, name: str, s: State) -> int:
    names = {attack_name(g, edge): edge for edge in range(g.edges)}
    _need(name in names, text, f"{name!r} is not an attack from a tile on one beside it, such as {next(iter(names))!r}")
    source, target = int(g.source[names[name]]), int(g.target[names[name]])
    _need(owner(s, source) == s.mover != owner(s, target), text, f"{name!r} does not attack an enemy from an own tile")
    _need(dice_on(s, source) > 1, text, f"{name!r}: a tile attacks with 2 dice or more")
    return names[name]


# --- moves and rolls -----------------------------------------------------------------------------------------------
def move_text(g: Params, s: State, m: int) -> str:
    if s.phase == PLACE:
        return layout(g).tiles[m]
    return "end" if m == END else attack_name(g, m)


def outcome_text(g: Params, s: State, i: int) -> str:
    if s.phase == PLACE:
        return layout(g).tiles[nth(owned(g, s, s.mover), i)]
    return "lost" if result(g, s, i) == LOST else "won"
