"""Scripted clients: each plays the seats it holds as the server asks, and remembers what was acknowledged and when."""

from __future__ import annotations

import asyncio
import json
import random
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hazard.server.guest.parts import Parts

LONGEST = 64 << 20
PATIENCE = 600.0  # seconds for what must come
GAME = {"game": "pig", "parameters": {"goal": 100}}


def call(url: str, path: str, data: Any = None) -> Any:
    """One request to the HTTP API."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url + path, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


@dataclass
class Seat:
    """A seat of a room, and all that happened to who holds it."""

    room: str
    number: int
    token: str
    acknowledged: dict[int, tuple[str, int]] = field(default_factory=dict)  # by question: the move and its event
    waits: list[float] = field(default_factory=list)  # seconds from a move to its acknowledgement
    errors: list[str] = field(default_factory=list)
    sent: dict[int, tuple[str, float]] = field(default_factory=dict)
    seq: int = 0
    over: bool = False
    twice: int = 0  # events that came a second time, or out of order
    parts: Parts | None = None  # in the dice


def open_room(url: str, agent: str = "", taking_part: bool = False, **setting: Any) -> list[Seat]:
    """A new room of Pig with all its open seats taken; their holders may take part in the dice."""
    seats = [{}, {"agent": agent}] if agent else [{}, {}]
    parts = [Parts() if taking_part else None for _ in seats]
    wishes = [{"seat": n, "kind": "bot", "promise": own.promise(1) if own else ""} for n, own in enumerate(parts)]
    found = call(url, "/api/rooms", {"room": GAME | {"seats": seats} | setting, "sit": wishes[0]})
    held = [Seat(found["room"], 0, found["token"], parts=parts[0])]
    if not agent:
        other = call(url, f"/api/rooms/{found['room']}/seats", wishes[1])
        held.append(Seat(found["room"], 1, other["token"], parts=parts[1]))
    return held


async def play(url: str, seat: Seat, until: float, pause: float = 0.0, drop: float = 0.0) -> None:
    """Hold a seat until a time, coming back whenever the connection is lost; `drop` is the chance to hang up."""
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidHandshake, WebSocketException

    while time.monotonic() < until and not seat.over:
        try:
            async with connect(f"ws{url.removeprefix('http')}/ws", max_size=LONGEST, compression=None) as socket:
                enter = {"type": "enter", "room": seat.room, "token": seat.token, "since": seat.seq}
                await socket.send(json.dumps(enter))
                await _talk(socket, seat, until, pause, drop)
        except (OSError, InvalidHandshake, WebSocketException, EOFError):
            await asyncio.sleep(0.05 + random.random() / 10)
        except TimeoutError:
            pass


async def play_until(url: str, seats: list[Seat], true: Callable[[], bool], drop: float = 0.0) -> None:
    """Hold seats until something is so, or all their games are over."""
    players = [asyncio.create_task(play(url, seat, time.monotonic() + PATIENCE, drop=drop)) for seat in seats]
    while not true() and not all(player.done() for player in players):
        await asyncio.sleep(0.01)
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)


async def _talk(socket: Any, seat: Seat, until: float, pause: float, drop: float) -> None:
    while not seat.over:
        async with asyncio.timeout(max(0.0, until - time.monotonic())):
            message = json.loads(await socket.recv())
        answer = hear(seat, message)
        if answer is None:
            continue
        if answer["type"] == "part":
            await socket.send(json.dumps(answer))
            continue
        if pause:
            await asyncio.sleep(pause * (0.5 + random.random()))
        if time.monotonic() > until:
            return
        seat.sent[answer["ask"]] = answer["move"], time.monotonic()
        await socket.send(json.dumps(answer))
        if random.random() < drop:
            if random.random() < 0.5:
                socket.transport.abort()  # the other side is not told
            return


def hear(seat: Seat, message: dict[str, Any]) -> dict[str, Any] | None:
    """Note what was said, and answer if it is a question."""
    kind = message["type"]
    if kind == "ack":
        move, began = seat.sent[message["ask"]]
        seat.waits.append(time.monotonic() - began)
        if seat.acknowledged.setdefault(message["ask"], (move, message["seq"])) != (move, message["seq"]):
            seat.errors.append(f"question {message['ask']} was acknowledged in two ways")
    elif kind == "ask":
        before = seat.sent.get(message["ask"])
        pot = message["state"].get("pot", 0)
        move = "hold" if pot >= 20 and "hold" in message["moves"] else message["moves"][0]
        return {"type": "move", "ask": message["ask"], "move": before[0] if before else move}
    elif kind == "throw" and seat.parts:
        throw = message["throw"]
        return {"type": "part", "throw": throw, "part": seat.parts.part(throw), "next": seat.parts.promise(throw + 1)}
    elif kind == "error" and message["code"] != "disk":
        seat.errors.append(f"{message['code']}: {message['text']}")
    elif kind == "snapshot":
        for event in message["events"]:
            _note(seat, event)
    elif kind == "end":
        seat.over = True
    elif "seq" in message:
        _note(seat, message)
    return None


def _note(seat: Seat, event: dict[str, Any]) -> None:
    if event["seq"] != seat.seq + 1:
        seat.twice += 1
    seat.seq = event["seq"]
    seat.over = seat.over or event["type"] == "ended"


def audit(url: str, seats: list[Seat]) -> list[str]:
    """What is wrong with the rooms of these seats: moves lost, doubled or changed, and gaps in what was heard."""
    found: list[str] = []
    for seat in seats:
        events = call(url, f"/api/rooms/{seat.room}")["events"]
        moves = [event for event in events if event["type"] == "moved" and event["seat"] == seat.number]
        kept = {event["ask"]: (event["move"], event["seq"]) for event in moves}
        found += [f"{seat.room}: {ask} was lost" for ask in seat.acknowledged.keys() - kept.keys()]
        found += [f"{seat.room}: {ask} was changed" for ask, one in seat.acknowledged.items() if kept.get(ask) != one]
        if len(kept) != len(moves):
            found.append(f"{seat.room}: a question was answered twice")
        if seat.twice:
            found.append(f"{seat.room}: {seat.twice} events came out of order")
        found += [f"{seat.room}: {error}" for error in seat.errors]
    return found
