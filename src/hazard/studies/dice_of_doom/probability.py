"""The thesis' tables of chances, B.2.1 and B.2.2: as it computed them, artefacts and all, and what is true.

The thesis updated all states 98 times and added them up in single precision. That gives its printed digits, or nearly;
but large boards had not converged by then. The converged chances come from the certified solver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hazard.studies.cache import keep, known
from hazard.studies.dice_of_doom.chances import UPDATES, Chances
from hazard.studies.dice_of_doom.matches import CLOSE_TO_OPTIMAL, Counts, Task, kept, play
from hazard.studies.dice_of_doom.solved import make, solved
from hazard.studies.report import (
    LEFT_OUT,
    NOT_REPRODUCED,
    PUBLISHED_IN_ERROR,
    REPRODUCED,
    Finding,
    Table,
    judge,
    published,
)

TOLERANCE = 1e-7
CODE = [Path(__file__).with_name(f"{part}.py") for part in ("chances", "jacobi")]  # the thesis' work
LONG = 10_000_000  # boards beyond which the thesis' computation is left to --full
SOLVED = 300_000  # boards up to which a quick run solves for own wins
DRAWN = 3.0  # standard deviations that a mean of drawn moves may be off
OUTCOMES = ("win", "lose", "tie")
STRATEGIES = ("optimal", "greedy", "random")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Summary:
    """What the thesis' computation gives for a board."""

    states: int
    printed: list[float]  # win, lose, tie as the thesis added them up
    means: list[float]  # the same added up exactly
    moves: int  # states with a move
    quality: list[float]  # best, greedy and random move as the thesis added them up
    exact: list[float]  # the same added up exactly
    spread: float  # the standard deviation of the mean of drawn moves
    change: float  # greatest change of the last update


def boards_of(board: str, dice: int) -> int:
    rows, _, columns = board.partition("x")
    return (2 * dice) ** (int(rows) * int(columns))


def computed(board: str, dice: int, say: Say) -> Chances:
    found = Chances(make(board, dice))
    found.change = found.update(UPDATES, lambda n: say(f"{board} with {dice} dice: update {n} of {UPDATES}"))
    return found


def summarised(found: Chances) -> Summary:
    moves = found.moves()
    quality, exact = moves.printed, moves.means
    return Summary(
        len(found.table), found.printed, found.means, moves.count, quality, exact, moves.spread, found.change
    )


def summary(board: str, dice: int, full: bool, say: Say) -> Summary | None:
    """The thesis' computation of a board, kept if it has been done; None if it is too long for a quick run."""
    game = make(board, dice)
    if (found := known("chances", game, [UPDATES], CODE, solves=False)) is not None:
        return Summary(**found)
    if boards_of(board, dice) > LONG and not full:
        return None
    fresh = summarised(computed(board, dice, say))
    keep("chances", game, [UPDATES], asdict(fresh), CODE, solves=False)
    return fresh


# --- B.1.7: the thesis' table at play ----------------------------------------------------------------------------
def play_close_to_optimal(tasks: list[Task], full: bool, say: Say) -> dict[Task, Counts]:
    """Matches of the thesis' own table; boards that are too long for a quick run are missing."""
    found = {task: counts for task in tasks if (counts := kept(task))}
    for board, dice in dict.fromkeys((t.board, t.dice) for t in tasks if t not in found):
        if boards_of(board, dice) > LONG and not full:
            continue
        chances = computed(board, dice, say)
        keep("chances", make(board, dice), [UPDATES], asdict(summarised(chances)), CODE, solves=False)
        for task in tasks:
            if (task.board, task.dice) == (board, dice) and task not in found:
                assert CLOSE_TO_OPTIMAL in task.agents
                found[task] = play(task, chances.memory)
    return found


# --- findings --------------------------------------------------------------------------------------------------------
def win_findings(full: bool, say: Say) -> list[Finding]:
    """B.2.1: every figure as the thesis computed it, then the converged one."""
    as_printed, converged = [], []
    for row in published("dice_of_doom_win_probability.csv"):
        board, dice = row["board"], int(row["max_dice"])
        found = summary(board, dice, full, say)
        true = true_chances(board, dice, full, say)
        for n, outcome in enumerate(OUTCOMES):
            what = f"{board}, {dice} dice: {outcome}"
            as_printed.append(_as_printed("B.2.1 as the thesis computed it", what, row[outcome], found, n, "printed"))
            converged.append(_converged(what, row[outcome], found, true, n))
    return as_printed + converged


def _as_printed(where: str, what: str, value: str, found: Summary | None, n: int, kind: str) -> Finding:
    if found is None:
        return Finding(where, what, value, "", LEFT_OUT, "takes minutes; a full run keeps it")
    ours, exact = getattr(found, kind)[n], (found.means if kind == "printed" else found.exact)[n]
    return replace(judge(where, what, value, ours), note=f"{UPDATES} updates; added up exactly {exact:.7f}")


