"""Compiled and plain code play the same games, and agents that search or have solved a game play as recorded."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import background, dice
from hazard.arena.play.compiled import line_up, play_game
from hazard.jit import replaces_methods
from tests.fresh import run_python
from tests.test_traces import MORE, PLAYED, played_name
from tests.tournaments import contents
from tests.traces import check_trace, playthrough


def test_compiled_games_are_the_same(game: hazard.Game) -> None:
    _, last = playthrough(game, ["random"] * game.seats, seed=5)
    seated = line_up(game, ["random"] * game.seats, seed=5)
    room = seated.room()
    for n in range(len(room.rng)):
        room.rng[n] = dice.stream(5, 0, n)
    room.sitting[:] = np.arange(game.seats)
    end, _ = game.compiled(play_game)(game.table, seated.numbers, seated.memory, room, room)
    assert tuple(end) == tuple(last.state)


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: played_name(*case))
def test_recorded_games_by_agents(case: tuple[str, dict, list[str]]) -> None:
    check_recorded(*case)


@pytest.mark.slow
@pytest.mark.parametrize("case", MORE, ids=lambda case: played_name(*case))
def test_more_recorded_games_by_agents(case: tuple[str, dict, list[str]]) -> None:
    check_recorded(*case)


def check_recorded(name: str, parameters: dict, agents: list[str]) -> None:
    """Agents play the same moves as ever, and compiled play gives the same game."""
    game = hazard.game(name, **parameters)
    lines, last = playthrough(game, agents, seed=7, dealt=True)
    check_trace(played_name(name, parameters, agents), lines)
    played = line_up(game, agents, seed=7).play(0, 1)
    assert tuple(played.payoffs[0]) == pytest.approx(last.payoffs)


def test_matches_are_the_same_without_compiling(small_game: hazard.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ["random", list(small_game.agents)[-1]]
    compiled = hazard.match(small_game, *agents, games=40, seed=9)
    monkeypatch.setenv("HAZARD_JIT", "0")
    assert hazard.match(small_game, *agents, games=40, seed=9) == compiled


def test_solutions_are_the_same_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the bit; small games begin in plain Python, so the compiled code is waited for."""
    monkeypatch.setattr(background, "compiled_only", True)
    for name, parameters in (
        ("pig", {"goal": 5}),
        ("risk", {"attackers": 3, "defenders": 3}),
        ("great-rolled-ones", {"goal": 3, "players": 3}),
    ):
        game = hazard.game(name, **parameters)
        compiled = hazard.solve(game)
        monkeypatch.setenv("HAZARD_JIT", "0")
        plain = hazard.solve(game)
        monkeypatch.delenv("HAZARD_JIT")
        assert plain.low.tobytes() == compiled.low.tobytes()
        assert plain.policy.tobytes() == compiled.policy.tobytes()


@pytest.mark.slow
def test_nothing_is_read_out_of_bounds(tmp_path: Path) -> None:
    """Compiled code does not check indices unless told to; here it is told to."""
    code = (
        "import hazard\n"
        "for name, parameters in [('pig', {'goal': 9}), ('great-rolled-ones', {'goal': 5}), "
        "('risk', {'attackers': 5, 'defenders': 4})]:\n"
        "    game = hazard.game(name, **parameters)\n"
        "    hazard.match(game, 'optimal', 'random', games=200)\n"
        "    hazard.match(game, *list(game.agents)[-2:], games=200)\n"
        "game = hazard.game('great-rolled-ones', goal=3, players=3)\n"
        "print(hazard.solve(game).value(game.start()))\n"
    )
    run_python(code, tmp_path, NUMBA_BOUNDSCHECK="1")


def test_a_second_process_does_not_compile_again(tmp_path: Path) -> None:
    """Every compiled entry is kept on disk: a second run adds no file."""
    code = "import hazard; print(hazard.playouts(hazard.game('pig', goal=9).start(), games=5).means)"
    kept = []
    for _ in range(2):
        run_python(code, tmp_path, "-W", "error")
        kept.append(sorted((p.name, p.stat().st_mtime_ns) for p in tmp_path.rglob("*.nb?")))
    assert kept[0]
    assert kept[0] == kept[1]


def test_the_pinned_numba_is_one_that_was_tried() -> None:
    """A newer one is used as it is, without the methods that are replaced; see `hazard.jit`."""
    assert replaces_methods()


