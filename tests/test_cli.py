"""The command line as a user meets it: output, exit codes, one clear line for bad input, nothing half-written."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hazard.cli import main
from tests.waiting import COMPILING


class Ran:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def data(self) -> dict:
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def hazard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["hazard", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        return Ran(int(end.value.code or 0), out, err)

    return run


def test_games_and_agents(hazard) -> None:
    assert set(hazard("games", "--json").data["games"]) >= {"pig", "great-rolled-ones", "risk"}
    assert "optimal" in hazard("agents", "pig", "--json").data["agents"]
    assert "hold-at-20" in hazard("agents", "pig").out


def test_solve(hazard, tmp_path: Path) -> None:
    found = hazard("solve", "pig", "-p", "goal=12", "--out", str(tmp_path / "s"), "--json").data
    assert found["lower"][0] <= found["value"][0] <= found["upper"][0]
    assert found["states"] > 0
    assert Path(found["solution"], "low.npy").exists()
    exact = hazard("solve", "pig", "-p", "goal=5", "--exact", "--json").data
    assert exact["value"] == ["216/271", "55/271"]
    lower, upper = (hazard("solve", "pig", "-p", "goal=5", "--json").data[key][0] for key in ("lower", "upper"))
    assert lower <= 216 / 271 <= upper


def test_a_game_that_has_been_solved_is_not_solved_again(
    hazard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But if more exactness is asked for, or to solve it again; some solutions ship with the package."""
    monkeypatch.setenv("HAZARD_CACHE", str(tmp_path))
    settings = ["solve", "pig", "-p", "goal=6", "--json"]
    first = hazard(*settings)
    assert "solved before" not in first.err
    second = hazard(*settings)
    assert (second.data, "--again" in second.err) == (first.data, True)
    assert "solved before" not in hazard(*settings, "--again").err
    finer = hazard(*settings, "--tolerance", f"{first.data['error'] / 2}")
    assert finer.data["error"] < first.data["error"]
    shipped = hazard("solve", "pig", "--json")
    assert Path(shipped.data["solution"]).parts[-2:] == ("pig", "solved")
    assert shipped.data["value"][0] == pytest.approx(0.530592725, abs=1e-9)


def test_solve_great_rolled_ones_reports_the_start(hazard, tmp_path: Path) -> None:
    found = hazard(
        "solve", "great-rolled-ones", "-p", "goal=6", "-p", "komi=2", "--out", str(tmp_path / "s"), "--json"
    ).data
    assert set(found) >= {"game", "parameters", "states", "value", "lower", "upper", "seconds"}
    assert found["parameters"]["komi"] == "2"


def test_solve_risk(hazard) -> None:
    stake = hazard("solve", "risk", "-p", "mode=stake", "-p", "stake=1", "--json").data
    assert (stake["fraction"], stake["last_army"]["float"]) == ("49/144", pytest.approx(49 / 144))
    assert stake["value"][0] == pytest.approx(4 - 49 / 144)  # of four armies, less what it loses
    battle = hazard("solve", "risk", "-p", "attackers=4", "-p", "defenders=3", "-p", "objective=losses", "--json").data
    assert battle["conquer_lower"] <= battle["conquer"] <= battle["conquer_upper"]
    assert 1 <= battle["attackers_left"] <= 4
    assert battle["attackers_left"] == pytest.approx(battle["value"][0], abs=1e-9)
    assert 0 <= battle["defenders_left"] <= 3


def test_advise(hazard) -> None:
    found = hazard("advise", "pig", "p1 0:0 pot 11", "-p", "goal=12", "--json").data
    assert sorted(row["move"] for row in found["moves"]) == ["hold", "roll"]
    assert found["moves"][0]["cost"] == 0
    assert found["moves"][0]["known"] == "exact"
    risk = hazard("advise", "risk", "a10 d8 roll 5-4", "--json").data
    assert [row["move"] for row in risk["moves"]] == ["1 die", "2 dice"]
    sampled = hazard(
        "advise", "pig", "p1 0:0 pot 6", "-p", "goal=12", "--rollouts", "500", "--agent", "hold-at-20", "--json"
    ).data
    assert sampled["moves"][0]["known"] == "rollout"
    assert sampled["moves"][0]["lower"] < sampled["moves"][0]["upper"]


def test_match(hazard) -> None:
    call = ("match", "pig", "optimal", "random", "-p", "goal=12", "--games", "999", "--seed", "4", "--json")
    found = hazard(*call).data
    keys = {"agents", "games", "wins", "ties", "intervals", "wins_by_seat", "seed", "games_per_second"}
    assert set(found) >= keys
    assert sum(found["wins"]) + found["ties"] == 999
    assert [sum(row) for row in found["wins_by_seat"]] == found["wins"]
    again = hazard(*call).data
    assert all(again[key] == found[key] for key in keys - {"games_per_second"})


