"""Turecek's tables played again: who wins, who wins from the second seat, and the 34.9 % of games of six."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import sqrt

from hazard.arena.statistics.intervals import wilson
from hazard.studies import scores
from hazard.studies.dice_wars.games import Names, Played, Share, mean_of, play
from hazard.studies.report import NOT_REPRODUCED, REPRODUCED, Finding, Progress, Table, published

QUICK, FULL = 2_000, 100_000  # games a pair
THEIRS = 10_000  # games of Table 1; we take the same for Table 2, where the paper does not say
SECOND = "won when starting second"
PUBLISHED = "34.9%"  # section 5
SIX = 6
PAIRS = (("naive", "sdc"), ("ste", "naive"), ("ste", "sdc"))
KINDS = ("naive", "sdc", "ste")


def rows() -> list[dict[str, str]]:
    return [row for row in published("dice_wars.csv") if row["players"] == "2"]


def limit() -> float:
    """The |z| that the largest of all differences may have."""
    return scores.limit(len(rows()))


def table_findings(full: bool, progress: Progress) -> list[Finding]:
    """Tables 1 and 2, every figure."""
    played = {}
    for pair in PAIRS:
        progress(f"{pair[0]} against {pair[1]}")
        played[frozenset(pair)] = play(pair, FULL if full else QUICK)
    return [judge(row, played[frozenset((row["agent"], row["opponents"]))]) for row in rows()]


def judge(row: dict[str, str], played: Played) -> Finding:
    """One published share beside ours."""
    agent, second = row["agent"], row["quantity"] == SECOND
    wins, games = int(played.of(agent)[:, 0].sum()), played.games
    if second:
        wins, games = played.won_from(agent, 1)
    share, theirs = float(row["value"].rstrip("%")) / 100, THEIRS // 2 if second else THEIRS
    z = scores.z_score(wins, games, round(share * theirs), theirs)
    low, high = wilson(wins, games)
    ours = f"{100 * wins / games:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    verdict = REPRODUCED if abs(z) <= limit() else NOT_REPRODUCED
    what = f"{agent} against {row['opponents']}, {row['quantity']}"
    cut = f"; {played.cut} more reached the limit of turns" if played.cut else ""
    return Finding(row["where"], what, row["value"], ours, verdict, f"z {z:+.1f}, {games:,} games{cut}")


# --- games of six ----------------------------------------------------------------------------------------------------
def sixes() -> dict[str, list[Names]]:
    """Ways to read `games against 5 opponents`: line-ups to take the mean of, STE first."""
    others = [("ste", *some) for some in combinations_with_replacement(KINDS, SIX - 1)]
    return {
        "one ste among five naive": [("ste", *["naive"] * 5)],
        "one ste among five sdc": [("ste", *["sdc"] * 5)],
        "one ste among five of naive and sdc": [a for a in others if a.count("ste") == 1],
        "one ste among five of all three, not all ste": [a for a in others if a.count("ste") < SIX],
        "one ste among five with both naive and sdc": [a for a in others if {"naive", "sdc"} <= set(a)],
    }


def six_shares(full: bool, progress: Progress) -> dict[str, tuple[Share, int]]:
    """For every reading the share of games that one STE wins, and the line-ups it is the mean of."""
    games = FULL // 10 if full else QUICK // 2
    shares = {}
    for name, line_ups in sixes().items():
        progress(f"games of six: {name}")
        shares[name] = mean_of([play(agents, games).wins("ste") for agents in line_ups]), len(line_ups)
    return shares


def six_finding(shares: dict[str, tuple[Share, int]]) -> Finding:
    """The 34.9 % beside the reading that comes nearest; the paper has 1,000 games a line-up."""
    theirs = float(PUBLISHED.rstrip("%")) / 100
    best = min(shares, key=lambda name: abs(shares[name][0].mean - theirs))
    z = _apart(shares[best][0], theirs, shares[best][1])
    verdict = REPRODUCED if abs(z) <= limit() else NOT_REPRODUCED
    note = f"{best}, the nearest of {len(shares)} readings; z {z:+.1f}; others: " + ", ".join(
        f"{share.mean:.1%} ({name})" for name, (share, _) in shares.items() if name != best
    )
    return Finding("section 5", "ste in games of six, won", PUBLISHED, shares[best][0].percent, verdict, note)


def _apart(ours: Share, theirs: float, line_ups: int) -> float:
    """Standard errors between us and them, with the paper's thousand games a line-up."""
    return (ours.mean - theirs) / sqrt(ours.error**2 + theirs * (1 - theirs) / (1_000 * line_ups))


def six_table(shares: dict[str, tuple[Share, int]]) -> Table:
    lines = [(name, n, share.percent) for name, (share, n) in shares.items()]
    note = "The paper does not say which line-ups its 34.9 % is the mean of. In brackets 95 % intervals."
    return Table("Games of six: what one STE wins", ("line-ups", "of them", "won"), lines, note)


# --- ranks -----------------------------------------------------------------------------------------------------------
def rank_table(kinds: Sequence[str], played: dict[int, list[Played]], title: str) -> Table:
    """Mean ranks by elimination, over the line-ups in which an agent takes part."""
    lines = []
    for players, some in played.items():
        ranks = [mean_of([p.rank(kind) for p in some if kind in p.agents]) for kind in kinds]
        lines.append((players, f"{(players + 1) / 2:.1f}", *(f"{r.mean:.3f} ± {1.96 * r.error:.3f}" for r in ranks)))
    note = "1 is the winner, then those who fell last; ± half a 95 % interval."
    return Table(title, ("players", "even", *kinds), lines, note)
