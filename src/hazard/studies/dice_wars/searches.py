"""Beyond the paper: the agents that search, against all others at 2, 4 and 6 seats, and the weights they judge by.

They are too slow for every combination of a tournament. With two seats each meets every other agent; with more seats
each sits alone among quick agents of one kind. They play fewer games.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np

from hazard.studies.cache import once
from hazard.studies.dice_wars.beyond import contestants
from hazard.studies.dice_wars.games import Names, Played, make, play, seat_rows, seat_table, share_text
from hazard.studies.matches import SEED
from hazard.studies.report import Progress, Table

SEATS = (2, 4, 6)
GAMES = {2: 10, 4: 4, 6: 4}  # of a line-up in a quick run
TIMES = 10  # times as many in a full run
FITTED = ("sdc", "ste", "ste-corrected")  # whose games the weights are fitted to
FITS = {"two players": (2,), "four and six": (4, 6)}
OPENINGS = {2: 200, 4: 20, 6: 20}  # games of a line-up that openings are taken from in a quick run
MORE = 20  # times as many in a full run


def searching() -> list[str]:
    """The agents that search, which makes them slow."""
    return [name for name, agent in make(2).agents.items() if agent.slow]


# --- what they win ---------------------------------------------------------------------------------------------------
def line_ups(seats: int) -> list[Names]:
    """Each of them alone among quick agents of one kind; with two seats, also every two of them."""
    slow, quick = searching(), contestants()
    alone = [(one, *[other] * (seats - 1)) for one in slow for other in quick]
    return [*alone, *combinations(slow, 2)] if seats == 2 else alone


def visits(full: bool, say: Progress) -> dict[int, list[Played]]:
    """The games of all these line-ups."""
    played: dict[int, list[Played]] = {}
    for seats in SEATS:
        played[seats] = []
        for agents in line_ups(seats):
            say(f"{seats} players: {agents[0]} among {agents[1]}")
            played[seats].append(play(agents, GAMES[seats] * (TIMES if full else 1)))
    return played


def visit_table(played: dict[int, list[Played]]) -> Table:
    """What one of them wins among others of one kind."""
    rows, others = [], [*contestants(), *searching()]
    for seats, some in played.items():
        pairs = {p.agents[:2]: p for p in some}
        for one in searching():
            cells = [_cell(pairs.get((one, other)) or pairs.get((other, one)), one) for other in others]
            rows.append((seats, one, f"{1 / seats:.1%}", *cells))
    games = ", ".join(f"{some[0].games + some[0].cut:,} of {seats}" for seats, some in played.items() if some)
    note = f"What one of them wins in games of each line-up ({games}); in brackets 95 % intervals."
    heads = ("seats", "agent", "even", *(f"among {name}" for name in others))
    return Table("Agents that search, one among others of one kind", heads, rows, note)


def _cell(p: Played | None, name: str) -> str:
    """What an agent wins of some games, if there are any."""
    if p is None or not p.games:
        return ""
    return share_text(int(p.of(name)[:, 0].sum()), p.games, 0)


def seat_tables(played: dict[int, list[Played]]) -> list[Table]:
    """How their strength depends on the seat."""
    title, note = "Agents that search, won from each seat", "All line-ups of the table above."
    return [seat_table(title, seats, seat_rows(searching(), some, 0), note) for seats, some in played.items()]


# --- the weights they judge by ---------------------------------------------------------------------------------------
def fitted(kind: str, full: bool) -> tuple[list[float], int, float, float]:
    """The weights, how many openings they are fitted to, and the surprise at the winner without and with them."""
    weights, openings, before, after = once("share", make(2), [kind, full, SEED], lambda: _fit(kind, full), [__file__])
    return weights, openings, before, after


def _fit(kind: str, full: bool) -> list:
    """Fitted to games of one seed, judged on those of another."""
    from hazard.games.dice_wars.players.search_fit import fit, openings, surprise, together

    samples = []
    for seed in (SEED, SEED + 1):
        parts = []
        for seats in FITS[kind]:
            games = OPENINGS[seats] * (MORE if full else 1)
            ups = combinations_with_replacement(FITTED, seats)
            parts += [openings(make(seats), agents, games, seed) for agents in ups]
        samples.append(together(parts))
    weights = fit(samples[0])
    nothing = np.zeros_like(weights)
    return [weights.tolist(), len(samples[0].paid), surprise(samples[1], nothing), surprise(samples[1], weights)]


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
    note = "On games of another seed the weights lower the mean surprise at the winner (-log of its share). "
    return Table("What positions promise the agents that search", ("term", *heads), rows, note + "; ".join(notes) + ".")
