"""The player that learnt: what it sees, what its network works out, what it learns from, and how strong it is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard.agents.seating import agent_move, seat_agents
from hazard.analysis.advice import advise_report
from hazard.dice import stream
from hazard.errors import BadInput
from hazard.games.pickomino.players import learn
from hazard.games.pickomino.players.features import VERSION, inputs, most_on, see
from hazard.games.pickomino.players.master import CHANCES, judge, values_of_endings, weights_of
from hazard.games.pickomino.players.network import value
from hazard.games.pickomino.rules import State
from hazard.games.pickomino.turn.endings import Turn, after_move
from hazard.learning.network import chances, fresh
from hazard.learning.weights import as_memory, read

SHIPPED = Path(learn.__file__).parents[1] / "weights"
REACH_21 = 0.893026737151  # the best chance of 21 or more in a turn, worked out with rational numbers elsewhere
MIDDLE = "p1 kept - rolling centre 21-24,27-30 stacks 25,31 / 26 turned 32-36"


def some_layers(players: int, seed: int = 1) -> list[np.ndarray]:
    """Weights at random, large enough for chances to differ."""
    layers = fresh([inputs(players), 64, 32, players], 20, np.random.default_rng(seed))
    return [x * np.float32(4 if n == 4 else 1) for n, x in enumerate(layers)]


def practised(game: hazard.Game, rows: int, layers: list[np.ndarray]) -> learn.Lesson:
    return replace(learn.subject(game), practised=rows).practise(as_memory(layers), 3)


def seen_in(game: hazard.Game, s: State) -> set[int]:
    room = np.zeros(64, np.int64)
    return {int(x) for x in room[: see(game.g, s, room)]}


# --- what it sees ----------------------------------------------------------------------------------------------------
def test_what_is_seen_of_a_table() -> None:
    game = hazard.game("pickomino")
    centre = {0, 1, 2, 3, 6, 7, 8, 9}
    facts = {16 + 0, 32 + 9, 48 + 8 - 1, 64 + 4 * 1 + 2 * 2 + 2 * 3 - 1}  # lowest, highest, how many, their worms
    mine, yours = 104, 104 + 294
    first = {mine + 11, mine + 17 + 5, mine + 34 + 5, mine + 60 + 9 + 3}  # top 31, then 25, worms 2 + 3, ahead by 3
    second = {yours + 6, yours + 17, yours + 34 + 2, yours + 60 + 8 - 3}
    assert seen_in(game, game.parse(MIDDLE).state) == centre | facts | first | second


def test_what_is_seen_near_the_end() -> None:
    """Leads as they stand, with the centre's highest tile, without the own top tile, and after a steal."""
    game = hazard.game("pickomino")
    seen = seen_in(game, game.parse("p1 kept - rolling centre 23 stacks 25,31 / 26 turned 21-22,24,27-30,32-36").state)
    mine, yours = 104 + 78, 104 + 294 + 78
    assert {n for n in seen if mine <= n < mine + 216} == {
        mine + 9 + 3,
        mine + 54 + 9 + 4,
        mine + 108 + 8,
        mine + 162 + 9 + 7,
    }
    assert {n for n in seen if yours <= n} == {
        yours + 8 - 3,
        yours + 54 + 8 - 2,
        yours + 108 + 8 - 5,
        yours + 162 + 9 + 3,
    }


@pytest.mark.parametrize("players", [2, 3, 7])
def test_tables_that_differ_in_who_sits_where_look_the_same(players: int) -> None:
    """Seats are seen from the mover on."""
    game = hazard.game("pickomino", players=players)
    stacks = ["25,31", "26", "22", "-", "34,23", "29", "-"][:players]
    held = [int(tile) for stack in stacks for tile in stack.split(",") if tile != "-"]
    centre = ",".join(str(tile) for tile in range(21, 37) if tile not in held)
    views = []
    for turn in range(players):
        seated = " / ".join(stacks[-turn:] + stacks[:-turn])
        position = game.parse(hazard_text(turn, centre, seated))
        views.append(seen_in(game, position.state))
    assert all(view == views[0] for view in views)
    assert len(views[0]) <= most_on(players)
    assert max(views[0]) < inputs(players)


def hazard_text(turn: int, centre: str, stacks: str) -> str:
    tiles = [int(tile) for tile in centre.split(",")]
    parts: list[list[int]] = []
    for tile in tiles:
        if parts and parts[-1][-1] == tile - 1:
            parts[-1].append(tile)
        else:
            parts.append([tile])
    ranges = ",".join(str(p[0]) if len(p) == 1 else f"{p[0]}-{p[-1]}" for p in parts)
    return f"p{turn + 1} kept - rolling centre {ranges} stacks {stacks} turned -"


# --- what it works out -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 4])
def test_compiled_and_plain_networks_agree(players: int) -> None:
    game = hazard.game("pickomino", players=players)
    layers = some_layers(players)
    position = game.parse(MIDDLE.replace(" turned", " / -" * (players - 2) + " turned"))
    room = np.full(most_on(players), inputs(players))
    see(game.g, position.state, room)
    right = chances(layers, room[None])[0]
    for run in (game.compiled(judge), game.plain(judge)):
        game.table.scratch.turns.neurons[:] = np.nan
        run(game.table, position.state, as_memory(layers))
        assert game.table.scratch.turns.neurons[CHANCES : CHANCES + players] == pytest.approx(right, rel=1e-4)
    assert right.max() - right.min() > 0.01


