"""Points scored on the way, as much as a player can get or as little, and payoffs to choose from."""

from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.analysis.positions import analyse, roll_out
from hazard.analysis.review import review
from hazard.arena.bots.games import play_bot_games
from hazard.arena.bots.limits import Limits
from hazard.arena.grading.grade import grade
from hazard.arena.play.playout import playouts
from hazard.arena.tournament.replay import replay
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import round_robin, settle
from hazard.checking.check import check
from hazard.errors import BadInput
from hazard.rulebook import Position
from hazard.server.protocol import Ended
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.game_record import GameRecord
from hazard.server.rooms.replay import replay as replay_event
from hazard.terminal.game import TerminalGame
from tests.own_games.files import write

# A die is rolled in each round: take its points, times one more for every die that was left before, or leave it.
PRESS = '''"""Press: take the die, or leave it for more. """
from typing import NamedTuple
from hazard import rule

LIMITS = {"players": (1, 3), "rounds": (1, 9)}
CHOICES = {"objective": ("points", "dice")}
TAKE, LEAVE = 0, 1


class Params(NamedTuple):
    rounds: int = 4  # dice that are rolled
    objective: int = 0  # what counts
    players: int = 1


class State(NamedTuple):
    mover: int
    round: int
    face: int
    times: int


@rule
def start(g):
    return State(0, 0, 0, 1)


@rule
def over(g, s):
    return s.round == g.rounds


@rule
def payoff(g, s, seat):
    return 10.0 + 3.0 * (s.times - 1)


@rule
def worth(g, s, m):
    if m == LEAVE:
        return 0.0
    return float(s.face * s.times) if g.objective == 0 else 1.0


@rule
def gain(g, s, m):
    return worth(g, s, m)


@rule
def legal(g, s, moves):
    moves[0], moves[1] = TAKE, LEAVE
    return 2


@rule
def move(g, s, m):
    return State((s.mover + 1) % g.players, s.round + 1, 0, 1 if m == TAKE else s.times + 1)


@rule
def chance(g, s):
    return 6 if s.face == 0 and s.round < g.rounds else 0


@rule
def weight(g, s, i):
    return 1


@rule
def land(g, s, i):
    return State(s.mover, s.round, i + 1, s.times)
'''
CARRIED = (  # the same with the score in the position, for one player
    ("    times: int\n", "    times: int\n    score: int\n"),
    ("State(0, 0, 0, 1)", "State(0, 0, 0, 1, 0)"),
    ("return 10.0 +", "return 10.0 + s.score +"),
    ("@rule\ndef gain(g, s, m):\n    return worth(g, s, m)\n\n\n", ""),
    ("else s.times + 1)", "else s.times + 1, s.score + int(worth(g, s, m)))"),
    ("i + 1, s.times)", "i + 1, s.times, s.score)"),
)
LEAST = ("@rule\ndef gain(", "@rule\ndef least(g):\n    return g.players == 1\n\n\n@rule\ndef gain(")
LEAST_CARRIED = ("@rule\ndef legal(", "@rule\ndef least(g):\n    return True\n\n\n@rule\ndef legal(")


def press(folder: Path, *changes: tuple[str, str], **parameters: int | str) -> hazard.Game:
    return hazard.game(write(folder, *changes, name="press.py", text=PRESS), **parameters)


