"""A real server and what can happen to it: kills, lost clients, slow readers, garbage, dead workers, wrong folders."""

import asyncio
import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from benchmarks.server_clients import audit, call, open_room, play_until
from benchmarks.server_kills import killed, made
from benchmarks.server_process import Server, serving
from hazard.server.guest.client import Guest, sit_down
from hazard.server.protocol import Ask, End, Move, Resign
from tests.server.talk import run
from tests.waiting import PATIENCE

HOME = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, "requests=100000", "per_address=60", "rate=400", "patience=20", "queue=40") as found:
        yield found
        assert found.process.poll() is None, "the server has lived through all of this"
        assert "Traceback" not in found.log


def ws(server: Server, **options: Any) -> Any:
    return connect(f"ws{server.url.removeprefix('http')}/ws", compression=None, max_size=1 << 26, **options)


def enter(room: str, token: str = "", since: int = 0) -> str:
    return json.dumps({"type": "enter", "room": room, "token": token, "since": since})


async def heard(connection: Any, kind: str) -> Any:
    """The next message of a kind."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = json.loads(await connection.recv())
            if message["type"] == kind:
                return message


def test_killed_under_load(tmp_path: Path) -> None:
    found = killed(tmp_path, 3, 8, seed=5)
    assert found["wrong"] == []
    assert found["moves"] > 20


def test_clients_that_hang_up_lose_nothing(server: Server) -> None:
    async def test() -> None:
        seats = [seat for _ in range(6) for seat in open_room(server.url)]
        random.seed(3)
        await play_until(server.url, seats, lambda: made(seats) > 200, drop=0.2)
        assert audit(server.url, seats) == []
        assert made(seats) > 200

    run(test)


def test_a_storm_of_joins_gives_each_seat_once(server: Server) -> None:
    room = call(server.url, "/api/rooms", {"room": {"game": "pig"}})["room"]

    def sit(_: int) -> Any:
        try:
            return call(server.url, f"/api/rooms/{room}/seats", {})
        except HTTPError as problem:
            return problem.code

    with ThreadPoolExecutor(16) as crowd:
        found = list(crowd.map(sit, range(80)))
    taken = [one for one in found if isinstance(one, dict)]
    assert sorted(one["seat"] for one in taken) == [0, 1]
    assert len({one["token"] for one in taken}) == 2
    assert found.count(409) == 78


def test_a_full_disk_refuses_moves_until_there_is_room(tmp_path: Path) -> None:
    """No file of the server may grow any more: it hears that from the system, as with a disk that is full."""

    async def test(server: Server) -> None:
        seats = open_room(server.url)
        await play_until(server.url, seats, lambda: made(seats) > 10)
        before = call(server.url, f"/api/rooms/{seats[0].room}")
        hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, hard))
        mover = seats[before["mover"]]
        async with ws(server) as connection:
            await connection.send(enter(mover.room, mover.token))
            asked = await heard(connection, "ask")
            await connection.send(json.dumps({"type": "move", "ask": asked["ask"], "move": asked["moves"][0]}))
            assert (await heard(connection, "error"))["code"] == "disk"
        with pytest.raises(HTTPError, match="503"):
            open_room(server.url)
        assert call(server.url, f"/api/rooms/{mover.room}")["seq"] == before["seq"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        had = made(seats)
        await play_until(server.url, seats, lambda: made(seats) > had)
        assert made(seats) > had
        server.kill()
        server.start(server.port)
        assert audit(server.url, seats) == []

    with serving(tmp_path) as server:
        run(lambda: test(server))


GARBAGE = ["", "{", "null", "[" * 9000, b"\xff\x00\xfe", '{"type":"move","ask":1,"move":"roll"}']


@pytest.mark.parametrize("frame", GARBAGE)
def test_garbage_is_refused_and_the_connection_lives(server: Server, frame: Any) -> None:
    async def test() -> None:
        (seat, _) = open_room(server.url)
        async with ws(server) as connection:
            await connection.send(frame)
            assert (await heard(connection, "error"))["code"] in ("malformed", "state")
            await connection.send(enter(seat.room))
            assert (await heard(connection, "snapshot"))["seat"] is None
            await connection.send(frame)
            assert (await heard(connection, "error"))["code"] in ("malformed", "token")

    run(test)


def test_a_frame_that_is_too_large_closes_the_connection(server: Server) -> None:
    async def test() -> None:
        (seat, _) = open_room(server.url)
        before = call(server.url, f"/api/rooms/{seat.room}")
        async with ws(server) as connection:
            await connection.send("x" * (1 << 20))
            with pytest.raises(ConnectionClosed) as found:
                await heard(connection, "error")
            assert found.value.rcvd is not None
            assert found.value.rcvd.code == 1009
        assert call(server.url, f"/api/rooms/{seat.room}") == before

    run(test)


def test_who_says_too_much_is_let_go(server: Server) -> None:
    async def flood() -> None:
        async with ws(server) as connection:
            for _ in range(5000):
                await connection.send("{}")
            await heard(connection, "never")

    with pytest.raises(ConnectionClosed):
        run(flood)


def test_wrong_tokens_get_nowhere(server: Server) -> None:
    async def test() -> None:
        mover, other = open_room(server.url)
        codes = []
        async with ws(server) as connection:
            for token in ("x", other.token[:-1], other.token + "x", mover.token.swapcase()):
                await connection.send(enter(mover.room, token))
                codes.append((await heard(connection, "error"))["code"])
        assert codes == ["token"] * 4
        assert mover.token not in server.log
        assert not any(mover.token.encode() in path.read_bytes() for path in server.folder.rglob("*") if path.is_file())

    run(test)


def test_a_slow_reader_is_let_go_and_can_come_back(tmp_path: Path) -> None:
    """It has the server write megabytes and reads none of them; the others go on, and its seat waits for it."""

    async def test(server: Server) -> None:
        mover, other = open_room(server.url)
        slow = _bare(server)
        slow.sendall(_frame(enter(mover.room, other.token)))
        await _until_present(server, mover.room, True)
        sending = asyncio.create_task(asyncio.to_thread(_send_all, slow, _frame("x" * 60) * 1000, 200))
        await _until_present(server, mover.room, False)
        await play_until(server.url, [mover], lambda: bool(mover.acknowledged))
        assert mover.acknowledged
        async with ws(server) as connection:
            await connection.send(enter(mover.room, other.token))
            assert (await heard(connection, "snapshot"))["seq"] >= mover.seq
        slow.shutdown(socket.SHUT_RDWR)
        await sending

    with serving(tmp_path, "rate=1000000", "burst=1000000", "patience=1000000", "queue=40") as server:
        run(lambda: test(server))


def _send_all(slow: socket.socket, text: bytes, times: int) -> None:
    with suppress(OSError):
        for _ in range(times):
            slow.sendall(text)


async def _until_present(server: Server, room: str, present: bool) -> None:
    """Wait until the holder of the second seat has come or gone."""
    async with asyncio.timeout(PATIENCE):
        while (await asyncio.to_thread(call, server.url, f"/api/rooms/{room}"))["seats"][1]["present"] != present:
            await asyncio.sleep(0.1)


def _bare(server: Server) -> socket.socket:
    """A WebSocket that does nothing by itself: it neither reads nor answers pings."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.connect(("127.0.0.1", server.port))
    head = f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    found.sendall(f"{head}Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
    said = b""
    while not said.endswith(b"\r\n\r\n"):
        said += found.recv(1)
    return found


def _until_heard(bare: socket.socket, word: bytes) -> None:
    """Read until the server has said it."""
    said = b""
    while word not in said:
        part = bare.recv(4096)
        assert part, said
        said += part


def _frame(text: str) -> bytes:
    """A WebSocket frame of a client, masked with zeros."""
    data = text.encode()
    size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0xFE]) + len(data).to_bytes(2, "big")
    return b"\x81" + size + b"\0\0\0\0" + data


