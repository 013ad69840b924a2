"""Beyond the paper: the agents that search, against all others at 2, 4 and 6 seats, and the weights they judge by.

They take too long for every combination of a tournament: each meets every other agent with two seats, sits alone among
quick ones of one kind with more, and plays fewer games.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import numpy as np

from hazard.arena.statistics.intervals import wilson
from hazard.studies.cache import once
from hazard.studies.dice_wars.beyond import contestants
from hazard.studies.dice_wars.games import SEED, Names, Played, make, play
from hazard.studies.report import Progress, Table

SEATS = (2, 4, 6)
GAMES = {2: 10, 4: 4, 6: 4}  # of a line-up in a quick run
TIMES = 10  # as many in a full one
FITTED = ("sdc", "ste", "ste-corrected")  # whose games the weights are fitted to
FITS = {"two players": (2,), "four and six": (4, 6)}
OPENINGS = {2: 200, 4: 20, 6: 20}  # games of a line-up that openings are taken from in a quick run
MORE = 20  # as many in a full one


def searching() -> list[str]:
    """The agents that take their time."""
    return [name for name, agent in make(2).agents.items() if agent.slow]


# --- what they win ---------------------------------------------------------------------------------------------------
def line_ups(seats: int) -> list[Names]:
    """Each of them alone among quick ones of one kind; with two seats, also every two of them."""
    slow, quick = searching(), contestants()
    found = [(one, *[other] * (seats - 1)) for one in slow for other in quick]
    return [*found, *combinations(slow, 2)] if seats == 2 else found


def visits(full: bool, say: Progress) -> dict[int, list[Played]]:
    """The games of all these line-ups."""
    found: dict[int, list[Played]] = {}
    for seats in SEATS:
        found[seats] = []
        for agents in line_ups(seats):
            say(f"{seats} players: {agents[0]} among {agents[1]}")
            found[seats].append(play(agents, GAMES[seats] * (TIMES if full else 1)))
    return found


def visit_table(played: dict[int, list[Played]]) -> Table:
    """What one of them wins among others of one kind."""
    rows, others = [], [*contestants(), *searching()]
    for seats, some in played.items():
        found = {p.agents[:2]: p for p in some}
        for one in searching():
            cells = [_cell(found.get((one, other)) or found.get((other, one)), one) for other in others]
            rows.append((seats, one, f"{1 / seats:.1%}", *cells))
    games = ", ".join(f"{some[0].games + some[0].cut:,} of {seats}" for seats, some in played.items() if some)
    note = f"What one of them wins in games of each line-up ({games}); in brackets 95 % intervals."
    heads = ("seats", "agent", "even", *(f"among {name}" for name in others))
    return Table("Agents that search, one among others of one kind", heads, rows, note)


def _cell(p: Played | None, name: str) -> str:
    """What an agent wins of some games, if there are any."""
    if p is None or not p.games:
        return ""
    low, high = wilson(won := int(p.of(name)[:, 0].sum()), p.games)
    return f"{won / p.games:.0%} ({low:.0%} to {high:.0%})"


def seat_rows(seats: int, played: Sequence[Played]) -> list[tuple[str, ...]]:
    """What each wins from every seat, over all line-ups in which it sits alone."""
    rows = []
    for name in searching():
        total = np.sum([p.of(name) for p in played if p.agents.count(name) == 1], axis=0)
        cells = []
        for seat in range(seats):
            won, games = int(total[seat, 0]), int(total[seat].sum())
            low, high = wilson(won, games)
            cells.append(f"{won / max(games, 1):.0%} ({low:.0%} to {high:.0%})")
        rows.append((name, *cells))
    return rows


def seat_tables(played: dict[int, list[Played]]) -> list[Table]:
    """How their strength depends on the seat."""
    return [
        Table(
            f"Agents that search, won from each seat, games of {seats}",
            ("agent", *(f"seat {n + 1}" for n in range(seats))),
            seat_rows(seats, some),
            "All line-ups of the table above.",
        )
        for seats, some in played.items()
    ]


# --- the weights they judge by ---------------------------------------------------------------------------------------
def fitted(kind: str, full: bool) -> tuple[list[float], int, float, float]:
    """Weights, the openings they are fitted to, and what the winner surprises by: without weights, and with them."""
    from hazard.fingerprint import code_digest

    weights, openings, before, after = once(
        "share", make(2), [kind, full, SEED, code_digest(Path(__file__))], lambda: _fit(kind, full)
    )
    return weights, openings, before, after


def _fit(kind: str, full: bool) -> list:
    """Fitted to games of one seed, judged on those of another."""
    from hazard.games.dice_wars.players.search_fit import fit, openings, surprise, together

    found = []
    for seed in (SEED, SEED + 1):
        parts = []
        for seats in FITS[kind]:
            games = OPENINGS[seats] * (MORE if full else 1)
            ups = combinations_with_replacement(FITTED, seats)
            parts += [openings(make(seats), agents, games, seed) for agents in ups]
        found.append(together(parts))
    weights = fit(found[0])
    nothing = np.zeros_like(weights)
    return [weights.tolist(), len(found[0].paid), surprise(found[1], nothing), surprise(found[1], weights)]


def share_table(full: bool, say: Progress) -> Table:
    """The weights fitted now, beside those that the agents play by."""
    from hazard.games.dice_wars.players.search import CROWD_SHARE, DUEL_SHARE, Prospect

    say("what positions promise")
    fits = [fitted(kind, full) for kind in FITS]
    used = (DUEL_SHARE, CROWD_SHARE)
    rows = [
        (name, *(f"{w[n]:+.2f}" for f, now in zip(fits, used, strict=True) for w in (f[0], now)))
        for n, name in enumerate(Prospect._fields)
    ]
    heads = [head for kind in FITS for head in (f"{kind}, fitted", f"{kind}, in use")]
    notes = [f"{kind}: {f[1]:,} openings, {f[2]:.3f} to {f[3]:.3f}" for kind, f in zip(FITS, fits, strict=True)]
    note = "On games of another seed, the mean surprise at the winner (-log of its share) falls by these weights. "
    return Table("What positions promise the agents that search", ("term", *heads), rows, note + "; ".join(notes) + ".")
