"""Dice: exact distributions as fractions and floats, unordered rolls with integer weights, and seeded draws."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np

from hazard.jit import large, rule

Distribution = dict[int, Fraction]


def _check(count: int, sides: int) -> None:
    if count < 0 or sides < 1:
        raise ValueError(f"{count} dice with {sides} sides: dice must be 0 or more and sides 1 or more")


@cache
def ways(count: int, sides: int = 6) -> tuple[int, ...]:
    """In how many of the sides**count ordered rolls the sum is 0, 1, 2, ..."""
    _check(count, sides)
    if count == 0:
        return (1,)
    fewer = ways(count - 1, sides)
    return tuple(
        sum(fewer[total - face] for face in range(1, sides + 1) if 0 <= total - face < len(fewer))
        for total in range(count * sides + 1)
    )


def sums(count: int, sides: int = 6) -> Distribution:
    """The distribution of the sum of some dice."""
    every = sides**count
    return {total: Fraction(n, every) for total, n in enumerate(ways(count, sides)) if n}


@cache
def rolls(count: int, sides: int = 6) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every unordered roll, highest die first, with the number of ordered rolls it stands for."""
    _check(count, sides)
    found = []
    for dice in combinations_with_replacement(range(sides, 0, -1), count):
        weight = factorial(count)
        for face in set(dice):
            weight //= factorial(dice.count(face))
        found.append((dice, weight))
    return tuple(found)


class Hands(NamedTuple):
    """All unordered hands of up to some dice, numbered from 0 for none, smaller ones first."""

    counts: np.ndarray  # counts[hand, face]: how many dice show a face, from 0 for ones
    dice: np.ndarray  # dice[hand]: how many dice these are
    ways: np.ndarray  # ways[hand]: how many ordered rolls of so many dice it stands for
    added: np.ndarray  # added[hand, face]: the hand with one die more; -1 where there is no room for it
    kept: np.ndarray  # what can be kept of each hand, one hand's after the other's, the whole of it last
    first: np.ndarray  # first[hand]: where those of a hand begin; the last number is where all end


