"""Puts the reasons (`hazard.reasons`) to the moves of an analysis."""

from __future__ import annotations

from hazard.analysis.answers import Analysis
from hazard.analysis.sources import Chances, judge_of
from hazard.reasons import Case, why
from hazard.rulebook import Position
from hazard.solving.solution import at_hand, solved

MOST = 24  # moves that are explained, the best first


def explained(position: Position, found: Analysis) -> Analysis:
    """The same analysis, each of its best moves with a reason."""
    from msgspec.structs import replace

    if not found.moves:
        return found
    chances, error = _judge(position, found)
    cases = [Case(position, row.move, chances, found.known == "exact", error) for row in found.moves[:MOST]]
    said = [why(case) for case in cases]
    if len(said) > 1 and len(set(said)) == 1:  # what is said of every move explains none
        return found
    rows = [replace(row, why=text) for row, text in zip(found.moves, said, strict=False)]
    return replace(found, moves=[*rows, *found.moves[MOST:]])


def _judge(position: Position, found: Analysis) -> tuple[Chances | None, float]:
    """What positions that follow are worth, and how far that may be off; rollouts know it of none but these moves."""
    if found.known == "exact" and at_hand(position.game):
        solution = solved(position.game)
        return solution.value, solution.error
    return (judge_of(position.game), 0.0) if found.known == "network" else (None, 0.0)
