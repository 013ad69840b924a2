"""Runs the server. The port and the folder are taken first, so that mistakes are reported before anything begins."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from hazard.errors import BadInput
from hazard.files import seal
from hazard.jit import quieten
from hazard.server.limits import REQUESTS, Limits
from hazard.server.machine import Seldom, descriptors
from hazard.server.visitors import Network, networks_of

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

BACKLOG = 128  # connections that wait to be accepted


def data_home() -> Path:
    """Where games are stored unless --data names another folder."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "hazard" / "server"


def listen(host: str, port: int) -> socket.socket:
    """A socket on that address, or BadInput that says why there is none."""
    if not 0 <= port <= 65535:
        raise BadInput(f"--port {port}: must be from 0 to 65535; 0 takes any that is free")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except socket.gaierror:
        raise BadInput(f"--host {host}: there is no such address; 127.0.0.1 is this machine alone") from None
    except OSError as problem:
        why = "is in use by another program" if problem.errno == errno.EADDRINUSE else f"cannot be used ({problem})"
        raise BadInput(f"--port {port}: {why}; name another, or 0 for any that is free") from None
    listening.setblocking(False)
    return listening


class Address(NamedTuple):
    """Where a server is to be reached."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: Collection[str] = ()  # by which clients call it
    proxies: Collection[str] = ()  # that are trusted to say for whom they ask


def serve(
    address: Address,
    data: Path,
    limits: Limits | None = None,
    tournaments: Path | None = None,
    ready: Callable[[str, LabServer], None] = lambda url, server: print(url),
    results: Path | None = None,
    reproduce: bool = False,
    password: str = "",
) -> None:
    """Serve until stopped; `ready` is called with the server's address once it can be reached.

    `reproduce` makes the quick studies that `results` does not hold, while the server runs. Without a password nobody
    can sign in as the server's owner, but by a link that `ready` makes.
    """

    from hazard.server.http.app import LabServer, make_app

    quieten()  # 64-bit numbers of plain rules wrap as those of compiled ones do
    limits, proxies = _possible(limits or Limits()), networks_of(address.proxies)
    seal()
    with listen(address.host, address.port) as listening:
        _log()
        places = (tournaments or data / "tournaments", None, results, reproduce, password)
        server = LabServer(data, limits, *places)
        name = f"[{address.host}]" if ":" in address.host else address.host
        ready(f"http://{name}:{listening.getsockname()[1]}", server)
        app = make_app(server, [address.host, *address.names], proxies)
        _run(server, app, proxies, listening)


def _possible(limits: Limits) -> Limits:
    """The limits with as many connections as this process may have."""
    most = descriptors(limits.connections)
    if most < limits.connections:
        why = "more open files are not allowed here; raise that with `ulimit -Hn`"
        print(f"hazard: at most {most} connections, not {limits.connections}: {why}", file=sys.stderr)
    return msgspec.structs.replace(limits, connections=most)


def _log() -> None:
    """Log to standard error; what is said again and again is left out."""
    handler = logging.StreamHandler()
    handler.addFilter(Seldom())
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING, handlers=[handler])


def _run(server: LabServer, app: Any, proxies: Collection[Network], listening: socket.socket) -> None:
    import uvicorn

    from hazard.server.http.wire import protocols

    limits = server.limits
    http, web_socket = protocols(limits, server.traffic, proxies)
    config = uvicorn.Config(
        app,
        http=http,
        ws=web_socket,
        ws_max_size=limits.message,
        ws_ping_interval=limits.ping,
        ws_ping_timeout=limits.ping,
        ws_per_message_deflate=False,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        backlog=BACKLOG,
        limit_concurrency=limits.connections + REQUESTS,
        timeout_graceful_shutdown=5,
    )

    class Polite(uvicorn.Server):
        """Says goodbye before it closes connections."""

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await server.say_bye()
            await super().shutdown(sockets)

    Polite(config).run(sockets=[listening])
