"""The atlas as a table: every line with its certified value beside what was published, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import Any

from hazard.atlas.records import Line, Record, holds, record_of
from hazard.solving.solution import SIGN, stored_at

STALE = "solved with other rules than these; solve again"
OPEN = "not solved here"
COLUMNS = ("game", "rules", "positions", "value", "error", "time", "memory", "published", "verdict")


def rows(lines: Sequence[Line], folder: Path | None = None) -> list[dict[str, Any]]:
    """All lines as plain data. A value is given only where it is certified for the rules as they are."""
    return [_row(line, record_of(line, folder)) for line in lines]


def _row(line: Line, record: Record | None) -> dict[str, Any]:
    game, chart = line.game, line.chart
    about = {
        "game": game.name,
        "title": game.declaration.title,
        "rules": chart.rules,
        "parameters": dict(game.parameters),
        "published": [{"figure": figure, "source": source} for figure, source in chart.published],
        "certified": holds(record, line),
        "verdict": verdict(line, record),
        "table": (stored_at(game) / SIGN).exists(),  # which the agent `optimal` and exact analysis need
    }
    if record is None or not about["certified"]:
        return about
    facts = {name: getattr(record, name) for name in ("positions", "error", "seconds", "processor", "memory")}
    bounds = {"value": record.value, "lower": record.lower[0], "upper": record.upper[0]}
    return about | facts | bounds | {"shown": shown(record, line)}


# --- verdicts --------------------------------------------------------------------------------------------------------
def verdict(line: Line, record: Record | None) -> str:
    """What a certified value says of the figure that was published."""
    if not holds(record, line):
        return STALE if record else line.chart.open or OPEN
    assert record is not None
    told = [beside(record, figure) for figure, _ in line.chart.published]
    if not told:
        return "nothing published"
    words = "; ".join(f"{figure}: {said}" for (figure, _), said in zip(line.chart.published, told, strict=True))
    return (words if len(told) > 1 else told[0]) + (f" ({line.chart.reading})" if line.chart.reading else "")


def beside(record: Record, published: str) -> str:
    """Whether a figure is what was proven, to its last digit."""
    figure, unit = read_figure(published)
    apart, reach = abs(Fraction(record.value) - figure), Fraction(record.upper[0] - record.lower[0])
    if apart <= unit / 2 + reach:
        return "agrees"
    return "agrees but for the last digit" if apart <= unit + reach else f"differs by {float(apart):.2g}"


def read_figure(text: str) -> tuple[Fraction, Fraction]:
    """A figure as it was published, and what one in its last digit is worth; 0 for a fraction, which is exact."""
    number, _, percent = text.partition(" ")
    scale = Fraction(1, 100) if percent == "%" else Fraction(1)
    if "/" in number:
        return Fraction(number) * scale, Fraction(0)
    digits = len(number.partition(".")[2])
    return Fraction(number) * scale, scale / 10**digits


# --- texts -----------------------------------------------------------------------------------------------------------
def is_chance(record: Record, line: Line) -> bool:
    """Whether a value is shown as a chance."""
    return line.game.declaration.lab.unit == "" and record.lower[0] >= 0 and record.upper[0] <= 1


def shown(record: Record, line: Line) -> str:
    """A value with the digits that are proven."""
    percent = is_chance(record, line)
    scale = 100 if percent else 1
    width = max((record.upper[0] - record.lower[0]) * scale, 1e-13)
    digits = max(0, min(13, -floor(log10(width)) - 1))
    return f"{record.value * scale:.{digits}f}" + (" %" if percent else "")


def texts(row: dict[str, Any]) -> list[str]:
    """A line as texts, in the order of `COLUMNS`."""
    published = sources(row)
    if not row["certified"]:
        return [row["game"], row["rules"], "", "", "", "", "", published, row["verdict"]]
    return [
        row["game"],
        row["rules"],
        f"{row['positions']:,}",
        row["shown"],
        f"{row['error']:.1e}",
        duration(row["seconds"]),
        size(row["memory"]),
        published,
        row["verdict"],
    ]


def sources(row: dict[str, Any]) -> str:
    """What was published, each figure with its source."""
    return "; ".join(f"{said['figure']} ({said['source']})" for said in row["published"])


def duration(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def size(count: int) -> str:
    return f"{count / 2**20:.0f} MiB" if count < 2**30 else f"{count / 2**30:.1f} GiB"