@pytest.fixture(params=["most", "least"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[hazard.Game, hazard.Game]:
    """A game that scores on the way, and the same with the score in its positions."""
    few = request.param == "least"
    (tmp_path / "gains").mkdir()
    (tmp_path / "carried").mkdir()
    carried = (*CARRIED, *[LEAST_CARRIED] * few)
    return press(tmp_path / "gains", *[LEAST] * few), press(tmp_path / "carried", *carried)


def test_the_value_is_that_of_the_carried_score(pair: tuple[hazard.Game, hazard.Game]) -> None:
    one, other = (hazard.solve(game) for game in pair)
    lower, upper = one.bounds(pair[0].start())
    low, high = other.bounds(pair[1].start())
    assert lower[0] <= high[0]
    assert low[0] <= upper[0]
    assert one.value(pair[0].start())[0] == pytest.approx(brute_force(pair[1]), abs=1e-9)
    assert one.meta["states"] < other.meta["states"]


def brute_force(game: hazard.Game) -> float:
    best = min if game.least else max

    def value(position: Position) -> float:
        if position.over:
            return position.payoffs[0]
        if position.rolling:
            return sum(float(o.probability) * value(o.position) for o in position.outcomes())
        return best(value(position.move(m)) for m in position.moves)

    return value(game.start())


def test_every_objective_is_solved(tmp_path: Path) -> None:
    """All dice may be left for 3 points each, or all but the last."""
    assert hazard.solve(press(tmp_path, objective="dice")).value(press(tmp_path, objective="dice").start()) == (22,)
    few = press(tmp_path, LEAST, objective="dice")
    assert hazard.solve(few).value(few.start()) == (11,)
    with pytest.raises(BadInput, match="objective=dinner: must be one of points, dice"):
        press(tmp_path, objective="dinner")


@pytest.mark.parametrize("agent", ["random", "optimal"])
def test_matches_pay_what_was_scored(pair: tuple[hazard.Game, hazard.Game], agent: str) -> None:
    """Game by game: the same dice, the same moves, the same payoffs."""
    one, other = (hazard.match(game, agent, games=300, seed=3) for game in pair)
    assert (one.payoffs, one.intervals) == (other.payoffs, other.intervals)
    value = hazard.solve(pair[0]).value(pair[0].start())[0]
    mean, error = one.payoffs[0]
    assert error
    if agent == "optimal":
        assert mean == pytest.approx(value, abs=4 * error)
    else:
        assert (mean - value) * (1 if pair[0].least else -1) > 4 * error
    assert playouts(pair[0].start(), 300) == playouts(pair[1].start(), 300)


def test_luck_leaves_the_value_of_optimal_play(pair: tuple[hazard.Game, hazard.Game]) -> None:
    result = hazard.match(pair[0], "optimal", games=200, luck=True)
    assert result.adjusted
    assert result.adjusted[0] == pytest.approx((hazard.solve(pair[0]).value(pair[0].start())[0], 0), abs=1e-7)


@pytest.mark.parametrize("agent", ["rollout", "expectimax", "mcts"])
def test_search_goes_for_the_score(pair: tuple[hazard.Game, hazard.Game], agent: str) -> None:
    game = pair[0]
    found, base = hazard.match(game, agent, games=40), hazard.match(game, "random", games=40)
    assert (found.payoffs[0][0] - base.payoffs[0][0]) * (-1 if game.least else 1) > 3


def test_advice_is_what_is_still_to_come(pair: tuple[hazard.Game, hazard.Game]) -> None:
    game, carried = pair
    position, twin = (
        game.parse("mover=0 round=2 face=5 times=2"),
        carried.parse("mover=0 round=2 face=5 times=2 score=4"),
    )
    rows, rows_too = hazard.solve(game).advise(position), hazard.solve(carried).advise(twin)
    assert [row.move for row in rows] == [row.move for row in rows_too] == (["1", "0"] if game.least else ["0", "1"])
    assert [row.value + 4 for row in rows] == pytest.approx([row.value for row in rows_too])
    assert rows[0].cost == 0 < rows[1].cost
    sampled, sampled_too = roll_out(position, 500), roll_out(twin, 500)
    assert [row.value + 4 for row in sampled.moves] == pytest.approx([row.value for row in sampled_too.moves])
    found, _ = analyse(position)
    assert found
    assert found.moves[0].cost == 0


def test_a_review_adds_up(pair: tuple[hazard.Game, hazard.Game]) -> None:
    """Luck and skill of a game are the same whichever way the score is kept, exactly and by rollouts."""
    steps = ["4", "1", "1", "0", "5", "0", "0", "0"]
    for game in pair:
        hazard.solve(game)
    one, other = (review(game.start(), steps)[0] for game in pair)
    assert one
    assert other
    for mine, theirs in zip(one.seats, other.seats, strict=True):
        assert [getattr(mine, name) for name in ("start", "luck", "lost", "given", "result")] == pytest.approx(
            [getattr(theirs, name) for name in ("start", "luck", "lost", "given", "result")], abs=1e-7
        )
        sign = 1 if pair[0].least else -1
        assert mine.start + mine.luck + sign * mine.lost + mine.given == pytest.approx(mine.result)
        assert mine.lost >= 0
        assert mine.result == 10 + 2 * 2 + 6 + 1


def test_a_grade_counts_what_was_scored(pair: tuple[hazard.Game, hazard.Game]) -> None:
    one, other = (grade(game, "random", games=400) for game in pair)
    assert one.sampled_loss_per_game.mean == pytest.approx(other.sampled_loss_per_game.mean, abs=1e-6)
    assert one.sampled_loss_per_game.mean > 0
    perfect = grade(pair[0], "optimal", games=50)
    assert perfect.sampled_loss_per_game.mean == 0


def test_bots_tournaments_and_replays(tmp_path: Path) -> None:
    game = press(tmp_path, players=2)
    setting = settle(game, ["random", "rollout"], round_robin(["random", "rollout"], 2), games=20, seed=1, record=True)
    run(tmp_path / "cup", setting)
    told = replay(tmp_path / "cup", 5)  # refused if what is recorded is not what comes out
    assert told["over"]
    assert sum(told["payoffs"]) > 20
    (played,) = play_bot_games(game, ["random", "random"], 1, 0, 1, False, Limits())
    compiled = hazard.match(game, "random", "random", games=1, seed=1, shared=False)
    assert min(played.payoffs) >= 10
    assert compiled.games == 1


def test_a_room_pays_what_was_scored(tmp_path: Path) -> None:
    """With a move taken back, and read again from its events."""
    game = press(tmp_path, players=2, rounds=2)
    record = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32))
    record.apply(record.begin())
    record.apply(record.play(0, "0"))
    record.apply(record.take_back(0, record.place_to_go_back(0, 0)))
    assert record.scored == ()
    first = record.position.state.face  # type: ignore[union-attr]
    record.apply(record.play(0, "0"))
    assert record.scored == (first, 0)
    second = record.position.state.face  # type: ignore[union-attr]
    record.apply(record.play(1, "0"))
    assert record.ended
    assert record.ended.payoffs == [10 + first, 10 + second]
    again = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32))
    for event in record.events:
        replay_event(again, event)
    assert again.ended == record.ended
    wrong = [event for event in record.events if not isinstance(event, Ended)]
    lying = GameRecord(game, fair.Secret(b"s" * 32, b"t" * 32))
    for event in wrong:
        replay_event(lying, event)
    with pytest.raises(BadInput, match="cannot be there"):
        replay_event(lying, Ended(len(wrong) + 1, [10.0, 10.0], "over", "", ""))


