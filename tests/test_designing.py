"""Sweeps over parameters, and pictures of policies."""

import csv
from pathlib import Path

import pytest

import hazard
from hazard.analysis.policy import policy
from hazard.analysis.sweep import MOST_ROWS, grid, sweep, values_of
from hazard.declaration import Parameter, declared
from hazard.drawing.policies import draw_policy
from hazard.errors import BadInput
from tests.own_games.files import write
from tests.own_games.test_gains import LEAST, PRESS

GOAL = Parameter("goal", 50, "", 2, 1000)
RULE = Parameter("rule", "dutch", "", choices=("dutch", "classic"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("10..12", [10, 11, 12]),
        ("10..20:5", [10, 15, 20]),
        ("10..14:3", [10, 13]),
        ("2,1000", [2, 1000]),
        ("5,7..8,5", [5, 7, 8]),
        ("9..9", [9]),
    ],
)
def test_ranges(text: str, values: list[int]) -> None:
    assert values_of(GOAL, text) == values


@pytest.mark.parametrize(
    "text", ["", "..", "10..", "..10", "20..10", "1..5", "10..1001", "10..20:0", "10..20:-1", "a", "1.5..3"]
)
def test_ranges_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="goal="):
        values_of(GOAL, text)


def test_words_are_listed() -> None:
    assert values_of(RULE, "classic,dutch") == ["classic", "dutch"]
    for text in ("dutch..classic", "german", "1..2"):
        with pytest.raises(BadInput, match="rule="):
            values_of(RULE, text)


def test_all_combinations_are_tried() -> None:
    pig = declared("pig")
    assert grid(pig, {"goal": "5,6", "sides": "2..3"}) == [{"goal": a, "sides": b} for a in (5, 6) for b in (2, 3)]
    with pytest.raises(BadInput, match=r"parameter"):
        grid(pig, {"gaol": "5"})
    with pytest.raises(BadInput, match=f"at most {MOST_ROWS:,}"):
        grid(pig, {"goal": "2..900", "sides": "2..90"})


def rows_of(name: str, texts: dict[str, str], **more: object) -> list:
    rows = grid(hazard.game(name).declaration, texts)
    return list(sweep(lambda some: hazard.game(name, **some), rows, **more))  # type: ignore[arg-type]


def test_a_sweep_gives_the_values_of_solutions(tmp_path: Path) -> None:
    path = write(tmp_path)
    rows = rows_of(path, {"goal": "4..6"}, games=400)
    for row in rows:
        game = hazard.game(path, **row.parameters)
        assert row.known == "exact"
        assert row.value == hazard.solve(game).value(game.start())[0]
        assert row.margin <= 1e-9
        assert row.positions
        assert row.cut == 0
        assert row.draws == 0
        assert row.length_margin > 0
    assert rows[0].length < rows[2].length


def test_what_is_not_solved_is_played(tmp_path: Path) -> None:
    """With intervals that hold the exact value, and a word on why."""
    path = write(tmp_path)
    (played,) = rows_of(path, {"goal": "5"}, agent="random", games=4000)
    assert (played.known, played.agent, played.positions) == ("match", "random", None)
    (late,) = rows_of(path, {"goal": "50"}, seconds=1e-9, games=50)
    assert late.known == "match"
    assert "takes more than" in late.remark
    (never,) = rows_of(path, {"goal": "5"}, seconds=0, games=50)
    assert (never.known, never.remark) == ("match", "")


def test_sweeps_of_one_player(tmp_path: Path) -> None:
    path = write(tmp_path, LEAST, name="press.py", text=PRESS)
    rows = rows_of(path, {"objective": "points,dice", "rounds": "1..2"}, games=50)
    assert [row.draws for row in rows] == [None] * 4
    assert [row.known for row in rows] == ["exact"] * 4
    assert rows[2].value == 11


def test_the_command_writes_its_rows(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from hazard.cli import cli

    out = tmp_path / "rows.csv"
    asked = ["sweep", write(tmp_path), "goal=4,6", "--games", "100", "--out", str(out)]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    assert "exact" in done.output
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert [row["goal"] for row in rows] == ["4", "6"]
    assert all(row["known"] == "exact" for row in rows)
    refused = CliRunner().invoke(cli, [*asked, "-p", "goal=5"])
    assert isinstance(refused.exception, BadInput)


# --- pictures --------------------------------------------------------------------------------------------------------
def test_a_picture_shows_the_best_moves(tmp_path: Path) -> None:
    game = hazard.game(write(tmp_path), goal=10)
    solution = hazard.solve(game)
    found = policy(game, "me", "pot", {"you": 3}, solution, "best moves")
    assert (found.x.name, found.y.name, found.fixed["you"]) == ("me", "pot", 3)
    seen = set()
    for pot, row in zip(found.y.values, found.moves, strict=True):
        for me, name in zip(found.x.values, row, strict=True):
            if name:
                text = f"mover=0 me={me} you=3 pot={pot} rolling=0"
                assert solution.advise(game.parse(text))[0].move == name
                seen.add(name)
    assert seen == {"0", "1"}
    for ending in ("svg", "png"):
        draw_policy(found, tmp_path / f"policy.{ending}")
        assert (tmp_path / f"policy.{ending}").stat().st_size > 1000


def test_a_picture_of_an_agent(tmp_path: Path) -> None:
    game = hazard.game("pig", goal=30)
    found = policy(game, "pot=0..29", "me=0..29", {}, None, "hold-at-20")
    assert found.moves[0][20] == "hold"
    assert found.moves[0][19] == "roll"


@pytest.mark.parametrize(
    ("x", "y", "fixed", "said"),
    [
        ("mee", "pot", {}, "did you mean|mee"),
        ("me", "me", {}, "take two fields"),
        ("me", "pot", {"me": 3}, "take two fields"),
        ("me", "pot", {"them": 3}, "them"),
        ("me=9..2", "pot", {}, "must go up"),
        ("me=a..b", "pot", {}, "write the range"),
        ("me=0..5000", "pot=0..5000", {}, "a picture has at most"),
        ("me=0..5", "pot=0..5", {"rolling": 1}, "nothing to decide"),
    ],
)
def test_pictures_of_nothing(tmp_path: Path, x: str, y: str, fixed: dict[str, int], said: str) -> None:
    game = hazard.game(write(tmp_path))
    with pytest.raises(BadInput, match=said):
        policy(game, x, y, fixed, None, "random")
