"""Grades in games that do not count their positions: decisions are recorded and then priced by the game itself.

Such a game has a part `pricing` with `check(game)`, which refuses what cannot be graded, `price(solution, rows)`, which
says what decisions cost, and `REMARKS` for the reader. Rows are those of `hazard.arena.play`: the move made, then the
numbers of the position. Games are played with the rules of the solution, which may have no limit of turns.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hazard.arena.grade_figures import Watched
from hazard.arena.grade_play import CHOICES, DECISIONS, ERRORS, LOSS, Priced
from hazard.arena.play import LineUp
from hazard.arena.story import Event
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.solver import Progress

REMARKS = {
    "exact evaluation, best response": "only in games whose positions are counted; the loss is measured in these games"
}


class Prices(NamedTuple):
    """What decisions cost."""

    legal: np.ndarray  # how many moves there were
    values: np.ndarray  # of the positions, to the mover
    losses: np.ndarray  # what the moves made give away
    best: np.ndarray  # the best moves


class Record(NamedTuple):
    """The decisions of one agent in some games, and what the first position of each game was worth to it."""

    numbers: np.ndarray  # the game of each decision
    rows: np.ndarray  # the move made, then the numbers of the position
    prices: Prices
    firsts: np.ndarray


def pricing_of(game: Game) -> ModuleType | None:
    """The part of the game that prices decisions, if its positions are not counted."""
    return None if hasattr(game.rules, "size") else game.part("pricing")


def watch_recorded(solution: Any, line_up: LineUp, games: int, slack: float, progress: Progress | None) -> Watched:
    """Play games and watch the agent in the first place."""
    parts, step = [], max(1, games // 100)
    for first in range(0, games, step):
        parts.append(_record(solution, line_up, first, min(step, games - first)))
        if progress:
            progress(min(first + step, games), games)
    whole = Record(*(_joined(column) for column in zip(*parts, strict=True)))
    return _watched(whole, np.arange(games) % line_up.game.seats, slack)


def _joined(parts: tuple[Any, ...]) -> Any:
    if isinstance(parts[0], Prices):
        return Prices(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return np.concatenate(parts)


def _record(solution: Any, line_up: LineUp, first: int, count: int) -> Record:
    """Play some games; where one has no decision, its result is what its first position was worth."""
    game, pricing = line_up.game, line_up.game.part("pricing")
    assert pricing
    played, log = line_up.play_and_record(first, count)
    numbers = np.repeat(np.arange(first, first + count), played.lengths)
    movers = log[:, 1 + game.rules.State._fields.index("mover")]
    opens = np.flatnonzero(np.diff(numbers, prepend=-1))
    wanted = movers == numbers % game.seats
    prices = pricing.price(solution, log[wanted])
    seats = np.arange(first, first + count) % game.seats
    firsts = played.payoffs[np.arange(count), seats].copy()
    values = pricing.price(solution, log[opens]).values
    firsts[numbers[opens] - first] = np.where(wanted[opens], values, 1.0 - values)
    return Record(numbers[wanted], log[wanted], prices, firsts)


def watch_told(solution: Any, trails: list[list[Event]], seats: list[int], slack: float) -> Watched:
    """The same from games told event by event; what a game without an event began with is not known."""
    numbers, rows, firsts = [], [], np.full(len(trails), np.nan)
    for n, (trail, seat) in enumerate(zip(trails, seats, strict=True)):
        if trail:
            firsts[n] = solution.value(Position(solution.game, trail[0].state))[seat]
        made = [event for event in trail if not event.rolled and event.state.mover == seat]
        for event in made:
            legal_moves(solution.game, event)
        rows += [(event.number, *event.state) for event in made]
        numbers += [n] * len(made)
    table = np.array(rows, np.int64).reshape(len(rows), 1 + len(solution.game.rules.State._fields))
    prices = solution.game.part("pricing").price(solution, table)
    return _watched(Record(np.array(numbers, np.int64), table, prices, firsts), np.array(seats), slack)


def legal_moves(game: Game, event: Event) -> list[int]:
    """The legal moves where a decision was made; one that is not legal is refused."""
    position = Position(game, event.state)
    if event.number not in (legal := position.legal()):
        right = ", ".join(map(str, legal))
        raise BadInput(f"{str(position)!r}: move {event.number} is not legal; legal are {right}")
    return legal


def _watched(record: Record, seats: np.ndarray, slack: float) -> Watched:
    """The sums of each game, and the decisions that gave something away, each counted as often as it came up."""
    prices, games = record.prices, len(seats)
    real = prices.legal > 1
    losses = np.where(real & (prices.losses > slack), prices.losses, 0.0)
    sums = np.zeros((games, 4))
    for column, what in ((LOSS, losses), (DECISIONS, None), (CHOICES, real), (ERRORS, losses > 0)):
        sums[:, column] = np.bincount(record.numbers, what, games)
    return Watched(seats, sums, _counted(record.rows, losses, prices.best, int(real.sum())), record.firsts)


def _counted(rows: np.ndarray, losses: np.ndarray, best: np.ndarray, choices: int) -> Priced:
    """Errors one by one; all choices that give nothing away are put together in the last entry."""
    wrong = np.flatnonzero(losses > 0)
    _, place, counts = np.unique(rows[wrong], axis=0, return_index=True, return_counts=True)
    at = wrong[place]
    states = np.vstack([rows[at, 1:], np.zeros((1, rows.shape[1] - 1), np.int64)])
    movers = states[:, -1]
    return Priced(
        np.arange(len(states)),
        np.append(counts, choices - len(wrong)),
        np.append(losses[at], 0.0),
        np.append(rows[at, 0], 0),
        np.append(best[at], 0),
        movers,
        states,
    )
