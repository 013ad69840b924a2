"""The owner of a server: who shows the password may start tournaments, and remove rooms and names. All others play.

The password is kept in memory alone, as a digest. Who shows it gets a token, which a page keeps for this address and
sends in the header `authorization`; nothing is sent by the browser of itself, so no other page can use it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request

from hazard.errors import BadInput
from hazard.server.http.requests import number_in, read_body
from hazard.server.limits import RateLimit, bucket
from hazard.server.protocol import Refusal
from hazard.server.visitors import visitor

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

SHORTEST = 8  # characters of a password
SIGNED_IN = 100  # tokens that hold; the oldest makes way
LINK = 600.0  # seconds in which a link that signs in may be opened
TRIES, PAUSE = 5, 10.0  # wrong passwords of one visitor at once, and seconds for each one more
TRIES_IN_ALL = 100  # and of all visitors


class Owner:
    """Knows the password, and who has shown it."""

    def __init__(self, password: str = "") -> None:
        if password and len(password) < SHORTEST:
            raise BadInput(f"the owner's password has {len(password)} characters; take {SHORTEST} or more")
        self._password = _digest(password or secrets.token_urlsafe(24))
        self._tokens: dict[bytes, None] = {}
        self._links: dict[bytes, float] = {}  # and when they expire
        self._tries: dict[str, RateLimit] = {}
        self._all_tries = RateLimit(1.0, TRIES_IN_ALL)

    def link(self) -> str:
        """A key that signs in once, and soon."""
        key = secrets.token_urlsafe(24)
        self._links[_digest(key)] = time.monotonic() + LINK
        return key

    def sign_in(self, password: str, key: str = "") -> str:
        """A token for whoever has the password, or the key of a link."""
        mine = bucket(self._tries, visitor.get(), 1 / PAUSE, TRIES)
        if not (mine.take() and self._all_tries.take()):
            raise Refusal("rate", "many passwords were tried; wait a minute")
        right = hmac.compare_digest(_digest(password), self._password)
        if key:
            right = self._links.pop(_digest(key), 0.0) > time.monotonic()
        if not right:
            raise Refusal("owner", "this link has been used, or is old" if key else "this is not the owner's password")
        mine.left += 1  # only wrong ones count
        self._all_tries.left += 1
        token = secrets.token_urlsafe(24)
        self._tokens[_digest(token)] = None
        while len(self._tokens) > SIGNED_IN:
            del self._tokens[next(iter(self._tokens))]
        return token

    def sign_out(self, request: Request) -> None:
        self._tokens.pop(_shown(request), None)

    def is_signed_in(self, request: Request) -> bool:
        return _shown(request) in self._tokens

    def check(self, request: Request) -> None:
        """Refuse all but the owner."""
        if not self.is_signed_in(request):
            raise Refusal("owner", "only the owner of this server may do that; sign in with the owner's password")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _shown(request: Request) -> bytes:
    """The digest of the token in the request."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return _digest(token) if kind.lower() == "bearer" else b""


# --- signing in and out -----------------------------------------------------------------------------------------------
class SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """The password, or the key of a link that was opened."""

    password: Annotated[str, Meta(max_length=200)] = ""
    key: Annotated[str, Meta(max_length=200)] = ""


async def status(server: LabServer, request: Request) -> Any:
    return {"owner": server.owner.is_signed_in(request)}


async def sign_in(server: LabServer, request: Request) -> Any:
    body = await read_body(server, request, SignIn)
    return {"token": server.owner.sign_in(body.password, body.key)}


async def sign_out(server: LabServer, request: Request) -> Any:
    server.owner.sign_out(request)
    return {"owner": False}


# --- what only the owner may do ---------------------------------------------------------------------------------------
async def remove_room(server: LabServer, request: Request) -> Any:
    """Remove a room with its game, from the disk too."""
    server.owner.check(request)
    await server.rooms.remove(request.path_params["room"])
    return {"removed": request.path_params["room"]}


async def remove_name(server: LabServer, request: Request) -> Any:
    """Take away the name of whoever holds a seat."""
    server.owner.check(request)
    await server.rooms.remove_name(request.path_params["room"], number_in(request, "seat", 2))
    return {"room": request.path_params["room"]}


ROUTES = (
    ("/api/owner", "GET", status),
    ("/api/owner", "POST", sign_in),
    ("/api/owner", "DELETE", sign_out),
    ("/api/rooms/{room}", "DELETE", remove_room),
    ("/api/rooms/{room}/names/{seat}", "DELETE", remove_name),
)
