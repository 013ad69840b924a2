"""Yahtzee and Yatzy against a second program: turn by turn over score cards, from rules written apart."""

from collections import Counter
from itertools import combinations_with_replacement

import numba
import numpy as np
import pytest

import hazard
from tests.atlas.solving import certified

FACES = range(1, 7)
HANDS = [hand for n in range(6) for hand in combinations_with_replacement(FACES, n)]
NUMBER = {hand: n for n, hand in enumerate(HANDS)}
ADDED = np.array([[NUMBER.get(tuple(sorted((*hand, f))), -1) for f in FACES] for hand in HANDS])
FULL = len(HANDS) - 252  # the first hand of five dice


def has(hand: tuple[int, ...], *run: int) -> bool:
    return set(run) <= set(hand)


def yahtzee_score(hand: tuple[int, ...], box: int, joker: bool) -> int:
    alike = sorted(Counter(hand).values())
    if box < 6:
        return sum(d for d in hand if d == box + 1)
    if box in (6, 7, 12):
        return sum(hand) if box == 12 or alike[-1] >= box - 3 else 0
    if box == 8:
        return 25 if joker or alike == [2, 3] else 0
    if box == 9:
        return 30 if joker or any(has(hand, n, n + 1, n + 2, n + 3) for n in (1, 2, 3)) else 0
    if box == 10:
        return 40 if joker or any(has(hand, *range(n, n + 5)) for n in (1, 2)) else 0
    return 50 if alike == [5] else 0


def yatzy_score(hand: tuple[int, ...], box: int) -> int:
    count = Counter(hand)
    at_least = {n: [d for d in FACES if count[d] >= n] for n in (2, 3, 4, 5)}
    if box < 6:
        return (box + 1) * count[box + 1]
    if box in (6, 8, 9):
        need = {6: 2, 8: 3, 9: 4}[box]
        return need * max(at_least[need], default=0)
    if box == 7:
        return 2 * sum(at_least[2]) if len(at_least[2]) == 2 else 0
    if box == 12:
        return sum(hand) if len(at_least[2]) == 2 and at_least[3] else 0
    return {
        10: 15 if hand == (1, 2, 3, 4, 5) else 0,
        11: 20 if hand == (2, 3, 4, 5, 6) else 0,
        13: sum(hand),
        14: 50 if at_least[5] else 0,
    }[box]


@numba.njit
def cards(boxes, filled, plain, joker, rules, yahtzee, bonus, added, full):  # type: ignore[no-untyped-def]
    """What the first turn is worth: best[card, upper, fifty], from full cards back to that one.

    plain and joker: points by hand and box. rules: 0 for no jokers, 1 for forced, 2 for free. yahtzee: that box, or -1.
    """
    every = (1 << boxes) - 1
    best = np.zeros((every + 1, 64, 2))
    value, rolled = np.zeros(len(added)), np.zeros(len(added))
    for card in range(every - 1, filled - 1, -1):
        if card & filled != filled:
            continue
        for upper in range(64):
            for fifty in range(2):
                for left in range(3):
                    for hand in range(len(added) - 1, -1, -1):  # value: with no roll left, or of the best hand to keep
                        if hand < full:
                            continue
                        most = -1.0
                        face = -1
                        for f in range(6):
                            if plain[hand, f] == 5 * (f + 1):
                                face = f
                        late = rules > 0 and face >= 0 and card >> yahtzee & 1 == 1
                        is_joker = late and card >> face & 1 == 1
                        lower_open = (every & ~63) & ~card
                        for box in range(boxes):
                            if card >> box & 1 == 1:
                                continue
                            if rules == 1 and late and card >> face & 1 == 0 and box != face:
                                continue
                            if rules == 1 and is_joker and lower_open and box < 6:
                                continue
                            got = joker[hand, box] if is_joker else plain[hand, box]
                            total = upper + got if box < 6 else upper
                            extra = bonus if upper < 63 <= total else 0
                            extra += 100 if fifty == 1 and face >= 0 else 0
                            now = 1 if rules > 0 and box == yahtzee and got > 0 else fifty
                            most = max(most, got + extra + best[card | 1 << box, min(total, 63), now])
                        if left > 0:
                            most = max(most, rolled[hand])
                        value[hand] = most
                    # rolled[hand]: the mean over what the missing dice show, then the best part of a hand to keep
                    for hand in range(len(added) - 1, -1, -1):
                        mean = value[hand] if hand >= full else 0.0
                        if hand < full:
                            for f in range(6):
                                mean += rolled[added[hand, f]] / 6
                        rolled[hand] = mean
                    top = rolled[0]
                    for hand in range(len(added)):
                        for f in range(6):
                            if added[hand, f] >= 0:
                                more = added[hand, f]
                                rolled[more] = max(rolled[more], rolled[hand])
                    best[card, upper, fifty] = top
    return best[filled, 0, 0]


