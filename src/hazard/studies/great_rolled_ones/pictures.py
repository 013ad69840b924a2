"""The pictures of the study of Great Rolled Ones: their titles and captions, and how they are drawn.

Each `draw` function writes one picture to the path it is given, in the format of its ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from hazard.drawing.plots import plot, save
from hazard.studies.drawing import BLUE, GREEN, ORANGE, PINK, RED, SKY
from hazard.studies.great_rolled_ones.compression import Measured, start_values
from hazard.studies.great_rolled_ones.map import Map
from hazard.studies.great_rolled_ones.policies import Policy
from hazard.studies.great_rolled_ones.variants import Komi
from hazard.studies.report import Figure

NOTHING, HOLDS, ROLLS, AGAIN, FRAME = "#ffffff", "#f3dfae", SKY, "#7a1fa2", "#555555"  # colours of slices
ACROSS = 10  # slices side by side
ASIDE = ("no ones aside", "one one aside", "two ones aside")


def aside(ones: int) -> str:
    return ASIDE[ones] if ones < len(ASIDE) else f"{ones} ones aside"


def maps(chart: Map) -> list[Figure]:
    """The whole policy, as maps, slices and surfaces."""
    figures = [
        Figure(
            "great-rolled-ones-hold.svg",
            "The smallest pot with which the optimal player holds",
            "By the mover's score i and the other's score j. In dotted cells this is not the whole story: there the "
            "player rolls again with some larger pot.",
            partial(draw_hold, chart),
        ),
        Figure(
            "great-rolled-ones-surface.png",
            "Where rolling ends",
            "The boundary between rolling (below) and holding (above) in the space of scores i, j and pot k, brighter "
            "the larger the pot. Holes and overhangs are real: rolling is not always an interval.",
            partial(draw_surfaces, chart),
        ),
    ]
    for player, ones in product(range(2), range(chart.game.table.bust)):
        figures.append(
            Figure(
                f"great-rolled-ones-slices-{player + 1}-{ones}.png",
                f"The whole policy of player {player + 1} with {aside(ones)}",
                "One slice for each score j of the other player: own score i to the right, pot k upwards. "
                "In dark cells the player rolls although it would hold with a smaller pot. In white cells the pot is "
                "enough and there is nothing to decide.",
                partial(draw_slices, chart, player, ones),
            )
        )
    return figures


def win_rates(fair: Komi, goals: Sequence[Komi]) -> list[Figure]:
    return [
        Figure(
            "great-rolled-ones-start.svg",
            "How often player 1 wins from the start of a turn",
            "By both scores, with optimal play; the thick line is an even game.",
            partial(draw_start, fair),
        ),
        Figure(
            "great-rolled-ones-komi.svg",
            "Compensation points",
            "Left: how often player 1 wins if it starts with some points. Right: how often it wins without any, and "
            "with the fairest number of points, by the goal of the game.",
            partial(draw_komi, fair, goals),
        ),
    ]


def compression(measured: Sequence[Measured], policies: Sequence[Policy]) -> Figure:
    return Figure(
        "great-rolled-ones-compression.svg",
        "Compression: parameters against win rate lost",
        "What models of the win probability lose against the optimal player; lines show the human-playable policies.",
        partial(draw_compression, measured, policies),
    )


# --- drawing ---------------------------------------------------------------------------------------------------------
def _six(chart: Map, axes: Any) -> list[tuple[int, int, Any]]:
    """A panel for each player and number of ones, with its title."""
    panels = [(p, o, axes[p][o]) for p, o in product(range(2), range(chart.game.table.bust))]
    for player, ones, panel in panels:
        panel.set_title(f"player {player + 1}, {aside(ones)}", fontsize=11)
    return panels


def draw_hold(chart: Map, path: Path) -> None:
    figure, axes = plot(12, 8.2, 2, chart.game.table.bust, squeeze=False)
    for player, ones, panel in _six(chart, axes):
        least = chart.smallest_hold(player, ones)
        image = panel.imshow(least.T, origin="lower", cmap="viridis", interpolation="nearest")
        figure.colorbar(image, ax=panel, shrink=0.7, label="k: pot")
        own, other = np.nonzero(chart.again(player, ones).any(axis=2))
        panel.plot(own, other, ".", color="white", markeredgecolor="black", markeredgewidth=0.3, markersize=3.5)
        panel.set_xlabel("i: own score")
        panel.set_ylabel("j: other's score")
    save(figure, path)


def draw_slices(chart: Map, player: int, ones: int, path: Path) -> None:
    """All slices as tiles of one image, which is drawn faster than fifty panels."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    tiles = slices(chart, player, ones)
    image = _mosaic(tiles)
    figure, panel = plot(14, 0.8 + 14 * image.shape[0] / image.shape[1])
    colours = ListedColormap([NOTHING, HOLDS, ROLLS, AGAIN, FRAME])
    panel.imshow(image, origin="upper", cmap=colours, vmin=0, vmax=4, interpolation="nearest")
    _label_tiles(panel, tiles)
    panel.set_xlabel("i: own score")
    panel.set_ylabel("k: pot")
    names = zip((ROLLS, HOLDS, AGAIN), ("roll", "hold", "roll, though hold with a smaller pot"), strict=True)
    patches = [Patch(facecolor=colour, edgecolor="grey", label=name) for colour, name in names]
    figure.legend(handles=patches, loc="outside upper center", ncols=3)
    save(figure, path)


