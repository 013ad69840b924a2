"""How good Eq. 1 is: what attacks promised against what came of them, and a correction that is right on average.

Attacks of one game are not independent, so errors are estimated between games. The correction is fitted to games of
even number and checked on those of odd number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from hazard.studies.cache import once
from hazard.studies.dice_wars.games import Names, make, play, share_error
from hazard.studies.dice_wars.tables import FULL, QUICK
from hazard.studies.matches import SEED
from hazard.studies.report import Progress, Table

BINS = 20
MANY = 100  # bins with fewer attacks than this are too small to judge
DUELS: tuple[Names, ...] = (("ste", "naive"), ("ste", "sdc"))
CROWDS: tuple[Names, ...] = (
    ("ste", "naive", "sdc"),
    ("ste", "naive", "sdc", "ste"),
    ("ste", "sdc", "naive", "ste", "sdc"),
    ("ste", "naive", "sdc", "ste", "naive", "sdc"),
)
LINE_UPS = {"two players": DUELS, "three to six players": CROWDS}
STEPS = 20  # of Newton's method: far more than it needs
RIVALS = (("ste", 2), ("sdc", 2), ("naive", 2), ("ste", 6), ("sdc", 6), ("naive", 6))


class Attacks(NamedTuple):
    """The attacks of STE."""

    game: np.ndarray  # numbers that tell games apart
    promise: np.ndarray  # a row of an Outlook for each
    won: np.ndarray
    held: np.ndarray

    def only(self, which: np.ndarray) -> Attacks:
        return Attacks(*(column[which] for column in self))

    @property
    def win(self) -> np.ndarray:
        return self.promise[:, 0]

    @property
    def equation(self) -> np.ndarray:
        """Eq. 1."""
        return self.promise[:, 0] * self.promise[:, 1]


def attacks_of(kind: str, full: bool) -> Attacks:
    """What STE attacked in games of some line-ups."""
    from hazard.games.dice_wars.players.estimates import GAME, HELD, PLACE, PROMISE, WON, attacks

    games, parts = FULL // 10 if full else QUICK // 2, []
    for n, agents in enumerate(LINE_UPS[kind]):
        log = attacks(make(len(agents)), agents, games, SEED)
        log = log[[agents[int(place)] == "ste" for place in log[:, PLACE]]]
        number = log[:, GAME].astype(np.int64) + n * games
        parts.append(Attacks(number, log[:, PROMISE:].astype(np.float64), log[:, WON], log[:, HELD]))
    return Attacks(*(np.concatenate(some) for some in zip(*parts, strict=True)))


# --- what is promised, and what is held ------------------------------------------------------------------------------
class Bin(NamedTuple):
    """Attacks with about the same estimate."""

    attacks: int
    promised: float  # the mean of their estimates
    held: float  # the share that was taken and held
    error: float  # of that share, between games


def bins_of(attacks: Attacks, estimates: np.ndarray) -> list[Bin]:
    """Attacks by their estimates; bins with fewer than two are left out."""
    which_bin = np.minimum((estimates * BINS).astype(np.int64), BINS - 1)
    _, game = np.unique(attacks.game, return_inverse=True)
    bins = []
    for n in range(BINS):
        which = which_bin == n
        if (count := int(which.sum())) > 1:
            share = float(attacks.held[which].mean())
            off = np.bincount(game[which], attacks.held[which] - share)
            error = max(float(np.sqrt((off**2).sum())) / count, share_error(share, count))
            bins.append(Bin(count, float(estimates[which].mean()), share, error))
    return bins


def distance(bins: Sequence[Bin]) -> float:
    """The mean distance of promised and held over all attacks (the expected calibration error)."""
    return sum(abs(b.promised - b.held) * b.attacks for b in bins) / sum(b.attacks for b in bins)


# --- the correction --------------------------------------------------------------------------------------------------
def terms(attacks: Attacks) -> np.ndarray:
    """What the correction weighs, a row for each attack; see `hazard.games.dice_wars.players.corrected`."""
    from hazard.games.dice_wars.players.corrected import NEAR

    hold = attacks.promise[:, 1]
    logit = np.log((hold + NEAR) / (1 - hold + NEAR))
    return np.column_stack([np.ones(len(hold)), logit, attacks.promise[:, 2:]])


def fit(attacks: Attacks) -> np.ndarray:
    """The most likely weights, by logistic regression: whether what was taken was also held."""
    taken = attacks.only(attacks.won > 0)
    x = terms(taken)
    varies = np.flatnonzero((np.ptp(x, axis=0) > 0) | (np.arange(x.shape[1]) == 0))  # in a duel rivals never change
    weights, x = np.zeros(x.shape[1]), x[:, varies]
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-x @ weights[varies]))
        curve = (x * (chance * (1 - chance))[:, None]).T @ x
        weights[varies] += np.linalg.solve(curve, x.T @ (taken.held - chance))
    return weights


def correct(attacks: Attacks, weights: np.ndarray) -> np.ndarray:
    """The corrected chance to take and hold."""
    return attacks.win / (1 + np.exp(-terms(attacks) @ weights))


class Calibration(NamedTuple):
    """Eq. 1 in games of one kind, and its correction, both on games that were not used to fit it."""

    kind: str
    attacks: int
    weights: list[float]
    equation: list[Bin]  # over all games
    raw: list[Bin]  # over the games kept for the check
    corrected: list[Bin]
    squares: tuple[float, float]  # mean squared error of Eq. 1 and of the correction there


def calibrate(kind: str, full: bool) -> Calibration:
    """All that is said of one kind of games, from the cache if possible."""
    work, details = partial(_calibrate, kind, full), [kind, full, SEED]
    kind, count, weights, *tables, squares = once("calibration", make(2), details, work, [__file__])
    equation, raw, corrected = ([Bin(*b) for b in table] for table in tables)
    return Calibration(kind, count, weights, equation, raw, corrected, (squares[0], squares[1]))


def _calibrate(kind: str, full: bool) -> Calibration:
    every = attacks_of(kind, full)
    weights = fit(every.only(every.game % 2 == 0))
    check = every.only(every.game % 2 == 1)
    raw, better = check.equation, correct(check, weights)
    squares = float(np.mean((raw - check.held) ** 2)), float(np.mean((better - check.held) ** 2))
    return Calibration(
        kind,
        len(every.game),
        weights.tolist(),
        bins_of(every, every.equation),
        bins_of(check, raw),
        bins_of(check, better),
        squares,
    )


# --- tables ----------------------------------------------------------------------------------------------------------
def calibration_table(calibrations: Sequence[Calibration]) -> Table:
    rows = []
    for c in calibrations:
        for name, table, square in (("Eq. 1", c.raw, c.squares[0]), ("corrected", c.corrected, c.squares[1])):
            worst = max(abs(b.promised - b.held) for b in table if b.attacks >= MANY)
            figures = f"{distance(table):.4f}", f"{worst:.3f}", f"{square:.4f}"
            rows.append((c.kind, name, f"{sum(b.attacks for b in table):,}", *figures))
    columns = ("games", "estimate", "attacks", "mean distance", "greatest distance", "mean squared error")
    note = (
        "Distances between what was promised and what was held, in bins of 5 % (the greatest among bins of 100 attacks "
        "or more), on games of odd number. The correction was fitted to games of even number."
    )
    return Table("The hold estimate and its correction", columns, rows, note)


def weights_table(calibrations: Sequence[Calibration]) -> Table:
    from hazard.games.dice_wars.players.corrected import CROWD, DUEL, TERMS

    shipped = (DUEL, CROWD)
    rows = [
        (term, *(f"{c.weights[n]:+.3f} ({shipped[k][n]:+.3f})" for k, c in enumerate(calibrations)))
        for n, term in enumerate(TERMS)
    ]
    note = "The logit of the corrected chance to hold is the sum; in brackets the weights that `ste-corrected` ships."
    return Table("Weights of the correction", ("term", *(c.kind for c in calibrations)), rows, note)


def gain_table(full: bool, say: Progress) -> Table:
    """What STE gains from the corrected estimate."""
    games, rows = FULL // 5 if full else QUICK, []
    for other, players in RIVALS:
        say(f"ste-corrected among {players - 1} {other}")
        rest = [other] * (players - 1)
        before, after = (play((agent, *rest), games).wins(agent) for agent in ("ste", "ste-corrected"))
        if other == "ste":
            before = before._replace(mean=1 / players, error=0.0)
        rows.append((players, other, f"{before.mean:.1%}", after.percent, f"{100 * (after.mean - before.mean):+.1f}"))
    note = f"{games:,} games each, one against others of one kind; ste among ste wins an even share."
    columns = ("players", "against", "ste", "ste-corrected", "gain in points")
    return Table("What STE gains from a calibrated estimate", columns, rows, note)
