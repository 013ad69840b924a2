"""A turn of Pickomino, state by state: the best way through it for several aims, and tables of risk, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from hazard.games.pickomino.notation import parse_kept
from hazard.games.pickomino.rules import FACES, LOWEST, worms
from hazard.games.pickomino.turn.endings import Turn
from hazard.games.pickomino.turn.fractions import ROLLS, aside_of, counted, risk_table
from hazard.games.pickomino.turn.states import NEVER
from hazard.games.pickomino.turn.tables import COLUMNS, Aside, free_faces, is_valid, keep, scores_of, tables_of

DICE = 8
START = (DICE, 0, 0)
TILES = range(LOWEST, LOWEST + 16)
SCORES = scores_of(DICE)
LAST = TILES[-1] + 1  # the column of a table of risk for all scores beyond the tiles


class Aims(NamedTuple):
    """The best play of a turn, for each of several aims."""

    turns: list[Turn]
    stops: np.ndarray  # stops[score, aim]: what stopping brings

    def best(self, state: Aside) -> np.ndarray:
        """What a state is worth with dice just set aside."""
        return np.array([turn.value(_number(state), False) for turn in self.turns])

    def roll(self, state: Aside) -> np.ndarray:
        """What it is worth to roll on, with dice left."""
        return np.array([turn.value(_number(state), True) for turn in self.turns])

    def stop(self, state: Aside) -> np.ndarray:
        """What it is worth to stop, with a worm aside."""
        return self.stops[state[2]]


def _number(state: Aside) -> int:
    left, faces, score = state
    return int(tables_of(DICE).number[faces, left, score])


def aims(stops: np.ndarray, fail: np.ndarray) -> Aims:
    """Turns in which nobody is robbed, by what stopping brings (`NEVER` where it cannot be) and a failure."""
    robbing = np.full(SCORES, NEVER)
    ends = [np.array([*column, *robbing, lost]) for column, lost in zip(stops.T, fail, strict=True)]
    return Aims([Turn(DICE, some) for some in ends], stops)


@cache
def at_least() -> Aims:
    """The best chance of each tile's number or more."""
    return aims(np.where(np.arange(SCORES)[:, None] >= np.array(TILES), 1.0, NEVER), np.zeros(len(TILES)))


@cache
def exactly() -> Aims:
    """The best chance of just each tile's number."""
    return aims(np.where(np.arange(SCORES)[:, None] == np.array(TILES), 1.0, NEVER), np.zeros(len(TILES)))


@cache
def for_worms(costs: tuple[float, ...]) -> Aims:
    """The most worms from a full centre, for each cost of failing."""
    brought = [worms(min(score, TILES[-1]) - LOWEST) if score >= LOWEST else NEVER for score in range(SCORES)]
    return aims(np.array(brought, float)[:, None] + np.zeros(len(costs)), -np.array(costs))


# --- tables of risk ------------------------------------------------------------------------------------------------
class Risk(NamedTuple):
    """One tree: how many of its nodes have a score (columns 21 to 37) after some rolls (rows from 0)."""

    mean: np.ndarray
    variance: np.ndarray
    fails: np.ndarray  # expected dead ends after that many rolls


def following(state: Aside, roll: Iterable[tuple[int, int]]) -> list[Aside]:
    """The states that a roll allows: one for each face shown that is not aside."""
    free = free_faces(state)
    return [keep(state, face, n) for face, n in roll if n and face in free]


@cache
def risk(state: Aside) -> Risk:
    """Variances by the branches of each roll, which are independent of each other."""
    mean = risk_table(state)
    variance, fails = np.zeros_like(mean), np.zeros(ROLLS + 1)
    for roll, weight in counted(state[0]):
        chance, branches = weight / FACES ** state[0], [risk(after) for after in following(state, roll)]
        if branches:
            sums, spread, lost = (np.sum(parts, axis=0)[:-1] for parts in zip(*branches, strict=True))
            variance[1:] += chance * (spread + (sums - mean[1:]) ** 2)
            fails[1:] += chance * lost
        else:
            variance[1:] += chance * mean[1:] ** 2
            fails[0] += chance
    return Risk(mean, variance, fails)


def kept_state(kept: str) -> Aside:
    """The state with these dice aside, e.g. www."""
    return aside_of(parse_kept(kept, DICE), DICE)


def sampled(state: Aside, trees: int, seed: int) -> np.ndarray:
    """The same table counted in simulated trees, as the paper fills it."""
    table, rng = np.zeros((ROLLS + 1, COLUMNS), np.int64), np.random.default_rng(seed)
    waiting = [(state, 0)] * trees
    while waiting:
        node, depth = waiting.pop()
        if is_valid(node):
            table[depth, min(node[2], LAST) - LOWEST] += 1
        roll = np.bincount(rng.integers(0, FACES, node[0]), minlength=FACES)
        waiting += [(after, depth + 1) for after in following(node, enumerate(roll.tolist()))]
    return table


def shares() -> np.ndarray:
    """The share of each valid score, from scratch: columns 21 to 37 add up to 1."""
    counts = risk(START).mean.sum(axis=0)
    return counts / counts.sum()
