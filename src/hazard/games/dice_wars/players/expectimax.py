"""Expectimax: a few attacks ahead, each won or lost by its exact chance, then samples of the turns to come.

Every seat plays for its own share (max^n): the mover by this search, all later turns by the policy of the samples. The
search goes down one attack at a time; what it needs of each level stands in `g.scratch.levels`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.contract import unpack
from hazard.games.dice_wars.land import CHOOSE, Params, State
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.search import SETTINGS, SURE, next_best, sample, search_memory
from hazard.games.dice_wars.rules import END, LOST, WON, land, move, odds_of
from hazard.jit import large, rule
from hazard.rulebook import Game

LEVELS = 7  # the most attacks that the search can look ahead
EDGE, LOSING, CHOICE, TRIED = range(4)  # columns of notes: the attack, 1 for its loss, the best move, attacks so far
BEST, PART, ODDS, PROMISE, SAMPLES = range(5)  # columns of sums; PART: what the win adds to the attack's value


class Effort(NamedTuple):
    """How far the search looks."""

    depth: int = 2  # attacks, at most LEVELS
    width: int = 4  # attacks tried in a position, those that promise most; and the end of the turn
    samples: int = 24  # for each choice, divided among its outcomes by the chances of battles
    turns: int = 2  # own turns that begin before a sample is judged


class Search(NamedTuple):
    """The levels, what the agent reads, and a list of moves to work with."""

    levels: Any
    memory: Any
    weights: Any
    moves: Any
    effort: Effort


@rule
def new_search(g: Params, moves: Any, memory: Any) -> Search:
    w = memory.view(np.float64)
    effort = Effort(int(w[SETTINGS]), int(w[SETTINGS + 1]), int(w[SETTINGS + 2]), int(w[SETTINGS + 3]))
    return Search(g.scratch.levels, memory, w, moves, effort)


@large
def sampled(g: Params, s: State, seat: int, samples: float, x: Search, rng: Any) -> float:
    """The mean of one sample or more."""
    total, n = 0.0, max(1, int(samples + 0.5))
    for _ in range(n):
        total += sample(g, s, seat, x.effort.turns, x.moves, x.memory, rng)
    return total / n


@rule
def enter(g: Params, s: State, level: int, samples: float, x: Search, rng: Any) -> None:
    """Begin a level: to end the turn is the first choice."""
    state, note, sums = x.levels.states[level], x.levels.notes[level], x.levels.sums[level]
    for field in range(len(s)):
        state[field] = s[field]
    note[EDGE], note[LOSING], note[CHOICE], note[TRIED] = -1, 0, END, 0
    sums[PROMISE], sums[SAMPLES] = SURE, samples
    sums[BEST] = sampled(g, move(g, s, END), s.mover, samples, x, rng)


@rule
def next_attack(g: Params, level: int, x: Search) -> bool:
    """Go on to the next attack of a level; False if there are no more to try."""
    s, note, sums = unpack(x.levels.states[level]), x.levels.notes[level], x.levels.sums[level]
    edge, most = next_best(g, s, note[EDGE], sums[PROMISE], x.moves, x.weights)
    if edge == END or note[TRIED] == x.effort.width:
        return False
    note[EDGE], sums[PROMISE], sums[ODDS] = edge, most, odds_of(g, s, map_of(g, s), edge)
    note[TRIED] += 1
    return True


@rule
def take_in(level: int, value: float, x: Search) -> None:
    """Use the value of the current branch: first of the attack's win, then of its loss."""
    note, sums = x.levels.notes[level], x.levels.sums[level]
    if note[LOSING] == 0:
        note[LOSING], sums[PART] = 1, sums[ODDS] * value
        return
    note[LOSING], total = 0, sums[PART] + (1.0 - sums[ODDS]) * value
    if total > sums[BEST]:
        note[CHOICE], sums[BEST] = note[EDGE], total


@rule
def follow(g: Params, level: int, x: Search, rng: Any) -> int:
    """Value the current branch, by samples or a level deeper; the level to go on with is returned."""
    note, sums = x.levels.notes[level], x.levels.sums[level]
    losing = note[LOSING] == 1
    after = land(g, move(g, unpack(x.levels.states[level]), note[EDGE]), LOST if losing else WON)
    samples = sums[SAMPLES] * (1.0 - sums[ODDS] if losing else sums[ODDS])
    if after.phase == CHOOSE and level + 1 < x.effort.depth:
        enter(g, after, level + 1, samples, x, rng)
        return level + 1
    take_in(level, sampled(g, after, after.mover, samples, x, rng), x)
    return level


@large
def expectimax(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> Any:
    """The first attack of the best sequence, or the end of the turn."""
    x, level = new_search(g, moves, memory), 0
    if next_best(g, s, -1, SURE, moves, x.weights)[0] == END:
        return END
    enter(g, s, level, 1.0 * x.effort.samples, x, rng)
    while True:
        if x.levels.notes[level, LOSING] == 1 or next_attack(g, level, x):
            level = follow(g, level, x, rng)
        elif level == 0:
            return x.levels.notes[0, CHOICE]
        else:
            level -= 1
            take_in(level, x.levels.sums[level + 1, BEST], x)


def memory_of(game: Game) -> np.ndarray:
    """What the agent reads; with more than two players samples take longer, and end a turn earlier."""
    return search_memory(game, *(Effort() if game.seats == 2 else Effort(turns=1)))
