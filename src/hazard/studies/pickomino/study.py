"""The paper on Pickomino: every published figure beside ours, and answers to what it leaves open.

Chetcuti-Sperandio and others wrote twenty programs and played all pairs of them. All pairs are played again, the
tables of risk are worked out exactly, and what a turn can bring is shown as a player can use it.
"""

from __future__ import annotations

import numpy as np

from hazard.studies.matches import Counts
from hazard.studies.pickomino import further, pictures, readings
from hazard.studies.pickomino.board import COSTS, first_tables, stop_table
from hazard.studies.pickomino.game import NAME as NAME
from hazard.studies.pickomino.game import make
from hazard.studies.pickomino.matches import (
    AGENTS,
    CLOSE,
    FIFTY,
    FULL,
    QUICK,
    RULE,
    Results,
    complete,
    meet,
    play_pairs,
    play_table,
    table_findings,
)
from hazard.studies.pickomino.risk import claim_findings, columns_table, risk_findings
from hazard.studies.report import Finding, Progress, Study, Table

SOURCE = (
    "N. Chetcuti-Sperandio, F. Delorme, S. Lagrue and D. Stackowiak, Determination and Evaluation of Efficient "
    "Strategies for a Stop or Roll Dice Game: Heckmeck am Bratwurmeck (Pickomino), IEEE Symposium on Computational "
    "Intelligence and Games, 2008, pp. 175-182"
)


def study(full: bool = False, progress: Progress = lambda text: None) -> Study:
    """All findings; `full` plays 20,000 matches a pair, most of an hour of it with simulated trees."""
    games = FULL if full else QUICK
    paper = Study(NAME, "Pickomino: twenty programs, and a turn worked out exactly", SOURCE, criterion=criterion(games))
    table = play_table(make(empty=RULE), AGENTS, games, progress)
    progress("tables of risk")
    paper.findings += table_findings(table, lambda other: _fifty(other, games))
    paper.findings += [*risk_findings(), *claim_findings(), *program_findings(table, games)]
    paper.tables += [readings.rule_table(readings.by_rule(games, progress)), readings.agreement_table(full, progress)]
    sweeps = further.thresholds(make(), full, progress)
    paper.tables += [columns_table(), further.threshold_table(sweeps, full), *answers(full, progress), *board_tables()]
    paper.figures += pictures.figures(table, sweeps, *heat(table, games, progress))
    return paper


def criterion(games: int) -> str:
    return (
        f"Table VIII: {games:,} matches a pair, played with empty={RULE}, which fits a little better; reproduced if "
        f"the shares differ by at most {CLOSE:g} standard errors of the difference, since both are samples. Table III: "
        f"at most {CLOSE:g} standard errors of 500 trees from the exact expectation. By chance one cell in 370 fails. "
        f"Published in error: we know how. A quick run, with {QUICK:,} matches, sees large differences only."
    )


def _fifty(other: str, games: int) -> Counts:
    """A threshold of 50 % against another program."""
    one, two = sorted((FIFTY, AGENTS[other]))
    counts = meet(make(empty=RULE), one, two, games)
    return counts if one == FIFTY else counts.turned()


def program_findings(table: Results, games: int) -> list[Finding]:
    """What the text says of programs."""
    game = make(empty=RULE)
    return [
        *readings.column_findings(game, games),
        readings.same_finding(game, games),
        *readings.remark_findings(table),
        further.first_finding(game),
    ]


def answers(full: bool, progress: Progress) -> list[Table]:
    """What the paper leaves to further work."""
    game = make()
    return [
        further.first_table(game, full, progress),
        further.end_table(game, full, progress),
        further.turn_table(game, full, progress),
        further.gain_table(game, full, progress),
        *further.many_tables(full, progress),
        further.distance_table(full, progress),
        further.trees_table(game, full, progress),
    ]


def board_tables() -> list[Table]:
    return [*first_tables(), *(stop_table(cost) for cost in COSTS)]


def heat(table: Results, games: int, progress: Progress) -> tuple[list[str], np.ndarray]:
    """All agents against all: the table, and the players beyond it against everyone."""
    game, both = make(empty=RULE), complete(table)
    beyond = [name for name in (further.TURN, further.MASTER) if name in game.agents]
    pairs = [(b, AGENTS[a]) for b in beyond for a in AGENTS] + ([(beyond[1], beyond[0])] if beyond[1:] else [])
    more = play_pairs(game, pairs, min(games, QUICK), progress)
    rates = {pair: counts.share for pair, counts in both.items()}
    for b in beyond:
        rates |= {(b, a): more[b, AGENTS[a]].share for a in AGENTS}
    rates |= {pair: more[pair].share for pair in pairs if pair[1] in beyond}
    rates |= {(b, a): 1 - share for (a, b), share in rates.items()}
    names = sorted([*AGENTS, *beyond], key=lambda name: -np.mean([x for (a, _), x in rates.items() if a == name]))
    return names, np.array([[rates.get((a, b), 0.5) for b in names] for a in names])
