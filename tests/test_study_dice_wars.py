"""The study of Dice Wars: its figures from counts, its verdicts, the fit of the correction, what it keeps, its page."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from hazard.cli import cli
from hazard.studies import cache as kept
from hazard.studies import report, scores
from hazard.studies.dice_wars import beyond, calibration, figures, games, searches, tables
from hazard.studies.dice_wars.calibration import Attacks
from hazard.studies.dice_wars.games import Played, Share


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept goes to a folder of the test; compiled code stays where it is."""
    monkeypatch.setattr("hazard.studies.cache.cache_home", lambda: tmp_path)
    return tmp_path


def played(agents: tuple[str, ...], counts: list) -> Played:
    return Played(agents, np.array(counts), 0)


# --- figures from counts ---------------------------------------------------------------------------------------------
PAIR = played(("ste", "naive"), [[[450, 50], [300, 200]], [[200, 300], [50, 450]]])


def test_shares_of_a_pair() -> None:
    assert PAIR.games == 1000
    assert PAIR.wins("ste").mean == 0.75
    assert PAIR.wins("ste").error == pytest.approx((0.75 * 0.25 / 1000) ** 0.5, rel=0.01)
    assert PAIR.won_from("naive", 1) == (50, 500)
    assert PAIR.rank("naive").mean == 1.75
    assert PAIR.wins("ste").percent == "75.0 % (72.3 to 77.7)"


def test_places_of_one_agent_share_its_wins() -> None:
    """Two of three places win 60 of 100 games: 30 % each."""
    seats = [[[10, 15, 15], [10, 10, 10], [10, 10, 10]], [[10, 15, 15], [10, 10, 10], [10, 10, 10]]]
    found = played(("sdc", "sdc", "ste"), [*seats, [[20, 0, 0], [10, 10, 10], [10, 20, 20]]])
    assert found.games == 100
    assert found.wins("sdc").mean == pytest.approx(0.3)
    assert found.wins("sdc").error == pytest.approx((0.6 * 0.4 / 100) ** 0.5 / 2, rel=0.03)


def test_no_wins_are_not_certainty() -> None:
    assert games.share_error(0.0, 100) > 0.005
    assert games.mean_of([Share(0.2, 0.03), Share(0.4, 0.04)]) == pytest.approx((0.3, 0.025))


# --- verdicts --------------------------------------------------------------------------------------------------------
def test_every_published_share_is_judged() -> None:
    rows = tables.rows()
    assert len(rows) == 12
    assert tables.limit() == pytest.approx(2.87, abs=0.01)
    row = next(r for r in rows if r["agent"] == "ste" and r["opponents"] == "naive" and r["quantity"] == "won")
    assert tables.judge(row, PAIR).verdict == report.REPRODUCED
    second = next(r for r in rows if r["agent"] == "ste" and r["opponents"] == "naive" and r != row)
    found = tables.judge(second, PAIR)
    assert found.ours.startswith("60.0 %")
    assert found.note == "z -0.4, 500 games"
    far = played(PAIR.agents, (PAIR.counts[::-1]).tolist())
    assert tables.judge(row, far).verdict == report.NOT_REPRODUCED


def test_z_scores() -> None:
    """600 of 1,000 against 50 % of 1,000."""
    assert scores.z_score(600, 1000, 500, 1000) == pytest.approx(0.1 / np.sqrt(0.55 * 0.45 / 500))


def test_line_ups_of_six_are_named() -> None:
    found = tables.sixes()
    assert [len(some) for some in found.values()] == [1, 1, 6, 20, 10]
    assert all(len(a) == 6 and a[0] == "ste" for some in found.values() for a in some)
    shares = {name: (Share(0.3 + 0.05 * n, 0.001), 1) for n, name in enumerate(found)}
    nearest = tables.six_finding(shares)
    assert nearest.ours.startswith("35.0 %")
    assert nearest.verdict == report.REPRODUCED
    assert "the nearest of 5 readings" in nearest.note


def test_combinations() -> None:
    """As many as there are ways to choose with repetition, less those of one kind alone."""
    assert [len(games.mixed(("naive", "sdc"), n)) for n in range(3, 9)] == [2, 3, 4, 5, 6, 7]
    assert [len(games.mixed(tables.KINDS, n)) for n in range(3, 7)] == [7, 12, 18, 25]


# --- the correction --------------------------------------------------------------------------------------------------
TRUE = np.array([1.5, 0.4, -0.5, -0.3, -0.1, -0.2, 0.0])


