"""The pictures of the study of Dice of Doom: how iterations converge, strategy against strategy, telling positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.drawing.plots import plot, save
from hazard.solving.solution import load
from hazard.studies.dice_of_doom.chances import UPDATES, Chances
from hazard.studies.dice_of_doom.games import make, solve_report
from hazard.studies.dice_of_doom.jacobi import WIN
from hazard.studies.drawing import BLUE, GREEN, RED, draw_payoffs
from hazard.studies.report import Figure

COLOURS = (RED, BLUE, GREEN)
LEAST = 1e-13  # errors below this are rounding
POSITIONS = (
    (
        "stand-off",
        "2x3 r1 r4 r5 / b5 b5 b1 | r to move, first attack",
        "A stand-off of strong tiles, whose value settles slowly",
    ),
    ("two-dice", "2x3 r2 r2 r1 / b2 b2 b2 | r to move, attack again or end", "Greedy would end the turn here"),
    ("first-move", "2x3 r3 b3 r3 / b3 r3 b3 | r to move, first attack", "The fixed first position"),
)


class Curves(NamedTuple):
    """Errors after each sweep, for three ways to iterate, and what is certified in the end."""

    board: str
    dice: int
    greatest: dict[str, list[float]]
    mean: dict[str, list[float]]
    certified: float
    own_win: float  # certified error of what the thesis' iteration is compared with


# --- convergence -----------------------------------------------------------------------------------------------------
def converging(board: str, dice: int, sweeps: int) -> Curves:
    """Run the three iterations for as many sweeps, and compare each with its converged values."""
    errors: dict[str, list[np.ndarray]] = {}
    zero_sum = solve_report(make(board, dice, turns=0), 1e-9, stored=True)
    own = solve_report(make(board, dice, objective="own-win", turns=0), 1e-9, stored=True)
    errors["Jacobi over states (the thesis)"] = _jacobi(board, dice, sweeps, own)
    exact = load(Path(zero_sum["solution"])).tables()["values"][0]
    for name, accelerated in (("whole turns, in place", False), ("whole turns, accelerated", True)):
        errors[name] = _turns(board, dice, sweeps, accelerated, exact)
    greatest = {name: [float(e[0]) for e in some] for name, some in errors.items()}
    mean = {name: [float(e[1]) for e in some] for name, some in errors.items()}
    return Curves(board, dice, greatest, mean, zero_sum["error"], own["error"])


def _jacobi(board: str, dice: int, sweeps: int, own: dict[str, Any]) -> list[np.ndarray]:
    wins, losses = load(Path(own["solution"])).tables()["values"]
    table, true = Chances(make(board, dice)), Chances(make(board, dice))
    true.read(wins, losses)
    errors = []
    for _ in range(sweeps):
        table.update(1)
        off = np.abs(table.table[:, WIN] - true.table[:, WIN])
        errors.append(np.array([off.max(), off.mean()]))
    return errors


def _turns(board: str, dice: int, sweeps: int, accelerated: bool, exact: np.ndarray) -> list[np.ndarray]:
    from hazard.games.dice_of_doom.solver.bounds import find_values
    from hazard.games.dice_of_doom.solver.value_table import table_of

    table, errors = table_of(make(board, dice, turns=0), whole=True), []

    def say(what: str, number: int, change: float) -> None:
        off = np.abs(table.values - exact.reshape(-1))
        errors.append(np.array([off.max(), off.mean()]))

    find_values(table, 1e-14, sweeps, say, accelerated)
    return errors


def draw_curves(curves: Curves, path: Path) -> None:
    figure, (left, right) = plot(10.5, 4.6, 1, 2)
    for axes, errors, title in ((left, curves.greatest, "greatest error"), (right, curves.mean, "mean error")):
        for colour, (name, values) in zip(COLOURS, errors.items(), strict=True):
            axes.semilogy(range(1, len(values) + 1), np.maximum(values, LEAST), color=colour, label=name)
        axes.axvline(UPDATES, color="grey", linestyle=":", linewidth=1)
        axes.annotate("the thesis stops", (UPDATES, 1), rotation=90, va="top", ha="right", fontsize=8, color="grey")
        axes.set_xlabel("sweeps")
        axes.set_ylabel(title)
        axes.set_ylim(LEAST / 3, 2)
    left.axhline(curves.certified, color="black", linestyle="--", linewidth=1)
    left.annotate("certified by the proof", (1, curves.certified * 1.4), fontsize=8)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    save(figure, path)


# --- strategy against strategy ---------------------------------------------------------------------------------------
def draw_heat(boards: Sequence[tuple[int, Sequence[str], np.ndarray]], path: Path) -> None:
    """Mean payoffs, a map for each dice limit; rows against columns."""
    figure, all_axes = plot(14, 6.6, 1, len(boards))
    image = None
    for axes, (dice, names, payoffs) in zip(all_axes, boards, strict=True):
        axes.set_title(f"3x3, {dice} dice")
        image = draw_payoffs(axes, names, payoffs)
    figure.colorbar(image, ax=all_axes, label="mean payoff of the row's strategy", shrink=0.8)
    save(figure, path)


# --- positions -------------------------------------------------------------------------------------------------------
def draw_position(text: str, dice: int, path: Path) -> None:
    """A board with what optimal play says of its moves."""
    from hazard.games.dice_of_doom.pictures import svg as picture
    from hazard.solving.solution import solved

    game = make(text.split()[0], dice, turns=0)
    position = game.parse(text)
    path.write_text(picture.board_svg(game, position, solved(game).advise(position)))


def positions() -> list[Figure]:
    figures = []
    for name, text, caption in POSITIONS:
        dice = 2 if name == "two-dice" else 5
        draw: Callable[[Path], None] = partial(draw_position, text, dice)
        figures.append(Figure(f"dice-of-doom-{name}.svg", f"{caption} ({dice} dice a tile)", f"{text}.", draw))
    return figures


def figures(curves: Curves, heats: Sequence[tuple[int, Sequence[str], np.ndarray]]) -> list[Figure]:
    return [
        Figure(
            "dice-of-doom-convergence.svg",
            "How iterations converge",
            f"{curves.board} with {curves.dice} dice. Errors against the converged values after each sweep. The thesis "
            f"updates single moves and stops after {UPDATES} sweeps; backing up whole turns in place needs fewer, and "
            "mixing the last sweeps far fewer. Only the dashed line, which one more sweep proves, is a bound: the "
            f"values are certified to {curves.certified:.0e} (the thesis' objective to {curves.own_win:.0e}).",
            partial(draw_curves, curves),
        ),
        Figure(
            "dice-of-doom-heat.svg",
            "Strategy against strategy",
            "Mean payoff of the row's strategy against the column's, random deal, deterministic reinforcement. "
            "Searching agents play few games in a quick run.",
            partial(draw_heat, heats),
        ),
        *positions(),
    ]
