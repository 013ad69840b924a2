"""Solving in layers of progress, and going on after a stop: the same positions with the same values."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.enumerated import kept, layers, run, space
from hazard.solving.enumerated.packing import fields
from hazard.solving.enumerated.run import Found, Run
from tests.rules_games import Numbers, Pile, Race, by_rules, changed, own_game, race, take_away

TOLERANCE = 1e-9


@rule
def taken(g: Numbers, s: Pile) -> int:
    return -s.left


@rule
def nothing_lost(g: Numbers, s: Race, i: int) -> Race:
    return Race(s.yours, min(s.mine + i, g.a), 0, 1 - s.mover)


@rule
def both(g: Numbers, s: Race) -> int:
    return 3 * (s.mine + s.yours)


@rule
def both_but_once(g: Numbers, s: Race) -> int:
    return 3 * (s.mine + s.yours) - (9 if s.mine == 3 and s.yours == 2 else 0)


@rule
def banked(g: Any, s: Any) -> int:
    """Points that nobody can lose any more."""
    return s.me + s.you


def climb(name: str, progress: Any) -> Game:
    return own_game(name, changed(race, land=nothing_lost, progress=progress), Numbers(2, 6, 4))


def games() -> dict[str, Game]:
    pig = by_rules("pig", goal=12)[1]
    rules = changed(lambda: dict(vars(pig.rules)), progress=banked)
    return {
        "pile": own_game("own-pile-taken", changed(take_away, progress=taken), Numbers(2, 200, 3)),
        "climb": climb("own-climb", both),
        "pig": own_game("own-pig", rules, pig.g),
    }


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, where compiling would take longer; and the smallest tables, so that all of them have to grow."""
    monkeypatch.setenv("HAZARD_JIT", "0")
    monkeypatch.setattr(space, "FIRST_NODES", 4)
    monkeypatch.setattr(space, "FIRST_OPEN", 2)
    monkeypatch.setattr(space, "FIRST_STREAM", 4)
    monkeypatch.setattr(run, "BUDGET", 16)
    monkeypatch.setattr(run, "SMALL", 64)
    monkeypatch.setattr(run, "SLOPES", 1 << 10)


def values(found: Found) -> dict[tuple[int, ...], tuple[float, float]]:
    rows = fields(np.asarray(found.key), found.layout).tolist()
    return {tuple(row): (low, high) for row, (low, high) in zip(rows, found.value.tolist(), strict=True)}


def agree(one: Found, other: Found) -> None:
    mine, theirs = values(one), values(other)
    assert mine.keys() == theirs.keys()
    for state, (low, high) in mine.items():
        assert low <= theirs[state][1]
        assert theirs[state][0] <= high
        assert high - low <= TOLERANCE * max(1.0, one.scale)


@pytest.mark.parametrize("name", ["pile", "climb", "pig"])
@pytest.mark.parametrize("window", [1, 50])
def test_layers_give_the_same_positions_and_values(name: str, window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()[name]
    plain = Run(game, TOLERANCE).run(None)
    monkeypatch.setattr(run, "LAYERED", 0)
    monkeypatch.setattr(layers, "WINDOW", window)
    layered = Run(game, TOLERANCE)
    found = layered.run(None)
    agree(plain, found)
    assert layered.layers
    assert sum(layered.layers.sizes) == len(found.key)
    assert tuple(fields(np.asarray(found.key[:1]), found.layout)[0]) == tuple(layered.space.start)
    if name == "pig":  # what is held between layers is far less than what is in them
        assert int(layered.space.x.later.total[0]) < len(found.key) / 3
        assert layered.space.taken < 0.7 * plain.peak_bytes


def test_progress_that_falls_once_is_refused_in_layers_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "LAYERED", 0)
    monkeypatch.setattr(layers, "WINDOW", 1)
    with pytest.raises(BadInput, match=r"`progress` fell from \d+ to 6 on the way from"):
        Run(climb("own-climb-once", both_but_once), TOLERANCE).run(None)


class Stop(Exception):  # noqa: N818 - nothing is wrong
    pass


@pytest.mark.parametrize("layered", [False, True])
@pytest.mark.parametrize("name", ["pile", "climb", "pig"])
def test_a_solve_goes_on_from_any_checkpoint(
    name: str, layered: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is stopped again and again, a little later each time, and all that is left is what is on the disk."""
    game = games()[name]
    plain = Run(game, TOLERANCE).run(None)
    monkeypatch.setattr(run, "LAYERED", 0 if layered else 1 << 40)
    monkeypatch.setattr(layers, "WINDOW", 20)
    monkeypatch.setattr(kept, "FIRST", 0.0)
    monkeypatch.setattr(kept, "SHARE", 1e9)
    keep, calls, stops = kept.Kept.keep, 0, 0

    def stopping(self: Any, *arguments: Any, **more: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 5 + 3 * stops:
            keep(self, *arguments, **more)
            raise Stop

    monkeypatch.setattr(kept.Kept, "keep", stopping)
    while True:
        try:
            found = Run(game, TOLERANCE, tmp_path / "it").run(None)
            break
        except Stop:
            stops, calls = stops + 1, 0
    assert stops > 2
    agree(plain, found)


def test_a_damaged_checkpoint_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "FIRST", 0.0)
    game, begun = games()["pig"], []

    def stop(done: int, total: int) -> None:
        begun.append(done)
        if len(begun) > 3:
            raise Stop

    with pytest.raises(Stop):
        Run(game, TOLERANCE, tmp_path / "it").run(stop)
    table = tmp_path / "it.partial" / "value.npy"
    table.write_bytes(table.read_bytes()[:-1] + b"\x01")
    with pytest.raises(BadInput, match=r"the checkpoint is damaged \(value.npy does not match its checksum\)"):
        Run(game, TOLERANCE, tmp_path / "it").run(None)


SOLVE = """
import sys
from hazard.solving.enumerated import kept, run
kept.FIRST, kept.SHARE = 0.0, 1e9
run.BUDGET, run.AT_ONCE = 16, 0.0
keep, told = kept.Kept.keep, []
def tell(self, *arguments, **more):
    keep(self, *arguments, **more)
    told.append(0)
    if len(told) == 10:
        print("kept", flush=True)
        sys.stdin.read()
kept.Kept.keep = tell
from hazard.cli import main
main()
"""


@pytest.mark.slow
def test_a_solve_that_is_killed_goes_on(tmp_path: Path) -> None:
    """The same command, killed while it works, finds the checkpoint, and leaves nothing but the solution."""
    environment = os.environ | {"HAZARD_CACHE": str(tmp_path / "cache"), "HAZARD_JIT": "0"}
    words = ["solve", "royal-game-of-ur", "-p", "pieces=1", "--out", str(tmp_path / "it"), "--json"]
    first = subprocess.Popen(
        [sys.executable, "-c", SOLVE, *words], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert first.stdout
    assert first.stdout.readline() == "kept\n"
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert (tmp_path / "it.partial" / "checkpoint.json").exists()
    command = [sys.executable, "-m", "hazard", *words]
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert '"states": 434' in again.stdout
    assert {path.name for path in tmp_path.iterdir()} <= {"it", "cache"}
