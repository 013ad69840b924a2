"""The study of Dice of Doom: its computations on small boards, its verdicts, what it keeps, and its page."""

import json
import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import hazard
from hazard import jit
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.compiled import play_games
from hazard.arena.tournament import setting
from hazard.cli import cli
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.fingerprint import fingerprint
from hazard.solving.certify import NotProven
from hazard.studies import report
from hazard.studies.cache import kept_at, known, once
from hazard.studies.dice_of_doom import further, matches
from hazard.studies.dice_of_doom import study as dice_of_doom
from hazard.studies.dice_of_doom.chances import Chances, chances
from hazard.studies.dice_of_doom.games import make
from hazard.studies.dice_of_doom.jacobi import LOSE, TIE, WIN, price_boards
from hazard.studies.dice_of_doom.matches import Task
from hazard.studies.matches import Counts
from hazard.studies.scores import limit, z_score

# Fisher's test of 3 of 2,000 against 1 of 100,000 has p = 3.2e-5, which is 4.2 standard errors.
RARE = ((3, 2_000, 1, 100_000), 4.2)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept goes to a folder of the test; compiled code stays where it is."""
    monkeypatch.setattr("hazard.studies.cache.cache_home", lambda: tmp_path)
    return tmp_path


# --- computations ----------------------------------------------------------------------------------------------------
def test_battle_table() -> None:
    found = dice_of_doom.battle_findings()
    assert len(found) == 25
    assert {f.verdict for f in found} == {report.REPRODUCED}
    assert next(f for f in found if f.quantity == "2 against 2").note == "exactly 575/1296"


@pytest.mark.parametrize(
    ("board", "dice", "printed"),
    [
        ("1x2", 5, ("0.518462", "0.4177", "0.0638379")),
        ("2x2", 2, ("0.571355", "0.348744", "0.0798978")),
        ("2x2", 5, ("0.564132", "0.427367", "0.00850344")),
    ],
)
def test_win_probability_as_printed(board: str, dice: int, printed: tuple[str, ...]) -> None:
    """B.2.1, all printed digits: 98 updates, each state divided by their number and added up in float32."""
    assert tuple(f"{x:.6g}" for x in chances(make(board, dice)).printed) == printed


@pytest.mark.parametrize(("board", "dice", "states"), [("1x2", 5, 140), ("2x2", 5, 18040), ("2x3", 2, 7300)])
def test_states_with_a_move(board: str, dice: int, states: int) -> None:
    """B.2.2: boards with an attack where one must come, and all boards where the turn may be ended."""
    assert Chances(make(board, dice)).moves().count == states


def test_move_quality_as_printed() -> None:
    """B.2.2 on 1x2 with 2 dice: the best, the greedy and a random move."""
    found = chances(make("1x2", 2)).moves().printed
    assert [f"{x:.6g}" for x in found] == ["0.531846", "0.503339", "0.475694"]


def test_chances_go_to_a_table_of_the_solver_and_back() -> None:
    found, again = chances(make("2x2", 3)), Chances(make("2x2", 3))
    memory = found.memory.view(np.float64).reshape(2, -1)
    again.read(memory, 1.0 - memory)
    assert np.array_equal(again.table[1::2, 0], found.table[1::2, 0])
    assert np.allclose(again.table[::2, 1], found.table[::2, 1], atol=1e-15)


def number_of(position: hazard.Position) -> int:
    """The thesis' number of a board, as the mover sees it: owner and dice of each tile in reading order."""
    mover, most, number = "rb"[position.mover], position.game.g.max_dice, 0
    for owner, dice in re.findall(r"([rb])(\d)", str(position).partition("|")[0]):
        number = number * 2 * most + int(dice) - 1 + (0 if owner == mover else most)
    return number


def by_the_rules(position: hazard.Position, table: np.ndarray, mover: int) -> np.ndarray:
    """The mover's chances to win, lose and tie after a move: by the dice, and by the table where the other is next."""
    if position.over:
        paid = position.payoffs[mover]
        return np.array([paid == 1.0, paid == 0.0, paid == 0.5], float)
    if position.rolling:
        return sum(float(o.probability) * by_the_rules(o.position, table, mover) for o in position.outcomes())
    if position.mover == mover:
        return table[2 * number_of(position) + 1]
    return table[2 * number_of(position)][[LOSE, WIN, TIE]]


