"""A class: what is handed in is taken with care, all that pass play, and a kill at any moment loses nothing."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import hazard
from hazard.arena.bots import isolation
from hazard.arena.bots.limits import Limits
from hazard.arena.classroom.hand_in import Entry, collect, shown
from hazard.arena.classroom.page import write_pages
from hazard.arena.classroom.play import Class, can_be_graded, open_class, play_class
from hazard.errors import BadInput
from tests.conftest import MISSING
from tests.test_bots import NODE
from tests.tournaments import EXAMPLES, command, contents, hazard_command
from tests.waiting import wait_until

ISOLATED = pytest.mark.skipif(
    bool(isolation.missing()), reason=f"{MISSING}a class, as this machine cannot isolate its bots"
)
GOOD = (EXAMPLES / "hold20.py").read_text()
HOSTILE = "Eve <script>alert(1)"
WORDS = "</pre><script>alert(2)</script>"


def handed_in(folder: Path) -> Path:
    """A good bot, a folder with one that needs its helper, one that fails, and a name that would be code."""
    folder.mkdir()
    (folder / "alice.py").write_text(GOOD)
    (folder / "dora").mkdir()
    (folder / "dora/bot.py").write_text(GOOD.replace("import json", "import json\nfrom helper import H", 1))
    (folder / "dora/helper.py").write_text("H = 10\n")
    (folder / f"{HOSTILE}.py").write_text(GOOD.replace(">= 20", ">= 2"))
    (folder / "carl.py").write_text(f"import sys\nsys.exit({WORDS!r})\n")
    return folder


def wanted(**more: object) -> Class:
    game = hazard.game("pig", goal=20)
    usual = {
        "game": "pig",
        "parameters": game.parameters,
        "games": 4,
        "against": ["random"],
        "limits": Limits(insist=True),
    }
    return Class(**usual | {"seed": 5} | more)  # type: ignore[arg-type]


# --- handing in ------------------------------------------------------------------------------------------------------
def taken(folder: Path, out: Path) -> dict[str, Entry]:
    entries, _ = collect(folder, out, out)
    return {entry.name: entry for entry in entries}


def test_files_and_folders_are_copied(tmp_path: Path) -> None:
    source, out = handed_in(tmp_path / "in"), tmp_path / "out"
    (source / "notes.txt").write_text("no program")
    (source / ".hidden.py").write_text("x")
    (source / "run").write_bytes(b"\x7fELF")
    entries, others = collect(source, out, out)
    found = {entry.name: entry.command for entry in entries}
    assert found == {
        "alice": "bots/alice/alice.py",
        "dora": "bots/dora/bot.py",
        HOSTILE: "bots/eve-script-alert-1/eve-script-alert-1.py",
        "carl": "bots/carl/carl.py",
        "run": "bots/run/run",
    }
    assert others == ["notes.txt"]
    assert (out / "bots/dora/helper.py").read_text() == "H = 10\n"
    assert os.access(out / "bots/run/run", os.X_OK)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("../../etc/x", None),
        ("-rf", "rf"),
        ("a b'c\"d", "a-b-c-d"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}yp.lave\x1b[2J", "yp-lave-2j"),
        ("\n\t", "bot"),
        ("$(touch owned)", "touch-owned"),
        ("é" * 60, "bot"),
        (os.fsdecode(b"\xff\xfe"), "bot"),
    ],
)
def test_names_are_made_harmless(name: str, slug: str | None, tmp_path: Path) -> None:
    if slug is None:
        assert shown(name) == name, "no file can have this name"
        return
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{name}.py").write_text(GOOD)
    (entry,) = taken(tmp_path / "in", tmp_path / "out").values()
    assert entry.slug == slug
    assert entry.name.isprintable()
    assert re.fullmatch(r"bots/[a-z0-9-]+/[a-z0-9-]+\.py", entry.command)


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a.py", "a.js", "A.py", "a-2.py"):
        (tmp_path / "in" / name).write_text(GOOD)
    found = taken(tmp_path / "in", tmp_path / "out")
    assert len(found) == len({entry.slug for entry in found.values()}) == 4


def too_many(bot: Path) -> None:
    for n in range(2001):
        (bot / f"{n}.txt").write_text("x")


def too_large(bot: Path) -> None:
    with (bot / "big").open("wb") as file:
        file.truncate(65 << 20)


def two(bot: Path) -> None:
    (bot / "bot.py").rename(bot / "one.py")
    (bot / "other.py").write_text("x")


def strange(bot: Path) -> None:
    (bot / "bot.py").rename(bot / "o n e.py")


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (too_many, "more than 2000 files"),
        (too_large, "more than 64 MB"),
        (two, "2 programs in the folder"),
        (strange, "strange name"),
        (lambda bot: (bot / "bot.py").unlink(), "no program in the folder"),
    ],
)
def test_what_cannot_be_taken_is_said(spoil: Callable[[Path], None], told: str, tmp_path: Path) -> None:
    bot = tmp_path / "in/x"
    bot.mkdir(parents=True)
    (bot / "bot.py").write_text(GOOD)
    spoil(bot)
    (entry,) = taken(tmp_path / "in", tmp_path / "out").values()
    assert told in entry.problem
    assert not (tmp_path / "out/bots/x").exists()


def test_links_and_pipes_are_not_followed(tmp_path: Path) -> None:
    """A pupil could hand in a link to a file of the teacher's, and let the bot read it."""
    secret = tmp_path / "secret"
    secret.write_text("the teacher's")
    bot = tmp_path / "in/x"
    bot.mkdir(parents=True)
    (bot / "bot.py").write_text(GOOD)
    (bot / "key").symlink_to(secret)
    (bot / "folder").symlink_to(tmp_path)
    os.mkfifo(bot / "pipe")
    os.mkfifo(tmp_path / "in/pipe.py")
    (tmp_path / "in/link.py").symlink_to(secret)
    found = taken(tmp_path / "in", tmp_path / "out")
    assert set(found) == {"x", "link"}
    assert "it is a link" in found["link"].problem
    assert [path.name for path in (tmp_path / "out").rglob("*") if path.is_file()] == ["bot.py"]


