"""Solves small games of Pickomino for two between turns; each turn is gone through exactly.

Tiles that are turned down never come back, so positions are solved in layers by these. In each layer play is improved
turn by turn and evaluated until nothing changes (policy iteration), for values and then for turns left.

Bounds are proven as `hazard.solving.certify` says. Every game ends whatever both players do: all dice may show ones,
and enough failures in a row end the game; with empty=keep all dice may show worms until the centre is empty.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any, NamedTuple

import numpy as np

from hazard.games.pickomino.rules import FACES, LOWEST, TILE, Params, bought
from hazard.games.pickomino.solver.arrangements import CENTRE_AT, ENDS, OTHER_AT, Arrangements
from hazard.games.pickomino.turn.endings import Room, flow, make_room
from hazard.games.pickomino.turn.states import NEVER, Turns, centre_at, fail_at, steal_at, turn_value
from hazard.jit import large, rule
from hazard.rulebook import Game
from hazard.solving.certify import Certificate, certify

Say = Callable[[float], None]  # hears what part of the work is done, or how many positions are
VALUES, TURNS = range(2)  # the two tables
SMALL = (1e-14, 0.05)  # changes that do not matter: of values, and of turns left
NEAR = (0.0, 1e-6)  # what a turn left adds to a value: so the longest of all nearly best play is counted
FIRST_SWEEPS = 3  # of values alone, before there is a policy
MOST_SWEEPS = 10_000  # of an evaluation; it ends when nothing changes
MOST_ROUNDS = 1_000  # of improving play, which ends when nothing is gained; what is proven does not depend on it
AT_ONCE = 250  # positions that one thread works on in one call
DOUBLINGS = 24  # of the width of bounds


class Board(NamedTuple):
    """What is known; games that are over follow the arrangements."""

    keys: np.ndarray
    after: np.ndarray
    known: np.ndarray  # known[0, i]: the mover's chance of winning; known[1, i]: turns left


class Work(NamedTuple):
    """A thread's own arrays: its rows of turns are in the parameters."""

    chances: np.ndarray
    room: Room


# --- one turn --------------------------------------------------------------------------------------------------------
@rule
def worth(b: Board, j: int, scale: float) -> float:
    """What an ending is worth to the one whose turn it was: 1 less the other's value, and `scale` a turn left."""
    return 1.0 - b.known[VALUES, j] + scale * b.known[TURNS, j]


@large
def backup(g: Params, b: Board, i: int, scale: float) -> float:
    """What the turn of position i is worth; the values of its endings are put in row 0."""
    t, after, centre = g.scratch.turns, b.after[i], b.keys[i] >> CENTRE_AT
    row = t.rows[0]
    for score in range(t.scores):
        tile = bought(centre, score)
        row[centre_at(t, score)] = worth(b, after[tile], scale) if tile >= 0 else NEVER
        row[steal_at(t, score)] = NEVER
    stolen = LOWEST - 1 + ((b.keys[i] >> OTHER_AT) & TILE)
    if LOWEST <= stolen < t.scores:
        row[steal_at(t, stolen)] = worth(b, after[g.tiles], scale)
    row[fail_at(t)] = worth(b, after[g.tiles + 1], scale)
    t.known[0] = 0
    return turn_value(g.turn, t, 0)


@rule
def note_chances(t: Turns, centre: int, chances: Any, out: Any) -> None:
    """The chances of what follows, in the order of `after`."""
    out[:] = 0.0
    out[out.size - 1] = chances[fail_at(t)]
    for score in range(LOWEST, t.scores):
        out[out.size - 2] += chances[steal_at(t, score)]
        if chances[centre_at(t, score)] > 0.0:
            out[bought(centre, score)] += chances[centre_at(t, score)]


# --- many turns ------------------------------------------------------------------------------------------------------
@rule
def sweep(g: Params, b: Board, work: Work, some: Any, out: Any) -> None:
    """The values of some positions, from those of the positions after them."""
    for n in range(some.size):
        out[n] = backup(g, b, some[n], 0.0)


@rule
def improve(g: Params, b: Board, work: Work, some: Any, out: Any, what: int, near: float, small: float) -> int:
    """Where there is better play than the values in the table assume, put its chances in `out`; count how often."""
    t, found = g.scratch.turns, 0
    for n in range(some.size):
        value = backup(g, b, some[n], near)
        if what == TURNS:
            value = 1.0 + (value - b.known[VALUES, some[n]]) / near
        if abs(value - b.known[what, some[n]]) > small:
            flow(g.turn, t, 0, t.states - 1, True, 0.0, work.chances, work.room)
            note_chances(t, b.keys[some[n]] >> CENTRE_AT, work.chances, out[n])
            found += 1
    return found


@rule
def evaluate(b: Board, some: Any, chances: Any, what: int) -> float:
    """One sweep in place, under play that leads to the next positions with these chances; the greatest change."""
    most = 0.0
    for n in range(some.size):
        total = 1.0 if what == TURNS else 0.0
        for c in range(chances.shape[1]):
            if chances[n, c] > 0.0:
                other = b.known[what, b.after[some[n], c]]
                total += chances[n, c] * (other if what == TURNS else 1.0 - other)
        most = max(most, abs(total - b.known[what, some[n]]))
        b.known[what, some[n]] = total
    return most


