"""Beyond the paper: a tournament of all quick agents, strength by seat, and the threshold of 20 % swept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hazard.arena.statistics.intervals import wilson
from hazard.studies.dice_wars.games import Played, Share, make, mean_of, play, play_mixed
from hazard.studies.dice_wars.tables import FULL, QUICK
from hazard.studies.report import Progress, Table

SEATS = (2, 4, 6)
GAMES = {2: 2_000, 4: 200, 6: 60}  # of a line-up in a quick run
THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
MEETINGS = (("ste", 2), ("sdc", 2), ("ste", 6), ("sdc", 6))  # whom the swept player meets, in games of so many


def contestants() -> list[str]:
    """The agents that play quickly."""
    return [name for name, agent in make(2).agents.items() if not agent.slow]


# --- the tournament --------------------------------------------------------------------------------------------------
def tournament(full: bool, say: Progress) -> dict[int, list[Played]]:
    """Every combination of all quick agents, an agent in several places too, at 2, 4 and 6 seats."""
    times = 10 if full else 1
    return {seats: play_mixed(contestants(), seats, GAMES[seats] * times, say) for seats in SEATS}


def tournament_tables(played: dict[int, list[Played]]) -> list[Table]:
    return [pair_table(played[2]), standing_table(played), *(seat_table(seats, played[seats]) for seats in SEATS)]


def pair_table(played: Sequence[Played]) -> Table:
    """Who beats whom."""
    names, found = contestants(), {p.agents: p for p in played}
    rows = []
    for one in names:
        cells = []
        for other in names:
            p = found.get((one, other)) or found.get((other, one))
            cells.append(f"{p.wins(one).mean:.1%}" if p else "")
        rows.append((one, *cells))
    note = f"What the row's agent wins of {played[0].games:,} games; half a 95 % interval is at most "
    return Table(
        "Tournament with two seats",
        ("agent", *(f"against {n}" for n in names)),
        rows,
        note + f"{98 / played[0].games ** 0.5:.1f} points.",
    )


def standing_table(played: dict[int, list[Played]]) -> Table:
    """How an agent does over all line-ups it takes part in."""
    rows = []
    for seats, some in played.items():
        wins = {name: mean_of([p.wins(name) for p in some if name in p.agents]) for name in contestants()}
        for name in sorted(wins, key=lambda n: -wins[n].mean):
            rank = mean_of([p.rank(name) for p in some if name in p.agents])
            rows.append(
                (seats, name, f"{1 / seats:.1%}", wins[name].told(), f"{rank.mean:.2f} ± {1.96 * rank.error:.2f}")
            )
    note = (
        "Mean over all combinations of agents (with repetition) in which an agent takes part, for each of its places. "
        f"{sum(p.cut for some in played.values() for p in some)} games were cut by the limit of turns, and left out."
    )
    return Table("Tournament of all quick agents", ("seats", "agent", "even", "won", "mean rank"), rows, note)


def seat_table(seats: int, played: Sequence[Played]) -> Table:
    """How strength depends on the seat, in the tournament's games."""
    rows = []
    for name in contestants():
        total = np.sum([p.of(name) for p in played if name in p.agents], axis=0)
        cells = []
        for seat in range(seats):
            won, games = int(total[seat, 0]), int(total[seat].sum())
            low, high = wilson(won, games)
            cells.append(f"{won / games:.1%} ({low:.1%} to {high:.1%})")
        rows.append((name, *cells))
    title = f"Won from each seat, games of {seats}"
    return Table(title, ("agent", *(f"seat {n + 1}" for n in range(seats))), rows, "All games of the tournament.")


# --- the threshold ---------------------------------------------------------------------------------------------------
class Sweep(NamedTuple):
    """What one player wins against others of one kind, by the threshold it attacks from."""

    other: str
    players: int
    equation: list[Share]  # by Eq. 1
    corrected: list[Share]


def sweep(full: bool, say: Progress) -> list[Sweep]:
    from hazard.games.dice_wars.players.corrected import CROWD, DUEL

    games, found = FULL // 10 if full else QUICK, []
    for other, players in MEETINGS:
        curves = []
        for weights in ((), DUEL if players == 2 else CROWD):
            say(f"thresholds among {players - 1} {other}")
            agents = ("ste-corrected", *[other] * (players - 1))
            curves.append([play(agents, games, (t, *weights)).wins("ste-corrected") for t in THRESHOLDS])
        found.append(Sweep(other, players, *curves))
    return found


def sweep_table(found: Sequence[Sweep]) -> Table:
    """Every threshold against every field."""
    rows = []
    for n, threshold in enumerate(THRESHOLDS):
        cells = [f"{100 * x.mean:.1f} ± {196 * x.error:.1f}" for s in found for x in (s.equation[n], s.corrected[n])]
        rows.append((f"{threshold:.0%}", *cells))
    heads = [f"{'Eq. 1' if n == 0 else 'corrected'}, {s.players - 1} {s.other}" for s in found for n in (0, 1)]
    best = [THRESHOLDS[int(np.argmax([x.mean for x in s.equation]))] for s in found]
    against = ", ".join(f"{t:.0%} against {s.players - 1} {s.other}" for t, s in zip(best, found, strict=True))
    note = (
        f"Percent won; ± half a 95 % interval. The best of these thresholds for Eq. 1: {against}. The paper has 20 %."
    )
    return Table("The threshold of STE", ("threshold", *heads), rows, note)
