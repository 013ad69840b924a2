"""Rooms over HTTP: making and entering them, their positions, files and analysis."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from hazard.server.http.quotas import ROOM
from hazard.server.http.requests import as_text, number, number_in, read_body, read_bytes, wait_for_answer
from hazard.server.protocol import AnyEvent, Moved, PositionEvent, Promise, Refusal, Rolled, Short, TookBack
from hazard.server.rooms.game_file import file_bytes, read_file
from hazard.server.rooms.game_record import facts_of
from hazard.server.rooms.room import Room
from hazard.server.rooms.setting import Setting
from hazard.server.rooms.signing import is_signed
from hazard.server.rooms.store import RoomSummary
from hazard.server.visitors import visitor

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer


class SeatRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to take."""

    seat: int | None = None  # any that is open
    kind: Literal["person", "bot"] = "person"
    name: Short = ""
    promise: Promise = ""  # the SHA-256 of its part in the first throw, if it takes part in the dice
    key: Annotated[str, Meta(pattern="^$|^[ -~]{16,64}$")] = ""  # to ask again if the answer is lost: random, secret


class RoomRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A room to make, and perhaps a seat to take in it."""

    room: Setting
    sit: SeatRequest | None = None


class BranchRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A room to make that starts from a position of another."""

    seq: int
    room: Setting | None = None
    sit: SeatRequest | None = None


async def room_of(server: LabServer, request: Request) -> Room:
    return await server.rooms.get(request.path_params["room"])


# --- rooms ------------------------------------------------------------------------------------------------------------
def _row(row: RoomSummary) -> dict[str, Any]:
    return {
        "room": row.room,
        "status": row.status,
        "game": row.setting.game,
        "parameters": row.setting.parameters,
        "seats": row.names,
        "payoffs": row.payoffs,
        "source": row.source,
        "created": row.created,
        "changed": row.changed,
    }


async def rooms(server: LabServer, request: Request) -> Any:
    return {"rooms": [_row(row) for row in await server.rooms.listed()]}


async def finished(server: LabServer, request: Request) -> Any:
    """Finished games, the latest first; `before` is the time of the last row of the page before."""
    rows = await server.rooms.finished(number(request, "before", 1e18))
    return {"games": [_row(row) for row in rows if row.setting.listed or row.source in ("upload", "signed")]}


async def create(server: LabServer, request: Request) -> Any:
    body = await read_body(server, request, RoomRequest)
    await _check(server, body.room)
    room = await server.rooms.create(msgspec.structs.replace(body.room, origin=None))
    return await _with_seat(room, body.sit)


async def _check(server: LabServer, setting: Setting) -> None:
    """Refuse a room that would take more than there is, before anything of it is made here."""
    server.quotas.store(visitor.get(), ROOM)
    await server.workers.check_room(setting, server.limits.longest_answer)


async def branch(server: LabServer, request: Request) -> Any:
    body = await read_body(server, request, BranchRequest)
    server.quotas.store(visitor.get(), ROOM)
    room = await server.rooms.branch(request.path_params["room"], body.seq, body.room)
    return await _with_seat(room, body.sit)


async def sit(server: LabServer, request: Request) -> Any:
    body = await read_body(server, request, SeatRequest)
    return await _with_seat(await room_of(server, request), body)


async def _with_seat(room: Room, wanted: SeatRequest | None) -> dict[str, Any]:
    """What a client needs to play in a room; a seat is taken if one is wanted."""
    answer: dict[str, Any] = {"room": room.name, "commitment": room.record.commitment}
    if wanted:
        seat, token = await room.sit(wanted.seat, wanted.kind, wanted.name, wanted.key, wanted.promise)
        answer |= {"seat": seat, "token": token}
    return answer


async def snapshot(server: LabServer, request: Request) -> Any:
    return (await room_of(server, request)).snapshot(None, int(number(request, "since", 0)))


