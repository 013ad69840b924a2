"""Work that begins in plain Python and changes over to compiled code, with the same results."""

import os
import pickle
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import background, dice
from hazard.agents.seating import decider, seat_agents
from hazard.analysis.players import player
from hazard.analysis.positions import rollouts_of
from hazard.analysis.rollouts import Rollouts, sample_seats
from hazard.analysis.warming import warm
from hazard.arena.play.compiled import line_up, play_games
from hazard.background import Soon, outline
from hazard.jit import bind, rule
from hazard.rulebook import Position
from tests.fresh import run_python
from tests.waiting import PATIENCE, wait_until


@rule
def add_up(numbers: np.ndarray, start: float) -> float:
    total = start
    for n in range(numbers.size):
        total += numbers[n]
    return total


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing has been compiled, and nothing is remembered of what has begun."""
    monkeypatch.setenv("HAZARD_CACHE", str(tmp_path))
    monkeypatch.setattr(background, "_begun", {})
    return tmp_path


def begun(label: str = "sums") -> Soon:
    function = background.soon(add_up, label, {}, partial(bind, add_up, label, {}, True))
    assert isinstance(function, Soon)
    return function


def test_short_work_is_never_compiled(empty_cache: Path) -> None:
    add = begun()
    assert add(np.arange(4.0), 1.0) == 7.0
    assert add.ready is None
    assert add.compiler is None
    assert not list(empty_cache.rglob("*.nbc"))


def test_long_work_changes_over(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "PATIENCE", -1.0)
    add, numbers = begun(), np.array([0.1, 1e16, -1e16, 0.2])
    plain = add(numbers, 0.0)
    assert add.compiler is not None
    add.compiler.wait()
    add.looked = float("-inf")
    assert add(numbers, 0.0) == plain  # to the bit
    assert add.ready is not None
    assert len(list(empty_cache.rglob("*.nbc"))) == 1  # compiled by the other process, for just these types


def test_kept_code_is_used_at_once(empty_cache: Path) -> None:
    bind(add_up, "kept", {}, True)(np.arange(2.0), 0.0)
    add = begun("kept")
    assert add(np.arange(4.0), 0.0) == 6.0
    assert add.ready is not None


def test_a_compiler_that_fails_is_told_of(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be compiled works in plain Python first, and then says why."""

    def cannot() -> None:
        raise hazard.BadInput("cannot be compiled")

    add = Soon(add_up, cannot, "nothing")  # the other process cannot even read what to do
    monkeypatch.setattr(background, "PATIENCE", -1.0)
    monkeypatch.setattr(background, "start", lambda work: subprocess.Popen([sys.executable, "-c", "exit(1)"]))
    assert add(np.arange(3.0), 0.0) == 3.0
    assert add.compiler is not None
    add.compiler.wait()
    add.looked = float("-inf")
    with pytest.raises(hazard.BadInput, match="cannot be compiled"):
        add(np.arange(3.0), 0.0)


def test_the_process_ends_with_its_parent(tmp_path: Path) -> None:
    code = (
        "import time; from functools import partial; from hazard import background\n"
        "process = background.start(partial(time.sleep, 600))\n"
        "print(process.pid, flush=True); import os; os._exit(0)"  # without any chance to tidy up
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    pid = int(done.stdout)
    wait_until(lambda: not _alive(pid))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def test_only_one_process_at_a_time() -> None:
    process = background.start(partial(time.sleep, 600))
    assert process is not None
    assert background.start(partial(time.sleep, 600)) is None
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(5, np.int8),
        np.zeros((3, 4)),
        np.asfortranarray(np.zeros((3, 4))),
        np.zeros((6, 6))[::2, ::3],
        np.broadcast_to(np.int64(-1), 7),
        np.zeros(0, np.uint64),
    ],
)
def test_outlines_are_of_the_same_type(array: np.ndarray) -> None:
    from numba import typeof

    for writeable in (True, False):
        if array.flags.writeable or not writeable:
            array.flags.writeable = writeable
            assert typeof(outline(array)) == typeof(array)


def test_outlines_of_a_game_are_small_and_of_its_type() -> None:
    from numba import typeof

    for name in ("dice-wars", "pickomino", "dice-of-doom"):
        table = hazard.game(name).table
        small = outline(table)
        assert typeof(small) == typeof(table)
        assert len(pickle.dumps(small)) < 20_000


