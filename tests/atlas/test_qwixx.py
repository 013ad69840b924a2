"""Qwixx against a second program of its rules."""

from itertools import product

import pytest

import hazard
from tests.atlas.iteration import iterate
from tests.atlas.solving import certified


def best_score(colours: int, sides: int, lock: int) -> float:
    """A position is (rows, penalties); a row is the tuple of the numbers that are crossed out, in order."""
    numbers = list(range(2, 2 * sides + 1))
    order = [numbers, numbers, numbers[::-1], numbers[::-1]]

    def cross(rows: tuple, colour: int, number: int) -> tuple | None:
        row, line = rows[colour], order[colour]
        if row and line.index(number) <= line.index(row[-1]):
            return None
        if number == line[-1] and len(row) < lock:
            return None
        return (*rows[:colour], (*row, number), *rows[colour + 1 :])

    def locked(rows: tuple) -> int:
        return sum(1 for row, line in zip(rows, order, strict=False) if line[-1] in row)

    def ended(rows: tuple) -> bool:
        return locked(rows) >= min(2, colours)

    def choices(rows: tuple, a: int, b: int, dice: tuple[int, ...]) -> set[tuple]:
        first = {rows} | {after for colour in range(colours) if (after := cross(rows, colour, a + b))}
        found = set(first)
        for one in first:
            if one == rows or not ended(one):
                pairs = product((a, b), range(colours))
                found |= {after for white, c in pairs if (after := cross(one, c, white + dice[c]))}
        return found - {rows}

    def row(position: tuple) -> tuple | float:
        rows, penalties = position
        if penalties == 4 or ended(rows):
            crosses = [len(row) + (line[-1] in row) for row, line in zip(rows, order, strict=False)]
            return float(sum(n * (n + 1) // 2 for n in crosses) - 5 * penalties)
        rolls = list(product(range(1, sides + 1), repeat=colours + 2))
        ways = [[(rows, penalties + 1), *((r, penalties) for r in choices(rows, a, b, c))] for a, b, *c in rolls]
        return 0, [(1 / len(rolls), options) for options in ways]

    return iterate((((),) * colours, 0), row)


@pytest.mark.parametrize(("colours", "sides", "lock"), [(1, 2, 1), (1, 3, 2), (2, 2, 1), (3, 2, 1)])
def test_small_games_agree_with_value_iteration(colours: int, sides: int, lock: int) -> None:
    low, high = certified("qwixx", colours=colours, sides=sides, lock=lock)
    assert low - 1e-10 <= best_score(colours, sides, lock) <= high + 1e-10


def test_rows_are_locked_by_hand() -> None:
    """The last number needs five crosses, and brings two; green and blue run downwards."""
    game = hazard.game("qwixx")

    def position(red: int, green: int, *dice: int) -> hazard.Position:
        white = dice[0] * (dice[0] - 1) // 2 + dice[1] - 1
        roll = 1 + white + 21 * sum((number - 1) * 6**n for n, number in enumerate(dice[2:]))
        return game.parse(f"mover=0 red={red} yellow=0 green={green} blue=0 penalties=0 roll={roll}")

    four, five = 16 * 9 + 4, 16 * 9 + 5  # four or five crosses, the last on the ten
    assert "red 12" not in position(four, 0, 6, 6, 1, 1, 1, 1).moves
    after = position(five, 0, 6, 6, 1, 1, 1, 1).move("red 12")
    assert after.state.red == 16 * 11 + 7
    down = position(0, 16 * 3 + 1, 4, 4, 1, 1, 6, 1)  # green is crossed out to the 10: an 8 lies behind it
    assert "green 8" in down.moves
    assert "green 10 with a white die" not in down.moves
    assert down.move("penalty").state.penalties == 1
