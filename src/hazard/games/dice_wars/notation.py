"""Dice Wars in words: its parameters, and positions as text.

`map 7 p1 A3 B1 B8 A2 reserves 0,4 out - turn 6`: the number of the map, who is to move, owner and dice of every
territory in order, the dice in reserve, who is out (the first to go first) and the turns played. `attack 3>4` before
`turn` says that the dice of a battle are in the air, `placing 5` that five dice are still to be placed, `over` that
turns ran out or one player owns all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from hazard.declaration import Parameter
from hazard.dice import battle
from hazard.errors import BadInput
from hazard.games.dice_wars.land import (
    BATTLE,
    CHOOSE,
    MOST,
    OVER,
    PLACE,
    WORD,
    Params,
    State,
    dice_on,
    owned,
    owner,
    reserve,
)
from hazard.games.dice_wars.maps.files import load_map
from hazard.games.dice_wars.maps.grow import LARGEST, beside, map_of, whole
from hazard.games.dice_wars.rules import END, LOST, fanout, legal, with_room
from hazard.notation import read

PARAMETERS = (
    Parameter("players", 2, "players", 2, 8),
    Parameter("territories", "29-31", "territories of a map: a number, or the fewest and the most"),
    Parameter("grid", "28x32", "rows and columns of hexes that maps are grown on"),
    Parameter("map", "random", "random for a new one in each game, the number of a map, or a file"),
    Parameter("max_dice", 8, "the most dice on a territory", 2, 8),
    Parameter("max_reserve", 64, "the most dice that a player may have to place", 1, 127),
    Parameter("turns", 5000, "turns after which nobody has won", 1, 1_000_000),
)
EXAMPLE = "map 7 p1 A3 B1 B8 A2 reserves 0,4 out - turn 6"
LETTERS = "ABCDEFGH"
SEATS = tuple(LETTERS)


def _numbers(name: str, text: str, pattern: str, example: str) -> list[int]:
    found = re.fullmatch(pattern, text, re.ASCII)
    if not found:
        raise BadInput(f"{name}={text}: write it like {example}")
    return [int(n) for n in found.groups() if n]


def _territories(text: str, players: int) -> tuple[int, int]:
    found = _numbers("territories", text, r"(\d{1,4})(?:-(\d{1,4}))?", "30 or 29-31")
    fewest, most = found[0], found[-1]
    if not 2 <= fewest <= most <= MOST:
        raise BadInput(f"territories={text}: must be from 2 to {MOST}, the fewest first")
    if fewest < players:
        raise BadInput(f"territories={text}: {players} players need {players} territories or more")
    return fewest, most


def _grid(text: str, most: int) -> tuple[int, int]:
    rows, columns = _numbers("grid", text, r"(\d{1,4})x(\d{1,4})", "28x32 (rows x columns)")
    if not (4 <= rows <= 100 and 4 <= columns <= 100):
        raise BadInput(f"grid={text}: must be from 4x4 to 100x100")
    if rows * columns < (need := most * LARGEST * 3 // 2):
        raise BadInput(f"grid={text}: {rows * columns} hexes, but {most} territories need {need} or more to grow on")
    return rows, columns


def _odds(most: int) -> dict[str, np.ndarray]:
    """How many rolls of some dice beat those of others, of how many."""
    win, every = np.zeros((most + 1, most + 1), np.int64), np.ones((most + 1, most + 1), np.int64)
    for a in range(1, most + 1):
        for b in range(1, most + 1):
            every[a, b] = 6 ** (a + b)
            win[a, b] = int(battle(a, b) * int(every[a, b]))
    fair = (np.uint64(2**64 - 1) // every.astype(np.uint64)) * every.astype(np.uint64)
    return {"win": win, "every": every, "fair": fair, "odds": win / every}


def make(parameters: Mapping[str, Any]) -> Params:
    players, given = parameters["players"], str(parameters["map"])
    fewest, most = _territories(str(parameters["territories"]), players)
    rows, columns = _grid(str(parameters["grid"]), most)
    filed = None if given == "random" or _is_number(given) else load_map(given, players)
    rows, columns = filed.shape if filed is not None else (rows, columns)
    return Params(
        players,
        fewest,
        most,
        parameters["max_dice"],
        parameters["max_reserve"],
        parameters["turns"],
        fixed=0 if given == "random" else 1,
        number=int(given) if _is_number(given) else 0,
        size=np.array([rows, columns]),
        beside=beside(rows, columns),
        areas=np.zeros((0, 0), np.int16) if filed is None else filed,
        **_odds(parameters["max_dice"]),
        scratch=(),
    )


def _is_number(given: str) -> bool:
    return given.isascii() and given.isdigit() and len(given) < 14 and 1 <= int(given) < 1 << 40


# --- text --------------------------------------------------------------------------------------------------------
def lands_of(g: Params, s: State) -> int:
    """How many territories the map has."""
    with np.errstate(over="ignore"):
        return int(g.scratch.counts[map_of(g, s), 0])


def text(g: Params, s: State) -> str:
    lands = " ".join(f"{LETTERS[owner(s, n)]}{dice_on(s, n)}" for n in range(lands_of(g, s)))
    fallen = [LETTERS[(int(s.fallen) >> 4 * n & 15) - 1] for n in range(g.players) if int(s.fallen) >> 4 * n & 15]
    reserves = ",".join(str(int(reserve(s, seat))) for seat in range(g.players))
    head = f"map {s.map} p{s.mover + 1} {lands} reserves {reserves}"
    return f"{head} out {','.join(fallen) or '-'}{_doing(g, s)} turn {s.turn}"


def _doing(g: Params, s: State) -> str:
    if s.phase == BATTLE:
        return f" attack {edge_text(g, s, s.attack)}"
    return {PLACE: f" placing {s.left}", OVER: " over"}.get(int(s.phase), "")


def edge_text(g: Params, s: State, edge: int) -> str:
    source, target = g.scratch.edges[map_of(g, s), edge]
    return f"{source + 1}>{target + 1}"


def move_text(g: Params, s: State, m: int) -> str:
    return "end" if m == END else edge_text(g, s, m)


def outcome_text(g: Params, s: State, i: int) -> str:
    if s.phase == BATTLE:
        return "lost" if i == LOST else "won"
    full = whole(g, map_of(g, s))
    own = with_room(g, s, owned(s, s.mover, full))
    room = [n for n in range(MOST) if own >> n & 1]
    return f"a die on {room[i] + 1}"


# --- reading -----------------------------------------------------------------------------------------------------
_PARTS = (
    r"map (?P<map>\d{1,12})",
    r" p(?P<mover>\d{1,2})",
    r"(?P<lands>( [A-Z]\d{1,3})+)",
    r" reserves (?P<reserves>\d{1,4}(,\d{1,4})*)",
    r" out (?P<out>-|[A-Z](,[A-Z])*)",
    r"( attack (?P<attack>\d{1,3}>\d{1,3}))?( placing (?P<placing>\d{1,4}))?(?P<over> over)?",
    r" turn (?P<turn>\d{1,7})",
)


def parse(g: Params, text: str) -> State:
    found = read(text, _PARTS, EXAMPLE)
    number, mover = int(found["map"] or 0), int(found["mover"] or 0)
    if not g.fixed and not 1 <= number < 1 << 40:
        raise BadInput(f"map {number}: numbers of maps begin with 1")
    if g.fixed and number != int(g.scratch.keys[0]):
        raise BadInput(f"map {number}: these parameters fix the map {g.scratch.keys[0]}")
    if not 1 <= mover <= g.players:
        raise BadInput(f"p{mover} is not a player; players are p1 to p{g.players}")
    s = _placed(g, State(number, 0, 0, 0, 0, 0, 0, 0, CHOOSE, -1, 0, 0, mover - 1), (found["lands"] or "").split())
    s = s._replace(reserves=_reserves(g, found["reserves"] or ""), turn=int(found["turn"] or 0))
    s = s._replace(fallen=_fallen(g, s, found["out"] or "-"))
    if s.turn > g.turns:
        raise BadInput(f"turn {s.turn}: games end after {g.turns} turns")
    return _checked(g, s, found)


def _placed(g: Params, s: State, lands: list[str]) -> State:
    """Owners and dice of all territories."""
    if len(lands) != lands_of(g, s):
        raise BadInput(f"{len(lands)} territories, but map {s.map} has {lands_of(g, s)}")
    planes, words = [0, 0, 0], [0, 0]
    for n, land in enumerate(lands):
        seat, dice = ord(land[0]) - ord("A"), int(land[1:])
        if seat >= g.players:
            raise BadInput(f"{land}: there is no player {land[0]}; players are A to {LETTERS[g.players - 1]}")
        if not 1 <= dice <= g.max_dice:
            raise BadInput(f"{land}: a territory has 1 to {g.max_dice} dice")
        for bit in range(3):
            planes[bit] |= (seat >> bit & 1) << n
        words[n // WORD] |= (dice - 1) << 3 * (n % WORD)
    return s._replace(low=planes[0], middle=planes[1], high=planes[2], dice=words[0], more=words[1])


def _reserves(g: Params, text: str) -> int:
    reserves = [int(n) for n in text.split(",")]
    if len(reserves) != g.players or max(reserves) > g.max_reserve:
        raise BadInput(f"reserves {text}: there are {g.players} players with up to {g.max_reserve} dice each")
    return sum(n << 7 * seat for seat, n in enumerate(reserves))


def _fallen(g: Params, s: State, text: str) -> int:
    """Who is out: exactly those without a territory."""
    named = [LETTERS.find(letter) for letter in text.split(",")] if text != "-" else []
    full = (1 << lands_of(g, s)) - 1
    without = [seat for seat in range(g.players) if not owned(s, seat, full)]
    if sorted(named) != without:
        right = ",".join(LETTERS[seat] for seat in without) or "-"
        raise BadInput(f"out {text}: those without a territory are {right}, in the order in which they fell")
    return sum((seat + 1) << 4 * n for n, seat in enumerate(named))


def _checked(g: Params, s: State, found: Mapping[str, str | None]) -> State:
    """The position with its phase, if it can be in that phase."""
    full = (1 << lands_of(g, s)) - 1
    own, ended = owned(s, s.mover, full), s.turn == g.turns
    if not own:
        raise BadInput(f"p{s.mover + 1} has no territory, so another player is to move")
    if (own == full or ended) != bool(found["over"]):
        raise BadInput("`over` is written just where one player owns all, or turns have run out")
    if found["over"]:
        return s._replace(phase=OVER)
    if found["attack"]:
        return s._replace(phase=BATTLE, attack=_edge(g, s, found["attack"]))
    if found["placing"]:
        if not 1 <= int(found["placing"]) <= g.max_reserve or not with_room(g, s, own):
            raise BadInput(
                f"placing {found['placing']}: from 1 to {g.max_reserve} dice, and there must be room for one"
            )
        return s._replace(phase=PLACE, left=int(found["placing"]))
    return s


def _edge(g: Params, s: State, text: str) -> int:
    moves = np.zeros(fanout(g), np.int64)
    for edge in moves[: legal(g, s, moves) - 1]:
        if edge_text(g, s, edge) == text:
            return int(edge)
    raise BadInput(f"attack {text}: not an attack that p{s.mover + 1} can make")
