"""The pictures of the study of Pickomino: the paper's figures 5 to 8 again, the steps of the threshold, and what a
player can read off at the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from hazard.arena.statistics.intervals import Z95
from hazard.drawing.plots import plot, save
from hazard.studies.drawing import BLUE, GREEN, ORANGE, PINK, RED, SKY
from hazard.studies.pickomino.board import COSTS, DEPENDS, ROLLS, STOPS, kinds, stop_map, tile_chances
from hazard.studies.pickomino.matches import AGENTS, Results, complete, published_cells
from hazard.studies.pickomino.sweep import risks
from hazard.studies.pickomino.turn import LOWEST, TILES, shares
from hazard.studies.report import Figure

COLOURS = (BLUE, ORANGE, GREEN, RED, PINK, SKY)
RISKY = ("MC", "MCP5", "MCP10", "MCP25", "MCP50")  # Table VI
BEST = ("MC", "MC4", "MCC", "MC4C")  # Table VII
Sweeps = dict[str, list[tuple[float, float]]]


# --- the paper's figures ---------------------------------------------------------------------------------------------
def draw_bars(results: Results, names: Sequence[str], path: Path) -> None:
    """Win rates of every program against the others, ours as bars, published as marks."""
    figure, axes = plot(10, 4.4)
    both, cells, width = complete(results), published_cells(), 0.8 / (len(names) - 1)
    for i, name in enumerate(names):
        others = [x for x in names if x != name]
        for j, other in enumerate(others):
            x = i + (j - (len(others) - 1) / 2) * width
            counts = both[name, other]
            error = Z95 * np.sqrt(counts.share * (1 - counts.share) / counts.games)
            axes.bar(x, 100 * counts.share, 0.92 * width, color=COLOURS[names.index(other)], yerr=100 * error)
            wins, of = cells[name, other]
            axes.plot(x, 100 * wins / of, "k_", markersize=9, markeredgewidth=2)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set_xticks(range(len(names)), names)
    axes.set_ylabel("wins, %")
    handles = [axes.bar(0, 0, color=COLOURS[n], label=f"against {name}") for n, name in enumerate(names)]
    handles += axes.plot([], [], "k_", markersize=9, markeredgewidth=2, label="published")
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    save(figure, path)


def draw_scores(path: Path) -> None:
    """How often each valid score is met in simulations from scratch."""
    figure, axes = plot(8, 4)
    values = 100 * shares()
    colours = [COLOURS[0] if score <= 26 else COLOURS[5] for score in range(LOWEST, LOWEST + len(values))]
    axes.bar(range(len(values)), values, color=colours)
    axes.set_xticks(range(len(values)), [*map(str, TILES), "more"])
    axes.set_xlabel("score")
    axes.set_ylabel("share of valid scores, %")
    save(figure, path)


def draw_all(results: Results, path: Path) -> None:
    """Every program's win rates: a dot for each opponent, a line for the mean; published beside ours."""
    figure, axes = plot(11, 5)
    both, cells = complete(results), published_cells()
    names = sorted(AGENTS, key=lambda name: np.mean([w / of for (a, _), (w, of) in cells.items() if a == name]))
    for i, name in enumerate(names):
        ours = [100 * counts.share for (a, _), counts in both.items() if a == name]
        theirs = [100 * w / of for (a, _), (w, of) in cells.items() if a == name]
        for x, values, colour in ((i - 0.17, theirs, "#888888"), (i + 0.17, ours, COLOURS[0])):
            axes.plot([x] * len(values), values, "o", markersize=3, color=colour, alpha=0.6)
            axes.plot([x - 0.15, x + 0.15], [np.mean(values)] * 2, color=colour, linewidth=2.5)
    axes.axhline(50, color="grey", linewidth=0.8, linestyle=":")
    axes.set_xticks(range(len(names)), names, rotation=40, ha="right")
    axes.set_ylabel("wins, %")
    handles = [
        axes.plot([], [], color=c, linewidth=2.5, label=t)[0]
        for c, t in (("#888888", "published"), (COLOURS[0], "ours"))
    ]
    axes.legend(handles=handles, loc="lower right")
    save(figure, path)


# --- beyond ----------------------------------------------------------------------------------------------------------
def draw_steps(sweeps: Sweeps, path: Path) -> None:
    """Win rates by threshold, which change only where formula (3) has a value."""
    figure, axes = plot(9, 4.4)
    edges = [0.0, *(100 * float(x) for x in risks()), 105.0]
    for colour, (name, means) in zip(COLOURS, sweeps.items(), strict=False):
        values = np.array([100 * mean for mean, _ in means])
        spread = np.array([100 * Z95 * error for _, error in means])
        axes.stairs(values, edges, baseline=None, color=colour, label=f"against {name}")
        for low, high, v, e in zip(edges, edges[1:], values, spread, strict=False):
            axes.fill_between([low, high], v - e, v + e, color=colour, alpha=0.25, linewidth=0)
    for x in (5, 10, 25, 50):
        axes.axvline(x, color="grey", linestyle=":", linewidth=1)
    axes.set_xlabel("threshold of risk, % (dotted: those of the paper)")
    axes.set_ylabel("wins, %")
    axes.legend()
    save(figure, path)


