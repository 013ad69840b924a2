"""`hazard check` says in words what is wrong with a game, each with a position that shows it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import hazard
from hazard.checking.check import Report, check, of_plain
from hazard.checking.play import endless, growing, positions
from hazard.checking.position import Look, Looker
from tests.own_games.files import SMALL, write


def checked(folder: Path, *changes: tuple[str, str], more: str = "") -> Report:
    return check(hazard.game(write(folder, *changes, text=SMALL + more)), 400)


def test_a_good_game_passes(tmp_path: Path) -> None:
    report = check(hazard.game(write(tmp_path), goal=3))
    assert (report.passed, report.all, report.findings) == (True, True, [])
    assert 50 < report.positions < 200


MOVE = "return State(1 - s.mover, s.you, min(s.me + s.pot, g.goal), 0, 0)"
BUST = "return State(1 - s.mover, s.you, s.me, 0, 0)"
COUNT = "\n\nSEEN = [0]\n\n\n@rule\ndef chance(g, s):\n    SEEN[0] += 1\n    return 3 * s.rolling + SEEN[0] % 2\n"
WORDS = "\n\ndef text(g, s):\n    return {}\n\n\ndef parse(g, text):\n    return {}\n"
AGENT = "\n\n@rule\ndef bad(g, s, moves, memory, rng):\n    return 5\n\n\nAGENTS = {'bad': bad}\n"
CALLED = "\n\ndef move_text(g, s, m):\n    return 'go'\n"
CHANGED = "    SEEN[0] = s.me\n    return "
BROKEN = {  # what is said, by the change that it is said of, or by what is added
    "move 1 gives pot=0.5; every field of a position is a whole number": (MOVE, MOVE.replace("0, 0)", "0.5, 0)")),
    "move 1 gives rolling=False; a position holds whole numbers": (MOVE, MOVE.replace("0, 0)", "0, s.pot < 0)")),
    "land 0 gives mover=2; seats are 0 to 1": (BUST, BUST.replace("1 - s.mover", "2")),
    "move 1 gives 7, which is no State": (MOVE, "return 7"),
    "legal lists move 0 twice": ("moves[1] = 1", "moves[1] = 0"),
    "legal counts 2 moves but writes only 1 of them": ("    moves[1] = 1\n", ""),
    "legal lists move -1; moves are numbers from 0 on": ("moves[1] = 1", "moves[1] = -1"),
    "there is no legal move, no dice are in the air, and the game is not over": ("2 if s.pot > 0 else 1", "1 - s.pot"),
    "legal writes more than 65536 moves in line 41; write a rule fanout(g)": ("moves[1] = 1", "moves[65536] = 1"),
    "weight of way 1 is 0; every way that dice can land has a weight of 1 or more": ("2 if i == 1 else 1", "1 - i % 2"),
    "weight of way 0 is -1": ("2 if i == 1 else 1", "i - 1"),
    "the weights add up to more than 2**63 - 1": ("2 if i == 1 else 1", "2**62"),
    "chance is 3 in a position that is over; it must be 0": ("3 * s.rolling", "3 if s.you > 5 else 3 * s.rolling"),
    "payoff of seat 0 is nan; it must be a number": ("0.0 if seat == s.mover else 1.0", "float('nan')"),
    "payoff of seat 0 is None; it must be a number": ("return 0.0 if seat == s.mover else 1.0", "pass"),
    "over fails in line 30: ZeroDivisionError": ("s.you >= g.goal", "s.you // (3 - s.you) >= g.goal"),
    "chance says 1, and 0 if it is asked again; rules remember nothing": COUNT,
    "parse reads State(mover=0, me=0": WORDS.format("str(tuple(s))", "State(0, 0, 0, 0, 0)"),
    "parse does not read what text writes: BadInput": WORDS.format("str(tuple(s))", "int(text)"),
    "text writes the same for State(": WORDS.format("'x'", "State(0, 0, 0, 0, 0)"),
    "move_text calls 0 and 1 both 'go'": CALLED,
    "agent bad makes move 5, which is not in the list": AGENT,
}  # fmt: skip


@pytest.mark.parametrize("said", BROKEN)
def test_what_is_wrong_is_said_with_a_position(tmp_path: Path, said: str) -> None:
    change = BROKEN[said]
    report = checked(tmp_path, change) if isinstance(change, tuple) else checked(tmp_path, more=change)
    found = [finding for finding in report.findings if said in finding.what]
    assert found, report.findings
    assert not report.passed
    assert found[0].position


def test_tables_that_are_written_to(tmp_path: Path) -> None:
    """Rules keep nothing outside the position: tables cannot be written to."""
    more = (
        "\n\nimport numpy as np\n\n\nclass Table(NamedTuple):\n    goal: int\n    players: int\n    seen: object\n\n\n"
    )
    more += "def make(p):\n    return Table(p.goal, p.players, np.zeros(3))\n"
    report = checked(
        tmp_path, ("    return s.you >= g.goal", "    g.seen[0] = 1\n    return s.you >= g.goal"), more=more
    )
    assert "over fails in line 30: ValueError: assignment destination is read-only" in report.findings[0].what


def test_rules_that_differ_compiled(tmp_path: Path) -> None:
    """Whole numbers of compiled rules have 64 bits."""
    report = checked(tmp_path, ("2 if i == 1 else 1", "1 + (s.me + 3) ** 41 % 3 + i // 9"))
    assert [f for f in report.findings if "weight says" in f.what and "compiled" in f.what], report.findings


def test_a_game_that_never_ends(tmp_path: Path) -> None:
    found = endless(hazard.game(write(tmp_path, ("s.you >= g.goal", "s.you > g.goal"))))
    assert found
    assert "random play is not over after 1,000,000 steps" in found.what
    assert found.wrong
    assert found.position.startswith("mover=")


def test_a_field_that_grows_without_end(tmp_path: Path) -> None:
    """By random play: then it is wrong. Only if somebody wants it to: then it is worth knowing."""
    changes = ("s.you >= g.goal", "s.you < 0"), (", g.goal)", ", 10**9)"), ("g.goal - s.me), 0)", "99), 0)")
    never = endless(hazard.game(write(tmp_path, *changes)))
    assert never
    assert "grows all the time" in never.what
    assert never.wrong
    pot = hazard.game(write(tmp_path, ("min(s.pot + i, g.goal - s.me)", "s.pot + i")))
    assert endless(pot) is None
    found = growing(Looker(pot))
    assert found
    assert "pot grows without end if the same is done again and again" in found.what
    assert not found.wrong


def test_payoffs_that_do_not_add_up_are_noted(tmp_path: Path) -> None:
    """In plain Python: what is wrong otherwise is looked for in compiled rules only where that is in order."""
    path = write(tmp_path, ("return 0.0 if seat == s.mover else 1.0", "return float(s.me) if seat == s.mover else 9.0"))
    looker = Looker(hazard.game(path))
    looks = [found for _, found in positions(looker, 400) if isinstance(found, Look)]
    found = list(of_plain(looker, looks))
    assert [f for f in found if "payoffs add up to 9 in some ends and to 14 in others; that is allowed" in f.what]
    assert not any(f.wrong for f in found)
    purse = "\n\n@rule\ndef purse(g):\n    return 2.0\n\n\n@rule\ndef floor(g):\n    return 0.5\n"
    wrong = [f.what for f in checked(tmp_path, more=purse).findings]
    assert wrong == ["payoffs add up to 1, but purse says 2", "a payoff is 0, but floor says 0.5"]


# --- the commands --------------------------------------------------------------------------------------------------
def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hazard", *words], capture_output=True, text=True, cwd=folder, env=os.environ
    )


def test_a_new_game_works(tmp_path: Path) -> None:
    done = run(tmp_path, "new", "mygame.py")
    assert done.stdout.strip().endswith("play it with `hazard play ./mygame.py`.")
    assert "nothing is wrong" in run(tmp_path, "check", "./mygame.py", "-p", "goal=20").stdout
    match = json.loads(
        run(tmp_path, "match", "./mygame.py", "bank-at-20", "random", "--games", "1000", "--json").stdout
    )
    assert match["wins"][0] > 700
    text = (tmp_path / "mygame.py").read_text()
    again = run(tmp_path, "new", "mygame.py")
    assert (again.returncode, again.stderr) == (2, "hazard: mygame.py: is there already; name another file\n")
    assert (tmp_path / "mygame.py").read_text() == text
    assert "there is a game 'pig' already" in run(tmp_path, "new", "pig.py").stderr
    assert "ends in .py, e.g. game.py" in run(tmp_path, "new", "game").stderr
    assert run(tmp_path, "new", "none/game.py").returncode == 2


def test_the_exit_code_tells(tmp_path: Path) -> None:
    path = write(tmp_path, BROKEN["legal lists move 0 twice"])  # type: ignore[arg-type]
    done = run(tmp_path, "check", path)
    assert done.returncode == 1
    assert "legal lists move 0 twice" in done.stdout
    report = json.loads(run(tmp_path, "check", path, "--json").stdout)
    assert report["passed"] is False
    assert report["findings"][0]["position"] == "mover=0 me=0 you=0 pot=1 rolling=0"
    uncompiled = write(
        tmp_path, ("    moves[0] = 0", "    moves[0] = len([n for n in (s.pot, 1)]) - 2"), name="lists.py"
    )
    done = run(tmp_path, "check", uncompiled, "--json")
    assert done.returncode == 1
    assert any("cannot be compiled" in finding["what"] for finding in json.loads(done.stdout)["findings"])
