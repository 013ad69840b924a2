"""The server's application: WebSocket for play, and the HTTP API around it. See docs/server.md."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from hazard.arena.bots.messages import Bye
from hazard.errors import BadInput
from hazard.server.http import api, explore, papers, positions
from hazard.server.http.guard import Guard, address_of
from hazard.server.http.pages import page_routes
from hazard.server.limits import Door, Limits
from hazard.server.protocol import CODES, Refusal, Refused, encode, schema
from hazard.server.rooms.connection import GOING_AWAY, Connection
from hazard.server.rooms.rooms import Rooms
from hazard.server.rooms.store import Store
from hazard.server.tournaments import tournaments as contests
from hazard.server.workers.pool import Workers

log = logging.getLogger("hazard.server")
ROUTES = (*api.ROUTES, *positions.ROUTES, *explore.ROUTES, *contests.ROUTES, *papers.ROUTES)
Handler = Callable[["Lab", Request], Awaitable[Any]]


class Lab:
    """All that a running server has."""

    def __init__(
        self, data: Path, limits: Limits, tournaments: Path, workers: Any = None, results: Path | None = None
    ) -> None:
        self.limits, self.tournaments, self.results = limits, tournaments, results
        self.contests = contests.Contests()
        self.store = Store(data)
        self.workers = workers or Workers()
        self.shelf = explore.Shelf(self.workers)
        self.rooms = Rooms(self.store, self.workers, limits)
        self.door = Door(limits)
        self.connections: set[Connection] = set()

    async def talk(self, socket: WebSocket) -> None:
        """One WebSocket from beginning to end."""
        address = address_of(socket.scope)
        try:
            self.door.come(address)
        except Refusal:
            return await socket.close(1013)
        connection = Connection(socket, self.rooms, self.limits)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)
            self.door.go(address)

    async def say_bye(self) -> None:
        """Tell everybody that the server stops."""
        for connection in list(self.connections):
            connection.send(encode(Bye()))
        await asyncio.sleep(0.1)
        for connection in list(self.connections):
            connection.end(GOING_AWAY)

    async def close(self) -> None:
        """End all workers, and finish what is being written."""
        await self.contests.player.close()
        await self.rooms.close()
        await self.workers.close()
        self.store.close()


def make_app(lab: Lab, names: Collection[str] = ()) -> Starlette:
    """The application; `names` are host names that the server is known by."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        lab.rooms.start()
        yield
        await lab.close()

    routes: list[BaseRoute] = [_route(lab, path, method, handler) for path, method, handler in ROUTES]
    routes += [Route("/schema.json", _plain(lambda: schema())), WebSocketRoute("/ws", lab.talk), *page_routes()]
    return Starlette(routes=routes, middleware=[Middleware(Guard, lab.door, names)], lifespan=lifespan)


def _plain(make: Callable[[], Any]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return _json(make())

    return answer


def _route(lab: Lab, path: str, method: str, handler: Handler) -> Route:
    async def answer(request: Request) -> Response:
        try:
            found = await handler(lab, request)
        except Refusal as refusal:
            return _json(Refused(refusal.code, refusal.text), CODES.get(refusal.code, 400))
        except BadInput as problem:
            return _json(Refused("input", str(problem)), 400)
        except Exception:
            log.exception("a request could not be dealt with")
            return _json(Refused("internal", "something went wrong on the server"), 500)
        return found if isinstance(found, Response) else _json(found)

    return Route(path, answer, methods=[method])


def _json(data: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")
