"""Long solves of Dice of Doom: order and room of blocks, coarser numbers, checkpoints, and going on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.games.dice_of_doom.solver import bounds, checkpoint, picking
from hazard.games.dice_of_doom.solver.block_order import plan
from hazard.games.dice_of_doom.solver.block_tasks import SHOW
from hazard.games.dice_of_doom.solver.bounds import find_values, prove
from hazard.games.dice_of_doom.solver.checkpoint import Checkpoint
from hazard.games.dice_of_doom.solver.standoffs import board_of, dice_at, equations, last_before, number_of
from hazard.games.dice_of_doom.solver.value_table import ValueTable, place_of, table_of
from hazard.games.dice_of_doom.solver.zero_sum import ZeroSumRun
from hazard.solving.report import solve_report
from hazard.solving.solution import load
from tests.games.test_dice_of_doom_solver import graph
from tests.waiting import wait_until


def quiet(what: str, number: int, change: float) -> None:
    pass


def doom(**parameters: Any) -> hazard.Game:
    return hazard.game("dice-of-doom", **{"board": "2x2", "max_dice": 3, "turns": 0} | parameters)


@pytest.fixture(scope="module")
def exact() -> ValueTable:
    table = table_of(doom(), whole=False)
    find_values(table, 1e-15, 500, quiet)
    return table


# --- order and room ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("tiles", [1, 2, 5, 6, 9])
def test_blocks_stay_until_they_are_not_needed(tiles: int) -> None:
    found, held, done = plan(tiles), {}, set()
    for group in found.groups:
        for mask in group:
            for tile in range(tiles):
                above = mask | 1 << tile
                assert above == mask or held[found.slots[above]] == above
            assert (1 << tiles) - 1 - mask not in group
        for mask in group:
            held[found.slots[mask]] = mask
            done.add(mask)
        assert {held[found.slots[mask]] for mask in group} == set(group)
    assert done == set(range(1 << tiles))
    assert found.places == 1 + max(found.slots)


def test_little_more_than_a_layer_is_kept() -> None:
    assert plan(12).places < 1.1 * 924


# --- coarser numbers --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "enough", "d"), [(np.float32, 2.5e-7, 1e-6), (np.uint16, 4e-5, 6e-5)])
def test_coarse_numbers_carry_a_proof_that_holds(exact: ValueTable, kind: type, enough: float, d: float) -> None:
    coarse = table_of(doom(), kind, whole=False)
    find_values(coarse, enough, 200, quiet)
    proof = prove(coarse, d, 200, quiet)
    assert proof is not None
    off = np.abs(coarse.values * coarse.stored.unit - exact.values)
    assert off.max() > 0
    assert np.all(off <= proof.width(proof.weights))
    assert proof.error < 100 * d


def test_a_proof_of_wrong_values_fails(exact: ValueTable) -> None:
    wrong = table_of(doom(), whole=False)
    wrong.values[:] = exact.values
    wrong.values[wrong.shapes.offsets[5] + 20] += 0.01
    assert prove(wrong, 1e-6, 200, quiet) is None


@pytest.mark.slow
@pytest.mark.parametrize(("module", "way"), [(bounds, "deterministic"), (picking, "random")])
def test_large_tables_settle_as_well(module: Any, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-offs are solved apart, or only values that move much are mixed."""
    game = doom(board="2x3", max_dice=4, reinforcement=way)
    whole, large = table_of(game), table_of(game)
    find_values(whole, 1e-12, 500, quiet)
    monkeypatch.setattr(module, "SMALL", 0)
    sweeps, change = find_values(large, 1e-12, 500, quiet)
    plain, _ = find_values(table_of(game), 1e-12, 500, quiet, accelerated=False)
    assert change <= 1e-12
    assert np.abs(whole.values - large.values).max() < 1e-9
    assert sweeps < plain if way == "random" else 2 * sweeps < plain


def test_equations_of_standoffs_say_what_a_sweep_does(exact: ValueTable) -> None:
    """A position's value is the constant less its shares of others'."""
    table = table_of(doom(), whole=False)
    table.values[:] = exact.values + np.linspace(0, 1e-4, exact.values.size)
    fresh = table.shown()[0].reshape(-1)
    table.all(SHOW, table.terms())  # fills its room
    places = np.arange(0, table.values.size, 2)
    matrix, constants = equations(table, places)
    said = constants - matrix @ table.values[places]
    swept = fresh[numbers_of_all(table)][places]
    assert matrix.nnz > len(places) / 10
    assert np.abs(said - swept).max() < 1e-6  # what is rare is held


# --- positions that are kept ------------------------------------------------------------------------------------------
def numbers_of_all(table: ValueTable) -> np.ndarray:
    """Where the kept positions are among all."""
    board, found = board_of(table), []
    for place in range(table.values.size):
        mask = last_before(board.offsets, place)
        packed = dice_at(board, mask, place)
        assert board.offsets[mask] + number_of(board, mask, packed, board.fresh[mask]) == place
        found.append(mask * table.size + number_of(board, mask, packed, 0))
    return np.array(found)


@pytest.mark.parametrize(("board", "dice"), [("2x2", 3), ("1x4", 2), ("triangle:2", 4)])
def test_what_is_kept_is_what_turns_lead_to(board: str, dice: int) -> None:
    game = doom(board=board, max_dice=dice)
    table, met = table_of(game, whole=False), set()
    for s, after in graph(game)[1].items():
        for _, t in after:
            if t.phase == game.rules.OPEN and t.mover != s.mover:
                mask, number = place_of(game, t)
                met.add(mask * table.size + number)
    kept = set(numbers_of_all(table).tolist())
    assert len(kept) == table.values.size < table.boards
    assert met <= kept
    assert len(met) > len(kept) / 5  # games that are over start no turn, and every turn has an attack


