"""Dice of Doom: boards, rules and texts, against slow oracles and the thesis' figures.

The thesis is P. van den Berg, "Exploring Optimal Strategies for Dice of Doom" (Leiden, 2023).
"""

from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import hazard
from hazard import contract, dice
from hazard.bits import count, largest_region
from hazard.errors import BadInput
from hazard.games.dice_of_doom.boards import name_of, neighbours, read_board
from hazard.games.dice_of_doom.tiles import dice_on, owned, widths
from hazard.rulebook import Position

BOARDS = ("1x2", "3x3", "2x5", "triangle:4", "map:aab,c.bd,cee", "4x8")
EXAMPLE = "3x3 r2 b1 r5 / b3 b1 r1 / r2 r2 b4 | r to move, first attack"


def make(board: str = "3x3", **parameters: int | str) -> hazard.Game:
    return hazard.game("dice-of-doom", board=board, **parameters)


def walk(game: hazard.Game, seed: int, most: int = 60) -> list[Position]:
    """Positions of a random game, dealt."""
    rng = dice.stream(seed)
    choose = np.random.default_rng(seed)
    found = [Position(game, game.plain(contract.deal)(game.g, rng))]
    while not found[-1].over and len(found) < most:
        here = found[-1]
        if here.rolling:
            found.append(here.roll(rng).position)
        else:
            found.append(here.move(str(choose.choice(here.moves))))
    return found


def after(position: Position, attack: str, outcome: str) -> Position:
    """What follows an attack that is won or lost."""
    return next(o.position for o in position.move(attack).outcomes() if o.text == outcome)


# --- boards --------------------------------------------------------------------------------------------------------
def test_neighbours_are_left_down_left_up_down_up_right_right() -> None:
    assert neighbours(read_board("3x3"))[4] == [3, 6, 1, 7, 2, 5]
    assert neighbours(read_board("triangle:3")) == [[1, 2], [3, 4, 0, 2], [1, 4, 0, 5], [1, 4], [3, 1, 2, 5], [4, 2]]


def test_merged_tiles_have_the_neighbours_of_all_their_hexagons() -> None:
    beside = neighbours(read_board("map:aab,c.b"))
    assert [sorted(some) for some in beside] == [[1, 2], [0], [0]]
    ring = neighbours(read_board("map:abc,adc,aec"))
    assert sorted(ring[0]) == [1, 3, 4]
    assert len(ring[2]) == 3


def test_a_map_is_kept_by_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "island.txt"
    path.write_text("# an island\n  . . Z Z\n   . 7 7 q\n")
    game = hazard.game("dice-of-doom", board=str(path))
    assert game.parameters["board"] == "map:.aa,bbc"
    path.unlink()
    again = hazard.game("dice-of-doom", **game.parameters)
    assert str(again.start()) == str(game.start()) == "map:.aa,bbc r3 - / b3 - r3 | r to move, first attack"


@pytest.mark.parametrize("board", BOARDS)
def test_boards_have_one_name(board: str) -> None:
    assert name_of(read_board(board)) == board


def test_a_map_of_a_plain_board_is_that_board(tmp_path: Path) -> None:
    (tmp_path / "square").write_text("pq\nrs\n")
    (tmp_path / "corner").write_text("...a\n..bc\n....\n")
    assert make(str(tmp_path / "square")).parameters["board"] == "2x2"
    assert make(str(tmp_path / "corner")).parameters["board"] == "triangle:2"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("0x3", "2 to 32 tiles"),
        ("6x6", "2 to 32 tiles"),
        ("triangle:1", "triangle:2 to triangle:7"),
        ("map:ab,c?", "'?' in row 2"),
        ("map:ab,..,cd", "row 3, column 1"),
        ("map:aba", "in several pieces"),
        ("map:a", "2 to 32 tiles, this one 1"),
        ("map:", "2 to 32 tiles, this one 0"),
        ("nowhere.txt", "No such file"),
        ("/", "Is a directory"),
        ("a\0b", "must be rows x columns"),
    ],
)
def test_bad_boards(board: str, said: str) -> None:
    with pytest.raises(BadInput) as problem:
        make(board)
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_file_that_is_no_map(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "novel").write_text("abc\n" * 9000)
    for name, said in (("picture", "not text"), ("novel", "a few short lines")):
        with pytest.raises(BadInput, match=said):
            make(str(tmp_path / name))


def test_bad_parameters() -> None:
    for parameters, said in (
        ({"max_dice": 7, "sides": 20}, "2^31"),
        ({"max_dice": 7}, "6 dice against 7"),
        ({"max_dice": 4, "sides": 3, "turns": 0}, "4 dice of 3 sides cannot lose against 1"),
        ({"board": "1x3", "players": 4}, "only 3 tiles"),
        ({"reinforcement": "many"}, "deterministic, random"),
    ):
        with pytest.raises(BadInput) as problem:
            hazard.game("dice-of-doom", **parameters)  # type: ignore[arg-type]
        assert said in str(problem.value)


