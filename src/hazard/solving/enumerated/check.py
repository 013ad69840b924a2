"""Checks a declared symmetry against the rules, on positions from play: it is not believed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hazard.errors import BadInput
from hazard.rulebook import Position
from hazard.solving.enumerated.solution import EnumeratedSolution, Pair

POSITIONS = 400  # that are checked
LONGEST = 200  # moves and rolls of one game


def check_canonical(solution: EnumeratedSolution) -> None:
    """Refuse a solution in which positions that `canonical` takes for the same are not worth the same.

    The value of a position is computed from where its own moves and dice lead, and must be that of its stand-in.
    """
    if "canonical" not in solution.game.contract:
        return
    for position in played(solution):
        _check(solution, position)


def _check(solution: EnumeratedSolution, position: Position) -> None:
    game = solution.game
    other = Position(game, game.ask("canonical", position.state))
    if other.state == position.state:
        return
    if (again := Position(game, game.ask("canonical", other.state))).state != other.state:
        raise BadInput(f"{game.name}: `canonical` takes {str(other)!r} on to {str(again)!r}; it must stay as it is")
    (low, high), (low2, high2) = backed_up(solution, position), backed_up(solution, other)
    slack = 2 * solution.error
    if other.over or low > high2 + slack or low2 > high + slack:
        raise BadInput(
            f"{game.name}: `canonical` takes {str(position)!r} for {str(other)!r}, but they are not worth the same "
            f"({(low + high) / 2:.6g} and {(low2 + high2) / 2:.6g} to the first seat)"
        )


def backed_up(solution: EnumeratedSolution, position: Position) -> Pair:
    """What seat 0 gets, from where the position's own moves or dice lead."""
    if position.over:
        return solution.pair(position)
    if position.rolling:
        pairs = [(float(o.probability), *solution.pair(o.position)) for o in position.outcomes() if o.probability]
        return sum(p * a for p, a, _ in pairs), sum(p * b for p, _, b in pairs)
    options = [pair for _, pair in solution.options(position)]
    best = min if position.mover == 1 or solution.game.least else max
    return best(a for a, _ in options), best(b for _, b in options)


def played(solution: EnumeratedSolution) -> Iterator[Position]:
    """Positions of games played at random, some hundreds."""
    rng, left = Random(1), POSITIONS
    while left > 0:
        position = solution.game.start()
        left -= 1
        for _ in range(LONGEST):
            if position.over or left <= 0:
                break
            yield position
            left -= 1
            if position.rolling:
                ways = position.outcomes()
                position = rng.choices(ways, [float(way.probability) for way in ways])[0].position
            else:
                move = rng.choice(position.legal())
                position = Position(position.game, position.game.ask("move", position.state, move))
