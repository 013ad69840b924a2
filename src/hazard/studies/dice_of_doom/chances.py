"""The thesis' table of a board: chances to win, to lose and to tie, updated and averaged as the thesis did."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hazard.games.dice_of_doom.solver.value_table import compiled
from hazard.rulebook import Game
from hazard.studies.dice_of_doom.jacobi import (
    LOSE,
    TIE,
    WIN,
    begin_boards,
    fill_memory,
    land_of,
    price_boards,
    take_over,
    update_boards,
)

UPDATES = 98  # of the 100 iterations that the thesis names, those that fit its printed digits
THREADS = 2
PART = 1 << 14  # boards of one call


@dataclass
class Chances:
    """The thesis' table of a board."""

    game: Game

    def __post_init__(self) -> None:
        self.land = land_of(self.game)
        self.boards = (2 * self.land.dice) ** self.land.tiles
        self.table = np.zeros((2 * self.boards, 3))
        self.change = 1.0  # the greatest change of the last update
        self.each(begin_boards, self.table)

    def each(self, function: Callable, *arrays: Any) -> list[Any]:
        """Do all boards, part by part, on two threads."""
        part = min(PART, -(-self.boards // THREADS))

        def task(first: int) -> Any:
            digits = np.zeros(self.land.tiles, np.int64)
            return compiled(function)(self.land, first, min(first + part, self.boards), digits, *arrays)

        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(task, range(0, self.boards, part)))

    def update(self, times: int, say: Callable[[int], None] = lambda number: None) -> None:
        """Update all states from the table before, several times; `say` hears how many times that has been done."""
        spare = np.zeros_like(self.table)
        for number in range(1, times + 1):
            self.change = max(self.each(update_boards, self.table, spare))
            self.table, spare = spare, self.table
            say(number)

    def read(self, wins: np.ndarray, losses: np.ndarray) -> None:
        """Take chances over from a solver: wins[flag, own mask, dice], and losses likewise."""
        flat = [np.ascontiguousarray(some, np.float64).reshape(2, -1) for some in (wins, losses)]
        self.each(take_over, self.table, *flat)

    @property
    def means(self) -> list[float]:
        """The means of the three chances over all states, added up in double precision."""
        return [float(x) for x in self.table.mean(axis=0)]

    @property
    def printed(self) -> list[float]:
        """The same added up as the thesis does: in float32, one after another, each divided by the number of states."""
        return [in_order(self.table[:, what] / len(self.table)) for what in (WIN, LOSE, TIE)]

    @property
    def memory(self) -> np.ndarray:
        """What the agent `optimal` reads."""
        memory = np.zeros((2, self.boards))
        self.each(fill_memory, self.table, memory)
        return memory.reshape(-1).view(np.uint8)

    def moves(self) -> Moves:
        prices = np.zeros((2 * self.boards, 4))
        self.each(price_boards, self.table, prices)
        return Moves(prices[prices[:, 0] >= 0.0])


@dataclass(frozen=True)
class Moves:
    """The chance to win by the best, the greedy and a random move, in all states with a move."""

    prices: np.ndarray  # a row for each of these states; see `price_board`

    @property
    def count(self) -> int:
        return len(self.prices)

    @cached_property
    def means(self) -> list[float]:
        return [float(x) for x in self.prices[:, :3].mean(axis=0)]

    @cached_property
    def printed(self) -> list[float]:
        """The same added up as the thesis does: in float32, one after another, then divided."""
        return [in_order(self.prices[:, n]) / self.count for n in range(3)]

    @property
    def spread(self) -> float:
        """The standard deviation of the mean of random moves, if one is drawn in every state."""
        return float(np.sqrt(self.prices[:, 3].sum()) / self.count)


def in_order(values: np.ndarray) -> float:
    """The sum of numbers added one after another in float32."""
    return float(np.cumsum(values.astype(np.float32), dtype=np.float32)[-1])


def chances(game: Game, say: Callable[[int], None] = lambda number: None) -> Chances:
    """The table after as many updates as the thesis made."""
    table = Chances(game)
    table.update(UPDATES, say)
    return table
