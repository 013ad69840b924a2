"""Nobody can take all of the server: rooms, queues and bytes are shared out by visitor."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from hazard.errors import BadInput
from hazard.server.http.app import LabServer, make_app
from hazard.server.http.quotas import Quotas
from hazard.server.limits import REQUESTS, Limits, Traffic
from hazard.server.protocol import Refusal
from hazard.server.rooms.connection import SLOW, Connection
from hazard.server.rooms.store import Store
from hazard.server.visitors import FairQueue, networks_of, real_address, visitor, visitor_at
from hazard.server.workers.pool import Worker, WorkerPool
from hazard.server.workers.worker import Explored, ExploreQuestion, Told
from tests.server.talk import Ear, FirstMove, opened, pig, run, seated, until


@contextmanager
def asking(name: str) -> Iterator[None]:
    """What is done meanwhile is done for that visitor."""
    token = visitor.set(name)
    try:
        yield
    finally:
        visitor.reset(token)


# --- who is who -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("testclient", "testclient"),
    ],
)
def test_visitors_are_told_apart_by_network(address: str, name: str) -> None:
    assert visitor_at(address) == name


@pytest.mark.parametrize(
    ("peer", "forwarded", "real"),
    [
        ("192.0.2.9", "198.51.100.7", "192.0.2.9"),  # whoever is no proxy is not believed
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.7", "198.51.100.7"),  # what a client writes itself does not count
        ("10.0.0.1", "1.2.3.4, 198.51.100.7, 10.2.2.2", "198.51.100.7"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "[2001:db8::1]:443", "2001:db8::1"),
        ("::1", "198.51.100.7", "198.51.100.7"),
        ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "nonsense", "nonsense"),
    ],
)
def test_only_trusted_proxies_say_for_whom_they_ask(peer: str, forwarded: str, real: str) -> None:
    assert real_address(peer, forwarded, networks_of(["10.0.0.0/8", "::1"])) == real


def test_a_proxy_that_is_none() -> None:
    with pytest.raises(BadInput, match="--trusted-proxy: 'nowhere' does not"):
        networks_of(["nowhere"])


def test_a_queue_is_fair() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(100):
        queue.add("greedy", f"g{number}")
    queue.add("modest", "m0")
    queue.add("other", "o0")
    queue.add("modest", "m1")
    assert [queue.pop() for _ in range(6)] == ["g0", "m0", "o0", "g1", "m1", "g2"]
    assert queue.waiting("greedy") == 97
    assert len(list(queue)) == 97
    while queue:
        queue.pop()
    assert queue.pop() is None
    assert not queue.places


# --- rooms ------------------------------------------------------------------------------------------------------------
def test_rooms_of_agents_do_not_fill_the_server(tmp_path: Path) -> None:
    """Each visitor has a few; a new one takes the place of one that nobody looks at, and all are kept."""

    async def check() -> None:
        async with opened(tmp_path / "data", rooms=20, agent_rooms=3, pace=60.0) as rooms:
            with asking("greedy"):
                made = [await rooms.create(pig("random", "random")) for _ in range(30)]
            assert len(rooms.open) == 3
            with asking("modest"):
                mine = await rooms.create(pig("", "random"))
                assert (await rooms.get(made[0].name)).record.status == "playing"
            assert mine.name in rooms.open
            assert made[0].name in rooms.open

    run(check)


def test_rooms_that_somebody_looks_at_stay(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened(tmp_path / "data", agent_rooms=2, pace=60.0) as rooms:
            with asking("greedy"):
                for _ in range(2):
                    (await rooms.create(pig("random", "random"))).enter(Ear(), "", 0)
                with pytest.raises(Refusal, match="2 rooms of yours in which only agents play are open"):
                    await rooms.create(pig("random", "random"))
            with asking("modest"):
                await rooms.create(pig("random", "random"))

    run(check)


def test_a_full_server_makes_way_where_nobody_looks(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened(tmp_path / "data", rooms=3, pace=60.0) as rooms:
            for name in ("one", "two", "three", "four"):
                with asking(name):
                    last = await rooms.create(pig("random", "random"))
            assert len(rooms.open) == 3
            assert last.name in rooms.open

    run(check)


def test_a_visitor_has_so_many_rooms(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened(tmp_path / "data", rooms_each=2) as rooms:
            with asking("greedy"):
                for _ in range(2):
                    await seated(await rooms.create(pig("", "")))
                with pytest.raises(Refusal, match="2 rooms of yours are open"):
                    await rooms.create(pig("", ""))
            with asking("modest"):
                await rooms.create(pig("", ""))

    run(check)


def test_a_game_of_agents_waits_for_somebody_to_look(tmp_path: Path) -> None:
    async def check() -> None:
        async with opened(tmp_path / "data", unwatched=0.001, pace=0.01) as rooms:
            rooms.start()
            room = await rooms.create(pig("random", "random"))
            await until(lambda: room.name not in rooms.open)
            stored = await rooms.store.load(room.name)
            assert stored is not None
            seen = Ear()
            (await rooms.get(room.name)).enter(seen, "", 0)
            again = rooms.open[room.name]
            await until(lambda: again.record.seq > len(stored.events))
            assert room.name in rooms.open

    run(check)


# --- bytes ------------------------------------------------------------------------------------------------------------
def test_bytes_that_wait_for_a_slow_reader_are_counted(tmp_path: Path) -> None:
    async def check() -> None:
        connection = Connection(None, None, Limits(unread=1000))  # type: ignore[arg-type]
        connection.send(b"x" * 5000)  # a long game may be sent to whoever enters
        connection.send(b"x" * 1000)
        assert not connection.ended.is_set()
        connection.send(b"x")
        assert connection.ended.is_set()
        assert connection.code == SLOW
        assert connection.waiting.qsize() == 2

    asyncio.run(check())


def test_connections_are_counted_by_address_and_in_all() -> None:
    traffic = Traffic(Limits(sockets=3, connections=1))
    assert [traffic.socket_comes("greedy") for _ in range(5)] == [True] * 3 + [False] * 2
    others = [traffic.socket_comes(f"other {n}") for n in range(300)]
    assert others.count(True) == 1 + REQUESTS - 3
    traffic.socket_goes("greedy")
    assert traffic.socket_comes("last")
    assert not traffic.socket_comes("greedy")


def test_bytes_that_an_address_has_not_read_are_counted() -> None:
    traffic = Traffic(Limits(held=1000))
    assert traffic.hold("greedy", 800)
    assert not traffic.hold("greedy", 800)
    assert traffic.hold("modest", 800)
    traffic.hold("greedy", -800)
    traffic.hold("greedy", -800)
    assert "greedy" not in traffic.held


# --- workers ----------------------------------------------------------------------------------------------------------
def test_questions_are_answered_in_turn_for_each_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks a hundred things is in nobody's way."""
    order: list[str] = []

    async def ask(worker: Worker, question: Any, limit: float | None = None) -> Told:
        order.append(question.position)
        await asyncio.sleep(0)
        return Told({}, 60.0)

    monkeypatch.setattr(Worker, "ask", ask)

    async def check() -> None:
        workers = WorkerPool(count=2, questions=20)
        with asking("greedy"):
            tasks = [asyncio.create_task(workers.look("pig", {}, "greedy")) for _ in range(21)]
            await asyncio.sleep(0)
            with pytest.raises(Refusal, match="20 questions of yours wait"):
                await workers.look("pig", {}, "one more")
        with asking("modest"):
            tasks.append(asyncio.create_task(workers.look("pig", {}, "modest")))
        await asyncio.gather(*tasks)
        await workers.close()

    run(check)
    assert order.index("modest") <= 3


