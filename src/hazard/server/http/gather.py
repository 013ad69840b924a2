"""What is sent to one client in one turn of the event loop goes out with one call of the system, not one a message.

A move is told to a client in several messages: the acknowledgement, the move, the dice, the next question.
"""

from __future__ import annotations

import asyncio
from typing import Any


class Gathered:
    """A transport that holds back what is written until the event loop has had its turn."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.transport, self.loop = transport, loop
        self.waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        if not self.waiting:
            self.loop.call_soon(self.flush)
        self.waiting.append(data)

    def flush(self) -> None:
        if self.waiting and not self.transport.is_closing():
            self.transport.write(b"".join(self.waiting))
        self.waiting.clear()

    def close(self) -> None:
        self.flush()
        self.transport.close()

    def get_write_buffer_size(self) -> int:
        return self.transport.get_write_buffer_size() + sum(map(len, self.waiting))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)


class Gathers:
    """Put before a protocol, this lets it write through such a transport."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(Gathered(transport, asyncio.get_running_loop()))  # type: ignore[misc]
