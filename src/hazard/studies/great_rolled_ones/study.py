"""The slides of Neller and his colleagues on Great Rolled Ones: every figure of theirs beside ours, the whole optimal
policy, what the slides leave open (three players, other goals and dice), and how far the solution can be compressed.

Everything shown is computed; only the published figures are read from a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from threading import Event

import hazard
from hazard.games.great_rolled_ones.policy_map import Island, Map
from hazard.studies.great_rolled_ones import pictures
from hazard.studies.great_rolled_ones.compression import Measured, look_ahead, measure, model_count, models
from hazard.studies.great_rolled_ones.policies import (
    POLICIES,
    Policy,
    at_once,
    exact_table,
    measure_policies,
    sample_table,
)
from hazard.studies.great_rolled_ones.variants import (
    DICE,
    ENDS,
    GOALS,
    Komi,
    dice_table,
    end_table,
    every_goal,
    goal_table,
    komi_table,
    other_dice,
    shortened,
    three_players,
    three_table,
)
from hazard.studies.parts import Parts
from hazard.studies.report import (
    NOT_REPRODUCED,
    REPRODUCED,
    Figure,
    Finding,
    Study,
    Table,
    judge,
    published,
)

NAME = "great-rolled-ones"
SOURCE = (
    "T. W. Neller, Q. H. Nguyen, P. T. Pham, L. T. Phan and C. G. M. Presser, "
    "Optimal Play of the Great Rolled Ones Game, slides, Gettysburg College"
)
EXAMPLES = 3  # cells shown of each kind
PICTURES = 11


@dataclass(frozen=True)
class Computed:
    """All that was computed."""

    fair: Komi
    chart: Map
    policies: Sequence[Policy]
    measured: Sequence[Measured]
    goals: Sequence[Komi]
    dice: Sequence[Komi]
    ends: Sequence[Komi]


def study(full: bool = False, progress: Parts | None = None) -> Study:
    """All findings; `full` plays more games, fits more models and takes three players to the goal of 50."""
    progress, rows = progress or Parts(), published("great_rolled_ones.csv")
    progress.plan(parts_computed(full) + PICTURES)
    progress("solving the game of two")
    fair = Komi(hazard.solve(hazard.game(NAME)))
    progress.finish()
    stop = Event()
    with ThreadPoolExecutor(1) as aside:
        three = aside.submit(three_players, 50 if full else 20, stop)
        try:
            computed = compute(fair, full, progress)
            progress("three players")
            last = three_table(three.result())
            progress.finish()
        except BaseException:
            stop.set()
            raise
    result = Study(NAME, "Great Rolled Ones: optimal play, and play that people can remember", SOURCE)
    result.findings += [finding(row, rows, computed) for row in rows]
    result.tables += [*tables(computed), last]
    result.figures += figures(computed)
    return result


def looks(full: bool) -> tuple[int, ...]:
    """Degrees of the polynomials that look one roll ahead."""
    return (1, 2, 3, 4) if full else (3,)


def parts_computed(full: bool) -> int:
    """Two and three players, four policies played and measured, all models, all other goals and dice."""
    return 2 + 2 * len(POLICIES) + model_count(full) + len(looks(full)) + 1 + len(DICE) + len(ENDS)


def compute(fair: Komi, full: bool, progress: Parts) -> Computed:
    progress("the four policies")
    policies = measure_policies(fair.solution.game, 2_000_000 if full else 200_000, progress)
    progress("models of the win probability")
    chart = Map(fair.solution)
    measured = at_once(partial(measure, fair.solution), models(fair.solution, full), progress)
    measured += at_once(partial(look_ahead, chart), looks(full), progress)
    progress("other goals and dice")
    goals = every_goal(max(GOALS))
    progress.finish()
    dice, ends = at_once(other_dice, DICE, progress), at_once(shortened, ENDS, progress)
    return Computed(fair, chart, policies, measured, goals, dice, ends)


# --- published figures -----------------------------------------------------------------------------------------------
def finding(row: dict[str, str], rows: Sequence[dict[str, str]], computed: Computed) -> Finding:
    """Our figure for a published row."""
    where, quantity, value = row["where"], row["quantity"], row["value"]
    fair = computed.fair
    if quantity.startswith("fairest"):
        verdict = REPRODUCED if fair.fairest == int(value) else NOT_REPRODUCED
        gap = abs(2 * fair.rates[fair.fairest] - 1)
        return Finding(
            where, quantity, value, str(fair.fairest), verdict, f"the gap is then {gap:.3%}, the least of all"
        )
    if quantity.startswith("win-rate difference"):
        policy = next(p for p in computed.policies if quantity.endswith(p.name))
        return judge(where, quantity, value, policy.difference)
    judged = judge(where, quantity, value, win_rate(fair, quantity))
    more = _cut_short(rows, computed.ends) if judged.note else f"certain to within {fair.solution.error:.0e}"
    return replace(judged, note=f"{judged.note}; {more}" if judged.note else more)


def win_rate(komi: Komi, quantity: str) -> float:
    """The win rate that a published row speaks of."""
    points = int(quantity.split()[-3]) if quantity.endswith("compensation points") else 0
    return 1 - komi.rates[points] if "player 2" in quantity else komi.rates[points]


def _cut_short(rows: Sequence[dict[str, str]], ends: Sequence[Komi]) -> str:
    """Where a table would have to end for all published win rates to come out of it."""
    rates = [(row["quantity"], row["value"]) for row in rows if row["quantity"].startswith("win rate")]
    fits = [
        komi.solution.game.table.ceiling
        for komi in ends
        if all(f"{win_rate(komi, quantity):.4f}" == value for quantity, value in rates)
    ]
    if not fits:
        return "no shorter table that was tried gives all published win rates"
    return f"all published win rates come out if player 1's totals are cut off at {min(fits)} to {max(fits)} points"


# --- tables and figures ----------------------------------------------------------------------------------------------
def tables(computed: Computed) -> Iterator[Table]:
    yield komi_table(computed.fair)
    yield exact_table(computed.policies)
    yield sample_table(computed.policies)
    yield compression_table(computed)
    yield island_table(computed.chart)
    yield example_table(computed.chart)
    yield goal_table(computed.goals)
    yield dice_table(computed.fair, computed.dice)
    yield end_table(computed.fair, computed.ends)


def compression_table(computed: Computed) -> Table:
    rows: list[tuple[object, ...]] = [
        (m.name, m.parameters, f"{m.error:.4f}", f"{m.difference:.6f}")
        for m in sorted(computed.measured, key=lambda m: (m.family == "look-ahead", m.parameters))
    ]
    rows += [(f"policy: {p.name}", "", "", f"{p.difference:.6f}") for p in computed.policies]
    note = (
        "i is the mover's score, j the other's; a chance is modelled as the normal distribution of the formula. "
        "Models of the start of turns rebuild the turn exactly; those of all decisions look one roll ahead. The error "
        "is the root mean square over what was fitted. The difference is measured as for the policies."
    )
    columns = ("model", "parameters", "error of the chances", "difference")
    return Table("Compression: parameters against win rate lost", columns, rows, note)


def island_table(chart: Map) -> Table:
    rows = []
    for player, ones in product(range(2), range(chart.game.table.bust)):
        every, made = chart.again(player, ones), chart.again(player, ones, by_dice=True)
        cells = [int(table.any(axis=2).sum()) for table in (every, made)]
        rows.append((player + 1, ones, *cells, len(chart.islands(player, ones)), f"{chart.closest(player, ones):.1e}"))
    columns = (
        "player",
        "ones aside",
        "cells, all pots",
        "cells, pots dice make",
        "of these roll, hold, roll",
        "closest call",
    )
    note = (
        f"A cell is a pair of scores, {chart.goal**2:,} for each row. Counted are those in which the optimal player "
        "rolls with a larger pot than one it holds with. The closest call is the least difference between rolling and "
        f"holding at any decision. Values are certain to within {chart.solution.error:.0e}, so every decision is too."
    )
    return Table("Where rolling is not an interval", columns, rows, note)


def example_table(chart: Map) -> Table:
    rows: list[tuple[str, ...]] = []
    for player, ones in product(range(2), range(chart.game.table.bust)):
        for island in chart.islands(player, ones)[:EXAMPLES]:
            rows += _example(chart, island)
    columns = ("position", "best", "roll", "hold", "cost of the other")
    note = (
        "Three pots of one pair of scores: rolling, then holding, then rolling again. The clearest cells of each kind."
    )
    return Table("Roll, hold, roll: examples", columns, rows, note)


def _example(chart: Map, island: Island) -> Iterator[tuple[str, ...]]:
    for pot in island.pots:
        text = island.text(pot)
        advice = chart.solution.advise(chart.game.parse(text))
        worth = {a.move: f"{a.value:.6f}" for a in advice}
        yield text, advice[0].move, worth["roll"], worth["hold"], f"{advice[1].cost:.6f}"


def figures(computed: Computed) -> list[Figure]:
    return [
        *pictures.maps(computed.chart),
        *pictures.win_rates(computed.fair, computed.goals),
        pictures.compression(computed.measured, computed.policies),
    ]
