"""The benchmarks of Pickomino run with tiny sizes, compare what they say they compare, and report ratios."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as bench
from benchmarks import pickomino_play, pickomino_table, pickomino_turns, rivals
from benchmarks.row import Row
from hazard.games.pickomino.players.programs import PUBLISHED


def test_rates_with_both_sides() -> None:
    fast, plain = pickomino_play.rates("s3", 50_000, matches=20, plain=2, repeats=1)
    assert (fast.against, fast.goal) == ("50,000 a second", 1)
    assert fast.ratio == pytest.approx(fast.ours / 50_000)
    assert plain.ratio == pytest.approx(fast.ours / plain.rival)
    assert plain.rival > 0
    assert fast.notes["decisions a match"] > 20


def test_turn_with_rows_kept_and_not() -> None:
    row = pickomino_play.kept_rows(matches=2, repeats=1)
    assert row.notes["decisions"] > 50
    assert row.ratio == pytest.approx(row.ours / row.rival)


def test_plain_matches_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain match that ends otherwise is told."""
    other = pickomino_play.seated("s2")
    monkeypatch.setattr(pickomino_play, "plainly", lambda _run: pickomino_play.played(other, 2))
    with pytest.raises(AssertionError, match="s3: the plain matches are not the compiled ones"):
        list(pickomino_play.rates("s3", 50_000, matches=20, plain=2, repeats=1))


def test_the_table_has_all_pairs_with_exact_tables() -> None:
    pairs = pickomino_table.pairs()
    assert len(pairs) == 190
    names = {name for pair in pairs for name in pair}
    assert names == {pickomino_table.exact(name) for name in PUBLISHED}
    assert all(name in ("s1", "s2", "s3") or name.endswith("-exact") for name in names)


def test_the_time_of_the_table_is_scaled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cores; each program of n takes part in n - 1 pairs with half a match's time."""
    monkeypatch.setattr(pickomino_table, "on_cores", lambda matches, every: (0.5 * len(every) * matches, 9.0))
    monkeypatch.setattr(pickomino_table, "simulated", lambda names, few: dict.fromkeys(names, 3.0))
    whole, by_trees = pickomino_table.rows(10, every=[("s1", "s2"), ("s1", "s3"), ("s2", "s3")])
    assert whole.ours == pytest.approx(0.5 * 3 * 20_000)
    assert whole.met is False
    assert by_trees.rival == pytest.approx(3 * 3.0 * 20_000 / 2)
    assert by_trees.ratio == pytest.approx(by_trees.rival / whole.ours)


@pytest.mark.slow
def test_some_pairs_are_played_in_two_processes() -> None:
    rows = list(pickomino_table.rows(2, few=1, every=[("s2", "s3"), ("s1", "s3")]))
    assert [row.unit for row in rows] == ["s", "s"]
    assert all(row.ours > 0 and row.rival > 0 for row in rows)
    assert rows[0].notes["seconds by the clock"] > rows[0].notes["processor seconds"]
    assert set(rows[1].notes["seconds a match"]) == {"s1", "s2", "s3"}


def test_chances_of_a_turn_against_a_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"rolls": {"seconds": 0.5, "chances": [0.893026737151]}, "evaluator": {"seconds": 2.0, "chances": [0.0]}}
    monkeypatch.setattr(rivals, "ask", lambda *_: said)
    with pytest.raises(AssertionError, match=r"at least 21: icepool's chances are off by 0\.89"):
        pickomino_turns.compare("at least 21", 21, 21, repeats=1)
    said["evaluator"]["chances"] = said["rolls"]["chances"] = [0.8930267371507425]
    row: Row = pickomino_turns.compare("at least 21", 21, 21, repeats=1)
    assert row.rival == 0.5
    assert row.ratio == pytest.approx(0.5 / row.ours)


def test_icepool_has_the_same_chances() -> None:
    """Run where the rivals are installed; the benchmark installs them."""
    python = rivals.HOME / "bin" / "python"
    ready = rivals.HOME / "ready"
    if not ready.exists() or ready.read_text() != rivals.REQUIREMENTS.read_text():
        pytest.skip("the rivals are not installed")
    script = Path(pickomino_turns.__file__).with_name("icepool_turns.py")
    found = json.loads(subprocess.run([python, script, "30", "31"], check=True, capture_output=True).stdout)
    _, ours = pickomino_turns.ours(pickomino_turns.hazard.game("pickomino"), 30, 31, times=1)
    for way in ("rolls", "evaluator"):
        assert np.abs(ours - found[way]["chances"]).max() < 1e-12


def test_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "pickomino-tables"])
    with pytest.raises(SystemExit):
        bench.main()
    assert "pickomino (pickomino-play, pickomino-table, pickomino-turns)" in capsys.readouterr().err
    assert "icepool==" in rivals.REQUIREMENTS.read_text()
    assert bench.versions()["icepool"]


def test_figures_are_readable() -> None:
    shown = [bench.figure(value, "/s") for value in (1.234e6, 1460.4, 1.2345)]
    assert shown == ["1.23 M/s", "1,460/s", "1.23/s"]
