"""A sequential test played out: pairs of games in batches of a fixed size until it is decided which agent is better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hazard.arena.bots.limits import Limits
from hazard.arena.statistics.sequential import Sequential, pair_counts
from hazard.arena.tournament.run import prepare
from hazard.arena.tournament.runner import played, workers
from hazard.arena.tournament.schedule import left_to_play
from hazard.arena.tournament.setting import settle
from hazard.errors import BadInput
from hazard.rulebook import Game

QUICK, SLOW = 2000, 32  # games in a batch, of built-in agents and of others


def trial(
    game: Game,
    a: str,
    b: str,
    test: Sequential,
    *,
    most: int = 10_000_000,
    seed: int = 1,
    limits: Limits | None = None,
    processes: int = 1,
    cluster: str | None = None,
    progress: Callable[[Sequential], None] | None = None,
) -> dict[str, Any]:
    """Play until the test is decided, or `most` games are played; the same whatever the number of processes."""
    if game.seats != 2:
        raise BadInput(f"{game.describe()} has {game.seats} seats; a test needs a game of two")
    slow = any(name not in game.agents or game.agents[name].slow for name in (a, b))
    size = SLOW if slow else QUICK
    setting = settle(game, [a, b], [[0, 1]], games=most - most % 2, seed=seed, limits=limits, batch=size)
    prepare(game, setting)
    with workers(processes, cluster) as crew:
        for _, found in played(setting, left_to_play(setting, {}), crew):
            decided = test.add(pair_counts(_payoffs(found.files["games"])))
            if progress:
                progress(test)
            if decided:
                break
    settled = {"game": game.name, "parameters": game.parameters, "rules": game.version, "code": setting.code}
    return {**settled, "seed": seed, "batch": setting.batch, **test.report(a, b)}


def _payoffs(content: bytes) -> np.ndarray:
    """payoffs[game, place] of a batch, which begins with a pair: the agents change seats from game to game."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(content), columns=["payoff_1", "payoff_2"])
    found = np.column_stack([table[name].to_numpy() for name in table.column_names])
    found[1::2] = found[1::2, ::-1]
    return found
