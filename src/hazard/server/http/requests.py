"""What handlers of requests share: reading a body or a number, and waiting for an answer that gets better."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import Request

from hazard.server.protocol import Refusal

if TYPE_CHECKING:
    from hazard.server.http.app import Lab

T = TypeVar("T")
PATIENCE = 20.0  # seconds that a request may wait for analysis


async def body_of(request: Request, most: int) -> bytes:
    """The body, unless it is too large."""
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > most:
            raise Refusal("large", f"more than {most} bytes")
    return bytes(found)


async def wish(lab: Lab, request: Request, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(await body_of(request, lab.limits.body), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Refusal("malformed", f"not what is asked for here: {problem}") from None


def number(request: Request, name: str, default: float, most: float = 1e18) -> float:
    text = request.query_params.get(name, str(default))
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found <= most:
        raise Refusal("malformed", f"{name}={text[:40]!r}: must be a number from 0 to {most:g}")
    return found


async def best(source: Any, games: float) -> Any:
    """The first answer that rests on so many games, or the best there is when time is up."""
    last: Any = None
    try:
        async with asyncio.timeout(PATIENCE):
            async for last in source:
                if last.final or last.games >= games:
                    break
    except TimeoutError:
        pass
    finally:
        await source.aclose()
    if last is None:
        raise Refusal("busy", "no answer yet; ask again")
    return last
