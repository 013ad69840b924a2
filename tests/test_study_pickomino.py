"""The study of Pickomino: copied figures are whole, exact ones meet the game's own; verdicts, what is kept, a page."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hazard.cli import cli
from hazard.games.pickomino.players.programs import Program
from hazard.studies import report
from hazard.studies.cache import kept_at, once
from hazard.studies.matches import Counts
from hazard.studies.pickomino import board as pickomino_board
from hazard.studies.pickomino import further as pickomino_further
from hazard.studies.pickomino import matches
from hazard.studies.pickomino import readings as pickomino_readings
from hazard.studies.pickomino import risk as pickomino_risk
from hazard.studies.pickomino import study as pickomino
from hazard.studies.pickomino.game import make
from hazard.studies.pickomino.matches import Fifty
from hazard.studies.pickomino.sweep import duel, risks, steps
from hazard.studies.pickomino.turn import at_least, exactly, kept_state, risk, sampled, shares

EVEN = Counts(1000, 1000, 0, 1000)
START = (8, 0, 0)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept goes to a folder of the test; compiled code stays where it is."""
    monkeypatch.setattr("hazard.studies.cache.cache_home", lambda: tmp_path)
    return tmp_path


# --- what is copied --------------------------------------------------------------------------------------------------
def test_table_is_whole() -> None:
    """380 cells of 20,000 matches; cells that mirror each other add up, but for one pair, as printed."""
    cells = matches.published_cells()
    assert len(cells) == 380
    assert {pair for pair in cells if pair[0] != pair[1]} == {
        (a, b) for a in matches.AGENTS for b in matches.AGENTS if a != b
    }
    odd = {frozenset(pair) for pair, (wins, of) in cells.items() if wins + cells[pair[::-1]][0] != of}
    assert odd == {frozenset(("MC1000It", "S2"))}


def test_every_program_has_an_agent() -> None:
    assert set(matches.AGENTS.values()) <= set(make().agents)
    assert set(matches.READINGS) <= set(matches.AGENTS)


def test_risk_tables_are_whole() -> None:
    rows = pickomino_risk.cells()
    assert len(rows) == 180
    assert {(r["kept"], r["roll"], r["score"]) for r in rows} == {
        (kept, str(roll), str(score)) for kept in "15w" for roll in range(1, 7) for score in range(21, 31)
    }


# --- exact figures ---------------------------------------------------------------------------------------------------
def test_chance_of_a_tile() -> None:
    """The best chance of 21 or more from scratch, computed apart from this project: 0.893026737151."""
    assert at_least().roll(START)[0] == pytest.approx(0.893026737151, abs=1e-12)
    assert np.all(exactly().roll(START) <= at_least().roll(START))


def test_tables_of_risk_are_those_of_the_game() -> None:
    """The compiled programs have the same expectations, not by roll."""
    turns = make().g.turn
    for kept in ("1", "5555", "www", "44w"):
        left, faces, score = kept_state(kept)
        theirs = turns.risk[turns.number[faces, left, score]]
        found = risk((left, faces, score))
        assert found.mean.sum(axis=0) == pytest.approx(theirs, abs=1e-12)
        assert found.fails.sum() == pytest.approx(turns.fails[turns.number[faces, left, score]], abs=1e-12)


def test_scatter_of_tables_of_risk() -> None:
    """Means of 4,000 simulated trees lie within four of the computed standard errors, and the scatter fits."""
    found, parts = risk(kept_state("www")), 40
    tables = np.array([sampled(kept_state("www"), 100, seed) for seed in range(parts)])
    error = np.sqrt(found.variance / (100 * parts))
    sure = found.variance == 0
    assert np.all(np.abs(tables.mean(axis=0) / 100 - found.mean)[~sure] < 4 * error[~sure])
    often = found.mean > 0.3
    ratio = tables.var(axis=0, ddof=1)[often] / (100 * found.variance[often])
    assert abs(ratio.mean() - 1) < 4 * np.sqrt(2 / (parts - 1))


