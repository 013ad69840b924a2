"""Grades an agent against a solved game: what its decisions give away, where, and what a best response wins from it.

What the agent expects against optimal play, and what a best response gets from it, is computed exactly. How often it
errs and in which positions is counted in games against optimal play; each move is priced with the solution's values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from hazard.arena.grade_figures import Grade, Watched, make_grade
from hazard.arena.grade_play import CHOICES, DECISIONS, ERRORS, LOSS, Priced, priced, watch
from hazard.arena.grade_uncounted import REMARKS, legal_moves, pricing_of, watch_recorded, watch_told
from hazard.arena.luck import MOST_BYTES, check_table, value_table
from hazard.arena.play import line_up
from hazard.arena.story import Event
from hazard.contract import fanout, size, span
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game
from hazard.solving.solution import Solution
from hazard.solving.solver import Progress, best_response, evaluate
from hazard.solving.store import solved

TINY = 1e-9  # a loss is an error if it exceeds this by more than the solution's own error
MOST_GAMES = 10_000_000
OPTIMAL = "optimal"


def grade(
    game: Game, agent: str, games: int = 100_000, seed: int = 1, shown: int = 10, progress: Progress | None = None
) -> Grade:
    """Grade a built-in agent in all seats against optimal play; games are rounded up to as many in every seat."""
    _check(game, agent, games, seed)
    _check_shown(shown)
    games += -games % game.seats
    if pricing := pricing_of(game):
        return _grade_recorded(game, pricing, agent, games, seed, shown, progress)
    parts = 2 + (2 * game.seats if _is_exact(game, agent) else 0)
    solution = solved(game, progress=_part(progress, 0, parts))
    seats = [agent, *[OPTIMAL] * (game.seats - 1)]
    values = value_table(solution)
    sums, found = watch(
        line_up(game, seats, seed, shared=False), games, values, _slack(solution), _part(progress, 1, parts)
    )
    exact = _exact(game, agent, progress, parts) if _is_exact(game, agent) else None
    watched = Watched(np.arange(games) % game.seats, sums, found)
    return make_grade(solution, agent, seed, watched, exact, shown)


def _grade_recorded(
    game: Game, pricing: ModuleType, agent: str, games: int, seed: int, shown: int, progress: Progress | None
) -> Grade:
    """The same in a game that prices its own decisions; nothing is evaluated exactly."""
    solution = solved(game)
    seated = line_up(solution.game, [agent, *[OPTIMAL] * (game.seats - 1)], seed, shared=False)
    watched = watch_recorded(solution, seated, games, _slack(solution), progress)
    return replace(make_grade(solution, agent, seed, watched, None, shown), remarks=REMARKS | pricing.REMARKS)


def grade_trails(
    game: Game, told: Iterable[tuple[Iterable[Event], int]], agent: str, seed: int | None = None, shown: int = 10
) -> Grade:
    """Grade any player from games told event by event, each with the seat it had; nothing is evaluated exactly.

    The games are taken to be independent of each other, so they should not share their dice.
    """
    check_graded(game)
    _check_shown(shown)
    solution, pricing = solved(game), pricing_of(game)
    if game != solution.game:
        raise BadInput(f"{game.describe()}: grade games played as it is solved, {solution.game.describe()}")
    seats: list[int] = []
    trails: list[Any] = []
    for trail, seat in told:
        seats.append(seat)
        trails.append(list(trail) if pricing else _decisions(game, trail, seat))
    if not trails:
        raise BadInput("no games to grade; give at least one")
    if pricing:
        watched = watch_told(solution, trails, seats, _slack(solution))
        return replace(make_grade(solution, agent, seed, watched, None, shown), remarks=REMARKS | pricing.REMARKS)
    sums, found = _price_trails(game, trails, value_table(solution), _slack(solution))
    return make_grade(solution, agent, seed, Watched(np.array(seats), sums, found), None, shown)


def check_graded(game: Game) -> None:
    """Refuse a game that cannot be graded."""
    if pricing := pricing_of(game):
        pricing.check(game)
    else:
        check_table(game)


def _check(game: Game, agent: str, games: int, seed: int) -> None:
    check_graded(game)
    for name in (agent, OPTIMAL):
        if name not in game.agents:
            raise unknown(f"agent of {game.name}", name, game.agents)
    if not 2 * game.seats <= games <= MOST_GAMES:
        raise BadInput(f"games={games}: must be from {2 * game.seats}, two for each seat, to {MOST_GAMES}")
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed={seed}: must be from 0 to 2^63 - 1")
    if pricing_of(game):
        return
    need = int(game.plain(size)(game.g)) * int(game.plain(span)(game.g)) * int(game.plain(fanout)(game.g)) * 4
    if need > MOST_BYTES:
        most = f"{need / 2**30:.1f} GiB, more than the {MOST_BYTES / 2**30:g} GiB allowed"
        raise BadInput(f"{game.describe()}: counting every move of every decision needs {most}; take a smaller game")


def _check_shown(shown: int) -> None:
    if shown < 0:
        raise BadInput(f"{shown} positions to show: must be 0 or more")


def _slack(solution: Solution) -> float:
    return TINY + solution.error


def _is_exact(game: Game, agent: str) -> bool:
    """Whether the agent can be evaluated exactly: it draws nothing, or draws any move alike."""
    return game.agents[agent].uniform or not game.agents[agent].draws


def _part(progress: Progress | None, number: int, parts: int) -> Progress | None:
    """The progress of one part of the work as progress of the whole, in thousandths of a part."""
    if progress is None:
        return None
    return lambda done, total: progress(number * 1000 + 1000 * done // max(total, 1), parts * 1000)


def _exact(game: Game, agent: str, progress: Progress | None, parts: int) -> list[tuple[float, float]]:
    """For each seat what the agent gets there from optimal play, and what a best response gets there from it."""
    found, start = [], game.start()
    for seat in range(game.seats):
        mine = [agent if p == seat else OPTIMAL for p in range(game.seats)]
        others = [None if p == seat else agent for p in range(game.seats)]
        expects = evaluate(game, mine, progress=_part(progress, 2 + 2 * seat, parts)).value(start)[seat]
        response = best_response(game, others, progress=_part(progress, 3 + 2 * seat, parts)).value(start)[seat]
        found.append((expects, response))
    return found


# --- from trails ---------------------------------------------------------------------------------------------------
def _decisions(game: Game, trail: Iterable[Event], seat: int) -> np.ndarray:
    """The seat's decisions: for each its row, the place of the move among the legal ones, and how many these are."""
    rules, g, found = game.rules, game.g, []
    for event in trail:
        if event.rolled or event.state.mover != seat:
            continue
        legal = legal_moves(game, event)
        row = int(rules.index(g, event.state)) * int(rules.span(g)) + int(rules.step(g, event.state))
        found.append((row, legal.index(event.number), len(legal)))
    return np.array(found, np.int64).reshape(-1, 3)


def _price_trails(game: Game, trails: list[np.ndarray], values: np.ndarray, slack: float) -> tuple[np.ndarray, Priced]:
    """The sums of each game, and the positions that came up."""
    made = np.concatenate(trails)
    numbers = np.repeat(np.arange(len(trails)), [len(t) for t in trails])
    real = made[:, 2] > 1
    visited, place, counts = np.unique(made[real, :2], axis=0, return_inverse=True, return_counts=True)
    found = priced(game, values, slack, visited, counts)
    loss = found.losses[place.reshape(-1)]
    sums = np.zeros((len(trails), 4))
    sums[:, DECISIONS] = [len(t) for t in trails]
    for column, what in ((LOSS, loss), (CHOICES, np.ones(len(loss))), (ERRORS, loss > 0)):
        np.add.at(sums[:, column], numbers[real], what)
    return sums, found
