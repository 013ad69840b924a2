"""Positions without a room: what can be done in one, its chances, and its board. For pages that explore."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from hazard.rulebook import make_game
from hazard.server.http.requests import read_body, wait_for_answer
from hazard.server.protocol import Parameters, Refusal, Short

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer


class PositionRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A position of a game."""

    game: Short
    parameters: Parameters = {}
    position: Annotated[str, Meta(max_length=4000)] = ""  # empty: the one that a game starts with
    games: Annotated[float, Meta(ge=0, le=1e7)] = 2000  # rollouts to wait for, of analysis


async def position(server: LabServer, request: Request) -> Any:
    """A position in its canonical text, with its legal moves, or the ways its dice can land, and where each leads."""
    body = await read_body(server, request, PositionRequest)
    return await server.workers.look(body.game, body.parameters, body.position)


async def analysis(server: LabServer, request: Request) -> Any:
    """The analysis of a position after a little time."""
    body = await read_body(server, request, PositionRequest)
    found = await server.workers.look(body.game, body.parameters, body.position)
    if found["over"]:
        raise Refusal("state", f"{found['position'][:200]!r} is over; there is nothing to analyse")
    await check_open(server, found)
    answers = server.workers.analyse(found["game"], found["parameters"], found["position"])
    return await wait_for_answer(answers, body.games)


async def check_open(server: LabServer, found: dict[str, Any]) -> None:
    """Refuse to analyse what a room keeps for the end of its game."""
    game = await asyncio.to_thread(make_game, found["game"], found["parameters"])
    server.rooms.check_open(game, found["position"])


async def board(server: LabServer, request: Request) -> Any:
    """What a picture of the board needs besides the text of a position, for games that have more than that."""
    body = await read_body(server, request, PositionRequest)
    return await server.workers.look(body.game, body.parameters, body.position, "board")


ROUTES = (
    ("/api/positions", "POST", position),
    ("/api/analysis", "POST", analysis),
    ("/api/boards", "POST", board),
)