def true_chances(board: str, dice: int, full: bool, say: Say) -> dict[str, Any] | None:
    """The chances if both play for their own win, certified; None if that is too long for a quick run."""
    game = make(board, dice, objective="own-win", turns=0)
    if not full and is_long(board, dice):
        return None
    say(f"{board} with {dice} dice: converged chances")
    return solved(game, TOLERANCE)


def is_long(board: str, dice: int) -> bool:
    """Whether solving takes longer than a quick run may, and has not been done before."""
    game = make(board, dice, objective="own-win", turns=0)
    return boards_of(board, dice) > SOLVED and known("solved", game, [TOLERANCE]) is None


def _converged(what: str, value: str, found: Summary | None, true: dict[str, Any] | None, n: int) -> Finding:
    """Where the printed figure is not the converged one, but what the thesis' computation gives: published in error."""
    where = "B.2.1 converged"
    if true is None or found is None:
        return Finding(where, what, value, "", LEFT_OUT, "takes minutes; a full run keeps it")
    exact, error = true["mean"][OUTCOMES[n]], true["error"]
    judged = judge(where, what, value, exact, f"certified to within {error:.0e}")
    if judged.verdict == REPRODUCED:
        return judged
    if abs(found.printed[n] - float(value)) > abs(exact - float(value)) / 4:
        return replace(judged, note=f"{judged.note}; not explained")
    late = abs(found.means[n] - exact) > abs(found.printed[n] - found.means[n]) / 4
    rounded = abs(found.printed[n] - found.means[n]) > abs(found.means[n] - exact) / 4
    reasons = [f"not converged after {UPDATES} updates"] * late + ["added up in float32"] * rounded
    return replace(judged, verdict=PUBLISHED_IN_ERROR, note=f"{judged.note}; {' and '.join(reasons)}")


def quality_findings(full: bool, say: Say) -> list[Finding]:
    """B.2.2: the mean chance to win by three ways to move, and the counts of states, which must be equal."""
    found = []
    for row in published("dice_of_doom_move_quality.csv"):
        board, dice = row["board"], int(row["max_dice"])
        ours = summary(board, dice, full, say)
        assert ours is not None
        for n, strategy in enumerate(STRATEGIES):
            what = f"{board}, {dice} dice: {strategy} move"
            where = "B.2.2 as the thesis computed it"
            finding = _as_printed(where, what, row[strategy], ours, n, "quality")
            if strategy == "random":
                finding = _drawn(finding, ours)
            found.append(finding)
        found += _counted(row, ours)
    return found


def _drawn(finding: Finding, ours: Summary) -> Finding:
    """The thesis draws one move in every state; ours is the mean over all moves, with the spread of such draws."""
    if finding.verdict == REPRODUCED or ours.spread == 0:
        return finding
    z = (float(finding.published) - ours.exact[2]) / ours.spread
    note = f"{finding.note}, where one is drawn in each state ± {ours.spread:.6f}; theirs is {z:+.1f} of these off"
    return replace(finding, verdict=REPRODUCED if abs(z) <= DRAWN else NOT_REPRODUCED, note=note)


def _counted(row: dict[str, str], ours: Summary) -> list[Finding]:
    """The number of states with a move, and their share."""
    what, where = f"{row['board']}, {row['max_dice']} dice", "B.2.2 counts of states"
    value = row["states_with_a_move"]
    verdict = REPRODUCED if int(value) == ours.moves else NOT_REPRODUCED
    return [
        Finding(where, f"{what}: states with a move", value, str(ours.moves), verdict, f"of {ours.states:,} states"),
        judge(where, f"{what}: their share", row["fraction_of_states"], ours.moves / ours.states),
    ]


def true_quality(full: bool) -> Table:
    """B.2.2 with converged chances."""
    rows = []
    for row in published("dice_of_doom_move_quality.csv"):
        board, dice = row["board"], int(row["max_dice"])
        if not full and is_long(board, dice):
            continue
        means, error = converged_quality(board, dice)
        both = (f"{row[s]} / {x:.6f}" for s, x in zip(STRATEGIES, means, strict=True))
        rows.append((board, dice, *both, f"{error:.0e}"))
    note = "Printed / converged, both players playing for their own win; no chance is further than the error off."
    return Table("B.2.2 once converged", ("board", "dice", *STRATEGIES, "error"), rows, note)


def converged_quality(board: str, dice: int) -> tuple[list[float], float]:
    """The mean chance to win by the best, the greedy and a random move, and how surely it is known."""
    true = solved(make(board, dice, objective="own-win", turns=0), TOLERANCE, stored=True)
    wins, losses = np.load(Path(true["solution"]) / "values.npy", mmap_mode="r")
    found = Chances(make(board, dice))
    found.read(wins, losses)
    return found.moves().means, true["error"]
