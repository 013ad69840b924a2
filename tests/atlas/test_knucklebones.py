"""Knucklebones against a second program of its rules."""

from collections import Counter

import pytest

import hazard
from tests.atlas.iteration import iterate
from tests.atlas.solving import certified


def first_player(columns: int, rows: int, sides: int) -> float:
    """A position is (mover, boards); a board is a tuple of columns, each a sorted tuple of dice."""

    def points(board: tuple) -> int:
        return sum(face * many * many for column in board for face, many in Counter(column).items())

    def placed(mover: int, boards: tuple, at: int, die: int) -> tuple:
        mine, yours = list(boards[mover]), list(boards[1 - mover])
        mine[at] = tuple(sorted((*mine[at], die)))
        yours[at] = tuple(d for d in yours[at] if d != die)
        both = (tuple(mine), tuple(yours))
        return 1 - mover, both if mover == 0 else both[::-1]

    def row(position: tuple) -> tuple | float:
        mover, boards = position
        if any(all(len(column) == rows for column in board) for board in boards):
            one, two = map(points, boards)
            return 1.0 if one > two else 0.5 if one == two else 0.0
        free = [at for at in range(columns) if len(boards[mover][at]) < rows]
        ways = [[placed(mover, boards, at, die) for at in free] for die in range(1, sides + 1)]
        return mover, [(1 / sides, options) for options in ways]

    empty = ((),) * columns
    return iterate((0, (empty, empty)), row)


@pytest.mark.parametrize(
    ("columns", "rows", "sides"), [(1, 1, 6), (1, 2, 6), (1, 3, 3), (2, 1, 3), (3, 1, 2), (2, 2, 2)]
)
def test_small_boards_agree_with_value_iteration(columns: int, rows: int, sides: int) -> None:
    low, high = certified("knucklebones", columns=columns, rows=rows, sides=sides)
    assert low - 1e-11 <= first_player(columns, rows, sides) <= high + 1e-11


def test_dice_are_knocked_out_by_hand() -> None:
    """Player 2 has two fives and a two in the second column; a five there knocks out both."""
    game = hazard.game("knucklebones")
    position = game.start()
    for roll, column in (("1", 1), ("5", 2), ("2", 1), ("5", 2), ("3", 1), ("2", 2)):
        landed = next(o.position for o in position.outcomes() if o.text == roll)
        position = landed.move(f"column {column}")
    assert position.mover == 0
    full = next(o.position for o in position.outcomes() if o.text == "5")
    assert full.moves == ["column 2", "column 3"]
    after = full.move("column 2")
    ours, theirs = after.state.you, after.state.me
    assert [int(game.g.points[theirs // game.g.each**n % game.g.each]) for n in range(3)] == [0, 2, 0]
    assert [int(game.g.points[ours // game.g.each**n % game.g.each]) for n in range(3)] == [6, 5, 0]
