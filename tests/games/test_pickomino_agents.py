"""Pickomino's players: the programs of the paper by hand-made decisions and published matches, and `turn`.

The paper is N. Chetcuti-Sperandio, F. Delorme, S. Lagrue, D. Stackowiak, "Determination and Evaluation of Efficient
Strategies for a Stop or Roll Dice Game" (CIG 2008); its example roll is 1, 5, 5, 5, 5 and three worms.
"""

from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.arena.play.compiled import line_up
from hazard.dice import stream
from hazard.games.pickomino.players.programs import PROGRAMS, PUBLISHED
from hazard.games.pickomino.players.turn_player import turn
from hazard.games.pickomino.rules import Params, State
from hazard.games.pickomino.turn.tables import states_of
from hazard.jit import rule
from tests.fresh import run_python

FULL = "centre 21-36 stacks - / - turned -"


def make(**parameters: int | str) -> hazard.Game:
    return hazard.game("pickomino", **parameters)


# --- programs --------------------------------------------------------------------------------------------------------
def asked(agent: str, text: str, seed: int = 1, **parameters: int | str) -> str:
    game = make(**parameters)
    numbers, memory = seat_agents(game, [agent])
    return agent_move(game.parse(text), numbers[0], memory[0], stream(seed))


@pytest.mark.parametrize(
    ("agent", "kept", "rolled", "move"),
    [
        ("s1", "-", "114555ww", "keep ww"),  # worms first
        ("s2", "-", "114555ww", "keep 555"),  # unless there are more fives
        ("s2", "-", "114455ww", "keep ww"),
        ("s1", "ww", "112355", "keep 55"),
        ("s1", "33", "24555w", "keep w"),
        ("s2", "5ww", "11124", "keep 4"),  # the highest face
        ("s2", "ww", "1345ww", "keep 5"),
        ("s3", "-", "1114445w", "keep 444"),  # Table I: 29 against 23, 27.4 and 27
        ("s3", "-", "2222333w", "keep w"),  # 27 for the threes and for the worm: the higher face
        ("s3", "-", "1111115w", "keep 5"),  # 27.4 against 27
    ],
)
def test_faces_chosen_by_rule(agent: str, kept: str, rolled: str, move: str) -> None:
    assert asked(agent, f"p1 kept {kept} rolled {rolled} {FULL}") == move


def test_s1_takes_any_other_face() -> None:
    text = f"p1 kept 5ww rolled 11124 {FULL}"
    assert {asked("s1", text, seed) for seed in range(40)} == {"keep 111", "keep 2", "keep 4"}


@pytest.mark.parametrize("agent", ["s1", "s2", "s3", "mc-exact", "mcr4-exact"])
def test_those_that_stop_when_they_can(agent: str) -> None:
    assert asked(agent, f"p1 kept 55www {FULL}") == "take 25"
    assert asked(agent, "p1 kept 55www centre 21-24,26-36 stacks - / 25 turned -") == "steal 25 from p2"
    assert asked(agent, f"p1 kept 15555 rolled 2ww {FULL}") == "keep ww"


RISKS = {  # dice aside, and the chance that none of the other dice shows a new face, in percent
    "555ww": 100 * (2 / 6) ** 3,
    "555www": 100 * (2 / 6) ** 2,
    "45555w": 25.0,
    "34455w": 100 * (4 / 6) ** 2,
    "455555w": 50.0,
    "345555w": 100 * (4 / 6),
}


@pytest.mark.parametrize(("agent", "limit"), [("mcp5", 5), ("mcp10", 10), ("mcp25", 25), ("mcp50", 50)])
def test_rolls_on_up_to_a_risk(agent: str, limit: float) -> None:
    """Formula (3) of the paper; at the limit the program rolls on."""
    for kept, risk in RISKS.items():
        move = asked(f"{agent}-exact", f"p1 kept {kept} {FULL}")
        assert (move == "roll") == (risk <= limit), (kept, risk, move)


