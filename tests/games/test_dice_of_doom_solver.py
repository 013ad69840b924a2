"""The block solver of Dice of Doom against value iteration over the rules themselves, position by position."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.dice import stream
from hazard.games.dice_of_doom.solver.bounds import find_values, prove, sweeps_of_bounds
from hazard.games.dice_of_doom.solver.value_table import ValueTable, place_of, table_of
from hazard.rulebook import Position
from hazard.solving.report import solve_report
from hazard.solving.solution import load, solved

WAYS = ["deterministic", "random", "weighted", "chosen"]


def quiet(what: str, number: int, change: float) -> None:
    pass


def graph(game: hazard.Game) -> tuple[list[Any], dict[Any, list]]:
    """Every position that can come up from any board, with what follows: moves, or outcomes with their odds."""
    g, rules = game.g, game.rules
    room = np.zeros(rules.fanout(g), np.int64)
    waiting = list(boards(game))
    follows: dict[Any, list] = {}
    while waiting:
        s = waiting.pop()
        if s in follows or rules.over(g, s):
            continue
        ways = rules.chance(g, s)
        if ways:
            weights = [int(rules.weight(g, s, i)) for i in range(ways)]
            follows[s] = [(w / sum(weights), rules.land(g, s, i)) for i, w in enumerate(weights)]
        else:
            moves = [int(m) for m in room[: rules.legal(g, s, room)]]
            follows[s] = [(1.0, rules.move(g, s, m)) for m in moves]
        waiting += [t for _, t in follows[s]]
    return list(boards(game)), follows


def boards(game: hazard.Game) -> Any:
    """Every board at the start of a turn of either player."""
    g, rules = game.g, game.rules
    for number in range((2 * g.max_dice) ** g.tiles):
        for seat in (0, 1):
            s, rest = rules.State(*[0] * len(rules.State._fields)), number
            for tile in range(g.tiles):
                rest, kind = divmod(rest, 2 * g.max_dice)
                s = rules.settle(s, tile, kind % 2, 1 + kind // 2)
            if all(rules.owned(g, s, p) for p in (0, 1)):
                yield rules.open_turn(g, s, seat, 0)


def oracle(game: hazard.Game, sweeps: int = 2000) -> dict[Any, float]:
    """The first player's value of every position, by plain value iteration."""
    g, rules = game.g, game.rules
    _, follows = graph(game)
    value = dict.fromkeys(follows, 0.5)

    paid = {t: float(rules.payoff(g, t, 0)) for after in follows.values() for _, t in after if t not in follows}

    def worth(s: Any) -> float:
        return value[s] if s in value else paid[s]

    rolled = {s for s in follows if rules.chance(g, s)}
    for _ in range(sweeps):
        change = 0.0
        for s, after in follows.items():
            if s in rolled:
                new = sum(p * worth(t) for p, t in after)
            else:
                new = (max if s.mover == 0 else min)(worth(t) for _, t in after)
            change = max(change, abs(new - value[s]))
            value[s] = new
        if change < 1e-12:
            break
    return value


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("board", "dice"), [("2x2", 2), ("1x3", 3), ("triangle:2", 3)])
def test_blocks_agree_with_the_rules(board: str, dice: int, way: str, whole: bool) -> None:
    game = hazard.game("dice-of-doom", board=board, max_dice=dice, reinforcement=way, turns=0)
    table = table_of(game, whole=whole)
    find_values(table, 1e-13, 500, quiet)
    truth, starts = oracle(game), table.shown()[0]
    compared = 0
    for s in boards(game):
        if not game.rules.over(game.g, s):
            mine = truth[s] if s.mover == 0 else 1 - truth[s]
            assert starts[place_of(game, s)] == pytest.approx(mine, abs=1e-8)  # the oracle is slow to settle
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("way", WAYS)
def test_proofs_hold(way: str) -> None:
    """What is proven of rough values contains the exact ones, and wrong values cannot be proven."""
    game = hazard.game("dice-of-doom", board="2x2", max_dice=3, reinforcement=way, turns=0)
    exact, rough = table_of(game, whole=False), table_of(game, whole=False)
    find_values(exact, 1e-14, 2000, quiet)
    find_values(rough, 1e-5, 2000, quiet)
    proof = prove(rough, 1e-5, 2000, quiet)
    assert proof
    off = np.abs(exact.values - rough.values)
    assert (off <= proof.width(proof.weights) + 1e-14).all()
    assert off.max() > 0
    assert proof.error < 0.1
    rough.values[rough.shapes.offsets[5] + 7] += 0.01
    assert rough.beyond(proof) > 0


def test_acceleration_saves_sweeps() -> None:
    game = hazard.game("dice-of-doom", board="2x3", max_dice=3, turns=0)
    sweeps, change = find_values(table_of(game), 1e-12, 2000, quiet)
    plain, _ = find_values(table_of(game), 1e-12, 2000, quiet, accelerated=False)
    assert change <= 1e-12
    assert sweeps < 0.7 * plain
    assert sweeps_of_bounds(table_of(game), 1e-9, 2000) > sweeps


