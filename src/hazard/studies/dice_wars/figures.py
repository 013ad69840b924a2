"""The figures of Turecek's paper with intervals: the first seat, all combinations of players, and the hold estimate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hazard.arena.statistics.intervals import Z95
from hazard.drawing.plots import plot, save
from hazard.studies.dice_wars.beyond import THRESHOLDS, Sweep
from hazard.studies.dice_wars.calibration import Bin, Calibration
from hazard.studies.dice_wars.games import Played, Share, mean_of, play, play_mixed, share_error
from hazard.studies.dice_wars.tables import FULL, KINDS, QUICK
from hazard.studies.drawing import BLUE, GREEN, RED
from hazard.studies.report import Figure, Progress, Table

COLOURS = {"naive": RED, "sdc": BLUE, "ste": GREEN}
EACH = (1_000, 10_000)  # games of a combination, quick and full
COUNTS = range(2, 9)  # players of Figure 4


# --- what is played --------------------------------------------------------------------------------------------------
def first_seat(full: bool, say: Progress) -> dict[int, Share]:
    """Figure 4: the share of games that the first of some naive players wins."""
    shares = {}
    for players in COUNTS:
        say(f"the first seat among {players}")
        counts = play(("naive",) * players, FULL if full else QUICK).counts.sum(axis=0)
        won, games = int(counts[0, 0]), int(counts[0].sum())
        shares[players] = Share(won / games, share_error(won / games, games))
    return shares


def combinations(kinds: Sequence[str], most: int, full: bool, say: Progress) -> dict[int, list[Played]]:
    """Figures 5 and 6: every combination of some kinds, from three players on; the paper has 1,000 games each."""
    return {players: play_mixed(kinds, players, EACH[full], say) for players in range(3, most + 1)}


def won_by(kind: str, played: Sequence[Played]) -> Share:
    """What each place of a kind wins, over the line-ups that it takes part in."""
    return mean_of([p.wins(kind) for p in played if kind in p.agents])


# --- tables ----------------------------------------------------------------------------------------------------------
def first_table(shares: dict[int, Share]) -> Table:
    rows = [(n, f"{1 / n:.1%}", share.percent, f"{share.mean * n:.2f}") for n, share in shares.items()]
    note = "Naive players only. The last column is the share as a multiple of an even one."
    return Table("Figure 4: games won by the first player", ("players", "even", "won", "times even"), rows, note)


def combination_table(title: str, kinds: Sequence[str], played: dict[int, list[Played]]) -> Table:
    rows = [
        (n, len(some), f"{1 / n:.1%}", *(won_by(kind, some).percent for kind in kinds)) for n, some in played.items()
    ]
    note = (
        "Every combination in which two kinds or more take part, equally weighted; what each place of a kind wins. "
        f"{next(iter(played.values()))[0].games:,} games a line-up, turn order at random; in brackets 95 % intervals. "
        f"{sum(p.cut for some in played.values() for p in some)} games reached the limit of turns and were left out."
    )
    return Table(title, ("players", "line-ups", "even", *kinds), rows, note)


def hold_table(calibrations: Sequence[Calibration]) -> Table:
    """Figure 7 in numbers."""
    columns = ("games", "promised", "attacks", "held", "95 %")
    rows = []
    for c in calibrations:
        for b in c.equation:
            low, high = Share(b.held, b.error).interval
            rows.append((c.kind, f"{b.promised:.1%}", f"{b.attacks:,}", f"{b.held:.1%}", f"{low:.1%} to {high:.1%}"))
    note = "Attacks of STE in bins of 5 % of Eq. 1; intervals from game to game."
    return Table("Figure 7: what Eq. 1 promises, and what is held", columns, rows, note)


# --- pictures --------------------------------------------------------------------------------------------------------
def _even_share(axes: Any, players: Sequence[int]) -> None:
    axes.plot(players, [1 / n for n in players], color="grey", linestyle="--", label="even share")
    axes.set_xlabel("players")
    axes.legend()


def draw_first(shares: dict[int, Share], path: Path) -> None:
    figure, axes = plot(6.5, 4.2)
    _errors(axes, list(shares), list(shares.values()), COLOURS["naive"], "first player")
    axes.set_ylabel("games won")
    _even_share(axes, list(shares))
    save(figure, path)


def draw_combinations(kinds: Sequence[str], played: dict[int, list[Played]], path: Path) -> None:
    figure, axes = plot(6.5, 4.2)
    for kind in kinds:
        _errors(axes, list(played), [won_by(kind, some) for some in played.values()], COLOURS[kind], kind)
    axes.set_ylabel("games won by each")
    axes.set_xticks(list(played))
    _even_share(axes, list(played))
    save(figure, path)


def draw_hold(calibrations: Sequence[Calibration], path: Path) -> None:
    """Eq. 1 on the left, as in Figure 7; on the right the correction, on games it was not fitted to."""
    figure, (left, right) = plot(10.5, 4.8, 1, 2)
    for axes, title in ((left, "Eq. 1"), (right, "corrected")):
        axes.plot([0, 1], [0, 1], color="grey", linestyle="--", label="ideal")
        for c, colour, mark in zip(calibrations, (BLUE, RED), "os", strict=True):
            _reliable(axes, c.equation if axes is left else c.corrected, colour, mark, c.kind)
        axes.set_title(title)
        axes.set_xlabel("promised")
        axes.set_ylabel("taken and held")
    left.legend()
    save(figure, path)


def _reliable(axes: Any, bins: Sequence[Bin], colour: str, mark: str, label: str) -> None:
    promised, held, bars = [b.promised for b in bins], [b.held for b in bins], [Z95 * b.error for b in bins]
    axes.errorbar(promised, held, bars, fmt=f"{mark}-", color=colour, markersize=4, capsize=2, label=label)


def draw_sweep(sweeps: Sequence[Sweep], path: Path) -> None:
    figure, all_axes = plot(15, 4.4, 1, len(sweeps))
    for axes, s in zip(all_axes, sweeps, strict=True):
        for shares, colour, label in ((s.equation, BLUE, "Eq. 1"), (s.corrected, RED, "corrected")):
            _errors(axes, list(THRESHOLDS), shares, colour, label)
        axes.axvline(0.2, color="grey", linestyle=":", linewidth=1)
        axes.axhline(1 / s.players, color="grey", linestyle="--", linewidth=1)
        axes.set_title(f"against {s.players - 1} {s.other}")
        axes.set_xlabel("threshold")
        axes.set_ylabel("games won")
    all_axes[0].legend()
    save(figure, path)


def _errors(axes: Any, x: Sequence[float], shares: Sequence[Share], colour: str, label: str) -> None:
    bars = [Z95 * s.error for s in shares]
    axes.errorbar(x, [s.mean for s in shares], bars, fmt="o-", color=colour, markersize=4, capsize=3, label=label)


def figures(
    first: dict[int, Share],
    pairs: dict[int, list[Played]],
    threes: dict[int, list[Played]],
    holds: Sequence[Calibration],
    sweeps: Sequence[Sweep],
) -> list[Figure]:
    bars = "Bars are 95 % intervals."
    return [
        Figure(
            "dice-wars-first.svg",
            "Figure 4: the first player's share",
            f"Naive players only. {bars}",
            partial(draw_first, first),
        ),
        Figure(
            "dice-wars-two-kinds.svg",
            "Figure 5: naive and SDC, three to eight players",
            f"What each place wins, over every combination of the two. {bars}",
            partial(draw_combinations, KINDS[:2], pairs),
        ),
        Figure(
            "dice-wars-three-kinds.svg",
            "Figure 6: naive, SDC and STE, three to six players",
            f"What each place wins, over every combination of the three. {bars}",
            partial(draw_combinations, KINDS, threes),
        ),
        Figure(
            "dice-wars-hold.svg",
            "Figure 7: the hold estimate, and the same corrected",
            f"What STE's attacks promised, in bins of 5 %, and how many were won and held until its next turn. {bars}",
            partial(draw_hold, holds),
        ),
        Figure(
            "dice-wars-threshold.svg",
            "The threshold of STE",
            f"Games won by one among others of one kind; dashed an even share, dotted the paper's 20 %. {bars}",
            partial(draw_sweep, sweeps),
        ),
    ]