def test_play_through_the_terminal() -> None:
    def play(typed: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hazard", "play", "pig", "human", "hold-at-20", "-p", "goal=12", "--seed", "3"]
        return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=COMPILING)

    whole = play("nonsense\n" + "hold\nroll\n2\n" * 200)
    assert whole.returncode == 0
    assert "'nonsense' is not one of" in whole.stdout
    assert "over" in whole.stdout
    assert play("").returncode == 0  # end of input
    assert play("quit\n").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "pigg"], "did you mean 'pig'"),
        (["solve", "pig", "-p", "gaol=50"], "did you mean 'goal'"),
        (["solve", "pig", "-p", "goal=0"], "goal=0: must be from 1 to 1000"),
        (["solve", "pig", "-p", "goal=many"], "goal=many: must be a whole number"),
        (["solve", "pig", "-p", "goal"], "KEY=VALUE"),
        (["solve", "pig", "--tolerance", "-1"], "tolerance"),
        (["solve", "pig", "-p", "goal=12", "--tolerance", "1e-15"], "rounding leaves"),
        (["solve", "great-rolled-ones", "-p", "bust=6"], "bust=6: must be at most the number of dice, 5"),
        (["solve", "great-rolled-ones", "-p", "komi=50"], "komi=50"),
        (["solve", "great-rolled-ones", "-p", "players=6"], "GiB"),
        (["solve", "risk", "-p", "rule=german"], "dutch, classic, blind"),
        (["match", "pig", "optmal", "random"], "did you mean 'optimal'"),
        (["match", "pig", "random"], "1 agents for 2 seats"),
        (["match", "pig", "random", "random", "--games", "0"], "games=0"),
        (["match", "pig", "random", "random", "--seed", "-1"], "seed=-1"),
        (["advise", "pig", "p1 3;4 pot 2"], "at character 5"),
        (["advise", "pig", "p1 -3:4 pot 2"], "negative"),
        (["advise", "great-rolled-ones", "p1 3:4 k5 o3"], "3 ones aside"),
        (["advise", "great-rolled-ones", "p1 -3:4 k5 o0"], "negative"),
        (["advise", "great-rolled-ones", "p1 3:4:5 k5 o0"], "3 scores, but there are 2 players"),
        (["advise", "great-rolled-ones", "p1 60:4 k0 o0"], "the game is over"),
        (["advise", "risk", "a10 d8 roll 4-5"], "highest first"),
        (["reproduce", "risc"], "did you mean 'risk'"),
        (["frobnicate"], "frobnicate"),
        (["solve"], "GAME"),
        (["play", "pig", "human"], "1 seats named"),
    ],
)
def test_bad_input_is_one_clear_line(hazard, arguments: list[str], says: str) -> None:
    ran = hazard(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_studies_are_found_by_their_folders(hazard) -> None:
    """Each declares a game that there is; nothing else lists them."""
    from hazard.declaration import game_names
    from hazard.studies import declared, study_names

    assert {"dice-of-doom", "dice-wars", "great-rolled-ones", "pickomino", "risk"} <= set(study_names())
    assert {declared(name).game for name in study_names()} <= set(game_names())


def test_places_that_cannot_be_written(hazard, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    before = sorted(p.name for p in tmp_path.rglob("*"))
    for place in ("file", "full", "file/inside"):
        for command in (["solve", "pig", "-p", "goal=5"], ["reproduce", "risk"]):
            ran = hazard(*command, "--out", str(tmp_path / place))
            assert ran.code == 2, ran.out
            assert place in ran.err
            assert ran.err.count("\n") == 1
    assert sorted(p.name for p in tmp_path.rglob("*")) == before


def test_a_damaged_solution_in_the_cache_is_made_anew(hazard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hazard.rulebook import game
    from hazard.solving.solution import _opened, stored_at

    monkeypatch.setattr("hazard.solving.solution.cache_home", lambda: tmp_path)
    _opened.clear()
    call = ("advise", "pig", "p1 0:0 pot 6", "-p", "goal=12", "--json")
    first = hazard(*call).data
    table = stored_at(game("pig", goal=12)) / "low.npy"
    table.write_bytes(table.read_bytes()[:-8] + b"hazard!!")
    _opened.clear()
    assert hazard(*call).data == first
    _opened.clear()


TELLS = """
from hazard.cli import main
from hazard.solving import report
solve = report.solve_report
report.solve_report = lambda *asked: solve(*asked[:3], lambda done, total: print(done, flush=True), *asked[4:])
main()
"""


def test_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    """It is interrupted once it says how far it has got."""
    words = ["solve", "great-rolled-ones", "-p", "players=3", "-p", "goal=40", "--out", str(tmp_path / "s")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", TELLS, *words], text=True, **pipes) as process:
        assert process.stdout
        assert process.stdout.readline().strip().isdigit()
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=COMPILING)
    assert process.returncode == 130
    assert err.strip().splitlines()[-1] == "hazard: interrupted"  # what is compiled is said before
    assert list(tmp_path.iterdir()) == []


def test_help_and_completion(hazard) -> None:
    assert "Start with" in hazard("--help").out
    for command in ("games", "agents", "solve", "advise", "play", "match", "reproduce", "completion"):
        assert hazard(command, "--help").code == 0
    assert "_HAZARD_COMPLETE" in hazard("completion", "bash").out
    script = (
        "import os; os.environ.update(_HAZARD_COMPLETE='bash_complete', COMP_WORDS='hazard agents p', COMP_CWORD='2')"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{script}; from hazard.cli import main; main()"], capture_output=True, text=True
    )
    assert "pig" in done.stdout


words = st.text(max_size=20) | st.sampled_from(
    ["goal=3", "-p", "--json", "pig", "random", "--games", "5", "p1 3:4 pot 2"]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["games", "agents", "advise", "match", "reproduce", "solve"]), st.lists(words, max_size=5))
def test_random_words_never_crash(hazard, command: str, rest: list[str]) -> None:
    if command == "reproduce":
        rest = [*rest, "no-such-study"]
    ran = hazard(command, *rest)
    assert ran.code in (0, 2)
    assert "Traceback" not in ran.err
