"""Matches, sequential tests, grades and checks of bots on the command line."""

import json
from pathlib import Path

import pytest

import hazard
from tests.tournaments import EXAMPLES, hazard_command, pig


def test_a_match_with_a_bot() -> None:
    found = json.loads(hazard_command("match", "pig", EXAMPLES / "hold20.py", "random", "--games", 4, "--json").stdout)
    assert found["wins"][0] + found["wins"][1] == 4
    assert found["faults"] == {}


def test_a_sequential_test_is_the_same_for_any_number_of_processes() -> None:
    words = ("test", "pig", "hold-at-20", "random", "--elo1", 20, "--json")
    found = [json.loads(hazard_command(*words, "--processes", n).stdout) for n in (1, 2)]
    assert found[0] == found[1]
    assert found[0]["decision"] == "H1"
    other = json.loads(hazard_command("test", "pig", "random", "hold-at-20", "--json", "--processes", 1).stdout)
    assert other["decision"] == "H0"
    undecided = hazard_command(
        "test", "pig", "hold-at-25", "hold-at-20", "--elo1", 0.1, "--most", 2000, "--processes", 1
    )
    assert undecided.stdout.startswith("Not decided after 1,000 pairs")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("test", "pig", "optimal", "random", "--elo0", 5), "elo0 must be less than elo1"),
        (("test", "pig", "optimal", "random", "--alpha", 0.7), "alpha=0.7: must be between 0 and 0.5"),
        (("test", "pig", "optimal", "randm"), "did you mean 'random'?"),
        (("test", "great-rolled-ones", "random", "optimal", "-p", "players=3"), "a test needs a game of two"),
        (("grade", "pig", "randm"), "did you mean 'random'?"),
        (("grade", "pig", "random", "--games", 1), "games=1"),
        (("grade", "pig", "./none.py"), "there is no file './none.py'"),
        (("match", "pig", "./none.py", "random"), "there is no file './none.py'"),
        (("check-bot", "pig", "./none.py"), "there is no file './none.py'"),
        (("results", "no-such-folder"), "no tournament is there"),
        (("resume", "no-such-folder"), "no tournament is there"),
        (("replay", "no-such-folder", 1), "no tournament is there"),
    ],
)
def test_bad_input_elsewhere(words: tuple, says: str) -> None:
    found = hazard_command(*words)
    assert (found.returncode, len(found.stderr.splitlines())) == (2, 1)
    assert says in found.stderr


def test_grades_on_the_command_line() -> None:
    found = json.loads(hazard_command("grade", "pig", "hold-at-20", "-p", "goal=30", "--games", 2000, "--json").stdout)
    solution = hazard.solve(pig())
    worst = found["worst"][0]
    advice = {row.move: row.cost for row in solution.advise(pig().parse(worst["position"]))}
    assert advice[worst["move"]] == pytest.approx(worst["loss"])
    bot = ("grade", "pig", EXAMPLES / "hold20.py", "-p", "goal=30", "--games", 8)
    assert "it loses per game" in hazard_command(*bot).stdout


def test_a_bot_is_checked() -> None:
    good = hazard_command("check-bot", "pig", EXAMPLES / "hold20.py", "--json")
    assert (good.returncode, json.loads(good.stdout)["passed"]) == (0, True)
    bad = hazard_command("check-bot", "pig", f"{Path(__file__).parent / 'bots' / 'bad.py'} illegal", "--bank", 1)
    assert bad.returncode == 1
    assert "FAILED" in bad.stdout
