"""Agents asked one at a time. Code is compiled for the agent that is asked, not for all of the game's."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from hazard import dice
from hazard.agents.seating import decider, seat_agents
from hazard.background import make_ready
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, Position
from hazard.solving.solution import solved, within_reach

KEPT = 32  # players whose memory is kept


class Player(NamedTuple):
    """An agent ready to play."""

    name: str
    number: int
    memory: np.ndarray


def check_known(game: Game, name: str) -> None:
    if name not in game.agents:
        raise unknown(f"agent of {game.name}", name, game.agents)


def player(game: Game, name: str) -> Player:
    check_known(game, name)
    return _player(game, name)


def check_agent(game: Game, name: str) -> None:
    """Refuse an agent that cannot play such a game while somebody waits."""
    if game.agents[name].solved and not within_reach(game):
        raise BadInput(
            f"{name} plays solved games, and {game.describe()} takes long to solve; "
            f"run `hazard solve {game.describe()}` first, or take another agent"
        )


@lru_cache(maxsize=KEPT)
def _player(game: Game, name: str) -> Player:
    check_agent(game, name)
    (number,), (memory,) = seat_agents(game, [name])
    return Player(name, number, memory)


class Decision(NamedTuple):
    """A question to one agent, ready to be answered."""

    position: Position
    decide: Callable[[], int]

    def move(self) -> str:
        return self.position.moves[self.position.legal().index(int(self.decide()))]


def decision(position: Position, agent: str, seed: int, number: int) -> Decision:
    """What an agent is to decide; its stream is opened from the seed and the number of the decision.

    Asked again it gives the same move. One that plays by a solution has it then, and one that takes long to search in
    plain Python has been compiled.
    """
    if position.over or position.rolling:
        why = "the game is over" if position.over else "the dice are in the air"
        raise BadInput(f"{str(position)!r}: nothing to decide: {why}")
    game = position.game
    check_known(game, agent)
    if game.agents[agent].solved:
        check_agent(game, agent)
        return Decision(position, partial(solved(game).choice, position))
    memory = player(game, agent).memory
    rng = dice.stream(seed, number, dice.AGENTS + position.mover)
    arguments = game.table, position.state, np.zeros(int(game.ask("fanout")), np.int64), memory, rng
    decide = decider(game, agent)
    if game.agents[agent].heavy:
        make_ready(decide, *arguments)
    return Decision(position, partial(decide, *arguments))
