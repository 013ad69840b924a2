"""The database is looked over at the start, altered seeds are found, and a copy is made while the server runs."""

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from hazard.cli import cli
from hazard.errors import BadInput
from hazard.server.protocol import Refusal
from hazard.server.rooms.integrity import DATABASE, SIGN, back_up
from hazard.server.rooms.store import Store
from tests.server.talk import opened, pig, run


def filled(folder: Path, rooms: int = 40) -> list[str]:
    """A server's folder with some games; their names."""
    names: list[str] = []

    async def fill() -> None:
        async with opened(folder, pace=60.0) as found:
            names.extend([(await found.create(pig("random", "random"))).name for _ in range(rooms)])

    run(fill)
    return names


def forget_log(folder: Path) -> None:
    for path in folder.glob(f"{DATABASE}-*"):
        path.unlink()


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(os.urandom(8192))


def without_table(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("drop table events")


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (halve, "database"),
        (overwrite, "database"),
        (lambda path: os.truncate(path, 0), "is empty"),
        (lambda path: path.unlink(), "is gone"),
        (lambda path: path.write_bytes(b"nonsense" * 1000), "database"),
        (without_table, "lost its table 'events'"),
    ],
    ids=["truncated", "overwritten", "emptied", "removed", "no database", "a table dropped"],
)
def test_a_damaged_database_is_refused_with_the_way_back(
    tmp_path: Path, harm: Callable[[Path], object], says: str
) -> None:
    filled(tmp_path / "data")
    forget_log(tmp_path / "data")
    harm(tmp_path / "data" / DATABASE)
    before = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir() if path.name in (DATABASE, SIGN)}
    with pytest.raises(BadInput, match=says) as told:
        Store(tmp_path / "data")
    assert "hazard backup" in str(told.value)
    after = {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir() if path.name in (DATABASE, SIGN)}
    assert after == before, "nothing is changed"


def test_a_server_that_was_killed_before_its_first_database_starts(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / SIGN).write_text('{"format":1,"ready":false}\n')
    Store(tmp_path / "data").close()
    assert b'"ready":true' in (tmp_path / "data" / SIGN).read_bytes()
    Store(tmp_path / "data").close()


def test_another_seed_than_was_promised_is_found(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    names = filled(tmp_path / "data", 5)
    with sqlite3.connect(tmp_path / "data" / DATABASE) as db:
        db.execute("update rooms set seed=? where id=?", (b"x" * 32, names[2]))

    async def check() -> None:
        async with opened(tmp_path / "data") as rooms:
            for name in names:
                if name == names[2]:
                    with pytest.raises(Refusal, match="not the one that was promised"):
                        await rooms.get(name)
                else:
                    assert (await rooms.get(name)).record.status == "playing"

    with caplog.at_level(logging.WARNING):
        run(check)
    assert f"1 rooms have other seeds than those promised, and are not opened: {names[2]}" in caplog.text


# --- copies -----------------------------------------------------------------------------------------------------------
def test_a_copy_of_a_server_that_runs_can_be_served(tmp_path: Path) -> None:
    names: list[str] = []

    async def check() -> None:
        async with opened(tmp_path / "data", pace=60.0) as rooms:
            names.append((await rooms.create(pig("random", "random"))).name)
            (tmp_path / "data" / "key").write_text("secret")
            told = CliRunner().invoke(cli, ["backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")])
            assert told.exit_code == 0, told.output
            assert told.output.startswith("1 rooms copied")
            await rooms.create(pig("random", "random"))

    async def look() -> None:
        async with opened(tmp_path / "copy") as rooms:
            assert (await rooms.get(names[0])).record.status == "playing"
            assert len(await rooms.listed()) == 1

    run(check)
    assert (tmp_path / "copy" / "key").read_text() == "secret"
    assert (tmp_path / "copy").stat().st_mode & 0o077 == 0, "seeds of games that go on are in it"
    run(look)


def test_a_copy_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    filled(tmp_path / "data", 2)
    assert back_up(tmp_path / "data", tmp_path / "copy") == 2
    filled(tmp_path / "data", 1)
    assert back_up(tmp_path / "data", tmp_path / "copy") == 3


def test_what_cannot_be_copied(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no server has kept games there"):
        back_up(tmp_path / "nowhere", tmp_path / "copy")
    filled(tmp_path / "data", 1)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(BadInput, match="holds something else"):
        back_up(tmp_path / "data", tmp_path / "other")
    forget_log(tmp_path / "data")
    halve(tmp_path / "data" / DATABASE)
    told = CliRunner().invoke(cli, ["backup", str(tmp_path / "copy"), "--data", str(tmp_path / "data")])
    assert told.exit_code != 0
    assert not (tmp_path / "copy").exists()
