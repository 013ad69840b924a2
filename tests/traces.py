"""Seeded games move by move, in plain Python, and those that were recorded in the folder `traces`."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import hazard
from hazard import dice
from hazard.agents.seating import agent_move, seat_agents

TRACES = Path(__file__).parent / "traces"


def steps(game: hazard.Game, agents: list[str], seed: int, dealt: bool) -> Iterator[tuple[str, hazard.Position]]:
    """A line for each step of a game, with the position that follows; the last line is the last position."""
    numbers, memory = seat_agents(game, agents)
    streams = [dice.stream(seed, 0, n) for n in range(dice.AGENTS + game.seats)]
    position = game.deal(streams[dice.BOARD]) if dealt else game.start()
    while not position.over:
        before, who = position, position.mover
        if position.rolling:
            outcome = position.roll(streams[dice.DICE + who])
            done, position = outcome.text, outcome.position
        else:
            done = agent_move(position, numbers[who], memory[who], streams[dice.AGENTS + who])
            position = position.move(done)
        yield f"{before}: {done}", position
    yield str(position), position


def playthrough(
    game: hazard.Game, agents: list[str], seed: int, dealt: bool = False, most: int | None = None
) -> tuple[list[str], hazard.Position]:
    """A game, or so many steps of it, and the position it comes to."""
    played = list(islice(steps(game, agents, seed, dealt), most))
    return [line for line, _ in played], played[-1][1]


def record_of(name: str) -> Path:
    return TRACES / f"{re.sub('[^a-z0-9=_-]+', '+', name)}.txt"


def check_trace(name: str, lines: list[str]) -> None:
    """Compare a whole game with the recorded one; HAZARD_WRITE_TRACES=1 records it instead."""
    path = record_of(name)
    if os.environ.get("HAZARD_WRITE_TRACES"):
        path.write_text("\n".join(lines) + "\n")
    assert path.read_text().splitlines() == lines
