"""Small games on which everything can be tried, a cache folder that tests may fill, and a last word on what is missing.

Tests run in several processes. Each has solutions of its own; compiled code is shared by all of them.
"""

import asyncio
import os
import signal
from collections.abc import Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import hazard
from hazard.arena.play import compiled
from hazard.arena.tournament.run import run
from hazard.jit import cache_home
from tests.tournaments import make

# What the user has solved and studied must not change a test; what has been compiled is shared, as that takes long.
_home = TemporaryDirectory(prefix="hazard-tests-")
(cache_home() / "jit").mkdir(parents=True, exist_ok=True)
Path(_home.name, "jit").symlink_to((cache_home() / "jit").resolve())
os.environ["HAZARD_CACHE"] = _home.name

# Where all tests are run, matches are compiled once for all agents of a game, and not for those of each test first.
if "PYTEST_XDIST_WORKER" in os.environ:
    compiled.FEW = 0


@pytest.fixture(autouse=True)
def unsealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that a test runs here reads no files that parameters name; the tests after it do."""
    monkeypatch.setattr("hazard.files._sealed", False)


MISSING = "not tested: "  # begins the reason why a test is skipped on a machine that lacks something


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """The last line of all says what was not tested."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = {report.longrepr[2].removeprefix("Skipped: ") for report in skipped}
    missing = sorted(reason.removeprefix(MISSING) for reason in reasons if reason.startswith(MISSING))
    if missing:
        reporter.write_line(MISSING + "; ".join(missing))


# A process that has driven a browser keeps an event loop running, and Python refuses another in the same thread.
_run = asyncio.run


def run_apart(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
    """`asyncio.run`, in a thread of its own where a loop is running already."""
    if asyncio._get_running_loop() is None:
        return _run(main, **options)
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(copy_context().run, _run, main, **options).result()


asyncio.run = run_apart

# A shell's background jobs ignore interrupts, and so would the programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

SMALL = {
    "pig": {"goal": 12, "sides": 6},
    "great-rolled-ones": {"goal": 6},
    "risk": {"attackers": 5, "defenders": 4},
}
VARIANTS = [
    ("pig", {"goal": 9, "sides": 4}),
    ("great-rolled-ones", {"goal": 5, "dice": 3, "bust": 2, "sides": 4, "komi": "2"}),
    ("great-rolled-ones", {"goal": 4, "players": 3, "komi": "1,0,2"}),
    ("risk", {"attackers": 5, "defenders": 4, "rule": "classic", "objective": "difference", "stop": "optional"}),
    ("risk", {"attackers": 5, "defenders": 4, "rule": "blind", "objective": "losses"}),
    ("risk", {"mode": "stake", "stake": 3}),
    ("risk", {"attackers": 4, "defenders": 4, "attack_dice": 2, "defend_dice": 3, "sides": 4}),
]
UNCOUNTED = [  # games that do not number their positions
    ("dice-of-doom", {"board": "2x2", "max_dice": 2, "turns": 0}),
    ("dice-of-doom", {"board": "1x3", "max_dice": 2, "players": 3, "reinforcement": "chosen", "turns": 3}),
    ("dice-of-doom", {"board": "map:aab,.cb", "max_dice": 2, "sides": 4, "reinforcement": "weighted", "turns": 0}),
    ("dice-of-doom", {"board": "1x3", "max_dice": 3, "reinforcement": "random", "initialisation": "equal", "turns": 4}),
    ("dice-of-doom", {"board": "triangle:2", "max_dice": 3, "sides": 2, "reinforcement": "captured", "turns": 5}),
    ("pickomino", {"tiles": 2, "dice": 5}),
    ("pickomino", {"tiles": 1, "dice": 5, "players": 3, "empty": "keep"}),
    ("dice-wars", {"territories": "3", "grid": "9x9", "max_dice": 2, "max_reserve": 2, "turns": 4}),
    ("dice-wars", {"territories": "3", "grid": "9x9", "map": "7", "players": 3, "max_dice": 2, "turns": 3}),
]
EVERY = [*SMALL.items(), *VARIANTS]


def name_of(case: tuple[str, dict]) -> str:
    return "-".join([case[0], *(f"{k}={v}" for k, v in case[1].items())])


@pytest.fixture(params=EVERY, ids=name_of)
def game(request: pytest.FixtureRequest) -> hazard.Game:
    return hazard.game(request.param[0], **request.param[1])


@pytest.fixture(params=SMALL.items(), ids=name_of)
def small_game(request: pytest.FixtureRequest) -> hazard.Game:
    return hazard.game(request.param[0], **request.param[1])


@pytest.fixture
def undisturbed(tmp_path: Path) -> Path:
    run(tmp_path / "undisturbed", make())
    return tmp_path / "undisturbed"
