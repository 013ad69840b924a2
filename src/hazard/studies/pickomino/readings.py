"""What the paper leaves open, tried both ways: the rule for an empty stack, formula (1), remarks that were swapped,
thresholds that are the same program, and whether simulated and exact tables play alike."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import sqrt

from hazard.games.pickomino.players.programs import PUBLISHED, S3
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.matches import SEED, Counts, count, independent
from hazard.studies.pickomino.game import make
from hazard.studies.pickomino.matches import (
    AGENTS,
    CLOSE,
    EXACT,
    FIFTY,
    FULL,
    READINGS,
    RULES,
    SIMULATED,
    Results,
    complete,
    fits,
    fitting,
    judge_cell,
    meet,
    play_table,
    published_cells,
    share_text,
    z_of,
)
from hazard.studies.pickomino.sweep import risks
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, Finding, Progress, Table
from hazard.studies.scores import z_score

BY_TABLE = [name for name in AGENTS if AGENTS[name] != SIMULATED]  # programs that need no simulation here
SAMPLE = (("mc", "s2"), ("mc4c", "s3"), ("mcp25", "s3"), ("mc2", "s2"), ("mcr4", "s3"), ("mc3", "s3"))
SAMPLED, SAMPLED_FULL = 300, 1_000  # simulated matches a pair
COLUMN = "mc-column-exact"
READ = READINGS | {"MCP5": "played at 50 %, which its row looks like", "MC1000It": "played by exact tables, as MC"}
GROUPS = {"all pairs": (), "pairs without S1": ("S1",), "pairs of programs described": (*READINGS,)}


# --- the rule for an empty stack -------------------------------------------------------------------------------------
def by_rule(games: int, say: Progress) -> dict[str, Results]:
    """Table VIII without MC100It, and with MCP5 at 50 %, under both readings of the rule."""
    agents = {name: AGENTS[name] for name in BY_TABLE} | {"MCP5": FIFTY}
    return {rule: play_table(make(empty=rule), agents, games, say) for rule in RULES}


def rule_table(results: dict[str, Results]) -> Table:
    """How many cells of each program's row come out under each reading."""
    rows: list[tuple[object, ...]] = []
    for name in BY_TABLE:
        fit = [fitting(results[rule], name) for rule in RULES]
        rows.append((name, *(f"{n} of {of}" for n, of in fit), READ.get(name, "")))
    for title, without in GROUPS.items():
        rows.append((title, *(_fit_text(_scores(results[rule], without)) for rule in RULES), ""))
    games = next(iter(results[RULES[0]].values())).games
    note = (
        f"Cells within {CLOSE:g} standard errors of the difference, {games:,} matches a pair of ours and 20,000 "
        f"published; in brackets what the squares of the z-scores add up to. MC100It is left out. {_verdict(results)}"
    )
    columns = ("program", *(f"empty={rule}" for rule in RULES), "what is read into it")
    return Table("Does a failure with an empty stack turn a tile? Cells that come out", columns, rows, note)


def _scores(results: Results, without: tuple[str, ...]) -> list[float]:
    cells = published_cells()
    return [z_of(ours, cells[pair]) for pair, ours in results.items() if not set(pair) & set(without)]


def _within(scores: Sequence[float]) -> int:
    return sum(abs(z) <= CLOSE for z in scores)


def _fit_text(scores: Sequence[float]) -> str:
    n, of = _within(scores), len(scores)
    return f"{n} of {of}, {n / of:.0%} ({sum(z * z for z in scores):,.0f})"


def _verdict(results: dict[str, Results]) -> str:
    """Which reading fits better, judged by the programs that are described; and whose rows fail mostly."""
    scores = {rule: _scores(results[rule], (*READINGS,)) for rule in RULES}
    better = min(RULES, key=lambda rule: sum(z * z for z in scores[rule]))
    failing = {
        rule: [name for name in BY_TABLE if 2 * fitting(results[rule], name)[0] < len(BY_TABLE) - 1] for rule in RULES
    }
    lost = "; ".join(f"with empty={rule} {', '.join(names) or 'none'}" for rule, names in failing.items())
    return f"Among programs that are described, empty={better} fits better. Rows of which more than half fails: {lost}."


# --- programs --------------------------------------------------------------------------------------------------------
def column_findings(game: Game, games: int) -> list[Finding]:
    """Formula (1) as it is printed, played as MC."""
    cells, findings = published_cells(), []
    for other in ("S2", "S3", "MCC"):
        ours = meet(game, COLUMN, AGENTS[other], games)
        one = judge_cell(("MC", other), ours, cells["MC", other])
        note = f"{one.note}; formula (1) as printed {'loses' if ours.share < 0.5 else 'wins'}, formula (2) is what fits"
        what = f"MC by formula (1) against {other}"
        findings.append(Finding("formula (1)", what, one.published, one.ours, one.verdict, note))
    return findings


