"""The server under load over loopback: how soon moves are acknowledged, how many a second, how much memory.

Half of the rooms have two scripted clients, half a client and an agent of the package. Clients think for a quarter of
a second; in the last rows they do not think at all, and take part in the dice or leave them to the server. The
processor time of the server's process for each move can be compared on a busy machine too.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.row import Row
from benchmarks.server_clients import Seat, audit, open_room, play
from benchmarks.server_process import Server, serving

LEVELS = (50, 100, 200, 400)
SECONDS = 10.0
PAUSE = 0.25
CONNECT = 0.02  # seconds more for each room, in which clients connect
LIMITS = ("rooms=2000", "connections=5000", "per_address=5000", "requests=100000", "rate=1000", "burst=2000")


def memory(server: Server) -> float:
    """Megabytes resident in the server's own process."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def ticks(server: Server) -> float:
    """Seconds of processor time of the server's own process."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(
    server: Server, rooms: int, seconds: float = SECONDS, pause: float = PAUSE, taking_part: bool = False
) -> dict[str, Any]:
    """Play in so many rooms at once; what was measured, and whatever went wrong."""
    agents = ["hold-at-20" if n % 2 else "" for n in range(rooms)]
    seats = [seat for agent in agents for seat in open_room(server.url, agent, taking_part)]
    busy = ticks(server)
    began = time.monotonic()
    asyncio.run(_play_all(server.url, seats, began + seconds + CONNECT * rooms, pause))
    took = time.monotonic() - began
    waits = sorted(wait for seat in seats for wait in seat.waits)
    if not waits:
        raise SystemExit(f"{rooms} rooms: no move was acknowledged in {took:.0f} s; is the machine busy?")
    return {
        "rooms": rooms,
        "moves": len(waits),
        "a second": len(waits) / took,
        "median ms": 1000 * waits[len(waits) // 2],
        "p99 ms": 1000 * waits[int(len(waits) * 0.99)],
        "worst ms": 1000 * waits[-1],
        "memory MB": memory(server),
        "processor": (ticks(server) - busy) / took,
        "processor ms a move": 1000 * (ticks(server) - busy) / len(waits),
        "wrong": audit(server.url, seats),
    }


async def _play_all(url: str, seats: list[Seat], until: float, pause: float) -> None:
    await asyncio.gather(*(play(url, seat, until, pause) for seat in seats))


def measured() -> Iterator[dict[str, Any]]:
    for rooms, pause, part in [*((level, PAUSE, False) for level in LEVELS), (200, 0.0, False), (200, 0.0, True)]:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *LIMITS) as server:
            yield load(server, rooms, pause=pause, taking_part=part) | {"pause": pause, "taking part": part}


def run() -> Iterator[Row]:
    """Growth from each level to the next, and what the server can take."""
    found = list(measured())
    for one in found:
        if one["wrong"]:
            raise SystemExit(f"{one['rooms']} rooms: {one['wrong'][:5]}")
    *levels, full, part = found
    for less, more in pairwise(levels):
        name, against = f"move acknowledged, p99, {more['rooms']} rooms", f"{less['rooms']} rooms"
        yield Row(name, against, more["p99 ms"], less["p99 ms"], "ms", None, {"more": more, "less": less})
        name = f"memory, {more['rooms']} rooms"
        yield Row(name, against, more["memory MB"], less["memory MB"], "MB", None)
    name, against = "time for each move, 200 rooms that do not think", "with a quarter of a second"
    yield Row(name, against, 1000 / full["a second"], 1000 / levels[2]["a second"], "ms", None, full)
    name, against = "the server's processor time for each move, seats that take part in the dice", "the server's alone"
    yield Row(name, against, part["processor ms a move"], full["processor ms a move"], "ms", None, part)
