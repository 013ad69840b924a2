"""The machine under the server: a loop that stalls is reported, logs stay short, memory and descriptors have limits."""

import asyncio
import logging
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from hazard.server.machine import BESIDES, SELDOM, Seldom, Watchdog, descriptors, memory_used
from hazard.server.workers.pool import WorkerPool
from hazard.solving.solution import ROOM, _writable
from tests.server.talk import run, until

ALLOCATE = "from hazard.server.machine import limit_memory; limit_memory({limit}); print(len(bytearray({size} << 20)))"


def test_a_loop_that_stalls_is_reported_with_the_place() -> None:
    told: list[tuple[float, str]] = []

    async def check() -> None:
        watchdog = Watchdog(lambda seconds, place: told.append((seconds, place)))
        watchdog.start()
        await asyncio.sleep(0)
        deadline = time.monotonic() + 60
        while not told and time.monotonic() < deadline:
            pass  # the loop is kept from its work
        watchdog.stop()

    run(check)
    assert told[0][0] > 0.25
    assert "test_machine.py" in told[0][1]


def test_a_stall_is_told_once() -> None:
    told: list[float] = []

    async def check() -> None:
        watchdog = Watchdog(lambda seconds, place: told.append(watchdog.seen))
        watchdog.start()
        for _ in range(2):
            count, deadline = len(told), time.monotonic() + 60
            while len(told) == count and time.monotonic() < deadline:
                pass
            before = watchdog.seen
            await until(lambda before=before: watchdog.seen > before)  # it goes on
        watchdog.stop()

    run(check)
    assert len(set(told)) == len(told) >= 2, "each stall is another"


def test_the_log_is_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("hazard.server.machine.time", SimpleNamespace(monotonic=lambda: now[0]))
    seldom = Seldom()

    def passed(text: str) -> bool:
        return bool(seldom.filter(logging.LogRecord("name", logging.ERROR, "", 0, text, None, None)))

    assert [passed("accept failed\nsocket 3") for _ in range(100)].count(True) == SELDOM
    assert passed("something else")
    now[0] = 61.0
    record = logging.LogRecord("name", logging.ERROR, "", 0, "accept failed\nsocket 4", None, None)
    assert seldom.filter(record)
    assert f"({100 - SELDOM} more like this before)" in record.getMessage()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
@pytest.mark.parametrize(("limit", "size", "works"), [(300, 100, True), (300, 400, False), (0, 400, True)])
def test_memory_is_limited(limit: int, size: int, works: bool) -> None:
    code = ALLOCATE.format(limit=limit, size=size)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is works
    assert works or "MemoryError" in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_workers_have_the_limit_and_end_when_they_have_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        workers = WorkerPool(count=2, memory=1024)
        try:
            await workers.look("pig", {}, "")
            (pid,) = workers.pids
            assert str(1024 << 20) in Path(f"/proc/{pid}/limits").read_text().partition("Max data size")[2][:60]
            assert memory_used(pid) > 0
            monkeypatch.setattr("hazard.server.workers.pool.memory_used", lambda pid: 600 << 20)
            before = workers.replaced, len(workers.pids)
            await workers.look("pig", {}, "")  # by a worker that has more than half of its limit
            assert (workers.replaced, len(workers.pids)) == before, "the one that answered has ended"
            assert (await workers.look("pig", {"goal": 30}, ""))["parameters"]["goal"] == 30
        finally:
            await workers.close()

    run(check)


@pytest.mark.parametrize(
    ("soft", "hard", "most", "raised"),
    [
        (1024, 1 << 20, 2000, 2000 + BESIDES),
        (1024, resource.RLIM_INFINITY, 2000, 2000 + BESIDES),
        (1 << 20, 1 << 20, 2000, None),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 2000, None),
        (256, 1024, 1024 - BESIDES, 1024),
        (64, 64, 1, 64),
    ],
)
def test_descriptors_are_raised_or_connections_lowered(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, most: int, raised: int | None
) -> None:
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda what: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda what, pair: set_to.append(pair))
    assert descriptors(2000) == most
    assert set_to == ([] if raised is None else [(raised, hard)])


def test_solutions_for_visitors_do_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "solutions"
    (place / "old").mkdir(parents=True)
    (place / "old" / "low.npy").write_bytes(b"x" * (3 << 20))
    monkeypatch.delenv(ROOM, raising=False)
    assert _writable(place / "new") == place / "new"
    for room, kept in (("4", True), ("3", False), ("0", False)):
        monkeypatch.setenv(ROOM, room)
        assert (_writable(place / "new") is not None) is kept
    assert (place / "old" / "low.npy").exists(), "what is there stays"
