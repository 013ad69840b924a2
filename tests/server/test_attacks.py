"""Attacks on a real server over the network: each is tried, and somebody else is answered meanwhile."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.attacks import ATTACKER, HALF, OTHER, UPGRADE, ask, connect, connections, frame, resident, rest
from benchmarks.server_process import Server, serving
from tests.waiting import wait_until

HUGE = {"rule": "classic", "attackers": 1000, "defenders": 1000, "sides": 10, "attack_dice": 6, "defend_dice": 6}
SOCKETS = 30


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("attacked"), f"sockets={SOCKETS}", "header=2", "requests=1000") as found:
        yield found


def answers(server: Server) -> bool:
    return ask(server.port, "/api/rooms", source=OTHER)[0] == 200


def sent(one: socket.socket, what: bytes, times: int) -> int:
    """How often that could be sent before the connection was cut off."""
    for number in range(times):
        try:
            one.sendall(what)
        except OSError:
            return number
    return times


def test_millions_of_ways_to_land_stop_nobody(server: Server) -> None:
    wish = {"game": "risk", "parameters": HUGE, "position": "a1000 d1000 rolling"}
    status, found = ask(server.port, "/api/positions", wish, ATTACKER)
    assert (status, found["rolling"], found["outcomes"]) == (200, True, [])
    room = {"game": "risk", "parameters": HUGE, "seats": [{}, {"agent": "random"}]}
    status, held = ask(server.port, "/api/rooms", {"room": room, "sit": {}}, ATTACKER)
    assert status == 200
    from websockets.sync.client import connect as talk

    with talk(f"ws://127.0.0.1:{server.port}/ws") as socket:
        socket.send(json.dumps({"type": "enter", "room": held["room"], "token": held["token"]}))
        asked = next(found for found in map(json.loads, socket) if found["type"] == "ask")
        socket.send(json.dumps({"type": "move", "ask": asked["ask"], "move": asked["moves"][0]}))
        rolled = next(found for found in map(json.loads, socket) if found["type"] == "rolled")
    assert rolled["number"] < 25_050_025
    assert answers(server)


def test_half_requests_shut_nobody_out(server: Server) -> None:
    with connections(server.port, 3 * SOCKETS, HALF) as opened:
        assert answers(server)
        for one in opened:  # those beyond the limit are closed at once, the others when their time is up
            assert rest(one)[:12] in (b"", b"HTTP/1.1 503")
    assert ask(server.port, "/api/rooms", source=ATTACKER)[0] == 200


def test_half_a_body_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    with serving(tmp_path, "reading=0.5") as server, connect(server.port) as one:
        one.sendall(b"POST /api/rooms HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n")
        one.sendall(b'content-length: 100\r\n\r\n{"room"')
        assert rest(one) == b""


def test_pings_that_are_not_read_cost_nothing(server: Server) -> None:
    """They are answered at first; whoever sends very many is cut off."""
    before = resident(server.process.pid)
    with connect(server.port, small=True) as one:
        one.sendall(UPGRADE)
        assert sent(one, frame(9, b"x" * 100) * 100, 3000) < 3000
    assert answers(server)
    assert resident(server.process.pid) - before < 64 << 20


@pytest.mark.parametrize("code", [9, 10, 0], ids=["ping", "pong", "parts of a message"])
def test_control_frames_are_counted(server: Server, code: int) -> None:
    with connect(server.port) as one:
        one.sendall(UPGRADE)
        assert b"101" in one.recv(4096)
        first = b"\x01\x80" + b"\0" * 4  # a message that is never finished
        rest_of_it = b"\0\x80" + b"\0" * 4 if code == 0 else frame(code)
        with suppress(OSError):
            one.sendall((first if code == 0 else b"") + rest_of_it * 1000)
        rest(one)
    assert answers(server)


@pytest.mark.parametrize(
    "body",
    [
        b"[" + b"[]," * 2_700_000 + b"[]]",
        b'{"hazard":"game","version":1,"events":[' + b"[]," * 2_000_000 + b"[]]}",
        b'{"hazard":"game","version":1,"game":"pig","parameters":{' + b'"a":1,' * 1_000_000 + b'"a":1}}',
        b"[" * 5_000_000,
        b'{"hazard":"game","seq":' + b"9" * 5000 + b"}",
        b"\xff" * 1000,
        b"",
    ],
    ids=["many lists", "lists for events", "many parameters", "deep", "a long number", "no text", "nothing"],
)
def test_odd_files_are_refused(server: Server, body: bytes) -> None:
    status, found = ask(server.port, "/api/files", body, ATTACKER)
    assert (status, found["type"]) == (400, "error")
    assert answers(server)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/rooms/none/positions/" + "9" * 5000, None),
        ("/api/rooms?before=" + "9" * 5000, None),
        ("/api/finished?before=" + "9" * 5000, None),
        ("/api/rooms", b'{"room":{"game":"pig","answer":' + b"9" * 5000 + b"}}"),
        ("/api/positions", {"game": "pig", "parameters": {"goal": "9" * 5000}}),
        ("/api/positions", {"game": "pig", "parameters": {"goal": "9" * 399}}),
        ("/api/positions", {"game": "pig", "parameters": {f"p{n}": 1 for n in range(1000)}}),
        ("/api/positions", {"game": "great-rolled-ones", "parameters": {"komi": "1" * 60_000}}),
        ("/api/explore/risk?attackers=" + "9" * 5000, None),
        ("/api/tournaments/none/games/" + "9" * 5000, b"{}"),
    ],
)
def test_long_numbers_and_texts_are_refused(server: Server, path: str, body: object) -> None:
    status, found = ask(server.port, path, body, ATTACKER)
    assert status in (400, 404) or (path.startswith("/api/rooms?") and status == 200)
    if isinstance(found, dict) and status != 200:
        assert len(found["text"]) < 1000


@pytest.mark.parametrize("header", ["origin: http://[", "host: [", "origin: http://[::1", "x-forwarded-for: ["])
@pytest.mark.parametrize("way", ["GET /api/rooms HTTP/1.1\r\n", UPGRADE.decode().partition("\r\n")[0] + "\r\n"])
def test_odd_headers_are_answered(server: Server, way: str, header: str) -> None:
    """The first once ended in a traceback, before requests were counted."""
    others = "" if header.startswith("host") else "host: localhost\r\n"
    upgrade = UPGRADE.decode().partition("localhost\r\n")[2].removesuffix("\r\n") if "/ws" in way else ""
    with connect(server.port) as one:
        one.sendall(f"{way}{others}{header}\r\n{upgrade}connection: close\r\n\r\n".encode())
        one.shutdown(socket.SHUT_WR)
        heard = rest(one)
    assert b"Internal Server Error" not in heard
    assert not heard or int(heard.split()[1]) in (101, 200, 400, 403, 404)


def test_after_all_of_it_the_log_is_short_and_has_no_traceback(server: Server) -> None:
    wait_until(lambda: answers(server))
    assert "Traceback" not in server.log
    assert len(server.log) < 20_000