def test_what_the_text_says() -> None:
    said, little = pickomino_risk.claim_findings()
    assert (pickomino_risk.column("1", 21), pickomino_risk.column("w", 25)) == (830, 812)
    assert said.verdict == little.verdict == report.PUBLISHED_IN_ERROR
    assert "80.454" in little.note
    assert shares().sum() == pytest.approx(1)


def test_risk_findings() -> None:
    found = pickomino_risk.risk_findings()
    assert len(found) == 180
    assert sum(f.verdict == report.REPRODUCED for f in found) >= 175
    far = pickomino_risk._cell({"kept": "w", "roll": "2", "score": "22", "count": "700"}, 0)
    never = pickomino_risk._cell({"kept": "5", "roll": "1", "score": "21", "count": "1"}, 0)
    assert far.verdict == never.verdict == report.NOT_REPRODUCED


def test_thresholds_have_few_steps() -> None:
    """No value lies above 5 and up to 10 %, so that MCP5 and MCP10 are one program; 25 and 50 % are values."""
    values = [float(x) for x in risks()]
    assert not [x for x in values if 0.05 < x <= 0.1]
    assert 0.25 in values
    assert 0.5 in values
    for (_, setting), value in zip(steps()[1:], risks(), strict=True):
        assert 1000 * value <= setting < 1000 * value + 1


# --- verdicts --------------------------------------------------------------------------------------------------------
def test_verdicts() -> None:
    low, high = Counts(400, 1600, 0, 1000), Counts(1600, 400, 0, 1000)
    cell, even = (4_000, 20_000), (10_000, 20_000)
    assert matches.judge_cell(("S2", "S3"), EVEN, even).verdict == report.REPRODUCED
    assert matches.judge_cell(("S2", "S3"), high, even).verdict == report.NOT_REPRODUCED
    assert matches.judge_cell(("MCP5", "S3"), EVEN, cell, Fifty(low, even)).verdict == report.PUBLISHED_IN_ERROR
    assert matches.judge_cell(("MCP5", "S3"), EVEN, cell, Fifty(high, cell)).verdict == report.PUBLISHED_IN_ERROR
    assert matches.judge_cell(("MCP5", "S3"), EVEN, cell, Fifty(high, even)).verdict == report.NOT_REPRODUCED
    assert "read as" in matches.judge_cell(("S1", "MC3"), high, even).note


def test_fifty_is_turned_with_the_pair() -> None:
    one = matches.at_fifty(("MCP5", "S3"), lambda other: Counts(400, 1600, 0, 0))
    other = matches.at_fifty(("S3", "MCP5"), lambda other: Counts(400, 1600, 0, 0))
    assert one == (Counts(400, 1600, 0, 0), (4595, 20_000))
    assert other == (Counts(1600, 400, 0, 0), (15_405, 20_000))
    assert matches.at_fifty(("S2", "S3"), lambda other: EVEN) is None


def test_remarks_are_swapped_only_if_that_fits() -> None:
    cells = matches.published_cells()
    others = [name for name in matches.AGENTS if name not in ("MCR2", "MCR4")]

    def as_published(name: str, other: str) -> Counts:
        wins, of = cells[name, other]
        return Counts(wins, of - wins, 0, 0)

    meant = {(name, x): as_published(name, x) for name in ("MCR2", "MCR4") for x in others}
    said = {(name, x): meant[{"MCR2": "MCR4", "MCR4": "MCR2"}[name], x] for name, x in meant}
    assert {f.verdict for f in pickomino_readings.remark_findings(meant)} == {report.PUBLISHED_IN_ERROR}
    assert {f.verdict for f in pickomino_readings.remark_findings(said)} == {report.REPRODUCED}


# --- matches ---------------------------------------------------------------------------------------------------------
def test_pairs_are_played_both_ways_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, say = make(), lambda text: None
    agents = {name: matches.AGENTS[name] for name in ("S3", "MC", "S2")}
    first = matches.play_table(game, agents, 400, say)
    assert list(first) == [("S3", "MC"), ("S3", "S2"), ("MC", "S2")]
    assert all(found.games == 400 for found in first.values())
    assert matches.fitting(first, "S2")[1] == 2
    monkeypatch.setattr(matches, "count", None)  # nothing is played again
    assert matches.play_table(game, agents, 400, say) == first
    assert matches.play_pairs(game, [("s2", "s3")], 400, say)["s2", "s3"] == first["S3", "S2"].turned()


