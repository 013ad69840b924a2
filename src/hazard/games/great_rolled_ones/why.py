"""Why to roll or to hold: what is at risk, what a roll brings, and the pot from which holding is best."""

from __future__ import annotations

from fractions import Fraction

from hazard.games.great_rolled_ones.rules import ROLL, Params, State, enough, score
from hazard.reasons import Case, counted, often, sentence, threshold
from hazard.rulebook import Position


def why(case: Case) -> str:
    g, s = case.game.g, case.position.state
    said = _roll(g, s) if case.number == ROLL else _hold(case, g, s)
    most = int(enough(g, s)) - int(score(s, s.mover))
    pot = threshold(case, "hold", lambda pot: _with_pot(case.position, pot), s.pot, most)
    if pot is None:
        return said
    aside = f" with {counted(s.ones, 'one')} aside" if s.ones else ""
    return f"{said} At these scores{aside}, holding is best from a pot of {pot} on."


def _with_pot(position: Position, pot: int) -> Position:
    return Position(position.game, position.state._replace(pot=pot))


def _roll(g: Params, s: State) -> str:
    """What the turn may lose; and what a roll that does not bust adds on average, before the goal cuts it off."""
    ways = [int(n) for n in g.ways[s.ones, : g.bust - s.ones + 1]]
    bust = Fraction(ways[-1], sum(ways))
    kept = sum(ways[:-1])
    mean = sum(n * (g.dice - s.ones - i) for i, n in enumerate(ways[:-1])) / kept if kept else 0.0
    loss = f"loses the pot of {s.pot}" if s.pot else "ends the turn"
    if bust == 0:
        return f"This roll cannot bust; it adds {mean:.1f} on average."
    if not kept:
        return f"This roll {loss} for sure."
    return f"The roll {loss}, {often(bust)}; otherwise it adds {mean:.1f} on average."


def _hold(case: Case, g: Params, s: State) -> str:
    total = int(score(s, s.mover)) + s.pot
    best = max((int(score(s, seat)) for seat in range(g.players) if seat != s.mover), default=0)
    if case.after.over:
        return f"It ends the game with {total}: {'you win' if case.after.payoffs[s.mover] == 1 else 'you do not win'}."
    if total >= g.goal:
        return f"You have {total}: the last round begins, and whoever is still to come must get more than that."
    return sentence(f"you bank {s.pot} and have {total}; the best of the others has {best}.")
