"""Advice on Pickomino, and what its solver and adviser refuse, as a user meets them on the command line."""

import json
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest

import hazard
from hazard.analysis.advice import advise_report
from hazard.cli import main
from hazard.games.pickomino.solver import advice
from hazard.games.pickomino.turn.endings import Turn, after_move
from hazard.games.pickomino.turn.states import NEVER
from hazard.solving.solution import solved

Run = Callable[..., str]
ROLLED = "p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -"
STOP = "p1 kept 444ww centre 21,23,25-36 stacks 24 / 22 turned -"
SMALL = "p1 kept 44w rolled 12235 centre 22-24 stacks - / 21 turned -"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", ["hazard", *words])
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        assert (end.value.code or 0) == code, out + err
        if code:
            assert not out
            assert err.startswith("hazard: ")
            assert len(err.splitlines()) == 1
        return err if code else out

    return run


def advised(command: Run, position: str, *words: str) -> dict:
    return json.loads(command("advise", "pickomino", position, *words, "--json"))


UNKNOWN = "p1 kept 44w rolled 1223 centre 22-24,27-30 stacks 25 / 26 turned 21"  # neither solved nor learnt
OTHER = ("-p", "tiles=10", "-p", "dice=7")
SAMPLE = ("--rollouts", "200")


# --- advice ----------------------------------------------------------------------------------------------------------
def check_chances(rows: list[dict]) -> None:
    """Endings add up, and a turn that is played for one tile alone gets it at least as often."""
    for row in rows:
        assert sum(row["endings"].values()) == pytest.approx(1, abs=1e-12)
        tiles = {tile: chance for tile, chance in row["endings"].items() if tile != "fail"}
        assert 0 < row["endings"]["fail"] < 1
        assert all(row["best_chances"][tile] >= chance - 1e-12 for tile, chance in tiles.items())


def test_after_a_roll_each_face_has_its_chances(command: Run) -> None:
    found = advised(command, ROLLED)
    assert {row["move"] for row in found["moves"]} == {"keep 1", "keep 22", "keep 3", "keep 5"}
    values = [row["value"] for row in found["moves"]]
    assert values == sorted(values, reverse=True)
    for row in found["moves"]:
        assert (row["known"], row["lower"], row["upper"]) == ("network", None, None)
        assert row["cost"] == pytest.approx(values[0] - row["value"])
    check_chances(found["moves"])


def test_games_that_are_neither_solved_nor_learnt(command: Run) -> None:
    """Values are those of rollouts; endings are worked out for what `turn` counts."""
    found = advised(command, UNKNOWN, *OTHER, *SAMPLE)
    assert {row["move"] for row in found["moves"]} == {"keep 1", "keep 22", "keep 3"}
    for row in found["moves"]:
        assert row["known"] == "rollout"
        assert 0 <= row["lower"] < row["value"] < row["upper"] <= 1
    check_chances(found["moves"])
    shown = command("advise", "pickomino", UNKNOWN, *OTHER, *SAMPLE)
    assert "a failure gives 25 back (2 worms) and turns 30 down" in shown
    assert "rollout +- 0.1" in shown or "rollout +- 0.07" in shown