def test_who_is_gone_without_a_word_is_noticed(tmp_path: Path) -> None:
    """A half-open connection: the other end is there, but nobody answers pings."""

    async def test(server: Server) -> None:
        mover, other = open_room(server.url)
        with _bare(server) as gone:
            gone.sendall(_frame(enter(mover.room, other.token)))
            await asyncio.to_thread(_until_heard, gone, b"snapshot")
            await _until_present(server, mover.room, False)

    with serving(tmp_path, "ping=0.5") as server:
        run(lambda: test(server))


def test_a_server_that_is_stopped_says_goodbye(tmp_path: Path) -> None:
    async def test(server: Server) -> None:
        (seat, _) = open_room(server.url)
        async with ws(server) as connection:
            await connection.send(enter(seat.room))
            await heard(connection, "snapshot")
            server.process.send_signal(signal.SIGINT)
            await heard(connection, "bye")
            with pytest.raises(ConnectionClosed):
                await heard(connection, "never")

    with serving(tmp_path) as server:
        run(lambda: test(server))
        assert server.process.wait(PATIENCE) == 0, server.log


def test_only_so_many_connections_from_one_address(server: Server) -> None:
    async def test() -> None:
        opened = [await ws(server) for _ in range(60)]
        with pytest.raises(Exception, match="403"):
            await ws(server)
        for connection in opened:
            await connection.close()
        while True:  # until there is room for new connections, as the old ones have gone
            try:
                return await (await ws(server)).close()
            except Exception:
                await asyncio.sleep(0.05)

    run(test)


