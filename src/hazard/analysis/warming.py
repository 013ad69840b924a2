"""Compiles what a game needs before anybody asks for it: `hazard warm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from hazard import background, dice
from hazard.analysis.players import check_agent, decision
from hazard.analysis.positions import known_at_once, rollouts_of
from hazard.arena.play.compiled import line_up
from hazard.errors import BadInput
from hazard.rulebook import Game, Position

Tell = Callable[[str], None]


def warm(game: Game, tell: Tell) -> None:
    """Do a little of all that is compiled for a game; `tell` hears what."""
    background.compiled_only = True
    try:
        for title, work in _tasks(game):
            tell(title)
            work()
    finally:
        background.compiled_only = False


def _tasks(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    solver, position = game.declaration.solver, first_decision(game)
    if solver and not solver.obstacle(game) and solver.quick(game):
        yield "solving", lambda: solver.solve(solver.subject(game), solver.tolerance, None, None).policy
    yield "analysis", lambda: known_at_once(position)
    yield "rollouts", lambda: rollouts_of(game).sample(position, 1, 0, 1)
    for name in dict.fromkeys(game.declaration.lab.opponents + game.declaration.lab.watch):
        if game.agents[name].slow and _can_play(game, name):
            yield f"moves of {name}", partial(_decide, position, name)
    anybody = [next(iter(game.agents))] * game.seats
    yield "matches", lambda: line_up(game, anybody, 1, company=list(game.agents)).play(0, 0)


def _decide(position: Position, name: str) -> str:
    return decision(position, name, 0, 0).move()


def _can_play(game: Game, name: str) -> bool:
    try:
        check_agent(game, name)
    except BadInput:
        return False
    return True


def first_decision(game: Game) -> Position:
    """Where somebody has something to decide for the first time."""
    position, rng = game.deal(dice.stream(1, 0, dice.BOARD)), dice.stream(1)
    while position.rolling:
        position = position.roll(rng).position
    return position
