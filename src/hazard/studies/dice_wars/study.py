"""Turecek's paper on Dice Wars: its tables beside ours, its figures with intervals, and what it leaves open.

Every figure is played again: a new map for every game, turn order at random. What a line-up has played is cached.
"""

from __future__ import annotations

from hazard.studies.dice_wars import beyond, calibration, figures, searches, tables
from hazard.studies.dice_wars.games import NAME as NAME
from hazard.studies.report import Progress, Study

SOURCE = "D. Turecek, Artificial Intelligence for a Board Game, Faculty of Information Technology, Brno, 2018"


def study(full: bool = False, progress: Progress = lambda text: None) -> Study:
    """All findings; `full` plays 100,000 games a pair, and about ten times as many of everything else."""
    result = Study(NAME, "Dice Wars: three players, and an estimate put right", SOURCE, criterion=criterion())
    sixes = tables.six_shares(full, progress)
    result.findings += [*tables.table_findings(full, progress), tables.six_finding(sixes)]
    first = figures.first_seat(full, progress)
    pairs = figures.combinations(tables.KINDS[:2], 8, full, progress)
    threes = figures.combinations(tables.KINDS, 6, full, progress)
    progress("what attacks promise, and what is held")
    holds = [calibration.calibrate(kind, full) for kind in calibration.LINE_UPS]
    result.tables += [
        tables.six_table(sixes),
        figures.first_table(first),
        figures.combination_table("Figure 5: naive and SDC", tables.KINDS[:2], pairs),
        tables.rank_table(tables.KINDS[:2], pairs, "Mean ranks: naive and SDC"),
        figures.combination_table("Figure 6: naive, SDC and STE", tables.KINDS, threes),
        tables.rank_table(tables.KINDS, threes, "Mean ranks: naive, SDC and STE"),
        figures.hold_table(holds),
        calibration.calibration_table(holds),
        calibration.weights_table(holds),
        calibration.gain_table(full, progress),
    ]
    sweeps = beyond.sweep(full, progress)
    result.tables += [beyond.sweep_table(sweeps), *beyond.tournament_tables(beyond.tournament(full, progress))]
    slow = searches.visits(full, progress)
    result.tables += [searches.visit_table(slow), *searches.seat_tables(slow), searches.share_table(full, progress)]
    result.figures += figures.figures(first, pairs, threes, holds, sweeps)
    return result


def criterion() -> str:
    return (
        f"Reproduced: at most {tables.limit():.2f} standard errors from ours, which one of the {len(tables.rows())} "
        "shares of Tables 1 and 2 exceeds by chance in one study of twenty. The paper has 10,000 games in Table 1; the "
        "same is taken for Table 2, where it does not say. Figures 4 to 7 are printed without numbers: ours are in the "
        "tables below."
    )
