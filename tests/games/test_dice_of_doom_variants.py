"""Dice of Doom solved for own wins, with captured dice and with chosen ones, against iteration over the rules."""

import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.cli import main
from hazard.dice import stream
from hazard.games.dice_of_doom.solver import captured_dice, own_win
from hazard.games.dice_of_doom.solver.block_layout import make_block
from hazard.games.dice_of_doom.solver.solution import Doom
from hazard.games.dice_of_doom.solver.turns_left import place_turns
from hazard.games.dice_of_doom.solver.value_table import compiled
from hazard.rulebook import Game, Position
from hazard.solving.report import solve_report
from hazard.solving.solution import load, solved, stored_at, within_reach
from tests.games.test_dice_of_doom_solver import boards, graph, oracle

WAYS = ["deterministic", "random", "weighted", "chosen", "captured"]
Pair = tuple[float, float]


def doom(**parameters: Any) -> Game:
    return hazard.game("dice-of-doom", **({"turns": 0} | parameters))


def silent(number: int) -> None:
    pass


def own_wins(game: Game, attack_first: bool = True) -> dict[Any, Pair]:
    """Each player's chance to win in every position, where both play for that alone.

    Of equally good moves the first is taken, which is an attack if there is one, or the last.
    """
    g, rules = game.g, game.rules
    _, follows = graph(game)
    paid = {t: float(rules.payoff(g, t, 0)) for after in follows.values() for _, t in after if t not in follows}
    value: dict[Any, Pair] = {t: (float(x == 1), float(x == 0)) for t, x in paid.items()}
    value |= dict.fromkeys(follows, (0.0, 0.0))
    rolled = {s for s in follows if rules.chance(g, s)}
    for _ in range(3000):
        change = 0.0
        for s, after in follows.items():
            if s in rolled:
                new = sum(p * value[t][0] for p, t in after), sum(p * value[t][1] for p, t in after)
            else:
                new = liked([value[t] for _, t in (after if attack_first else after[::-1])], s.mover)
            change = max(change, abs(new[0] - value[s][0]), abs(new[1] - value[s][1]))
            value[s] = new
        if change < 1e-12:
            break
    return value


def liked(options: list[Pair], mover: int) -> Pair:
    most = max(option[mover] for option in options)
    return next(option for option in options if option[mover] >= most - 1e-9)


@cache
def truth(board: str, dice: int, way: str, attack_first: bool = True) -> dict[Any, Pair]:
    return own_wins(doom(board=board, max_dice=dice, reinforcement=way, objective="own-win"), attack_first)


def kept(folder: Path, **parameters: Any) -> Doom:
    solve_report(doom(**parameters), 1e-10, folder, None)
    return load(folder)


# --- own wins ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", WAYS)
def test_own_wins_agree_with_the_rules(way: str, tmp_path: Path) -> None:
    found = kept(tmp_path / "x", board="2x2", max_dice=2, reinforcement=way, objective="own-win")
    game, expected = found.game, truth("2x2", 2, way)
    for s in graph(game)[1]:
        assert found.value(Position(game, s)) == pytest.approx(expected[s], abs=1e-7)  # the oracle is slow to settle
    position = game.parse("2x2 r2 b1 / b1 r2 | r to move, first attack")
    win, lose, tie = found.outlook(position)
    assert (win, lose) == pytest.approx(expected[position.state], abs=1e-7)
    assert win + lose + tie == pytest.approx(1)
    assert tie > 0.01
    assert found.advise(position)[0].value == pytest.approx(win, abs=2e-9)


def test_without_ties_own_wins_are_the_zero_sum_values(tmp_path: Path) -> None:
    """Three tiles cannot be split evenly."""
    own = kept(tmp_path / "own", board="1x3", max_dice=3, objective="own-win")
    plain = kept(tmp_path / "plain", board="1x3", max_dice=3)
    wins, losses = own.tables()["values"]
    assert wins == pytest.approx(plain.tables()["values"], abs=1e-8)
    assert wins + losses == pytest.approx(1)