def test_risks_of_5_and_10_percent_are_one() -> None:
    """With eight dice a tile takes five dice at least, and then no risk lies between 3.7 % and 11.1 %."""
    risks = {
        (faces.bit_count() / 6) ** left for left, faces, score in states_of(8) if left and score > 20 and faces >> 5 & 1
    }
    assert not [risk for risk in risks if 0.05 < risk <= 0.10]
    mine, theirs = (line_up(make(), [name, "s3"], seed=3).play(0, 400) for name in ("mcp5-exact", "mcp10-exact"))
    assert (mine.payoffs == theirs.payoffs).all()
    assert (mine.lengths == theirs.lengths).all()


@pytest.mark.parametrize("agent", ["mc4", "mc4c"])
@pytest.mark.parametrize(
    ("centre", "turned", "risky"),
    [
        ("21,23", "22,24-36", True),  # two little tiles
        ("21,26", "22-25,27-36", True),
        ("21-23", "24-36", False),  # an odd number
        ("21", "22-36", False),
        ("21,27", "22-26,28-36", False),  # 27 is a hard one
        ("21-24", "25-36", False),  # more than three
    ],
)
def test_more_risk_near_the_end(agent: str, centre: str, turned: str, risky: bool) -> None:
    text = f"p1 kept 45555w centre {centre} stacks - / - turned {turned}"  # a risk of 25 %
    assert (asked(f"{agent}-exact", text) == "roll") == risky
    assert asked("mc4pr10-exact", text) != "roll"


def test_mc2_takes_from_the_centre() -> None:
    text = "p1 kept 55www centre 21-24,26-36 stacks - / 25 turned -"
    assert asked("mc2-exact", text) == "take 24"
    assert asked("mc-exact", text) == "steal 25 from p2"


def test_rolls_on_by_the_dice_left() -> None:
    assert asked("mcr2-exact", f"p1 kept 45555w {FULL}") == "roll"
    assert asked("mcr2-exact", f"p1 kept 455555w {FULL}") == "take 34"
    assert asked("mcr4-exact", f"p1 kept 45555w {FULL}") == "take 29"
    assert asked("mcr4-exact", f"p1 kept 445www {FULL}", dice=10) == "roll"
    assert asked("mcr4-exact", f"p1 kept 3445www {FULL}", dice=10) == "take 31"


def test_faces_chosen_by_trees() -> None:
    """The paper's example roll: formula (2) takes worms; and a tile that is there at once comes first."""
    text = f"p1 kept - rolled 15555www {FULL}"
    assert {asked(agent, text) for agent in ("mcc", "mcc-exact", "mc", "mc1000it")} == {"keep www"}
    assert asked("mc-exact", f"p1 kept 5555 rolled 12ww {FULL}") == "keep ww"
    assert asked("mcc-exact", f"p1 kept 444w rolled 2255 {FULL}") == "keep 55"


def test_trees_are_as_published() -> None:
    assert len(PUBLISHED) == 20
    trees = {name: program.trees for name, program in PUBLISHED.items() if name.startswith("mc")}
    assert {name for name, n in trees.items() if n != 500} == {"mc100it", "mc1000it"}
    assert (trees["mc100it"], trees["mc1000it"]) == (100, 1000)
    assert all(PROGRAMS[name].trees == 0 for name in PROGRAMS if name.endswith("-exact"))


# --- matches ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("first", "second", "wins"),
    [
        ("mc-exact", "s2", 11822),
        ("mc-exact", "mc2-exact", 10866),
        ("mcp10-exact", "mc-exact", 10333),
        ("mcp25-exact", "mc-exact", 9132),
        ("mc4c-exact", "mc-exact", 10513),
    ],
)
def test_matches_of_table_viii(first: str, second: str, wins: int) -> None:
    """Cells that come out, of 20,000 each; the published figure has an error of its own."""
    found = line_up(make(), [first, second], seed=1, shared=False).play(0, 20_000).payoffs
    ours = found[::2, 0].sum() + found[1::2, 1].sum()
    assert abs(ours - wins) < 4 * sqrt(2 * 20_000 * 0.25)


