"""Hints in the terminal: the same analysis, with the same labels, as the lab shows."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

from hazard.rulebook import Position
from hazard.terminal.screen import Screen

PATIENCE = 3.0  # seconds after which the best answer so far is shown


def show_hint(screen: Screen, position: Position) -> None:
    """Show what each move is worth, and why."""
    from hazard.analysis.positions import analyse
    from hazard.analysis.why import explained

    screen.hint(explained(position, _improved(lambda tally: analyse(position, tally, PATIENCE / 3))))


def show_review(screen: Screen, start: Position, steps: Sequence[str]) -> None:
    """Show what the dice gave, and what decisions lost."""
    from hazard.analysis.review import review

    screen.review(_improved(lambda tally: review(start, steps, tally, PATIENCE / 3)))


def _improved(improve: Callable[[Any], tuple[Any, Any]]) -> Any:
    """The first answer after `PATIENCE`, or the final one; `improve` goes on from the tally it is given."""
    if sys.stderr.isatty():
        click.echo("  thinking ...", err=True)
    end = time.monotonic() + PATIENCE
    answer, tally = improve(None)
    while answer is None or not (answer.final or time.monotonic() > end):
        better, tally = improve(tally)
        answer = better or answer
    return answer
