"""The four human-playable policies of Great Rolled Ones.

What each loses to the optimal player, exactly and in sampled games, and what a best response wins from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Any

import hazard
from hazard.arena.match import Match
from hazard.rulebook import Game
from hazard.studies.matches import SEED
from hazard.studies.parts import Parts
from hazard.studies.report import Table

POLICIES = {  # the agents by the names the slides give them
    "roll-with-4-or-5": "roll with 4 or 5 dice",
    "fixed-hold-at": "fixed hold-at",
    "simple-cases": "simple player and ones cases",
    "keep-pace": "keep pace, end race, by case",
}


def at_once(function: Callable[[Any], Any], items: Iterable[Any], progress: Parts) -> list[Any]:
    """The results for all items, in order, each a part of the study; compiled code runs on all cores."""

    def counted(item: Any) -> Any:
        result = function(item)
        progress.finish()
        return result

    with ThreadPoolExecutor(cpu_count()) as pool:
        return list(pool.map(counted, items))


@dataclass(frozen=True)
class Policy:
    """One policy, measured."""

    agent: str
    as_first: float  # win rate as player 1 against the optimal player 2
    as_second: float  # win rate as player 2 against the optimal player 1
    best_first: float  # what a best response wins as player 1
    best_second: float
    sample: Match  # the policy against the optimal player, seats in turn

    @property
    def name(self) -> str:
        return POLICIES[self.agent]

    @property
    def difference(self) -> float:
        """As published: both win rates against the optimal player, less those of the optimal player itself."""
        return self.as_first + self.as_second - 1

    @property
    def sampled(self) -> float:
        return self.sample.wins[0] / self.sample.games


def measure_policies(game: Game, games: int, progress: Parts) -> list[Policy]:
    """All four policies, each exactly and in `games` sampled games."""
    matches = []
    for agent in POLICIES:
        matches.append(hazard.match(game, agent, "optimal", games=games, seed=SEED))
        progress.finish()
    return at_once(lambda pair: _measure(game, *pair), zip(POLICIES, matches, strict=True), progress)


def _measure(game: Game, agent: str, sample: Match) -> Policy:
    start = game.start()
    return Policy(
        agent,
        hazard.evaluate(game, [agent, "optimal"]).value(start)[0],
        hazard.evaluate(game, ["optimal", agent]).value(start)[1],
        hazard.best_response(game, [None, agent]).value(start)[0],
        hazard.best_response(game, [agent, None]).value(start)[1],
        sample,
    )


def exact_table(policies: Sequence[Policy]) -> Table:
    columns = (
        "policy",
        "agent",
        "as player 1",
        "as player 2",
        "difference",
        "best response as player 1",
        "best response as player 2",
        "edge of the best response",
    )
    rows = []
    for p in policies:
        edge = p.best_first + p.best_second - 1
        values = (p.as_first, p.as_second, p.difference, p.best_first, p.best_second, edge)
        rows.append((p.name, p.agent, *(f"{x:.7f}" for x in values)))
    note = (
        "As player 1 and as player 2: the policy's win rate against the optimal player. The difference is their sum "
        "less 1; the optimal player itself has 0. A best response knows the policy; its edge is the sum of its own "
        "two win rates less 1. No policy can keep the edge below 0, and only optimal play keeps it at 0."
    )
    return Table("The four human-playable policies, exactly", columns, rows, note)


def sample_table(policies: Sequence[Policy]) -> Table:
    columns = (
        "policy",
        "games",
        "exact win rate",
        "sampled",
        "95 % interval",
        "inside",
        "won as player 1",
        "as player 2",
    )
    rows = []
    for p in policies:
        exact, (low, high) = (p.as_first + p.as_second) / 2, p.sample.intervals[0]
        inside = "yes" if low <= exact <= high else "no"
        seats = [f"{n / (p.sample.games / 2):.5f}" for n in p.sample.wins_by_seat[0]]
        interval = f"{low:.5f} to {high:.5f}"
        rows.append((p.name, f"{p.sample.games:,}", f"{exact:.5f}", f"{p.sampled:.5f}", interval, inside, *seats))
    note = (
        f"Against the optimal player, the seats changing from game to game. All four meet the same dice (seed {SEED}), "
        "so their errors are correlated. One interval in twenty misses."
    )
    return Table("The four policies in sampled games", columns, rows, note)