@pytest.mark.slow
def test_numba_as_it_is_gives_the_same(tmp_path: Path) -> None:
    """The way out if a release of numba changes its private methods."""
    code = (
        "import hazard; from hazard.jit import replaces_methods; game = hazard.game('pig', goal=9)\n"
        "match = hazard.match(game, 'random', 'optimal', games=50, seed=3)\n"
        "print(replaces_methods(), match.wins, hazard.solve(game).value(game.start()))\n"
    )
    ways = ("", "plain")
    said = [run_python(code, tmp_path / f"cache{how}", HAZARD_NUMBA=how).split(maxsplit=1) for how in ways]
    assert [replaced for replaced, _ in said] == ["True", "False"]
    assert said[0][1] == said[1][1]


WORTH = "import hazard; from hazard.contract import purse; g = hazard.game('pig'); print(g.compiled(purse)(g.table))"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache that holds one compiled entry, and what that says."""
    folder = tmp_path_factory.mktemp("kept")
    return folder, run_python(WORTH, folder)


@pytest.mark.parametrize("damage", ["empty", "cut", "nonsense", "a bit", "gone", "sums"])
@pytest.mark.parametrize("which", ["*.nbi", "*.nbc", "*.nb?"])
def test_damaged_code_counts_as_absent(kept: tuple[Path, str], damage: str, which: str) -> None:
    """It is compiled again, and kept for the next test."""
    folder, said = kept
    damaged = [*folder.rglob(which if damage != "sums" else "sums.json")]
    assert damaged
    for path in damaged:
        content = path.read_bytes()
        half = len(content) // 2
        bit = content[:half] + bytes([content[half] ^ 4]) + content[half + 1 :]
        path.write_bytes({"empty": b"", "cut": content[:half], "a bit": bit}.get(damage, b"nonsense"))
        if damage == "gone":
            path.unlink()
    assert run_python(WORTH, folder) == said
    assert all(path.stat().st_size > 100 for path in folder.rglob("*.nbi"))
    check_sums(folder)


def check_sums(folder: Path) -> None:
    """What is kept now is what its checksums say."""
    entries = list(folder.rglob("sums.json"))
    assert entries
    for sums in entries:
        assert json.loads(sums.read_text()) == sums_of(sums.parent)


def sums_of(entry: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in entry.rglob("*.nb?")}


# --- whose the cache is ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o770, 0o702])
def test_a_cache_that_others_may_write_is_not_read(tmp_path: Path, mode: int) -> None:
    """A program that somebody has planted there does not run; a cache of the process's own is used, and it says so."""
    cache, mark = tmp_path / "cache", tmp_path / "planted"
    said = run_python(WORTH, cache)
    assert cache.stat().st_mode & 0o777 == 0o700
    for path in cache.rglob("*.nbi"):
        path.write_bytes(pickle.dumps(Planted(mark)))
    for sums in cache.rglob("sums.json"):
        sums.write_text(json.dumps(sums_of(sums.parent)))
    cache.chmod(mode)
    before = contents(cache)
    done = subprocess.run(
        [sys.executable, "-c", WORTH], env=os.environ | {"HAZARD_CACHE": str(cache)}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, said)
    assert not mark.exists()
    assert contents(cache) == before
    assert done.stderr.count(f"hazard: the cache {cache} can be written by others (mode {mode & 0o777:o})") == 1
    cache.chmod(0o700)
    run_python(WORTH, cache)
    assert mark.exists(), "the test plants nothing that would run"


class Planted:
    """Runs when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple:
        return Path.touch, (self.mark,)


def test_another_user_s_cache_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hazard.files import others_may_write

    assert others_may_write(tmp_path) == ""
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert others_may_write(tmp_path) == ("" if os.getuid() == 0 else "belongs to another user")


def test_the_user_s_cache_is_closed_to_others(tmp_path: Path) -> None:
    """Where it was open to read, as earlier versions left it."""
    (tmp_path / "hazard").mkdir(mode=0o755)
    code = "from hazard.jit import cache_home; print(cache_home())"
    setting = {"XDG_CACHE_HOME": str(tmp_path), "HAZARD_CACHE": ""}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | setting, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == (str(tmp_path / "hazard"), "")
    assert (tmp_path / "hazard").stat().st_mode & 0o777 == 0o700
