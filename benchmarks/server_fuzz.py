"""Malformed messages by the hundred thousand, over a real connection: no crash, no token told, nothing changed."""

from __future__ import annotations

import asyncio
import json
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attacks import ask
from benchmarks.row import Row
from benchmarks.server_clients import LONGEST, call, open_room
from benchmarks.server_load import LIMITS, memory
from benchmarks.server_process import Server, serving
from hazard.server.protocol import Refusal, Resign, read_message

MESSAGES = 100_000
REQUESTS = 5_000
TOGETHER = 200  # messages sent before their answers are read
FUZZ_LIMITS = (*LIMITS, "rate=10000000", "burst=10000000", "patience=1000000000", "queue=5000")
VALID: list[dict[str, Any]] = [
    {"type": "enter", "room": "0123456789abcdef", "token": "x" * 32, "since": 0},
    {"type": "ready", "protocol": 1, "name": "bot"},
    {"type": "move", "ask": 3, "move": "roll", "comment": "so be it"},
    {"type": "back", "at": 3, "to": 2},
    {"type": "agree", "proposal": 4, "yes": True},
    {"type": "resign"},
    {"type": "ping"},
    {"type": "hello", "protocol": 1},
    {"type": "snapshot", "room": "a", "seq": 1},
]
STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    2**63,
    10**400,
    1e308,
    "",
    "roll",
    "\x00",
    "\ud800",
    "é" * 500,
    [],
    {},
    [[]],
    {"type": "move"},
    "../../etc/passwd",
    "' or 1=1 --",
    "<script>",
]


SPOILERS = ['"', "{", "\\u00", "\x07", "}", "é", "0"]


def strange(rng: random.Random) -> str:
    """A message that is a little or very much out of order."""
    message: Any = dict(rng.choice(VALID))
    for _ in range(rng.randint(1, 3)):
        key = rng.choice([*message, "type", "extra"])
        if rng.random() < 0.2:
            message.pop(key, None)
        else:
            message[key] = rng.choice(STRANGE)
    text = json.dumps(message)
    if rng.random() < 0.3:
        text = text[: rng.randrange(len(text))]
    if rng.random() < 0.3:
        at = rng.randrange(len(text) + 1)
        text = (
            text[:at] + rng.choice(['"', "{", "[" * rng.randint(1, 2000), "\\u00", "\x07", "}", "é", "0"]) + text[at:]
        )
    return text


def spoilt(rng: random.Random) -> str | bytes:
    """A message that must be refused by anybody who does not have the move, or that means nothing."""
    while True:
        text = strange(rng)
        try:
            harmless = not isinstance(read_message(text.encode("utf-8", "replace")), Resign)
        except Refusal:
            harmless = True
        if harmless:
            break
    data = text.encode("utf-8", "replace")
    if rng.random() < 0.2:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(100))) + data[rng.randrange(len(data) + 1) :]
    return data.decode()


async def pelt(url: str, enter: dict[str, Any], count: int, seed: int) -> tuple[Counter[str], str]:
    """Send so many of them; the codes they were refused with, and all that was heard."""
    from websockets.asyncio.client import connect

    rng, codes, heard = random.Random(seed), Counter[str](), []
    async with connect(f"ws{url.removeprefix('http')}/ws", max_size=LONGEST, compression=None) as socket:
        await socket.send(json.dumps(enter))
        for begun in range(0, count, TOGETHER):
            for _ in range(min(TOGETHER, count - begun)):
                await socket.send(spoilt(rng))
            await socket.send('{"type":"analyse","seq":9007199254740991}')  # refused, and so marks the end
            while True:
                text = await asyncio.wait_for(socket.recv(), 60)
                heard.append(str(text))
                message = json.loads(text)
                codes[message.get("code", message["type"])] += 1
                if message.get("text", "").startswith("there is no event 9007199254740991"):
                    break
    return codes, "".join(heard)


