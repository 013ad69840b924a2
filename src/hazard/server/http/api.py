"""What the HTTP API answers: games, rooms, finished games, files, analysis. Answers are JSON."""

from __future__ import annotations

import asyncio
import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from hazard.fingerprint import PACKAGE
from hazard.rulebook import declared, game, game_names
from hazard.server.http.requests import best, body_of, number, wish
from hazard.server.protocol import AnyEvent, Moved, Refusal, Rolled, Short, TookBack
from hazard.server.rooms.game_file import Check, GameFile, file_bytes, read_file, verified, write_file
from hazard.server.rooms.room import Room
from hazard.server.rooms.setting import Setting
from hazard.server.rooms.store import Listed

if TYPE_CHECKING:
    from hazard.server.http.app import Lab


class SitDown(msgspec.Struct, forbid_unknown_fields=True):
    """A wish for a seat."""

    seat: int | None = None  # any that is open
    kind: Literal["person", "bot"] = "person"
    name: Short = ""
    words: Short = ""  # its part in the dice
    key: Annotated[str, Meta(pattern="^$|^[ -~]{16,64}$")] = ""  # to ask again if the answer is lost: random, secret


class NewRoom(msgspec.Struct, forbid_unknown_fields=True):
    """A wish for a room, and perhaps for a seat in it."""

    room: Setting
    sit: SitDown | None = None


class Branch(msgspec.Struct, forbid_unknown_fields=True):
    """A wish for a room that starts from a position of another."""

    seq: int
    room: Setting | None = None
    sit: SitDown | None = None


async def room_of(lab: Lab, request: Request) -> Room:
    return await lab.rooms.get(request.path_params["room"])


# --- games and rooms --------------------------------------------------------------------------------------------------
@cache
def all_games() -> dict[str, Any]:
    return {"games": {name: _game_data(name) for name in game_names()}}


def _game_data(name: str) -> dict[str, Any]:
    words, made = declared(name), game(name)
    parameters = [
        {"name": p.name, "default": p.default, "range": p.range, "help": p.help, "choices": p.choices}
        for p in words.parameters
    ]
    agents = {key: {"summary": agent.summary, "slow": agent.slow, "solved": agent.solved} for key, agent in made.agents.items()}
    titles = [made.seat_name(seat) for seat in range(made.seats)]
    texts = {"title": words.title, "summary": words.summary, "position": words.notation.EXAMPLE}
    folder = PACKAGE / "games" / name.replace("-", "_") / "web"
    web = [part for part in ("board", "card", "explore") if (folder / f"{part}.js").exists()]
    lab = dataclasses.asdict(words.lab) | {"web": web}
    return texts | {"seats": titles, "parameters": parameters, "agents": agents, "rules": made.version, "lab": lab}


async def games(lab: Lab, request: Request) -> Any:
    return await asyncio.get_running_loop().run_in_executor(None, all_games)


def _row(row: Listed) -> dict[str, Any]:
    setting = row.setting
    found = {"room": row.room, "status": row.status, "game": setting.game, "parameters": setting.parameters}
    told = {"seats": row.names, "payoffs": row.payoffs, "source": row.source}
    return found | told | {"created": row.created, "changed": row.changed}


async def rooms(lab: Lab, request: Request) -> Any:
    return {"rooms": [_row(row) for row in await lab.rooms.listed()]}


async def finished(lab: Lab, request: Request) -> Any:
    """Finished games, the latest first; `before` is the time of the last row of the page before."""
    rows = await lab.rooms.finished(number(request, "before", 1e18))
    return {"games": [_row(row) for row in rows if row.setting.listed or row.source == "upload"]}


async def create(lab: Lab, request: Request) -> Any:
    asked = await wish(lab, request, NewRoom)
    made = await lab.rooms.create(msgspec.structs.replace(asked.room, origin=None))
    return await _sat(made, asked.sit)


async def branch(lab: Lab, request: Request) -> Any:
    asked = await wish(lab, request, Branch)
    made = await lab.rooms.branch(request.path_params["room"], asked.seq, asked.room)
    return await _sat(made, asked.sit)


async def sit(lab: Lab, request: Request) -> Any:
    asked = await wish(lab, request, SitDown)
    return await _sat(await room_of(lab, request), asked)


