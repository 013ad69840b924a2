"""The same tournament on a Dask cluster: a real scheduler and two worker processes on this machine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import hazard
from hazard.arena.tournament.run import run
from hazard.arena.tournament.runner import played, workers
from hazard.arena.tournament.schedule import left_to_play
from hazard.arena.tournament.setting import Setting, round_robin, settle
from hazard.arena.tournament.store import Store, read_setting
from tests.tournaments import contents, hazard_command
from tests.waiting import PATIENCE, wait_until

AGENTS = ["optimal", "hold-at-20", "hold-at-25"]


def make(games: int) -> Setting:
    return settle(hazard.game("pig"), AGENTS, round_robin(AGENTS, 2), games=games, seed=4, batch=games // 20)


def start(*words: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A scheduler's address, and its process and those of two workers; all are ended afterwards."""
    file = folder / "scheduler.json"
    running = [start("scheduler", "--port", "0", "--scheduler-file", str(file))]
    try:
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))  # it is there before it is written
        address = json.loads(file.read_text())["address"]
        local = ("--nthreads", "1", "--no-nanny", "--local-directory", str(folder))
        running += [start("worker", address, *local) for _ in range(2)]
        from distributed import Client

        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        yield address, running
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[subprocess.Popen], Path]:
    folder = tmp_path_factory.mktemp("dask")
    with cluster(folder) as (address, running):
        yield address, running, folder


def test_a_cluster_gives_the_same_files(here: tuple, tmp_path: Path) -> None:
    address = here[0]
    assert address.startswith("tcp://127.0.0.1:")
    run(tmp_path / "local", make(2_000))
    run(tmp_path / "cluster", make(2_000), cluster=address)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "local")


def test_the_command_line(here: tuple, tmp_path: Path) -> None:
    words = ("tournament", "pig", *AGENTS, "--games", 2_000, "--seed", 4, "--batch", 100)
    done = hazard_command(*words, "--out", tmp_path / "x", "--cluster", here[0])
    assert done.returncode == 0, done.stderr
    run(tmp_path / "local", make(2_000))
    assert contents(tmp_path / "x") == contents(tmp_path / "local")


def test_only_this_machine_is_listened_to(here: tuple) -> None:
    import psutil

    for process in here[1]:
        found = psutil.Process(process.pid).net_connections(kind="inet")
        listening = {place.laddr.ip for place in found if place.status == psutil.CONN_LISTEN}
        assert listening == {"127.0.0.1"}


@pytest.mark.slow
def test_a_worker_killed_in_the_middle(here: tuple, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The other one plays its batches, and it is said. The last test of this cluster: it has one worker less."""
    address, (_, *started), _ = here
    games, killed = 100_000, []

    def kill(done: int, total: int) -> None:
        if not killed and done >= total // 10:
            os.kill(started[0].pid, signal.SIGKILL)
            killed.append(done)

    run(tmp_path / "cluster", make(games), cluster=address, progress=kill)
    assert killed[0] < 3 * games
    assert started[0].wait(PATIENCE) == -signal.SIGKILL
    assert Store(tmp_path / "cluster", read_setting(tmp_path / "cluster")).games == 3 * games
    run(tmp_path / "local", make(games), processes=2)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "local")


@pytest.mark.slow
def test_all_workers_go_away_and_others_come(tmp_path: Path) -> None:
    """It is said that nobody is left; a worker that joins plays on."""
    with cluster(tmp_path) as (address, running):
        lines: list[str] = []

        def tell(line: str) -> None:
            lines.append(line)
            if "no workers are left" in line:
                running.append(start("worker", address, "--nthreads", "1", "--local-directory", str(tmp_path)))

        setting = make(100_000)
        with workers(2, cluster=address, tell=tell) as crew:
            for number, _ in enumerate(played(setting, left_to_play(setting, {}), crew)):
                if number == 3:
                    for process in running[1:3]:
                        process.kill()
        assert number == 59
        assert sum("is gone" in line for line in lines) == 2
        assert any("has joined the cluster" in line for line in lines)


@pytest.mark.slow
def test_a_scheduler_that_goes_away(tmp_path: Path) -> None:
    """What is complete stays, and a local run goes on from there."""
    with cluster(tmp_path) as (address, running):
        gone = []

        def stop(done: int, total: int) -> None:
            gone.append(done)
            running[0].kill()

        with pytest.raises(hazard.BadInput, match="cluster"):
            run(tmp_path / "x", make(100_000), cluster=address, progress=stop)
    assert gone
    run(tmp_path / "x", make(100_000), processes=2)
    run(tmp_path / "local", make(100_000), processes=2)
    assert contents(tmp_path / "x") == contents(tmp_path / "local")