def remark_findings(results: Results) -> list[Finding]:
    """Table IX says that MCR2 rolls again with 4 dice left and MCR4 with 2."""
    both, cells, findings = complete(results), published_cells(), []
    for name, other, said, meant in (("MCR2", "MCR4", 4, 2), ("MCR4", "MCR2", 2, 4)):
        rivals = [x for x in AGENTS if x not in (name, other) and (name, x) in both]
        as_said = sum(fits(both[other, x], cells[name, x]) for x in rivals)
        as_meant = sum(fits(both[name, x], cells[name, x]) for x in rivals)
        verdict = REPRODUCED if as_said >= as_meant else PUBLISHED_IN_ERROR
        ours = f"at least {meant} left" if verdict == PUBLISHED_IN_ERROR else f"at least {said} left"
        note = f"of {len(rivals)} cells {as_meant} fit with at least {meant} dice left, {as_said} with at least {said}"
        findings.append(
            Finding(
                "Table IX", f"{name} rolls again", f"if {said} dice left", ours, verdict, f"{note}: remarks swapped"
            )
        )
    return findings


def same_finding(game: Game, games: int) -> Finding:
    """No value of formula (3) lies between 5 and 10 %, so MCP5 and MCP10 as described are one program."""
    between = [float(x) for x in risks() if 0.05 < x <= 0.1]
    below, above = (max(x for x in risks() if x <= 0.05), min(x for x in risks() if x > 0.05))
    ours, cell = meet(game, AGENTS["MCP5"], AGENTS["MCP10"], games), published_cells()["MCP5", "MCP10"]
    verdict = PUBLISHED_IN_ERROR if not between and not fits(ours, cell) else NOT_REPRODUCED
    note = (
        f"where a player may stop, formula (3) is at most {float(below):.2%} or at least {float(above):.2%}: "
        f"thresholds of 5 and 10 % make the same choices; z {z_of(ours, cell):+.1f}; {_alike()}"
    )
    return Finding("Table VI", "MCP5 against MCP10", f"{cell[0] / cell[1]:.2%}", share_text(ours), verdict, note)


def _alike() -> str:
    """How far the printed rows MCP5 and MCP50 agree with each other."""
    cells = published_cells()
    others = [name for name in AGENTS if name not in ("MCP5", "MCP50")]
    near = sum(abs(z_score(*cells["MCP5", x], *cells["MCP50", x])) <= CLOSE for x in others)
    return f"the printed rows MCP5 and MCP50 agree in {near} of {len(others)} cells"


# --- simulated and exact ---------------------------------------------------------------------------------------------
def sample_of(full: bool) -> tuple[list[tuple[str, str]], int]:
    """Pairs that are simulated as published, and how many matches of each."""
    if not full:
        return list(SAMPLE), SAMPLED
    growing = [name for name, p in PUBLISHED.items() if p.faces > S3 and name != SIMULATED]
    return [(name, other) for name in growing for other in ("s2", "s3")], SAMPLED_FULL


def exact_name(name: str) -> str:
    return "mc-exact" if name in ("mc100it", "mc1000it") else f"{name}{EXACT}"


def timed(game: Game, a: str, b: str, games: int) -> tuple[Counts, float]:
    """Matches with the processor time they took."""

    def work() -> list[float]:
        who = independent(game, (a, b))
        count(who, 0, 2)  # compiles
        began = time.process_time()
        counts = count(who, 0, games)
        return [*counts, time.process_time() - began]

    *counts, seconds = once("timed", game, [SEED, a, b, games], work)
    return Counts(*(int(x) for x in counts)), seconds


def agreement_table(full: bool, say: Progress) -> Table:
    """Simulated programs, as published, beside the same by exact expectation."""
    game, rows, total, spent, played = make(), [], 0.0, 0.0, 0
    pairs, games = sample_of(full)
    for a, b in pairs:
        say(f"simulated as published: {a} against {b}")
        ours, seconds = timed(game, a, b, games)
        exact = meet(game, exact_name(a), b, FULL)
        z = z_score(round(ours.points), ours.games, round(exact.points), exact.games)
        total, spent, played = total + z * z, spent + seconds, played + games
        rows.append((a, b, share_text(ours), share_text(exact), f"{z:+.1f}", f"{games / seconds:.0f}"))
    hours = all_hours(spent / played)
    note = (
        f"Both are samples. The squares of the {len(pairs)} z add up to {total:.1f}, where {len(pairs)} ± "
        f"{sqrt(2 * len(pairs)):.1f} is to be expected if simulated and exact tables play alike. All 190 pairs "
        f"simulated as published, 20,000 matches each, would take about {hours:.0f} hours of one core at this speed; "
        + ("this is a full run." if full else "a full run plays 32 pairs of 1,000 matches, not all.")
    )
    columns = ("simulated", "against", "simulated wins", "exact wins", "z", "simulated matches a second")
    return Table("Tables simulated as published and tables in exact expectation", columns, rows, note)


def all_hours(seconds: float) -> float:
    """Hours for the whole Table VIII if a player with 500 trees takes this many seconds a match."""
    weight = sum(p.trees / 500 for p in PUBLISHED.values() if p.faces > S3)
    return 19 * 20_000 * weight * seconds / 3600
