"""Positions without a room: what can be done in one, its chances, and its board. For pages that explore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from hazard.rulebook import Position, make_game
from hazard.server.http.requests import read_body, wait_for_answer
from hazard.server.protocol import Refusal, Short
from hazard.server.rooms.game_record import facts_of

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer


MOST_OUTCOMES = 40


class PositionRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A position of a game."""

    game: Short
    parameters: dict[str, int | str] = {}
    position: Annotated[str, Meta(max_length=4000)] = ""  # empty: the one that a game starts with
    games: Annotated[float, Meta(ge=0, le=1e7)] = 2000  # rollouts to wait for, of analysis


async def _read_position(server: LabServer, request: Request) -> tuple[Position, float]:
    body = await read_body(server, request, PositionRequest)
    game = make_game(body.game, body.parameters)
    return game.parse(body.position) if body.position else game.start(), body.games


async def position(server: LabServer, request: Request) -> Any:
    """A position in its canonical text, with its legal moves, or the ways its dice can land, and where each leads."""
    position, _ = await _read_position(server, request)
    return {"game": position.game.name, "parameters": position.game.parameters} | described(position)


def described(position: Position) -> dict[str, Any]:
    """The facts about a position; `moves` also says where each leads."""
    game, texts = position.game, position.moves
    after = [str(Position(game, game.ask("move", position.state, m))) for m in position.legal()]
    return {
        "position": str(position),
        **facts_of(position, texts),
        "moves": dict(zip(texts, after, strict=True)),
        "payoffs": list(position.payoffs) if position.over else None,
        "seats": [game.seat_name(seat) for seat in range(game.seats)],
        "outcomes": _landings(position),
    }


def _landings(position: Position) -> list[dict[str, Any]]:
    """The ways that dice in the air can land and where each leads, unless there are many."""
    if not position.rolling or position.game.ask("chance", position.state) > MOST_OUTCOMES:
        return []
    return [
        {
            "outcome": o.text,
            "probability": float(o.probability),
            "position": str(o.position),
            "faces": position.faces(i),
        }
        for i, o in enumerate(position.outcomes())
    ]


async def analysis(server: LabServer, request: Request) -> Any:
    """The analysis of a position after a little time."""
    position, games = await _read_position(server, request)
    if position.over:
        raise Refusal("state", f"{str(position)[:200]!r} is over; there is nothing to analyse")
    server.rooms.check_open(position.game, str(position))
    answers = server.workers.analyse(position.game.name, position.game.parameters, str(position))
    return await wait_for_answer(answers, games)


async def board(server: LabServer, request: Request) -> Any:
    """What a picture of the board needs besides the text of a position, for games that have more than that."""
    position, _ = await _read_position(server, request)
    board = position.game.declaration.board
    return {"board": board(position.game.table, position.state) if board else None}


ROUTES = (
    ("/api/positions", "POST", position),
    ("/api/analysis", "POST", analysis),
    ("/api/boards", "POST", board),
)