def test_what_takes_long_leaves_a_worker_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        done = asyncio.Event()

        async def ask(worker: Worker, question: Any, limit: float | None = None) -> Any:
            if isinstance(question, ExploreQuestion):
                await done.wait()
                return Explored({})
            return Told({}, 60.0)

        monkeypatch.setattr(Worker, "ask", ask)
        workers = WorkerPool(count=3)
        tasks = [asyncio.create_task(workers.explore("pig", {"goal": goal})) for goal in range(10)]
        await asyncio.sleep(0)
        for _ in range(5):
            assert await workers.look("pig", {}, "") == {}
        done.set()
        assert await asyncio.gather(*tasks) == [{}] * 10
        await workers.close()

    run(check)


# --- proxies ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("proxies", "refused"), [(["10.0.0.1"], False), ([], True)])
def test_whoever_asks_through_a_proxy_counts_alone(tmp_path: Path, proxies: list[str], refused: bool) -> None:
    """Only if the proxy is trusted: otherwise all are one, whatever their requests say."""
    lab = LabServer(tmp_path / "data", Limits(requests=1.0), tmp_path, FirstMove())
    app = make_app(lab, [], networks_of(proxies))
    with TestClient(app, base_url="http://localhost", client=("10.0.0.1", 50000)) as client:
        codes = [client.get("/api/rooms", headers={"x-forwarded-for": f"192.0.2.{n}"}).status_code for n in range(40)]
    assert (429 in codes) is refused


# --- the disk ---------------------------------------------------------------------------------------------------------
def test_a_visitor_stores_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path / "data")
    quotas = Quotas(Limits(write_burst=100.0, write_rate=1e-9), store)
    quotas.store("greedy", 60)
    with pytest.raises(Refusal, match="you have stored much"):
        quotas.store("greedy", 60)
    quotas.store("modest", 60)
    with pytest.raises(Refusal, match="the space for games is used up"):
        Quotas(Limits(disk=1), store).store("modest", 2 << 20)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=1000))
    with pytest.raises(Refusal, match="the space for games is used up"):
        Quotas(Limits(), store).store("modest", 1)
    store.close()


def test_one_file_of_a_visitor_is_read_at_a_time(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    quotas = Quotas(Limits(), store)
    with quotas.uploading("greedy"):
        with pytest.raises(Refusal, match="another file is being read"), quotas.uploading("greedy"):
            pass
        with quotas.uploading("modest"):
            pass
    with quotas.uploading("greedy"):
        pass
    store.close()
