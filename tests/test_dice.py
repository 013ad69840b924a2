"""Dice against brute force and against published odds."""

import csv
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hazard import dice
from hazard.jit import bind

counts, sides = st.integers(0, 4), st.integers(1, 7)


def every(count: int, sides: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=count))


@given(counts, sides)
def test_sums(count: int, sides: int) -> None:
    brute = Counter(sum(roll) for roll in every(count, sides))
    assert dice.sums(count, sides) == {t: Fraction(n, sides**count) for t, n in sorted(brute.items())}


@given(counts, st.integers(0, 5), sides)
def test_highest(count: int, kept: int, sides: int) -> None:
    brute = Counter(sum(sorted(roll, reverse=True)[:kept]) for roll in every(count, sides))
    assert dice.highest(count, kept, sides) == {t: Fraction(n, sides**count) for t, n in sorted(brute.items())}


@given(counts, sides)
def test_unordered_rolls(count: int, sides: int) -> None:
    brute = Counter(tuple(sorted(roll, reverse=True)) for roll in every(count, sides))
    assert dict(dice.rolls(count, sides)) == brute


@given(st.integers(0, 3), st.integers(0, 3), st.integers(1, 6))
def test_battle(a: int, b: int, sides: int) -> None:
    won = sum(sum(x) > sum(y) for x in every(a, sides) for y in every(b, sides))
    assert dice.battle(a, b, sides) == Fraction(won, sides ** (a + b))
    assert dice.beats(dice.sums(a, sides), dice.sums(b, sides)) == dice.battle(a, b, sides)


@given(counts, sides)
def test_ones(count: int, sides: int) -> None:
    brute = Counter(roll.count(1) for roll in every(count, sides))
    assert list(dice.ones(count, sides)) == [brute[n] for n in range(count + 1)]


def test_whole_battle_table_is_exact() -> None:
    table = dice.battle_table(8)
    assert len(table) == 8
    assert all(len(row) == 8 for row in table)
    for a in range(1, 9):
        assert table[a - 1][a - 1] < Fraction(1, 2)  # ties go to the defender
        for b in range(1, 9):
            tie = sum(p * dice.sums(b).get(t, 0) for t, p in dice.sums(a).items())
            assert table[a - 1][b - 1] + table[b - 1][a - 1] + tie == 1


def test_published_battle_odds() -> None:
    """Dice of Doom thesis, table of attack odds; copied to tests/published."""
    path = Path(__file__).parent / "published" / "dice_of_doom_battle.csv"
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert len(rows) == 25
    for row in rows:
        ours = dice.battle(int(row["attacker_dice"]), int(row["defender_dice"]))
        printed = row["p_attacker_wins"]
        digits = len(printed.lower().partition("e")[0].replace(".", "").lstrip("0"))
        assert float(f"{float(ours):.{digits}g}") == float(printed)


@pytest.mark.parametrize("bad", [(-1, 6), (2, 0)])
def test_impossible_dice_are_refused(bad: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="dice"):
        dice.rolls(*bad)


def test_draws_are_the_same_compiled_and_plain() -> None:
    compiled = bind(dice.below, "test", {}, True)
    a, b = dice.stream(7, 3), dice.stream(7, 3)
    with np.errstate(over="ignore"):
        plain = [int(dice.below(a, 6)) for _ in range(1000)]
    assert plain == [int(compiled(b, 6)) for _ in range(1000)]


def test_draws_are_even() -> None:
    draw = bind(dice.below, "test", {}, True)
    for n in (2, 6, 7776):
        rng = dice.stream(11, n)
        seen = np.bincount([draw(rng, n) for _ in range(200_000)], minlength=n)
        chi2 = float(((seen - 200_000 / n) ** 2 / (200_000 / n)).sum())
        assert len(seen) == n
        assert abs(chi2 - (n - 1)) < 5 * (2 * (n - 1)) ** 0.5


def test_streams_differ() -> None:
    first = {tuple(dice.stream(seed, number, s)) for seed in range(10) for number in range(10) for s in range(4)}
    assert len(first) == 400


def test_wide_draws_take_64_bits() -> None:
    """Up to 2**31 draws are those of 32 bits as ever; above that every number can come up, each as likely."""
    draw = bind(dice.below, "test", {}, True)
    for n in (2**31 + 1, 3 * 2**40, 2**63 - 1):
        a, b = dice.stream(5, n % 1000), dice.stream(5, n % 1000)
        drawn = [int(draw(a, n)) for _ in range(20_000)]
        with np.errstate(over="ignore"):
            assert drawn[:500] == [int(dice.below(b, n)) for _ in range(500)]
        assert 0 <= min(drawn) < n / 1000
        assert n - n / 1000 < max(drawn) < n
        assert abs(np.mean(drawn) / n - 0.5) < 4 / (12 * 20_000) ** 0.5
        assert len({number & 0xFF for number in drawn}) == 256


def test_narrow_draws_are_what_they_were() -> None:
    rng = dice.stream(7, 3)
    with np.errstate(over="ignore"):
        drawn = [int(dice.below(rng, n)) for n in (2, 6, 7776, 2**31 - 1, 2**31)]
        again = dice.stream(7, 3)
        bits = [int(dice.draw(again)) >> 32 for _ in drawn]
    assert drawn == [n * one >> 32 for n, one in zip((2, 6, 7776, 2**31 - 1, 2**31), bits, strict=True)]