def test_simulated_matches_are_kept_in_parts(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "PART", 4)
    found = matches.meet(make(), "mc100it", "s3", 10)
    assert found.games == 10
    assert len(list((cache / "studies" / "pickomino").iterdir())) == 3


def test_a_damaged_file_is_made_again(cache: Path) -> None:
    game, done = make(), []
    for _ in range(2):
        assert once("test", game, [1], lambda: done.append(1) or [7]) == [7]
    assert len(done) == 1
    kept_at("test", game, [1]).write_text("{")
    assert once("test", game, [1], lambda: [8]) == [8]


def test_settings_play_as_programs_do(cache: Path) -> None:
    """The kernel of the sweep against the agents: MCP25 and MC, within four standard errors."""
    games = 20_000
    mean, error = duel(make(), Program(trees=0, risk=250), Program(trees=0), games)
    agents = matches.meet(make(), "mcp25-exact", "mc-exact", games)
    assert abs(mean - agents.share) < 4 * error * np.sqrt(2)
    assert abs(mean - 0.5) > 4 * error


def test_formula_one_loses(cache: Path) -> None:
    found = pickomino_readings.column_findings(make(), 2_000)
    assert [f.verdict for f in found[:2]] == [report.NOT_REPRODUCED] * 2


# --- beyond ----------------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_what_turn_does_is_counted(cache: Path) -> None:
    found = pickomino_further.watched(make(), 40)
    assert {int(x) for some in found.values() for x in some} <= {x for _, x in steps()}
    assert all(0 <= rolled <= times for some in found.values() for times, rolled in some.values())
    assert sum(times for times, _ in found["far"].values()) > 100


def test_first_roll_at_the_board() -> None:
    """Eight worms take the last tile; the best first roll is worth more than the mean."""
    values = pickomino_board.first_values(0.0)
    assert values[7, 5] == 4
    assert values[7, 0] == 0
    assert pickomino_board.first_chances()[2, 5] > 0.98
    words = pickomino_board.stop_map(0.0)
    assert {float(x) for x in words[~np.isnan(words)]} == {0.0, 0.5, 1.0}


def test_hours_of_simulation() -> None:
    """15 programs of 500 trees, one of 100 and one of 1,000, each in 19 pairs of 20,000 matches."""
    assert pickomino_readings.all_hours(3600.0) == pytest.approx(19 * 20_000 * 17.2)


# --- the page --------------------------------------------------------------------------------------------------------
def test_command(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with few matches and none of the long parts."""
    few = {name: "s2" if name == "MC100It" else agent for name, agent in matches.AGENTS.items()}
    for place in (pickomino, matches):
        monkeypatch.setattr(place, "AGENTS", few)
    monkeypatch.setattr(pickomino, "QUICK", 20)
    empty = report.Table("t", ("a",), [("b",)])
    for name in ("rule_table", "agreement_table"):
        monkeypatch.setattr(pickomino.readings, name, lambda *given: empty)
    monkeypatch.setattr(pickomino.readings, "by_rule", lambda *given: {})
    monkeypatch.setattr(pickomino.further, "thresholds", lambda *given: {"MC": [(0.5, 0.01)] * len(steps())})
    monkeypatch.setattr(pickomino, "answers", lambda *given: [])
    monkeypatch.setattr(pickomino, "heat", lambda *given: (["a", "b"], np.full((2, 2), 0.5)))
    out = tmp_path / "results"
    result = CliRunner().invoke(cli, ["reproduce", "pickomino", "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["findings"]
    assert sum(f["where"] == "Table VIII" for f in found) == 190
    assert sum(f["where"].startswith("Table III") for f in found) == 180
    assert {f["verdict"] for f in found} == {report.REPRODUCED, report.NOT_REPRODUCED, report.PUBLISHED_IN_ERROR}
    page = (out / "index.html").read_text()
    assert "Figure 8: all results" in page
    assert len(list(out.glob("*.svg"))) == 9