# --- rules ---------------------------------------------------------------------------------------------------------
def test_odds_of_a_battle() -> None:
    """Table 1 of the thesis."""
    g = make().g
    printed = {(2, 1): 0.837963, (2, 5): 0.00610497, (3, 3): 0.453575, (4, 5): 0.220442, (5, 1): 0.99985}
    for (a, b), p in printed.items():
        assert g.odds[a, b] == pytest.approx(p, rel=1e-5)
        assert Fraction(int(g.win[a, b]), int(g.every[a, b])) == dice.battle(a, b)


def test_an_attack_won_and_lost() -> None:
    game = make(reinforcement="deterministic")
    start = game.parse(EXAMPLE)
    assert start.moves == ["a1-b1", "a1-a2", "a3-a2", "a3-b2", "c1-b1", "c1-b2", "c2-b2", "c2-c3"]
    won, lost = after(start, "a3-b2", "won"), after(start, "a3-b2", "lost")
    assert str(won) == "3x3 r2 b1 r1 / b3 r4 r1 / r2 r2 b4 | r to move, attack again or end"
    assert str(lost) == "3x3 r2 b1 r1 / b3 b1 r1 / r2 r2 b4 | r to move, attack again or end"
    assert won.moves[-1] == "end"


def test_deterministic_reinforcement_is_in_reading_order_and_lost_on_full_tiles() -> None:
    game = make("1x5", max_dice=3)
    position = game.parse("1x5 r3 r3 r2 b1 r1 | r to move, attack again or end")
    assert str(position.move("end")) == "1x5 r3 r3 r3 b1 r1 | b to move, over, turn 2"
    position = game.parse("1x5 r1 r3 b2 r1 r1 | r to move, attack again or end")
    assert str(position.move("end")) == "1x5 r2 r3 b2 r1 r1 | b to move, first attack, turn 2"


def test_captured_dice_less_one_come_back() -> None:
    game = make("1x4", reinforcement="captured")
    first = after(game.parse("1x4 r1 r5 b3 b2 | r to move, first attack"), "a2-a3", "won")
    assert str(first) == "1x4 r1 r1 r4 b2 | r to move, attack again or end, captured 3"
    assert str(after(first, "a3-a4", "won")) == "1x4 r2 r2 r2 r4 | r to move, over, turn 2"
    assert str(after(first, "a3-a4", "lost")) == "1x4 r2 r2 r1 b2 | b to move, first attack, turn 2"
    nothing = after(game.parse("1x4 r1 r5 b3 b2 | r to move, first attack"), "a2-a3", "lost")
    assert str(nothing) == "1x4 r1 r1 b3 b2 | b to move, first attack, turn 2"


def test_chosen_dice_are_placed_one_by_one() -> None:
    game = make("1x4", max_dice=2, reinforcement="chosen")
    position = game.parse("1x4 r2 r1 b1 b2 | r places 2")
    assert position.moves == ["a1", "a2"]
    assert str(position.move("a1")) == "1x4 r2 r1 b1 b2 | r places 1"
    assert str(position.move("a2")) == "1x4 r2 r2 b1 b2 | b to move, over, turn 2"


def test_weighted_dice_go_to_tiles_by_their_dice() -> None:
    position = make("1x4", reinforcement="weighted").parse("1x4 r1 r4 b5 r5 | r places 2")
    assert {o.text: o.probability for o in position.outcomes()} == {
        "a1": Fraction(1, 10),
        "a2": Fraction(4, 10),
        "a4": Fraction(5, 10),
    }
    even = make("1x4", reinforcement="random").parse("1x4 r1 r4 b5 r5 | r places 2")
    assert [o.probability for o in even.outcomes()] == [Fraction(1, 3)] * 3
    assert [str(o.position) for o in even.outcomes()][2] == "1x4 r1 r4 b5 r5 | r places 1"


def test_the_end_and_ties() -> None:
    game = make("1x3")
    assert game.parse("1x3 r1 b5 b5 | r to move, over").payoffs == (0.0, 1.0)
    four = make("1x4")
    assert four.parse("1x4 r1 r1 b5 b5 | r to move, over").payoffs == (0.5, 0.5)
    with pytest.raises(BadInput, match="nearest position"):
        four.parse("1x4 r1 r2 b5 b5 | r to move, over")


def test_the_limit_of_turns_is_a_tie() -> None:
    game = make("1x3", turns=1)
    end = after(game.parse("1x3 r1 r2 b1 | r to move, first attack"), "a2-a3", "lost")
    assert str(end) == "1x3 r2 r2 b1 | b to move, over, turn 2"
    assert end.payoffs == (1.0, 0.0)  # blue could not attack in any case
    end = after(game.parse("1x3 r1 r2 b2 | r to move, first attack"), "a2-a3", "lost")
    assert end.payoffs == (0.5, 0.5)


