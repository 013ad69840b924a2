"""What pictures of several studies have in common: colours, and the map of who beats whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

# Okabe and Ito's colours, which colour-blind readers can tell apart.
BLUE, SKY, ORANGE, RED, GREEN, PINK = "#0072b2", "#56b4e9", "#e69f00", "#d55e00", "#009e73", "#cc79a7"


def draw_payoffs(axes: Any, names: Sequence[str], payoffs: np.ndarray, places: int = 2, size: int = 9) -> Any:
    """Payoffs of the row's agent against the column's, as colours and numbers; the image is returned."""
    image = axes.imshow(payoffs, cmap="PuOr", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_yticks(range(len(names)), names)
    for i, j in np.ndindex(payoffs.shape):
        colour = "black" if abs(payoffs[i, j] - 0.5) < 0.3 else "white"
        text = "" if i == j else f"{payoffs[i, j]:.{places}f}"
        axes.text(j, i, text, ha="center", va="center", fontsize=size, color=colour)
    return image
