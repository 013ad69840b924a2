"""What handlers of requests share: reading a body or a number, and waiting for an answer that gets better."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.requests import Request

from hazard.server.protocol import Refusal

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

T = TypeVar("T")
PATIENCE = 20.0  # seconds that a request may wait for analysis


async def read_bytes(request: Request, most: int) -> bytes:
    """The body, unless it is too large."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise Refusal("large", f"more than {most} bytes")
    return bytes(content)


async def read_body(server: LabServer, request: Request, kind: type[T]) -> T:
    """The body as a message of that type, or a refusal."""
    try:
        return msgspec.json.decode(await read_bytes(request, server.limits.body), type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Refusal("malformed", f"not what is asked for here: {problem}") from None


def as_text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as problem:
        raise Refusal("malformed", f"not text in UTF-8: {problem}") from None


def number_in(request: Request, name: str, digits: int = 15) -> int:
    """A whole number that is part of the path."""
    text = request.path_params[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= digits):
        raise Refusal("malformed", f"{text[:40]!r}: must be a whole number of at most {digits} digits")
    return int(text)


def number(request: Request, name: str, default: float, most: float = 1e18) -> float:
    """A number in the address."""
    text = request.query_params.get(name, str(default))
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value <= most:
        raise Refusal("malformed", f"{name}={text[:40]!r}: must be a number from 0 to {most:g}")
    return value


async def wait_for_answer(answers: Any, games: float) -> Any:
    """The first answer that rests on that many games, or the best there is when time is up."""
    last: Any = None
    try:
        async with asyncio.timeout(PATIENCE):
            async for last in answers:
                if last.final or last.games >= games:
                    break
    except TimeoutError:
        pass
    finally:
        await answers.aclose()
    if last is None:
        raise Refusal("busy", "no answer yet; ask again")
    return last
