"""Positions without a room: what is to do in one, its chances, and the board it stands on. For pages that explore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from hazard.rulebook import Position, make_game
from hazard.server.http.requests import best, wish
from hazard.server.protocol import Refusal, Short

if TYPE_CHECKING:
    from hazard.server.http.app import Lab


MOST_OUTCOMES = 40


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """A position of a game."""

    game: Short
    parameters: dict[str, int | str] = {}
    position: Annotated[str, Meta(max_length=4000)] = ""  # empty: the one that a game starts with
    games: Annotated[float, Meta(ge=0, le=1e7)] = 2000  # rollouts to wait for, of analysis


async def _asked(lab: Lab, request: Request) -> tuple[Position, float]:
    asked = await wish(lab, request, Asked)
    game = make_game(asked.game, asked.parameters)
    return game.parse(asked.position) if asked.position else game.start(), asked.games


async def position(lab: Lab, request: Request) -> Any:
    """A position in its canonical text, with its legal moves, or the ways its dice can land, and where each leads."""
    found, _ = await _asked(lab, request)
    return {"game": found.game.name, "parameters": found.game.parameters} | described(found)


def described(found: Position) -> dict[str, Any]:
    game, mover = found.game, None if found.over or found.rolling else found.mover
    after = [game.ask("move", found.state, m) for m in found.legal()] if mover is not None else []
    texts = {move: str(Position(game, state)) for move, state in zip(found.moves, after, strict=True)} if after else {}
    payoffs = list(found.payoffs) if found.over else None
    titles = [game.seat_name(seat) for seat in range(game.seats)]
    told = {"position": str(found), "mover": mover, "moves": texts, "over": found.over, "rolling": found.rolling}
    return told | {"payoffs": payoffs, "seats": titles, "outcomes": _landings(found)}


def _landings(found: Position) -> list[dict[str, Any]]:
    """The ways that dice in the air can land and where each leads, unless there are many."""
    ways = found.outcomes() if found.rolling else []
    told = [{"outcome": o.text, "probability": float(o.probability), "position": str(o.position)} for o in ways]
    return told if len(told) <= MOST_OUTCOMES else []


async def analysis(lab: Lab, request: Request) -> Any:
    """What is known of a position after a little time."""
    found, games = await _asked(lab, request)
    if found.over:
        raise Refusal("state", f"{str(found)[:200]!r} is over; there is nothing to analyse")
    return await best(lab.workers.analyse(found.game.name, found.game.parameters, str(found)), games)


async def board(lab: Lab, request: Request) -> Any:
    """What a picture of the board needs beside the text of a position, for games that have more than that."""
    found, _ = await _asked(lab, request)
    board = found.game.declaration.board
    return {"board": board(found.game.table, found.state) if board else None}


ROUTES = (
    ("/api/positions", "POST", position),
    ("/api/analysis", "POST", analysis),
    ("/api/boards", "POST", board),
)
