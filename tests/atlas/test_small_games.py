"""Hog, Piglet and Shut the Box against values that are computed apart, in fractions or by plain value iteration."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import hazard
from tests.atlas.solving import certified


# --- Piglet ----------------------------------------------------------------------------------------------------------
def test_piglet_to_two_is_four_sevenths() -> None:
    """Neller and Presser (2004) solve the game to 2 points by hand."""
    low, high = certified("piglet", goal=2)
    assert low <= Fraction(4, 7) <= high


@pytest.mark.parametrize("goal", [1, 2, 3, 5, 8])
def test_piglet_agrees_with_value_iteration(goal: int) -> None:
    """wins[a, b, k]: the mover has a points banked against b, and k in this turn."""
    wins = np.zeros((goal, goal, goal + 1))
    for _ in range(3000):
        for a in range(goal):
            for b in range(goal):
                wins[a, b, goal - a] = 1.0
                for k in range(goal - a - 1, -1, -1):
                    flip = (1 - wins[b, a, 0] + wins[a, b, k + 1]) / 2
                    wins[a, b, k] = max(flip, 1 - wins[b, a + k, 0]) if k else flip
    low, high = certified("piglet", goal=goal)
    assert low - 1e-12 <= wins[0, 0, 0] <= high + 1e-12


# --- Shut the Box ----------------------------------------------------------------------------------------------------
def cleared(tiles: int, single: int, at_once: int) -> Fraction:
    """The chance of an empty box by the best play, in fractions, over sets of tiles."""

    def sets(left: frozenset[int], roll: int) -> list[frozenset[int]]:
        if roll == 0:
            return [frozenset()]
        found = [rest | {t} for t in left if t <= roll for rest in sets(frozenset(u for u in left if u < t), roll - t)]
        return [shut for shut in found if not at_once or len(shut) <= at_once]

    @cache
    def value(left: frozenset[int]) -> Fraction:
        if not left:
            return Fraction(1)
        rolls = [[a + b for a in range(1, 7) for b in range(1, 7)]]
        if single and sum(left) <= 6:
            rolls.append(list(range(1, 7)))
        return max(sum(map(best, [left] * len(dice), dice), Fraction()) / len(dice) for dice in rolls)

    def best(left: frozenset[int], roll: int) -> Fraction:
        return max((value(left - shut) for shut in sets(left, roll)), default=Fraction(0))

    return value(frozenset(range(1, tiles + 1)))


@pytest.mark.parametrize("tiles", [1, 3, 6, 9])
@pytest.mark.parametrize(("single", "at_once"), [(0, 0), (1, 0), (1, 2)])
def test_shut_the_box_agrees_with_fractions(tiles: int, single: int, at_once: int) -> None:
    low, high = certified("shut-the-box", tiles=tiles, single=single, at_once=at_once)
    assert low <= cleared(tiles, single, at_once) <= high


@pytest.mark.parametrize(
    ("published", "parameters"),
    [(0.071432, {}), (0.097614, {"single": 1}), (0.074194, {"single": 1, "at_once": 2})],
)
def test_shut_the_box_as_published(published: float, parameters: dict[str, int]) -> None:
    """durangobill.com; the last with one die or two, and at most two tiles shut a roll."""
    low, high = certified("shut-the-box", **parameters)
    assert published == pytest.approx(low, abs=5e-7)
    assert published == pytest.approx(high, abs=5e-7)


# --- Hog -------------------------------------------------------------------------------------------------------------
def hog_value(goal: int, most: int, one: int) -> float:
    """The first player's chance, by plain value iteration: mine[a, b] before a turn with a points against b."""
    chances = []
    for dice in range(1, most + 1):
        ways = np.array([1.0])
        for _ in range(dice):
            ways = np.convolve(ways, [0, 0, 1, 1, 1, 1, 1])  # a die that shows no one
        chances.append((ways / 6**dice, 1 - (5 / 6) ** dice))
    mine = np.zeros((goal + 1, goal + 1))

    def after(a: int, b: int, points: int) -> float:
        return 1 - mine[b, a + points] if a + points < goal else 1.0

    for _ in range(2000):
        before = mine.copy()
        for a in range(goal - 1, -1, -1):
            for b in range(goal - 1, -1, -1):
                mine[a, b] = max(
                    ones * after(a, b, one) + sum(chance * after(a, b, n) for n, chance in enumerate(ways) if chance)
                    for ways, ones in chances
                )
        if np.abs(mine - before).max() < 1e-13:
            break
    return float(mine[0, 0])


@pytest.mark.parametrize(("goal", "most", "one"), [(1, 1, 0), (7, 2, 0), (10, 4, 0), (10, 4, 1), (20, 3, 0)])
def test_hog_agrees_with_value_iteration(goal: int, most: int, one: int) -> None:
    low, high = certified("hog", goal=goal, most=most, one=one)
    assert low - 1e-10 <= hog_value(goal, most, one) <= high + 1e-10


def test_hog_agrees_with_a_match() -> None:
    """The first move is worth something, by the best play and in a match of equals."""
    game = hazard.game("hog", goal=10, most=4)
    result = hazard.match(game, "six-dice", "six-dice", games=4000)
    assert sum(wins[0] for wins in result.wins_by_seat) > sum(wins[1] for wins in result.wins_by_seat)
