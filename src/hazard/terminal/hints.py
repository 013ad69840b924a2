"""Hints in the terminal: the same advice, with the same labels, as a server gives."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

from hazard.rulebook import Position
from hazard.terminal.screen import Screen

PATIENCE = 3.0  # seconds after which the answer of rollouts is shown


def show_hint(screen: Screen, position: Position) -> None:
    """What each move is worth."""
    from hazard.analysis.answers import Tally
    from hazard.analysis.positions import analyse, make_ready

    def more(tally: Tally | None) -> tuple:
        return analyse(position, tally, PATIENCE / 3)

    screen.hint(_patiently(lambda: make_ready(position.game), more))


def show_review(screen: Screen, start: Position, steps: Sequence[str]) -> None:
    """What the dice gave, and what choices gave away."""
    from hazard.analysis.answers import Tally
    from hazard.analysis.positions import make_ready
    from hazard.analysis.review import review

    def more(tally: Tally | None) -> tuple:
        return review(start, steps, tally, PATIENCE / 3)

    screen.review(_patiently(lambda: make_ready(start.game), more))


def _patiently(make_ready: Callable[[], None], more: Callable) -> Any:
    """The best answer after a while, and no sooner than there is one."""
    if sys.stderr.isatty():
        click.echo("  thinking ...", err=True)
    make_ready()
    end = time.monotonic() + PATIENCE
    found, tally = more(None)
    while found is None or not (found.final or time.monotonic() > end):
        found, tally = more(tally)
    return found
