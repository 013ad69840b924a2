"""Solved games to explore: answers that a worker computes once, that are remembered, and sent in parts.

What there is to explore is declared by each game (`hazard.rulebook.Explorer`). For a game that declares nothing, a
position is analysed. A client that asks for what is still being computed is told so after a while, by status 202 and
`waiting`, and asks again.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from hazard.declaration import Explorer, declared, game_names
from hazard.errors import BadInput
from hazard.server.http import positions
from hazard.server.http.requests import read_body
from hazard.server.protocol import Parameters, Refusal
from hazard.server.visitors import visitor

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

WAITING, WAITING_EACH = 8, 2  # questions that may wait for a worker, in all and of one visitor
PATIENCE = 12.0  # seconds that a request waits
AGAIN = "still being worked out (the first time a solver is compiled, which takes half a minute or so); ask again"


Handler = Callable[["LabServer", Request], Awaitable[Any]]


class ExploreCache:
    """The latest answers, by game, parameters and position."""

    def __init__(self, workers: Any) -> None:
        self.workers = workers
        self.tasks: OrderedDict[Any, asyncio.Task[dict[str, Any]]] = OrderedDict()
        self.asking: Counter[str] = Counter()  # questions that are being worked out, by visitor

    async def find(self, name: str, given: dict[str, Any], remembered: int, position: str = "") -> dict[str, Any]:
        """The answer, if it is known or comes soon; `remembered` is how many answers of this game are."""
        seen = await self.workers.look(name, given, position)
        parameters, position = seen["parameters"], seen["position"] if position else ""
        key = (name, *sorted(parameters.items()), position)
        if key not in self.tasks:
            self.tasks[key] = self._begin(name, parameters, position)
        self.tasks.move_to_end(key)
        self._forget_oldest(name, remembered)
        return await self._wait(key)

    def _begin(self, name: str, parameters: dict[str, Any], position: str) -> asyncio.Task[dict[str, Any]]:
        who = visitor.get()
        if self.asking.total() >= WAITING or self.asking[who] >= WAITING_EACH:
            raise Refusal("busy", "much is being worked out already; ask again in a moment")
        self.asking[who] += 1
        task = asyncio.create_task(self.workers.explore(name, parameters, position))
        task.add_done_callback(partial(self._finish, who))
        return task

    def _finish(self, who: str, task: asyncio.Task[dict[str, Any]]) -> None:
        self.asking -= Counter({who: 1})
        _ = task.cancelled() or task.exception()  # retrieved even if nobody waits

    async def _wait(self, key: Any) -> dict[str, Any]:
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self.tasks[key])
        except TimeoutError:
            raise Refusal("busy", AGAIN) from None
        except BaseException:
            if key in self.tasks and self.tasks[key].done():
                del self.tasks[key]  # it failed: the next request tries again
            raise

    def _forget_oldest(self, name: str, remembered: int) -> None:
        same = [key for key in self.tasks if key[0] == name]
        for key in same[:-remembered]:
            if self.tasks[key].done():
                del self.tasks[key]


def _explorer(request: Request) -> Explorer:
    name = request.path_params["game"]
    explorer = declared(name).explore if name in game_names() else None
    if explorer is None:
        raise Refusal("unknown", f"there is nothing to explore in {name[:64]!r}")
    return explorer


async def _answer(server: LabServer, request: Request, explorer: Explorer) -> dict[str, Any]:
    """The answer for the game with the parameters in the address."""
    name, given = request.path_params["game"], dict(request.query_params)
    names = explorer.parameters or tuple(p.name for p in declared(name).parameters)
    if "part" in request.path_params:
        given = {key: value for key, value in given.items() if key in names}
    if unknown := [key for key in given if key not in names]:
        raise BadInput(f"{unknown[0][:40]!r} is not known here; known: {', '.join(names)}")
    texts = {key: value[:40] for key, value in given.items()}
    return await server.explore_cache.find(name, texts, explorer.remembered)


async def explore(server: LabServer, request: Request) -> Any:
    """What a page shows of a game, but for the parts that are fetched on their own."""
    explorer = _explorer(request)
    answer = await _answer(server, request, explorer)
    return {key: value for key, value in answer.items() if key not in explorer.parts}


async def part(server: LabServer, request: Request) -> Any:
    """One of those parts, as bytes."""
    explorer, name = _explorer(request), request.path_params["part"]
    if name not in explorer.parts:
        raise Refusal("unknown", f"there is no part {name[:64]!r}")
    answer = await _answer(server, request, explorer)
    content = await asyncio.to_thread(explorer.parts[name], answer, request.query_params)
    return Response(content, headers={"cache-control": "max-age=3600"}, media_type="application/octet-stream")


class ExploreRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A position of the game in the address."""

    parameters: Parameters = {}
    position: Annotated[str, Meta(max_length=400)] = ""


async def explore_position(server: LabServer, request: Request) -> Any:
    """What a page shows of a position: what its game declares, or its analysis."""
    name = request.path_params["game"]
    if name in game_names() and declared(name).explore is None:
        return await positions.analysis(server, request)
    explorer, body = _explorer(request), await read_body(server, request, ExploreRequest)
    if body.position:
        await positions.check_open(server, await server.workers.look(name, body.parameters, body.position))
    return await server.explore_cache.find(name, body.parameters, explorer.remembered, body.position)


def _waiting(handler: Handler) -> Handler:
    """The handler with status 202 where the answer takes longer: that is no failure here."""

    async def answer(server: LabServer, request: Request) -> Any:
        try:
            return await handler(server, request)
        except Refusal as refusal:
            if refusal.code != "busy":
                raise
            body = msgspec.json.encode({"waiting": refusal.text})
            return Response(body, 202, {"cache-control": "no-store"}, "application/json")

    return answer


ROUTES = (
    ("/api/explore/{game}", "GET", _waiting(explore)),
    ("/api/explore/{game}", "POST", _waiting(explore_position)),
    ("/api/explore/{game}/{part}", "GET", part),
)
