"""Table VIII played again: every pair of the twenty programs, and how far each cell is from what is published.

Programs that grow trees play by the exact expectation of their tables, which is what many simulations come to; only
MC100It, whose 100 trees are few, simulates. Everything played is cached, simulated games in parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from hazard.arena.statistics.intervals import wilson
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.matches import SEED, Counts, count, independent
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, Finding, Progress, published
from hazard.studies.scores import z_score

QUICK, FULL = 2_000, 20_000  # matches a pair; the paper has 20,000
PART = 500  # simulated matches that are cached together
CLOSE = 3.0  # standard errors of the difference
EXACT = "-exact"
SIMULATED = "mc100it"  # the only program of the table that is simulated here
AGENTS = {
    "S1": "s1", "S2": "s2", "S3": "s3", "MC": "mc-exact", "MC2": "mc2-exact", "MC3": "mc3-exact", "MC4": "mc4-exact",
    "MCP5": "mcp5-exact", "MCP10": "mcp10-exact", "MCP25": "mcp25-exact", "MCP50": "mcp50-exact",
    "MC100It": SIMULATED, "MC1000It": "mc-exact", "MCSF": "mcsf-exact", "MC4Pr10": "mc4pr10-exact",
    "MC4Pr100": "mc4pr100-exact", "MCR2": "mcr2-exact", "MCR4": "mcr4-exact", "MCC": "mcc-exact", "MC4C": "mc4c-exact",
}  # fmt: skip
READINGS = {
    "S1": "'a value at random' read as any face there is, each as likely; no reading that was tried fits",
    "MC3": "'try to exploit Failure Table' read as tiles met less dead ends",
    "MCSF": "'makes the sum of failures' read as the face with the most dead ends",
    "MC4Pr100": "a threshold of 100 % read as near the end only, 10 % before",
}
FIFTY = "mcp50-exact"  # what the row MCP5 looks like
Results = dict[tuple[str, str], Counts]  # of pairs of programs
RULES = ("turn", "keep")  # whether a failure with an empty stack turns a tile
RULE = "keep"  # the reading that fits Table VIII better


# --- playing ---------------------------------------------------------------------------------------------------------
def meet(game: Game, a: str, b: str, games: int) -> Counts:
    """The results of matches of two agents; those played before come from the cache."""
    part = PART if any(game.agents[name].slow for name in (a, b)) else games
    total = Counts(0, 0, 0, 0)
    for first in range(0, games, part):
        more = min(part, games - first)

        def work(first: int = first, more: int = more) -> Counts:
            return count(independent(game, (a, b)), first, more)

        total = total.plus(Counts(*once("match", game, [SEED, a, b, first, more], work)))
    return total


def play_pairs(game: Game, pairs: Sequence[tuple[str, str]], games: int, say: Progress) -> Results:
    """Matches of pairs of agents; both orders of a pair share theirs."""
    results: Results = {}
    for n, (a, b) in enumerate(pairs):
        say(f"matches: pair {n + 1} of {len(pairs)}, {a} against {b}")
        one, other = sorted((a, b))
        counts = meet(game, one, other, games)
        results[a, b] = counts if a == one else counts.turned()
    return results


def play_table(game: Game, agents: Mapping[str, str], games: int, say: Progress) -> Results:
    """Every pair of programs, by their published names; `agents` says who plays each."""
    pairs = list(combinations(agents, 2))
    results = play_pairs(game, sorted({(agents[a], agents[b]) for a, b in pairs}), games, say)
    return {(a, b): results[agents[a], agents[b]] for a, b in pairs}


# --- what is published -----------------------------------------------------------------------------------------------
def published_cells() -> dict[tuple[str, str], tuple[int, int]]:
    """Wins of the row's program and matches, both ways."""
    rows = published("pickomino_matches.csv")
    return {(r["row_agent"], r["column_agent"]): (int(r["wins_of_row"]), int(r["matches"])) for r in rows}


def z_of(ours: Counts, cell: tuple[int, int]) -> float:
    """How many standard errors of the difference our share is above the published one."""
    return z_score(round(ours.points), ours.games, *cell)


def fits(ours: Counts, cell: tuple[int, int]) -> bool:
    return abs(z_of(ours, cell)) <= CLOSE


# --- verdicts --------------------------------------------------------------------------------------------------------
class Fifty(NamedTuple):
    """The same cell with a threshold of 50 % in the place of MCP5: played by us, and as the row MCP50 prints it."""

    ours: Counts
    printed: tuple[int, int]

    def fits(self, cell: tuple[int, int]) -> bool:
        return fits(self.ours, cell) or abs(z_score(*self.printed, *cell)) <= CLOSE

    def __str__(self) -> str:
        return (
            f"at 50 % ours is {share_text(self.ours)}, and the row MCP50 prints {self.printed[0] / self.printed[1]:.2%}"
        )


def judge_cell(pair: tuple[str, str], ours: Counts, cell: tuple[int, int], fifty: Fifty | None = None) -> Finding:
    """One pair; cells of MCP5 come with what a threshold of 50 % gives."""
    z = z_of(ours, cell)
    verdict = REPRODUCED if abs(z) <= CLOSE else NOT_REPRODUCED
    notes = [f"z {z:+.1f}"]
    if fifty:
        notes.append(str(fifty))
        if verdict == NOT_REPRODUCED and fifty.fits(cell):
            verdict = PUBLISHED_IN_ERROR
            notes.append("the row MCP5 is that of a threshold of 50 %")
    if verdict == NOT_REPRODUCED:
        notes += [f"{name}: {READINGS[name]}" for name in pair if name in READINGS]
    shown = f"{cell[0]:,} of {cell[1]:,} ({cell[0] / cell[1]:.2%})"
    return Finding("Table VIII", f"{pair[0]} against {pair[1]}", shown, share_text(ours), verdict, "; ".join(notes))


def share_text(counts: Counts) -> str:
    """The share of points with its interval."""
    low, high = wilson(round(counts.points), counts.games)
    return f"{counts.share:.2%} of {counts.games:,} ({100 * low:.1f} to {100 * high:.1f})"


def table_findings(results: Results, fifty: Callable[[str], Counts]) -> list[Finding]:
    """Every pair judged; `fifty(other)` is what the program of 50 % makes of another."""
    cells = published_cells()
    return [judge_cell(pair, ours, cells[pair], at_fifty(pair, fifty)) for pair, ours in results.items()]


def at_fifty(pair: tuple[str, str], fifty: Callable[[str], Counts]) -> Fifty | None:
    """A cell of MCP5 with 50 % in its place; against MCP50 itself that is an even match."""
    if "MCP5" not in pair:
        return None
    other, cells = pair[pair[0] == "MCP5"], published_cells()
    ours, (wins, of) = fifty(other), cells.get(("MCP50", other), (10_000, 20_000))
    return Fifty(ours, (wins, of)) if pair[0] == "MCP5" else Fifty(ours.turned(), (of - wins, of))


def complete(results: Results) -> Results:
    """The same both ways."""
    return results | {(b, a): counts.turned() for (a, b), counts in results.items()}


def fitting(results: Results, program: str) -> tuple[int, int]:
    """How many cells of a program's row are within three standard errors, and of how many."""
    cells = published_cells()
    mine = [fits(ours, cells[pair]) for pair, ours in complete(results).items() if pair[0] == program]
    return sum(mine), len(mine)
