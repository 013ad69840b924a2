"""Every way in which a bot can misbehave has its outcome, and none leaves a process behind."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import hazard
from hazard.arena.bots.bot import Bot
from hazard.arena.bots.games import BotGame
from hazard.arena.bots.limits import Limits
from hazard.arena.bots.process import Process
from tests.test_bots import bad, play, reasons
from tests.waiting import PATIENCE, wait_until

Alive = Callable[[], list[str]]
SHORT = 0.4  # seconds for bots that use them up


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> Alive:
    """Lists the processes that came of this test: they inherit a mark in their environment."""
    sign = uuid.uuid4().hex
    monkeypatch.setenv("HAZARD_BOT_TEST_MARK", sign)

    def look() -> list[str]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if sign.encode() in (folder / "environ").read_bytes():
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                continue
        return found

    return look


def test_the_mark_is_found(alive: Alive) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        wait_until(lambda: alive() == ["sleep 60 "])
        process.kill()
    assert not alive()


FAULTS = {
    "dies": ("start", "it ended with exit status 1 before `ready`"),
    "mute": ("start", "no `ready` within 0.4 s; is every line flushed?"),
    "newer": ("start", "it speaks protocol 2, the arena 1"),
    "chatty": ("malformed", "'Good morning!' is not a message"),
    "crash": ("crash", "it ended with exit status 1"),
    "closes": ("crash", "its standard output was closed"),
    "murder": ("crash", "it ended with exit status 1"),
    "hang": ("timeout", "no answer in the 0.4 s left"),
    "deaf": ("timeout", "no answer in the 0.4 s left"),
    "late": ("timeout", "no answer in the 0.4 s left"),
    "illegal": ("illegal", "'cheat' in 'p1 0:0 pot 0'; legal: roll"),
    "words": ("malformed", "'I roll' is not a message"),
    "typed": ("malformed", "Expected `str`, got `int`"),
    "bytes": ("malformed", "is not a message"),
    "deep": ("malformed", "is not a message"),
    "counts": ("malformed", "an answer to ask 2 where 1 was asked"),
    "twice": ("malformed", "an answer to ask 1 where 2 was asked"),
    "flood": ("flood", "more than 16 lines"),
    "long": ("flood", "a line longer than 65536 bytes"),
    "hog": ("memory", "it used more than 64 MB"),
    "family": ("memory", "it used more than 64 MB"),
    "greedy": ("crash", "it ended with exit status 1"),
    "bomb": ("processes", "it used more than 8 processes"),
    "runaway": ("processes", "it used more than 8 processes"),
}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A bot's keeper may take its time to say how the bot ended, but where it has nothing to say."""
    if "closes" not in request.node.name:
        monkeypatch.setattr("hazard.arena.bots.bot.SETTLE", PATIENCE)


# Where there are no walls, the keeper finds all that came of the command by itself.
OPEN_FAULTS = FAULTS | {"murder": ("crash", "it killed its keeper")}


def one_game(way: str, isolated: bool = True) -> BotGame:
    slow = way in ("hang", "deaf", "late")
    return play(
        bad(way),
        "random",
        count=1,
        bank=SHORT if slow else PATIENCE,
        start=SHORT if way == "mute" else PATIENCE,
        memory=64,
        processes=8,
        isolated=isolated,
    )[0]


@pytest.mark.parametrize("way", FAULTS)
def test_every_fault_has_its_outcome(way: str, alive: Alive) -> None:
    reason, detail = FAULTS[way]
    game = one_game(way)
    assert not alive()
    (fault,) = game.faults
    assert (fault.reason, fault.seat, game.payoffs) == (reason, 0, [0.0, 1.0])
    assert detail in fault.detail


@pytest.mark.parametrize("way", ["murder", "family", "greedy", "bomb", "runaway", "dies", "hang"])
def test_faults_without_walls(way: str, alive: Alive) -> None:
    reason, detail = OPEN_FAULTS[way]
    (fault,) = one_game(way, isolated=False).faults
    assert not alive()
    assert (fault.reason, fault.seat) == (reason, 0)
    assert detail in fault.detail


@pytest.mark.parametrize("isolated", [True, False])
@pytest.mark.parametrize("way", ["orphans", "stubborn", "loud"])
def test_nuisances_that_are_no_faults(way: str, isolated: bool, alive: Alive) -> None:
    game = play(bad(way), "random", count=1, isolated=isolated)[0]
    assert not alive()
    assert not game.faults
    assert game.length > 2


def test_last_words_are_kept() -> None:
    (fault,) = one_game("crash").faults
    assert fault.words.startswith("Traceback")
    assert fault.words.endswith("ValueError: my last words\N{REPLACEMENT CHARACTER}[2J"), "no tricks with the terminal"
    assert one_game("dies").faults[0].words == "I will not play"
    assert "MemoryError" in one_game("greedy").faults[0].words


def test_only_the_end_of_a_long_speech_is_kept() -> None:
    """A bot that has said much and then makes a fault."""
    command = [sys.executable, "-c", "import os, sys; os.write(2, b'x' * 3_000_000); sys.exit('the end')"]
    report = Process(command, Limits()).finish(grace=30)
    assert report.reason == "ended"
    assert report.words.endswith("xthe end")
    assert len(report.words) <= 2048


def test_late_answers_are_not_taken_for_others() -> None:
    """The bot is started anew, so what it says late is never heard."""
    games = play(bad("late"), "random", count=2, bank=SHORT)
    assert reasons(games) == [["timeout"], ["timeout"]]
    slow = play(bad("late"), "random", count=1, bank=SHORT, increment=0, fallback="random", strikes=2)
    assert reasons(slow) == [["timeout", "timeout"]]


def test_the_bank_is_filled_by_the_increment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer takes a second: a bank for one of them does not last for two, unless it is filled."""
    battle, left, question = hazard.game("risk", attackers=3, defenders=3), [], Bot.question
    line_up = (bad("late"), "one-die")
    assert reasons(play(*line_up, count=1, bank=1.5, increment=0, game=battle)) == [["timeout"]]
    monkeypatch.setattr(Bot, "question", lambda bot, *asked: left.append(bot.bank) or question(bot, *asked))
    assert reasons(play(*line_up, count=1, bank=600, increment=60, game=battle)) == [[]]
    assert left[0] == 600
    assert len(left) > 1
    for before, after in pairwise(left):
        assert before < after <= before + 59


ARENA = """
import sys, hazard
from hazard.arena.bots.games import play_bot_games
from hazard.arena.bots.limits import Limits
try:
    play_bot_games(hazard.game("pig"), [sys.argv[1], sys.argv[2]], 1, 0, 9, True, Limits(bank=600))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("killer", [signal.SIGKILL, signal.SIGINT])
def test_no_bot_outlives_the_arena(killer: int, alive: Alive) -> None:
    command = [sys.executable, "-c", ARENA, bad("orphans"), bad("hang")]
    arena = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    # Two orphans and the bot, each with its keeper, and the other bot; the arena itself.
    wait_until(lambda: len([line for line in alive() if "bad.py" in line]) >= 7)
    os.kill(arena.pid, killer)
    out, _ = arena.communicate(timeout=PATIENCE)
    if killer == signal.SIGINT:
        assert out == "interrupted\n"
        assert not alive()
    wait_until(lambda: not alive())
