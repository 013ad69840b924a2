"""What is shown in the terminal: the board in text, whose turn it is, the dice, hints and results.

Colours are used only on a terminal, and not where NO_COLOR is set; nothing is said by colour alone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import click

from hazard.rulebook import Game, Position

if TYPE_CHECKING:
    from hazard.analysis.answers import Analysis, Review

SEAT_COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan", "white", "bright_red")
WIDTH = 96  # of the list of moves
EXPLAINED = 4  # moves that are all explained; of more only the best is
INDENT = " " * 8


def colours() -> bool:
    """Whether colours may be used."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Screen:
    """Shows one game."""

    def __init__(self, game: Game, players: Sequence[str]) -> None:
        self.game, self.players = game, list(players)
        self.coloured = colours()
        self.drawing = game.declaration.drawing

    def paint(self, text: str, colour: str | None = None, bold: bool = False, dim: bool = False) -> str:
        return click.style(text, fg=colour, bold=bold or None, dim=dim or None) if self.coloured else text

    def say(self, text: str = "") -> None:
        click.echo(text)

    def note(self, text: str) -> None:
        """A line of less importance."""
        click.echo(self.paint(text, dim=True))

    # --- the game ------------------------------------------------------------------------------------------------
    def who(self, seat: int) -> str:
        """A seat and its player."""
        name = f"{self.game.seat_name(seat)} ({self.players[seat]})"
        return self.paint(name, SEAT_COLOURS[seat % len(SEAT_COLOURS)], bold=True)

    def board(self, position: Position) -> None:
        """The board in text, if the game has a drawing, and the position."""
        if self.drawing:
            self.say()
            for line in self.drawing.draw(self.game.table, position.state):
                self.say(self._painted(line))
            self.note(str(position))
        else:
            self.say(self.paint(str(position), bold=True))

    def _painted(self, line: str) -> str:
        """A line of a drawing, in the colours that the game declares for some words."""
        for pattern, colour in self.drawing.paint if self.drawing and self.coloured else ():
            line = re.sub(pattern, self.paint(r"\g<0>", colour, bold=True), line)
        return line

    def rolled(self, text: str) -> None:
        self.say(f"  the dice: {self.paint(text, 'cyan')}")

    def played(self, seat: int, move: str) -> None:
        self.say(f"{self.who(seat)} plays {self.paint(move, bold=True)}")

    def menu(self, moves: Sequence[str]) -> None:
        """The moves with their numbers, in as many lines as they need."""
        line = " "
        for n, name in enumerate(moves, 1):
            part = f" {n}: {name} "
            if len(line) + len(part) > WIDTH:
                self.say(line.rstrip())
                line = " "
            line += part
        self.say(line.rstrip())

    def scored(self, points: Sequence[float]) -> None:
        """What each seat has scored so far."""
        self.say("scored so far: " + ", ".join(f"{self.who(p)} {value:g}" for p, value in enumerate(points)))

    def result(self, payoffs: Sequence[float]) -> None:
        for seat, payoff in enumerate(payoffs):
            self.say(f"  {self.who(seat)}: {payoff:g}")

    # --- what is known ---------------------------------------------------------------------------------------------
    def hint(self, analysis: Analysis) -> None:
        """Every move with its value, best first, and how that is known."""
        chances = ", ".join(f"{self.game.seat_name(p)} {value:.4f}" for p, value in enumerate(analysis.chances))
        self.say(f"  chances: {chances}   {self.paint(how_known(analysis), dim=True)}")
        width = max((len(row.move) for row in analysis.moves), default=0)
        for row in analysis.moves:
            spread = f" +- {(row.upper - row.lower) / 2:.1g}" if analysis.known == "rollout" else ""
            cost = f"   costs {row.cost:.4f}" if row.cost > 0 else "   best"
            line = f"    {row.move:{width}}  {row.value:.4f}{spread}{cost}"
            self.say(self.paint(line, "green") if row is analysis.moves[0] else line)
            if row.why and (row is analysis.moves[0] or len(analysis.moves) <= EXPLAINED):
                self.say(fill(row.why, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))

    def review(self, review: Review) -> None:
        """What the dice gave each seat, and what decisions lost."""
        self.say(f"luck and skill, {how_known(review)}:")
        for row in review.seats:
            luck = _figure(row.luck, row.luck_error)
            lost, given = _figure(row.lost, row.lost_error), _figure(row.given, row.given_error)
            first = f"  {self.who(row.seat)}: {row.start:.4f} at first, luck {luck}"
            self.say(f"{first}, gave away {lost}, was given {given}: {row.result:.4f}")


def _figure(value: float, error: float) -> str:
    """A figure with its error, if it has one; never -0."""
    return f"{round(value, 4) + 0.0:.4f}" + (f" +- {error:.1g}" if error else "")


def how_known(answer: Analysis | Review) -> str:
    if answer.known != "rollout":
        return answer.known
    return f"rollout of {answer.games:,} games each, played on by {answer.agent}"
