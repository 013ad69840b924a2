"""Messages to a client as frames of the WebSocket protocol: all that wait go out together, with one call of the system.

A move is told to a client in several messages: the acknowledgement, the move, the dice, the next question. To take each
through all layers of a web server costs more than the game does.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from typing import Any

TEXT = 0x81  # a whole message of text
EXTENSION = "hazard.frames"  # by this name a protocol says that it takes frames


def frame_of(message: bytes) -> bytes:
    """A message as a frame; those of a server are not masked (RFC 6455, section 5.2)."""
    size = len(message)
    if size < 126:
        return bytes((TEXT, size)) + message
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big") + message
    return bytes((TEXT, 127)) + size.to_bytes(8, "big") + message


def sending(scope: MutableMapping[str, Any], messages: Iterable[bytes]) -> list[dict[str, Any]]:
    """What to tell the web server so that these messages go out, in one piece if it can."""
    if EXTENSION in scope.get("extensions", {}):
        return [{"type": "websocket.send", "frames": b"".join(map(frame_of, messages))}]
    return [{"type": "websocket.send", "text": message.decode()} for message in messages]


class TakesFrames:
    """Put before uvicorn's protocol for WebSockets, this lets it take frames that are made already."""

    async def run_asgi(self) -> None:
        self.scope["extensions"][EXTENSION] = {}  # type: ignore[attr-defined]
        await super().run_asgi()  # type: ignore[misc]

    async def send(self, message: dict[str, Any]) -> None:
        """Send as uvicorn does, which waits while nothing is read, and refuses where nothing can be sent."""
        await super().send(message)  # type: ignore[misc]
        if "frames" in message:
            self.transport.write(message["frames"])  # type: ignore[attr-defined]
