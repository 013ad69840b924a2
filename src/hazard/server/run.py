"""Runs the server. The port and the folder are taken first, so that mistakes are reported before anything begins."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import socket
from collections.abc import Callable, Collection
from pathlib import Path

from hazard.errors import BadInput
from hazard.files import seal
from hazard.jit import quieten
from hazard.server.limits import Limits


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
        listening.listen(2048)
    except socket.gaierror:
        raise BadInput(f"--host {host}: there is no such address; 127.0.0.1 is this machine alone") from None
    except OSError as problem:
        why = "is in use by another program" if problem.errno == errno.EADDRINUSE else f"cannot be used ({problem})"
        raise BadInput(f"--port {port}: {why}; name another, or 0 for any that is free") from None
    listening.setblocking(False)
    return listening


def is_own(host: str) -> bool:
    """Whether an address is for this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(
    host: str,
    port: int,
    data: Path,
    limits: Limits | None = None,
    names: Collection[str] = (),
    tournaments: Path | None = None,
    ready: Callable[[str], None] = print,
    results: Path | None = None,
    reproduce: bool = False,
) -> None:
    """Serve until stopped; `ready` is called with the server's address once it can be reached.

    `reproduce` makes the quick studies that `results` does not hold, while the server runs.
    """
    import uvicorn
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    from hazard.server.http.app import LabServer, make_app
    from hazard.server.http.frames import TakesFrames

    class Socket(TakesFrames, WebSocketsSansIOProtocol):  # type: ignore[misc]
        """WebSockets whose messages go out together."""

    quieten()  # 64-bit numbers of plain rules wrap as those of compiled ones do
    limits = limits or Limits()
    if names or not is_own(host):
        seal()
    with listen(host, port) as listening:
        server = LabServer(data, limits, tournaments or data / "tournaments", results=results, reproduce=reproduce)
        logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            make_app(server, [host, *names]),
            ws=Socket,
            ws_max_size=limits.message,
            ws_ping_interval=limits.ping,
            ws_ping_timeout=limits.ping,
            ws_per_message_deflate=False,
            proxy_headers=False,
            server_header=False,
            access_log=False,
            log_config=None,
            limit_concurrency=limits.connections + 200,
            timeout_graceful_shutdown=5,
        )

        class Polite(uvicorn.Server):
            """Says goodbye before it closes connections."""

            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                await server.say_bye()
                await super().shutdown(sockets)

        ready(url)
        Polite(config).run(sockets=[listening])