def test_a_table_of_turns_is_the_whole_one() -> None:
    game = doom(board="2x3", max_dice=3)
    some, whole = table_of(game, whole=False), table_of(game)
    for table in (some, whole):
        find_values(table, 1e-13, 500, quiet)
    assert 2 * some.values.size < whole.values.size == whole.boards == whole.worked
    assert some.values.size < some.worked < whole.worked
    assert np.abs(some.shown() - whole.shown()).max() < 1e-10
    assert np.abs(whole.shown()[0].reshape(-1) - whole.values).max() < 1e-10
    assert np.abs(some.shown()[0].reshape(-1)[numbers_of_all(some)] - some.values).max() < 1e-10


# --- checkpoints ------------------------------------------------------------------------------------------------------
class StoppedError(Exception):
    pass


def stopping(after: int) -> Any:
    calls = iter(range(10_000))

    def progress(done: int, total: int) -> None:
        if next(calls) >= after:
            raise StoppedError

    return progress


@pytest.mark.parametrize("after", [5, 40])
def test_a_stopped_solve_goes_on(after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while it sweeps, and while it counts turns."""
    monkeypatch.setattr(checkpoint, "FIRST", 0.0)
    monkeypatch.setattr(checkpoint, "SHARE", np.inf)
    game, folder = doom(max_dice=4), tmp_path / "x"
    whole = solve_report(game, 1e-9, tmp_path / "y", None)
    with pytest.raises(StoppedError):
        solve_report(game, 1e-9, folder, stopping(after))
    kept = json.loads((tmp_path / "x.partial" / "checkpoint.json").read_text())
    assert kept["sweeps"] == min(after + 1, whole["sweeps"])
    assert (kept["counted"] > 0) == (after > whole["sweeps"])
    again = ZeroSumRun(table_of(game), 1e-9, Checkpoint.beside(folder, game))
    again.resume()
    assert (again.sweeps, again.counted) == (kept["sweeps"], kept["counted"])
    found = solve_report(game, 1e-9, folder, None)
    assert found["sweeps"] >= kept["sweeps"]
    assert found["mean"] == pytest.approx(whole["mean"], abs=2e-9)
    assert not (tmp_path / "x.partial").exists()


def test_a_killed_solve_goes_on(tmp_path: Path) -> None:
    """Killed as hard as can be, by another process."""
    code = (
        "from hazard.games.dice_of_doom.solver import checkpoint; checkpoint.FIRST = 0.0; checkpoint.SHARE = 1.0\n"
        "from hazard.cli import main; main()"
    )
    words = ["solve", "dice-of-doom", "-p", "board=2x3", "-p", "max_dice=4", "--tolerance", "1e-10", "--json"]
    command = [sys.executable, "-c", code, *words, "--out", str(tmp_path / "x")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    wait_until(lambda: (tmp_path / "x.partial" / "progress.json").exists() or process.poll() is not None)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    before = json.loads((tmp_path / "x.partial" / "checkpoint.json").read_text())["sweeps"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)
    assert found["sweeps"] > before
    assert found["error"] <= 1e-10
    assert load(tmp_path / "x").error == found["error"]


@pytest.mark.parametrize(
    ("other", "says"), [({"max_dice": 4}, "max_dice=3, not 4"), ({"reinforcement": "random"}, "not random")]
)
def test_a_checkpoint_of_another_game_is_refused(other: dict, says: str, tmp_path: Path) -> None:
    mine = Checkpoint.beside(tmp_path / "x", doom())
    mine.due = 0.0
    mine.keep({"sweeps": 1}, {})
    with pytest.raises(hazard.BadInput, match=says):
        solve_report(doom(**other), 1e-6, tmp_path / "x", None)
    assert (tmp_path / "x.partial" / "checkpoint.json").exists()


def test_a_checkpoint_of_other_rules_is_refused(tmp_path: Path) -> None:
    mine = Checkpoint.beside(tmp_path / "x", doom())
    mine.due = 0.0
    mine.keep({"sweeps": 1}, {})
    path = mine.folder / "checkpoint.json"
    path.write_text(path.read_text().replace(doom().version, "000000000000"))
    with pytest.raises(hazard.BadInput, match="000000000000, not"):
        solve_report(doom(), 1e-6, tmp_path / "x", None)


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.partial").mkdir()
    (tmp_path / "x.partial" / "checkpoint.json").write_text("{")
    with pytest.raises(hazard.BadInput, match=r"damaged .* remove it"):
        solve_report(doom(), 1e-6, tmp_path / "x", None)


def test_turns_left_are_on_disk_where_memory_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.games.dice_of_doom.solver.value_table.MOST_BYTES", 0)
    game = doom()
    job = ZeroSumRun(table_of(game), 1e-9, Checkpoint.beside(tmp_path / "x", game))
    assert job.solve().error <= 1e-9
    assert isinstance(job.weights, np.memmap)


def test_boards_beyond_memory_are_refused_with_what_fits() -> None:
    with pytest.raises(hazard.BadInput, match=r"about 2,\d\d\d GiB.*with 5 dice boards of up to 9 tiles fit"):
        solve_report(doom(board="3x4", max_dice=5), 1e-6, None, None)