@pytest.mark.parametrize("way", ["deterministic", "chosen", "captured"])
def test_proofs_of_own_wins_hold(way: str) -> None:
    """What is proven of rough values contains the exact ones, and wrong values cannot be proven."""
    game = doom(board="2x2", max_dice=3, reinforcement=way, objective="own-win")
    exact = own_win.find(game, 1e-11, silent).profile
    rough = own_win.Profile(game)
    rough.notes, rough.placed = exact.notes, exact.placed
    rough.values[:] = exact.values + np.random.default_rng(1).uniform(-1e-4, 1e-4, exact.values.shape)
    proof = rough.prove(1e-5, silent)
    assert proof
    assert proof.base > 1e-5
    off = np.abs(exact.values - rough.values)
    assert (off <= proof.width(proof.weights) + 1e-10).all()
    assert off.max() > 1e-6
    assert off.sum(axis=0).max() <= 2 * proof.error
    rough.values[1, 5, 7] += 4 * proof.error
    assert rough.beyond(proof) > 0


def test_nobody_gains_by_another_turn() -> None:
    found = own_win.find(doom(board="2x2", max_dice=3, objective="own-win"), 1e-9, silent)
    assert found.unsettled == 0
    assert found.profile.gain() < 1e-8
    some = found.profile
    some.notes[(some.notes >= 128) & (some.notes < 255)] -= 128  # never end a turn before one must
    for _ in range(60):
        some.follow()
    assert some.gain() > 0.01


def test_ties_in_wins_change_losses_and_can_change_wins() -> None:
    """A player who cannot win any more may lose or tie, as it likes; what the other can win depends on that."""
    game = doom(board="2x2", max_dice=2, objective="own-win")
    first, last = truth("2x2", 2, "deterministic"), truth("2x2", 2, "deterministic", attack_first=False)
    starts = [s for s in boards(game) if not game.rules.over(game.g, s)]
    assert max(abs(first[s][s.mover] - last[s][s.mover]) for s in starts) < 1e-7
    first, last = truth("2x2", 2, "captured"), truth("2x2", 2, "captured", attack_first=False)
    assert any(max(first[s][0], last[s][0]) < 1e-12 and abs(first[s][1] - last[s][1]) > 0.1 for s in first)
    assert max(abs(first[s][s.mover] - last[s][s.mover]) for s in starts) > 0.1


PUBLISHED = [
    ("1x2", 5, 0.518462),
    ("2x2", 5, 0.564132),
    ("1x2", 2, 0.457404),
    ("2x2", 2, 0.571355),
    ("2x3", 2, 0.617684),
]


@pytest.mark.parametrize(("board", "dice", "win"), PUBLISHED)
def test_mean_wins_are_near_the_thesis(board: str, dice: int, win: float, tmp_path: Path) -> None:
    """Table B.2.1; its values had not settled when they were printed."""
    found = solve_report(doom(board=board, max_dice=dice, objective="own-win"), 1e-8, tmp_path / "x", None)
    assert found["mean"]["win"] == pytest.approx(win, abs=2e-3)
    assert sum(found["mean"].values()) == pytest.approx(1)


# --- captured dice -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("board", "dice"), [("2x2", 2), ("triangle:2", 3), ("1x4", 2)])
def test_captured_dice_agree_with_the_rules(board: str, dice: int, tmp_path: Path) -> None:
    found = kept(tmp_path / "x", board=board, max_dice=dice, reinforcement="captured")
    expected, compared = oracle(found.game), 0
    for s in graph(found.game)[1]:
        assert found.value(Position(found.game, s))[0] == pytest.approx(expected[s], abs=1e-8)
        compared += s.gained > 0
    assert compared > 50


