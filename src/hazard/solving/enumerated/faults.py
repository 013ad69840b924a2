"""Says in words what is wrong with a position that the search could not expand, by going through it in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.enumerated.search import MOST_PAYOFF, MOST_WEIGHT


class Step(NamedTuple):
    """One step from a node: the position in which a decision was made, if any, the move, and where it leads."""

    decision: Any
    move: int
    after: Any


def named(game: Game, s: Any) -> str:
    """A position as text, and by its numbers if that fails."""
    try:
        return repr(str(Position(game, s)))
    except Exception:
        return repr(type(s)(*map(int, s)))


def decisions(game: Game, s: Any) -> Iterator[Any]:
    """Where the dice of a node can land; the node itself if it is a decision."""
    ways = int(game.ask("chance", s))
    if not ways:
        yield s
    total = 0
    for i in range(ways):
        share = int(game.ask("weight", s, i))
        total += share
        if share < 0 or total > MOST_WEIGHT:
            raise BadInput(
                f"{game.name}: `weight` of way {i} at {named(game, s)}: {share}; must be from 0 to 2^52 in all"
            )
        if share:
            yield game.ask("land", s, i)
    if ways and not total:
        raise BadInput(f"{game.name}: `weight` is 0 for every way that dice can land at {named(game, s)}")


def steps(game: Game, s: Any) -> Iterator[Step]:
    """All steps from a node to the next ones; raises what is wrong with it."""
    for u in decisions(game, s):
        if game.ask("over", u) or int(game.ask("chance", u)) > 0:
            yield Step(None, 0, u)
            continue
        if not 0 <= u.mover < game.seats:
            raise BadInput(
                f"{game.name}: `mover` is {int(u.mover)} at {named(game, u)}; must be from 0 to {game.seats - 1}"
            )
        most = int(game.ask("fanout"))
        moves = np.zeros(2 * most + 1024, np.int64)
        count = int(game.ask("legal", u, moves))
        if not 1 <= count <= most:
            wrong = "gives no move" if count < 1 else f"gives {count} moves, but `fanout` is {most},"
            raise BadInput(f"{game.name}: `legal` {wrong} at {named(game, u)}, which is not over")
        for m in moves[:count].tolist():
            yield Step(u, m, game.ask("move", u, m))


def explain(game: Game, s: Any, constant: float) -> BadInput:
    """What is wrong at a node."""
    try:
        for step in steps(game, s):
            _check_whole(game, s, step.after)
            _check_gain(game, step)
            _check_progress(game, s, step.after)
            if game.ask("over", step.after):
                _check_payoffs(game, step.after, constant)
    except BadInput as problem:
        return problem
    return BadInput(f"{game.name}: compiled rules are not the same as plain ones at {named(game, s)}")


def _check_whole(game: Game, s: Any, after: Any) -> None:
    for name, value in zip(after._fields, after, strict=True):
        if int(value) != value:
            raise BadInput(f"{game.name}: `{name}` is {value} after {named(game, s)}; must be a whole number")


def _check_gain(game: Game, step: Step) -> None:
    if step.decision is None:
        return
    scored = float(game.ask("gain", step.decision, step.move))
    if not abs(scored) <= MOST_PAYOFF:
        raise BadInput(f"{game.name}: `gain` is {scored} at {named(game, step.decision)}; must be a number")
    if scored and game.seats > 1:
        raise BadInput(
            f"{game.name}: `gain` is {scored:g} at {named(game, step.decision)}, but is for games of one player: "
            "what two get would not add up to a constant; keep scores in the position, and pay them at the end"
        )


def _check_progress(game: Game, s: Any, after: Any) -> None:
    if not game.ask("over", after):
        before, now = int(game.ask("progress", s)), int(game.ask("progress", game.ask("canonical", after)))
        if now < before:
            where = f"{named(game, s)} to {named(game, after)}"
            raise BadInput(f"{game.name}: `progress` fell from {before} to {now} on the way from {where}")


def _check_payoffs(game: Game, s: Any, constant: float) -> None:
    paid = [float(game.ask("payoff", s, seat)) for seat in range(game.seats)]
    if not all(abs(x) <= MOST_PAYOFF for x in paid):
        raise BadInput(f"{game.name}: `payoff` is {paid} at {named(game, s)}; must be numbers up to {MOST_PAYOFF:g}")
    if len(paid) == 2 and isfinite(constant) and abs(sum(paid) - constant) > 1e-12 * (abs(paid[0]) + abs(paid[1])):
        raise BadInput(
            f"{game.name}: payoffs add up to {sum(paid):g} at {named(game, s)}, but to {constant:g} elsewhere "
            "(`purse`, if it is declared): a game of two is solved only where they add up to a constant"
        )