@rule
def beyond(g: Params, b: Board, work: Work, some: Any, out: Any, d: float, eps: float) -> float:
    """How far one sweep, rounded outward, takes upper bounds up or lower bounds down; not positive: proven."""
    most = -1.0
    for i in some:
        value, width = b.known[VALUES, i], d * b.known[TURNS, i]
        most = max(most, backup(g, b, i, d) + eps - (value + width))
        most = max(most, (value - width) - (backup(g, b, i, -d) - eps))
    return most


def rounding(g: Params) -> float:
    """More than all rounding of one backup: the terms that rolls add up, whose chances are rounded too."""
    dice, terms = g.dice, 32
    for used in range(min(FACES, dice)):
        terms += int(g.turn.share_at[used, dice - used + 1] - g.turn.share_at[used, dice - used]) + 16
    return 1.1 * terms * 2.0**-53


class Solved(NamedTuple):
    """Every value is within its width of the truth."""

    values: np.ndarray
    widths: np.ndarray
    error: float  # no value is further from the truth
    sweeps: float  # turns gone through, for each arrangement


class Solver:
    """The tables of a game, and threads to work on them."""

    def __init__(self, game: Game, found: Arrangements, threads: int = 2) -> None:
        self.game, self.found = game, found
        known = np.zeros((2, found.size + len(ENDS)))
        known[VALUES] = 0.5
        known[VALUES, found.size :] = ENDS
        self.board = Board(found.keys, found.after, known)
        self.pool, self.mine = ThreadPoolExecutor(threads), local()
        self.backups = 0
        self.small = (
            max(SMALL[VALUES], rounding(game.g) / 10),
            SMALL[TURNS],
        )  # the proof allows for more

    def own(self) -> tuple[Params, Work]:
        """The parameters and arrays of this thread."""
        if not hasattr(self.mine, "own"):
            g = self.game.table
            self.mine.own = g, Work(np.zeros(g.scratch.turns.rows.shape[1]), make_room(g.dice))
        return self.mine.own

    def each(self, function: Callable, some: np.ndarray, out: np.ndarray, *arguments: Any) -> list[Any]:
        """Call a function on all threads, for parts of some positions and of their results."""
        run = self.game.compiled(function)
        self.backups += len(some)

        def part(n: int) -> Any:
            g, work = self.own()
            return run(g, self.board, work, some[n : n + AT_ONCE], out[n : n + AT_ONCE], *arguments)

        return list(self.pool.map(part, range(0, len(some), AT_ONCE)))

    def settle(self, layer: list[np.ndarray], say: Say) -> None:
        """Find the values of a layer, and turns left."""
        for _ in range(FIRST_SWEEPS):
            for level in layer:
                out = np.zeros(len(level))
                self.each(sweep, level, out)
                self.board.known[VALUES, level] = out
        some = np.concatenate(layer)
        chances = np.zeros((len(some), self.board.after.shape[1]))
        self.each(improve, some, chances, VALUES, 0.0, -1.0)  # all of them: there is no policy yet
        for what in (VALUES, TURNS):
            self.evaluate(some, chances, what)
            self.improve(some, chances, what, say)

    def improve(self, some: np.ndarray, chances: np.ndarray, what: int, say: Say) -> None:
        """Improve the play of a layer and evaluate it, until nothing is gained but rounding.

        After the first round only positions are looked at whose successors have changed.
        """
        known, small, look = self.board.known[what], self.small[what], np.arange(len(some))
        for _ in range(MOST_ROUNDS):
            found = chances[look]
            gained = sum(self.each(improve, some[look], found, what, NEAR[what], small))
            chances[look] = found
            say(len(some) - gained)
            if not gained:
                return
            before = known.copy()
            self.evaluate(some, chances, what)
            changed = np.abs(known - before) > small
            look = np.flatnonzero(changed[self.board.after[some]].any(axis=1))

    def evaluate(self, some: np.ndarray, chances: np.ndarray, what: int) -> None:
        """Evaluate the play of a layer; changes get smaller until rounding stops them."""
        run, before = self.game.compiled(evaluate), np.inf
        for _ in range(MOST_SWEEPS):
            change = run(self.board, some, chances, what)
            if change <= 1e-3 * SMALL[what] or (change < SMALL[what] and change >= before):
                break
            before = change

    def prove(self) -> Certificate:
        """The closest bounds, from twice the rounding upward, that can be proven."""
        every, eps = np.arange(self.found.size), rounding(self.game.g)
        values, turns = self.board.known[:, : self.found.size]

        def furthest(bounds: Certificate) -> float:
            self.backups += len(every)  # each position is backed up twice
            return max(self.each(beyond, every, every, bounds.slope, eps))

        kept = 2.0**-52  # bounds are rounded outward where they are kept
        proof = certify(values, turns, furthest, 2 * eps, doublings=DOUBLINGS, extra=0.0, rounding=kept)
        if proof is None:
            raise ArithmeticError(f"{self.game.describe()}: no bounds were proven up to d = {2 * eps * 2**DOUBLINGS:g}")
        return proof

    def solve(self, say: Say = lambda part: None) -> Solved:
        size, finished = self.found.size, 0

        def report(settled: float) -> None:
            say(0.8 * (finished + settled) / size)

        for layer in self.found.levels:
            self.settle(layer, report)
            finished += sum(map(len, layer))
            report(0)
        proof = self.prove()
        return Solved(self.board.known[VALUES, :size], proof.width(proof.weights), proof.error, self.backups / size)
