"""Agents asked one at a time: who plays rollouts, and code compiled for one agent alone.

The switch over all agents of a game takes long to compile where these are many; with one agent it takes seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from hazard import contract, dice, jit
from hazard.analysis.sources import within_reach
from hazard.arena.line_up import seat_agents
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, Position

# Who plays rollouts: the first of these that a game has and that does not search.
STRONGEST = ("master-fast", "master", "turn", "keep-pace", "hold-at-20", "koole", "greedy", "sdc", "ste", "random")
KEPT = 32  # players whose memory is kept


class Player(NamedTuple):
    """An agent ready to play."""

    name: str
    number: int
    memory: np.ndarray


def strongest(game: Game) -> str:
    """The strongest agent that is quick enough for rollouts."""
    quick = [name for name, agent in game.agents.items() if not agent.slow and not agent.solved]
    return next((name for name in STRONGEST if name in quick), quick[0])


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


@lru_cache(maxsize=256)
def alone(game_name: str, agent: str, function: Callable) -> Callable:
    """Generic code bound to a game in which there is one agent only."""
    game = Game(game_name)
    names = {name: f for name, f in vars(game.rules).items() if name in vars(contract) and callable(f)}
    decide = game.agents[agent].decide
    names["decide"] = jit.switch("decide", {agent: decide}, decide.__code__.co_filename)
    return jit.bind(function, f"{game_name}-{agent}", names, jit.enabled())


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
    moves = np.zeros(int(game.plain(contract.fanout)(game.g)), np.int64)
    arguments = (who.number, game.g, position.state, moves, who.memory, rng)
    if not game.agents[agent].slow:
        return Decision(position, game.plain(contract.decide), arguments)
    decide = alone(game.name, agent, contract.decide)
    make_ready(decide, *arguments)
    return Decision(position, decide, arguments)
