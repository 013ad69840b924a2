"""What an agent gives away: counted in games, it adds up to what is computed exactly."""

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

import hazard
from hazard import jit
from hazard.arena.grading.figures import Estimate, Grade, ratio
from hazard.arena.grading.grade import grade, grade_trails
from hazard.arena.grading.report import rows
from hazard.arena.play.steps import Event, seat_of
from hazard.arena.statistics.intervals import Z95
from hazard.contract import legal
from hazard.declaration import Agent
from hazard.dice import below
from hazard.rulebook import Position
from hazard.solving.prices import price
from hazard.solving.solution import solved

from .test_luck import trail_of

EVERY = 10**9  # slips to show: all of them


def error_of(e: Estimate) -> float:
    assert e.high is not None
    return (e.high - e.mean) / Z95


def without_exact(g: Grade) -> Grade:
    """A grade as it is when nothing is evaluated exactly."""
    seats = [replace(s, expects=None, loss=None, response=None, gain=None) for s in g.seats]
    return replace(g, loss_per_game=None, gain_of_best_response=None, seats=seats, remarks={})


def told(game: hazard.Game, agent: str, seed: int, games: int) -> list[tuple[list[Event], int]]:
    agents = [agent, *["optimal"] * (game.seats - 1)]
    return [(trail_of(game, agents, seed, n), seat_of(0, n, game.seats)) for n in range(games)]