def test_agents_go_on_when_their_workers_are_killed(server: Server) -> None:
    async def test() -> None:
        (seat,) = open_room(server.url, "random")
        await play_until(server.url, [seat], lambda: bool(_children(server.process.pid)))
        workers = _children(server.process.pid)
        assert workers
        for pid in workers:
            os.kill(pid, 9)
        had = made([seat])
        await play_until(server.url, [seat], lambda: made([seat]) > had + 10)
        assert seat.over or made([seat]) > had + 10, "the game does not go on"
        assert audit(server.url, [seat]) == []

    run(test)


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


def hazard(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hazard", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_port_or_folder_in_use_and_other_bad_input(server: Server, tmp_path: Path) -> None:
    room = f"{server.url}/rooms/{'0' * 16}"
    cases = [
        (["serve", "--port", str(server.port), "--data", str(tmp_path / "a")], "is in use by another program"),
        (["serve", "--port", "0", "--data", str(server.folder)], "another server is at work there"),
        (["serve", "--port", "99999", "--data", str(tmp_path / "b")], "must be from 0 to 65535"),
        (["serve", "--port", "0", "--host", "no.such.host.invalid"], "there is no such address"),
        (["serve", "--limit", "room=1"], "did you mean 'rooms'"),
        (["serve", "--limit", "rooms=x"], "must be a number above 0"),
        (["join", room, "random"], "there is no room"),
        (["join", "nonsense", "random"], "not a room"),
        (["join", "http://127.0.0.1:1/rooms/a", "random"], "no Hazard server answers there"),
        (["verify", str(HOME / "README.md")], "not a game file"),
    ]
    for words, text in cases:
        done = hazard(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert text in done.stderr
    assert not (tmp_path / "a").exists()


def test_a_guest_comes_back_after_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        setting = {"game": "pig", "parameters": {"goal": 100}, "seats": [{}, {"agent": "random"}]}
        room = call(server.url, "/api/rooms", {"room": setting})["room"]
        seat, answered = sit_down(f"{server.url}/rooms/{room}"), 0
        with Guest(seat.url, seat.token) as guest:
            while not isinstance(message := guest.hear(PATIENCE), End):
                assert message is not None, "nothing more is heard"
                if isinstance(message, Ask) and answered == 12:
                    guest.say(Resign())
                elif isinstance(message, Ask):
                    answered += 1
                    guest.say(Move(message.ask, message.moves[0]))
                    if answered in (3, 6):
                        server.kill()
                        server.start(server.port)
            assert guest.unacknowledged is None
        events = call(server.url, f"/api/rooms/{room}")["events"]
        assert sum(event["type"] == "moved" and event["seat"] == 0 for event in events) == answered
        assert took_part(server, room) == [0]
        assert guest.seq == events[-1]["seq"]


def took_part(server: Server, room: str) -> list[int]:
    """The seats that had a part in every throw of a game, which must be verified."""
    found = call(server.url, f"/api/rooms/{room}/verify")
    assert found["passed"]
    (said,) = [check["detail"] for check in found["checks"] if check["what"] == "taking part"]
    return [int(seat) for seat, had, made in re.findall(r"seat (\d)[^;]*: (\d+) of (\d+) throws", said) if had == made]


def test_an_agent_and_a_bot_join_and_play_each_other(server: Server) -> None:
    setting = {"game": "pig", "parameters": {"goal": 30}}
    room = call(server.url, "/api/rooms", {"room": setting})["room"]
    url = f"{server.url}/rooms/{room}"
    bot = str(HOME / "examples" / "bots" / "hold20.py")
    command = [sys.executable, "-m", "hazard", "join", url, bot]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        done = hazard("join", url, "hold-at-25", "--json")
        said = other.communicate(timeout=PATIENCE)[0]
    assert json.loads(done.stdout)["reason"] == "over"
    assert "the game has ended (over)" in said
    assert took_part(server, room) == [0, 1]
    assert "taken" in hazard("join", url, "random").stderr


def test_the_example_bot_plays(server: Server) -> None:
    setting = {"game": "pig", "parameters": {"goal": 20}, "seats": [{}, {"agent": "random"}]}
    room = call(server.url, "/api/rooms", {"room": setting})["room"]
    command = [sys.executable, str(HOME / "examples" / "network_bot.py"), f"{server.url}/rooms/{room}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert call(server.url, f"/api/rooms/{room}")["status"] == "over"
    assert took_part(server, room) == [0]
