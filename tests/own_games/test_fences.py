"""What a game may be: one player, any payoffs, moves of any number, dice and decisions in a row, heavy weights."""

from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.analysis.positions import roll_out
from hazard.arena.bots.limits import Limits
from hazard.arena.play.playout import playouts
from hazard.arena.tournament.replay import replay
from hazard.arena.tournament.run import run
from hazard.arena.tournament.setting import round_robin, settle
from tests.own_games.files import write

# One player draws a card of `heavy` weights, then a second, and then names two numbers in a row; paid is what is read.
ODD = '''"""Odd: a game with all that games of the package do not have."""
from typing import NamedTuple
from hazard import rule

class Params(NamedTuple):
    heavy: int = 2
    players: int = 1

class State(NamedTuple):
    mover: int
    stage: int
    card: int
    named: int

LIMITS = {"heavy": (1, 2**62)}

@rule
def start(g):
    return State(0, 0, 0, 0)

@rule
def over(g, s):
    return s.stage == 4

@rule
def payoff(g, s, seat):
    return 30.0 + 10.0 * s.card - s.named / 70000.0

@rule
def legal(g, s, moves):
    for n in range(300):
        moves[n] = 70000 + n
    return 300

@rule
def move(g, s, m):
    return State(0, s.stage + 1, s.card, s.named + m - 70000)

@rule
def chance(g, s):
    return 3 if s.stage < 2 else 0

@rule
def weight(g, s, i):
    return g.heavy if i == 2 else 1

@rule
def land(g, s, i):
    return State(0, s.stage + 1, s.card + i, s.named)
'''


def odd(folder: Path, **parameters: int) -> hazard.Game:
    return hazard.game(write(folder, name="odd.py", text=ODD), **parameters)


def test_one_player_any_payoff(tmp_path: Path) -> None:
    """The interval is about the mean, wherever that lies."""
    game = odd(tmp_path)
    result = hazard.match(game, "random", games=2000)
    mean, error = result.payoffs[0]
    assert error
    assert mean == pytest.approx(30 + 10 * 2.5, abs=4 * error)
    assert result.intervals[0] == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.1)
    assert result.intervals[0][0] < mean < result.intervals[0][1]
    few = hazard.match(game, "random", games=1)
    assert few.intervals[0][0] <= few.payoffs[0][0] <= few.intervals[0][1]
    assert playouts(game.start(), 500).means[0] == pytest.approx(mean, abs=1)


def test_moves_of_any_number(tmp_path: Path) -> None:
    game = odd(tmp_path)
    position = game.parse("mover=0 stage=2 card=3 named=0")
    assert position.moves[-1] == "70299"
    found = roll_out(position, 100)
    assert found.moves[0].move == "70000"
    assert found.lower[0] <= found.chances[0] <= found.upper[0]
    setting = settle(game, ["random"], round_robin(["random"], 1), games=50, seed=1, record=True)
    summary = run(tmp_path / "cup", setting)
    place = summary["line_ups"][0]["places"][0]
    assert place["low"] < place["mean"] < place["high"]
    moves = [event["move_number"] for event in replay(tmp_path / "cup", 7)["events"] if "move" in event]
    assert len(moves) == 2
    assert min(moves) >= 70000


def test_bots_name_moves_of_any_number(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'hello': print(json.dumps({'type': 'ready', 'protocol': 1}), flush=True)\n"
        "    if said['type'] == 'ask':\n"
        "        print(json.dumps({'type': 'move', 'ask': said['ask'], 'move': said['moves'][-1]}), flush=True)\n"
    )
    game, name = odd(tmp_path), f"python3 {bot}"
    setting = settle(game, [name], [[0]], games=3, seed=1, limits=Limits())
    run(tmp_path / "cup", setting)
    told = replay(tmp_path / "cup", 1)
    assert not told["faults"], told["faults"]
    assert [event["move_number"] for event in told["events"] if "move" in event] == [70299, 70299]


def test_heavy_weights(tmp_path: Path) -> None:
    """Weights that add up to more than 2**31 are drawn as they should be; beyond 2**63 they are refused."""
    for heavy, share in ((2**31, 1.0), (2**40, 1.0), (2**62, 1.0), (2**31 - 1, 1.0)):
        game = odd(tmp_path, heavy=heavy)
        assert hazard.match(game, "random", games=200).payoffs[0][0] == pytest.approx(30 + 40 * share, abs=0.1)
        rng = np.array([1, 2, 3, 4], np.uint64)
        assert game.start().roll(rng).text == "2"


def test_too_heavy_weights_are_refused(tmp_path: Path) -> None:
    text = ODD.replace("return g.heavy if i == 2 else 1", "return 4611686018427387904")
    game = hazard.game(write(tmp_path, name="heavy.py", text=text))
    with pytest.raises(OverflowError, match="add up to more than"):
        hazard.match(game, "random", games=10)


def test_players_of_any_number(tmp_path: Path) -> None:
    """Three players whose payoffs do not add up."""
    changes = (
        ("    players: int = 1", "    players: int = 3"),
        ("return State(0, s.stage + 1, s.card, s.named +", "return State(s.stage % 3, s.stage + 1, s.card, s.named +"),
        ("return 30.0 + 10.0 * s.card - s.named / 70000.0", "return -5.0 + seat * s.card"),
    )
    game = hazard.game(write(tmp_path, *changes, name="three.py", text=ODD))
    result = hazard.match(game, "random", "random", "random", games=600)
    for (mean, _), (low, high) in zip(result.payoffs, result.intervals, strict=True):
        assert low < mean < high
    assert sum(mean for mean, _ in result.payoffs) == pytest.approx(-15 + 3 * 2.5, abs=0.5)
