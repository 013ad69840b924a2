"""The server's application: WebSocket for play, and the HTTP API around it. See docs/server.md."""

from __future__ import annotations

import asyncio
import logging
import tempfile
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
from hazard.fingerprint import PACKAGE
from hazard.jit import cache_home
from hazard.server.commands.studies import StudyRunner
from hazard.server.http import atlas, explore, games, owner, papers, positions, puzzles, rooms
from hazard.server.http.guard import Guard
from hazard.server.http.owner import Owner
from hazard.server.http.pages import page_routes
from hazard.server.http.quotas import Quotas
from hazard.server.limits import Limits, Traffic
from hazard.server.machine import Watchdog
from hazard.server.protocol import CODES, Refusal, Refused, encode, schema
from hazard.server.rooms.connection import GOING_AWAY, Connection
from hazard.server.rooms.rooms import Rooms
from hazard.server.rooms.store import Store
from hazard.server.tournaments import api as tournaments_api
from hazard.server.visitors import Network
from hazard.server.workers.pool import WorkerPool

log = logging.getLogger("hazard.server")
APIS = (owner, games, rooms, positions, explore, puzzles, tournaments_api, papers, atlas)
Handler = Callable[["LabServer", Request], Awaitable[Any]]


class LabServer:
    """A running server and all its parts."""

    def __init__(
        self,
        data: Path,
        limits: Limits,
        tournaments: Path,
        workers: Any = None,
        results: Path | None = None,
        reproduce: bool = False,
        password: str = "",  # the owner's; a secret one if there is none
    ) -> None:
        self.limits, self.tournaments_folder, self.results_folder = limits, tournaments, results
        self.reproduce, self.studies = reproduce, StudyRunner(results or Path("results"))
        self.tournament_state = tournaments_api.TournamentState(limits.memory)
        self.store = Store(data)
        self.workers = workers or WorkerPool(
            memory=limits.memory, questions=limits.questions, solutions=limits.solutions
        )
        self.owner, self.quotas, self.watchdog = Owner(password), Quotas(limits, self.store), Watchdog()
        self.explore_cache = explore.ExploreCache(self.workers)
        self.rooms = Rooms(self.store, self.workers, limits)
        self.traffic = Traffic(limits)
        self.connections: set[Connection] = set()

    async def talk(self, socket: WebSocket) -> None:
        """Serve one WebSocket from beginning to end."""
        address = socket.scope["visitor"]
        try:
            self.traffic.enter(address)
        except Refusal:
            return await socket.close(1013)
        connection = Connection(socket, self.rooms, self.limits)
        self.connections.add(connection)
        try:
            await connection.serve()
        finally:
            self.connections.discard(connection)
            self.traffic.leave(address)

    def without_paths(self, text: str) -> str:
        """The text without the places of this machine: where its folders lie is nobody's business."""
        own = [self.store.folder, self.tournaments_folder, self.results_folder or Path("results"), cache_home()]
        for folder in (*own, PACKAGE, Path.cwd(), Path.home(), Path(tempfile.gettempdir())):
            for place in {str(folder), str(folder.absolute()), str(folder.resolve())}:
                if place.startswith("/") and len(place) > 1:
                    text = text.replace(f"{place}/", "").replace(place, folder.name)
        return text

    async def say_bye(self) -> None:
        """Tell all clients that the server stops."""
        for connection in list(self.connections):
            connection.send(encode(Bye()))
        await asyncio.sleep(0.1)
        for connection in list(self.connections):
            connection.end(GOING_AWAY)

    async def close(self) -> None:
        """End all workers, and finish what is being written."""
        self.watchdog.stop()
        await self.studies.close()
        await self.tournament_state.runner.close()
        await self.rooms.close()
        await self.workers.close()
        self.store.close()


def make_app(server: LabServer, names: Collection[str] = (), proxies: Collection[Network] = ()) -> Starlette:
    """The application; `names` are the host names of the server, `proxies` those that say for whom they ask."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        server.rooms.start()
        server.watchdog.start()
        if server.reproduce:
            await papers.make_missing(server)
        yield
        await server.close()

    routes: list[BaseRoute] = [_route(server, *route) for api in APIS for route in api.ROUTES]
    routes += [Route("/schema.json", schema_page), WebSocketRoute("/ws", server.talk), *page_routes()]
    return Starlette(routes=routes, middleware=[Middleware(Guard, server.traffic, names, proxies)], lifespan=lifespan)


async def schema_page(request: Request) -> Response:
    return _json(schema())


def _route(server: LabServer, path: str, method: str, handler: Handler) -> Route:
    async def respond(request: Request) -> Response:
        try:
            answer = await handler(server, request)
        except Refusal as refusal:
            return _json(Refused(refusal.code, server.without_paths(refusal.text)), CODES.get(refusal.code, 400))
        except BadInput as problem:
            return _json(Refused("input", server.without_paths(str(problem))), 400)
        except Exception:
            log.exception("a request could not be handled")
            return _json(Refused("internal", "something went wrong on the server"), 500)
        return answer if isinstance(answer, Response) else _json(answer)

    return Route(path, respond, methods=[method])


def _json(data: Any, status: int = 200) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")
