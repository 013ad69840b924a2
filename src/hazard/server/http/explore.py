"""Solved games to explore: maps and tables that are worked out by a worker once, kept, and handed on in parts.

Whoever asks for what is still being worked out is told so after a while, by status 202 and `waiting`, and asks again.
"""

from __future__ import annotations

import asyncio
import base64
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from hazard.errors import BadInput
from hazard.rulebook import Game, make_game
from hazard.server.http import positions
from hazard.server.http.requests import number, wish
from hazard.server.protocol import Refusal, Short

if TYPE_CHECKING:
    from hazard.server.http.app import Lab

GREAT = "great-rolled-ones"
KEPT = 64  # answers that are remembered, a few of them some megabytes
LARGE = 6  # of those with a table of values
WAITING = 8  # questions that may wait for a worker
PATIENCE = 12.0  # seconds that a request waits
AGAIN = "still being worked out (the first time a solver is compiled, which takes half a minute or so); ask again"


Handler = Callable[["Lab", Request], Awaitable[Any]]


class Shelf:
    """What has been worked out lately."""

    def __init__(self, workers: Any) -> None:
        self.workers = workers
        self.kept: OrderedDict[Any, asyncio.Task[dict[str, Any]]] = OrderedDict()

    async def find(self, game: Game, about: str = "") -> dict[str, Any]:
        """What there is to see, if it is known or known soon."""
        key = (game.name, *sorted(game.parameters.items()), about)
        if key not in self.kept:
            self.kept[key] = self._begin(game, about)
        self.kept.move_to_end(key)
        self._make_room(game.name)
        return await self._wait(key)

    def _begin(self, game: Game, about: str) -> asyncio.Task[dict[str, Any]]:
        if sum(not task.done() for task in self.kept.values()) >= WAITING:
            raise Refusal("busy", "much is being worked out already; ask again in a moment")
        task = asyncio.create_task(self.workers.explore(game.name, game.parameters, about))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # heard, if nobody waits any more
        return task

    async def _wait(self, key: Any) -> dict[str, Any]:
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self.kept[key])
        except TimeoutError:
            raise Refusal("busy", AGAIN) from None
        except BaseException:
            if key in self.kept and self.kept[key].done():
                del self.kept[key]  # it failed: whoever asks next tries anew
            raise

    def _make_room(self, name: str) -> None:
        same = [key for key in self.kept if key[0] == name]
        for key in same[: -LARGE if name == GREAT else -KEPT]:
            if self.kept[key].done():
                del self.kept[key]


def _game(name: str, request: Request, names: tuple[str, ...]) -> Game:
    """The game with the parameters of an address."""
    given = dict(request.query_params)
    if unknown := [key for key in given if key not in (*names, "seat", "own")]:
        raise BadInput(f"{unknown[0][:40]!r} is not known here; known: {', '.join(names)}")
    return make_game(name, {key: value[:40] for key, value in given.items() if key in names})


async def _policy(lab: Lab, request: Request) -> dict[str, Any]:
    return await lab.shelf.find(_game(GREAT, request, ("goal", "dice", "bust", "sides")))


async def policy(lab: Lab, request: Request) -> Any:
    """Great Rolled Ones: the maps of both players; what moves are worth is asked for apart."""
    found = await _policy(lab, request)
    seats = [{name: part for name, part in seat.items() if name != "worth"} for seat in found["seats"]]
    return found | {"seats": seats}


async def worth(lab: Lab, request: Request) -> Any:
    """What rolling and holding are worth with one own score: single precision, [other, ones, pot, move]."""
    found = await _policy(lab, request)
    seat, own = int(number(request, "seat", 0, 1)), int(number(request, "own", 0, found["goal"] - 1))
    size = found["goal"] * found["bust"] * found["seats"][seat]["pots"] * 2 * 4
    row = _part(found["seats"][seat]["worth"], own * size, size)
    return Response(row, headers={"cache-control": "max-age=3600"}, media_type="application/octet-stream")


def _part(text: str, first: int, size: int) -> bytes:
    """Some bytes of a text in base64, without reading all of it."""
    begin = first // 3 * 4
    end = -(-(first + size) // 3) * 4
    found = base64.b64decode(text[begin:end])
    return found[first % 3 : first % 3 + size]


async def war(lab: Lab, request: Request) -> Any:
    """Risk: chances of all battles up to some armies, and the best answers to every roll."""
    return await lab.shelf.find(_game("risk", request, ("attackers", "defenders", "objective")))


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    """A position of Pickomino."""

    parameters: dict[Short, int | str] = {}
    position: Annotated[str, Meta(max_length=400)] = ""


async def turn(lab: Lab, request: Request) -> Any:
    """Pickomino: what to do, how likely each score and each tile is."""
    asked = await wish(lab, request, Turn)
    game = make_game("pickomino", asked.parameters)
    return await lab.shelf.find(game, str(game.parse(asked.position)) if asked.position else "")


def _patient(handler: Handler) -> Handler:
    """That something takes longer is no failure here."""

    async def answer(lab: Lab, request: Request) -> Any:
        try:
            return await handler(lab, request)
        except Refusal as refusal:
            if refusal.code != "busy":
                raise
            body = msgspec.json.encode({"waiting": refusal.text})
            return Response(body, 202, {"cache-control": "no-store"}, "application/json")

    return answer


ROUTES = (
    ("/api/explore/great-rolled-ones", "GET", _patient(policy)),
    ("/api/explore/great-rolled-ones/worth", "GET", worth),
    ("/api/explore/risk", "GET", _patient(war)),
    ("/api/explore/pickomino", "POST", _patient(turn)),
    ("/api/explore/dice-of-doom", "POST", _patient(positions.analysis)),  # as anywhere
)
