"""A line-up that is ready to play: compiled if all agents are built in, step by step if one of them is a bot."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from hazard.arena.bots.command import is_bot
from hazard.arena.bots.limits import Fault, Limits
from hazard.arena.play.compiled import Games, LineUp, line_up, lucky_seats
from hazard.errors import unknown
from hazard.rulebook import Game


class Played(NamedTuple):
    """Some games of a line-up."""

    games: Games
    log: np.ndarray | None = None  # a row for each decision: the move, then the position's numbers
    moves: list[list[int]] | None = None  # of games with bots: every decision, as numbers
    faults: list[list[Fault]] | None = None  # of games with bots
    comments: list[list[tuple[int, str]]] | None = None  # of games with bots: what they said, with the decision


class Seated(Protocol):
    """Plays any games of its line-up."""

    def play(self, first: int, count: int, record: bool = False, expelled: Collection[str] = ()) -> Played: ...


@dataclass(frozen=True)
class BuiltIn:
    """Built-in agents only."""

    seated: LineUp

    def play(self, first: int, count: int, record: bool = False, expelled: Collection[str] = ()) -> Played:
        if record:
            return Played(*self.seated.play_and_record(first, count))
        return Played(self.seated.play(first, count))


@dataclass(frozen=True)
class WithBots:
    """At least one bot."""

    game: Game
    agents: list[str]
    seed: int
    shared: bool
    values: np.ndarray | None
    limits: Limits

    def play(self, first: int, count: int, record: bool = False, expelled: Collection[str] = ()) -> Played:
        from hazard.arena.bots.games import play_bot_games
        from hazard.arena.play.luck import luck_of_trail

        dealt = (self.game, self.agents, self.seed, first, count, self.shared)
        told = play_bot_games(*dealt, self.limits, expelled)
        luck: list[Any] = [[] if self.values is None else luck_of_trail(self.game, t.trail, self.values) for t in told]
        games = Games(
            np.array([t.payoffs for t in told], np.float64).reshape(count, self.game.seats),
            np.array([t.length for t in told], np.int32),
            np.array([t.cut for t in told], np.int32),
            np.array(luck, np.float64).reshape(count, 0 if self.values is None else lucky_seats(self.game)),
        )
        rows = [[event.number, *event.state] for t in told for event in t.trail if not event.rolled]
        log = np.array(rows, np.int64).reshape(len(rows), 1 + len(self.game.rules.State._fields))
        return Played(games, log, [t.moves for t in told], [t.faults for t in told], [t.comments for t in told])


def check_agents(game: Game, agents: Sequence[str]) -> None:
    """Every agent is one of the game's, or a command that can be run."""
    for name in agents:
        if name not in game.agents and not is_bot(name):
            raise unknown(f"agent of {game.name}", name, game.agents)


def seat(
    game: Game,
    agents: Sequence[str],
    seed: int,
    shared: bool = True,
    values: np.ndarray | None = None,
    limits: Limits | None = None,
    company: Sequence[str] = (),
    at_once: bool = False,
) -> Seated:
    """Seat a line-up; `company` are all agents of a tournament, so that it compiles once.

    One that is to play `at_once` does not wait for a compiler.
    """
    check_agents(game, agents)
    if all(name in game.agents for name in agents):
        return BuiltIn(line_up(game, agents, seed, shared, values, company, at_once))
    return WithBots(game, list(agents), seed, shared, values, limits or Limits())
