"""Great Rolled Ones solved layer by layer, and by sweeps over the whole table to the same certified error.

The sweeps use the same compiled rules. `turns` backs up whole turns, each from its last decision to its first, as the
solver does; `states` keeps every decision in a table and backs them up one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import hazard
from benchmarks.row import Row, race, timed
from hazard import dice
from hazard.agents.seating import padded
from hazard.contract import legal, over, payoff, purse, stage, state, steps
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.numbered.layers import iterate
from hazard.solving.numbered.solver import solve
from hazard.solving.numbered.turns import BEST, Play, Work, choose, workspace

REPEATS = 3


@rule
def iterate_turns(g: Any, order: Any, play: Any, tolerance: float, w: Any, policies: Any) -> int:
    """Raise the values of all openings from 0 until their bounds meet; returns the number of sweeps."""
    return iterate(g, order, play, tolerance, w, policies)


@rule
def sweep_states(g: Any, i: int, table: Any, play: Any, w: Any) -> None:
    """Back up the decisions of one turn in table order; values from the last sweep stand in for later decisions."""
    s = state(g, i)
    for k in range(steps(g, s)):
        t = stage(g, s, k)
        count = legal(g, t, w.moves)
        if count > 0:
            own = Work(w.low, w.slot, w.mark, w.policy, table[i], w.q, w.moves, w.terms)
            choose(g, t, k, count, play.selfish, 0.0, own)


@rule
def iterate_states(g: Any, table: Any, play: Any, tolerance: float, w: Any) -> int:
    """Raise the values of all decisions from 0 until the bounds of all turns meet; returns the number of sweeps."""
    seats = w.low.shape[1]
    for sweep in range(1, 1_000_000):
        gap = 0.0
        for i in range(table.shape[0]):
            s = state(g, i)
            total = 0.0
            if not over(g, s):
                sweep_states(g, i, table, play, w)
            for p in range(seats):
                r = (p - s.mover) % seats
                w.low[i, r] = payoff(g, s, p) if over(g, s) else max(w.low[i, r], table[i, 0, p, 0])
                total += w.low[i, r]
            gap = max(gap, purse(g) - total)
        if gap <= tolerance:
            return sweep
    return 1_000_000


def setting(game: Game) -> tuple[np.ndarray, Play, Work]:
    """All openings in table order as one layer, with every value at 0."""
    order = np.arange(int(game.rules.size(game.table)))
    play = Play(np.full(game.seats, BEST), False, padded([]), dice.stream(0))
    return order, play, workspace(game, np.zeros((len(order), game.seats)))._replace(slot=order.copy())


def turns(game: Game, tolerance: float) -> tuple[int, np.ndarray]:
    order, play, w = setting(game)
    policies = np.zeros((1, len(w.policy)), np.uint8)
    return game.compiled(iterate_turns)(game.table, order, play, tolerance, w, policies), w.low


def states(game: Game, tolerance: float) -> tuple[int, np.ndarray]:
    order, play, w = setting(game)
    table = np.zeros((len(order), *w.buf.shape))
    return game.compiled(iterate_states)(game.table, table, play, tolerance, w), w.low


def compare(name: str, method: Callable, tolerance: float, repeats: int, goal: float | None) -> Row:
    game = hazard.game("great-rolled-ones")
    solve(game, tolerance)  # compiles, as does the next line
    method(game, 0.9)
    ours, rival = race(
        lambda: timed(lambda: solve(game, tolerance)), lambda: timed(lambda: method(game, tolerance)), repeats=repeats
    )
    solution, (sweeps, low) = ours[1], rival[1]
    value = solution.value(game.start())[0]
    start = low[game.rules.index(game.table, game.start().state)]
    if not start[0] - solution.error <= value <= 1 - start[1] + solution.error:
        raise AssertionError(f"Great Rolled Ones: the start is worth {value}, but the sweeps' bounds are {start}")
    notes = {
        "value": value,
        "certified error": solution.error,
        "certified error of sweeps": float(1 - low.sum(axis=1).min()),
        "sweeps": int(sweeps),
        "backups of layers": solution.meta.get("backups"),
        "layers": solution.meta["layers"],
    }
    return Row(f"Great Rolled Ones to {tolerance:.0e}", name, ours[0], rival[0], "s", goal, notes)


def run() -> Iterator[Row]:
    for tolerance in (1e-9, 1e-12):
        yield compare("sweeps of turns", turns, tolerance, REPEATS, 5)
    yield compare("sweeps of states", states, 1e-9, 2, 5)
