"""The server killed under load again and again: every acknowledged move is there, and every game goes on."""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.row import Row
from benchmarks.server_clients import Seat, audit, open_room, play
from benchmarks.server_load import LIMITS
from benchmarks.server_process import Server

KILLS, ROOMS = 20, 40
LONGEST = 2.0  # seconds of play before a kill


def play_and_kill(server: Server, seats: list[Seat], seconds: float) -> None:
    """Play for a while, then pull the plug in the middle of it."""
    killer = threading.Timer(seconds, server.kill)
    killer.start()
    asyncio.run(_all(server.url, seats, time.monotonic() + seconds + 0.2))
    killer.join()


async def _all(url: str, seats: list[Seat], until: float) -> None:
    await asyncio.gather(*(play(url, seat, until, drop=0.01) for seat in seats))


def goes_on(server: Server, seats: list[Seat]) -> list[str]:
    """Rooms in which nobody could move any more, though their games are not over."""
    before = [len(seat.acknowledged) for seat in seats]
    asyncio.run(_all(server.url, seats, time.monotonic() + 4.0))
    moved = {seat.room for seat, had in zip(seats, before, strict=True) if len(seat.acknowledged) > had or seat.over}
    return sorted({f"{seat.room}: does not go on" for seat in seats} - {f"{room}: does not go on" for room in moved})


def killed(folder: Path, kills: int, rooms: int, seed: int = 1) -> dict[str, Any]:
    """Kill a server so many times; what went wrong, and how many moves it was tried with."""
    rng = random.Random(seed)
    server = Server(folder / "data", *LIMITS)
    wrong: list[str] = []
    seats: list[Seat] = []
    for _ in range(kills):
        seats = [seat for seat in seats if not seat.over]
        while len({seat.room for seat in seats}) < rooms:
            seats += open_room(server.url, "random" if len(seats) % 3 == 0 else "")
        play_and_kill(server, seats, 0.5 + rng.random() * (LONGEST - 0.5))
        server.start(server.port)
        wrong += audit(server.url, seats)
    wrong += goes_on(server, seats)
    wrong += audit(server.url, seats)
    server.stop()
    return {"kills": kills, "moves": sum(len(seat.acknowledged) for seat in seats), "wrong": wrong}


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        found = killed(Path(folder), KILLS, ROOMS)
    if found["wrong"]:
        raise SystemExit(f"after kills: {found['wrong'][:5]}")
    yield Row("restarts after a kill with every move there", "kills", KILLS, KILLS, "", 1, found)
