"""What attacks from one address cost a server: memory, and how long somebody else waits for an answer.

`python -m benchmarks server-attacks` prints a row for each attack. The server and the attacker share the machine.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.attacks import ATTACKER, HALF, OTHER, UPGRADE, ask, connect, frame, resident
from benchmarks.row import Row
from benchmarks.server_process import Server, serving

SECONDS = 10.0  # that each attack goes on
LONGEST = 15.0  # seconds that an answer is waited for
HUGE = {"rule": "classic", "attackers": 1000, "defenders": 1000, "sides": 10, "attack_dice": 6, "defend_dice": 6}
AGENTS = {"game": "pig", "parameters": {"goal": 1000, "sides": 2}, "seats": [{"agent": "random"}, {"agent": "random"}]}
LISTS = b"[" + b"[]," * 2_700_000 + b"[]]"
Stop = threading.Event


# --- the attacks ------------------------------------------------------------------------------------------------------
def half_requests(server: Server, stop: Stop) -> None:
    opened = []
    for _ in range(2205):
        if stop.is_set():
            break
        with suppress(OSError):
            opened.append(connect(server.port))
            opened[-1].sendall(HALF)
    stop.wait()
    for one in opened:
        one.close()


def unread_pings(server: Server, stop: Stop) -> None:
    pings = frame(9, b"x" * 100) * 500
    while not stop.is_set():
        with suppress(OSError), connect(server.port, small=True) as one:
            one.settimeout(1)
            one.sendall(UPGRADE)
            while not stop.is_set():
                one.sendall(pings)


def large_bodies(server: Server, stop: Stop) -> None:
    while not stop.is_set():
        with suppress(OSError):
            ask(server.port, "/api/files", LISTS, ATTACKER)


def millions_of_ways(server: Server, stop: Stop) -> None:
    wish = {"game": "risk", "parameters": HUGE, "seats": AGENTS["seats"]}
    while not stop.is_set():
        with suppress(OSError):
            ask(server.port, "/api/rooms", {"room": wish}, ATTACKER)
            stop.wait(1.0)


def rooms_of_agents(server: Server, stop: Stop) -> None:
    while not stop.is_set():
        with suppress(OSError):
            ask(server.port, "/api/rooms", {"room": AGENTS}, ATTACKER)


def slow_readers(server: Server, stop: Stop) -> None:
    """Of a game of some megabytes, which is sent once to be looked at."""
    status, found = ask(server.port, "/api/files", long_game(), ATTACKER)
    assert status == 200, found
    request = f"GET /api/rooms/{found['room']} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
    opened = []
    for _ in range(180):
        with suppress(OSError):
            opened.append(connect(server.port, small=True))
            opened[-1].sendall(request)
    stop.wait()
    for one in opened:
        one.close()


def long_game() -> bytes:
    """A game of Pig in which player 1 rolls and holds, and player 2 throws ones, some 20,000 times."""
    events: list[dict[str, Any]] = [
        {"type": "sat", "seq": n + 1, "seat": n, "kind": "agent", "name": "random"} for n in (0, 1)
    ]
    events.append({"type": "begun", "seq": 3, "position": "p1 0:0 pot 0", "commitment": ""})
    seat = 0
    while len(events) < 20_000:
        seq, own = len(events) + 1, f"p{seat + 1} 0:0 pot 0"
        after = f"p{2 - seat} 0:0 pot 0"
        events.append(
            {"type": "moved", "seq": seq, "ask": seq - 1, "seat": seat, "move": "roll", "position": f"{own} rolling"}
        )
        turn = {"type": "rolled", "seq": seq + 1, "seat": seat, "dice": "1", "number": 0, "roll": seq // 2 - 1}
        events.append(turn | {"position": after})
        seat = 1 - seat
    game = {"hazard": "game", "version": 1, "game": "pig", "parameters": {"goal": 100, "sides": 6}, "rules": ""}
    return json.dumps(game | {"commitment": "", "events": events}).encode()


ATTACKS: dict[str, Callable[[Server, Stop], None]] = {
    attack.__name__.replace("_", " "): attack
    for attack in (half_requests, unread_pings, large_bodies, millions_of_ways, rooms_of_agents, slow_readers)
}


# --- what they cost ---------------------------------------------------------------------------------------------------
def waits(server: Server, seconds: float) -> list[float]:
    """How long somebody at another address waits for answers, one after the other."""
    found, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        socket.setdefaulttimeout(LONGEST)
        try:
            status, _ = ask(server.port, "/api/rooms", source=OTHER)
        except OSError:
            status = 0
        found.append(time.monotonic() - began if status == 200 else LONGEST)
        time.sleep(0.05)
    return sorted(found)


def measure(name: str, seconds: float = SECONDS) -> dict[str, Any]:
    """Attack a new server for some seconds."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "requests=1000") as server:
        ask(server.port, "/api/positions", {"game": "pig"})  # what is loaded first is loaded
        before, stop = resident(server.process.pid), threading.Event()
        attacker = threading.Thread(target=ATTACKS[name], args=(server, stop), daemon=True)
        attacker.start()
        found = waits(server, seconds)
        grown = resident(server.process.pid) - before
        stop.set()
        attacker.join(LONGEST)
        log, refused = len(server.log), sum(wait >= LONGEST for wait in found)
        if server.process.poll() is None:
            os.kill(server.process.pid, signal.SIGKILL)
        figures = {"median ms": 1000 * found[len(found) // 2], "worst ms": 1000 * found[-1]}
        return figures | {"answers": len(found), "none": refused, "memory MB": grown / 2**20, "log bytes": log}


def run() -> Iterator[Row]:
    for name in ATTACKS:
        found = measure(name)
        worst = found["worst ms"] / 1000
        yield Row(f"attack, {name}: longest wait of somebody else", "a second", worst, 1.0, "s", 1, found)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ATTACKS:
        print(chosen, json.dumps({key: round(value, 1) for key, value in measure(chosen).items()}), flush=True)
