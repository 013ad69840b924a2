"""Adds games up at compiled speed: what a tally knows of a line-up, in one pass over its games."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hazard.background import soon
from hazard.jit import bind, leaf, rule

CODES = 4096  # kinds of deals that are told apart, at most
LONG = 4096  # decisions in a long game
COUNT, PAID, SQUARES, WINS, TIES = range(5)  # what is known of a place in a seat


class Sums(NamedTuple):
    """What is added to."""

    sums: np.ndarray  # of deals: games, payoffs, adjusted payoffs, points of pairs of places
    products: np.ndarray  # of every two of these
    by_seat: np.ndarray  # [place, seat, COUNT to TIES]
    beaten: np.ndarray  # [i, j]: games in which place i got more than place j


@leaf
def lucky(luck: Any, n: int, q: int) -> float:
    """What chance gave in column q of a game, if known; a last column that is not kept is what the others lost."""
    if q < luck.shape[0]:
        return luck[q, n]
    total = 0.0
    for other in range(luck.shape[0]):
        total -= luck[other, n]
    return total


@leaf
def add_game(
    turn: int, n: int, seated: bool, payoffs: Any, luck: Any, times: int, out: Any, paid: Any, row: Any
) -> None:
    """Add a game, the one numbered `turn` of its deal, to the row of the deal; and `times` over to seats and pairs."""
    seats = paid.size
    most, best = payoffs[0, n], 0
    for q in range(1, seats):
        most = max(most, payoffs[q, n])
    row[0] += 1.0
    for p in range(seats):
        seat = p + turn if p + turn < seats else p + turn - seats
        q = seat if seated else p
        paid[p] = payoffs[q, n]
        best += paid[p] == most
        row[1 + p] += paid[p]
        row[1 + seats + p] += paid[p] - lucky(luck, n, q)
    column = 1 + 2 * seats
    for p in range(seats):
        known = out.by_seat[p, p + turn if p + turn < seats else p + turn - seats]
        known[COUNT] += times
        known[PAID] += times * paid[p]
        known[SQUARES] += times * paid[p] * paid[p]
        if paid[p] == most:
            known[WINS if best == 1 else TIES] += times
        for other in range(p + 1, seats):
            won, lost = np.int64(paid[p] > paid[other]), np.int64(paid[p] < paid[other])
            out.beaten[p, other] += won * times
            out.beaten[other, p] += lost * times
            row[column] += 0.5 + 0.5 * (won - lost)
            column += 1


@rule
def add_deals(seated: bool, payoffs: Any, luck: Any, times: Any, out: Any, paid: Any, row: Any) -> None:
    """Add deals, the k-th of them times[k] over, or all once; columns are seats if `seated`, else places."""
    seats, games = payoffs.shape
    for start in range(0, games, seats):
        row[:] = 0.0
        often = times[start // seats] if times.size > 0 else 1
        for n in range(start, min(start + seats, games)):
            add_game(n - start, n, seated, payoffs, luck, often, out, paid, row)
        for i in range(row.size):
            out.sums[i] += often * row[i]
            for j in range(i + 1):
                out.products[i, j] += often * row[i] * row[j]


@leaf
def alike(kinds: Any, k: int, payoffs: Any, n: int) -> bool:
    """Whether game n paid like kind k; the first two seats are most often all."""
    last = min(1, payoffs.shape[0] - 1)
    same = (kinds[k, 0] == payoffs[0, n]) & (kinds[k, last] == payoffs[last, n])
    for p in range(2, payoffs.shape[0]):
        same = same & (kinds[k, p] == payoffs[p, n])
    return same


@rule
def sort_deals(payoffs: Any, kinds: Any, counts: Any) -> int:
    """Sort whole deals by what their games paid, into counts[code], whose digits are numbers of rows of `kinds`.

    Returns how many kinds of games there are, or -1 if `kinds` has no room for them.
    """
    seats, games = payoffs.shape
    most, known = kinds.shape[0], 0
    for start in range(0, games - games % seats, seats):
        code = 0
        for n in range(start, start + seats):
            # Most games end in one of two ways: guess which without branching.
            k: Any = np.int64(kinds[0, 0] != payoffs[0, n])
            if k >= known or not alike(kinds, k, payoffs, n):
                k = 0
                while k < known and not alike(kinds, k, payoffs, n):
                    k += 1
            if k == known:
                if known == most:
                    return -1
                for p in range(seats):
                    kinds[k, p] = payoffs[p, n]
                known += 1
            code = code * most + k
        counts[code] += 1
    return known


def _kernel(function: Callable) -> Callable:
    return soon(function, "tally", {}, partial(bind, function, "tally", {}, True))


def count(seated: bool, payoffs: np.ndarray, luck: np.ndarray | None, out: Sums) -> None:
    """Add games, the first of which begins a deal; luck has a column for each of payoffs, or for all but the last.

    Where games end in few ways, deals that ended alike are counted first and added up together.
    """
    turned, seats = np.ascontiguousarray(payoffs.T, np.float64), payoffs.shape[1]
    add = _kernel(add_deals)
    scratch = out, np.zeros(seats), np.zeros(len(out.sums))
    none, once = np.zeros((0, 0)), np.zeros(0, np.int64)
    if luck is not None:
        add(seated, turned, np.ascontiguousarray(luck.T, np.float64), once, *scratch)
    else:
        whole = len(payoffs) - len(payoffs) % seats
        found = _sorted(turned)
        if found is None:
            whole = 0
        else:
            add(seated, found[0], none, found[1], *scratch)
        add(seated, np.ascontiguousarray(turned[:, whole:]), none, once, *scratch)
    below = np.tril(out.products)
    out.products[:] = below + below.T - np.diag(np.diag(below))


@rule
def sort_lengths(lengths: Any, counts: Any) -> bool:
    """Count games by their length; False if one is too long for `counts`."""
    for n in range(lengths.size):
        if lengths[n] >= counts.size:
            return False
        counts[lengths[n]] += 1
    return True


def count_lengths(lengths: np.ndarray) -> dict[int, int]:
    """How many games have each length."""
    counts = np.zeros(LONG, np.int64)
    if not _kernel(sort_lengths)(np.ascontiguousarray(lengths, np.int32), counts):
        return dict(zip(*(a.tolist() for a in np.unique(lengths, return_counts=True)), strict=True))
    found = counts.nonzero()[0]
    return dict(zip(found.tolist(), counts[found].tolist(), strict=True))


def _sorted(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Every kind of whole deal once, and how often it came up; None if there are too many kinds."""
    seats = payoffs.shape[0]
    most = int(CODES ** (1 / seats))
    if most < 2:
        return None
    kinds, counts = np.zeros((most, seats)), np.zeros(most**seats, np.int64)
    if _kernel(sort_deals)(payoffs, kinds, counts) < 0:
        return None
    codes = counts.nonzero()[0]
    games = np.array(np.unravel_index(codes, (most,) * seats)).T.reshape(-1)
    return np.ascontiguousarray(kinds[games].T), counts[codes]