async def _sat(room: Room, asked: SitDown | None) -> dict[str, Any]:
    found: dict[str, Any] = {"room": room.name, "commitment": room.table.commitment}
    if asked:
        found["seat"], found["token"] = await room.sit(asked.seat, asked.kind, asked.name, asked.words, asked.key)
    return found


async def look(lab: Lab, request: Request) -> Any:
    return (await room_of(lab, request)).snapshot(None, int(number(request, "since", 0)))


async def position(lab: Lab, request: Request) -> Any:
    """The position after an event, with the legal moves there."""
    room = await room_of(lab, request)
    text = room.position_at(request.path_params["seq"])
    found = room.game.parse(text)
    mover = None if found.over or found.rolling else found.mover
    return {"position": text, "mover": mover, "moves": found.moves, "over": found.over, "rolling": found.rolling}


# --- files ------------------------------------------------------------------------------------------------------------
async def download(lab: Lab, request: Request) -> Any:
    room = await room_of(lab, request)
    file = write_file(room.game, room.table, room.name, room.created, room.setting.origin, room.setting.drawn)
    headers = {"content-disposition": f'attachment; filename="{room.game.name}-{room.name}.json"'}
    return Response(file_bytes(file), headers=headers, media_type="application/json")


async def upload(lab: Lab, request: Request) -> Any:
    file = read_file(await body_of(request, lab.limits.upload))
    name = await lab.rooms.upload(file)
    return {"room": name, "checks": await _checks(lab, file)}


async def verify(lab: Lab, request: Request) -> Any:
    """The checks of a game that is kept here."""
    room = await room_of(lab, request)
    file = write_file(room.game, room.table, room.name, drawn=room.setting.drawn)
    checks = await _checks(lab, file)
    return {"passed": all(check.passed for check in checks), "checks": checks}


async def _checks(lab: Lab, file: GameFile) -> list[Check]:
    async with lab.rooms.checking:
        return await asyncio.get_running_loop().run_in_executor(None, verified, file)


# --- analysis ---------------------------------------------------------------------------------------------------------
async def analysis(lab: Lab, request: Request) -> Any:
    """What is known of a position after a little time; `games` rollouts are waited for."""
    room, seq = await room_of(lab, request), int(number(request, "seq", 0))
    _may_analyse(room)
    source = lab.workers.analyse(room.game.name, room.game.parameters, room.position_at(seq))
    return await best(source, number(request, "games", 2000))


async def review(lab: Lab, request: Request) -> Any:
    """Luck and skill of a game so far."""
    room = await room_of(lab, request)
    _may_analyse(room)
    if not room.table.trail:
        raise Refusal("state", "the game has not begun")
    start = str(room.table.trail[0].position)
    source = lab.workers.review(room.game.name, room.game.parameters, start, steps_of(room.table.events))
    return await best(source, number(request, "games", 200))


def _may_analyse(room: Room) -> None:
    if not room.may_analyse:
        raise Refusal("state", "there is no analysis in this room before the game is over")


def steps_of(events: list[AnyEvent]) -> list[str]:
    """The moves and rolls of a game as text, without what was taken back."""
    kept: list[Moved | Rolled] = []
    for event in events:
        if isinstance(event, Moved | Rolled):
            kept.append(event)
        elif isinstance(event, TookBack):
            kept = [old for old in kept if old.seq <= event.to]
    return [event.move if isinstance(event, Moved) else event.dice for event in kept]


ROUTES = (
    ("/api/games", "GET", games),
    ("/api/rooms", "GET", rooms),
    ("/api/rooms", "POST", create),
    ("/api/rooms/{room}", "GET", look),
    ("/api/rooms/{room}/seats", "POST", sit),
    ("/api/rooms/{room}/branch", "POST", branch),
    ("/api/rooms/{room}/positions/{seq:int}", "GET", position),
    ("/api/rooms/{room}/file", "GET", download),
    ("/api/rooms/{room}/verify", "GET", verify),
    ("/api/rooms/{room}/analysis", "GET", analysis),
    ("/api/rooms/{room}/review", "GET", review),
    ("/api/files", "POST", upload),
    ("/api/finished", "GET", finished),
)
