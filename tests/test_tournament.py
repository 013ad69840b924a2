"""Tournaments: the schedule, honest pairs, and the same files however a run is killed, resumed or extended."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.agents.seating import line_up_seed
from hazard.arena.play.compiled import line_up
from hazard.arena.tournament.batch import Result, play_batch
from hazard.arena.tournament.run import run
from hazard.arena.tournament.schedule import Batch, schedule
from hazard.arena.tournament.setting import read_line_ups, round_robin
from hazard.arena.tournament.store import Store, read_setting
from tests.tournaments import AGENTS, command, contents, hazard_command, make, pig
from tests.waiting import wait_until


def test_line_ups() -> None:
    assert round_robin("abcd", 2) == [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    assert round_robin("abcd", 2, "c") == [[2, 0], [2, 1], [2, 3]]
    assert len(round_robin("abcdef", 4)) == 15


def test_line_ups_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "line-ups"
    path.write_text("# three seats\nrandom random optimal\n\n'./a bot.py' random optimal # a bot\n")
    assert read_line_ups(path, 3) == [["random", "random", "optimal"], ["./a bot.py", "random", "optimal"]]
    with pytest.raises(hazard.BadInput, match="line 2: 3 agents, but there are 2 seats"):
        read_line_ups(path, 2)


def test_batches_cover_every_game_once() -> None:
    found = [(b.line_up, n) for b in schedule(make(games=45, batch=20)) for n in range(b.first, b.last)]
    assert sorted(found) == [(line_up, n) for line_up in range(3) for n in range(45)]
    assert len(set(found)) == len(found)


def test_game_numbers_go_both_ways() -> None:
    setting = make(games=7)
    numbers = [setting.game_id(line_up, n) for line_up in range(3) for n in range(7)]
    assert sorted(numbers) == list(range(21))
    assert all(setting.game_id(*setting.find(n)) == n for n in numbers)
    with pytest.raises(hazard.BadInput, match="numbered 0 to 20"):
        setting.find(21)


def test_seat_orders_share_board_and_dice() -> None:
    """An agent against itself: both games of a pair are the same game, so each seat wins both or neither."""
    seated = line_up(pig(), ["hold-at-20", "hold-at-20"], seed=1)
    payoffs = seated.play(0, 400).payoffs
    assert (payoffs[0::2] == payoffs[1::2]).all()
    apart = line_up(pig(), ["hold-at-20", "hold-at-20"], seed=1, shared=False).play(0, 400).payoffs
    assert (apart[0::2] != apart[1::2]).any()


def test_an_agent_s_draws_do_not_change_the_dice() -> None:
    game = pig()
    first = {agent: line_up(game, ["random", agent], seed=5).room() for agent in ("random", "hold-at-20")}
    from hazard.arena.play.compiled import set_up

    for room in first.values():
        game.compiled(set_up)(game.table, np.uint64(5), True, 6, room)
    dice = slice(hazard.dice.DICE, hazard.dice.DICE + 2)
    assert (first["random"].rng[dice] == first["hold-at-20"].rng[dice]).all()


def test_every_line_up_has_its_own_dice() -> None:
    seeds = {line_up_seed(1, names) for names in (["a", "b"], ["b", "a"], ["a", "c"])} | {line_up_seed(2, ["a", "b"])}
    assert len(seeds) == 4


def test_shared_dice_are_reported(undisturbed: Path) -> None:
    summary = json.loads((undisturbed / "summary.json").read_text())
    assert summary["shared_dice"]["variance_ratio"] > 1
    assert all(place["shared_dice"] for found in summary["line_ups"] for place in found["places"])


def test_processes_do_not_matter(undisturbed: Path, tmp_path: Path) -> None:
    run(tmp_path / "two", make(), processes=2)
    assert contents(tmp_path / "two") == contents(undisturbed)


def test_resumed_after_an_exception(undisturbed: Path, tmp_path: Path) -> None:
    folder, done = tmp_path / "broken", []

    def stop(games: int, total: int) -> None:
        done.append(games)
        if len(done) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(folder, make(), progress=stop)
    assert Store(folder, read_setting(folder)).games == done[-1] == 80
    run(folder, read_setting(folder), processes=2)
    assert contents(folder) == contents(undisturbed)


def test_extending_plays_only_new_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """45 games end in the middle of a batch and of a deal."""
    from hazard.arena.tournament import runner

    run(tmp_path / "whole", make(games=90))
    run(tmp_path / "grown", make(games=45))
    played = []

    def watched(raw: bytes, batch: Batch, expelled: list[str]) -> Result:
        played.append((batch.line_up, range(batch.first, batch.last)))
        return play_batch(raw, batch, expelled)

    monkeypatch.setattr(runner, "play_batch", watched)
    run(tmp_path / "grown", make(games=90))
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    assert sorted((line_up, n) for line_up, some in played for n in some) == [
        (line_up, n) for line_up in range(3) for n in range(45, 90)
    ]


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_killed_at_any_moment(how: signal.Signals, tmp_path: Path) -> None:
    """Killed again and again while it plays, until it gets to the end."""
    words = ("pig", *AGENTS, "--games", 40_000, "--seed", 3, "--batch", 2_000, "--processes", 2)
    assert hazard_command("tournament", *words, "--out", tmp_path / "whole").returncode == 0
    folder, kills = tmp_path / "killed", 0
    start = command("tournament", *words, "--out", folder)
    for _ in range(2):
        with subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_for_more(folder, process)
            process.send_signal(how)
            _, said = process.communicate()
        if process.returncode == 0:
            break
        kills += 1
        assert said.splitlines()[-1] == f"hazard resume {folder} --processes 2"
        assert process.returncode == (130 if how == signal.SIGINT else -signal.SIGKILL)
        start = [sys.executable, "-m", *said.splitlines()[-1].split()]
    assert kills > 0
    assert subprocess.run(start, check=False, capture_output=True).returncode == 0
    assert contents(folder) == contents(tmp_path / "whole")


def wait_for_more(folder: Path, process: subprocess.Popen) -> None:
    """Until some further batch is complete."""
    before = len(list(folder.glob("games/*.parquet")))
    wait_until(lambda: process.poll() is not None or len(list(folder.glob("games/*.parquet"))) >= before + 2)


def test_no_worker_outlives_a_kill(tmp_path: Path) -> None:
    words = ("pig", *AGENTS, "--games", 2_000_000, "--out", tmp_path / "x", "--processes", 2, "--batch", 20_000)
    with subprocess.Popen(command("tournament", *words), stderr=subprocess.DEVNULL) as process:
        wait_for_more(tmp_path / "x", process)
        children = children_of(process.pid)
        process.kill()
    assert children
    wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def children_of(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def test_environment_does_not_matter(undisturbed: Path, tmp_path: Path) -> None:
    """Without compiling the same games are played."""
    words = command("tournament", "pig", *AGENTS, "-p", "goal=30", "--games", 60, "--seed", 3, "--batch", 20)
    setting = os.environ | {"HAZARD_JIT": "0"}
    done = subprocess.run([*words, "--processes", "1", "--out", str(tmp_path / "x")], env=setting, capture_output=True)
    assert done.returncode == 0
    assert contents(tmp_path / "x") == contents(undisturbed)
