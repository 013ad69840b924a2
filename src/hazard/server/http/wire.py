"""Connections as they come over the wire: counted by address, given time limits, and dropped if they do not read.

These are the protocols of uvicorn with bounds. What they hold for one address, whatever that sends or does not read, is
bounded: connections, half a request, pings, and bytes that wait to be read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from hazard.server.http.frames import TakesFrames
from hazard.server.limits import Limits, RateLimit, Traffic
from hazard.server.visitors import Network, is_in, visitor_at

FULL = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
SLOWEST = 1024  # bytes a second that a client must read at least


class Reader:
    """Watches over what waits to be read by one client; `limits`, `traffic` and `proxies` are set by `protocols`."""

    limits: Limits
    traffic: Traffic
    proxies: Collection[Network]
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    address = ""
    held = 0  # bytes that wait, as they are counted for the address
    looking: asyncio.TimerHandle | None = None
    counted = False
    trusted = False  # a proxy, which asks for many

    def come(self, transport: asyncio.Transport) -> bool:
        """Count the connection; False if there are too many from its address."""
        peer = transport.get_extra_info("peername")
        self.address = visitor_at(peer[0]) if isinstance(peer, tuple) else ""
        self.trusted = not peer or is_in(str(peer[0]), self.proxies)
        if self.trusted:
            return True  # whom a proxy asks for is known when the request has come
        self.counted = self.traffic.socket_comes(self.address)
        return self.counted

    def go(self) -> None:
        """The connection is closed, or goes on as another protocol."""
        self.stop_looking()
        if self.counted:
            self.traffic.socket_goes(self.address)
            self.counted = False

    def begin_looking(self) -> None:
        """Something waits to be read: see to it that it is."""
        self.held = 0 if self.trusted else self.transport.get_write_buffer_size()
        if not self.traffic.hold(self.address, self.held):
            return self.transport.abort()
        if self.looking is None:
            self.looking = self.loop.call_later(self.limits.ping, self._look, self.held)
        return None

    def _look(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if before - left < SLOWEST * self.limits.ping:
            return self.transport.abort()
        self.looking = self.loop.call_later(self.limits.ping, self._look, left)
        return None

    def stop_looking(self) -> None:
        if self.looking:
            self.looking.cancel()
            self.looking = None
        self.traffic.hold(self.address, -self.held)
        self.held = 0


class Http(Reader, H11Protocol):
    """HTTP: headers and bodies must come in time."""

    waiting: asyncio.TimerHandle | None = None
    part = ""  # what is waited for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self.come(transport):
            transport.write(FULL)
            return transport.close()
        return self._await_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._await_rest()

    def _await_rest(self) -> None:
        """Set the time limit of what must come next: the rest of a header, or of a body."""
        state = self.conn.their_state
        part = "header" if state is h11.IDLE else "body" if state is h11.SEND_BODY else ""
        if part != self.part:
            self._stop_waiting()
            self.part = part
            if part:
                seconds = self.limits.header if part == "header" else self.limits.reading
                self.waiting = self.loop.call_later(seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self.waiting:
            self.waiting.cancel()
        self.waiting, self.part = None, ""

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._stop_waiting()  # until the next request begins; a connection without one is closed by uvicorn

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._stop_waiting()
        self.go()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.begin_looking()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_looking()


class Socket(Reader, TakesFrames, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """A WebSocket: control frames count too, and whoever does not read is not read from."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.control = RateLimit(self.limits.rate, self.limits.burst)

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if not self.come(transport):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._read_no_faster()

    def _read_no_faster(self) -> None:
        """Answers to pings go out without being asked for, so nothing more comes in while they are not read."""
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        if self._counts():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._counts():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._counts():
            super().handle_cont(event)

    def _counts(self) -> bool:
        """Count a control frame, or a part of a message; whoever sends very many is cut off."""
        if self.control.take():
            return True
        self.transport.abort()
        return False

    def pause_writing(self) -> None:
        super().pause_writing()
        self.begin_looking()
        self._read_no_faster()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_looking()
        if not self.read_paused:
            self.transport.resume_reading()

    async def send(self, message: Any) -> None:
        """Send, and return when most of it has been read: until then it counts as waiting."""
        await super().send(message)
        if message["type"] == "websocket.send":
            await self.writable.wait()


def protocols(limits: Limits, traffic: Traffic, proxies: Collection[Network]) -> tuple[type[Http], type[Socket]]:
    """The two protocols of a server."""
    shared = {"limits": limits, "traffic": traffic, "proxies": proxies}
    return type("BoundHttp", (Http,), shared), type("BoundSocket", (Socket,), shared)
