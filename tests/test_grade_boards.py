"""Grades on the boards of a game that has a solver of its own, and boards that are dealt."""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.arena.grading.bot import grade_bot
from hazard.arena.grading.grade import grade, grade_trails
from hazard.arena.grading.report import rows
from hazard.arena.grading.watch import watch
from hazard.arena.play.compiled import line_up
from hazard.arena.play.steps import Event
from hazard.cli import main
from hazard.contract import prospect
from hazard.solving.prices import price
from hazard.solving.solution import solved

from .test_grade import EVERY, flat, told

CHANCE = ["deterministic", "random", "weighted"]


def doom(**parameters: int | str) -> hazard.Game:
    return hazard.game("dice-of-doom", **{"board": "2x2", "max_dice": 3, "turns": 0, **parameters})


@pytest.mark.slow
@pytest.mark.parametrize("way", CHANCE)
def test_optimal_play_loses_nothing(way: str) -> None:
    """Each of its decisions is within the certified error of the best, and none counts as an error."""
    game = doom(reinforcement=way)
    solution = solved(game)
    found = grade(game, "optimal", games=2000)
    assert found.choices_per_game > 1
    assert found.certified == solution.error <= 1e-6
    assert found.error_rate.mean == found.sampled_loss_per_game.mean == 0
    assert not found.worst
    _, log = line_up(game, ["optimal", "optimal"], 1, shared=False).play_and_record(0, 2000)
    assert np.abs(price(solution, log).losses).max() <= solution.error


@pytest.mark.parametrize("way", CHANCE)
def test_a_loss_is_the_cost_that_advice_says(way: str) -> None:
    game = doom(reinforcement=way)
    solution = solved(game)
    found = grade(game, "random", games=300, seed=2, shown=EVERY)
    assert len(found.worst) > 30
    assert any(slip.move == "end" for slip in found.worst)
    for slip in found.worst:
        cost = {a.move: a.cost for a in solution.advise(game.parse(slip.position))}
        assert slip.loss == pytest.approx(cost[slip.move], abs=solution.error)
        assert cost[slip.best] <= solution.error
    total = sum(slip.loss * slip.per_game for slip in found.worst)
    assert total == pytest.approx(found.sampled_loss_per_game.mean)
    assert sum(k.share for k in found.kinds) <= found.error_rate.mean + 1e-12
    assert sum(b.share for b in found.bands) == pytest.approx(1)


@pytest.mark.parametrize("way", [*CHANCE, "chosen"])
def test_any_position_is_worth_what_the_solution_says(way: str) -> None:
    """Also with dice in the air, and with dice still to be placed."""
    game = doom(max_dice=2, reinforcement=way)
    solution = solved(game)
    seen: set[str] = set()
    waiting = [game.parse("2x2 r2 b1 / r1 b2 | r to move, first attack")]
    while waiting and len(seen) < 400:
        position = waiting.pop()
        if str(position) in seen:
            continue
        seen.add(str(position))
        for seat in (0, 1):
            worth = game.plain(prospect)(game.table, position.state, seat, solution.values)
            assert worth == pytest.approx(solution.value(position)[seat], abs=solution.error)
        waiting += [o.position for o in position.outcomes()] + [position.move(m) for m in position.moves]
    assert any("attacks" in text for text in seen)
    assert any("over" in text for text in seen)
    assert way == "deterministic" or any("places" in text for text in seen)


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_losses_add_up_to_what_is_lost(agent: str) -> None:
    """On average a game gives what its first board is worth, less what the agent's decisions gave away."""
    game, games = doom(), 40_000
    solution, seated = solved(game), line_up(game, [agent, "optimal"], 4, shared=False)
    watched = watch(solution, seated, games, solution.error, None)
    paid = seated.play(0, games).payoffs[np.arange(games), watched.seats]
    off = paid - (watched.firsts - watched.sums[:, 0])
    assert abs(off.mean()) <= 4 * off.std() / games**0.5
    assert watched.sums[:, 0].mean() > 10 * off.std() / games**0.5  # else a loss of nothing would pass too


def test_trails_give_the_same_grade() -> None:
    game = doom(max_dice=2)
    for agent in ("random", "greedy"):
        compiled = grade(game, agent, games=30, seed=6, shown=EVERY)
        trails = grade_trails(game, told(game, agent, 6, 30), agent, seed=6, shown=EVERY)
        seats = [replace(s, value=0.0) for s in compiled.seats]  # trails do not know boards on which all was over
        for mine, other in zip(
            flat(asdict(replace(trails, seats=[replace(s, value=0.0) for s in trails.seats]))),
            flat(asdict(replace(compiled, seats=seats))),
            strict=True,
        ):
            assert mine == (pytest.approx(other, abs=1e-12) if isinstance(other, float) else other)


