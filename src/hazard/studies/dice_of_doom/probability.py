"""The thesis' tables of chances, B.2.1 and B.2.2: as it computed them, artefacts and all, and the true values.

The thesis updated all states 98 times and added them up in single precision. That gives its printed digits, or nearly;
but large boards had not converged by then. The converged chances come from the certified solver.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hazard.solving.solution import load
from hazard.studies.cache import keep, known
from hazard.studies.dice_of_doom.chances import UPDATES, Chances, chances
from hazard.studies.dice_of_doom.games import boards_of, make, solve_report
from hazard.studies.dice_of_doom.matches import CLOSE_TO_OPTIMAL, Task, cached, play
from hazard.studies.matches import Counts
from hazard.studies.report import (
    LEFT_OUT,
    NOT_REPRODUCED,
    PUBLISHED_IN_ERROR,
    REPRODUCED,
    Finding,
    Progress,
    Table,
    judge,
    published,
)

TOLERANCE = 1e-7
CODE = [Path(__file__).with_name(f"{part}.py") for part in ("chances", "jacobi")]  # the thesis' computation
LONG = 10_000_000  # boards beyond which the thesis' computation is left to --full
SOLVED = 300_000  # boards up to which a quick run solves for own wins
MOST = 3.0  # standard deviations that the mean of randomly drawn moves may be off
LATER = "takes minutes; a full run computes and caches it"
OUTCOMES = ("win", "lose", "tie")
STRATEGIES = ("optimal", "greedy", "random")


@dataclass(frozen=True)
class Summary:
    """What the thesis' computation gives for a board."""

    states: int
    printed: list[float]  # win, lose, tie as the thesis added them up
    means: list[float]  # the same added up exactly
    moves: int  # states with a move
    quality: list[float]  # best, greedy and random move as the thesis added them up
    exact: list[float]  # the same added up exactly
    spread: float  # the standard deviation of the mean of randomly drawn moves
    change: float  # greatest change of the last update


def compute(board: str, dice: int, say: Progress) -> Chances:
    """The table after as many updates as the thesis made."""
    return chances(make(board, dice), lambda n: say(f"{board} with {dice} dice: update {n} of {UPDATES}"))


def summarise(table: Chances) -> Summary:
    moves = table.moves()
    states, quality, exact = len(table.table), moves.printed, moves.means
    return Summary(states, table.printed, table.means, moves.count, quality, exact, moves.spread, table.change)


def summary(board: str, dice: int, full: bool, say: Progress) -> Summary | None:
    """The thesis' computation of a board, from the cache if possible; None if it is too long for a quick run."""
    result = known("chances", make(board, dice), [UPDATES], CODE, solves=False)
    if result is not None:
        return Summary(**result)
    if boards_of(board, dice) > LONG and not full:
        return None
    return keep_summary(board, dice, compute(board, dice, say))


def keep_summary(board: str, dice: int, table: Chances) -> Summary:
    result = summarise(table)
    keep("chances", make(board, dice), [UPDATES], asdict(result), CODE, solves=False)
    return result


# --- B.1.7: the thesis' table at play ----------------------------------------------------------------------------
def play_close_to_optimal(tasks: list[Task], full: bool, say: Progress) -> dict[Task, Counts]:
    """Matches of the thesis' own table; boards that are too long for a quick run are missing."""
    done = {task: counts for task in tasks if (counts := cached(task))}
    for board, dice in dict.fromkeys((t.board, t.dice) for t in tasks if t not in done):
        if boards_of(board, dice) > LONG and not full:
            continue
        table = compute(board, dice, say)
        keep_summary(board, dice, table)
        for task in tasks:
            if (task.board, task.dice) == (board, dice) and task not in done:
                assert CLOSE_TO_OPTIMAL in task.agents
                done[task] = play(task, table.memory)
    return done


# --- findings --------------------------------------------------------------------------------------------------------
def win_findings(full: bool, say: Progress) -> list[Finding]:
    """B.2.1: every figure as the thesis computed it, then the converged one."""
    as_printed, converged = [], []
    for row in published("dice_of_doom_win_probability.csv"):
        board, dice = row["board"], int(row["max_dice"])
        thesis = summary(board, dice, full, say)
        true = true_chances(board, dice, full, say)
        for n, outcome in enumerate(OUTCOMES):
            what = f"{board}, {dice} dice: {outcome}"
            as_printed.append(_as_printed("B.2.1 as the thesis computed it", what, row[outcome], thesis, n, "printed"))
            converged.append(_converged(what, row[outcome], thesis, true, n))
    return as_printed + converged