async def position(server: LabServer, request: Request) -> Any:
    """The position after an event, with the legal moves there."""
    room = await room_of(server, request)
    position = room.game.parse(room.position_at(number_in(request, "seq")))
    return {"position": str(position)} | facts_of(position, position.moves)


# --- files ------------------------------------------------------------------------------------------------------------
async def download(server: LabServer, request: Request) -> Any:
    room = await room_of(server, request)
    content = await asyncio.to_thread(_content, server, room)
    headers = {"content-disposition": f'attachment; filename="{room.game.name}-{room.name}.json"'}
    return Response(content, headers=headers, media_type="application/json")


def _content(server: LabServer, room: Room) -> bytes:
    """The room's game as a file; a long one takes a while."""
    return file_bytes(server.rooms.file_of(room))


async def upload(server: LabServer, request: Request) -> Any:
    with server.quotas.uploading(visitor.get()):
        content = await read_bytes(request, server.limits.upload)
        server.quotas.store(visitor.get(), len(content))
        found = await server.workers.check_file(as_text(content))
        file = await asyncio.to_thread(read_file, content)
        signed = await asyncio.to_thread(is_signed, file, server.rooms.key)
        name = await server.rooms.upload(file, "", "signed" if signed else "upload", found["parameters"])
        return {"room": name, "checks": found["checks"], "signed": signed}


async def verify(server: LabServer, request: Request) -> Any:
    """The checks of a room's game."""
    room = await room_of(server, request)
    content = await asyncio.to_thread(_content, server, room)
    checks = (await server.workers.check_file(content.decode()))["checks"]
    return {"passed": all(check["passed"] for check in checks), "checks": checks}


# --- analysis ---------------------------------------------------------------------------------------------------------
async def analysis(server: LabServer, request: Request) -> Any:
    """The analysis of a position after a little time; `games` rollouts are waited for."""
    room, seq = await room_of(server, request), int(number(request, "seq", 0))
    _may_analyse(room)
    position = room.position_at(seq)
    server.rooms.check_open(room.game, position)
    source = server.workers.analyse(room.game.name, room.game.parameters, position)
    return await wait_for_answer(source, number(request, "games", 2000))


async def review(server: LabServer, request: Request) -> Any:
    """Luck and skill of a game so far."""
    room = await room_of(server, request)
    _may_analyse(room)
    if not room.record.trail:
        raise Refusal("state", "the game has not begun")
    server.rooms.check_open(room.game, *(e.position for e in room.record.full_events if isinstance(e, PositionEvent)))
    start = str(room.record.trail[0].position)
    source = server.workers.review(room.game.name, room.game.parameters, start, steps_of(room.record.events))
    return await wait_for_answer(source, number(request, "games", 200))


def _may_analyse(room: Room) -> None:
    if not room.may_analyse:
        raise Refusal("state", "there is no analysis in this room before the game is over")


def steps_of(events: list[AnyEvent]) -> list[str]:
    """The moves and rolls of a game as text, without what was taken back."""
    steps: list[Moved | Rolled] = []
    for event in events:
        if isinstance(event, Moved | Rolled):
            steps.append(event)
        elif isinstance(event, TookBack):
            steps = [step for step in steps if step.seq <= event.to]
    return [step.move if isinstance(step, Moved) else step.dice for step in steps]


ROUTES = (
    ("/api/rooms", "GET", rooms),
    ("/api/rooms", "POST", create),
    ("/api/rooms/{room}", "GET", snapshot),
    ("/api/rooms/{room}/seats", "POST", sit),
    ("/api/rooms/{room}/branch", "POST", branch),
    ("/api/rooms/{room}/positions/{seq}", "GET", position),
    ("/api/rooms/{room}/file", "GET", download),
    ("/api/rooms/{room}/verify", "GET", verify),
    ("/api/rooms/{room}/analysis", "GET", analysis),
    ("/api/rooms/{room}/review", "GET", review),
    ("/api/files", "POST", upload),
    ("/api/finished", "GET", finished),
)
