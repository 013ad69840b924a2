"""One WebSocket: messages that come in are checked and passed to the room; those that go out wait in a short queue."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket

from hazard.arena.bots.messages import Move
from hazard.server.http.frames import sending
from hazard.server.limits import Limits, RateLimit
from hazard.server.protocol import Analyse, Analysed, Enter, Refusal, Refused, Still, encode, read_message
from hazard.server.rooms.room import Room
from hazard.server.rooms.rooms import Rooms

log = logging.getLogger("hazard.server")
GOING_AWAY, TOO_MUCH, SLOW = 1001, 1008, 1013  # codes of the WebSocket protocol


class Connection:
    """The connection of one client."""

    def __init__(self, socket: WebSocket, rooms: Rooms, limits: Limits) -> None:
        self.socket, self.rooms, self.limits = socket, rooms, limits
        self.seat: int | None = None
        self.room: Room | None = None
        self.waiting: asyncio.Queue[bytes] = asyncio.Queue(limits.queue)
        self.unread, self.largest = 0, 0  # bytes of the messages that wait, and of the largest of them
        self.rate = RateLimit(limits.rate, limits.burst)
        self.strikes = 0
        self.code = 1000
        self.ended = asyncio.Event()
        self.analysing: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until one side ends the connection."""
        await self.socket.accept()
        parts = [asyncio.create_task(part) for part in (self._read(), self._write(), self.ended.wait())]
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stop_analysis()
            if self.room:
                self.room.leave(self)
            for part in parts:
                part.cancel()
            await asyncio.wait(parts)
            for part in parts:
                _ = part.cancelled() or part.exception()  # a connection that broke is nothing to report
            with suppress(Exception):
                await asyncio.wait_for(self.socket.close(self.code), 1.0)

    # --- out ---------------------------------------------------------------------------------------------------------
    def send(self, message: bytes) -> None:
        """Queue a message. A client that does not read is disconnected; it can come back for what it missed."""
        self.unread += len(message)
        self.largest = max(self.largest, len(message))
        if self.waiting.full() or self.unread - self.largest > self.limits.unread:
            return self.end(SLOW)
        return self.waiting.put_nowait(message)

    def end(self, code: int) -> None:
        if not self.ended.is_set():
            self.code = code
            self.ended.set()

    async def _write(self) -> None:
        while True:
            messages = [await self.waiting.get()]
            while not self.waiting.empty():
                messages.append(self.waiting.get_nowait())
            for part in sending(self.socket.scope, messages):
                await self.socket.send(part)
            self.unread -= sum(map(len, messages))
            self.largest = self.largest if self.unread else 0

    # --- in ----------------------------------------------------------------------------------------------------------
    async def _read(self) -> None:
        """Handle messages until the client goes; the first must come soon."""
        first = await asyncio.wait_for(self.socket.receive(), self.limits.enter)
        if not await self._handle_frame(first):
            return
        while await self._handle_frame(await self._receive()):
            pass

    async def _receive(self) -> Any:
        if self.room is None:
            return await asyncio.wait_for(self.socket.receive(), self.limits.enter)
        return await self.socket.receive()

    async def _handle_frame(self, frame: Any) -> bool:
        """Handle one frame; False if it was the last."""
        if frame["type"] == "websocket.disconnect":
            return False
        await asyncio.sleep(0)  # however fast messages come, other clients have their turn and our answers go out
        if not self.rate.take():
            return self._strike("rate", f"more than {self.limits.rate:g} messages a second; this one was not read")
        text = frame.get("text")
        await self._handle(frame.get("bytes") or b"" if text is None else text)
        return self.strikes <= self.limits.patience

    async def _handle(self, text: bytes | str) -> None:
        message: Any = None
        try:
            message = read_message(text)
            await self._do(message)
            self.strikes = 0
        except Refusal as refusal:
            self._refuse(refusal.code, refusal.text, message.ask if isinstance(message, Move) else None)
            if message is None or refusal.code == "token":
                self._strike()
        except Exception:
            log.exception("a message could not be handled")
            self._refuse("internal", "something went wrong on the server; nothing has changed")

    def _refuse(self, code: str, text: str, ask: int | None = None) -> None:
        self.send(encode(Refused(code, text, ask)))

    def _strike(self, code: str = "", text: str = "") -> bool:
        """Count a fault; False if there were too many."""
        self.strikes += 1
        if code:
            self._refuse(code, text)
        if self.strikes > self.limits.patience:
            self.code = TOO_MUCH
        return self.strikes <= self.limits.patience

    async def _do(self, message: Any) -> None:
        if self.room is None:
            return await self._enter(message)
        if isinstance(message, Analyse):
            return self._analyse(self.room, message.seq)
        if isinstance(message, Still):
            return self._stop_analysis()
        return await self.room.receive(self, message)

    async def _enter(self, message: Any) -> None:
        if not isinstance(message, Enter):
            raise Refusal("state", "enter a room first")
        room = await self.rooms.get(message.room)
        room.enter(self, message.token, message.since)
        self.room = room

    # --- analysis ----------------------------------------------------------------------------------------------------
    def _analyse(self, room: Room, seq: int) -> None:
        """Begin an analysis, and end the one before."""
        if not room.may_analyse:
            raise Refusal("state", "there is no analysis in this room before the game is over")
        seq = seq or room.record.seq
        position = room.position_at(seq)
        self.rooms.check_open(room.game, position)
        self._stop_analysis()
        self.analysing = asyncio.create_task(self._send_analysis(room, seq, position))

    async def _send_analysis(self, room: Room, seq: int, position: str) -> None:
        try:
            async for answer in room.agents.analyse(room.game.name, room.game.parameters, position):
                self.send(encode(Analysed(seq, position, answer)))
        except Exception as problem:
            self._refuse("busy", f"the analysis failed: {problem}")

    def _stop_analysis(self) -> None:
        if self.analysing:
            self.analysing.cancel()
            self.analysing = None
