"""Solves Dice of Doom where new dice are those captured in the turn less one: values of equal and opposite aims.

Within a turn the dice captured so far count too, so that places where the turn may be ended are told apart by them;
values at the start of a turn are as always. They are proven as in `solver`: with w the turns left under play that is
best or nearly so, value + d w never rises in a sweep, and value - d w never falls.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver.profile_mixing import settle
from hazard.games.dice_of_doom.solver.profile_table import AGAINST, COUNTED, Board, Passed
from hazard.games.dice_of_doom.solver.profile_turns import Part
from hazard.games.dice_of_doom.solver.solution import keeping
from hazard.games.dice_of_doom.solver.table import EPS
from hazard.rulebook import Game

MOST_SWEEPS = 3_000
FINER = 300  # how many times smaller than the tolerance changes must be before a proof is tried
FINEST = 1e-14  # changes below are rounding
ATTEMPTS = 8
LONGER = 1.05  # turns left are taken for more than they are found to be
NEAR = 400  # times d: what a move may cost to be counted among the nearly best


class Proof(NamedTuple):
    """Every value is within d times its turns left."""

    d: float
    weights: np.ndarray
    sweeps: int

    @property
    def error(self) -> float:
        return self.d * float(self.weights.max()) + EPS


class Table:
    """The mover's values at the start of a turn: values[own mask, dice]."""

    def __init__(self, game: Game) -> None:
        self.board = Board(game)
        self.values = np.full((self.board.masks, self.board.size), 0.5)
        self.notes = np.zeros(self.board.held * self.board.size, np.uint8)  # moves, which nobody asks for

    def back_up(self, mask: int, part: Part, way: Passed = AGAINST, weights: np.ndarray | None = None) -> None:
        self.board.hand_over(mask, self.values, part, way, self.values if weights is None else weights)
        self.board.choose(mask, part, 0.0, self.board.blocks[mask].last, self.notes, way.eps)

    def sweep(self) -> None:
        for mask, _, (part, _) in self.board.visit():
            self.back_up(mask, part)
            self.values[mask] = part.starts

    def sweep_turns(self, weights: np.ndarray, near: float) -> None:
        """Back up how many turns are left."""
        for mask, _, (part, left) in self.board.visit():
            self.back_up(mask, part)
            self.board.hand_over(mask, weights, left, COUNTED)
            self.board.count_near(mask, near, part, left)
            weights[mask] = left.starts

    def beyond(self, weights: np.ndarray, d: float) -> float:
        """How far one sweep takes value + d w above itself and value - d w below; not positive: proven."""
        most = -np.inf
        for sign in (1.0, -1.0):
            way = Passed(1.0, -1.0, -sign * d, sign * EPS)
            for mask, _, (part, _) in self.board.visit():
                self.back_up(mask, part, way, weights)
                bound = self.values[mask] + sign * d * weights[mask]
                most = max(most, float((sign * (part.starts - bound)).max()) + EPS)
        return most

    def prove(self, d: float, say: Callable[[int], None]) -> Proof | None:
        """Bounds on all values; None if no d up to some hundred times the one given will do."""
        weights = np.zeros_like(self.values)
        sweeps, _ = settle(weights, lambda: self.sweep_turns(weights, NEAR * d), 0.02, MOST_SWEEPS, say, np.inf)
        weights *= LONGER
        weights += 1.0
        for _ in range(ATTEMPTS):
            sweeps += 2
            if self.beyond(weights, d) <= 0.0:
                return Proof(d, weights, sweeps)
            d *= 2
        return None


def find(game: Game, tolerance: float, say: Callable[[int], None]) -> tuple[Table, Proof, int]:
    """Sweep and prove; where the proof gives less than asked for, sweep on more finely."""
    table, finer, sweeps, proof = Table(game), tolerance / FINER, 0, None
    for _ in range(3):
        more, change = settle(table.values, table.sweep, max(finer, FINEST), MOST_SWEEPS, say, 1.0)
        sweeps += more
        proof = table.prove(max(3 * change, finer, FINEST), say)
        if proof is not None and proof.error <= tolerance:
            return table, proof, sweeps
        finer /= 30
    known = "nothing" if proof is None else f"{proof.error:.2g}"
    raise BadInput(f"--tolerance {tolerance:g}: {known} can be proven after {sweeps} sweeps; ask for no less")


def solve(game: Game, tolerance: float, folder: Path, progress: Any) -> None:
    """Solve a game without a limit of turns, prove its values, and keep them."""
    began = time.perf_counter()
    table, proof, sweeps = find(game, tolerance, lambda number: progress(number, 0) if progress else None)
    board, seconds = table.board, time.perf_counter() - began
    meta = {
        "objective": "zero-sum",
        "states": board.size * sum(1 + board.held_by(mask) for mask in board.all),
        "error": proof.error,
        "mean_error": float(proof.d * proof.weights.mean()),
        "sweeps": sweeps,
        "proof_sweeps": proof.sweeps,
        "seconds": time.perf_counter() - began,
        "boards_per_second": sweeps * board.masks * board.size / seconds,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }
    keep(folder, game, table, meta)


def keep(folder: Path, game: Game, table: Table, meta: dict[str, Any]) -> None:
    """Write all values, and their mean."""
    board, starts, later = table.board, 0.0, 0.0
    with keeping(folder, game, (1 + board.held, board.masks, board.size), meta) as (out, _):
        for mask, _, (part, _) in board.visit():
            table.back_up(mask, part)
            rows = part.here.reshape(board.held, -1)[: board.held_by(mask)]
            out[0, mask], out[1 : 1 + len(rows), mask] = part.starts, rows
            starts, later = starts + float(part.starts.sum()), later + float(rows.sum())
        meta |= {"mean": (starts + later) / meta["states"], "mean_first_attack": starts / (board.masks * board.size)}
