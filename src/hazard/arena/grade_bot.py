"""Grades a bot: its decisions in games against optimal play are priced with the solution's values."""

from __future__ import annotations

from collections.abc import Iterator

from hazard.arena.bots.games import BotGame, play_bot_games
from hazard.arena.bots.limits import Limits
from hazard.arena.grade import OPTIMAL, grade_trails
from hazard.arena.grade_figures import Grade
from hazard.arena.line_up import line_up_seed
from hazard.arena.story import Event, seat_of
from hazard.arena.tables import check_agents
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.solver import Progress

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
    """Play the bot against optimal play in all seats; a game that it forfeits counts with the decisions it made."""
    agents = [command, *[OPTIMAL] * (game.seats - 1)]
    check_agents(game, agents)
    if games < 2 * game.seats:
        raise BadInput(f"games={games}: must be {2 * game.seats} or more, two for each seat")
    games += -games % game.seats
    found = _games(game, agents, line_up_seed(seed, agents), games, limits or Limits(), progress)
    return grade_trails(game, _trails(game, command, found), command, seed, shown)


def _games(
    game: Game, agents: list[str], seed: int, games: int, limits: Limits, progress: Progress | None
) -> Iterator[BotGame]:
    for first in range(0, games, AT_ONCE):
        yield from play_bot_games(game, agents, seed, first, min(AT_ONCE, games - first), True, limits)
        if progress:
            progress(min(first + AT_ONCE, games), games)


def _trails(game: Game, command: str, found: Iterator[BotGame]) -> Iterator[tuple[list[Event], int]]:
    """Each game with the bot's seat; a bot that never gets to decide anything is no use."""
    decided = False
    for number, played in enumerate(found):
        decided = decided or not played.faults
        yield played.trail, seat_of(0, number, game.seats)
    if not decided:
        last = played.faults[-1]
        raise BadInput(f"{command!r} fails in every game ({last.reason}: {last.detail}); try `hazard check-bot`")