def test_the_first_player_wins_a_little_more() -> None:
    """The paper (III.C) has 50.6 % of 30,000 matches of programs against themselves."""
    won = line_up(make(), ["s3", "s3"], seed=1, shared=False).play(0, 40_000).payoffs[:, 0].mean()
    assert abs(won - 0.506) < 4 * sqrt(0.25 / 40_000 + 0.25 / 30_000)


# --- turn ------------------------------------------------------------------------------------------------------------
@rule
def decide_afresh(g: Params, log: Any, moves: Any, memory: Any, rng: Any, out: Any) -> None:
    """What `turn` does in positions of a log if it keeps nothing from one decision to the next."""
    for n in range(out.size):
        for row in range(g.scratch.turns.keys.shape[0]):
            g.scratch.turns.keys[row, 1] = -1
        a = log[n]
        out[n] = turn(g, State(a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]), moves, memory, rng)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [{}, {"players": 3, "tiles": 6}])
def test_turn_plays_the_same_with_rows_kept_or_not(parameters: dict[str, int | str]) -> None:
    game = make(**parameters)
    who = line_up(game, ["turn"] * game.seats, seed=2)
    _, log = who.play_and_record(0, 30)
    out = np.zeros(len(log), np.int64)
    room = np.zeros(6, np.int64), np.zeros(1, np.uint8), stream(1)
    game.compiled(decide_afresh)(game.table, log, *room, out)
    assert len(log) > 500
    assert (out == log[:, 0]).all()


def test_turn_beats_the_best_of_the_programs() -> None:
    won = line_up(make(), ["turn", "mc4c-exact"], seed=1, shared=False).play(0, 2_000).payoffs
    share = (won[::2, 0].sum() + won[1::2, 1].sum()) / 2_000
    assert share > 0.60


def test_turn_takes_the_tile_that_wins() -> None:
    """Not the one with the most worms: the last tile ends the game."""
    assert asked("turn", "p1 kept 55www centre 24 stacks 21,22,23 / 25 turned 26-36") == "take 24"
    assert asked("turn", "p1 kept 55www centre 24,26 stacks 21,22,23 / 25 turned 27-36") == "steal 25 from p2"


# --- compiled and not ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("agent", ["s1", "s2", "s3", "mc100it", "mc3-exact", "mcsf-exact", "mc-column-exact", "turn"])
def test_agents_are_the_same_without_compiling(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    games = 2 if make().agents[agent].slow else 6
    found = []
    for jit in ("1", "0"):
        monkeypatch.setenv("HAZARD_JIT", jit)
        found.append(hazard.match(make(tiles=4, dice=6), agent, "random", games=games, seed=4))
    assert found[0] == found[1]


@pytest.mark.slow
def test_nothing_is_read_out_of_bounds(tmp_path: Path) -> None:
    """Compiled code does not check indices unless told to; here it is told to, with the most and the fewest dice."""
    code = (
        "import hazard\n"
        "for players, tiles, dice in ((2, 16, 8), (7, 16, 10), (3, 1, 1), (2, 3, 5)):\n"
        "    game = hazard.game('pickomino', players=players, tiles=tiles, dice=dice)\n"
        "    for agent in ('s1', 's2', 's3', 'mc100it', 'mc3-exact', 'mc4c-exact', 'turn', 'random'):\n"
        "        others = ['turn', 's1', 'mc3-exact', 'random', 's2', 's3'][: players - 1]\n"
        "        hazard.match(game, agent, *others, games=2 * players)\n"
    )
    run_python(code, tmp_path, NUMBA_BOUNDSCHECK="1")