def draw_heat(names: Sequence[str], rates: np.ndarray, path: Path) -> None:
    """Win rates of the row's agent against the column's."""
    figure, axes = plot(12, 10.5)
    image = axes.imshow(100 * rates, cmap="PuOr", vmin=0, vmax=100)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    for i, j in np.ndindex(rates.shape):
        pale = abs(rates[i, j] - 0.5) < 0.3
        text = "" if i == j else f"{100 * rates[i, j]:.0f}"
        axes.text(j, i, text, ha="center", va="center", fontsize=8, color="black" if pale else "white")
    figure.colorbar(image, ax=axes, label="wins of the row's agent, %", shrink=0.7)
    save(figure, path)


def draw_chances(just: bool, path: Path) -> None:
    """The best chance of each tile by the dice kept first."""
    names, chances = tile_chances(just)
    figure, axes = plot(9, 9.5)
    image = axes.imshow(100 * chances, cmap="viridis", vmin=0, vmax=100, aspect="auto")
    axes.set_xticks(range(len(TILES)), map(str, TILES))
    axes.set_yticks(range(len(names)), names, family="monospace")
    for i, j in np.ndindex(chances.shape):
        colour = "white" if chances[i, j] < 0.6 else "black"
        axes.text(j, i, f"{100 * chances[i, j]:.0f}", ha="center", va="center", fontsize=7, color=colour)
    axes.set_xlabel("tile")
    axes.set_ylabel("kept of the first roll")
    figure.colorbar(image, ax=axes, label="chance, %", shrink=0.6)
    save(figure, path)


def draw_stops(path: Path) -> None:
    """When to stop, for nothing and for two worms at stake."""
    from matplotlib.colors import ListedColormap

    figure, all_axes = plot(11, 7.4, 2)
    colours = ListedColormap([COLOURS[5], "#f0e442", COLOURS[1]])
    for axes, cost in zip(all_axes, COSTS, strict=True):
        stops = stop_map(cost)
        axes.imshow(np.ma.masked_invalid(stops), cmap=colours, vmin=0, vmax=1, aspect="auto")
        axes.set_xticks(range(len(TILES)), map(str, TILES))
        axes.set_yticks(range(len(kinds())), [f"{left} left, {faces} aside" for left, faces in kinds()])
        axes.set_title("nothing at stake" if cost == 0 else f"a tile of {cost:g} worms at stake")
        words = {STOPS: "stop", ROLLS: "roll", DEPENDS: "?"}
        for i, j in np.ndindex(stops.shape):
            axes.text(j, i, words.get(float(stops[i, j]), ""), ha="center", va="center", fontsize=8)
    all_axes[-1].set_xlabel("score, with a worm aside")
    save(figure, path)


def figures(results: Results, sweeps: Sweeps, names: Sequence[str], rates: np.ndarray) -> list[Figure]:
    little = "Blue: the scores that the paper calls little. The shares are exact expectations over trees from scratch."
    beside = "Bars with 95 % intervals are ours, marks are published."
    grid = "Exact. Rows are what was kept of the first roll; the rest of the turn is played for this tile."
    return [
        Figure(
            "pickomino-figure-5.svg",
            "Figure 5: taking more risk (Table VI)",
            beside,
            partial(draw_bars, results, RISKY),
        ),
        Figure("pickomino-figure-6.svg", "Figure 6: what is a little pickomino?", little, draw_scores),
        Figure(
            "pickomino-figure-7.svg", "Figure 7: best programs (Table VII)", beside, partial(draw_bars, results, BEST)
        ),
        Figure(
            "pickomino-figure-8.svg",
            "Figure 8: all results",
            "A dot for each opponent, a line for the mean over all; programs by their published means.",
            partial(draw_all, results),
        ),
        Figure(
            "pickomino-steps.svg",
            "The threshold of risk has few steps",
            "Win rates of MC with a threshold, with 95 % intervals. Formula (3) takes few values where a player may "
            "stop, so most thresholds make the same program; 5 and 10 % do.",
            partial(draw_steps, sweeps),
        ),
        Figure(
            "pickomino-heat.svg",
            "All agents against all",
            "Wins of the row's agent against the column's; agents by their mean.",
            partial(draw_heat, names, rates),
        ),
        Figure(
            "pickomino-chances.svg", "The chance of each tile or more, by dice kept", grid, partial(draw_chances, False)
        ),
        Figure("pickomino-exact.svg", "The chance of just each tile, by dice kept", grid, partial(draw_chances, True)),
        Figure(
            "pickomino-stops.svg",
            "When to stop at the beginning of the game",
            "By dice left and faces aside. Exact play for the worms of one turn, full centre, nobody to steal from; "
            "'?' depends on which faces are aside.",
            draw_stops,
        ),
    ]
