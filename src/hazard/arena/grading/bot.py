"""Grades a bot: its decisions in games against optimal play are priced with the solution's values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from hazard.agents.seating import line_up_seed
from hazard.arena.bots.games import BotGame, play_bot_games
from hazard.arena.bots.limits import SUSPENDED, Fault, Limits
from hazard.arena.grading.figures import Grade
from hazard.arena.grading.grade import OPTIMAL, check_graded, grade_trails
from hazard.arena.play.seated import check_agents
from hazard.arena.play.steps import seat_of
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.solution import Progress, solver_of

AT_ONCE = 20  # games for which one process of the bot is kept


def grade_bot(
    game: Game,
    command: str,
    games: int = 200,
    seed: int = 1,
    shown: int = 10,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Grade:
    """Play the bot against optimal play in all seats; games that it forfeits are left out and counted apart."""
    check_graded(game)
    game = solver_of(game).subject(game)  # one may be solved with other rules, say without a limit of turns
    agents = [command, *[OPTIMAL] * (game.seats - 1)]
    check_agents(game, agents)
    if games < 2 * game.seats:
        raise BadInput(f"games={games}: must be {2 * game.seats} or more, two for each seat")
    games += -games % game.seats
    found = list(_games(game, agents, line_up_seed(seed, agents), games, limits or Limits(), progress))
    clean = [(played.trail, seat_of(0, number, game.seats)) for number, played in enumerate(found) if not played.faults]
    faults = [fault for played in found for fault in played.faults]
    if not clean:
        raise BadInput(f"{command!r} fails in every game ({_last(faults)}); try `hazard check-bot`")
    counted = Counter(fault.reason for fault in faults)
    return replace(grade_trails(game, clean, command, seed, shown), faults=dict(counted))


def _last(faults: list[Fault]) -> str:
    known = [fault for fault in faults if fault.reason != SUSPENDED]
    return f"{known[-1].reason}: {known[-1].detail}"


def _games(
    game: Game, agents: list[str], seed: int, games: int, limits: Limits, progress: Progress | None
) -> Iterator[BotGame]:
    for first in range(0, games, AT_ONCE):
        yield from play_bot_games(game, agents, seed, first, min(AT_ONCE, games - first), False, limits)
        if progress:
            progress(min(first + AT_ONCE, games), games)