def fuzz(server: Server, count: int, seed: int = 1) -> dict[str, Any]:
    """Pelt a room from a seat that is not to move, and from outside; what was seen, and whatever went wrong."""
    mover, other = open_room(server.url)
    before, size = call(server.url, f"/api/rooms/{mover.room}"), memory(server)
    began = time.monotonic()
    codes, heard = Counter[str](), ""
    for number, token in enumerate((other.token, "")):
        enter = {"type": "enter", "room": mover.room, "token": token}
        found = asyncio.run(pelt(server.url, enter, count // 2, seed + number))
        codes, heard = codes + found[0], heard + found[1]
    after = call(server.url, f"/api/rooms/{mover.room}")
    wrong = ["the room has changed"] * (after != before)
    wrong += ["a token was told"] * (mover.token in heard or other.token in heard)
    wrong += ["the server stumbled"] * ("Traceback" in server.log or codes["internal"] > 0)
    rate = count / (time.monotonic() - began)
    return {"codes": dict(codes), "a second": rate, "memory": memory(server) - size, "wrong": wrong}


# --- requests ---------------------------------------------------------------------------------------------------------
PATHS = (
    *("rooms", "rooms/x", "rooms/x/seats", "rooms/x/branch", "rooms/x/positions/3", "rooms/x/file", "rooms/x/verify"),
    *("rooms/x/analysis", "rooms/x/review", "files", "finished", "owner", "positions", "boards", "games", "papers"),
    *("tournaments", "tournaments/x", "tournaments/x/resume", "tournaments/x/cancel", "tournaments/x/games/1"),
    *("explore/risk", "explore/pickomino", "explore/x", "papers/x", "pictures/x", "rooms/x/names/0"),
)
BODIES: list[Any] = [
    {"game": "pig", "parameters": {"goal": 20}, "position": "p1 0:0 pot 0"},
    {"room": {"game": "pig", "seats": [{}, {"agent": "random"}]}, "sit": {"name": "Ann", "words": "x"}},
    {"seq": 1, "room": {"game": "pig"}},
    {"seat": 0, "kind": "bot", "name": "x", "key": "k" * 16},
    {"password": "x", "key": "y"},
    {"name": "cup", "game": "pig", "agents": ["random", "hold-at-20"], "games": 10, "seed": 1},
    {"hazard": "game", "version": 1, "game": "pig", "parameters": {}, "rules": "", "commitment": "", "events": []},
]


def spoilt_body(rng: random.Random) -> bytes:
    """A body of JSON in which something is not as it should be."""
    body = json.loads(json.dumps(rng.choice(BODIES)))
    for _ in range(rng.randint(0, 3)):
        place = body
        while isinstance(place, dict) and place and rng.random() < 0.7:
            key = rng.choice(list(place))
            if not isinstance(place[key], dict):
                break
            place = place[key]
        if isinstance(place, dict):
            place[rng.choice([*place, "extra", ""])] = rng.choice(STRANGE)
    content = json.dumps(body).encode("utf-8", "replace")
    if rng.random() < 0.3:
        at = rng.randrange(len(content) + 1)
        content = content[:at] + rng.choice([b"[" * 3000, b"\xff", b'"', b"}", b"9" * 5000]) + content[at:]
    return content


def fuzz_requests(server: Server, count: int, seed: int = 1) -> dict[str, Any]:
    """Send odd requests to every address there is; what was answered, and whatever went wrong."""
    room, codes, wrong = open_room(server.url)[0].room, Counter[int](), []
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        path = "/api/" + rng.choice(PATHS).replace("rooms/x", f"rooms/{room}")
        if rng.random() < 0.3:
            path += (
                "?" + rng.choice(["seq=", "before=", "games=", "page=", "since=", "attackers="]) + rng.choice(QUERIES)
            )
        status, answer = ask(server.port, path, spoilt_body(rng) if rng.random() < 0.7 else None)
        codes[status] += 1
        if status == 0 or status == 500 or (isinstance(answer, dict) and answer.get("code") == "internal"):
            wrong.append(f"seed {seed} {number}: {path}: {status}")
    wrong += ["the server stumbled"] * ("Traceback" in server.log)
    return {"codes": dict(codes), "wrong": wrong}


QUERIES = ["", "1", "-1", "x", "9" * 400, "1e308", "nan", "inf", "%00", "%ff", "1&seq=2"]


def run() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), *FUZZ_LIMITS) as server:
        found, answered = fuzz(server, MESSAGES), fuzz_requests(server, REQUESTS)
    if found["wrong"] or answered["wrong"]:
        raise SystemExit(f"malformed messages: {found['wrong']} {answered['wrong']}")
    yield Row("malformed messages refused", "as many as sent", MESSAGES, MESSAGES, "", 1, found)
    yield Row("odd requests answered", "as many as sent", REQUESTS, REQUESTS, "", 1, answered)