@pytest.mark.slow
def test_nothing_is_left_to_compile_once_a_game_is_warm(empty_cache: Path) -> None:
    game, told = hazard.game("pig", goal=30), list[str]()
    warm(game, told.append)
    assert told == ["solving", "analysis", "rollouts", "matches"]
    assert rollouts_of(game).is_compiled
    assert game.is_compiled(play_games, {}, list(game.agents))
    kept = sorted(empty_cache.rglob("*.nbc"))
    code = (
        "import hazard; from hazard.analysis.advice import advise_report; game = hazard.game('pig', goal=31)\n"
        "print(advise_report(game, 'p1 0:0 pot 0', 1e-9, None, None, None)['moves'][0]['known'])\n"
        "print(advise_report(game, 'p1 0:0 pot 0', 1e-9, 50, None, None)['moves'][0]['known'])\n"
        "print(hazard.match(game, 'hold-at-20', 'optimal', games=20).games)\n"
    )
    assert run_python(code, empty_cache).split() == ["exact", "rollout", "20"]
    assert sorted(empty_cache.rglob("*.nbc")) == kept
    assert not background.compiled_only


# --- the same results ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "parameters", "agents"),
    [
        ("pig", {}, ["hold-at-20", "optimal"]),
        ("great-rolled-ones", {}, ["keep-pace", "optimal"]),
        ("risk", {}, ["optimal", "koole"]),
        ("dice-of-doom", {"board": "3x3"}, ["greedy", "random"]),
        ("dice-wars", {}, ["master-fast", "ste-corrected"]),
        ("pickomino", {}, ["turn", "master"]),
    ],
)
def test_games_and_rollouts_are_the_same_to_the_bit(
    name: str, parameters: dict, agents: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hazard.game(name, **parameters)
    who = next(agent for agent in agents if not game.agents[agent].solved)

    def played() -> list[np.ndarray]:
        games, log = line_up(game, agents, seed=5).play_and_record(0, 4)
        rolled = Rollouts(game, player(game, who))
        rolled.kernel = game.compiled(sample_seats, agents=[who])
        return [games.payoffs, games.lengths, log, rolled.sample(game.start(), 1, 0, 3)]

    compiled = played()
    monkeypatch.setenv("HAZARD_JIT", "0")
    for one, other in zip(compiled, played(), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("name", "agent"), [("pickomino", "master"), ("dice-of-doom", "expectimax")])
def test_decisions_are_the_same(name: str, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = hazard.game(name)
    _, (memory,) = seat_agents(game, [agent])
    position, rng, found = game.deal(dice.stream(3)), dice.stream(4), []
    for _ in range(12):
        while position.rolling:
            position = position.roll(rng).position
        moves = []
        for compiled in (True, False):
            monkeypatch.setattr(background, "compiled_only", compiled)
            background._begun.clear()
            if not compiled:
                monkeypatch.setattr(background, "is_kept", lambda made_of: False)
            room = np.zeros(int(game.ask("fanout")), np.int64)
            moves.append(int(decider(game, agent)(game.table, position.state, room, memory, dice.stream(9))))
            monkeypatch.undo()
        assert moves[0] == moves[1]
        position = Position(game, game.ask("move", position.state, moves[0]))
        found.append(moves[0])
    assert len(set(found)) > 1


def test_solutions_that_ship_are_right() -> None:
    """They are of the rules that the package has, and a solver that runs now finds the same within both errors."""
    from hazard.solving.solution import load, shipped_at

    names = [name for name in ("pig", "great-rolled-ones", "risk") if shipped_at(hazard.game(name)).is_dir()]
    assert names == ["pig", "great-rolled-ones", "risk"]
    for name in names:
        game = hazard.game(name)
        shipped, solved = load(shipped_at(game), game), hazard.solve(game)
        assert np.abs(shipped.tables()["low"] - solved.tables()["low"]).max() <= shipped.error + solved.error
        assert (shipped.policy == solved.policy).all()


def test_the_policy_of_one_position_is_that_of_the_table(small_game: hazard.Game) -> None:
    solution = hazard.solve(small_game)
    table = solution.policy_table
    rng, position = dice.stream(1), small_game.start()
    while not position.over:
        if position.rolling:
            position = position.roll(rng).position
            continue
        row = small_game.ask("index", position.state), small_game.ask("step", position.state)
        assert solution.choice(position) == table[row]
        position = Position(small_game, small_game.ask("move", position.state, solution.choice(position)))