def slices(chart: Map, player: int, ones: int) -> np.ndarray:
    """tiles[other, pot - 1, own]: 0 nothing to decide, 1 hold, 2 roll, 3 roll though hold with a smaller pot."""
    gain = chart.gain(player, ones)
    kinds = np.where(np.isnan(gain), 0, np.where(gain >= 0, 2, 1))
    kinds[chart.again(player, ones)] = 3
    top = min(kinds.shape[2], int(np.nonzero(kinds >= 2)[2].max()) + 6)
    return kinds[:, :, 1:top].transpose(1, 2, 0)


def _mosaic(tiles: np.ndarray) -> np.ndarray:
    """The tiles in rows of ACROSS, each with a frame, the pots upwards."""
    count, height, width = tiles.shape
    image = np.full((-(-count // ACROSS) * (height + 1) + 1, ACROSS * (width + 1) + 1), 4)
    for n, tile in enumerate(tiles):
        y, x = n // ACROSS * (height + 1) + 1, n % ACROSS * (width + 1) + 1
        image[y : y + height, x : x + width] = tile[::-1]
    return image


def _label_tiles(panel: Any, tiles: np.ndarray) -> None:
    count, height, width = tiles.shape
    for n in range(count):
        y, x = n // ACROSS * (height + 1) + 1, (n % ACROSS + 1) * (width + 1)
        panel.text(x - 2, y + 1, f"j = {n}", ha="right", va="top", fontsize=8)
    scores, marks = range(0, width, 20), range(20, height + 1, 20)
    panel.set_xticks([x * (width + 1) + 1 + i for x in range(ACROSS) for i in scores], [*scores] * ACROSS, fontsize=8)
    down = -(-count // ACROSS)
    panel.set_yticks([(y + 1) * (height + 1) - k for y in range(down) for k in marks], [*marks] * down, fontsize=8)


def draw_surfaces(chart: Map, path: Path) -> None:
    from matplotlib import colormaps
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    figure, axes = plot(14, 9.6, 2, chart.game.table.bust, squeeze=False, subplot_kw={"projection": "3d"})
    for player, ones, panel in _six(chart, axes):
        faces, shades = boundary(chart.gain(player, ones) >= 0)
        top = faces[:, :, 2].max()
        colours = colormaps["viridis"](faces[:, :, 2].max(axis=1) / top)
        colours[:, :3] *= shades[:, None]
        panel.add_collection3d(Poly3DCollection(faces, facecolors=colours, edgecolors=colours, linewidths=0.2))
        panel.set(xlim=(0, chart.goal), ylim=(0, chart.goal), zlim=(0, top))
        panel.set_xlabel("i: own score")
        panel.set_ylabel("j: other's score")
        panel.text2D(0.0, 0.8, "k: pot", transform=panel.transAxes)
        panel.view_init(elev=28, azim=-130)
    save(figure, path)


def boundary(rolls: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The faces between roll and hold, as quadrangles [n, corner, (i, j, k)], and how bright each is to be drawn."""
    rolls = rolls.copy()
    rolls[:, :, 0] = True  # the first roll is compulsory, so the region has no bottom
    floors = np.argwhere(rolls[:, :, 1:] != rolls[:, :, :-1])
    i, j, k = (floors - 0.5).T
    k = k + 1
    corners = [((i, i + 1, i + 1, i), (j, j, j + 1, j + 1), (k, k, k, k))]
    shades = [np.ones(len(floors))]
    for axis in range(2):
        (i, j), low, high = _walls(rolls, axis)
        di, dj = (0, 1) if axis == 0 else (1, 0)
        corners.append(((i, i + di, i + di, i), (j, j + dj, j + dj, j), (low, low, high, high)))
        shades.append(np.full(len(low), 0.8 - 0.15 * axis))
    return np.concatenate([np.transpose(c, (2, 1, 0)) for c in corners]), np.concatenate(shades)


def _walls(rolls: np.ndarray, axis: int) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]:
    """Upright faces between neighbours along an axis: where each stands, its lower and its upper edge."""
    apart = np.diff(rolls.astype(np.int8), axis=axis) != 0
    padded = np.pad(apart, ((0, 0), (0, 0), (1, 1))).astype(np.int8)
    steps = np.diff(padded, axis=2)
    i, j, low = np.nonzero(steps == 1)
    high = np.nonzero(steps == -1)[2]
    shift = (0.5, -0.5) if axis == 0 else (-0.5, 0.5)
    return (i + shift[0], j + shift[1]), low - 0.5, high - 0.5


def draw_start(fair: Komi, path: Path) -> None:
    values = start_values(fair.solution)
    figure, axes = plot(11, 5, 1, 2)
    for panel, table, title in zip(axes, (values[0], 1 - values[1].T), ("player 1", "player 2"), strict=True):
        image = panel.imshow(table.T, origin="lower", cmap="PuOr", vmin=0, vmax=1, interpolation="nearest")
        lines = panel.contour(
            table.T, levels=np.arange(1, 10) / 10, colors="black", linewidths=[0.6] * 4 + [2] + [0.6] * 4
        )
        panel.clabel(lines, fmt="%.1f", fontsize=8)
        panel.set_title(f"{title} to roll")
        panel.set_xlabel("score of player 1")
        panel.set_ylabel("score of player 2")
    figure.colorbar(image, ax=axes, label="player 1 wins", shrink=0.9)
    save(figure, path)


def draw_komi(fair: Komi, goals: Sequence[Komi], path: Path) -> None:
    figure, (left, right) = plot(11, 4.4, 1, 2)
    for panel in (left, right):
        panel.axhline(0.5, color="grey", linewidth=0.8)
        panel.set_ylabel("player 1 wins")
    left.plot(fair.rates, "o-", color=BLUE, markersize=3)
    best = fair.fairest
    left.plot(best, fair.rates[best], "D", color=RED, label=f"fairest: {best} points, {fair.rates[best]:.4f}")
    left.set_xlabel("compensation points of player 1")
    to = np.arange(1, len(goals) + 1)
    right.plot(to, [k.rates[0] for k in goals], color=BLUE, label="without compensation")
    right.plot(
        to, [k.rates[k.fairest] for k in goals], ".", color=RED, markersize=4, label="with the fairest compensation"
    )
    right.set_xlabel("goal")
    for panel in (left, right):
        panel.legend()
    save(figure, path)


STYLES = {
    "formula": ("o", BLUE, "start of turns: formula"),
    "polynomial": ("s", GREEN, "start of turns: polynomials"),
    "grid": ("^", ORANGE, "start of turns: grid"),
    "look-ahead": ("x", PINK, "all decisions, one roll ahead"),
}


def draw_compression(measured: Sequence[Measured], policies: Sequence[Policy], path: Path) -> None:
    figure, panel = plot(9, 5.6)
    for family, (mark, colour, label) in STYLES.items():
        points = [(m.parameters, -m.difference) for m in measured if m.family == family]
        panel.plot(*zip(*points, strict=True), marker=mark, color=colour, label=label)
    across = panel.get_yaxis_transform()  # to the right in parts of the panel, upwards in win rates
    for policy in policies:
        panel.axhline(-policy.difference, color="grey", linewidth=0.9, linestyle="--")
        panel.text(0.66, -policy.difference * 0.98, policy.name, ha="right", va="top", transform=across)
    panel.set(xscale="log", yscale="log", xlabel="parameters", ylabel="win rate lost against the optimal player")
    panel.set_xticks([2, 3, 5, 10, 20, 50, 100], [2, 3, 5, 10, 20, 50, 100])
    panel.grid(alpha=0.25, which="both")
    panel.legend(loc="lower left")
    save(figure, path)
