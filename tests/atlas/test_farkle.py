"""Farkle against a second program of its rules."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import pytest

import hazard
from tests.atlas.iteration import iterate
from tests.atlas.solving import certified


@cache
def best(dice: tuple[int, ...]) -> int:
    """The most that exactly these dice score, by parts; -1 if some of them are in no part."""
    if not dice:
        return 0
    found = [{1: 100, 5: 50}[dice[0]] + best(dice[1:])] if dice[0] in (1, 5) and best(dice[1:]) >= 0 else []
    same = dice.count(dice[0])
    for many in range(3, same + 1):
        rest = best(dice[many:])
        if rest >= 0:
            found.append((1000 if dice[0] == 1 else 100 * dice[0]) * (many - 2) + rest)
    if dice == (1, 2, 3, 4, 5, 6):
        found.append(1500)
    if len(dice) == 6 and sorted(Counter(dice).values()) == [2, 2, 2]:
        found.append(750)
    return max(found, default=-1)


@cache
def rolls(count: int) -> list[tuple[float, list[tuple[int, int]]]]:
    """Chances with (dice set aside, points): for each number of dice the most that so many of the roll score."""
    found = []
    for roll in combinations_with_replacement(range(1, 7), count):
        ways = factorial(count) // prod(factorial(n) for n in Counter(roll).values())
        taken = {n: max(best(part) for part in combinations(roll, n)) for n in range(1, count + 1)}
        found.append((ways / 6**count, [(n, points) for n, points in taken.items() if points > 0]))
    return found


def first_player(goal: int, least: int) -> float:
    """A position is (mover, its points, the other's, points of the turn, dice to roll)."""

    def row(position: tuple) -> tuple | float:
        mover, me, you, turn, dice = position
        if you >= goal:
            return float(mover == 1)
        ways = []
        for chance, taken in rolls(dice):
            options = []
            for n, points in taken:
                total = turn + points
                if me + total < goal:
                    options.append((mover, me, you, total, dice - n or 6))
                if total >= least or me + total >= goal:
                    options.append((1 - mover, you, min(me + total, goal), 0, 6))
            ways.append((chance, options or [(1 - mover, you, me, 0, 6)]))
        return mover, ways

    return iterate((0, 0, 0, 0, 6), row)


@pytest.mark.parametrize(("goal", "least"), [(50, 0), (200, 300), (400, 0), (450, 150)])
def test_small_goals_agree_with_value_iteration(goal: int, least: int) -> None:
    low, high = certified("farkle", goal=goal, least=least)
    assert low - 1e-10 <= first_player(goal, least) <= high + 1e-10


def test_points_are_counted_in_fifties() -> None:
    with pytest.raises(hazard.BadInput, match=r"goal=420 .* counted in fifties"):
        hazard.game("farkle", goal=420)


def test_what_six_dice_score() -> None:
    """A straight, three pairs, and two threes of a kind."""
    for dice, points in (((1, 2, 3, 4, 5, 6), 1500), ((2, 2, 4, 4, 6, 6), 750), ((2, 2, 2, 3, 3, 3), 500)):
        from hazard.atlas.games.farkle import best_scores

        assert best(dice) == points
        assert best_scores([dice.count(face) for face in range(1, 7)])[6] == points // 50