def yahtzee(jokers: int, filled: int) -> float:
    plain, joker = np.zeros((462, 13), np.int64), np.zeros((462, 13), np.int64)
    for n, hand in enumerate(HANDS[FULL:], FULL):
        plain[n] = [yahtzee_score(hand, box, False) for box in range(13)]
        joker[n] = [yahtzee_score(hand, box, True) for box in range(13)]
    return float(cards(13, filled, plain, joker, jokers, 11, 35, ADDED, FULL))


def yatzy(filled: int) -> float:
    plain = np.zeros((462, 15), np.int64)
    for n, hand in enumerate(HANDS[FULL:], FULL):
        plain[n] = [yatzy_score(hand, box) for box in range(15)]
    return float(cards(15, filled, plain, plain, 0, 0, 50, ADDED, FULL))


def but(boxes: int, *empty: int) -> int:
    """All boxes filled but these."""
    return (1 << boxes) - 1 - sum(1 << box for box in empty)


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("empty", [(0,), (12,), (5, 8, 11), (4, 5, 10, 11), (3, 4, 5, 11)])
def test_yahtzee_agrees_with_score_cards(jokers: int, empty: tuple[int, ...]) -> None:
    low, high = certified("yahtzee", jokers=jokers, filled=but(13, *empty))
    assert low - 1e-9 <= yahtzee(jokers, but(13, *empty)) <= high + 1e-9


@pytest.mark.parametrize("empty", [(0,), (6, 7), (12, 9, 14), (3, 4, 5, 10), (2, 3, 4, 5)])
def test_yatzy_agrees_with_score_cards(empty: tuple[int, ...]) -> None:
    low, high = certified("yatzy", filled=but(15, *empty))
    assert low - 1e-9 <= yatzy(but(15, *empty)) <= high + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("jokers", "published"), [(2, 254.5896), (1, 254.5877)])
def test_yahtzee_as_published(jokers: int, published: float) -> None:
    """Verhoeff (1999), and with forced jokers yahtzee-engine: these are the rules that were meant."""
    assert yahtzee(jokers, 0) == pytest.approx(published, abs=1e-4)


def test_forced_jokers_by_hand() -> None:
    """Five sixes with a filled yahtzee box go to the sixes, then to the lower section, then anywhere."""
    game = hazard.game("yahtzee")
    hand = NUMBER[(6,) * 5]
    boxes = {
        but(13, 5, 8, 0): ["sixes"],
        but(13, 8, 0): ["full-house"],
        but(13, 0, 1): ["ones", "twos"],
    }
    for filled, names in boxes.items():
        assert game.parse(f"mover=0 filled={filled} upper=0 fifty=1 left=0 hand={hand}").moves == names
    s = game.parse(f"mover=0 filled={but(13, 8, 0)} upper=0 fifty=1 left=0 hand={hand}")
    assert float(game.ask("gain", s.state, s.legal()[0])) == 125.0
