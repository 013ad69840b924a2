"""Raw connections of somebody who means no good, from an address of their own on this machine."""

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

PATIENCE = 600.0  # seconds, as long as a busy machine may take
ATTACKER, OTHER = "127.0.0.7", "127.0.0.8"  # all of 127.0.0.0/8 is this machine; each counts as a visitor
HALF = b"GET /api/rooms HTTP/1.1\r\nhost: localhost\r\nx-slow: "
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def connect(port: int, source: str = ATTACKER, small: bool = False) -> socket.socket:
    """A connection from that address; a small one has hardly any room for what it does not read."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.settimeout(PATIENCE)
    if small:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.bind((source, 0))
    found.connect(("127.0.0.1", port))
    return found


@contextmanager
def connections(port: int, count: int, say: bytes, **options: Any) -> Iterator[list[socket.socket]]:
    """So many of them, all of which have said that."""
    opened: list[socket.socket] = []
    try:
        for _ in range(count):
            opened.append(connect(port, **options))
            with suppress(OSError):  # it has been turned away
                opened[-1].sendall(say)
        yield opened
    finally:
        for one in opened:
            one.close()


def rest(one: socket.socket) -> bytes:
    """What is heard until the server closes the connection."""
    heard = b""
    with suppress(ConnectionError):
        while part := one.recv(65536):
            heard += part
    return heard


def ask(port: int, path: str, body: Any = None, source: str = OTHER) -> tuple[int, Any]:
    """A request over a connection of its own; the status and the answer."""
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    method = "GET" if body is None else "POST"
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\n"
    with connect(port, source) as one:
        with suppress(ConnectionError):  # refused before all of it was sent
            one.sendall(f"{head}content-length: {len(content)}\r\n\r\n".encode() + content)
        head_bytes, _, answer = rest(one).partition(b"\r\n\r\n")
    status = int(head_bytes.split()[1]) if head_bytes else 0
    return status, json.loads(answer) if answer[:1] in (b"{", b"[") else answer


def frame(code: int, content: bytes = b"") -> bytes:
    """A masked frame of a WebSocket."""
    mask = os.urandom(4)
    return bytes([0x80 | code, 0x80 | len(content)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(content))


def resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