def test_proofs_with_captured_dice_hold() -> None:
    game = doom(board="2x2", max_dice=3, reinforcement="captured")
    exact = captured_dice.find(game, 1e-12, silent)[0]
    rough = captured_dice.CapturedValues(game)
    for _ in range(3):
        rough.sweep()
    proof = rough.prove(1e-2, silent)
    assert proof
    off = np.abs(exact.values - rough.values)
    assert (off <= proof.width(proof.weights) + 1e-12).all()
    assert 1e-6 < off.max() <= proof.error
    exact.values[5, 7] += 0.01
    assert exact.beyond(proof._replace(slope=1e-6 * proof.slope / proof.base, base=1e-6)) > 0


# --- chosen dice and the agent -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("way", "objective"),
    [("chosen", "zero-sum"), ("captured", "zero-sum"), ("deterministic", "own-win"), ("chosen", "own-win"),
     ("captured", "own-win"), ("random", "own-win")],
)  # fmt: skip
def test_the_optimal_agent_loses_nothing(way: str, objective: str) -> None:
    """In every position that can come up, dice to be placed included."""
    game = doom(board="2x2", max_dice=2, reinforcement=way, objective=objective)
    known = solved(game)
    (number,), (memory,) = seat_agents(game, ["optimal"])
    placed = 0
    for s in graph(game)[1]:
        if not game.rules.chance(game.g, s):
            position = Position(game, s)
            costs = {row.move: row.cost for row in known.advise(position)}
            assert costs[agent_move(position, number, memory, stream(1))] <= 2 * known.error + 2e-9
            placed += s.phase == game.rules.PLACE
    assert (placed > 100) == (way == "chosen")


@pytest.mark.parametrize("text", ["3x2 r1 r1 / r1 b1 / b1 b1 | r places 3", "3x2 r2 r3 / r3 r1 / b3 b2 | r places 4"])
def test_compiled_placement_is_the_best_of_all(text: str) -> None:
    game = doom(board="3x2", max_dice=3, reinforcement="chosen")
    known, position = solved(game), game.parse(text)
    (number,), (memory,) = seat_agents(game, ["optimal"])
    while position.state.phase == game.rules.PLACE:
        costs = {row.move: row.cost for row in known.advise(position)}
        tile = agent_move(position, number, memory, stream(1))
        assert costs[tile] < 1e-12
        position = position.move(tile)


def test_the_optimal_agent_wins_with_chosen_dice() -> None:
    found = hazard.match(doom(board="2x2", max_dice=3, reinforcement="chosen"), "optimal", "greedy", games=2000, seed=1)
    assert found.intervals[0][0] > 0.5


def test_the_profile_wins_as_often_as_proven(tmp_path: Path) -> None:
    """Games between two agents `optimal`, within four standard errors."""
    game = doom(board="2x2", max_dice=3, objective="own-win", turns=1000)
    found = solve_report(game, 1e-8, tmp_path / "x", None)
    assert found["gain"] < 1e-8
    starts = load(tmp_path / "x").tables()["values"][:, 0]
    tie = 1 - float(starts.sum(axis=0).mean())
    played = hazard.match(game, "optimal", "optimal", games=20_000, seed=3)
    ties = played.ties / played.games
    assert abs(ties - tie) < 4 * (tie * (1 - tie) / played.games) ** 0.5


def test_turns_left_are_counted_over_nearly_best_placements() -> None:
    """Against every sequence of placements, tried one by one."""
    block = make_block([[1], [0, 2], [1]], 0b011, 3, [0] * 8, [0] * 8)
    rng = np.random.default_rng(1)
    ends, turns = rng.random(27), rng.random(27) * 10
    for near in (0.0, 0.2, 2.0):
        values, left, room = ends.copy(), turns.copy(), np.zeros((2, 27))
        compiled(place_turns)(near, values, left, room[0], room[1], block)
        for at in range(27):
            expected = tried(block, ends, turns, near, at, block.gain)
            assert (values[at], left[at]) == pytest.approx(expected)