def _as_printed(where: str, what: str, value: str, thesis: Summary | None, n: int, kind: str) -> Finding:
    if thesis is None:
        return Finding(where, what, value, "", LEFT_OUT, LATER)
    ours, exact = getattr(thesis, kind)[n], (thesis.means if kind == "printed" else thesis.exact)[n]
    return replace(judge(where, what, value, ours), note=f"{UPDATES} updates; added up exactly {exact:.7f}")


def true_chances(board: str, dice: int, full: bool, say: Progress) -> dict[str, Any] | None:
    """The chances if both play for their own win, certified; None if that is too long for a quick run."""
    game = make(board, dice, objective="own-win", turns=0)
    if not full and is_long(board, dice):
        return None
    say(f"{board} with {dice} dice: converged chances")
    return solve_report(game, TOLERANCE)


def is_long(board: str, dice: int) -> bool:
    """Whether solving takes longer than a quick run may, and no result is cached."""
    game = make(board, dice, objective="own-win", turns=0)
    return boards_of(board, dice) > SOLVED and known("solved", game, [TOLERANCE]) is None


def _converged(what: str, value: str, thesis: Summary | None, true: dict[str, Any] | None, n: int) -> Finding:
    """Published in error: what is printed is not the converged figure, but what the thesis' computation gives."""
    where = "B.2.1 converged"
    if true is None or thesis is None:
        return Finding(where, what, value, "", LEFT_OUT, LATER)
    exact, error = true["mean"][OUTCOMES[n]], true["error"]
    judged = judge(where, what, value, exact, f"certified to within {error:.0e}")
    if judged.verdict == REPRODUCED:
        return judged
    if abs(thesis.printed[n] - float(value)) > abs(exact - float(value)) / 4:
        return replace(judged, note=f"{judged.note}; not explained")
    late = abs(thesis.means[n] - exact) > abs(thesis.printed[n] - thesis.means[n]) / 4
    rounded = abs(thesis.printed[n] - thesis.means[n]) > abs(thesis.means[n] - exact) / 4
    reasons = [f"not converged after {UPDATES} updates"] * late + ["added up in float32"] * rounded
    return replace(judged, verdict=PUBLISHED_IN_ERROR, note=f"{judged.note}; {' and '.join(reasons)}")


def quality_findings(full: bool, say: Progress) -> list[Finding]:
    """B.2.2: the mean chance to win by three ways to move, and the counts of states, which must be equal."""
    findings = []
    for row in published("dice_of_doom_move_quality.csv"):
        board, dice = row["board"], int(row["max_dice"])
        ours = summary(board, dice, full, say)
        assert ours is not None
        for n, strategy in enumerate(STRATEGIES):
            what = f"{board}, {dice} dice: {strategy} move"
            where = "B.2.2 as the thesis computed it"
            finding = _as_printed(where, what, row[strategy], ours, n, "quality")
            if strategy == "random":
                finding = _by_chance(finding, ours)
            findings.append(finding)
        findings += _counted(row, ours)
    return findings


def _by_chance(finding: Finding, ours: Summary) -> Finding:
    """The thesis draws one move in every state; ours is the mean over all moves, with the spread of such draws."""
    if finding.verdict == REPRODUCED or ours.spread == 0:
        return finding
    z = (float(finding.published) - ours.exact[2]) / ours.spread
    note = f"{finding.note}, where one is drawn in each state ± {ours.spread:.6f}; theirs is {z:+.1f} of these off"
    return replace(finding, verdict=REPRODUCED if abs(z) <= MOST else NOT_REPRODUCED, note=note)


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
    true = solve_report(make(board, dice, objective="own-win", turns=0), TOLERANCE, stored=True)
    wins, losses = load(Path(true["solution"])).tables()["values"]
    table = Chances(make(board, dice))
    table.read(wins, losses)
    return table.moves().means, true["error"]
