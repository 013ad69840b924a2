"""Nobody can take all of the server: rooms, queues and bytes are shared out by visitor."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hazard.errors import BadInput
from hazard.server.limits import Limits
from hazard.server.protocol import Refusal
from hazard.server.rooms.connection import SLOW, Connection
from hazard.server.visitors import FairQueue, networks_of, real_address, visitor, visitor_at
from tests.server.talk import Ear, opened, pig, run, seated, until


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