@pytest.mark.parametrize(("board", "dice"), [("1x3", 3), ("2x2", 2)])
def test_the_thesis_computation_follows_the_rules(board: str, dice: int) -> None:
    """Once converged, every state's chances are those of its best move, each move taken by the game's own rules; the
    greedy move is that of the agent `greedy`, and the random move the mean of all."""
    game, table = make(board, dice, turns=0), Chances(make(board, dice))
    table.update(3_000)
    assert table.change == 0.0
    prices = np.zeros((2 * table.boards, 4))
    table.each(price_boards, table.table, prices)
    rows, columns = map(int, board.split("x"))
    tiles = [f"{owner}{n}" for owner in "rb" for n in range(1, dice + 1)]
    for some in product(tiles, repeat=rows * columns):
        lines = " / ".join(" ".join(some[n : n + columns]) for n in range(0, len(some), columns))
        for flag, phase in enumerate(("first attack", "attack again or end")):
            check_state(game, f"{board} {lines} | r to move, {phase}", flag, table.table, prices)


def check_state(game: hazard.Game, text: str, flag: int, table: np.ndarray, prices: np.ndarray) -> None:
    try:
        position = game.parse(text)
    except BadInput:  # the rules end such a turn, or such a game, at once
        return
    state = 2 * number_of(position) + flag
    if position.over:
        assert table[state] == pytest.approx(by_the_rules(position, table, 0))
        return
    chances = {move: by_the_rules(position.move(move), table, 0) for move in position.moves}
    best = max(chances.values(), key=lambda c: c[WIN])
    assert table[state, WIN] == pytest.approx(best[WIN], abs=1e-12)
    if sum(c[WIN] > best[WIN] - 1e-9 for c in chances.values()) == 1:
        assert table[state] == pytest.approx(best, abs=1e-12)
    numbers, memory = seat_agents(game, ["greedy"])
    greedy = chances[agent_move(position, numbers[0], memory[0], stream(1))]
    wins = [c[WIN] for c in chances.values()]
    expected = [best[WIN], greedy[WIN], np.mean(wins), np.var(wins)]
    assert prices[state] == pytest.approx(expected, abs=1e-12)


# --- verdicts --------------------------------------------------------------------------------------------------------
def row(**more: str) -> dict[str, str]:
    found = {"table": "B.1.3", "strategy_a": "return_zero", "strategy_b": "greedy", "board": "2x3", "max_dice": "2"}
    found |= {"initialisation": "random", "reinforcement": "random", "wins_a": "6600", "wins_b": "2800", "ties": "600"}
    return found | more


def judged(ours: Counts, deterministic: Counts | None, **more: str) -> str:
    return matches.judge_row(row(**more), ours, deterministic, 4.0, False).verdict


def test_verdicts() -> None:
    same, other = Counts(1320, 560, 120), Counts(1000, 880, 120)
    assert judged(same, None) == report.REPRODUCED
    assert judged(other, None) == report.NOT_REPRODUCED
    assert judged(other, same) == report.PUBLISHED_IN_ERROR
    assert judged(other, other) == report.NOT_REPRODUCED
    assert judged(other, same, max_dice="5") == report.NOT_REPRODUCED
    assert judged(other, same, table="B.1.2") == report.NOT_REPRODUCED


def test_z_scores() -> None:
    assert z_score(0, 100, 0, 1000) == 0.0
    assert z_score(600, 1000, 500, 1000) == pytest.approx(0.1 / np.sqrt(0.55 * 0.45 / 500))
    assert z_score(*RARE[0]) == pytest.approx(RARE[1], abs=0.1)
    assert matches.comparisons() == 3 * 424
    assert limit(3 * 424) == pytest.approx(4.11, abs=0.01)


def test_boards_of_match_tables() -> None:
    assert matches.board_of(row()) == "3x2"
    assert matches.board_of(row(board="3x4")) == "3x4"


# --- matches ---------------------------------------------------------------------------------------------------------
def test_rows_are_played_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [r for r in matches.match_rows() if r["board"] == "2x2" and r["strategy_a"] == "expansion"][:2]
    told: list[tuple[int, int]] = []
    monkeypatch.setattr("hazard.arena.tournament.runner.cores", lambda: 1)
    first = matches.play_rows(rows, False, lambda *n: told.append(n), games=400)
    assert told == [(0, 2), (1, 2), (2, 2)]
    assert all(found.games == 400 for found in first)
    assert all(f.verdict == report.REPRODUCED for f in matches.findings(rows, first, False))
    monkeypatch.setattr(matches, "count", None)  # nothing is played again
    assert matches.play_rows(rows, False, lambda *n: None, games=400) == first


