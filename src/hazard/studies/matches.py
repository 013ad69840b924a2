"""Matches of a study: line-ups that the arena plays in independent games, and what two players won of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hazard.rulebook import Game

if TYPE_CHECKING:
    from hazard.arena.play.compiled import LineUp

SEED = 1


class Counts(NamedTuple):
    """What came of some games of two, as the first agent sees it."""

    wins: int
    losses: int
    ties: int
    first: int = 0  # wins of whoever sat first

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.ties

    @property
    def points(self) -> float:
        """Wins, and ties by half."""
        return self.wins + self.ties / 2

    @property
    def share(self) -> float:
        return self.points / self.games

    def plus(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    def turned(self) -> Counts:
        """The same as the second agent sees it."""
        return Counts(self.losses, self.wins, self.ties, self.first)


def independent(game: Game, names: Sequence[str], first: tuple[str, np.ndarray] | None = None) -> LineUp:
    """A line-up whose games share no dice. `first` is the agent that plays in the first place, and the bytes it reads
    there instead of its own."""
    from hazard.agents.seating import as_memory, line_up_seed, padded, seat_agents
    from hazard.arena.play.compiled import LineUp

    numbers, memory = seat_agents(game, [None if first else names[0], *names[1:]])
    if first:
        numbers[0], memory[0] = list(game.agents).index(first[0]), as_memory(first[1])
    return LineUp(
        game, np.array(numbers), padded(memory), line_up_seed(SEED, names), shared=False, company=tuple(game.agents)
    )


def count(line_up: LineUp, first: int, games: int) -> Counts:
    """Play games of two from number `first` on; the seats alternate."""
    paid = line_up.play(first, games).payoffs
    mine = paid[np.arange(games), (first + np.arange(games)) % 2]
    wins, losses, ties = (int((mine == x).sum()) for x in (1.0, 0.0, 0.5))
    return Counts(wins, losses, ties, int((paid[:, 0] == 1.0).sum()))
