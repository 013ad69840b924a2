"""Nothing that was solved is believed unless it is what was written: tables, block by block, and their heading."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.solving import tables
from hazard.solving.solution import Solution, load, save, solve, stored_at
from hazard.solving.tables import Table, checksums

KINDS = {
    "pig": {"goal": 12},
    "pickomino": {"tiles": 2, "dice": 5},
    "dice-of-doom": {"board": "1x3", "max_dice": 2, "turns": 0},
}


@pytest.fixture(scope="module", params=KINDS.items(), ids=KINDS)
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solution of each solver, in a folder of its own."""
    game = hazard.game(request.param[0], **request.param[1])
    solve(game)
    return shutil.copytree(stored_at(game), tmp_path_factory.mktemp("kept") / "solution")


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "solution")


def tables_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.npy"))


def every_value(solution: Solution) -> None:
    """Use a solution in every way."""
    start = solution.game.start()
    _ = solution.bounds(start), solution.policy, solution.tables()


def test_what_was_written_is_read(folder: Path) -> None:
    every_value(load(folder))


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "when read"])
def test_other_values_are_refused(folder: Path, at_once: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """All values of a table are made the same: the file is as long as before, and its beginning is the same."""
    monkeypatch.setattr("hazard.solving.solution.AT_ONCE", 1 << 30 if at_once else -1)
    for path in tables_of(folder):
        was = path.read_bytes()
        table = np.lib.format.open_memmap(path, "r+")
        table[...] = 0.123 if table.dtype.kind == "f" else 1
        table.flush()
        with pytest.raises(hazard.BadInput, match=rf"damaged \({path.name} does not match its checksum\); solve again"):
            every_value(load(folder))
        path.write_bytes(was)
    every_value(load(folder))


@pytest.mark.parametrize("damage", ["empty", "half", "one more", "gone"])
def test_damaged_tables_are_refused(folder: Path, damage: str) -> None:
    for path in tables_of(folder):
        was = path.read_bytes()
        path.write_bytes({"empty": b"", "half": was[: len(was) // 2], "one more": was + b"\0", "gone": b""}[damage])
        if damage == "gone":
            path.unlink()
        with pytest.raises(hazard.BadInput, match="damaged"):
            load(folder)
        path.write_bytes(was)


def test_any_bit_counts(folder: Path) -> None:
    """One bit anywhere, the heading of the file included."""
    path = tables_of(folder)[0]
    was, rng = path.read_bytes(), np.random.default_rng(1)
    for at in [6, 10, len(was) - 1, *rng.integers(0, len(was), 40).tolist()]:
        changed = bytearray(was)
        changed[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(changed)
        with pytest.raises(hazard.BadInput, match="damaged"):
            load(folder)


def test_an_altered_heading_is_refused(folder: Path) -> None:
    """A smaller error would be a lie about the values."""
    about = json.loads((folder / "solution.json").read_text())
    for key, value in {"error": 1e-30, "states": 7, "tables": {}, "tolerance": 1.0, "sha256": "0" * 64}.items():
        (folder / "solution.json").write_text(json.dumps(about | {key: value}))
        with pytest.raises(hazard.BadInput, match=r"solution.json does not match its checksum"):
            load(folder)
    (folder / "solution.json").write_text(json.dumps({key: about[key] for key in about if key != "sha256"}))
    with pytest.raises(hazard.BadInput, match="damaged"):
        load(folder)


def test_a_damaged_solution_is_made_again() -> None:
    """In the cache it counts as absent."""
    from hazard.solving.solution import solved, stored

    game = hazard.game("pig", goal=11)
    true = solved(game).value(game.start())
    path = stored_at(game) / "low.npy"
    path.write_bytes(path.read_bytes()[:-8] + bytes(8))
    (stored_at(game) / "solution.json").touch()
    assert stored(game) is None
    assert solved(game).value(game.start()) == true


# --- blocks --------------------------------------------------------------------------------------------------------
@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of 13 and a half blocks."""
    np.save(tmp_path / "values.npy", np.arange(13.5 * tables.BLOCK // 8 - 16).reshape(4, -1))
    return tmp_path / "values.npy"


def test_only_what_is_read_is_compared(table: Path) -> None:
    known = checksums(table)
    whole = np.load(table)
    with table.open("r+b") as file:
        file.seek(5 * tables.BLOCK + 100)
        file.write(b"x")
    found = Table(table, known)
    refused = []
    for at in range(0, whole.size, tables.BLOCK // 16):
        where = tuple(int(i) for i in np.unravel_index(at, whole.shape))
        try:
            assert found.at(where) == whole[where]
        except hazard.BadInput:
            refused.append((at * 8 + 128) // tables.BLOCK)
    assert set(refused) == {5}
    with pytest.raises(hazard.BadInput, match=r"values.npy does not match its checksum"):
        _ = found.whole


def test_an_entry_across_two_blocks(tmp_path: Path) -> None:
    """The end of its bytes is compared as well."""
    kind = np.dtype("S1000")
    np.save(tmp_path / "x.npy", np.full(3000, b"a", kind))
    known = checksums(tmp_path / "x.npy")
    begin = np.load(tmp_path / "x.npy", mmap_mode="r").offset
    across = (tables.BLOCK - begin) // 1000
    with (tmp_path / "x.npy").open("r+b") as file:
        file.seek(tables.BLOCK + 5)
        file.write(b"b")
    found = Table(tmp_path / "x.npy", known)
    assert found.at((across - 1,)) == b"a"
    with pytest.raises(hazard.BadInput):
        found.at((across,))


def test_the_whole_table_is_compared_once(table: Path) -> None:
    found = Table(table, checksums(table))
    assert (found.whole == np.load(table)).all()
    assert found.whole is found.whole
    assert not found._new.any()


def test_solutions_are_saved_with_their_checksums(tmp_path: Path) -> None:
    solution = solve(hazard.game("pig", goal=7))
    about = json.loads((save(solution, tmp_path / "x") / "solution.json").read_text())
    assert about["tables"] == {path.stem: checksums(path) for path in tables_of(tmp_path / "x")}
