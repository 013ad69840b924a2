"""Middleware before the server: refuses foreign origins, unknown hosts, wrong formats, and too many requests."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hazard.server.limits import Traffic
from hazard.server.protocol import CODES, Refusal, Refused, encode
from hazard.server.visitors import Network, real_address, visitor, visitor_at

SAFE = ("GET", "HEAD")
COST = {"GET": 1, "HEAD": 1, "POST": 4}  # requests that change something count for several
POLICY = "; ".join(  # nothing but our own files, and nothing inline
    [
        *("default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
        *(f"{kind}-src 'self'" for kind in ("script", "style", "connect")),
        "img-src 'self' data:",  # pictures that games draw: no script runs in an image
    ]
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", POLICY.encode()),
]


class Guard:
    """Wraps an application."""

    def __init__(
        self, app: ASGIApp, traffic: Traffic, names: Collection[str] = (), proxies: Collection[Network] = ()
    ) -> None:
        self.app, self.traffic, self.proxies = app, traffic, proxies
        self.names = {"localhost", socket.gethostname().lower(), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        scope["visitor"] = self._visitor(scope)
        visitor.set(scope["visitor"])
        try:
            self._check(scope)
        except Refusal as refusal:
            return await _turn_away(scope, send, refusal)
        return await self.app(scope, receive, _with_headers(send))

    def _visitor(self, scope: Scope) -> str:
        """Whoever asks: all that is done for this request counts for them."""
        peer = scope["client"][0] if scope.get("client") else ""
        forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
        return visitor_at(real_address(peer, forwarded.decode("latin-1"), self.proxies))

    def _check(self, scope: Scope) -> None:
        method = scope.get("method", "")  # a WebSocket has none
        if not (method in SAFE and scope["path"].startswith("/static/")):  # a page is made of many small files
            self.traffic.request(scope["visitor"], COST.get(method, 4))
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._check_host(headers.get("host", ""))
        check_origin(headers)
        if method:
            self._check_request(method, headers)

    def _check_host(self, host: str) -> None:
        """Allow only numbers and known names: a foreign name for this server would get around the check of origins."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            name = ""
        if name not in self.names and not _is_number(name):
            raise Refusal("origin", f"{host[:80]!r} is not a name of this server; allow it with --name")

    def _check_request(self, method: str, headers: dict[str, str]) -> None:
        if method in SAFE:
            return
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal("malformed", "send application/json")


def check_origin(headers: dict[str, str]) -> None:
    """Pages of other sites may not talk to this server; programs, which send no origin, may."""
    origin = headers.get("origin")
    if origin is not None and _netloc(origin) != headers.get("host", "").lower():
        raise Refusal("origin", f"requests from {origin[:80]!r} are refused")
    if origin is None and headers.get("sec-fetch-site") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
        raise Refusal("origin", "requests from other sites are refused")


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        raise Refusal("malformed", f"origin {origin[:80]!r} is no address") from None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _turn_away(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        return await send({"type": "websocket.close", "code": 1008})
    body = encode(Refused(refusal.code, refusal.text))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": CODES[refusal.code], "headers": headers})
    return await send({"type": "http.response.body", "body": body})


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *HEADERS]
        await send(message)

    return sending
