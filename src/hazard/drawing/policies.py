"""A map of a policy: a coloured cell for every position, a colour for every move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hazard.drawing.plots import plot, save

if TYPE_CHECKING:
    from hazard.analysis.policy import Policy

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee8866", "#44bb99", "#ffaabb", "#999933")
OTHERS, NOTHING = "#777777", "#eeeeee"  # rarer moves; where there is nothing to decide


def draw_policy(policy: Policy, path: Path) -> None:
    """Write the picture; the file's ending says in which format."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    names = policy.names[: len(COLOURS)]
    rare = len(policy.names) > len(names)
    number = {"": 0} | {name: n for n, name in enumerate(names, 1)}
    cells = np.array([[number.get(name, len(names) + 1) for name in row] for row in policy.moves])
    shades = [NOTHING, *COLOURS[: len(names)], OTHERS]
    figure, axes = plot(7.0, 5.0)
    x, y = policy.x, policy.y
    extent = (x.low - 0.5, x.high + 0.5, y.low - 0.5, y.high + 0.5)
    shown = {"cmap": ListedColormap(shades), "vmin": -0.5, "vmax": len(shades) - 0.5, "aspect": "auto"}
    axes.imshow(cells, origin="lower", extent=extent, interpolation="nearest", **shown)
    axes.set(xlabel=x.name, ylabel=y.name, title=_title(policy))
    patches = [Patch(color=shade, label=name) for name, shade in zip(names, shades[1:], strict=False)]
    patches += [Patch(color=OTHERS, label="other moves")] * rare
    patches += [Patch(color=NOTHING, label="nothing to decide")] * bool((cells == 0).any())
    figure.legend(handles=patches, loc="outside right center", frameon=False)
    save(figure, path)


def _title(policy: Policy) -> str:
    told = " ".join(f"{name}={value}" for name, value in policy.fixed.items())
    return f"{policy.game.declaration.title}: {policy.by}\n{told}"