def test_other_weights_do_not_find_the_rows_of_these() -> None:
    game = hazard.game("pickomino")
    plays = []
    for seed in (1, 2, 1):
        lesson = practised(game, 200, some_layers(2, seed))
        plays.append(lesson.targets)
    assert np.array_equal(plays[0], plays[2])
    assert not np.allclose(plays[0][0], plays[1][0])


# --- what it learns from ---------------------------------------------------------------------------------------------
def test_the_last_tile_is_valued_exactly_whatever_the_weights() -> None:
    """With one tile a turn either wins, or turns that tile down and leaves the game to nobody."""
    game = hazard.game("pickomino", tiles=1, empty="turn")
    for seed in (1, 2):
        lesson = practised(game, 3, some_layers(2, seed))
        assert lesson.targets[:, 0] == pytest.approx((1 + REACH_21) / 2, abs=1e-6)
        assert lesson.games == 4  # each of the three ended, and another was begun


@pytest.mark.parametrize("players", [3, 5])
def test_targets_are_shares_of_one(players: int) -> None:
    game = hazard.game("pickomino", players=players, tiles=1, empty="turn")
    lesson = practised(game, 2, some_layers(players))
    assert lesson.targets.sum(axis=1) == pytest.approx(1)
    assert lesson.targets[:, 0] == pytest.approx(REACH_21 + (1 - REACH_21) / players, abs=1e-6)
    assert lesson.targets[:, 1] == pytest.approx((1 - REACH_21) / players, abs=1e-6)


def test_watched_games_add_up() -> None:
    game = hazard.game("pickomino", players=3)
    lesson = replace(learn.subject(game), watched=2000).watch(5)
    assert 1500 < len(lesson.seen) <= 2000
    assert lesson.targets.sum(axis=1) == pytest.approx(1)
    wins = lesson.targets.sum(axis=0)
    assert wins.min() > 0.2 * len(lesson.seen)  # whoever moves, all win about as often


# --- how it plays ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", range(2, 8))
def test_weights_ship_for_every_number_of_players(players: int) -> None:
    game = hazard.game("pickomino", players=players)
    memory = weights_of(game)
    note, _ = read(SHIPPED / f"{players}.bin")
    assert note.parameters["players"] == players
    assert (note.rules, note.features) == (game.version, VERSION)
    assert note.command.startswith("hazard learn pickomino")
    assert list(memory.view(np.float32)[1:4]) == note.sizes[:3]


def test_a_win_at_hand_is_taken_and_a_loss_is_not() -> None:
    """The last tile: whoever takes it with more worms wins, whoever would lose by taking it rolls on for a steal."""
    game = hazard.game("pickomino", tiles=6)
    (number,), (memory,) = seat_agents(game, ["master"])
    ahead = game.parse("p1 kept 44444w centre 21 stacks 25 / 22 turned 23-24,26")
    assert agent_move(ahead, number, memory, stream(1)) == "take 21"
    behind = game.parse("p1 kept 4444w centre 21 stacks - / 25,26,22,23 turned 24")
    assert agent_move(behind, number, memory, stream(1)) == "roll"


def test_it_beats_the_player_of_exact_turns() -> None:
    found = hazard.match(hazard.game("pickomino"), "master", "turn", games=2000, seed=3)
    mean, error = found.payoffs[0]
    assert error is not None
    assert mean > 0.5 + 3 * error


@pytest.mark.parametrize("players", [3, 5])
def test_it_wins_the_most_among_several(players: int) -> None:
    """More than its share, against a table of `turn`."""
    found = hazard.match(
        hazard.game("pickomino", players=players), "master", *["turn"] * (players - 1), games=2100, seed=3
    )
    mean, error = found.payoffs[0]
    assert error is not None
    assert mean > 1 / players + 2 * error


def test_weights_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAZARD_WEIGHTS", str(SHIPPED / "2.bin"))
    assert np.array_equal(weights_of(hazard.game("pickomino")), weights_of(hazard.game("pickomino", tiles=5)))
    with pytest.raises(BadInput, match=r"2\.bin: made with layers of \[692, 64, 32, 2\], not \[986, 64, 32, 3\]"):
        weights_of(hazard.game("pickomino", players=3))
    monkeypatch.setenv("HAZARD_WEIGHTS", str(tmp_path / "none.bin"))
    with pytest.raises(BadInput, match=r"none\.bin: cannot be read"):
        weights_of(hazard.game("pickomino"))


@pytest.mark.parametrize("players", [2, 4])
def test_the_chances_of_all_seats_come_from_the_same_values_as_advice(players: int) -> None:
    game = hazard.game("pickomino", players=players)
    stacks = " / ".join(["25", "26", *["-"] * (players - 2)])
    position = game.parse(f"p1 kept 44w rolled 12235 centre 21-24,27-36 stacks {stacks} turned -")
    after = {move: value(position.move(move)) for move in position.moves}
    advised = {row["move"]: row["value"] for row in advise_report(game, str(position), 1e-9, None, None, None)["moves"]}
    assert {move: chances[0] for move, chances in after.items()} == pytest.approx(advised, abs=1e-6)
    turn = Turn(game.g.dice, values_of_endings(position))
    worked_out = [turn.value(*after_move(game.table, position.state, m)) for m in position.legal()]
    assert [advised[move] for move in position.moves] == pytest.approx(worked_out, abs=1e-6)
    assert value(position) == max(after.values())
    assert [sum(chances) for chances in after.values()] == pytest.approx([1.0] * len(after), abs=1e-6)
