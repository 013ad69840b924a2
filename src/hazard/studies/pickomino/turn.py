"""A turn of Pickomino in plain arithmetic: the best way through it, and the tables of risk with their scatter.

Written apart from the compiled turns of the game, so that each checks the other. A state is (dice left, faces aside as
bits, score); stopping, failing and reaching a score may have several values at once, one for each column.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from hazard.dice import rolls
from hazard.games.pickomino.rules import FACES, LOWEST, WORM, worms
from hazard.games.pickomino.turn.states import VALUES, states_of

DICE = 8
TILES = range(LOWEST, LOWEST + 16)
SCORES = 5 * DICE + 1
LAST = TILES[-1] + 1  # the column of a table of risk for all scores beyond the tiles
DEPTHS = FACES + 1
MARKS = "12345w"
Key = tuple[int, int, int]


class Turn(NamedTuple):
    """What every state is worth with dice just set aside; columns are what was asked for."""

    best: dict[Key, np.ndarray]
    stop: dict[Key, np.ndarray]
    roll: dict[Key, np.ndarray]


@cache
def ways(dice: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Every unordered roll as the number of dice of each face, with its chance."""
    return tuple((tuple(r.count(f + 1) for f in range(FACES)), w / FACES**dice) for r, w in rolls(dice, FACES))


def after(key: Key, face: int, number: int) -> Key:
    left, faces, score = key
    return left - number, faces | 1 << face, score + number * VALUES[face]


def following(key: Key, roll: tuple[int, ...]) -> list[Key]:
    """The states that a roll allows: one for each face shown that is not aside."""
    return [after(key, face, n) for face, n in enumerate(roll) if n and not key[1] >> face & 1]


def is_valid(key: Key) -> bool:
    """Whether stopping could bring a tile: a worm and 21 or more."""
    return bool(key[1] >> WORM & 1) and key[2] >= LOWEST


def solve(stops: np.ndarray, fail: np.ndarray) -> Turn:
    """The best play of a turn: stops[score] is what stopping brings, -inf where it cannot be; both have columns."""
    found = Turn({}, {}, {})
    never = np.full(len(fail), -np.inf)
    for key in states_of(DICE):  # those with fewer dice left come first
        found.stop[key] = stops[key[2]] if key[1] >> WORM & 1 else never
        found.roll[key] = _roll(key, found.best, fail) if key[0] else fail
        best = np.maximum(found.stop[key], found.roll[key] if key[0] else never)
        found.best[key] = np.where(best == -np.inf, fail, best)
    return found


def _roll(key: Key, best: dict[Key, np.ndarray], fail: np.ndarray) -> np.ndarray:
    total = np.zeros(len(fail))
    for roll, chance in ways(key[0]):
        some = [best[k] for k in following(key, roll)]
        total += chance * (np.maximum.reduce(some) if some else fail)
    return total


@cache
def at_least() -> Turn:
    """The best chance of each tile's number or more."""
    reached = np.arange(SCORES)[:, None] >= np.array(TILES)
    return solve(np.where(reached, 1.0, -np.inf), np.zeros(len(TILES)))


@cache
def exactly() -> Turn:
    """The best chance of just each tile's number."""
    reached = np.arange(SCORES)[:, None] == np.array(TILES)
    return solve(np.where(reached, 1.0, -np.inf), np.zeros(len(TILES)))


@cache
def for_worms(costs: tuple[float, ...]) -> Turn:
    """The most worms from a full centre, a column for each cost of failing."""
    brought = [worms(min(score, TILES[-1]) - LOWEST) if score >= LOWEST else -np.inf for score in range(SCORES)]
    return solve(np.array(brought, float)[:, None] + np.zeros(len(costs)), -np.array(costs))


# --- tables of risk --------------------------------------------------------------------------------------------------
class Risk(NamedTuple):
    """One tree: how many of its nodes have a score (columns 21 to 37) after so many rolls (rows from 0)."""

    mean: np.ndarray
    variance: np.ndarray
    fails: np.ndarray  # dead ends expected after so many rolls


@cache
def risk(key: Key) -> Risk:
    """Mean and variance by the branches of each roll, which are independent of each other."""
    mean, square, within = (np.zeros((DEPTHS, LAST - LOWEST + 1)) for _ in range(3))
    fails = np.zeros(DEPTHS)
    for roll, chance in ways(key[0]):
        some = [risk(k) for k in following(key, roll)]
        if not some:
            fails[0] += chance
            continue
        sums = np.sum([s.mean[:-1] for s in some], axis=0)
        mean[1:] += chance * sums
        square[1:] += chance * sums**2
        within[1:] += chance * np.sum([s.variance[:-1] for s in some], axis=0)
        fails[1:] += chance * np.sum([s.fails[:-1] for s in some], axis=0)
    variance = np.maximum(within + square - mean**2, 0.0)
    if is_valid(key):
        mean[0, min(key[2], LAST) - LOWEST] += 1.0
    return Risk(mean, variance, fails)


def kept_key(kept: str) -> Key:
    """The state with these dice aside, e.g. www."""
    key = (DICE, 0, 0)
    for mark in sorted(set(kept)):
        key = after(key, MARKS.index(mark), kept.count(mark))
    return key


def sampled(key: Key, trees: int, seed: int) -> np.ndarray:
    """The same table counted in so many simulated trees, as the paper fills it."""
    table, rng = np.zeros((DEPTHS, LAST - LOWEST + 1), np.int64), np.random.default_rng(seed)
    waiting = [(key, 0)] * trees
    while waiting:
        node, depth = waiting.pop()
        if is_valid(node):
            table[depth, min(node[2], LAST) - LOWEST] += 1
        roll = np.bincount(rng.integers(0, FACES, node[0]), minlength=FACES)
        waiting += [(k, depth + 1) for k in following(node, tuple(roll))]
    return table


def shares() -> np.ndarray:
    """The share of each valid score, from scratch: columns 21 to 37 add up to 1."""
    counts = risk((DICE, 0, 0)).mean.sum(axis=0)
    return counts / counts.sum()
