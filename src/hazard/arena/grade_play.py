"""What each decision gives away, at compiled speed: games are played and every decision of one agent is priced.

A move costs what the best move is worth to the mover more than it. Positions are counted by the number of the decision
and the place of the move among the legal ones, so that nothing is rounded or lost however many games there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.arena.play import LineUp, set_up, worth
from hazard.arena.story import LIMIT
from hazard.contract import (
    chance,
    deal,
    decide,
    fanout,
    index,
    land,
    legal,
    move,
    over,
    purse,
    roll,
    span,
    stage,
    state,
    step,
    weight,
)
from hazard.dice import AGENTS, BOARD, DICE
from hazard.jit import leaf, rule
from hazard.rulebook import Game
from hazard.solving.solver import Progress

LOSS, DECISIONS, CHOICES, ERRORS = 0, 1, 2, 3  # what is added up for each game


class Book(NamedTuple):
    """What is written down about one agent's decisions."""

    values: np.ndarray  # of every decision, see `hazard.arena.luck`
    slack: float  # a loss up to this is none: the values are not known more exactly
    losses: np.ndarray  # room for the losses of the legal moves
    visits: np.ndarray  # visits[row, n]: how often the n-th legal move was made, where there was a choice
    games: np.ndarray  # games[n]: loss, decisions, decisions with a choice, errors


@leaf
def worth_to(g: Any, s: Any, seat: int, values: Any) -> float:
    """The value of a position to any seat; the last one has what the others leave of the purse."""
    if over(g, s) or seat < values.shape[1]:
        return worth(g, s, seat, values)
    rest = purse(g)
    for p in range(values.shape[1]):
        rest -= worth(g, s, p, values)
    return rest


@rule
def expected(g: Any, u: Any, seat: int, values: Any) -> float:
    """What a seat can expect after a decision that led to u."""
    ways = chance(g, u)
    if ways == 0:
        return worth_to(g, u, seat, values)
    total, mean = 0, 0.0
    for i in range(ways):
        share = weight(g, u, i)
        total += share
        mean += share * worth_to(g, land(g, u, i), seat, values)
    return mean / total


@rule
def find_losses(g: Any, s: Any, values: Any, slack: float, moves: Any, losses: Any) -> int:
    """What each legal move gives away; returns how many there are."""
    count = legal(g, s, moves)
    best = 0.0
    for n in range(count):
        losses[n] = expected(g, move(g, s, moves[n]), s.mover, values)
        best = losses[n] if n == 0 else max(best, losses[n])
    for n in range(count):
        losses[n] = best - losses[n]
        if losses[n] <= slack:
            losses[n] = 0.0
    return count


@rule
def note(g: Any, s: Any, m: int, book: Any, moves: Any, sums: Any) -> None:
    """Write down one decision."""
    sums[DECISIONS] += 1
    if legal(g, s, moves) < 2:
        return
    find_losses(g, s, book.values, book.slack, moves, book.losses)
    n = 0
    while moves[n] != m:
        n += 1
    book.visits[index(g, s) * span(g) + step(g, s), n] += 1
    sums[CHOICES] += 1
    sums[LOSS] += book.losses[n]
    if book.losses[n] > 0.0:
        sums[ERRORS] += 1


@rule
def watch_game(g: Any, agents: Any, memory: Any, room: Any, book: Any, sums: Any) -> None:
    """Play one game and write down the decisions of the agent in the first place of the line-up."""
    s = deal(g, room.rng[BOARD])
    while chance(g, s) > 0:
        s = land(g, s, roll(g, s, room.rng[DICE + s.mover]))
    decisions = 0
    while not over(g, s) and decisions < LIMIT:
        a = room.sitting[s.mover]
        m = decide(agents[a], g, s, room.moves, memory[a], room.rng[AGENTS + a])
        if a == 0:
            note(g, s, m, book, room.moves, sums)
        s = move(g, s, m)
        decisions += 1
        while chance(g, s) > 0:
            s = land(g, s, roll(g, s, room.rng[DICE + s.mover]))


@rule
def watch_games(
    g: Any, agents: Any, memory: Any, seed: Any, shared: bool, first: int, count: int, room: Any, book: Any
) -> None:
    """Play games `first` to `first + count - 1`."""
    for number in range(first, first + count):
        set_up(g, seed, shared, number, room)
        watch_game(g, agents, memory, room, book, book.games[number])


@rule
def price(g: Any, values: Any, slack: float, visited: Any, losses: Any, moves: Any, loss: Any, named: Any) -> None:
    """For each visited (row, n): the loss, the move made, the best move and the mover."""
    for v in range(visited.shape[0]):
        i, k = visited[v, 0] // span(g), visited[v, 0] % span(g)
        s = stage(g, state(g, i), k)
        find_losses(g, s, values, slack, moves, losses)
        best = 0
        while losses[best] > 0.0:
            best += 1
        loss[v] = losses[visited[v, 1]]
        named[v, 0] = moves[visited[v, 1]]
        named[v, 1] = moves[best]
        named[v, 2] = s.mover


class Priced(NamedTuple):
    """Decisions with more than one legal move that came up, each with one of the moves made there."""

    rows: np.ndarray  # the numbers of the decisions, or of rows of `states`
    counts: np.ndarray  # how often the move was made
    losses: np.ndarray
    moves: np.ndarray  # the moves made
    best: np.ndarray  # the best moves
    movers: np.ndarray  # the seats that made them
    states: np.ndarray | None = None  # the positions, in games that do not number their decisions

    def state(self, game: Game, v: int) -> Any:
        """The position of the v-th entry."""
        if self.states is not None:
            return game.rules.State(*map(int, self.states[self.rows[v]]))
        opening, k = divmod(int(self.rows[v]), int(game.rules.span(game.g)))
        return game.rules.stage(game.g, game.rules.state(game.g, opening), k)


def priced(game: Game, values: np.ndarray, slack: float, visited: np.ndarray, counts: np.ndarray) -> Priced:
    """What the moves cost that were made so often; visited[v] is a row and the place of a legal move."""
    losses, named = np.zeros(len(visited)), np.zeros((len(visited), 3), np.int64)
    room = int(game.plain(fanout)(game.g))
    scratch = np.zeros(room), np.zeros(room, np.int64)
    game.compiled(price)(game.g, values, slack, np.ascontiguousarray(visited), *scratch, losses, named)
    return Priced(visited[:, 0], counts, losses, *named.T)


def watch(
    line_up: LineUp, games: int, values: np.ndarray, slack: float, progress: Progress | None
) -> tuple[np.ndarray, Priced]:
    """Play games and watch the agent in the first place: sums for each game, and the positions that came up."""
    game = line_up.game
    room = line_up.room()
    visits = np.zeros((len(values), len(room.moves)), np.uint32)
    book = Book(values, slack, np.zeros(len(room.moves)), visits, np.zeros((games, 4)))
    kernel = game.compiled(watch_games)
    fixed = (game.g, line_up.numbers, line_up.memory, np.uint64(line_up.seed), line_up.shared)
    step = max(1, games // 100)
    for first in range(0, games, step):
        kernel(*fixed, first, min(step, games - first), room, book)
        if progress:
            progress(min(first + step, games), games)
    visited = np.argwhere(visits)
    return book.games, priced(game, values, slack, visited, visits[visited[:, 0], visited[:, 1]].astype(np.int64))
