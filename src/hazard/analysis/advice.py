"""What `hazard advise` says of a position: the answer that the lab gives too, and what the game has to add."""

from __future__ import annotations

from typing import Any

from hazard.analysis.answers import Analysis
from hazard.analysis.positions import at_a_glance, known_at_once, roll_out, roll_out_for, rollouts_of
from hazard.analysis.rollouts import STEPS
from hazard.analysis.why import explained
from hazard.rulebook import Game, Position
from hazard.solving.report import head
from hazard.solving.solution import Progress, solved, within_reach

GAMES = 40_000  # rollouts of all moves together, if nothing else is said
FIRST = 0.4  # seconds of rollouts in plain Python, while nothing has been compiled yet


def advise_report(
    game: Game,
    text: str,
    tolerance: float,
    rollouts: int | None,
    agent: str | None,
    progress: Progress | None,
    why: bool = False,
) -> dict[str, Any]:
    """Every legal move of a position, best first: exact where the game can be solved, else by a network or rollouts."""
    position = game.parse(text)
    position.check_decision()
    if rollouts is None and agent is None:
        if within_reach(game):
            solved(game, tolerance, progress)
        found = known_at_once(position) or _rolled_out(position)
        note = _note(found, position)
    else:
        note = {}
        found = roll_out(position, _rollouts(position) if rollouts is None else rollouts, agent)
    if why:
        found = explained(position, found)
    more = game.declaration.advise
    said = more(position) if more else None
    rows = [_row(found, n) | (said.moves[row.move] if said else {}) for n, row in enumerate(found.moves)]
    if why:
        rows = [row | {"why": found.moves[n].why} for n, row in enumerate(rows)]
    who = {"position": str(position), "mover": game.seat_name(position.mover)}
    played = {"rollouts": found.games, "agent": found.agent} if found.known == "rollout" else {}
    return head(game) | who | played | (said.facts if said else {}) | note | {"moves": rows}


def _rolled_out(position: Position) -> Analysis:
    """An answer by many rollouts; as long as they are not compiled, at a glance or by as many as soon can be played.

    `--rollouts` with the number that is told gives the same answer again.
    """
    if rollouts_of(position.game).is_compiled:
        return roll_out(position, _rollouts(position))
    return at_a_glance(position) or roll_out_for(position, FIRST)


def _note(found: Analysis, position: Position) -> dict[str, str]:
    """How to get a better answer than the first."""
    first = found.games < _rollouts(position) if found.known == "rollout" else not found.final
    how = f"`hazard warm {position.game.source}` compiles rollouts, once; then many more are played"
    return {"note": f"a first answer; {how}"} if first else {}


def _rollouts(position: Position) -> int:
    """How many games are played on from each move: one of the steps at which the lab's answer gets better."""
    each = GAMES // len(position.moves)
    return max([step for step in STEPS if step <= each], default=STEPS[0])


def _row(found: Analysis, n: int) -> dict[str, Any]:
    row = found.moves[n]
    bounds = {"lower": None, "upper": None} if found.known == "network" else {"lower": row.lower, "upper": row.upper}
    return {"move": row.move, "value": row.value, **bounds, "cost": row.cost, "known": found.known}
