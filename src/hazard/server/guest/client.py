"""A client for rooms of a server, which connects again by itself when the connection is lost.

    seat = sit_down("http://127.0.0.1:8000/rooms/ab12", name="Ann")   # takes a seat; seat.token opens it again
    with Guest(seat.url, seat.token) as guest:
        message = guest.hear()                                         # Hello, Snapshot, NewGame, Ask, events, ...
        guest.say(Move(message.ask, "roll"))                           # sent again after a lost connection

Messages are the types of hazard.server.protocol. Nothing here needs an event loop. A seat that was taken here takes
part in the dice by itself, as long as messages are heard. The secret for that is the second half of the token, behind a
dot, and is never sent.
"""

from __future__ import annotations

import json
import secrets
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from urllib.parse import urlsplit

from hazard.arena.bots.messages import Ask, Message, Move
from hazard.errors import BadInput
from hazard.server.guest.parts import Parts
from hazard.server.protocol import Ack, Enter, Event, Refused, Snapshot, Throw, encode, read_answer

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from hazard.rulebook import Game

PATIENCE = 60.0  # seconds to wait for a lost server
PAUSE = 0.2, 5.0  # seconds between attempts: at first, at most
LARGEST = 64 << 20  # bytes of a message: a snapshot has the whole game in it


class Place(NamedTuple):
    """A room of a server."""

    server: str  # e.g. http://127.0.0.1:8000
    room: str


class TakenSeat(NamedTuple):
    """A seat that was taken."""

    url: str
    seat: int
    token: str  # with the secret of its part in the dice


def place_of(url: str) -> Place:
    """The room of an address: http://HOST:PORT/rooms/ROOM, or that of the page with #ROOM."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    room = parts.fragment.rpartition("/")[2] or parts.path.rstrip("/").rpartition("/")[2]
    if parts.scheme not in ("http", "https") or not parts.netloc or not room:
        raise BadInput(f"{url!r}: not a room; write it as http://127.0.0.1:8000/rooms/ROOM")
    return Place(f"{parts.scheme}://{parts.netloc}", room)


def ask_server(server: str, path: str, data: Any = None, tries: int = 1) -> Any:
    """An answer of the HTTP API; `data` is posted if there is any. Only what may be repeated is tried again."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(server + path, body, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        raise BadInput(f"{server}: {_reason(problem.read())}") from None
    except (OSError, ValueError) as problem:
        if tries > 1:
            time.sleep(PAUSE[0])
            return ask_server(server, path, data, tries - 1)
        why = getattr(problem, "reason", problem)
        raise BadInput(f"{server}: no Hazard server answers there ({why}); `hazard serve` starts one") from None


def _reason(body: bytes) -> str:
    """The reason that the server gave."""
    try:
        return str(json.loads(body)["text"])
    except (ValueError, KeyError, TypeError):
        return "this is not a Hazard server"


def sit_down(url: str, seat: int | None = None, kind: str = "person", name: str = "") -> TakenSeat:
    """Take a seat, by default the first that is open."""
    place, parts = place_of(url), Parts()
    request = {"seat": seat, "kind": kind, "name": name[:64], "key": secrets.token_urlsafe(24)}
    request["promise"] = parts.promise(1)
    answer = ask_server(place.server, f"/api/rooms/{place.room}/seats", request, tries=3)
    token = f"{answer['token']}.{parts.secret}"
    return TakenSeat(f"{place.server}/rooms/{place.room}", answer["seat"], token)


class Guest:
    """A client in a room: the holder of a token, or without one a spectator."""

    def __init__(self, url: str, token: str = "", patience: float = PATIENCE, game: Game | None = None) -> None:
        self.place, self.patience = place_of(url), patience
        self.token, _, secret = token.partition(".")
        self.parts = Parts(secret, game) if secret else None
        self.seq = 0  # of the last event received
        self.unacknowledged: Move | None = None  # sent, but not known to be stored
        self.socket: ClientConnection | None = None
        self.opened = ExitStack()  # what has to be closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket = None
        self.opened.close()

    def say(self, message: Message) -> None:
        """Send a message; a move is sent again if the connection is lost before it is acknowledged."""
        from websockets.exceptions import ConnectionClosed

        socket = self._connected()
        if isinstance(message, Move):
            self.unacknowledged = message
        try:
            socket.send(encode(message).decode())
        except (ConnectionClosed, OSError):
            self.close()
            if not self.unacknowledged:  # a move goes out again by itself
                self._connected().send(encode(message).decode())

    def hear(self, timeout: float | None = None) -> Any:
        """The next message, or None after `timeout` seconds without one."""
        from websockets.exceptions import ConnectionClosed

        until = None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                left = None if until is None else max(0.0, until - time.monotonic())
                message = read_answer(self._connected().recv(left))
            except TimeoutError:
                return None
            except (ConnectionClosed, OSError):
                self.close()
                time.sleep(PAUSE[0])
                continue
            if isinstance(message, Throw) and self.parts:
                self.say(self.parts.answer(message))
            elif message is not None and not self._answered(message):
                return self._noted(message)

    def _answered(self, message: Any) -> bool:
        """Whether this repeats a question whose answer is on its way."""
        return isinstance(message, Ask) and self.unacknowledged is not None and message.ask == self.unacknowledged.ask

    def _noted(self, message: Any) -> Any:
        """The message, after noting what it says about events and moves."""
        if isinstance(message, Event | Snapshot):
            self.seq = max(self.seq, message.seq)
            if self.parts:
                self.parts.follow(message)
        if isinstance(message, Ack | Refused) and self.unacknowledged and message.ask == self.unacknowledged.ask:
            self.unacknowledged = None
        if isinstance(message, Refused) and message.code in ("token", "room"):
            raise BadInput(f"{self.place.server}: {message.text}")
        return message

    def _connected(self) -> ClientConnection:
        """The connection, made again if it was lost."""
        if self.socket is None:
            self.socket = self._connect()
            self.socket.send(encode(Enter(self.place.room, self.token, self.seq)).decode())
            if self.unacknowledged:
                self.socket.send(encode(self.unacknowledged).decode())
        return self.socket

    def _connect(self) -> ClientConnection:
        from websockets.exceptions import InvalidHandshake
        from websockets.sync.client import connect

        address = f"ws{self.place.server.removeprefix('http')}/ws"
        until, pause = time.monotonic() + self.patience, PAUSE[0]
        while True:
            try:
                return self.opened.enter_context(connect(address, max_size=LARGEST, open_timeout=10, compression=None))
            except (OSError, InvalidHandshake, EOFError) as problem:
                if time.monotonic() + pause > until:
                    raise BadInput(f"{self.place.server}: the server cannot be reached ({problem})") from None
            time.sleep(pause)
            pause = min(2 * pause, PAUSE[1])
