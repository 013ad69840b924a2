"""Why to roll or to hold: what is at risk, and the pot from which holding is best at these scores."""

from __future__ import annotations

from fractions import Fraction

from hazard.games.pig.rules import ROLL, State
from hazard.reasons import Case, often, threshold
from hazard.rulebook import Position


def why(case: Case) -> str:
    g, s = case.game.g, case.position.state
    said = _roll(g.sides, s) if case.number == ROLL else _hold(g.goal, s)
    pot = threshold(case, "hold", lambda pot: _with_pot(case.position, pot), s.pot, g.goal - s.me)
    if pot is None:
        return said
    return f"{said} At {s.me} to {s.you}, holding is best from a pot of {pot} on."


def _with_pot(position: Position, pot: int) -> Position:
    return Position(position.game, position.state._replace(pot=pot))


def _roll(sides: int, s: State) -> str:
    mean = (sides + 2) / 2
    gain = f"any other roll adds {mean:g} on average"
    if not s.pot:
        return f"There is nothing in the pot to lose yet. A 1 ends the turn {often(Fraction(1, sides))}; {gain}."
    return f"A 1 loses the pot of {s.pot}, {often(Fraction(1, sides))}; {gain}."


def _hold(goal: int, s: State) -> str:
    total = s.me + s.pot
    if total >= goal:
        return f"It wins: {s.me} and {s.pot} make {total}."
    return f"You bank {s.pot} and have {total}, {goal - total} short of the goal; the other needs {goal - s.you}."
