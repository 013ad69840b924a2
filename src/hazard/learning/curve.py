"""The curve of strength over time: as JSON, and drawn as SVG and PNG with 95 % intervals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from hazard.drawing.plots import plot, save
from hazard.files import write_whole

if TYPE_CHECKING:
    from hazard.learning.course import Point

NAME = "curve"
COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
)  # Okabe and Ito's
SHAPES = "osD^v"


def write(folder: Path, title: str, points: Sequence[Point]) -> None:
    """Write the curve so far."""
    curve = {"title": title, "points": msgspec.to_builtins(list(points))}
    write_whole(folder / f"{NAME}.json", msgspec.json.format(msgspec.json.encode(curve), indent=1))


def draw(folder: Path, title: str, points: Sequence[Point]) -> list[Path]:
    """Draw the curve; the pictures' paths are returned."""
    figure, axes = plot(7, 4.2)
    for n, first in enumerate(points[0].strength):
        found = [p.strength[n] for p in points]
        spread = [[s.mean - s.low for s in found], [s.high - s.mean for s in found]]
        style = {"color": COLOURS[n % len(COLOURS)], "marker": SHAPES[n % len(SHAPES)]}
        axes.errorbar(
            [p.minutes for p in points], [s.mean for s in found], spread, label=first.rival, capsize=2, **style
        )
    axes.set(xlabel="minutes", ylabel="mean payoff", title=title)
    axes.grid(alpha=0.3)
    axes.legend(title="all others")
    paths = [folder / f"{NAME}.{kind}" for kind in ("svg", "png")]
    for path in paths:
        save(figure, path)
    return paths