# --- playing ---------------------------------------------------------------------------------------------------------
@ISOLATED
def test_a_class_is_played(tmp_path: Path) -> None:
    source, out = handed_in(tmp_path / "in"), tmp_path / "out"
    said: list[str] = []
    found = play_class(source, out, wanted(), hazard.game("pig", goal=20), 2, said.append)
    assert sorted(said)[-1] == "grading dora"
    assert "checked carl: FAILED" in said
    assert found.summary is not None
    assert sorted(found.summary["agents"]) == sorted(
        [*(e.command for e in found.of.entries if e.name != "carl"), "random"]
    )
    assert found.summary["faults"] == []
    losses = {slug: grade["sampled_loss_per_game"]["mean"] for slug, grade in found.grades.items()}
    assert losses["eve-script-alert-1"] > losses["alice"], "who holds at 2 gives more away than who holds at 20"
    page = write_pages(out, found).read_text()
    told = (out / "pupils/carl.html").read_text()
    for text in (page, told):
        assert "<script" not in text.lower()
        assert "default-src 'none'" in text
        assert str(tmp_path) not in text
        assert not re.search(r"(src|href)=['\"]?(http|//)", text), "needs nothing from elsewhere"
    assert "Eve &lt;script&gt;alert(1)" in page
    assert "&lt;/pre&gt;&lt;script&gt;alert(2)" in told
    assert "failed its check and did not play" in told
    assert "Costliest errors" in (out / "pupils/eve-script-alert-1.html").read_text()
    assert str(found.of.seed) in page


