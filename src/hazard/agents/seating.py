"""From agents' names to what compiled code needs: numbers, and the memory of those that play by a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from hazard import dice
from hazard.contract import decide
from hazard.errors import unknown
from hazard.rulebook import Game, Position


def seat_agents(game: Game, names: Sequence[str | None]) -> tuple[list[int], list[np.ndarray]]:
    """For each name the agent's number (-1 for None) and its memory."""
    numbers, memory = [], []
    known = list(game.agents)
    for name in names:
        if name is not None and name not in known:
            raise unknown(f"agent of {game.name}", name, known)
        numbers.append(-1 if name is None else known.index(name))
        memory.append(_memory(game, name))
    return numbers, memory


def line_up_seed(seed: int, agents: Sequence[str]) -> int:
    """A line-up's own seed, so that its games are the same whoever else takes part."""
    return int.from_bytes(hashlib.sha256(json.dumps([seed, *agents]).encode()).digest()[:8], "little")


def _memory(game: Game, name: str | None) -> np.ndarray:
    """What an agent reads: the policy of a solution, weights, or nothing."""
    agent = game.agents[name] if name is not None else None
    return agent.reads(game) if agent and agent.reads else empty()


def as_memory(table: np.ndarray) -> np.ndarray:
    """The bytes of a table; all memories are flat and read-only, so compiled code sees one type."""
    memory = np.ascontiguousarray(table).reshape(-1).view(np.uint8)
    memory.flags.writeable = False
    return memory


def empty() -> np.ndarray:
    """The memory of an agent that has none."""
    return as_memory(np.zeros(0, np.uint8))


def padded(memory: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """The memories of all seats, filled up so that compiled code is the same for any number of seats."""
    return (*memory, *[empty()] * (dice.MOST_SEATS - len(memory)))


def decider(game: Game, name: str) -> Callable:
    """What decides for an agent that is asked one position at a time, as `decide(g, s, moves, memory, rng)`.

    An agent that searches is compiled, but begins in plain Python, unless that would take longer than to compile it.
    """
    agent = game.agents[name]
    if not agent.slow:
        return game.plain(agent.decide)
    return partial((game.compiled if agent.heavy else game.soon)(decide, agents=[name]), 0)


def agent_move(position: Position, number: int, memory: np.ndarray, rng: np.ndarray) -> str:
    """The move that an agent makes, asked for one position at a time."""
    game = position.game
    moves = np.zeros(game.ask("fanout"), np.int64)
    found = int(decider(game, list(game.agents)[number])(game.table, position.state, moves, memory, rng))
    return position.moves[position.legal().index(found)]
