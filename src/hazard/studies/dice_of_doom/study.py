"""Van den Berg's thesis on Dice of Doom: every published figure beside ours, and answers to what it leaves open.

Matches are played again. Chances are computed both as the thesis did and until they converge, with certified bounds.
Everything shown is computed; only the published figures are read from files. Long results are cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from hazard.dice import battle
from hazard.studies.dice_of_doom import further, pictures
from hazard.studies.dice_of_doom.games import NAME
from hazard.studies.dice_of_doom.matches import (
    CLOSE_TO_OPTIMAL,
    agents_of,
    comparisons,
    findings,
    games_of,
    match_rows,
    parts_of,
    percent,
    place_of,
    play_rows,
    published_counts,
)
from hazard.studies.dice_of_doom.probability import play_close_to_optimal, quality_findings, true_quality, win_findings
from hazard.studies.report import (
    CRITERION,
    LEFT_OUT,
    NOT_REPRODUCED,
    REPRODUCED,
    Figure,
    Finding,
    Progress,
    Study,
    Table,
    published,
)
from hazard.studies.scores import LEVEL, limit

SOURCE = (
    "P. van den Berg, Exploring Optimal Strategies for Dice of Doom, bachelor thesis, LIACS, Leiden University, 2023"
)
DIGITS = 6  # significant ones, as the thesis prints odds of battles


def study(full: bool = False, progress: Progress = lambda text: None) -> Study:
    """All findings; `full` plays 100,000 games a row, which takes hours with agents that search, and solves larger
    boards."""
    result = Study(NAME, "Dice of Doom: strategies, and chances under optimal play", SOURCE, criterion=criterion())
    result.findings += battle_findings()
    result.findings += match_findings(match_rows(), full, progress)
    result.findings += win_findings(full, progress)
    result.findings += quality_findings(full, progress)
    result.tables += [true_quality(full), *answers(full, progress)]
    result.figures += draw(full, progress)
    return result


def criterion() -> str:
    return (
        f"{CRITERION} Odds of battles: all printed digits. Matches: wins, losses and ties are compared with those "
        f"published; reproduced if none of the three differs by more than {limit(comparisons()):.2f} standard errors, "
        f"which with {comparisons():,} comparisons happens by chance in {LEVEL:.0%} of studies. Published in error: we "
        "know how. A quick run, with 2,000 games a row or fewer, sees large differences only."
    )


# --- battles ---------------------------------------------------------------------------------------------------------
def battle_findings() -> list[Finding]:
    """The odds of every battle, in exact fractions."""
    return [_battle(row) for row in published("dice_of_doom_battle.csv")]


def _battle(row: dict[str, str]) -> Finding:
    a, b = int(row["attacker_dice"]), int(row["defender_dice"])
    odds, value = battle(a, b, 6), row["p_attacker_wins"]
    verdict = REPRODUCED if _same_digits(odds, value) else NOT_REPRODUCED
    return Finding("battle table", f"{a} against {b}", value, f"{float(odds):.{DIGITS}g}", verdict, f"exactly {odds}")


def _same_digits(odds: Fraction, value: str) -> bool:
    """Whether the odds, rounded to as many significant digits as are printed, are the printed ones."""
    mantissa = value.upper().partition("E")[0]
    digits = len(mantissa.replace(".", "").lstrip("0"))
    return float(f"{float(odds):.{digits}g}") == float(value)


# --- matches ---------------------------------------------------------------------------------------------------------
def match_findings(rows: Sequence[dict[str, str]], full: bool, progress: Progress) -> list[Finding]:
    """Every row of the tables of matches; those of the close-to-optimal strategy need its table first."""
    by_table = [row for row in rows if agents_of(row)[0] == CLOSE_TO_OPTIMAL]
    others = [row for row in rows if agents_of(row)[0] != CLOSE_TO_OPTIMAL]
    counts = play_rows(others, full, _counting(progress))
    tasks = [next(parts_of(row, games_of(row, full))) for row in by_table]
    known = play_close_to_optimal(tasks, full, progress)
    played = [(row, known[task]) for row, task in zip(by_table, tasks, strict=True) if task in known]
    missing = [row for row, task in zip(by_table, tasks, strict=True) if task not in known]
    both = [*zip(others, counts, strict=True), *played]
    return findings([row for row, _ in both], [ours for _, ours in both], full) + list(map(_left_out, missing))


def _left_out(row: dict[str, str]) -> Finding:
    note = "its table takes minutes; a full run computes and caches it"
    return Finding(*place_of(row), percent(published_counts(row)), "", LEFT_OUT, note)


def _counting(progress: Progress) -> Callable[[int, int], None]:
    return lambda done, total: progress(f"matches: part {done} of {total}")


# --- our own tables --------------------------------------------------------------------------------------------------
def answers(full: bool, progress: Progress) -> list[Table]:
    """What the thesis leaves to further work."""
    return [
        further.score_table(),
        further.declined_table(progress),
        further.choice_table(progress),
        further.first_move_table(full, progress),
        further.distance_table(full, progress),
        *further.multi_player_tables(full, progress),
    ]


def draw(full: bool, progress: Progress) -> list[Figure]:
    heats = [(dice, *further.heat(dice, full, progress)) for dice in (5, 2)]
    board, dice, sweeps = ("2x3", 5, 600) if full else ("2x2", 5, 250)
    progress(f"how iterations converge on {board} with {dice} dice")
    return pictures.figures(pictures.converging(board, dice, sweeps), heats)
