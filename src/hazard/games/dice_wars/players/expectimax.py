"""Expectimax: a few attacks ahead, each won or lost by its exact chance, then samples of the turns to come.

Every seat plays for its own share (max^n): the mover by this search, all later turns by the policy of the samples. The
search goes down one attack at a time and keeps what it needs of each level in the room for legal moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.games.dice_wars.land import CHOOSE, Params, State, dice_on
from hazard.games.dice_wars.maps.grow import map_of
from hazard.games.dice_wars.players.search import SETTINGS, SURE, next_best, sample, told
from hazard.games.dice_wars.rules import END, LOST, WON, land, move
from hazard.jit import large, rule
from hazard.rulebook import Game

LEVELS = 7  # that there is room for
FIELDS = len(State._fields)
EDGE, LOSING, CHOICE, TRIED = range(FIELDS, FIELDS + 4)  # the attack at hand, whether lost, the best, how many so far
BEST, PART, ODDS, PROMISE, SAMPLES = range(FIELDS + 4, FIELDS + 9)  # PART: what the win at hand adds to its value
COLUMNS = FIELDS + 9


class Effort(NamedTuple):
    """How far the search looks."""

    depth: int = 2  # attacks, at most 7
    width: int = 4  # attacks that are looked at in a position, those that promise most; and the end of the turn
    samples: int = 24  # of each choice, shared out to what comes of it by the chances of battles
    turns: int = 2  # own turns that begin before a sample is judged


class Search(NamedTuple):
    """What is known of each level, numbers and shares in the same room, and what the agent plays by."""

    notes: Any
    sums: Any
    memory: Any
    weights: Any
    effort: Effort


@rule
def search_in(moves: Any, memory: Any) -> Search:
    room, w = moves[: LEVELS * COLUMNS], memory.view(np.float64)
    effort = Effort(int(w[SETTINGS]), int(w[SETTINGS + 1]), int(w[SETTINGS + 2]), int(w[SETTINGS + 3]))
    shape = (LEVELS, COLUMNS)
    return Search(room.reshape(shape), room.view(np.float64).reshape(shape), memory, w, effort)


@rule
def state_at(note: Any) -> State:
    n = note
    return State(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11], n[12])


@large
def sampled(g: Params, s: State, seat: int, samples: float, moves: Any, x: Search, rng: Any) -> float:
    """The mean of one sample or more."""
    total, n = 0.0, max(1, int(samples + 0.5))
    for _ in range(n):
        total += sample(g, s, seat, x.effort.turns, moves, x.memory, rng)
    return total / n


@rule
def enter(g: Params, s: State, level: int, samples: float, moves: Any, x: Search, rng: Any) -> None:
    """Begin a level: to end the turn is the first choice."""
    note, sums = x.notes[level], x.sums[level]
    for field in range(FIELDS):
        note[field] = s[field]
    note[EDGE], note[LOSING], note[CHOICE], note[TRIED] = -1, 0, END, 0
    sums[PROMISE], sums[SAMPLES] = SURE, samples
    sums[BEST] = sampled(g, move(g, s, END), s.mover, samples, moves, x, rng)


@rule
def next_attack(g: Params, level: int, x: Search) -> bool:
    """Go on to the next attack of a level, if there is one to look at."""
    note, sums = x.notes[level], x.sums[level]
    s = state_at(note)
    edge, most = next_best(g, s, note[EDGE], sums[PROMISE], x.weights)
    if edge == END or note[TRIED] == x.effort.width:
        return False
    row = map_of(g, s)
    note[EDGE], sums[PROMISE] = edge, most
    note[TRIED] += 1
    sums[ODDS] = g.odds[dice_on(s, g.scratch.edges[row, edge, 0]), dice_on(s, g.scratch.edges[row, edge, 1])]
    return True


@rule
def take_in(level: int, value: float, x: Search) -> None:
    """Use the value of the branch at hand: first of the attack's win, then of its loss."""
    note, sums = x.notes[level], x.sums[level]
    if note[LOSING] == 0:
        note[LOSING], sums[PART] = 1, sums[ODDS] * value
        return
    note[LOSING], total = 0, sums[PART] + (1.0 - sums[ODDS]) * value
    if total > sums[BEST]:
        note[CHOICE], sums[BEST] = note[EDGE], total


@rule
def follow(g: Params, level: int, moves: Any, x: Search, rng: Any) -> int:
    """Look at the branch at hand: a level deeper, or by samples; the level that is then at hand is returned."""
    note, sums, losing = x.notes[level], x.sums[level], x.notes[level, LOSING] == 1
    after = land(g, move(g, state_at(note), note[EDGE]), LOST if losing else WON)
    samples = sums[SAMPLES] * (1.0 - sums[ODDS] if losing else sums[ODDS])
    if after.phase == CHOOSE and level + 1 < x.effort.depth:
        enter(g, after, level + 1, samples, moves, x, rng)
        return level + 1
    take_in(level, sampled(g, after, after.mover, samples, moves, x, rng), x)
    return level


@large
def expectimax(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> Any:
    """The first attack of the best sequence, or the end of the turn."""
    x, level = search_in(moves, memory), 0
    if next_best(g, s, -1, SURE, x.weights)[0] == END:
        return END
    enter(g, s, level, 1.0 * x.effort.samples, moves, x, rng)
    while True:
        if x.notes[level, LOSING] == 1 or next_attack(g, level, x):
            level = follow(g, level, moves, x, rng)
        elif level == 0:
            return x.notes[0, CHOICE]
        else:
            level -= 1
            take_in(level, x.sums[level + 1, BEST], x)


def searched(game: Game) -> np.ndarray:
    """What the agent plays by; with more than two players samples take longer, and end a turn earlier."""
    return told(game, *(Effort() if game.seats == 2 else Effort(turns=1)))
