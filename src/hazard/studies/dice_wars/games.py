"""Games for the study of Dice Wars: line-ups played in random turn order, and what they say of an agent.

Games are independent of each other. What a line-up has played is kept, so that a run that is stopped goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations_with_replacement
from math import sqrt
from typing import NamedTuple

import numpy as np

import hazard
from hazard.arena.statistics.intervals import Z95
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.report import Progress

NAME = "dice-wars"
SEED = 1
PART = 20_000  # games kept at once
Names = tuple[str, ...]


def make(players: int) -> Game:
    """Dice Wars as published, with so many players."""
    return hazard.game(NAME, players=players)


class Share(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    def told(self, digits: int = 1) -> str:
        """In percent, with a 95 % interval."""
        low, high = self.interval
        return f"{100 * self.mean:.{digits}f} % ({100 * low:.{digits}f} to {100 * high:.{digits}f})"

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
    """Of a share, with one success and one failure added, so that none or all is not certainty."""
    share = (share * trials + 1) / (trials + 2)
    return sqrt(share * (1 - share) / (trials + 2))


def mean_of(shares: Sequence[Share]) -> Share:
    """The mean over line-ups that were played apart."""
    return Share(float(np.mean([s.mean for s in shares])), sqrt(sum(s.error**2 for s in shares)) / max(len(shares), 1))


# --- playing ---------------------------------------------------------------------------------------------------------
def play(agents: Names, games: int, memory: Sequence[float] | None = None) -> Played:
    """Games of a line-up. `memory` is what the first agent reads instead of its own: a threshold and weights."""
    seats = len(agents)
    total, cut = np.zeros((seats, seats, seats), np.int64), 0
    for first in range(0, games, PART):
        some = min(PART, games - first)
        details = [list(agents), list(memory or []), SEED, first, some]
        counts, more = once("standings", make(seats), details, partial(_play, agents, first, some, memory))
        total, cut = total + np.array(counts), cut + more
    return Played(agents, total, cut)


def _play(agents: Names, first: int, games: int, memory: Sequence[float] | None) -> list:
    from hazard.agents.seating import line_up_seed, padded, seat_agents
    from hazard.arena.play.compiled import LineUp
    from hazard.games.dice_wars.players.corrected import remembered
    from hazard.games.dice_wars.standings import standings

    game = make(len(agents))
    numbers, memories = seat_agents(game, agents)
    if memory is not None:
        memories[0] = remembered(memory[0], memory[1:])
    seed = line_up_seed(SEED, agents)
    found = standings(LineUp(game, np.array(numbers), padded(memories), seed, shared=False), first, games)
    return [found.counts.tolist(), found.cut]


def mixed(kinds: Sequence[str], players: int) -> list[Names]:
    """Every combination of some agents, those of one kind alone left out."""
    return [some for some in combinations_with_replacement(kinds, players) if len(set(some)) > 1]


def play_mixed(kinds: Sequence[str], players: int, games: int, say: Progress) -> list[Played]:
    """Every combination."""
    found = []
    for n, agents in enumerate(line_ups := mixed(kinds, players)):
        say(f"{players} players: line-up {n + 1} of {len(line_ups)}")
        found.append(play(agents, games))
    return found