@ISOLATED
def test_a_class_in_which_none_passes_has_its_page(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/carl.py").write_text("import sys\nsys.exit('no')\n")
    found = play_class(tmp_path / "in", tmp_path / "out", wanted(), hazard.game("pig", goal=20), 1, list)
    assert found.summary is None
    assert "Too few bots passed" in write_pages(tmp_path / "out", found).read_text()


def test_a_class_is_not_played_without_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.arena.classroom.play.missing", lambda: "namespaces: Operation not permitted")
    source = handed_in(tmp_path / "in")
    with pytest.raises(BadInput, match=r"cannot be isolated .*namespaces.* a class is not played without"):
        play_class(source, tmp_path / "out", wanted(), hazard.game("pig", goal=20))
    assert not (tmp_path / "out").exists()


def test_what_was_begun_is_kept(tmp_path: Path) -> None:
    """Bots are those of the beginning, and another class is refused."""
    source, out = handed_in(tmp_path / "in"), tmp_path / "out"
    first = open_class(source, out, wanted())
    (source / "alice.py").write_text("changed")
    (source / "late.py").write_text(GOOD)
    assert open_class(source, out, wanted()) == first
    assert (out / "bots/alice/alice.py").read_text() == GOOD
    for change in ({"games": 6}, {"seed": 6}, {"limits": Limits(bank=1.0)}, {"against": ["optimal"]}):
        (name,) = change
        with pytest.raises(BadInput, match=rf"another class \({name}\)"):
            open_class(source, out, wanted(**change))
    (out / "class.json").write_text("{")
    with pytest.raises(BadInput, match="damaged"):
        open_class(source, out, wanted())


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    source = handed_in(tmp_path / "in")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.txt").write_text("x")
    with pytest.raises(BadInput, match="holds something else"):
        open_class(source, tmp_path / "out", wanted())
    (tmp_path / "none").mkdir()
    with pytest.raises(BadInput, match="holds no bots"):
        open_class(tmp_path / "none", tmp_path / "other", wanted())
    with pytest.raises(BadInput, match="no such folder"):
        open_class(tmp_path / "nowhere", tmp_path / "other", wanted())
    assert not (tmp_path / "other").exists()


def test_only_what_is_solved_is_graded() -> None:
    assert can_be_graded(hazard.game("pig", goal=20))
    assert not can_be_graded(hazard.game("dice-wars"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--game", "pigs"], "pigs"),
        (["--game", "pig", "--against", "nobody"], "nobody"),
        (["--game", "pig", "--games", 1], "--games 1: must be 2 or more"),
        (["--game", "pig", "--reads", "/nowhere"], "--reads /nowhere: there is nothing of that name"),
        (["--game", "pig", "--trust-bots"], "No such option"),
        ([], "Missing option '--game'"),
    ],
)
def test_bad_words_are_refused(words: list[object], told: str, tmp_path: Path) -> None:
    done = hazard_command("class", handed_in(tmp_path / "in"), *words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


@ISOLATED
@pytest.mark.slow
def test_a_class_that_is_killed_goes_on(tmp_path: Path) -> None:
    """Killed while bots are checked, while they play, and while they are graded."""
    source = handed_in(tmp_path / "in")
    words = ["class", source, "--game", "pig", "-p", "goal=20", "--games", 40, "--seed", 5, "--processes", 1]
    whole = hazard_command(*words, "--out", tmp_path / "whole")
    assert whole.returncode == 0, whole.stderr
    out = tmp_path / "out"
    signs: list[Callable[[], object]] = [
        lambda: list((out / "checks").glob("*.json")),
        lambda: (out / "tournament/ledger.json").exists(),
        lambda: list((out / "grades").glob("*.json")),
    ]
    for sign in signs:
        with subprocess.Popen(command(*words, "--out", out), stdout=-3, stderr=-3, start_new_session=True) as playing:
            wait_until(lambda playing=playing, sign=sign: sign() or playing.poll() is not None)
            os.killpg(playing.pid, signal.SIGKILL)
    assert not (out / "index.html").exists(), "all kills came before the end"
    done = hazard_command(*words, "--out", out)
    assert done.returncode == 0, done.stderr
    for part in ("tournament", "grades", "bots"):
        assert contents(out / part) == contents(tmp_path / "whole" / part)
    told = [json.loads(hazard_command(*words, "--out", one, "--json").stdout) for one in (out, tmp_path / "whole")]
    assert told[0] | {"page": ""} == told[1] | {"page": ""}


@ISOLATED
@pytest.mark.slow
@pytest.mark.parametrize("bot", [NODE])
def test_bots_of_any_language(bot: str, tmp_path: Path) -> None:
    source = handed_in(tmp_path / "in")
    shutil.copy(EXAMPLES / "any.mjs", source / "node.mjs")
    (source / "shell.sh").write_text(SHELL)
    (source / "shell.sh").chmod(0o755)
    found = play_class(source, tmp_path / "out", wanted(), hazard.game("pig", goal=20), 2, list)
    passed = {slug for slug, cases in found.checks.items() if all(case.passed for case in cases)}
    assert passed == {"alice", "dora", "eve-script-alert-1", "node", "shell"}
    assert msgspec.to_builtins(found.of)["others"] == []


SHELL = """#!/bin/sh
while read -r line; do
  case "$line" in
    *'"hello"'*) echo '{"type":"ready","protocol":1}';;
    *'"type":"ask"'*)
      ask=${line#*\\"ask\\":}; ask=${ask%%,*}
      move=${line#*\\"moves\\":[\\"}; move=${move%%\\"*}
      echo "{\\"type\\":\\"move\\",\\"ask\\":$ask,\\"move\\":\\"$move\\"}";;
  esac
done
"""
