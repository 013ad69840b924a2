"""The pictures of the study of Risk. Each function writes one to the path it is given, in the format of its ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from hazard.drawing.plots import plot, save
from hazard.games.risk.exact import Battles, Faces
from hazard.studies.drawing import BLUE, GREEN, ORANGE, PINK, RED, SKY

COLOURS = ("#dddddd", SKY, ORANGE, RED, GREEN, PINK, BLUE, "#f0e442")  # grey comes first, for "no difference"


def shown(faces: Faces) -> str:
    """A roll as text."""
    return "-".join(map(str, faces))


def answers_text(departures: Mapping[Faces, tuple[int, ...]]) -> str:
    """Answers to rolls in words, such as "two dice against 6-4, 5-4"."""
    parts = []
    for dice, words in ((1, "one die"), (2, "two dice")):
        rolls = [shown(faces) for faces, best in departures.items() if best[0] == dice]
        parts += [f"{words} against {', '.join(rolls)}"] if rolls else []
    return "; ".join(parts)


def _map(axes: Any, table: np.ndarray, **options: Any) -> Any:
    """A table[a - 2, d - 1] as a map, the defender's armies to the right and the attacker's upwards."""
    a, d = table.shape[0] + 1, table.shape[1]
    image = axes.imshow(table, origin="lower", extent=(0.5, d + 0.5, 1.5, a + 0.5), interpolation="nearest", **options)
    axes.set_xlabel("d: defender's armies")
    axes.set_ylabel("a: attacker's armies, the one that stays included")
    return image


def _contour(axes: Any, table: np.ndarray, level: float, colour: str, width: float) -> None:
    """A labelled line of equal probability."""
    d, a = np.arange(1, table.shape[1] + 1), np.arange(2, table.shape[0] + 2)
    lines = axes.contour(d, a, table, levels=[level], colors=colour, linewidths=width)
    axes.clabel(lines, fmt=lambda level: f"{level:.0%}", fontsize=9)


def draw_conquer(table: np.ndarray, path: Path) -> None:
    """The probability to conquer, with lines of equal chances."""
    figure, axes = plot(7.2, 6, layout="compressed")
    image = _map(axes, table, cmap="cividis", vmin=0, vmax=1)
    for level, colour, width in ((0.1, "white", 1.0), (0.5, "white", 2.2), (0.9, "black", 1.0)):
        _contour(axes, table, level, colour, width)
    figure.colorbar(image, ax=axes, label="probability that the attacker conquers")
    save(figure, path)


def draw_gap(table: np.ndarray, path: Path) -> None:
    """The difference that the rule makes to the probability to conquer."""
    figure, axes = plot(7.2, 6, layout="compressed")
    image = _map(axes, table, cmap="viridis", vmin=table.min(), vmax=max(table.max(), 0))
    figure.colorbar(image, ax=axes, label="probability to conquer, Dutch - classic")
    save(figure, path)


def draw_departures(exact: Battles, path: Path) -> None:
    """For every battle the answers that are not those of Koole's rule."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    cells = {(a, d): _kind(exact, a, d) for a in range(2, exact.attackers + 1) for d in range(1, exact.defenders + 1)}
    kinds = [kind for kind, _ in Counter(cells.values()).most_common()]
    kinds.sort(key=bool)  # no difference first
    numbers = np.array([kinds.index(kind) for kind in cells.values()]).reshape(exact.attackers - 1, exact.defenders)
    colours = [COLOURS[n % len(COLOURS)] for n in range(len(kinds))]
    figure, axes = plot(7.2, 7.6, layout="compressed")
    _map(axes, numbers, cmap=ListedColormap(colours), vmin=-0.5, vmax=len(kinds) - 0.5)
    names = [kind or "Koole's rule is best" for kind in kinds]
    handles = [Patch(facecolor=c, edgecolor="black", label=n) for c, n in zip(colours, names, strict=True)]
    figure.legend(handles=handles, loc="outside lower center", ncols=1, fontsize=9)
    save(figure, path)


def _kind(exact: Battles, a: int, d: int) -> str:
    departures = exact.departures(a, d)
    share = float(exact.chance(a, departures))
    return f"{answers_text(departures)} ({share:.1%} of rolls)" if departures else ""


def draw_limit(differences: Sequence[Fraction], gain: Fraction, margin: Fraction, roll: str, path: Path) -> None:
    """V_n - V_(n-1) for n = 1, 2, ... beside its limit, and its distance from it on a logarithmic scale."""
    figure, (left, right) = plot(10, 4.2, 1, 2)
    ns = np.arange(1, len(differences) + 1)
    left.axhline(float(gain), color=COLOURS[3], label=f"limit {gain}")
    left.plot(ns, [float(x) for x in differences], "o-", color=COLOURS[6], label="$V_n - V_{n-1}$")
    left.set_ylabel("loss per army")
    for parity, mark, name in ((1, "o", "n odd: below the limit"), (0, "s", "n even: above the limit")):
        points = [(n, abs(float(x - gain))) for n, x in enumerate(differences, 1) if n % 2 == parity]
        right.semilogy(*zip(*points, strict=True), mark, color=COLOURS[6 if parity else 2], label=name)
    right.axhline(float(margin), color=COLOURS[4], linestyle="--", label=f"margin {margin} at {roll}")
    right.set_ylabel("distance from the limit")
    for axes in (left, right):
        axes.set_xlabel("n: armies at stake")
        axes.set_xticks(ns[1::2])
        axes.legend()
    save(figure, path)
