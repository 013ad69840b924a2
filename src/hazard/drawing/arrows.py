"""Advice on a board as a picture: attacks as arrows over borders, and lines below for what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hazard.rulebook import Game, Position
    from hazard.solving.solution import Advice

Point = tuple[float, float]


class Shape(NamedTuple):
    """An arrow: half its length, how thick its shaft is, how wide its head; and how wide its light rim."""

    half: float
    thick: float
    wide: float
    rim: float


def arrow(start: Point, end: Point, across: float, shape: Shape) -> list[str]:
    """Between the middles of two hexagons, `across` apart, with a rim so that it is seen on any colour."""
    half, thick, wide, light = shape
    dx, dy = (end[0] - start[0]) / across, (end[1] - start[1]) / across
    x, y = middle(start, end)
    tip, neck = (x + dx * half, y + dy * half), (x + dx * (half - 1.5 * wide), y + dy * (half - 1.5 * wide))
    shaft = f"M{x - dx * half:.1f} {y - dy * half:.1f}L{neck[0]:.1f} {neck[1]:.1f}"
    wings = f"{neck[0] - dy * wide:.1f},{neck[1] + dx * wide:.1f} {neck[0] + dy * wide:.1f},{neck[1] - dx * wide:.1f}"
    head = f'<polygon points="{tip[0]:.1f},{tip[1]:.1f} {wings}"'
    return [
        f'<g class="{kind}"><path d="{shaft}" stroke-width="{thick + rim}"/>{head} stroke-width="{rim}"/></g>'
        for kind, rim in (("halo", light), ("arrow", 0))
    ]


def middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def label(x: float, y: float, text: str, size: int, best: bool) -> str:
    weight = "bold" if best else "normal"
    return f'<text class="label" x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}">{text}</text>'


def below(
    game: Game, position: Position, advice: Sequence[Advice], worth: Callable[[Advice, bool], str]
) -> list[tuple[str, str]]:
    """What cannot be drawn: the end of the turn; and how to read the labels. Each line with its weight."""
    if not advice:
        return []
    ends = [
        (f"end the turn: {'best, ' if n == 0 else ''}{worth(row, n == 0)}", "bold" if n == 0 else "normal")
        for n, row in enumerate(advice)
        if row.move == "end"
    ]
    value = f"{game.seat_name(position.mover)}’s value {advice[0].value:.4f}"
    return [*ends, (f"{value}; bold: best, −: what others cost", "normal")]
