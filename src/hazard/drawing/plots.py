"""Figures by matplotlib, for studies and learning: they need no screen, and equal results give equal files."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def plot(width: float, height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure and its axes, which share nothing with other figures."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=options.pop("layout", "constrained"))
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, **options)


def save(figure: Any, path: Path) -> None:
    """Write without date and random names."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "hazard"}):
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
