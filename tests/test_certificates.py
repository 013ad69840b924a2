"""Certificates: a sound one is proven, and one that claims a unit in the last place too much is refused."""

import ast
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hazard.checking import certificate as checking
from hazard.cli import cli
from hazard.errors import BadInput
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.enumerated.certificate import write_certificate
from hazard.solving.enumerated.solver import Enumerated
from tests.rules_games import (
    Numbers,
    best_of_throws,
    changed,
    graph_game,
    own_game,
    race,
    random_graph,
    take_away,
)
from tests.test_enumerated import generous, right_form


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, where compiling would take longer; the code is the same."""
    monkeypatch.setenv("HAZARD_JIT", "0")


def game_of(name: str) -> Game:
    return {
        "throws": lambda: own_game("own-throws", best_of_throws, Numbers(1, 3, 10)),
        "pile": lambda: own_game("own-pile", take_away, Numbers(2, 21, 3)),
        "race": lambda: own_game("own-race", race, Numbers(2, 3, 3)),  # in which a seat may stall, to its own loss
        "form": lambda: own_game("own-form-2", changed(race, land=generous, canonical=right_form), Numbers(2, 3, 3)),
        "graph": lambda: graph_game(random_graph(1, back=0.3, dice=0.7)),
    }[name]()


GAMES = ("throws", "pile", "race", "form", "graph")


def written(game: Game, path: Path) -> Path:
    write_certificate(Enumerated().solve(game, 1e-9, None, None), path)
    return path


def verdict(path: Path, game: Game, every: bool = True, sample: int = 50) -> dict[str, Any]:
    return checking.check_certificate(path, game, every, sample, 1, None)


def altered(path: Path, change: Any) -> Path:
    """The certificate with some of its tables and its head changed."""
    with np.load(path) as file:
        tables = {name: file[name].copy() for name in file.files}
    head = json.loads(bytes(tables.pop("head")).decode())
    change(head, tables)
    out = path.with_name("altered.npz")
    np.savez(out, head=np.frombuffer(json.dumps(head).encode(), np.uint8), **tables)
    return out


@pytest.mark.parametrize("name", GAMES)
def test_a_sound_certificate_is_proven(name: str, tmp_path: Path) -> None:
    game = game_of(name)
    report = verdict(written(game, tmp_path / "it.npz"), game)
    assert report["verdict"] == "proven", report
    assert report["checked"] >= report["positions"] - (name == "form")


def test_there_are_two_ranks_where_a_seat_could_stall(tmp_path: Path) -> None:
    for name, expected in (("race", {"rank_lower", "rank_upper"}), ("throws", {"rank"})):
        with np.load(written(game_of(name), tmp_path / "it.npz")) as file:
            assert {n for n in file.files if n.startswith("rank")} == expected


def backups(game: Game, path: Path, at: int) -> tuple[Fraction, Fraction]:
    """Exactly what play leads to from an entry, by the bounds of the certificate; computed here in another way."""
    certificate = checking.Certificate(path, game)
    checker = checking.Checker(certificate)
    s, unit = certificate.state(at), 2**checking.SMALLEST
    low, high, total = Fraction(0), Fraction(0), 0
    for share, u in checker.ways(s):
        options, seat = checker.choices(u)
        best = min if seat == 1 else max
        low += share * Fraction(best(o.lower for o in options), unit)
        high += share * Fraction(best(o.upper for o in options), unit)
        total += share
    return low / total, high / total


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_one_unit_more_than_the_slack_is_refused(name: str, side: str, tmp_path: Path) -> None:
    """The furthest float that the rules allow is proven; the next one is not."""
    game = game_of(name)
    path = written(game, tmp_path / "it.npz")
    count = len(np.load(path)["lower"])
    outward = np.inf if side == "lower" else -np.inf
    for at in range(0, count, max(1, count // 7)):
        limit = backups(game, path, at)[side == "upper"]
        last = float(limit)
        if Fraction(last) > limit if side == "lower" else Fraction(last) < limit:
            last = float(np.nextafter(last, -outward))

        def put(number: float, at: int = at) -> Any:
            def change(head: dict[str, Any], tables: dict[str, Any]) -> None:
                tables[side][at] = number
                if at == 0:
                    head["claim"][side] = number

            return change

        tried = altered(path, put(last))
        if backups(game, tried, at)[side == "upper"] == limit:  # unless it leads back to itself
            assert verdict(tried, game)["verdict"] == "proven"
        refused = verdict(altered(path, put(float(np.nextafter(last, outward)))), game)
        if backups(game, tmp_path / "altered.npz", at)[side == "upper"] == limit:
            assert refused["verdict"] == "refused"
            assert f"the {side} bound is" in refused["position"]


def overlapping(head: dict[str, Any], tables: dict[str, Any]) -> None:
    next(iter(head["fields"].values()))["bits"] = 40


def shorter(head: dict[str, Any], tables: dict[str, Any]) -> None:
    for name in tables:
        tables[name] = tables[name][:-1]


def another_rank(head: dict[str, Any], tables: dict[str, Any]) -> None:
    name = next(name for name in tables if name.startswith("rank"))
    tables[name][np.argmax(tables[name])] = 1


def no_number(head: dict[str, Any], tables: dict[str, Any]) -> None:
    tables["lower"][2] = np.nan


def more_claimed(head: dict[str, Any], tables: dict[str, Any]) -> None:
    head["claim"]["lower"] += 1e-16 + abs(head["claim"]["lower"]) * 1e-15


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (shorter, "is not in the table"),
        (another_rank, "play need not end"),
        (no_number, "is no number"),
        (more_claimed, "the claim is not what the table says"),
    ],
)
def test_a_faulty_certificate_is_refused_with_a_position(change: Any, words: str, tmp_path: Path) -> None:
    game = game_of("throws")
    report = verdict(altered(written(game, tmp_path / "it.npz"), change), game)
    assert report["verdict"] == "refused"
    assert words in report["position"]


def test_fields_that_share_bits_are_refused(tmp_path: Path) -> None:
    game = game_of("throws")
    with pytest.raises(BadInput, match="its fields overlap"):
        verdict(altered(written(game, tmp_path / "it.npz"), overlapping), game)


def test_of_other_rules_or_no_certificate(tmp_path: Path) -> None:
    path = written(game_of("race"), tmp_path / "it.npz")
    with pytest.raises(BadInput, match="of rules"):
        verdict(path, game_of("form"))
    path.write_bytes(b"PK nothing")
    with pytest.raises(BadInput, match="not a certificate that can be read"):
        verdict(path, game_of("race"))


def test_a_sample_says_how_sure_it_is(tmp_path: Path) -> None:
    game = game_of("pile")
    report = verdict(written(game, tmp_path / "it.npz"), game, every=False, sample=5)
    assert report["checked"] == 5
    assert report["verdict"].startswith("not refuted: with 99% confidence less than 0.92 of all positions fail")


def test_the_checker_shares_no_code_with_the_solvers() -> None:
    tree = ast.parse(Path(checking.__file__).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert not [name for name in names if name.startswith("hazard.solving")]
    assert "hazard.rulebook" in names


def test_the_commands(tmp_path: Path) -> None:
    file, game = str(tmp_path / "it.npz"), "shut-the-box"
    run = CliRunner().invoke
    solved = run(cli, ["solve", game, "-p", "tiles=3", "--certificate", file, "--out", str(tmp_path / "s"), "--json"])
    assert solved.exit_code == 0, solved.output
    checked = run(cli, ["check-certificate", file, game, "--json"])
    assert checked.exit_code == 0
    assert json.loads(checked.output)["verdict"] == "proven"
    other = run(cli, ["check-certificate", file, game, "-p", "tiles=4"])
    assert isinstance(other.exception, BadInput)
    own = run(cli, ["solve", "pig", "-p", "goal=3", "--certificate", file])
    assert isinstance(own.exception, BadInput)
    assert "has a solver of its own" in str(own.exception)


def test_a_player_who_wants_little(tmp_path: Path) -> None:
    """The least that a player can get is bounded and proven like the most."""

    @rule
    def least(g: Numbers) -> bool:
        return True

    game = own_game("own-throws-least", changed(best_of_throws, least=least), Numbers(1, 3, 10))
    path = written(game, tmp_path / "it.npz")
    assert checking.head_of(path)["claim"]["lower"] == pytest.approx(10 + 7 / 3)
    assert verdict(path, game)["verdict"] == "proven"
