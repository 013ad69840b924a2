"""Commands, messages and `check_bot`: what is a bot, what it says, and what a failing one is told."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import hazard
from hazard.arena.bots import check
from hazard.arena.bots.check import Trial, check_bot
from hazard.arena.bots.command import command_of, fingerprint, is_bot
from hazard.arena.bots.limits import BotError, Limits
from hazard.arena.bots.messages import Ask, Bye, End, Hello, Move, NewGame, Ready, schema
from hazard.errors import BadInput
from tests.test_bots import HOME, NODE, PIG, bad

SCHEMA = HOME / "docs/bots.schema.json"
PAGE = (HOME / "docs/bots.md").read_text()


# --- commands --------------------------------------------------------------------------------------------------------
def test_which_agents_are_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "random").write_text("")
    (tmp_path / "mine.lua").write_text("")
    for text in ("./mybot", "node any.mjs", "mybot.py", "any.mjs", "/bin/cat", "mine.lua"):
        assert is_bot(text), text
    for text in ("random", "hold-at-20", "optimal", "other.lua", "mcts:c=1.4"):
        assert not is_bot(text), text


def test_commands_are_run_by_what_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "my bot.py"
    bot.write_text("pass")
    assert command_of("'./my bot.py' --fast") == [sys.executable, str(bot), "--fast"]
    bot.chmod(0o755)
    assert command_of("'my bot.py'") == [sys.executable, str(bot)], "without #! it cannot run by itself"
    bot.write_text("#!/usr/bin/env python3\n")
    assert command_of("'my bot.py'") == [str(bot)]
    assert command_of("python3 -u x.py") == ["python3", "-u", "x.py"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("./missing.py", "there is no file './missing.py'"),
        ("missing.py", "there is no command 'missing.py'; a file of this folder is written './missing.py'"),
        ("./folder", "there is no file './folder'"),
        ("no-such-program x", "there is no command 'no-such-program'"),
        ("./plain.txt", "'plain.txt' cannot be executed; chmod +x it"),
        ("'./plain.txt", "a quotation mark is not closed"),
        (" ", "no command"),
    ],
)
def test_commands_that_cannot_be_run(text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "plain.txt").write_text("x")
    for use in (command_of, fingerprint):
        with pytest.raises(BadInput, match=re.escape(told)):
            use(text)


def test_a_file_that_is_no_program_is_a_fault(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text("#!/no/such/interpreter\n")
    bot.chmod(0o755)
    (case,) = check_bot(PIG, str(bot))
    assert case.detail == f"start: cannot run {str(bot)!r}: No such file or directory"


def test_fingerprints_follow_command_and_files(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("1")
    first = fingerprint(f"{bot} a")
    assert first == fingerprint(f"{bot}  a")
    assert first != fingerprint(f"{bot} b")
    bot.write_text("2")
    assert first != fingerprint(f"{bot} a")


# --- messages --------------------------------------------------------------------------------------------------------
def test_the_schema_is_that_of_the_code() -> None:
    text = json.dumps(schema(), indent=2) + "\n"
    if os.environ.get("HAZARD_WRITE_SCHEMA"):
        SCHEMA.write_text(text)
    assert SCHEMA.read_text() == text, "HAZARD_WRITE_SCHEMA=1 writes it anew"
    names = set(schema()["$defs"])
    assert names == {"ToBot", "FromBot", "Hello", "NewGame", "Ask", "End", "Bye", "Ready", "Move"}


def test_the_session_of_the_page_is_of_this_protocol() -> None:
    session = re.findall(r"^([<>]) (\{.*\})$", PAGE, re.MULTILINE)
    kinds = {">": Hello | NewGame | Ask | End | Bye, "<": Ready | Move}
    read = [msgspec.json.decode(text, type=kinds[way]) for way, text in session]
    assert {type(message) for message in read} == {Hello, NewGame, Ask, End, Bye, Ready, Move}
    for (_, text), message in zip(session, read, strict=True):
        assert json.loads(text) | msgspec.to_builtins(message) == msgspec.to_builtins(message), "no unknown field"
        if isinstance(message, Ask):
            position = hazard.game("pig").parse(message.position)
            assert (message.state, message.moves) == (position.state._asdict(), position.moves)


def test_the_page_shows_the_example_and_the_limits() -> None:
    for example in ("hold20.py", "any.mjs"):
        assert (HOME / "examples/bots" / example).read_text() in PAGE
    for name, value in msgspec.structs.asdict(Limits()).items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        assert re.search(rf"^\| `{name}` \| {re.escape(shown)}[ |]", PAGE, re.MULTILINE), name


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that are slow to quit, on a machine that is busy, are no worse for it."""
    monkeypatch.setattr(check, "QUIT", 600.0)


# --- check_bot -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("bot", ["hold20.py", pytest.param("any.mjs", marks=NODE.marks)])
def test_good_bots_pass_everything(bot: str, monkeypatch: pytest.MonkeyPatch, patient: None) -> None:
    """As a newcomer would run them."""
    monkeypatch.chdir(HOME)
    cases = check_bot(PIG, f"./examples/bots/{bot}")
    assert [case.name for case in cases if not case.passed or case.warning] == []
    assert len(cases) == 9 + PIG.seats


def test_a_bot_that_does_not_start_is_told_only_that() -> None:
    (case,) = check_bot(PIG, bad("dies"))
    assert not case.passed
    told = "start: it ended with exit status 1 before `ready`; its last words: I will not play"
    assert case.detail == told


@pytest.mark.parametrize(
    ("way", "case", "told"),
    [
        ("crash", check.whole_games, "my last words"),
        ("counts", check.numbers, "an answer to ask 2 where 7 was asked"),
        ("illegal", check.legal_moves, "'cheat'"),
        ("strict", check.strangers, "unknown message weather"),
        ("illegal", check.strangers, "'cheat' in"),
        ("twice", check.quiet, "where nothing was asked"),
        ("stubborn", check.quits, "it did not quit within 1 s"),
    ],
)
def test_a_failing_bot_is_told_why(way: str, case: Callable, told: str) -> None:
    more = {"first": 0, "count": 1} if case is check.whole_games else {}
    with pytest.raises(BotError) as caught:
        case(Trial(PIG, bad(way), Limits()), **more)
    assert told in f"{caught.value} {caught.value.words}"


def test_a_bot_that_leaves_processes_behind_is_told_so(patient: None) -> None:
    with pytest.raises(BotError, match="2 of its processes had to be killed"):
        check.leaves_none(Trial(PIG, bad("orphans"), Limits()))


def test_a_bot_that_cannot_be_repeated_is_warned() -> None:
    with pytest.raises(check.Doubt, match="not reproducible: two runs differ at question"):
        check.repeats(Trial(PIG, bad("dice"), Limits()))
