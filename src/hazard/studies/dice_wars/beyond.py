"""Beyond the paper: a tournament of all quick agents, strength by seat, and every threshold beside that of 20 %."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hazard.studies.dice_wars.games import Played, Share, make, mean_of, play, play_mixed, seat_rows, seat_table
from hazard.studies.dice_wars.tables import FULL, QUICK
from hazard.studies.report import Progress, Table

SEATS = (2, 4, 6)
GAMES = {2: 2_000, 4: 200, 6: 60}  # of a line-up in a quick run
THRESHOLDS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
MEETINGS = (("ste", 2), ("sdc", 2), ("ste", 6), ("sdc", 6))  # opponents of the player whose threshold changes, seats


def contestants() -> list[str]:
    """The agents that play quickly."""
    return [name for name, agent in make(2).agents.items() if not agent.slow]


# --- the tournament --------------------------------------------------------------------------------------------------
def tournament(full: bool, say: Progress) -> dict[int, list[Played]]:
    """Every combination of all quick agents, an agent in several places too, at 2, 4 and 6 seats."""
    times = 10 if full else 1
    return {seats: play_mixed(contestants(), seats, GAMES[seats] * times, say) for seats in SEATS}


def tournament_tables(played: dict[int, list[Played]]) -> list[Table]:
    names, note = contestants(), "All games of the tournament."
    by_seat = [seat_table("Won from each seat", seats, seat_rows(names, played[seats]), note) for seats in SEATS]
    return [pair_table(played[2]), standing_table(played), *by_seat]


def pair_table(played: Sequence[Played]) -> Table:
    """Who beats whom."""
    names, pairs = contestants(), {p.agents: p for p in played}
    rows = []
    for one in names:
        meetings = [pairs.get((one, other)) or pairs.get((other, one)) for other in names]
        rows.append((one, *(f"{p.wins(one).mean:.1%}" if p else "" for p in meetings)))
    games = played[0].games
    note = f"What the row's agent wins of {games:,} games; ± {98 / games**0.5:.1f} points or less (95 %)."
    return Table("Tournament with two seats", ("agent", *(f"against {n}" for n in names)), rows, note)


def standing_table(played: dict[int, list[Played]]) -> Table:
    """How an agent does over all line-ups it takes part in."""
    rows = []
    for seats, some in played.items():
        wins = {name: mean_of([p.wins(name) for p in some if name in p.agents]) for name in contestants()}
        for name in sorted(wins, key=lambda n: -wins[n].mean):
            rank = mean_of([p.rank(name) for p in some if name in p.agents])
            ranked = f"{rank.mean:.2f} ± {1.96 * rank.error:.2f}"
            rows.append((seats, name, f"{1 / seats:.1%}", wins[name].percent, ranked))
    note = (
        "Means over all combinations of agents (with repetition) in which an agent takes part, for each of its places. "
        f"{sum(p.cut for some in played.values() for p in some)} games reached the limit of turns and were left out."
    )
    return Table("Tournament of all quick agents", ("seats", "agent", "even", "won", "mean rank"), rows, note)


# --- the threshold ---------------------------------------------------------------------------------------------------
class Sweep(NamedTuple):
    """What one player wins against others of one kind, by the threshold it attacks from."""

    other: str
    players: int
    equation: list[Share]  # by Eq. 1
    corrected: list[Share]


def sweep(full: bool, say: Progress) -> list[Sweep]:
    from hazard.games.dice_wars.players.corrected import CROWD, DUEL

    games, sweeps = FULL // 10 if full else QUICK, []
    for other, players in MEETINGS:
        curves = []
        for weights in ((), DUEL if players == 2 else CROWD):
            say(f"thresholds among {players - 1} {other}")
            agents = ("ste-corrected", *[other] * (players - 1))
            curves.append([play(agents, games, (t, *weights)).wins("ste-corrected") for t in THRESHOLDS])
        sweeps.append(Sweep(other, players, *curves))
    return sweeps


def sweep_table(sweeps: Sequence[Sweep]) -> Table:
    """Every threshold in every meeting."""
    rows = []
    for n, threshold in enumerate(THRESHOLDS):
        cells = [f"{100 * x.mean:.1f} ± {196 * x.error:.1f}" for s in sweeps for x in (s.equation[n], s.corrected[n])]
        rows.append((f"{threshold:.0%}", *cells))
    heads = [f"{'Eq. 1' if n == 0 else 'corrected'}, {s.players - 1} {s.other}" for s in sweeps for n in (0, 1)]
    best = [THRESHOLDS[int(np.argmax([x.mean for x in s.equation]))] for s in sweeps]
    against = ", ".join(f"{t:.0%} against {s.players - 1} {s.other}" for t, s in zip(best, sweeps, strict=True))
    note = (
        f"Percent won; ± half a 95 % interval. The best of these thresholds for Eq. 1: {against}. The paper has 20 %."
    )
    return Table("The threshold of STE", ("threshold", *heads), rows, note)