def tried(block: Any, ends: np.ndarray, turns: np.ndarray, near: float, at: int, dice: int) -> tuple[float, float]:
    if dice == 0:
        return float(ends[at]), float(turns[at])
    row, column = divmod(at, 3)
    after = [row + unit if row // unit % 3 < 2 else row for unit in (1, 3)]
    options = [tried(block, ends, turns, near, r * 3 + column, dice - 1) for r in after]
    best = max(value for value, _ in options)
    return best, max(left for value, left in options if value >= best - near)


# --- kept and asked ----------------------------------------------------------------------------------------------
def test_a_solution_is_opened_once_and_again_when_replaced(tmp_path: Path) -> None:
    game = doom(board="1x2", max_dice=2)
    assert solved(game) is solved(doom(board="1x2", max_dice=2, turns=100))
    kept(tmp_path / "x", board="1x2", max_dice=2)
    before = load(tmp_path / "x")
    kept(tmp_path / "x", board="1x2", max_dice=3)
    os.utime(tmp_path / "x" / "solution.json", ns=(1, 1))
    assert load(tmp_path / "x").game.parameters["max_dice"] == 3
    assert before.game.parameters["max_dice"] == 2


def test_solutions_of_other_games_and_rules_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    kept(folder, board="1x2", max_dice=2, objective="own-win")
    with pytest.raises(hazard.BadInput, match=r"max_dice=2.*but asked for is.*max_dice=3"):
        load(folder, doom(board="1x2", max_dice=3, objective="own-win"))
    about = folder / "solution.json"
    meta = json.loads(about.read_text())
    about.write_text(json.dumps(meta | {"rules": "0123"}))
    os.utime(about, ns=(5, 5))
    with pytest.raises(hazard.BadInput, match="made with rules 0123"):
        load(folder)
    about.write_text(json.dumps(meta))
    os.utime(about, ns=(6, 6))
    (folder / "policy.npy").unlink()
    with pytest.raises(hazard.BadInput, match=r"damaged \(no policy.npy\)"):
        load(folder)


def test_what_can_be_solved_quickly() -> None:
    for way in WAYS:
        for objective in ("zero-sum", "own-win"):
            assert within_reach(doom(board="2x2", max_dice=3, reinforcement=way, objective=objective))
    assert not within_reach(doom(board="5x5", objective="own-win"))
    assert not within_reach(doom(board="2x2", max_dice=2, players=3))


@pytest.mark.parametrize("extra", [{"objective": "own-win"}, {"reinforcement": "captured"}])
def test_boards_too_large_are_refused(extra: dict, tmp_path: Path) -> None:
    with pytest.raises(hazard.BadInput, match="GiB allowed"):
        solve_report(doom(board="4x4", max_dice=5, **extra), 1e-6, tmp_path / "x", None)
    assert not (tmp_path / "x").exists()


def test_commands_of_a_new_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> dict[str, Any]:
        monkeypatch.setattr(sys, "argv", ["hazard", *words, "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        assert not ended.value.code, err
        return json.loads(out)

    board = ["dice-of-doom", "-p", "board=1x2", "-p", "max_dice=3"]
    found = run("solve", *board, "-p", "objective=own-win", "--out", str(tmp_path / "x"))
    assert found["mean"].keys() == {"win", "lose", "tie"}
    keys = {"states", "error", "sweeps", "seconds", "boards_per_second", "peak_bytes", "solution"}
    assert keys <= found.keys()
    assert found["error"] < 1e-9
    found = run("solve", *board, "-p", "reinforcement=captured", "--out", str(tmp_path / "y"))
    assert found["error"] < 1e-9
    assert 0.4 < found["mean"] < 0.7
    text = "1x2 r3 b2 | r to move, attack again or end, captured 1"
    found = run("advise", board[0], text, *board[1:], "-p", "reinforcement=captured")
    assert found["moves"][0]["known"] == "exact"
    assert stored_at(doom(board="1x2", max_dice=3, reinforcement="captured")).exists()