def test_a_damaged_file_is_made_again(cache: Path) -> None:
    game, done = make("2x2", 2), []
    for _ in range(2):
        assert once("test", game, [1], lambda: done.append(1) or [7]) == [7]
    assert len(done) == 1
    kept_at("test", game, [1]).write_text("{")
    assert known("test", game, [1]) is None
    assert once("test", game, [2], lambda: [8]) == [8]


def test_close_to_optimal_plays_its_table() -> None:
    """B.1.7 on 2x2 with 2 dice: 50.8 % wins, 37.7 % losses, 11.5 % ties; our deviation is below 4 standard errors."""
    task = Task("2x2", 2, "random", "deterministic", (matches.CLOSE_TO_OPTIMAL, "greedy"), 0, 4_000)
    found = matches.count(task, chances(make("2x2", 2)).memory)
    assert max(map(abs, matches.z_scores(found, Counts(50784, 37670, 11546)))) < 4


# --- the page --------------------------------------------------------------------------------------------------------
def test_command(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command with few rows and none of the long parts."""
    rows = [r for r in matches.match_rows() if r["board"] == "1x2" and r["table"] in ("B.1.3", "B.1.7")][:13]
    monkeypatch.setattr(dice_of_doom, "match_rows", lambda: rows)
    monkeypatch.setattr("hazard.arena.tournament.runner.cores", lambda: 1)
    for name in ("win_findings", "quality_findings", "answers", "draw"):
        monkeypatch.setattr(dice_of_doom, name, lambda full, say: [])
    monkeypatch.setattr(dice_of_doom, "true_quality", lambda full: report.Table("t", ("a",), [("b",)]))
    out = tmp_path / "results"
    result = CliRunner().invoke(cli, ["reproduce", "dice-of-doom", "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["findings"]
    assert len(found) == 25 + 13
    assert {f["verdict"] for f in found} == {report.REPRODUCED}
    assert "B.1.3 return zero against greedy" in (out / "index.html").read_text()


def test_many_findings_are_folded_and_counted() -> None:
    verdicts = [report.REPRODUCED] * 50 + [report.PUBLISHED_IN_ERROR]
    some = [report.Finding(f"table {n % 2}", str(n), "1", "1", verdict) for n, verdict in enumerate(verdicts)]
    page = report.page([report.Study("s", "Study", "source", findings=some)])
    assert page.count("<details>") == 2
    assert "<span class=error>published in error</span>" in page
    few = report.page([report.Study("s", "Study", "source", findings=some[:9])])
    assert "<details>" not in few


@pytest.mark.usefixtures("cache")
def test_a_board_that_cannot_be_proven_does_not_end_the_study(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: hazard.Game) -> None:
        raise NotProven("nothing can be proven")

    monkeypatch.setattr("hazard.solving.solution.solved", refuse)
    row = further.first_move("1x2", 3, False, lambda text: None)
    assert row is not None
    assert row[:3] == ("1x2", 3, "36")
    assert str(row[3]).startswith("not proven")


def test_a_board_that_is_refused_is_not_said_to_be_beyond_proof(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: hazard.Game) -> None:
        raise BadInput("the disk is full")

    monkeypatch.setattr("hazard.solving.solution.solved", refuse)
    with pytest.raises(BadInput, match="the disk is full"):
        further.first_move("1x2", 4, False, lambda text: None)
    assert known("first", make("1x2", 4, turns=0)) is None


def test_matches_are_kept_by_the_code_that_plays_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that has changed does not make matches be played again, unless a solution takes part."""
    game = make("2x2", 3)
    names = game.names(game.agents)
    fewer = names | {"decide": jit.switch("decide", {"random": game.agents["random"].decide})}
    assert fingerprint(play_games, names) != fingerprint(play_games, fewer)
    solving, playing = setting.code_version(game), setting.play_version(game)
    with monkeypatch.context() as patch:
        patch.setattr(setting, "solver_version", lambda game: "another")
        setting.play_version.cache_clear()
        assert setting.code_version(game) != solving
        assert setting.play_version(game) == playing
    before = [kept_at("match", game, [], solves=solves) for solves in (False, True)]
    monkeypatch.setattr(setting, "code_version", lambda game: "another")
    assert kept_at("match", game, [], solves=False) == before[0]
    assert kept_at("match", game, [], solves=True) != before[1]
    monkeypatch.setattr(setting, "play_version", lambda game: "another")
    assert kept_at("match", game, [], solves=False) != before[0]