def test_sweeps_are_the_same_for_any_number_of_threads() -> None:
    game = hazard.game("dice-of-doom", board="2x3", max_dice=2, turns=0)
    one, two = table_of(game, threads=1), table_of(game, threads=3)
    for _ in range(5):
        assert one.sweep()[0] == two.sweep()[0]
    assert (one.values == two.values).all()
    assert isinstance(one, ValueTable)


# --- kept and asked --------------------------------------------------------------------------------------------------
def test_solutions_are_kept_and_asked(tmp_path: Path) -> None:
    game = hazard.game("dice-of-doom", board="2x2", max_dice=2, turns=0)
    found = solve_report(game, 1e-10, tmp_path / "x", None)
    assert found["states"] == 2 * 4**4
    assert found["error"] <= 1e-10
    kept, truth = load(tmp_path / "x"), oracle(game)
    for s in graph(game)[1]:
        assert kept.value(Position(game, s))[0] == pytest.approx(truth[s], abs=1e-9)
    position = game.start()
    best = kept.advise(position)[0]
    assert best.value == pytest.approx(kept.value(position)[position.mover])


@pytest.mark.parametrize("extra", [{}, {"objective": "own-win"}, {"reinforcement": "captured"}])
def test_reports_have_the_common_shape(extra: dict[str, str], tmp_path: Path) -> None:
    """What was solved has no limit of turns, and that is what is reported; the game's own facts come last."""
    game = hazard.game("dice-of-doom", board="2x2", max_dice=2, **extra)
    found = solve_report(game, 1e-9, tmp_path / "x", None)
    assert game.parameters["turns"] == 100
    assert found["parameters"] == game.parameters | {"turns": 0}
    keys = ["game", "parameters", "rules", "value", "lower", "upper", "error", "states", "seconds", "objective"]
    assert list(found)[: len(keys)] == keys
    for lower, value, upper in zip(found["lower"], found["value"], found["upper"], strict=True):
        assert lower <= value <= upper
        assert upper - lower <= 2.01 * found["error"] <= 2.01e-9
    assert found["value"] == list(load(tmp_path / "x").value(game.start()))
    assert found["solution"] == str(tmp_path / "x")


def test_bounds_of_positions(tmp_path: Path) -> None:
    game = hazard.game("dice-of-doom", board="1x3", max_dice=2, turns=0)
    solve_report(game, 1e-3, tmp_path / "x", None)
    rough, truth = load(tmp_path / "x"), oracle(game)
    for s in graph(game)[1]:
        lower, upper = rough.bounds(Position(game, s))
        assert lower[0] <= truth[s] <= upper[0]
        assert 0 <= lower[1] <= 1 - truth[s] <= upper[1] <= 1
    over = game.parse("1x3 r1 b2 b2 | r to move, over")
    assert rough.bounds(over) == ((0.0, 1.0), (0.0, 1.0))
    assert rough.tables().keys() == {"values"}
    assert rough.values.size == rough.tables()["values"].nbytes


def test_means_are_over_all_states(tmp_path: Path) -> None:
    """Both flags: where an attack must come first, and where the turn may be ended."""
    game = hazard.game("dice-of-doom", board="1x2", max_dice=2, turns=0)
    found = solve_report(game, 1e-12, tmp_path / "x", None)
    kept = load(tmp_path / "x")
    values = kept.tables()["values"]
    later = 4 * 1.0 + 4 * 0.0  # all dice on two tiles: the mover has both, or none
    for s in boards(game):
        if s.mover == 0:
            again = Position(game, s._replace(phase=game.rules.AGAIN))
            later += max(row.value for row in kept.advise(again))
    assert found["mean_first_attack"] == pytest.approx(float(values[0].mean()))
    assert found["mean"] == pytest.approx((float(values[0].sum()) + later) / 32)
    assert float(values[1].sum()) == pytest.approx(later)


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"players": 3, "board": "2x2"}, "solving is for two players"),
        ({"max_dice": 4, "sides": 3, "board": "2x2"}, "an attack cannot fail"),
        ({"board": "5x5"}, "GiB"),
    ],
)
def test_what_cannot_be_solved_is_refused(parameters: dict, says: str, tmp_path: Path) -> None:
    game = hazard.game("dice-of-doom", **parameters)
    with pytest.raises(hazard.BadInput, match=says):
        solve_report(game, 1e-9, tmp_path / "x", None)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("way", ["deterministic", "random"])
def test_the_optimal_agent_plays_the_solution(way: str) -> None:
    """Its move is always a best one, and nobody beats it in the long run."""
    game = hazard.game("dice-of-doom", board="2x2", max_dice=3, reinforcement=way)
    kept = solved(game)
    numbers, memory = seat_agents(game, ["optimal"])
    for s in boards(game):
        if not game.rules.over(game.g, s):
            position = Position(game, s)
            costs = {row.move: row.cost for row in kept.advise(position)}
            assert costs[agent_move(position, numbers[0], memory[0], stream(1))] < 1e-6
    found = hazard.match(game, "optimal", "greedy", games=4000, seed=1)
    assert found.intervals[0][0] > 0.5