def test_turn_counts_worms_where_nothing_is_known() -> None:
    """Worms, twice for the stolen 26, less the two of its own 25; endings are those of a turn played for these."""
    position = hazard.game("pickomino", tiles=10, dice=7).parse(UNKNOWN)
    ends, found = advice.values_of_endings(position), advice.advise(position)
    turn = Turn(7, ends)
    for name, m in zip(position.moves, position.legal(), strict=True):
        chances = found.moves[name]["endings"]
        worth = {tile: ((int(tile) - 21) // 4 + 1) * (2 if tile == "26" else 1) for tile in chances if tile != "fail"}
        total = sum(chances[tile] * worms for tile, worms in worth.items()) - 2 * chances["fail"]
        assert turn.value(*after_move(position.game.g, position.state, m)) == pytest.approx(total, abs=1e-12)


def turned(command: Run, *words: str) -> dict:
    settings = [x for word in ("mode=turn", *words) for x in ("-p", word)]
    return json.loads(command("solve", "pickomino", *settings, "--json"))


def test_the_chance_of_one_tile_is_that_of_its_scores(command: Run) -> None:
    """Of 22, and of 26 to be stolen, just that score; 24 is also had with 25 and 26, which are not in the centre."""
    chances = {row["move"]: row["best_chances"] for row in advised(command, ROLLED)["moves"]}
    for tile in ("22", "24", "26"):
        for row in turned(command, f"target={tile}", "exactly=true", "kept=44w", "rolled=12235")["choices"]:
            just, best = float(Fraction(row["fraction"])), chances[row["move"]].get(tile, 0)
            assert best > just + 0.01 if tile == "24" else best == pytest.approx(just, abs=1e-12)


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endings are valued as in games that the network has not learnt."""

    def refuse(position: hazard.Position) -> None:
        raise hazard.errors.BadInput("not learnt")

    monkeypatch.setattr(advice.master, "values_of_endings", refuse)


@pytest.mark.usefixtures("without_network")
def test_before_a_roll_it_is_a_tile_or_what_is_at_stake(command: Run) -> None:
    found = advised(command, STOP)
    rows = {row["move"]: row for row in found["moves"]}
    assert set(rows) == {"steal 22 from p2", "take 21", "roll"}
    assert rows["take 21"]["best_chances"] == {"21": 1.0}
    assert rows["steal 22 from p2"]["endings"] == {"22": 1.0, "fail": 0.0}
    assert 1 / 27 < rows["roll"]["endings"]["fail"] < 1 / 8  # three dice that show fours and worms, and what may follow
    assert found["at_stake"] == {"given_back": 24, "worms": 1, "turned_down": 36, "ends_the_game": False}
    shown = command("advise", "pickomino", STOP)
    assert "a failure gives 24 back (1 worm) and turns 36 down" in shown
    assert "likely endings" in shown
    assert f"fail: {rows['roll']['endings']['fail']:.0%}" in shown


def test_small_games_are_advised_exactly(command: Run) -> None:
    game = hazard.game("pickomino", tiles=4)
    found = advised(command, SMALL, "-p", "tiles=4")
    exact = {row.move: row for row in solved(game).advise(game.parse(SMALL))}
    for row in found["moves"]:
        assert row["known"] == "exact"
        assert {name: row[name] for name in hazard.Advice._fields} == exact[row["move"]]._asdict()
        assert sum(row["endings"].values()) == pytest.approx(1, abs=1e-12)
    assert found["at_stake"] == {"given_back": None, "worms": 0, "turned_down": None, "ends_the_game": False}


def test_a_failure_may_cost_nothing_or_end_the_game(command: Run) -> None:
    last = "p2 kept 444ww centre 21 stacks - / - turned 22-24"
    turned = command("advise", "pickomino", last, "-p", "tiles=4", "-p", "empty=turn")
    assert "a failure turns 21 down and ends the game" in turned
    assert "a failure costs nothing" in command("advise", "pickomino", last, "-p", "tiles=4")


def network_values(text: str) -> list[float]:
    game = hazard.game("pickomino")
    rows = advise_report(game, text, 1e-9, None, None, None)["moves"]
    assert {row["known"] for row in rows} == {"network"}
    return [row["value"] for row in rows]


def test_the_network_values_endings() -> None:
    """Where the game is not solved the network is asked, if it has learnt such a game; what it says is of use."""
    assert all(0 < value < 1 for value in network_values(ROLLED))
    ends = advice.values_of_endings(hazard.game("pickomino").parse(ROLLED))
    assert NEVER not in ends[[22, 41 + 26, -1]]  # a tile of the centre, one to steal, a failure
    ahead, behind = (
        network_values(f"p1 kept 55www centre 21-24 stacks {a} / {b} turned 25,27-34")[0]
        for a, b in (("36,35", "26"), ("26", "36,35"))
    )
    assert ahead > 0.6 > 0.4 > behind


@pytest.mark.parametrize("agent", ["s2", "mc-exact"])
def test_rollouts_are_still_to_be_had(command: Run, agent: str) -> None:
    """Also of a game that is solved, and by any agent; endings stay those of exact play."""
    found = advised(command, SMALL, "-p", "tiles=4", *SAMPLE, "--agent", agent)
    assert {row["known"] for row in found["moves"]} == {"rollout"}
    exact = {row["move"]: row for row in advised(command, SMALL, "-p", "tiles=4")["moves"]}
    for row in found["moves"]:
        assert row["endings"] == exact[row["move"]]["endings"]
        assert abs(row["value"] - exact[row["move"]]["value"]) < 0.25


# --- other commands --------------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_solve_and_grade_on_the_command_line(command: Run) -> None:
    found = json.loads(command("solve", "pickomino", "-p", "tiles=3", "--json"))
    assert found["value"][0] + found["value"][1] == pytest.approx(1)
    assert found["lower"][0] < found["value"][0] < found["upper"][0]
    assert found["states"] == 36
    graded = json.loads(command("grade", "pickomino", "s3", "-p", "tiles=3", "--games", "200", "--json"))
    assert graded["sampled_loss_per_game"]["low"] > 0
    for slip in graded["costliest"]:
        assert hazard.game("pickomino", **graded["parameters"]).parse(slip["position"]).moves


REFUSED = [
    ("solve -p tiles=9", "tiles=9: 12,573,061 arrangements of tiles, which would take about 5 hours and"),
    ("solve", "tiles=16: "),
    ("solve -p tiles=4 -p players=3", "players=3: solving is for two players"),
    ("solve -p tiles=5 -p dice=5 -p empty=keep", "empty=keep with dice=5: games need not end"),
    ("solve -p tiles=4 --tolerance 1e-13", "--tolerance 1e-13: must be from 1e-10 to 1"),
    ("solve -p tiles=4 -p kept=44w", "kept=44w: is for one turn; add -p mode=turn"),
    ("solve -p mode=turn -p target=41", "target=41: 8 dice score 40 at most"),
    ("solve -p mode=turn -p target=51", "target=51: must be from 1 to 50"),
    ("solve -p mode=turn -p target=4 -p exactly=true", "target=4: no 8 dice with a worm score just that"),
    ("solve -p mode=turn -p exactly=maybe", "exactly=maybe: must be one of false, true"),
    ("solve -p mode=turn -p kept=4w4", "kept 4w4: face 4 is set aside twice"),
    ("solve -p mode=turn -p kept=47", "kept 47: dice are written as 1 to 5 and w"),
    ("solve -p mode=turn -p kept=444444444", "kept 444444444: 9 dice, but there are 8"),
    ("solve -p mode=turn -p kept=44w -p rolled=1223", "rolled 1223: 4 dice, but 3 are aside, so 5 are rolled"),
    ("solve -p mode=turn -p kept=44w -p rolled=4w4w4", "rolled 4w4w4: no face that is not aside already"),
    ("grade s3", "tiles=16: 1,409,010,390,578,159 arrangements of tiles"),
    ("match optimal s3", "tiles=16: "),
    ("match optimal s3 -p tiles=8", "solving takes minutes or more; begin with `hazard solve pickomino"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED, ids=[words for words, _ in REFUSED])
def test_what_cannot_be_is_refused(command: Run, words: str, said: str) -> None:
    first, *rest = words.split()
    assert said in command(first, "pickomino", *rest, code=2)


POSITIONS = [
    ("p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 25 turned 26", "tile 25 is in two places"),
    ("p1 kept 44w rolled 12235 centre 21-36 stacks 25 / - turned -", "tile 25 is in two places"),
    ("p1 kept 44w rolled 12235 centre 21-24 stacks - / - turned 26-36", "tile 25 is nowhere"),
    ("p1 kept 44w rolled 122355 centre 21-36 stacks - / - turned -", "rolled 122355: 6 dice, but 3 are aside"),
    ("p1 kept 44444444w rolling centre 21-36 stacks - / - turned -", "kept 44444444w: 9 dice, but there are 8"),
    ("p1 kept 4w4 rolled 12235 centre 21-36 stacks - / - turned -", "face 4 is set aside twice"),
    ("p1 kept 44w rolled 12235 centre 21-36 stacks - / - / - turned -", "3 stacks, but there are 2 players"),
    ("p3 kept 44w rolled 12235 centre 21-36 stacks - / - turned -", "p3 is not a player; players are p1 to p2"),
    ("p1 kept 44w rolling centre 21-36 stacks - / - turned -", "nothing to decide: the dice are in the air"),
    ("p1 kept - centre - stacks 36,21 / - turned 22-35", "nothing to decide: the game is over"),
]


@pytest.mark.parametrize(("position", "said"), POSITIONS)
def test_impossible_positions_are_refused(command: Run, position: str, said: str) -> None:
    assert said in command("advise", "pickomino", position, code=2)