def test_the_terminal_tells_the_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    TerminalGame(press(tmp_path, players=2), ["random", "random"], 4).play()
    said = capsys.readouterr().out
    paid = [float(line.rsplit(" ", 1)[1]) for line in said.splitlines()[-2:]]
    assert sum(paid) > 20


def test_two_players_who_score_are_played_and_not_solved(tmp_path: Path) -> None:
    game = press(tmp_path, players=2)
    report = check(game, 200)
    assert report.passed
    assert any("gain scores for the mover alone" in found.what for found in report.findings)
    with pytest.raises(BadInput, match=r"`gain`.*games of one player"):
        hazard.solve(game)
    result = hazard.match(game, "mcts", "random", games=20)
    assert result.payoffs[0][0] > result.payoffs[1][0]
    three = hazard.match(press(tmp_path, players=3, rounds=9), "random", "random", "random", games=300)
    assert min(mean for mean, _ in three.payoffs) > 15


def test_least_is_for_one_player(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="least is for games of one player"):
        press(tmp_path, (LEAST[0], LEAST[1].replace("g.players == 1", "True")), players=2)


@pytest.mark.parametrize(
    ("score", "said"), [("float('nan')", "gain of move 0 is nan"), ("None", "gain of move 0 is None")]
)
def test_a_gain_that_is_no_number_is_found(tmp_path: Path, score: str, said: str) -> None:
    game = press(
        tmp_path,
        ("@rule\ndef gain(g, s, m):\n    return worth(g, s, m)", f"@rule\ndef gain(g, s, m):\n    return {score}"),
    )
    assert any(said in found.what for found in check(game, 200).findings)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ('("points", "dice", "points")', "must be the names of its values"),
        ('("Points", "dice")', "must be the names of its values"),
        ("()", "must be the names of its values"),
        ("7", "must be the names of its values"),
    ],
)
def test_choices_that_are_none(tmp_path: Path, words: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        press(tmp_path, ('("points", "dice")', words))
    with pytest.raises(BadInput, match="CHOICES names 'object'"):
        press(tmp_path, ('{"objective":', '{"object":'))


def test_a_game_that_is_cut_off_pays_the_worst(tmp_path: Path) -> None:
    """Whoever is alone at the table does not win by not ending it."""
    assert press(tmp_path).shares() == [0.0]
    assert press(tmp_path, LEAST).shares([0]) == [1.0]
    assert press(tmp_path, players=2).shares() == [0.5, 0.5]
    assert press(tmp_path, players=3).shares([1]) == [0.5, 0.0, 0.5]
    assert np.isfinite(press(tmp_path).shares([0])).all()