def made_up(attacks: int, seed: int) -> Attacks:
    """Attacks whose outcome follows known weights."""
    rng = np.random.default_rng(seed)
    promise = np.column_stack(
        [rng.uniform(0.2, 1, attacks), rng.uniform(0, 1, attacks), *rng.integers(0, 6, (4, attacks)), np.ones(attacks)]
    )
    some = Attacks(rng.integers(0, attacks // 50, attacks), promise, np.zeros(attacks), np.zeros(attacks))
    won = rng.uniform(size=attacks) < some.win
    kept_ = rng.uniform(size=attacks) < 1 / (1 + np.exp(-calibration.terms(some) @ TRUE))
    return some._replace(won=won.astype(float), held=(won & kept_).astype(float))


def test_the_fit_finds_known_weights() -> None:
    """Rivals never change, as in games of two, and weigh nothing."""
    found = calibration.fit(made_up(60_000, 1))
    assert found == pytest.approx(TRUE, abs=0.08)
    assert found[6] == 0


def test_right_estimates_are_called_right() -> None:
    """Bins of the true chances are within four errors of what came; those of Eq. 1 are far off."""
    attacks = made_up(60_000, 2)
    right = calibration.bins_of(attacks, calibration.correct(attacks, TRUE))
    assert all(abs(b.promised - b.held) < 4 * b.error for b in right)
    assert sum(b.attacks for b in right) == 60_000
    assert calibration.distance(right) < 0.01
    assert calibration.distance(calibration.bins_of(attacks, attacks.equation)) > 0.1


def test_the_correction_is_better_on_games_it_was_not_fitted_to(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "QUICK", 400)
    found = calibration.calibrate("two players", False)
    assert calibration.distance(found.corrected) < calibration.distance(found.raw) / 2
    assert found.squares[1] < found.squares[0]
    assert sum(b.attacks for b in found.raw) == sum(b.attacks for b in found.corrected) < found.attacks
    assert calibration.calibrate("two players", False) == found
    assert len(list(cache.rglob("calibration-*.json"))) == 1


# --- agents that search ----------------------------------------------------------------------------------------------
def test_every_agent_that_searches_meets_every_kind() -> None:
    """A pair once; with more seats each alone among quick ones."""
    slow, quick = searches.searching(), beyond.contestants()
    assert {"expectimax", "chance-mcts"} <= set(slow)
    assert sorted([*slow, *quick]) == sorted(games.make(2).agents)
    pairs = {frozenset(pair) for pair in searches.line_ups(2)}
    assert len(pairs) == len(searches.line_ups(2)) == len(slow) * len(quick) + len(slow) * (len(slow) - 1) // 2
    assert len(searches.line_ups(6)) == len(slow) * len(quick)
    assert all(agents.count(agents[0]) == 1 for agents in searches.line_ups(6))


def test_a_pair_is_read_from_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 games: 60 won by the one, so 40 by the other, whoever is named first."""
    monkeypatch.setattr(searches, "searching", lambda: ["expectimax", "chance-mcts"])
    pair = played(("expectimax", "chance-mcts"), [[[40, 10], [20, 30]], [[30, 20], [10, 40]]])
    table = searches.visit_table({2: [pair]})
    row = {line[1]: dict(zip(table.columns, line, strict=True)) for line in table.rows}
    assert row["expectimax"]["among chance-mcts"] == "60% (50% to 69%)"
    assert row["chance-mcts"]["among expectimax"] == "40% (31% to 50%)"
    assert row["expectimax"]["among expectimax"] == ""
    assert games.seat_rows(searches.searching(), [pair], 0)[0][1].startswith("80% (")


# --- what is kept, and the page --------------------------------------------------------------------------------------
def test_games_are_played_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "PART", 40)
    first = games.play(("ste", "sdc"), 100)
    assert first.games == 100
    assert len(list(cache.rglob("standings-*.json"))) == 3
    monkeypatch.setattr(games, "_play", lambda *arguments: pytest.fail("played again"))
    assert (games.play(("ste", "sdc"), 100).counts == first.counts).all()


def test_a_damaged_file_is_made_again(cache: Path) -> None:
    game, done = games.make(2), []
    for _ in range(2):
        assert kept.once("test", game, [1], lambda: done.append(1) or [7]) == [7]
    assert len(done) == 1
    kept.kept_at("test", game, [1]).write_text("{")
    assert kept.once("test", game, [1], lambda: [8]) == [8]


def test_a_threshold_of_one_leaves_attacks_of_eight_dice_only(cache: Path) -> None:
    """Such a player falls behind everyone."""
    low, high = (games.play(("ste-corrected", "sdc"), 300, [t]).wins("ste-corrected").mean for t in (0.2, 1.0))
    assert high < low - 0.1


@pytest.mark.slow
def test_the_page(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole study with few games: every table and figure is there, and findings as JSON."""
    for module in (tables, calibration, figures, beyond):
        monkeypatch.setattr(module, "QUICK", 20)
    monkeypatch.setattr(figures, "EACH", (4, 4))
    monkeypatch.setattr(beyond, "GAMES", {2: 20, 4: 4, 6: 2})
    monkeypatch.setattr(searches, "searching", lambda: ["expectimax", "chance-mcts"])
    monkeypatch.setattr(searches, "GAMES", {2: 2, 4: 1, 6: 1})
    monkeypatch.setattr(searches, "OPENINGS", {2: 20, 4: 4, 6: 4})
    monkeypatch.setattr(calibration, "MANY", 1)
    monkeypatch.setattr(calibration, "QUICK", 100)
    out = cache / "page"
    done = CliRunner().invoke(cli, ["reproduce", "dice-wars", "--out", str(out), "--json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert [f["where"] for f in found["findings"]] == ["Table 1"] * 4 + ["Table 2"] * 8 + ["section 5"]
    assert len(list(out.glob("dice-wars-*.svg"))) == 5
    page = (out / "index.html").read_text()
    titles = ("Figure 4", "Figure 5", "Figure 6", "Figure 7", "Mean ranks", "Tournament with two seats", "seat 6")
    for title in (*titles, "Agents that search", "What positions promise"):
        assert title in page
