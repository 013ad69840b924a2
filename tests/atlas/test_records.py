"""Records of the atlas: made by solving, shown as certified only while the rules are the same, judged to the digit."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from hazard.atlas.records import Line, Record, holds, lines, record_of
from hazard.atlas.table import beside, read_figure, rows, shown, verdict
from hazard.cli import cli
from hazard.declaration import Chart
from hazard.errors import BadInput
from hazard.rulebook import make_game


def line(*published: tuple[str, str], reading: str = "") -> Line:
    return Line(make_game("piglet", {"goal": 2}), Chart("2 points win", {"goal": 2}, published, reading))


def record(low: float, high: float, **changed: object) -> Record:
    game = line().game
    made = {"game": game.name, "parameters": {"goal": 2}, "rules": game.version, "solver": "", "positions": 17}
    took = {"seconds": 1.0, "processor": 2.0, "memory": 1 << 20, "error": high - low}
    bounds = {"lower": [low, 1 - high], "upper": [high, 1 - low]}
    return Record(**(made | took | bounds | changed))  # type: ignore[arg-type]


def write(folder: Path, found: Record) -> None:
    (folder / line().file).write_bytes(msgspec.json.encode(found))


def test_solving_makes_a_record(tmp_path: Path) -> None:
    args = ["atlas", "piglet", "-p", "goal=2", "--records", str(tmp_path)]
    before = CliRunner().invoke(cli, args, catch_exceptions=False)
    assert "not solved here" in before.output
    page = tmp_path / "atlas.md"
    done = CliRunner().invoke(cli, [*args, "--solve", "--page", str(page)], catch_exceptions=False)
    assert done.exit_code == 0
    assert "agrees" in done.output
    kept = record_of(lines(["piglet"], {"goal": "2"})[0], tmp_path)
    assert kept
    assert kept.lower[0] <= 4 / 7 <= kept.upper[0]
    assert kept.processor > 0
    assert kept.memory > 1 << 20
    assert "4/7 (Neller and Presser, 2004)" in page.read_text()
    again = CliRunner().invoke(cli, [*args, "--solve", "--json"], catch_exceptions=False)
    row = msgspec.json.decode(again.stdout)["atlas"][0]
    assert (row["certified"], row["positions"], row["error"]) == (True, kept.positions, kept.error)


@pytest.mark.parametrize("changed", [{"rules": "0" * 12}, {"parameters": {"goal": 3}}, {"game": "hog"}])
def test_a_record_of_other_rules_is_not_certified(tmp_path: Path, changed: dict) -> None:
    write(tmp_path, record(0.57, 0.572, **changed))
    found = record_of(line(), tmp_path)
    assert found
    assert not holds(found, line())
    (row,) = rows([line()], tmp_path)
    assert not row["certified"]
    assert "value" not in row
    assert row["verdict"].startswith("solved with other rules")


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"game": 3}', "\x00"])
def test_a_damaged_record_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / line().file).write_text(text)
    assert record_of(line(), tmp_path) is None


@pytest.mark.parametrize(
    ("figure", "low", "high", "said"),
    [
        ("57.14 %", 0.571428, 0.571429, "agrees"),
        ("57.14 %", 0.57148, 0.57149, "agrees but for the last digit"),
        ("57.14 %", 0.572, 0.572, "differs by 0.0006"),
        ("4/7", 0.5714285, 0.5714286, "agrees"),
        ("4/7", 0.5714, 0.5714001, "differs by 2.9e-05"),
        ("-0.25", -0.2501, -0.25, "agrees"),
        ("+12.5", 12.54, 12.541, "agrees"),
        ("12", 13.6, 13.6, "differs by 1.6"),
    ],
)
def test_figures_are_judged_by_their_last_digit(figure: str, low: float, high: float, said: str) -> None:
    assert beside(record(low, high), figure) == said


def test_several_figures_are_judged_each() -> None:
    said = verdict(line(("0.57", "one"), ("0.59", "another"), reading="why"), record(0.5714, 0.5714))
    assert said == "0.57: agrees; 0.59: differs by 0.019 (why)"


def test_only_proven_digits_are_shown() -> None:
    assert shown(record(0.5714, 0.5716), line()) == "57.1 %"
    assert shown(record(0.57142855, 0.57142858), line()) == "57.14286 %"
    assert read_figure("7.1432 %") == (pytest.approx(0.071432), pytest.approx(1e-6))


def test_what_the_atlas_has_not() -> None:
    with pytest.raises(BadInput, match="pig"):
        lines(["pig"])
    with pytest.raises(BadInput, match="goal=77"):
        lines(["piglet"], {"goal": "77"})


def test_records_that_ship_are_of_the_rules_as_they_are() -> None:
    """A change of a game's rules asks for `make atlas`."""
    stale = [one.file for one in lines() if (found := record_of(one)) and not holds(found, one)]
    assert stale == []
