"""Compiled and plain code play the same games, and recorded games stay the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import dice
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.compiled import line_up, play_game
from hazard.jit import replaces_methods
from tests.conftest import EVERY, UNCOUNTED, name_of

TRACES = Path(__file__).parent / "traces"
PLAYED = [  # a dealt game of each kind by agents that think; several seats where a game has them
    ("pig", {}, ["hold-at-20", "optimal"]),
    ("great-rolled-ones", {}, ["optimal", "keep-pace"]),
    ("great-rolled-ones", {"players": 3, "goal": 30}, ["keep-pace", "fixed-hold-at", "random"]),
    ("risk", {"attackers": 12, "defenders": 12}, ["optimal", "koole"]),
    ("dice-of-doom", {"board": "3x3", "max_dice": 3}, ["greedy", "random"]),
    ("dice-of-doom", {"board": "2x2", "max_dice": 2}, ["optimal", "expectimax"]),
    ("dice-of-doom", {"board": "3x4", "max_dice": 4, "players": 4, "reinforcement": "weighted"}, ["greedy"] * 4),
    ("pickomino", {}, ["turn", "s3"]),
    ("pickomino", {"tiles": 3, "players": 2}, ["optimal", "master"]),
    ("pickomino", {"players": 5}, ["turn", "s1", "s2", "s3", "random"]),
    ("dice-wars", {}, ["ste", "sdc"]),
    ("dice-wars", {"players": 5}, ["master-fast", "ste", "sdc", "naive", "ste-corrected"]),
]


def playthrough(
    game: hazard.Game, agents: list[str], seed: int, dealt: bool = False
) -> tuple[list[str], hazard.Position]:
    """A game played position by position in plain Python."""
    numbers, memory = seat_agents(game, agents)
    streams = [dice.stream(seed, 0, n) for n in range(dice.AGENTS + game.seats)]
    position, lines = game.deal(streams[dice.BOARD]) if dealt else game.start(), []
    while not position.over:
        if position.rolling:
            outcome = position.roll(streams[dice.DICE + position.mover])
            lines.append(f"{position}: {outcome.text}")
            position = outcome.position
        else:
            who = position.mover
            move = agent_move(position, numbers[who], memory[who], streams[dice.AGENTS + who])
            lines.append(f"{position}: {move}")
            position = position.move(move)
    return [*lines, str(position)], position


def check_trace(name: str, lines: list[str]) -> None:
    """Compare a game with the recorded one; HAZARD_WRITE_TRACES=1 records it instead."""
    path = TRACES / f"{re.sub('[^a-z0-9=_-]+', '+', name)}.txt"
    if os.environ.get("HAZARD_WRITE_TRACES"):
        path.write_text("\n".join(lines) + "\n")
    assert path.read_text().splitlines() == lines


@pytest.mark.parametrize("case", [*EVERY, *UNCOUNTED], ids=name_of)
def test_recorded_games(case: tuple[str, dict]) -> None:
    game = hazard.game(case[0], **case[1])
    lines, last = playthrough(game, ["random"] * game.seats, seed=5)
    check_trace(name_of(case), lines)
    if case in UNCOUNTED:  # these are dealt, so that compiled play begins elsewhere
        return
    seated = line_up(game, ["random"] * game.seats, seed=5)
    room = seated.room()
    for n in range(len(room.rng)):
        room.rng[n] = dice.stream(5, 0, n)
    room.sitting[:] = np.arange(game.seats)
    end, _ = game.compiled(play_game)(game.table, seated.numbers, seated.memory, room, room)
    assert tuple(end) == tuple(last.state)


@pytest.mark.parametrize(("name", "parameters", "agents"), PLAYED, ids=lambda part: str(part)[:30])
def test_recorded_games_by_agents(name: str, parameters: dict, agents: list[str]) -> None:
    """Agents play the same moves as ever, and compiled play gives the same game."""
    game = hazard.game(name, **parameters)
    lines, last = playthrough(game, agents, seed=7, dealt=True)
    check_trace("-".join([name_of((name, parameters)), "by", *agents]), lines)
    played = line_up(game, agents, seed=7).play(0, 1)
    assert tuple(played.payoffs[0]) == pytest.approx(last.payoffs)


def test_matches_are_the_same_without_compiling(small_game: hazard.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ["random", list(small_game.agents)[-1]]
    compiled = hazard.match(small_game, *agents, games=40, seed=9)
    monkeypatch.setenv("HAZARD_JIT", "0")
    assert hazard.match(small_game, *agents, games=40, seed=9) == compiled


def test_solutions_are_the_same_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, parameters in (("pig", {"goal": 5}), ("risk", {"attackers": 3, "defenders": 3})):
        game = hazard.game(name, **parameters)
        compiled = hazard.solve(game)
        monkeypatch.setenv("HAZARD_JIT", "0")
        plain = hazard.solve(game)
        monkeypatch.delenv("HAZARD_JIT")
        assert np.abs(plain.low - compiled.low).max() < 1e-14


def test_nothing_is_read_out_of_bounds(tmp_path: Path) -> None:
    """Compiled code does not check indices unless told to; here it is told to."""
    code = (
        "import hazard\n"
        "for name, parameters in [('pig', {'goal': 9}), ('great-rolled-ones', {'goal': 5}), "
        "('risk', {'attackers': 5, 'defenders': 4})]:\n"
        "    game = hazard.game(name, **parameters)\n"
        "    hazard.match(game, 'optimal', 'random', games=200)\n"
        "    hazard.match(game, *list(game.agents)[-2:], games=200)\n"
        "game = hazard.game('great-rolled-ones', goal=3, players=3)\n"
        "print(hazard.solve(game).value(game.start()))\n"
    )
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "HAZARD_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_a_second_process_does_not_compile_again(tmp_path: Path) -> None:
    """Every compiled entry is kept on disk: a second run adds no file."""
    code = "import hazard; print(hazard.match(hazard.game('pig', goal=9), 'random', 'hold-at-20', games=5).wins)"
    environment = os.environ | {"HAZARD_CACHE": str(tmp_path)}
    kept = []
    for _ in range(2):
        subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment, check=True, timeout=300)
        kept.append(sorted((p.name, p.stat().st_mtime_ns) for p in tmp_path.rglob("*.nb?")))
    assert kept[0]
    assert kept[0] == kept[1]


def test_the_pinned_numba_is_one_that_was_tried() -> None:
    """A newer one is used as it is, without the methods that are replaced; see `hazard.jit`."""
    assert replaces_methods()


def test_numba_as_it_is_gives_the_same(tmp_path: Path) -> None:
    """The way out if a release of numba changes its private methods."""
    code = (
        "import hazard; from hazard.jit import replaces_methods; game = hazard.game('pig', goal=9)\n"
        "match = hazard.match(game, 'random', 'optimal', games=50, seed=3)\n"
        "print(replaces_methods(), match.wins, hazard.solve(game).value(game.start()))\n"
    )
    said = []
    for how in ("", "plain"):
        environment = os.environ | {"HAZARD_NUMBA": how, "HAZARD_CACHE": str(tmp_path / f"cache{how}")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=900
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout.split(maxsplit=1))
    assert [replaced for replaced, _ in said] == ["True", "False"]
    assert said[0][1] == said[1][1]
