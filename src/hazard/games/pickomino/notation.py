"""Pickomino in words: its parameters, and positions as text.

`p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -`: who is to move, the dice aside (w for worms), the
dice just rolled, the tiles of the centre, everyone's stack from bottom to top, and the tiles turned down. Instead of
dice rolled, `rolling` says that they are in the air; without either, the choice is to stop or to roll on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hazard.declaration import Parameter
from hazard.dice import rolls
from hazard.errors import BadInput
from hazard.games.pickomino.rules import (
    BYTE,
    CENTRE,
    FACES,
    GUIDES,
    LOWEST,
    SLOT,
    SLOTS,
    STEAL,
    Params,
    State,
    fanout,
    number,
    shown,
    stops,
    top,
    under,
    victim,
    within_reach,
)
from hazard.games.pickomino.turn.states import Turns, turns_of
from hazard.games.pickomino.turn.tables import tables_of
from hazard.notation import read

MODES = ("game", "turn")
PARAMETERS = (
    Parameter("players", 2, "players", 2, 7),
    Parameter("tiles", 16, "tiles, numbered from 21", 1, 16),
    Parameter("dice", 8, "dice", 1, 10),
    Parameter("empty", "keep", "whether a failure with no tile to give back turns a tile", choices=("keep", "turn")),
    Parameter("mode", "game", "for solve: the whole game, or the chance of a score in one turn", choices=MODES),
    Parameter("target", 21, "with mode=turn: the score wanted", 1, 50),
    Parameter("exactly", "false", "with mode=turn: just that score, or at least that", choices=("false", "true")),
    Parameter("kept", "-", "with mode=turn: dice set aside before, e.g. 44w"),
    Parameter("rolled", "-", "with mode=turn: dice just rolled"),
)
EXAMPLE = "p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -"
MARKS = "12345w"


@cache
def roll_tables(dice: int) -> dict[str, np.ndarray]:
    """All unordered rolls of up to this many dice, the likely ones first, and where to begin to look for one."""
    most = len(rolls(dice))
    tables: dict[str, Any] = {name: np.zeros((dice + 1, most), np.int64) for name in ("rolls", "weights")}
    before, guide = np.zeros((dice + 1, most + 1), np.int64), np.zeros((dice + 1, GUIDES), np.int16)
    for n in range(dice + 1):
        ways = sorted(rolls(n), key=lambda way: -way[1])
        tables["rolls"][n, : len(ways)] = [sum(1 << BYTE * (face - 1) for face in faces) for faces, _ in ways]
        tables["weights"][n, : len(ways)] = [weight for _, weight in ways]
        before[n, 1:] = np.cumsum(tables["weights"][n])
        marks = -(-np.arange(GUIDES) * FACES**n // GUIDES)  # the first mark of each part
        guide[n] = np.searchsorted(before[n, : len(ways)], marks, side="right") - 1
    tables |= {"before": before, "guide": guide}
    tables["totals"] = FACES ** np.arange(dice + 1)
    tables["counts"] = np.array([len(rolls(n)) for n in range(dice + 1)])
    for table in tables.values():
        table.flags.writeable = False
    return tables


def make(parameters: Mapping[str, Any]) -> Params:
    dice = parameters["dice"]
    strict = parameters["empty"] == "turn"
    tables = roll_tables(dice)
    return Params(parameters["players"], parameters["tiles"], dice, strict, **tables, turn=tables_of(dice), scratch=())


class Scratch(NamedTuple):
    """What agents and solved games write to."""

    turns: Turns
    legal: np.ndarray  # legal moves


def scratch(g: Params) -> Scratch:
    return Scratch(turns_of(g.turn), np.zeros(int(fanout(g)), np.int64))


# --- text --------------------------------------------------------------------------------------------------------
def dice_text(dice: int) -> str:
    """Packed dice from low to high; a dash for none."""
    return "".join(MARKS[face] * shown(dice, face) for face in range(FACES)) or "-"


def tiles_text(tiles: int) -> str:
    """Tiles as ranges; a dash for none."""
    parts, tile = [], 0
    while tiles >> tile:
        if tiles >> tile & 1:
            first = tile
            while tiles >> tile + 1 & 1:
                tile += 1
            parts.append(f"{first + LOWEST}" + (f"-{tile + LOWEST}" if tile > first else ""))
        tile += 1
    return ",".join(parts) or "-"


def stack_of(s: State, seat: int) -> list[int]:
    """The tiles of a stack from bottom to top."""
    stack, tile = [], int(top(s, seat))
    while tile >= 0:
        stack.append(tile)
        tile = int(under(s, tile))
    return stack[::-1]


def turned_down(g: Params, s: State) -> int:
    """The tiles that are out of the game, as bits."""
    held = sum(1 << tile for seat in range(g.players) for tile in stack_of(s, seat))
    return (1 << g.tiles) - 1 - int(s.centre) - held


def text(g: Params, s: State) -> str:
    stacks = [",".join(str(t + LOWEST) for t in stack_of(s, seat)) or "-" for seat in range(g.players)]
    dice = " rolling" if s.rolling else f" rolled {dice_text(s.rolled)}" if s.rolled else ""
    return (
        f"p{s.mover + 1} kept {dice_text(s.kept)}{dice} centre {tiles_text(int(s.centre))} "
        f"stacks {' / '.join(stacks)} turned {tiles_text(turned_down(g, s))}"
    )


# --- reading -------------------------------------------------------------------------------------------------------
_DICE, _TILES = r"-|[1-5wW]{1,40}", r"[-\d,]{1,80}"
_PARTS = (
    r"p(?P<mover>\d{1,2})",
    rf" kept (?P<kept>{_DICE})",
    rf"(?P<rolling> rolling)?( rolled (?P<rolled>{_DICE}))?",
    rf" centre (?P<centre>{_TILES})",
    rf" stacks (?P<stacks>{_TILES}( / {_TILES})*)",
    rf" turned (?P<turned>{_TILES})",
)


def parse_dice(text: str, name: str, most: int) -> int:
    """Dice as text, packed."""
    if text == "-":
        return 0
    marks = text.lower()
    if not marks or set(marks) - set(MARKS):
        raise BadInput(f"{name} {text}: dice are written as 1 to 5 and w for a worm, e.g. 44w, or - for none")
    if len(marks) > most:
        raise BadInput(f"{name} {text}: {len(marks)} dice, but there are {most}")
    return sum(1 << BYTE * MARKS.index(mark) for mark in marks)


def parse_kept(text: str, most: int) -> int:
    """Dice aside: those of one face were set aside together, so they stand together."""
    runs = [mark for i, mark in enumerate(text.lower()) if i == 0 or text[i - 1].lower() != mark]
    if again := next((mark for mark in runs if runs.count(mark) > 1), ""):
        raise BadInput(f"kept {text}: face {again} is set aside twice; a face can be chosen once a turn, all its dice")
    return parse_dice(text, "kept", most)


def check_rolled(text: str, kept: int, rolled: int, dice: int) -> None:
    left = dice - number(kept)
    if number(rolled) != left:
        raise BadInput(f"rolled {text}: {number(rolled)} dice, but {number(kept)} are aside, so {left} are rolled")
    if not any(shown(rolled, face) and not shown(kept, face) for face in range(FACES)):
        raise BadInput(f"rolled {text}: no face that is not aside already, so the turn has failed")


TILES = re.compile(r"[0-9]{1,3}(-[0-9]{1,3})?")


def _tiles(g: Params, text: str, where: str) -> list[int]:
    """Tiles in the order they are written, from 0; ranges are allowed."""
    tiles: list[int] = []
    for part in text.split(",") if text != "-" else ():
        first, _, last = part.partition("-")
        if not TILES.fullmatch(part):
            raise BadInput(f"{where} {text}: tiles are written like 21,24-27, or - for none")
        tiles += range(int(first) - LOWEST, int(last or first) - LOWEST + 1)
    if outside := [tile for tile in tiles if not 0 <= tile < g.tiles]:
        raise BadInput(
            f"{where} {text}: there is no tile {outside[0] + LOWEST}; tiles are {LOWEST} to {LOWEST + g.tiles - 1}"
        )
    return tiles


def _check_places(g: Params, centre: list[int], stacks: list[list[int]], turned: list[int]) -> None:
    """Every tile is in one place."""
    places: dict[int, str] = {}
    named = [("the centre", centre), *((f"the stack of p{n + 1}", stack) for n, stack in enumerate(stacks))]
    for where, tiles in [*named, ("those turned down", turned)]:
        for tile in tiles:
            if tile in places:
                raise BadInput(f"tile {tile + LOWEST} is in two places: {places[tile]} and {where}")
            places[tile] = where
    if missing := [tile + LOWEST for tile in range(g.tiles) if tile not in places]:
        raise BadInput(f"tile {missing[0]} is nowhere: put it in the centre, in a stack, or among those turned down")


def _stacked(stacks: list[list[int]]) -> tuple[int, int, int]:
    """Stacks as the state has them: tops, low, high."""
    tops, words = 0, [0, 0]
    for seat, stack in enumerate(stacks):
        for tile, beneath in zip(stack[1:], stack, strict=False):
            words[tile // SLOTS] += (beneath + 1) << SLOT * (tile % SLOTS)
        tops += (stack[-1] + 1 if stack else 0) << SLOT * seat
    return tops, words[0], words[1]


def parse(g: Params, text: str) -> State:
    parts = read(text, _PARTS, EXAMPLE)
    mover, kept_text, rolled_text = int(parts["mover"] or 0), parts["kept"] or "", parts["rolled"] or "-"
    if not 1 <= mover <= g.players:
        raise BadInput(f"p{mover} is not a player; players are p1 to p{g.players}")
    kept = parse_kept(kept_text, g.dice)
    rolled = parse_dice(rolled_text, "rolled", g.dice)
    stacks = [_tiles(g, part, "stacks") for part in (parts["stacks"] or "").split(" / ")]
    if len(stacks) != g.players:
        raise BadInput(f"stacks {parts['stacks']}: {len(stacks)} stacks, but there are {g.players} players")
    centre, turned = (_tiles(g, parts[name] or "", name) for name in ("centre", "turned"))
    _check_places(g, centre, stacks, turned)
    if rolled and parts["rolling"]:
        raise BadInput(f"rolled {rolled_text}: dice lie on the table or are in the air (rolling), not both")
    if rolled:
        check_rolled(rolled_text, kept, rolled, g.dice)
    s = State(sum(1 << t for t in centre), *_stacked(stacks), kept, rolled, 1 if parts["rolling"] else 0, mover - 1)
    _check_turn(g, s)
    return s


def _check_turn(g: Params, s: State) -> None:
    """Whether a turn can stand like this."""
    if s.centre == 0:
        if s.kept or s.rolled or s.rolling:
            raise BadInput("centre -: the game is over, so no dice are kept or rolled")
        return
    if s.rolling and number(s.kept) == g.dice:
        raise BadInput(f"kept {dice_text(s.kept)}: no dice are left, so none are in the air")
    if not s.rolled and not s.rolling and stops(g, s, [0] * FACES) == (1 if number(s.kept) < g.dice else 0):
        raise BadInput(f"kept {dice_text(s.kept)}: there is no tile to stop for, so the dice go up: write rolling")


def move_text(g: Params, s: State, m: int) -> str:
    if m < FACES:
        return f"keep {MARKS[m] * shown(s.rolled, m)}"
    if m == CENTRE:
        return f"take {within_reach(g, s) + LOWEST}"
    if m == STEAL:
        seat = int(victim(g, s))
        return f"steal {top(s, seat) + LOWEST} from p{seat + 1}"
    return "roll"


def outcome_text(g: Params, s: State, i: int) -> str:
    return dice_text(int(g.rolls[g.dice - number(s.kept), i]))


def faces(g: Params, s: State, i: int) -> list[int | str]:
    return [mark if mark == "w" else int(mark) for mark in outcome_text(g, s, i)]
