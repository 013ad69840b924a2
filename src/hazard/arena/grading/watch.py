"""What an agent's decisions give away: they are recorded in games, and priced by the values of a solution.

A row is the move made and then the numbers of the position, as `hazard.arena.play.compiled` writes them. Rows are
priced some games at a time, and only those that give something away are kept, each with how often it came up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hazard.arena.play.compiled import LineUp
from hazard.arena.play.steps import Event
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.prices import Prices, price
from hazard.solving.solution import Progress, Solution

LOSS, DECISIONS, CHOICES, ERRORS = range(4)  # what is added up for each game
AT_ONCE = 5_000  # games that are priced together, at most


class Errors(NamedTuple):
    """Moves that give something away, each with the position it was made in; and how many choices there were."""

    rows: np.ndarray  # the move made, then the numbers of the position
    counts: np.ndarray  # how often it was made
    losses: np.ndarray
    best: np.ndarray  # the best moves
    choices: int  # decisions with more than one legal move, those without an error included

    def position(self, game: Game, n: int) -> Position:
        return Position(game, game.rules.State(*map(int, self.rows[n, 1:])))


@dataclass(frozen=True)
class Watched:
    """Games in which the agent was watched."""

    seats: np.ndarray  # where the agent sat
    sums: np.ndarray  # loss, decisions, choices and errors of each game
    errors: Errors
    firsts: np.ndarray  # what the first positions were worth to the agent; NaN if unknown


def watch(solution: Solution, line_up: LineUp, games: int, slack: float, progress: Progress | None) -> Watched:
    """Play games and watch the agent in the first place of the line-up."""
    game, parts = line_up.game, []
    step = min(AT_ONCE, max(1, games // 100))
    for first in range(0, games, step):
        count = min(step, games - first)
        played, log = line_up.play_and_record(first, count)
        numbers = np.repeat(np.arange(count), played.lengths)
        seats = np.arange(first, first + count) % game.seats
        mine = log[:, 1 + game.rules.State._fields.index("mover")] == seats[numbers]
        firsts = _firsts(solution, played.payoffs[np.arange(count), seats], numbers, log, mine)
        parts.append(_priced(solution, seats, numbers[mine], log[mine], firsts, slack))
        if progress:
            progress(min(first + step, games), games)
    return _joined(parts)


def watch_told(solution: Solution, trails: Sequence[list[Event]], seats: list[int], slack: float) -> Watched:
    """The same from games told event by event; what a game without an event began with is not known."""
    numbers, rows, firsts = [], [], np.full(len(trails), np.nan)
    for n, (trail, seat) in enumerate(zip(trails, seats, strict=True)):
        if trail:
            firsts[n] = solution.value(Position(solution.game, trail[0].state))[seat]
        made = [event for event in trail if not event.rolled and event.state.mover == seat]
        for event in made:
            _check_legal(solution.game, event)
        rows += [(event.number, *event.state) for event in made]
        numbers += [n] * len(made)
    table = np.array(rows, np.int64).reshape(len(rows), 1 + len(solution.game.rules.State._fields))
    return _priced(solution, np.array(seats), np.array(numbers, np.int64), table, firsts, slack)


def _check_legal(game: Game, event: Event) -> None:
    position = Position(game, event.state)
    if event.number not in (legal := position.legal()):
        right = ", ".join(map(str, legal))
        raise BadInput(f"{str(position)!r}: move {event.number} is not legal; legal are {right}")


def _firsts(
    solution: Solution, payoffs: np.ndarray, numbers: np.ndarray, log: np.ndarray, mine: np.ndarray
) -> np.ndarray:
    """What the first position of each game was worth to the agent, where boards are dealt.

    Where a game has no decision, that is its result.
    """
    if "deal" not in solution.game.contract:
        return np.full(len(payoffs), np.nan)
    opens = np.flatnonzero(np.diff(numbers, prepend=-1))
    values, found = price(solution, log[opens]).values, payoffs.copy()
    found[numbers[opens]] = np.where(mine[opens], values, 1.0 - values)
    return found


def _priced(
    solution: Solution, seats: np.ndarray, numbers: np.ndarray, rows: np.ndarray, firsts: np.ndarray, slack: float
) -> Watched:
    """The sums of each game, and the errors; numbers[v] is the game of decision v."""
    prices = price(solution, rows, slack)
    real = prices.legal > 1
    sums = np.zeros((len(seats), 4))
    for column, what in ((LOSS, prices.losses), (DECISIONS, None), (CHOICES, real), (ERRORS, prices.losses > 0)):
        sums[:, column] = np.bincount(numbers, what, len(seats))
    return Watched(seats, sums, _errors(rows, prices, int(real.sum())), firsts)


def _errors(rows: np.ndarray, prices: Prices, choices: int) -> Errors:
    wrong = prices.losses > 0
    return _counted(rows[wrong], np.ones(int(wrong.sum()), np.int64), prices.losses[wrong], prices.best[wrong], choices)


def _counted(rows: np.ndarray, counts: np.ndarray, losses: np.ndarray, best: np.ndarray, choices: int) -> Errors:
    """The same errors put together."""
    unique, at, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    often = np.bincount(place.reshape(-1), counts, len(unique)).astype(np.int64)
    return Errors(unique, often, losses[at], best[at], choices)


def _joined(parts: list[Watched]) -> Watched:
    errors = [part.errors for part in parts]
    rows, counts, losses, best = (np.concatenate([found[n] for found in errors]) for n in range(4))
    whole = _counted(rows, counts, losses, best, sum(found.choices for found in errors))
    seats, sums, firsts = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("seats", "sums", "firsts")
    )
    return Watched(seats, sums, whole, firsts)
