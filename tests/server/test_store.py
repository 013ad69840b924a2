"""The folder on disk: what was acknowledged is there, what was refused is not, and nobody else's folder is touched."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from hazard.errors import BadInput
from hazard.server.protocol import Refusal, Sat
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.setting import Setting
from hazard.server.rooms.store import DATABASE, SIGN, Store
from tests.server.talk import run

SECRET = Secret(b"seed", b"salt")
SETTING = Setting(game="pig")


def sat(seq: int, name: str = "Ann") -> Sat:
    return Sat(seq, 0, "person", name)


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    async def test() -> None:
        store = Store(tmp_path / "data")
        await store.create("a", SETTING, SECRET, [sat(1)], "waiting")
        await store.append("a", [sat(2), sat(3)], "playing", {0: b"digest"})
        store.close()
        store = Store(tmp_path / "data")
        kept = await store.load("a")
        assert kept is not None
        assert (kept.setting, kept.secret, kept.tokens) == (SETTING, SECRET, {0: b"digest"})
        assert kept.events == [sat(1), sat(2), sat(3)]
        assert [row.room for row in await store.listed(["playing"])] == ["a"]
        assert await store.listed(["over"]) == []
        assert await store.load("b") is None
        store.close()

    run(test)


def test_many_writes_share_a_transaction(tmp_path: Path) -> None:
    async def test() -> None:
        store = Store(tmp_path / "data")
        await asyncio.gather(*(store.create(f"{n}", SETTING, SECRET, [], "waiting") for n in range(300)))
        assert store.transactions < 100
        assert len(await store.listed(["waiting"], 1000)) == 300
        store.close()

    run(test)


def test_one_bad_write_does_not_spoil_the_others(tmp_path: Path) -> None:
    async def test() -> None:
        store = Store(tmp_path / "data")
        await store.create("a", SETTING, SECRET, [sat(1)], "waiting")
        jobs = [store.append("a", [sat(n)], "waiting") for n in (2, 1, 3)]
        found = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(one) for one in found] == [type(None), Refusal, type(None)]
        kept = await store.load("a")
        assert kept is not None
        assert [event.seq for event in kept.events] == [1, 2, 3]
        store.close()

    run(test)


async def fill(store: Store) -> int:
    """Write until the disk is full; how many events are there."""
    for seq in range(1, 1000):
        try:
            await store.append("a", [sat(seq, "x" * 4000)], "waiting")
        except Refusal as refusal:
            assert refusal.code == "disk"
            return seq - 1
    raise AssertionError("the disk never got full")


def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    """SQLite itself says that the disk is full: it is allowed no more pages."""

    async def test() -> None:
        store = Store(tmp_path / "data")
        await store.create("a", SETTING, SECRET, [], "waiting")
        store._db.execute(f"pragma max_page_count={store._db.execute('pragma page_count').fetchone()[0]}")
        kept = await fill(store)
        assert len((await store.load("a")).events) == kept  # type: ignore[union-attr]
        store._db.execute("pragma max_page_count=1000000")
        await store.append("a", [sat(kept + 1)], "waiting")
        assert len((await store.load("a")).events) == kept + 1  # type: ignore[union-attr]
        store.close()

    run(test)


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    with pytest.raises(BadInput, match="another server is at work there"):
        Store(tmp_path / "data")
    store.close()
    Store(tmp_path / "data").close()


def test_a_newer_folder_is_refused_and_left(tmp_path: Path) -> None:
    Store(tmp_path / "data").close()
    (tmp_path / "data" / SIGN).write_text(json.dumps({"format": 2}))
    before = {path: path.read_bytes() for path in (tmp_path / "data").iterdir()}
    with pytest.raises(BadInput, match="format is 2, but this program reads format 1"):
        Store(tmp_path / "data")
    assert {path: path.read_bytes() for path in (tmp_path / "data").iterdir()} == before


def test_somebody_elses_folder_is_refused_and_left(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("mine")
    with pytest.raises(BadInput, match="holds something else"):
        Store(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letters"]


@pytest.mark.parametrize("name", [SIGN, DATABASE])
def test_a_damaged_folder_is_refused(tmp_path: Path, name: str) -> None:
    Store(tmp_path / "data").close()
    (tmp_path / "data" / name).write_bytes(b"not what it was" * 100)
    with pytest.raises(BadInput, match=name):
        Store(tmp_path / "data")
    assert (tmp_path / "data" / name).read_bytes() == b"not what it was" * 100


def test_the_log_is_written_ahead_and_waited_for(tmp_path: Path) -> None:
    store = Store(tmp_path / "data")
    assert store._db.execute("pragma journal_mode").fetchone() == ("wal",)
    assert store._db.execute("pragma synchronous").fetchone() == (2,)
    store.close()
    with sqlite3.connect(tmp_path / "data" / DATABASE) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
