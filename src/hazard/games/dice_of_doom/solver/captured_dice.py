"""Solves Dice of Doom where new dice are those captured in the turn less one, for opposite aims.

Within a turn the dice captured so far count too: they are part of a place where the turn may be ended. Values at the
start of a turn are as always. `ValueTable` cannot hold them: in its rows all outcomes of an attack lie
side by side, while here each leads to an array of its own. So blocks are backed up as for a policy.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hazard.games.dice_of_doom.solver.block_backup import Backup, EndOfTurn
from hazard.games.dice_of_doom.solver.policy_blocks import (
    MOST_SWEEPS,
    ONE_MORE,
    OPPOSITE,
    PolicyBlocks,
    bound_of,
    excess,
)
from hazard.games.dice_of_doom.solver.solution import effort, keeping
from hazard.games.dice_of_doom.solver.value_table import EPS
from hazard.rulebook import Game
from hazard.solving.certify import Certificate, not_proven
from hazard.solving.mixing import converge
from hazard.solving.solution import Progress

FINER = 300  # how many times smaller than the tolerance changes must be before a proof is tried
FINEST = 1e-14  # changes below are rounding
NEAR = 400  # times d: what a move may cost to be counted among the nearly best


class CapturedValues:
    """The mover's values at the start of a turn: values[own mask, dice]."""

    def __init__(self, game: Game) -> None:
        self.board = PolicyBlocks(game)
        self.values = np.full((self.board.masks, self.board.size), 0.5)
        self.notes = np.zeros(self.board.held * self.board.size, np.uint8)  # moves, which are not used

    def back_up(
        self,
        mask: int,
        part: Backup,
        way: EndOfTurn = OPPOSITE,
        weights: np.ndarray | None = None,
        eps: float = 0.0,
    ) -> None:
        self.board.hand_over(mask, self.values, part, way, weights, eps)
        self.board.choose(mask, part, 0.0, self.board.blocks[mask].last, self.notes, eps)

    def sweep(self) -> None:
        for mask, (part, _) in self.board.visit():
            self.back_up(mask, part)
            self.values[mask] = part.starts

    def sweep_turns(self, weights: np.ndarray, near: float) -> None:
        """Back up how many turns are left."""
        for mask, (part, left) in self.board.visit():
            self.back_up(mask, part)
            self.board.hand_over(mask, weights, left, ONE_MORE)
            self.board.count_near(mask, near, part, left)
            weights[mask] = left.starts

    def beyond(self, bounds: Certificate) -> float:
        """How far one sweep takes upper bounds up or lower bounds down; not positive: proven."""
        beyond = []
        for sign in (1.0, -1.0):
            way = OPPOSITE._replace(scale=-sign * bounds.slope, shift=-sign * bounds.base)
            for mask, (part, _) in self.board.visit():
                self.back_up(mask, part, way, bounds.weights, sign * EPS)
                beyond.append(excess(part.starts, bound_of(self.values, bounds, mask, sign), sign))
        return float(np.max(beyond))

    def prove(self, d: float, say: Callable[[int], None]) -> Certificate | None:
        def count(weights: np.ndarray) -> None:
            self.sweep_turns(weights, NEAR * d)

        return self.board.prove(self.values, count, self.beyond, d, say)


def find(game: Game, tolerance: float, say: Callable[[int], None]) -> tuple[CapturedValues, Certificate, int]:
    """Sweep and prove; where the proof gives less than the tolerance, sweep on more finely."""
    table, finer, sweeps, proof = CapturedValues(game), tolerance / FINER, 0, None
    for _ in range(3):
        more, change = converge(table.values, table.sweep, max(finer, FINEST), MOST_SWEEPS, say, 1.0)
        sweeps += more
        proof = table.prove(max(3 * change, finer, FINEST), say)
        if proof is not None and proof.error <= tolerance:
            return table, proof, sweeps
        finer /= 30
    raise not_proven(tolerance, proof and proof.error, sweeps)


def solve(game: Game, tolerance: float, folder: Path, progress: Progress | None) -> None:
    """Solve a game without a limit of turns, prove its values, and keep them."""
    began = time.perf_counter()
    table, proof, sweeps = find(game, tolerance, lambda number: progress(number, 0) if progress else None)
    board, seconds = table.board, time.perf_counter() - began
    meta = {
        "objective": "zero-sum",
        "states": board.size * sum(1 + board.held_by(mask) for mask in board.all),
        "error": proof.error,
        "mean_error": proof.mean_error,
        **effort(sweeps, proof.sweeps, seconds, sweeps * board.masks * board.size / seconds),
    }
    starts, later = 0.0, 0.0
    with keeping(folder, game, (1 + board.held, board.masks, board.size), meta) as (out, _):
        for mask, (part, _) in board.visit():
            table.back_up(mask, part)
            rows = part.here.reshape(board.held, -1)[: board.held_by(mask)]
            out[0, mask], out[1 : 1 + len(rows), mask] = part.starts, rows
            starts, later = starts + float(part.starts.sum()), later + float(rows.sum())
        meta |= {"mean": (starts + later) / meta["states"], "mean_first_attack": starts / (board.masks * board.size)}
