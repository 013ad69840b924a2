"""What Storm is asked to solve is the game: its values, found by plain sweeps here, are those of the solution."""

import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as bench
from benchmarks.doom_mdp import ENDS, LOSE, TIE, WIN, export
from benchmarks.doom_solver import board, certified


@pytest.mark.parametrize(("text", "dice"), [("2x2", 2), ("1x3", 3)])
def test_the_process_has_the_values_of_the_game(tmp_path: Path, text: str, dice: int) -> None:
    game = board(text, dice)
    numbers = export(game, tmp_path / "mdp.npz")
    with np.load(tmp_path / "mdp.npz") as file:
        choices, ways, places, odds = (file[name] for name in ("choices", "ways", "places", "odds"))
    assert len(numbers) == len(choices) - 1
    assert np.add.reduceat(odds, ways[:-1]) == pytest.approx(1)
    counts = np.diff(choices)
    blue = (numbers >= ENDS) & ((numbers - ENDS) % 2 == 1)
    assert (counts[blue] == 1).all()
    assert counts[(numbers >= ENDS) & ~blue].max() > 1
    values = np.zeros(len(numbers))
    values[WIN], values[TIE] = 1.0, 0.5
    for _ in range(3000):
        values = np.maximum.reduceat(np.add.reduceat(odds * values[places], ways[:-1]), choices[:-1])
        values[WIN], values[LOSE] = 1.0, 0.0
    red = np.flatnonzero((numbers >= ENDS) & ((numbers - ENDS) % 4 == 0))
    solved = certified(game, 1e-9, threads=1)
    mine = solved.starts[(numbers[red] - ENDS) // 4]
    assert len(red) > 50
    assert values[red] == pytest.approx(mine, abs=1e-8)
    assert solved.proof.error <= 1e-9


def test_names_of_benchmarks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "doom"])
    with pytest.raises(SystemExit) as end:
        bench.main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert "no benchmark doom; there are" in said
    assert "dice-of-doom (doom-play, doom-solver, doom-storm)" in said
    for name in bench.NAMES:
        assert (Path(bench.__file__).with_name(f"{name.replace('-', '_')}.py")).exists()


def test_rivals_are_pinned_without_an_address() -> None:
    text = Path(bench.rivals.REQUIREMENTS).read_text()
    assert "stormpy==" in text
    assert "--hash=sha256:" in text
    assert "://" not in text
    assert set(bench.versions()) >= {"stormpy", "open-spiel"}