@cache
def hands(most: int, sides: int = 6) -> Hands:
    """Tables for games in which some dice are kept and the others are rolled again."""
    _check(most, sides)
    every = [found for n in range(most + 1) for found in combinations_with_replacement(range(sides), n)]
    number = {dice: n for n, dice in enumerate(every)}
    added = [[number.get(tuple(sorted((*dice, face))), -1) for face in range(sides)] for dice in every]
    kept = [sorted({number[part] for n in range(len(dice) + 1) for part in combinations(dice, n)}) for dice in every]
    return Hands(
        np.array([[dice.count(face) for face in range(sides)] for dice in every], np.int64),
        np.array([len(dice) for dice in every], np.int64),
        np.array([factorial(len(dice)) // prod(factorial(dice.count(f)) for f in set(dice)) for dice in every]),
        np.array(added, np.int64),
        np.array([part for parts in kept for part in parts], np.int64),
        np.cumsum([0, *map(len, kept)], dtype=np.int64),
    )


@cache
def top_rolls(count: int, kept: int, sides: int = 6) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The highest `kept` of some dice, highest first, with weights that add up to sides**count."""
    if kept < 0:
        raise ValueError(f"kept={kept}: the number of dice kept must be 0 or more")
    weights: dict[tuple[int, ...], int] = {}
    for dice, weight in rolls(count, sides):
        weights[dice[:kept]] = weights.get(dice[:kept], 0) + weight
    return tuple(weights.items())


def highest(count: int, kept: int, sides: int = 6) -> Distribution:
    """The distribution of the sum of the highest `kept` of some dice."""
    every = sides**count
    found: Distribution = {}
    for dice, weight in top_rolls(count, kept, sides):
        found[sum(dice)] = found.get(sum(dice), Fraction(0)) + Fraction(weight, every)
    return dict(sorted(found.items()))


def beats(a: Distribution, b: Distribution) -> Fraction:
    """The probability that a draw from a is greater than one from b."""
    return sum((p * q for x, p in a.items() for y, q in b.items() if x > y), Fraction(0))


def battle(attackers: int, defenders: int, sides: int = 6) -> Fraction:
    """The probability that the sum of the attacker's dice beats the sum of the defender's."""
    below_, won = 0, 0
    other = ways(defenders, sides)
    for total, n in enumerate(ways(attackers, sides)):
        won += n * below_
        if total < len(other):
            below_ += other[total]
    return Fraction(won, sides ** (attackers + defenders))


def battle_table(most: int = 8, sides: int = 6) -> list[list[Fraction]]:
    """battle(a, b) for a and b from 1 to `most`; row a - 1, column b - 1."""
    return [[battle(a, b, sides) for b in range(1, most + 1)] for a in range(1, most + 1)]


def floats(distribution: Distribution) -> dict[int, float]:
    """The same distribution in floating point."""
    return {value: float(p) for value, p in distribution.items()}


def ones(count: int, sides: int = 6) -> Iterator[int]:
    """In how many of the ordered rolls 0, 1, ..., count dice show a one."""
    for shown in range(count + 1):
        choose = factorial(count) // factorial(shown) // factorial(count - shown)
        yield choose * (sides - 1) ** (count - shown)


# --- seeded draws: xoshiro256++ streams, seeded by splitmix64 ---------------------------------------------------
MOST_SEATS = 8
BOARD, DICE, AGENTS = 0, 1, 1 + MOST_SEATS  # streams of a game: the board, the dice of each seat, each agent's own
_GOLDEN, _MIX1, _MIX2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_S17, _S23, _S41, _S45, _S19 = np.uint64(17), np.uint64(23), np.uint64(41), np.uint64(45), np.uint64(19)
_LOW = np.int64(0xFFFFFFFF)
_WIDE = 1 << 31  # above this, draws take 64 bits


@rule
def mix(x: Any) -> Any:
    """The splitmix64 finaliser: every bit of the result depends on every bit of x."""
    x = (x ^ (x >> _S30)) * _MIX1
    x = (x ^ (x >> _S27)) * _MIX2
    return x ^ (x >> _S31)


@rule
def open_stream(rng: Any, seed: Any, number: int, stream: int) -> None:
    """Set rng to the beginning of one stream of one game; streams differ in seed, game number or stream number."""
    x = mix(mix(np.uint64(seed) + _GOLDEN) ^ (np.uint64(number) + _GOLDEN))
    x = mix(x + _GOLDEN * np.uint64(stream + 1))
    for i in range(4):
        x += _GOLDEN
        rng[i] = mix(x)


@rule
def draw(rng: Any) -> Any:
    """64 random bits."""
    a, b, c, d = rng[0], rng[1], rng[2], rng[3]
    total = a + d
    result = ((total << _S23) | (total >> _S41)) + a
    c ^= a
    d ^= b
    rng[0] = a ^ d
    rng[1] = b ^ c
    rng[2] = c ^ (b << _S17)
    rng[3] = (d << _S45) | (d >> _S19)
    return result


@large
def below_wide(rng: Any, n: int) -> Any:
    """The same as `below` from 64 bits."""
    size = np.uint64(n)
    threshold = (np.uint64(0) - size) % size  # 2**64 modulo n: so many numbers are left over
    bits = draw(rng)
    while bits < threshold:
        bits = draw(rng)
    return np.int64(bits % size)


@rule
def below(rng: Any, n: int) -> Any:
    """A whole number from 0 to n - 1, each exactly as likely as the others; n up to 2**63 - 1."""
    if n > _WIDE:
        return below_wide(rng, n)
    product = np.int64(draw(rng) >> _S32) * n
    if product & _LOW < n:
        threshold = ((_LOW + 1) - n) % n
        while product & _LOW < threshold:
            product = np.int64(draw(rng) >> _S32) * n
    return product >> 32


def stream(seed: int, number: int = 0, stream: int = DICE) -> np.ndarray:
    """One stream, for draws outside compiled code."""
    rng = np.zeros(4, np.uint64)
    with np.errstate(over="ignore"):
        open_stream(rng, np.uint64(seed), number, stream)
    return rng
