"""Grades an agent against a solved game: what its decisions give away, where, and what a best response wins from it.

What the agent expects against optimal play, and what a best response gets from it, is computed exactly. How often it
errs and in which positions is counted in games against optimal play; each move is priced with the solution's values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hazard.arena.grading.figures import Grade, make_grade
from hazard.arena.grading.watch import watch, watch_told
from hazard.arena.play.compiled import line_up
from hazard.arena.play.steps import Event
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, make_game
from hazard.solving.solution import Progress, Solution, best_response, check_values, evaluate, solved, solver_of

TINY = 1e-9  # a loss is an error if it exceeds this by more than the solution's own error
MOST_GAMES = 10_000_000
OPTIMAL = "optimal"
UNKNOWN = "the agent is not evaluated exactly here; the loss is measured in these games"


def grade(
    game: Game, agent: str, games: int = 100_000, seed: int = 1, shown: int = 10, progress: Progress | None = None
) -> Grade:
    """Grade a built-in agent in all seats against optimal play. Games are rounded up so that each seat has the same."""
    _check(game, agent, games, seed)
    _check_shown(shown)
    games += -games % game.seats
    exactly = _is_exact(game, agent)
    parts = 2 + (2 * game.seats if exactly else 0)
    solution = solved(game, progress=_part(progress, 0, parts))
    seated = line_up(solution.game, [agent, *[OPTIMAL] * (game.seats - 1)], seed, shared=False)
    watched = watch(solution, seated, games, _slack(solution), _part(progress, 1, parts))
    exact = _exact(game, agent, progress, parts) if exactly else None
    return _remarked(make_grade(solution, agent, seed, watched, exact, shown))


def _remarked(grade: Grade) -> Grade:
    """What a reader should know of these figures."""
    unknown = {} if grade.loss_per_game is not None else {"exact figures": UNKNOWN}
    return replace(grade, remarks=unknown | dict(solver_of(make_game(grade.game, grade.parameters)).remarks))


def grade_trails(
    game: Game, told: Iterable[tuple[Iterable[Event], int]], agent: str, seed: int | None = None, shown: int = 10
) -> Grade:
    """Grade any player from games told event by event, each with the seat it had; nothing is evaluated exactly.

    The games are taken to be independent of each other, so they should not share their dice.
    """
    check_graded(game)
    _check_shown(shown)
    solution = solved(game)
    if game != solution.game:
        raise BadInput(f"{game.describe()}: grade games played as it is solved, {solution.game.describe()}")
    seats: list[int] = []
    trails: list[list[Event]] = []
    for trail, seat in told:
        seats.append(seat)
        trails.append(list(trail))
    if not trails:
        raise BadInput("no games to grade; give at least one")
    watched = watch_told(solution, trails, seats, _slack(solution))
    return _remarked(make_grade(solution, agent, seed, watched, None, shown))


def check_graded(game: Game) -> None:
    """Refuse a game that cannot be graded."""
    check_values(game)


def _check(game: Game, agent: str, games: int, seed: int) -> None:
    check_graded(game)
    for name in (agent, OPTIMAL):
        if name not in game.agents:
            raise unknown(f"agent of {game.name}", name, game.agents)
    if not 2 * game.seats <= games <= MOST_GAMES:
        raise BadInput(f"games={games}: must be from {2 * game.seats}, two for each seat, to {MOST_GAMES}")
    if not 0 <= seed < 2**63:
        raise BadInput(f"seed={seed}: must be from 0 to 2^63 - 1")


def _check_shown(shown: int) -> None:
    if shown < 0:
        raise BadInput(f"{shown} positions to show: must be 0 or more")


def _slack(solution: Solution) -> float:
    return TINY + solution.error


def _is_exact(game: Game, agent: str) -> bool:
    """Whether the agent can be evaluated exactly: it draws nothing, or draws any move alike."""
    return solver_of(game).evaluates and (game.agents[agent].uniform or not game.agents[agent].draws)


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
