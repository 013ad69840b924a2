"""The server killed under load again and again: every acknowledged move is there, and every game goes on."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.row import Row
from benchmarks.server_clients import Seat, audit, open_room, play_until
from benchmarks.server_load import LIMITS
from benchmarks.server_process import Server

KILLS, ROOMS = 20, 40
MOST = 10  # moves a room before a kill


def made(seats: list[Seat]) -> int:
    """How many moves have been acknowledged."""
    return sum(len(seat.acknowledged) for seat in seats)


def play_and_kill(server: Server, seats: list[Seat], moves: int) -> None:
    """Play until so many moves are acknowledged, then pull the plug in the middle of it."""
    enough = moves + made(seats)

    def killed() -> bool:
        if made(seats) >= enough:
            server.kill()
        return server.process.poll() is not None

    asyncio.run(play_until(server.url, seats, killed, drop=0.01))
    server.kill()  # should all games be over before


def goes_on(server: Server, seats: list[Seat]) -> list[str]:
    """Rooms in which nobody could move any more, though their games are not over."""
    before = [len(seat.acknowledged) for seat in seats]

    def stuck() -> set[str]:
        pairs = zip(seats, before, strict=True)
        moved = {seat.room for seat, had in pairs if len(seat.acknowledged) > had or seat.over}
        return {seat.room for seat in seats} - moved

    asyncio.run(play_until(server.url, seats, lambda: not stuck()))
    return [f"{room}: does not go on" for room in sorted(stuck())]


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
        play_and_kill(server, seats, rng.randint(rooms, MOST * rooms))
        server.start(server.port)
        wrong += audit(server.url, seats)
    wrong += goes_on(server, seats)
    wrong += audit(server.url, seats)
    server.stop()
    return {"kills": kills, "moves": made(seats), "wrong": wrong}


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        found = killed(Path(folder), KILLS, ROOMS)
    if found["wrong"]:
        raise SystemExit(f"after kills: {found['wrong'][:5]}")
    yield Row("restarts after a kill with every move there", "kills", KILLS, KILLS, "", 1, found)