@pytest.mark.parametrize("which", ["random", "last"])
def test_losses_add_up_to_what_is_lost(game: hazard.Game, which: str) -> None:
    """The sum of what its decisions give away is, on average, what the agent gets less than optimal play."""
    agent = list(game.agents)[-1] if which == "last" else "random"
    found = grade(game, agent, games=30_000, seed=4)
    assert [s.games for s in found.seats] == [30_000 // game.seats] * game.seats
    for s in found.seats:
        assert abs(s.sampled_loss.mean - s.loss) <= 4 * error_of(s.sampled_loss) + 1e-8
        assert s.loss >= -1e-9
        assert s.gain >= -1e-9
    assert found.loss_per_game == pytest.approx(np.mean([s.loss for s in found.seats]))
    assert found.decisions_per_game * found.loss_per_decision.mean == pytest.approx(found.sampled_loss_per_game.mean)
    assert found.choices_per_game * found.loss_per_choice.mean == pytest.approx(found.sampled_loss_per_game.mean)
    if which == "random":
        assert found.sampled_loss_per_game.mean > 20 * error_of(found.sampled_loss_per_game) > 0


def test_optimal_play_never_errs(game: hazard.Game) -> None:
    found = grade(game, "optimal", games=3000)
    assert found.choices_per_game > 0
    assert found.error_rate.mean == found.sampled_loss_per_game.mean == 0
    assert found.loss_per_game == pytest.approx(0, abs=1e-8)
    assert not found.worst
    assert not found.costliest
    if game.seats == 2:
        assert found.gain_of_best_response == pytest.approx(0, abs=1e-8)


def test_slips_cost_what_the_solution_says(game: hazard.Game) -> None:
    found = grade(game, "random", games=400, seed=2, shown=EVERY)
    solution = solved(game)
    assert {s.position for s in found.worst} == {s.position for s in found.costliest}
    for slip in found.worst:
        advice = solution.advise(game.parse(slip.position))
        cost = {a.move: a.cost for a in advice}
        assert slip.loss == pytest.approx(cost[slip.move], abs=1e-9)
        assert cost[slip.best] <= 1e-9
    assert sum(s.loss * s.per_game for s in found.worst) == pytest.approx(found.sampled_loss_per_game.mean)
    assert [s.loss for s in found.worst] == sorted((s.loss for s in found.worst), reverse=True)
    for kind in found.kinds:
        part = [s for s in found.worst if (s.seat, s.move, s.best) == (kind.seat, kind.move, kind.best)]
        assert sum(s.per_game for s in part) == pytest.approx(kind.share * found.choices_per_game)
        lost = kind.share_of_loss * found.sampled_loss_per_game.mean
        assert sum(s.loss * s.per_game for s in part) == pytest.approx(lost)
    assert sum(k.share_of_loss for k in found.kinds) == pytest.approx(1)
    costs = [s.loss * s.per_game for s in found.costliest]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("text", ["p1 3:4 pot 5", "p2 3:4 pot 2", "p2 0:9 pot 2"])
def test_one_position_by_hand(text: str) -> None:
    game = hazard.game("pig", goal=12)
    position = game.parse(text)
    prices = price(solved(game), np.array([[m, *position.state] for m in position.legal()]))
    cost = {a.move: a.cost for a in solved(game).advise(position)}
    assert prices.legal.tolist() == [2, 2]
    assert dict(zip(position.moves, prices.losses, strict=True)) == pytest.approx(cost, abs=1e-12)
    assert max(prices.losses) > 1e-3
    assert set(prices.best) == {position.legal()[int(np.argmin(prices.losses))]}


def test_trails_give_the_same_grade(game: hazard.Game) -> None:
    for agent in ("random", list(game.agents)[-1]):
        compiled = without_exact(grade(game, agent, games=36, seed=6, shown=EVERY))
        trails = replace(grade_trails(game, told(game, agent, 6, 36), agent, seed=6, shown=EVERY), remarks={})
        for mine, other in zip(flat(asdict(trails)), flat(asdict(compiled)), strict=True):
            assert mine == (pytest.approx(other, abs=1e-12) if isinstance(other, float) else other)


def flat(data: Any) -> list[Any]:
    """All leaves of nested dictionaries and lists, slips in the order of their positions."""
    if isinstance(data, dict):
        return [x for value in data.values() for x in flat(value)]
    if isinstance(data, list):
        slips = bool(data) and "position" in data[0]
        return [x for v in (sorted(data, key=lambda s: (s["position"], s["move"])) if slips else data) for x in flat(v)]
    return [data]


def test_great_rolled_ones_as_published() -> None:
    """The win rates of `keep-pace` and what a best response gains, from docs/great-rolled-ones.md."""
    found = grade(hazard.game("great-rolled-ones"), "keep-pace", games=20_000)
    assert [s.expects for s in found.seats] == pytest.approx([0.4445084, 0.5454735], abs=5e-8)
    assert 2 * found.loss_per_game == pytest.approx(0.0100181, abs=5e-8)
    assert 2 * found.gain_of_best_response == pytest.approx(0.0101427, abs=5e-8)
    assert 0.03 < found.error_rate.low < found.error_rate.high < 0.04
    assert sum(b.share for b in found.bands) == pytest.approx(1)
    assert sum(b.share_of_loss for b in found.bands) == pytest.approx(1)
    assert found.bands[0].share == pytest.approx(1 - found.error_rate.mean)


def test_the_same_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hazard.game("pig", goal=6)
    compiled = grade(game, "random", games=20, seed=5)
    monkeypatch.setenv("HAZARD_JIT", "0")
    plain = grade(game, "random", games=20, seed=5)
    for mine, other in zip(flat(asdict(plain)), flat(asdict(compiled)), strict=True):
        assert mine == (pytest.approx(other, abs=1e-12) if isinstance(other, float) else other)


def lopsided(g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """Draws, but not every move alike."""
    count = legal(g, s, moves)
    return moves[0] if below(rng, 4) == 0 else moves[count - 1]


def test_agents_that_draw_are_not_evaluated_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hazard.game("pig", goal=5)
    monkeypatch.setitem(game.agents, "lopsided", Agent(jit.rule(lopsided), "for this test"))
    monkeypatch.setattr(jit, "_twins", {})
    monkeypatch.setenv("HAZARD_JIT", "0")
    found = grade(game, "lopsided", games=20)
    assert replace(found, remarks={}) == without_exact(found)
    assert "not evaluated exactly" in found.remarks["exact figures"]
    assert found.sampled_loss_per_game.mean > 0


def test_intervals_of_a_ratio() -> None:
    """By hand: 3 of 6 in two games, 2 of 4 and 1 of 2, leave no error; 4 of 4 and 0 of 4 leave one of a half."""
    assert ratio(np.array([2, 1]), np.array([4, 2])) == Estimate(0.5, 0.5, 0.5)
    assert ratio(np.array([4, 0]), np.array([4, 4])) == Estimate(0.5, 0.0, pytest.approx(0.5 + Z95 * 0.5))
    assert ratio(np.array([3]), np.array([4])) == Estimate(0.75, None, None)
    assert ratio(np.zeros(3), np.zeros(3)) == Estimate(0.0, None, None)


@pytest.mark.slow
def test_intervals_cover_the_truth() -> None:
    """Of many small samples, about 95 % have the exact loss in their interval."""
    game = hazard.game("pig", goal=12)
    truth = grade(game, "random", games=4).loss_per_game
    found = [grade_sampled(game, seed) for seed in range(100)]
    held = sum(e.low <= truth <= e.high for e in found)
    assert 85 <= held <= 100
    assert any(e.mean > truth for e in found)
    assert any(e.mean < truth for e in found)


def grade_sampled(game: hazard.Game, seed: int) -> Any:
    return grade(game, "random", games=400, seed=seed).sampled_loss_per_game


def test_grades_as_json_and_as_tables(small_game: hazard.Game) -> None:
    for found in (
        grade(small_game, "random", games=50),
        grade_trails(small_game, told(small_game, "random", 1, 3), "bot"),
    ):
        assert json.loads(json.dumps(asdict(found), allow_nan=False))["agent"] == found.agent
        for title, columns, lines in rows(found):
            assert title
            assert lines
            assert all(len(line) == len(columns) for line in lines)
            assert "None" not in str(lines)
    assert rows(grade(hazard.game("pig", goal=9), "random", games=4))[0][0] == "random in pig -p goal=9: exact values"


def test_bad_input_is_refused() -> None:
    game = hazard.game("pig", goal=7)
    for arguments, said in (
        ({"agent": "holds-at-25"}, "no agent of pig 'holds-at-25'; did you mean 'hold-at-25'?"),
        ({"agent": "random", "games": 3}, "games=3: must be from 4"),
        ({"agent": "random", "seed": -1}, "seed=-1: must be from 0"),
        ({"agent": "random", "shown": -1}, "-1 positions to show: must be 0 or more"),
    ):
        with pytest.raises(hazard.BadInput) as caught:
            grade(game, **arguments)
        assert said in str(caught.value)
    with pytest.raises(hazard.BadInput, match="no games to grade"):
        grade_trails(game, [], "bot")
    start = game.start().state
    with pytest.raises(hazard.BadInput, match=r"'p1 0:0 pot 0': move 1 is not legal; legal are 0"):
        grade_trails(game, [([Event(start, False, 1, start)], 0)], "bot")
    with pytest.raises(hazard.BadInput, match="GiB allowed; take a smaller game"):
        grade(hazard.game("great-rolled-ones", players=3), "random")
    with pytest.raises(hazard.BadInput, match="dice-wars: there is no solver for this game"):
        grade(hazard.game("dice-wars"), "random")


def test_games_without_a_decision() -> None:
    found = grade_trails(hazard.game("pig", goal=7), [([], 0), ([], 0)], "bot")
    assert (found.games, found.decisions_per_game, found.sampled_loss_per_game.mean) == (2, 0, 0)
    assert found.error_rate == Estimate(0.0, 0.0, 1.0)
    assert [s.seat for s in found.seats] == ["player 1"]


def test_progress_goes_up_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    grade(hazard.game("pig", goal=9), "random", games=50, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1]


def test_positions_are_those_of_play(game: hazard.Game) -> None:
    """Every slip shown came up in the games, with that move, as often as said."""
    agent, games = "random", 24
    made: dict[tuple[str, str], int] = {}
    for trail, seat in told(game, agent, 9, games):
        for e in trail:
            if not e.rolled and e.state.mover == seat:
                key = str(Position(game, e.state)), game.notation.move_text(game.table, e.state, e.number)
                made[key] = made.get(key, 0) + 1
    for slip in grade(game, agent, games=games, seed=9, shown=EVERY).worst:
        assert made[slip.position, slip.move] / games == pytest.approx(slip.per_game)
