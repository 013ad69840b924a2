"""Games for the study of Dice Wars: line-ups played in random turn order, and what they say of an agent.

Games are independent of each other. What a line-up has played is cached, so a run that was stopped can go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations_with_replacement
from math import sqrt
from typing import NamedTuple

import numpy as np

import hazard
from hazard.arena.statistics.intervals import Z95, wilson
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.matches import SEED, independent
from hazard.studies.report import Progress, Table

NAME = "dice-wars"
PART = 20_000  # games that are cached together
Names = tuple[str, ...]


def make(players: int) -> Game:
    """Dice Wars as published."""
    return hazard.game(NAME, players=players)


class Share(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    @property
    def percent(self) -> str:
        """In percent, with a 95 % interval."""
        low, high = self.interval
        return f"{100 * self.mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"

    @property
    def interval(self) -> tuple[float, float]:
        return max(0.0, self.mean - Z95 * self.error), min(1.0, self.mean + Z95 * self.error)


class Played(NamedTuple):
    """The games of one line-up."""

    agents: Names
    counts: np.ndarray  # counts[place, seat, rank]
    cut: int

    @property
    def games(self) -> int:
        return int(self.counts[0].sum())

    def of(self, agent: str) -> np.ndarray:
        """The counts of all places that an agent has, by seat and rank."""
        return self.counts[[n for n, name in enumerate(self.agents) if name == agent]].sum(axis=0)

    def wins(self, agent: str) -> Share:
        """What share of games an agent wins with each of its places."""
        places = self.agents.count(agent)
        share = self.of(agent)[:, 0].sum() / self.games
        return Share(share / places, share_error(share, self.games) / places)

    def rank(self, agent: str) -> Share:
        """The mean rank, 1 for the winner; the error is as if its places in a game did not depend on each other."""
        ranks, counts = np.arange(1, len(self.agents) + 1), self.of(agent).sum(axis=0)
        mean = float(counts @ ranks / counts.sum())
        return Share(mean, sqrt(float(counts @ (ranks - mean) ** 2 / counts.sum()) / counts.sum()))

    def won_from(self, agent: str, seat: int) -> tuple[int, int]:
        """Games won of those begun in a seat."""
        return int(self.of(agent)[seat, 0]), int(self.of(agent)[seat].sum())


def share_error(share: float, trials: int) -> float:
    """The standard error of a share, with one success and one failure added: none or all is not certainty."""
    share = (share * trials + 1) / (trials + 2)
    return sqrt(share * (1 - share) / (trials + 2))


def mean_of(shares: Sequence[Share]) -> Share:
    """The mean over line-ups that were played apart."""
    return Share(float(np.mean([s.mean for s in shares])), sqrt(sum(s.error**2 for s in shares)) / max(len(shares), 1))


# --- playing ---------------------------------------------------------------------------------------------------------
def play(agents: Names, games: int, memory: Sequence[float] | None = None) -> Played:
    """Games of a line-up. `memory` is a threshold and weights that the first agent reads instead of its own."""
    seats = len(agents)
    total, cut = np.zeros((seats, seats, seats), np.int64), 0
    for first in range(0, games, PART):
        some = min(PART, games - first)
        details = [list(agents), list(memory or []), SEED, first, some]
        counts, more = once("standings", make(seats), details, partial(_play, agents, first, some, memory))
        total, cut = total + np.array(counts), cut + more
    return Played(agents, total, cut)


def _play(agents: Names, first: int, games: int, memory: Sequence[float] | None) -> list:
    from hazard.games.dice_wars.players.corrected import remembered
    from hazard.games.dice_wars.standings import standings

    own = (agents[0], remembered(memory[0], memory[1:])) if memory is not None else None
    result = standings(independent(make(len(agents)), agents, own), first, games)
    return [result.counts.tolist(), result.cut]


def mixed(kinds: Sequence[str], players: int) -> list[Names]:
    """Every combination of some agents, but for those of one kind alone."""
    return [some for some in combinations_with_replacement(kinds, players) if len(set(some)) > 1]


def play_mixed(kinds: Sequence[str], players: int, games: int, say: Progress) -> list[Played]:
    """Games of every combination."""
    played = []
    for n, agents in enumerate(line_ups := mixed(kinds, players)):
        say(f"{players} players: line-up {n + 1} of {len(line_ups)}")
        played.append(play(agents, games))
    return played


# --- tables ----------------------------------------------------------------------------------------------------------
def share_text(won: int, games: int, digits: int = 1) -> str:
    """A share in percent with its 95 % interval."""
    low, high = wilson(won, games)
    return f"{won / max(games, 1):.{digits}%} ({low:.{digits}%} to {high:.{digits}%})"


def seat_rows(names: Sequence[str], played: Sequence[Played], digits: int = 1) -> list[tuple[str, ...]]:
    """What each agent wins from every seat, over all line-ups that it takes part in."""
    rows = []
    for name in names:
        total = np.sum([p.of(name) for p in played if name in p.agents], axis=0)
        rows.append((name, *(share_text(int(seat[0]), int(seat.sum()), digits) for seat in total)))
    return rows


def seat_table(title: str, seats: int, rows: Sequence[Sequence[str]], note: str) -> Table:
    """How strength depends on the seat."""
    return Table(f"{title}, games of {seats}", ("agent", *(f"seat {n + 1}" for n in range(seats))), rows, note)