def test_players_without_tiles_are_passed_over() -> None:
    game = make("1x4", players=3)
    lost = after(game.parse("1x4 r2 g3 g3 g1 | r to move, first attack"), "a1-a2", "lost")
    assert str(lost) == "1x4 r2 g3 g3 g1 | g to move, first attack, turn 2"
    assert game.parse("1x4 r1 g3 b1 b1 | r to move, over").payoffs == (0.0, 1.0, 0.0)
    with pytest.raises(BadInput, match="b has no tiles"):
        game.parse("1x4 r2 g3 g3 g1 | b to move, first attack")


@pytest.mark.parametrize("board", BOARDS)
def test_the_largest_territory(board: str) -> None:
    game = make(board)
    beside = neighbours(read_board(board))
    for seed in range(20):
        position = walk(game, seed, 1)[0]
        for seat in (0, 1):
            own = {t for t in range(game.g.tiles) if owned(game.g, position.state, seat) >> t & 1}
            sizes = [0]
            while own:
                area, rim = set(), [min(own)]
                while rim:
                    tile = rim.pop()
                    area.add(tile)
                    rim += [t for t in beside[tile] if t in own - area - set(rim)]
                own -= area
                sizes.append(len(area))
            assert count(largest_region(game.g.near, owned(game.g, position.state, seat))) == max(sizes)


@pytest.mark.parametrize("board", ["1x2", "3x3", "triangle:4", "map:aab,c.bd,cee"])
def test_the_largest_territory_of_every_set(board: str) -> None:
    g = make(board).g
    beside = [[t for t in range(g.tiles) if int(near) >> t & 1] for near in g.near]
    assert widths(beside).tolist() == [count(largest_region(g.near, own)) for own in range(1 << g.tiles)]


@pytest.mark.parametrize(("board", "players"), [("3x3", 2), ("1x7", 3), ("4x8", 4), ("2x2", 4)])
def test_equal_shares_are_dealt(board: str, players: int) -> None:
    game = make(board, players=players, initialisation="equal")
    extra: Counter[int] = Counter()
    for seed in range(200):
        state = walk(game, seed, 1)[0].state
        shares = [bin(owned(game.g, state, seat)).count("1") for seat in range(players)]
        assert max(shares) - min(shares) <= 1
        extra.update(seat for seat in range(players) if shares[seat] > min(shares))
    if game.g.tiles % players:
        assert min(extra[seat] for seat in range(players)) > 200 * (game.g.tiles % players) / players / 2


def test_random_boards_are_dealt_evenly() -> None:
    game = make("4x8", max_dice=4)
    owners: Counter[int] = Counter()
    numbers: Counter[int] = Counter()
    for seed in range(100):
        state = walk(game, seed, 1)[0].state
        owners[0] += bin(owned(game.g, state, 0)).count("1")
        numbers.update(dice_on(state, tile) for tile in range(32))
    assert abs(owners[0] - 1600) < 4 * sqrt(3200 / 4)
    assert set(numbers) == {1, 2, 3, 4}
    assert all(abs(n - 800) < 4 * sqrt(3200 * 3 / 16) for n in numbers.values())


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("reinforcement", ["deterministic", "random", "weighted", "chosen", "captured"])
def test_texts_of_games(board: str, reinforcement: str) -> None:
    game = make(board, reinforcement=reinforcement, players=2 if board == "1x2" else 3)
    for position in walk(game, 5):
        assert game.parse(str(position)) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3x4 r2 b1 | r to move, first attack", "the board here is 3x3"),
        (EXAMPLE.replace("b4", "g4"), "'g' is not a player"),
        (EXAMPLE.replace("r5", "r6"), "'r6' must have 1 to 5 dice"),
        (EXAMPLE.replace("r5", "r0"), "'r0' must have 1 to 5 dice"),
        (EXAMPLE.replace(" / r2 r2 b4", ""), "6 tiles"),
        (EXAMPLE.replace("r to", "y to"), "'y' is not a player"),
        (EXAMPLE + ", turn 102", "the game ends after turn 100"),
        (EXAMPLE + ", captured 2", "reinforcement=captured"),
        (EXAMPLE.replace("to move, first attack", "attacks a1-c3"), "'a1-c3' is not an attack"),
        (EXAMPLE.replace("to move, first attack", "attacks a2-a1"), "does not attack an enemy"),
        (EXAMPLE.replace("to move, first attack", "attacks b3-c3"), "2 dice or more"),
        (EXAMPLE.replace("to move, first attack", "places 1"), "placed at once"),
        ("hello", "write it like '3x3 r3"),
    ],
)
def test_bad_positions(text: str, said: str) -> None:
    with pytest.raises(BadInput) as problem:
        make().parse(text)
    assert said in str(problem.value)
