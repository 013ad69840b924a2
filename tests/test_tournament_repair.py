"""Damaged batches are played again and come out as they were; games that are not what their seed gives are found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hazard
from hazard.arena.tournament.batch import pack
from hazard.arena.tournament.repair import repair
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import round_robin, settle
from hazard.arena.tournament.store import Store, read_setting
from hazard.arena.tournament.verify import verify
from tests.tournaments import EXAMPLES, contents, hazard_command, make, pig

DAMAGE: dict[str, Callable[[Path], Any]] = {
    "a bit": lambda path: path.write_bytes(flipped(path.read_bytes())),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "gone": Path.unlink,
}


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_batch_is_played_again(undisturbed: Path, how: str) -> None:
    before = contents(undisturbed)
    for path in sorted((undisturbed / "games").iterdir())[::2]:
        DAMAGE[how](path)
    refused = hazard_command("resume", undisturbed)
    assert refused.returncode == 2
    assert refused.stderr.splitlines()[-1].endswith(f"`hazard resume {undisturbed} --repair` plays it again")
    found = hazard_command("resume", undisturbed, "--repair")
    assert found.returncode == 0, found.stderr
    assert found.stderr.count("repaired: ") == 5
    assert contents(undisturbed) == before
    assert "nothing is damaged" in hazard_command("resume", undisturbed, "--repair").stderr


def test_moves_luck_and_grown_batches_are_repaired_too(tmp_path: Path) -> None:
    """45 games end in the middle of a batch and of a deal: their files were joined from two parts."""
    folder = tmp_path / "x"
    run(folder, make(games=45, record=True, luck=True))
    run(folder, make(games=90, record=True, luck=True))
    before = contents(folder)
    for path in folder.glob("*/*.parquet"):
        DAMAGE["a bit"](path)
    assert len(repair(folder, read_setting(folder), processes=2)) == 15
    assert contents(folder) == before


def test_an_unfinished_tournament_is_repaired(tmp_path: Path, undisturbed: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 80:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "x", make(), progress=stop)
    DAMAGE["half"](min((tmp_path / "x" / "games").iterdir()))
    assert hazard_command("resume", tmp_path / "x", "--repair").returncode == 0
    assert contents(tmp_path / "x") == contents(undisturbed)


# --- programs ------------------------------------------------------------------------------------------------------
FICKLE = """
import json, os, sys
print(json.dumps({"type": "ready", "protocol": 1, "name": "fickle"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "ask":
        chosen = os.urandom(1)[0] % len(asked["moves"])
        print(json.dumps({"type": "move", "ask": asked["ask"], "move": asked["moves"][chosen]}), flush=True)
"""


def with_programs(folder: Path, bot: str) -> Path:
    agents = [bot, "hold-at-20", "random"]
    run(folder, settle(pig(), agents, round_robin(agents, 2), games=8, seed=1, batch=4))
    return folder


def test_a_program_that_plays_the_same_is_repaired(tmp_path: Path) -> None:
    """Its checksum decides, not what it is."""
    folder = with_programs(tmp_path / "x", str(EXAMPLES / "hold20.py"))
    before = contents(folder)
    for path in (folder / "games").iterdir():
        DAMAGE["a bit"](path)
    repair(folder, read_setting(folder))
    assert contents(folder) == before


def test_a_program_that_plays_otherwise_is_said(tmp_path: Path) -> None:
    (tmp_path / "fickle.py").write_text(FICKLE)
    folder = with_programs(tmp_path / "x", str(tmp_path / "fickle.py"))
    before = contents(folder)
    assert verify(folder, None)["passed"]
    for path in (folder / "games").iterdir():
        DAMAGE["a bit"](path)
    found = hazard_command("resume", folder, "--repair")
    assert found.returncode == 2
    assert "programs play in it, and played otherwise this time; 2 of 6 damaged batches are repaired" in found.stderr
    assert "Traceback" not in found.stderr
    now = contents(folder)
    assert sorted(name for name in before if now[name] == before[name] and "games/00002" in name) == [
        f"games/00002-{first:012d}-{first + 4:012d}.parquet" for first in (0, 4)
    ]


# --- verifying -----------------------------------------------------------------------------------------------------
def forge(folder: Path, kind: str, change: Callable[[pa.Table], pa.Table], number: int = 0) -> None:
    """Alter a file and give the ledger its new checksum, as somebody who knows how would do."""
    store = Store(folder, read_setting(folder))
    batch = store.batches[number]
    files = {name: store.path(name, batch).read_bytes() for name in store._entries[batch.line_up, batch.first].sha256}
    files[kind] = pack(change(pq.read_table(pa.BufferReader(files[kind]))))
    store.keep(batch, files, [])
    store.check()


def changed(table: pa.Table, row: int, **values: Any) -> pa.Table:
    rows = table.to_pylist()
    rows[row] |= values
    return pa.Table.from_pylist(rows, table.schema)


@pytest.mark.parametrize("processes", [1, 2])
def test_all_games_are_what_their_seed_gives(undisturbed: Path, processes: int) -> None:
    found = verify(undisturbed, None, processes=processes)
    assert (found["passed"], found["checked"], found["games"], found["most_wrong"]) == (True, 180, 180, 0.0)
    assert found["notes"] == []


@pytest.mark.parametrize("column", ["payoff_1", "length", "cut", "luck_1", "rotation"])
def test_a_forged_figure_is_found(tmp_path: Path, column: str) -> None:
    run(tmp_path / "x", make(luck=True))
    forge(tmp_path / "x", "games", lambda t: changed(t, 7, **{column: t[column][7].as_py() + 1}), number=4)
    found = verify(tmp_path / "x", None)
    assert not found["passed"]
    assert [wrong["game"] for wrong in found["wrong"]] == [(20 + 7) * 3 + 1]
    assert column in found["wrong"][0]["why"]
    said = hazard_command("verify", tmp_path / "x", "--all")
    assert said.returncode == 1
    assert "FAILED" in said.stdout


@pytest.mark.parametrize("column", ["move", "position", "ply", "game", "payoff"])
def test_a_forged_move_is_found(tmp_path: Path, column: str) -> None:
    run(tmp_path / "x", make(record=True))
    assert verify(tmp_path / "x", None)["passed"]
    other = {"move": "hold it", "position": "p1 0:0 pot 1", "ply": 99, "game": 99, "payoff": 0.25}
    forge(tmp_path / "x", "moves", lambda t: changed(t, 3, **{column: other[column]}))
    found = verify(tmp_path / "x", None)
    assert [wrong["game"] for wrong in found["wrong"]] == [0]


def test_a_sample_finds_what_it_says_it_finds(undisturbed: Path) -> None:
    """Half of all games are wrong: of a sample of ten, none is wrong once in a thousand times."""
    forged = {"payoff_1": 0.25}

    def half(table: pa.Table) -> pa.Table:
        for row in range(0, table.num_rows, 2):
            table = changed(table, row, **forged)
        return table

    for number in range(9):
        forge(undisturbed, "games", half, number)
    results = [verify(undisturbed, 10, seed) for seed in range(20)]
    assert all(found["checked"] == 10 and found["most_wrong"] is None for found in results)
    assert sum(found["passed"] for found in results) == 0
    assert {wrong["game"] // 3 % 2 for found in results for wrong in found["wrong"]} == {0}
    assert verify(undisturbed, 10, 3)["wrong"] == results[3]["wrong"]


def test_a_sample_says_how_sure_it_is(undisturbed: Path) -> None:
    found = verify(undisturbed, 59)
    assert found["passed"]
    assert (1 - found["most_wrong"]) ** 59 == pytest.approx(1 - found["sure"])
    assert 0.049 < found["most_wrong"] < 0.05
    said = json.loads(hazard_command("verify", undisturbed, "--games", 59, "--seed", found["seed"], "--json").stdout)
    assert said == found


def test_damaged_files_fail_and_the_rest_is_checked(undisturbed: Path) -> None:
    DAMAGE["a bit"](min((undisturbed / "games").iterdir()))
    found = verify(undisturbed, None)
    assert (found["passed"], found["checked"], found["wrong"]) == (False, 160, [])
    assert len(found["damaged"]) == 1
    assert hazard_command("verify", undisturbed).returncode == 1


@pytest.mark.parametrize("what", ["payoff_1", "an illegal move", "another move of a built-in agent", "moves left out"])
def test_forged_games_of_programs_are_found(tmp_path: Path, what: str) -> None:
    folder = with_programs(tmp_path / "x", str(EXAMPLES / "hold20.py"))
    assert verify(folder, None)["passed"]

    def change(table: pa.Table) -> pa.Table:
        moves = table["moves"][0].as_py()
        if what == "an illegal move":
            return changed(table, 0, moves=[77, *moves[1:]])
        if what == "another move of a built-in agent":  # hold20 and hold-at-20 decide alike, so any move will do
            return changed(table, 0, moves=[1 - moves[0], *moves[1:]])
        if what == "moves left out":
            return changed(table, 0, moves=moves[:-1], length=len(moves) - 1)
        return changed(table, 0, payoff_1=1 - table["payoff_1"][0].as_py())

    forge(folder, "games", change)
    found = verify(folder, None)
    assert [wrong["game"] for wrong in found["wrong"]] == [0]
    assert hazard_command("replay", folder, 0).returncode == 2


def test_verify_refuses_what_it_cannot_check(tmp_path: Path, undisturbed: Path) -> None:
    for words in ((tmp_path,), (undisturbed, "--games", 0)):
        found = hazard_command("verify", *words)
        assert found.returncode == 2
        assert len(found.stderr.splitlines()) == 1


def test_other_versions_are_noted(undisturbed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = {"python": "3.11.0", "numba": "0.1", "numpy": "0.2", "pyarrow": "0.3"}
    monkeypatch.setattr("hazard.arena.tournament.setting.versions", lambda: here)
    found = verify(undisturbed, None)
    assert found["passed"]
    assert any("numba" in note for note in found["notes"])
    with pytest.raises(hazard.BadInput, match=r"played with numba .*, but here is 0.1"):
        run(undisturbed, read_setting(undisturbed))