@pytest.mark.slow
def test_the_value_of_optimal_play_is_that_of_the_boards_dealt() -> None:
    """Two optimal players: what a seat gets on average is what its boards were worth."""
    game = doom(initialisation="equal")
    found = grade(game, "optimal", games=20_000)
    paid = line_up(game, ["optimal", "optimal"], 3, shared=False).play(0, 20_000).payoffs
    for seat in (0, 1):
        assert found.seats[seat].value == pytest.approx(paid[:, seat].mean(), abs=0.02)  # 4 standard errors and more
    assert sum(s.value for s in found.seats) == pytest.approx(1, abs=0.02)
    assert found.seats[0].value > found.seats[1].value + 0.05


def test_games_have_no_limit_of_turns() -> None:
    limited = grade(doom(turns=100), "greedy", games=200)
    assert limited == grade(doom(), "greedy", games=200)
    assert limited.parameters["turns"] == 0
    assert "turns=0" in limited.remarks["limit of turns"]
    start = doom(turns=100).start().state
    with pytest.raises(hazard.BadInput, match=r"turns=100.*: grade games played as it is solved, .*turns=0"):
        grade_trails(doom(turns=100), [([Event(start, False, 0, start)], 0)], "bot")


def test_the_same_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    game = doom(max_dice=2, reinforcement="random")
    compiled = grade(game, "random", games=10, seed=5)
    monkeypatch.setenv("HAZARD_JIT", "0")
    plain = grade(game, "random", games=10, seed=5)
    for mine, other in zip(flat(asdict(plain)), flat(asdict(compiled)), strict=True):
        assert mine == (pytest.approx(other, abs=1e-12) if isinstance(other, float) else other)


def test_what_cannot_be_graded_is_refused() -> None:
    for parameters, said in (
        ({"board": "5x5"}, "no solution is stored, and solving takes minutes or more; begin with `hazard solve"),
        ({"players": 3}, "players=3"),
        ({"objective": "own-win"}, "objective=own-win: grades and luck are for zero-sum"),
    ):
        with pytest.raises(hazard.BadInput) as caught:
            grade(doom(**parameters), "greedy", games=10)
        assert said in str(caught.value)
    with pytest.raises(hazard.BadInput, match="no agent of dice-of-doom 'greddy'; did you mean 'greedy'"):
        grade(doom(), "greddy", games=10)
    start = doom().start()
    with pytest.raises(hazard.BadInput, match="move 250 is not legal; legal are"):
        grade_trails(doom(), [([Event(start.state, False, 250, start.state)], 0)], "bot")


def test_the_command_says_what_is_not_exact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    words = ["grade", "dice-of-doom", "greedy", "-p", "board=2x2", "-p", "max_dice=3", "--games", "400"]

    def run(*more: str) -> str:
        monkeypatch.setattr(sys, "argv", ["hazard", *words, *more])
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out

    shown = run()
    assert "the agent is not evaluated exactly here" in shown
    assert "-p turns=0" in shown
    found = json.loads(run("--json"))
    assert found["loss_per_game"] is None
    assert found["gain_of_best_response"] is None
    low, high = (found["sampled_loss_per_game"][k] for k in ("low", "high"))
    assert 0 < low < found["sampled_loss_per_game"]["mean"] < high
    for slip in found["costliest"]:
        hazard.game("dice-of-doom", **found["parameters"]).parse(slip["position"])


def test_grades_as_tables() -> None:
    for _, columns, lines in rows(grade(doom(), "random", games=50)):
        assert lines
        assert all(len(line) == len(columns) for line in lines)
        assert "nan" not in str(lines).lower()


BOT = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "name": "last"}), flush=True)
    if said["type"] == "ask":
        print(json.dumps({"type": "move", "ask": said["ask"], "move": said["moves"][-1]}), flush=True)
"""


def test_a_bot_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "last.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)  # the dice depend on the bot's command
    game = doom(turns=100)  # some boards are over as they are dealt
    found = grade_bot(game, "./last.py", games=40, seed=2)
    assert found.parameters["turns"] == 0
    assert not found.faults
    assert found.sampled_loss_per_game.mean > 0
    assert found.worst
    assert all(doom().parse(slip.position).moves[-1] == slip.move for slip in found.worst)
