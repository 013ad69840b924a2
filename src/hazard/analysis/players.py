"""Agents asked one at a time. Code is compiled for the agent that is asked, not for all of the game's."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from hazard import contract, dice
from hazard.agents.seating import seat_agents
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, Position
from hazard.solving.solution import within_reach

KEPT = 32  # players whose memory is kept


class Player(NamedTuple):
    """An agent ready to play."""

    name: str
    number: int
    memory: np.ndarray


def player(game: Game, name: str) -> Player:
    if name not in game.agents:
        raise unknown(f"agent of {game.name}", name, game.agents)
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


def make_ready(function: Callable, *arguments: Any) -> None:
    """Compile a function for such arguments without running it."""
    if hasattr(function, "typeof_pyval"):
        function.compile(tuple(function.typeof_pyval(argument) for argument in arguments))  # type: ignore[attr-defined]


class Decision(NamedTuple):
    """A question to one agent, ready to be answered."""

    position: Position
    decide: Callable
    arguments: tuple[Any, ...]

    def move(self) -> str:
        found = int(self.decide(*self.arguments))
        return self.position.moves[self.position.legal().index(found)]


def decision(position: Position, agent: str, seed: int, number: int) -> Decision:
    """What an agent is to decide; its stream is opened from the seed and the number of the decision.

    Asked again it gives the same move. An agent that searches is compiled here, and one that reads a solution has it.
    """
    if position.over or position.rolling:
        why = "the game is over" if position.over else "the dice are in the air"
        raise BadInput(f"{str(position)!r}: nothing to decide: {why}")
    game, who = position.game, player(position.game, agent)
    rng = dice.stream(seed, number, dice.AGENTS + position.mover)
    moves = np.zeros(int(game.plain(contract.fanout)(game.table)), np.int64)
    arguments = (who.number, game.table, position.state, moves, who.memory, rng)
    if not game.agents[agent].slow:
        return Decision(position, game.plain(contract.decide), arguments)
    decide = game.compiled(contract.decide, agents=[agent])
    make_ready(decide, *arguments)
    return Decision(position, decide, arguments)
