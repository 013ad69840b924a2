"""Workers that die: another one takes its place, it is said, and the files are the same."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest

import hazard
from hazard.arena.tournament.run import run
from hazard.arena.tournament.runner import DEATHS, Crew, played
from hazard.arena.tournament.schedule import left_to_play
from hazard.arena.tournament.store import read_setting
from tests.test_tournament import children_of, wait_for_more
from tests.tournaments import AGENTS, command, contents, make
from tests.waiting import wait_until


def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    words = ("pig", *AGENTS, "--games", 40_000, "--seed", 3, "--batch", 2_000)
    folder = tmp_path / "killed"
    start = command("tournament", *words, "--processes", 2, "--out", folder)
    with subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_for_more(folder, process)
        for child in workers_of(process.pid)[:1]:
            os.kill(child, signal.SIGKILL)
        _, said = process.communicate()
    assert process.returncode == 0, said
    assert "hazard: a worker died (killed, or out of memory?); another one takes its place" in said
    run(tmp_path / "whole", read_setting(folder))
    assert contents(folder) == contents(tmp_path / "whole")


def workers_of(pid: int) -> list[int]:
    """The children that play; another one only keeps track of what they share."""
    found: list[int] = []

    def there() -> bool:
        found[:] = [c for c in children_of(pid) if b"spawn_main" in Path(f"/proc/{c}/cmdline").read_bytes()]
        return bool(found)

    wait_until(there)
    return found


class Dying(Executor):
    """Plays as many batches as it is told to, then dies."""

    def __init__(self, lives: int) -> None:
        self.lives = lives

    def submit(self, work: Callable, /, *arguments: Any, **more: Any) -> Future:
        if self.lives < 0:
            raise BrokenExecutor("it is dead")
        self.lives -= 1
        done: Future = Future()
        if self.lives < 0:
            done.set_exception(BrokenExecutor("it died"))
        else:
            done.set_result(work(*arguments))
        return done


def files_of(crew: Crew) -> list[dict[str, bytes]]:
    setting = make()
    return [found.files for _, found in played(setting, left_to_play(setting, {}), crew)]


def test_batches_are_handed_out_again(undisturbed: Path) -> None:
    """Whichever the worker died of, and however often, if some batch is played in between."""
    told: list[str] = []
    lives = iter([2, 3, 1, 1, 5, 100])
    crew = Crew(Dying(0), 3, told.append, (BrokenExecutor,), lambda: Dying(next(lives)))
    names = sorted(os.listdir(undisturbed / "games"), key=lambda name: (name.split("-")[1], name))
    assert len(names) == 9
    assert files_of(crew) == [{"games": (undisturbed / "games" / name).read_bytes()} for name in names]
    assert len(told) >= 3
    assert "3 batches are played again" in told[0]


def test_a_batch_that_kills_every_worker_is_named() -> None:
    told: list[str] = []
    crew = Crew(Dying(0), 2, told.append, (BrokenExecutor,), lambda: Dying(0))
    with pytest.raises(hazard.BadInput, match=f"workers died {DEATHS + 1} times in a row while batch 00000-0000"):
        files_of(crew)
    assert len(told) == DEATHS


def test_the_ledger_is_whole_afterwards(undisturbed: Path) -> None:
    ledger = json.loads((undisturbed / "ledger.json").read_text())
    assert ledger.keys() == {"format", "setting", "entries", "sha256"}
    assert len(ledger["setting"]) == 1
