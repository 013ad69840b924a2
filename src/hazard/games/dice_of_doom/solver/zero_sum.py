"""A solve from its first sweep to its proof, with progress, and checkpoints to go on from after it was stopped."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np

from hazard.games.dice_of_doom.solver.bounds import LOOSE, NEAR, count_turns, find_values, no_turns, prove_with
from hazard.games.dice_of_doom.solver.checkpoint import Checkpoint
from hazard.games.dice_of_doom.solver.value_table import ValueTable
from hazard.solving.certify import Certificate, not_proven

MOST_SWEEPS = 5_000
MOST_COARSE = 150  # sweeps of values in 16 bits, which might be rounded to and fro for ever
FINER = 300  # how many times smaller than the tolerance changes must be before a proof is tried
FINEST = {8: 1e-14, 4: 2.5e-7, 2: 8e-6}  # changes below are rounding, by the bytes a value is kept in
SLACK = {8: 1e-14, 4: 1e-6, 2: 1.7e-5}  # what a turn must at least be given in a proof, by the same
ROUNDS = 3
NEAR_COARSE = 120  # the same as NEAR, where d is so great that more moves would be counted in than are nearly best
STEPS = 1000  # of the bar
KEPT = ("sweeps", "change", "sweeping", "counted", "rise", "near")  # in a checkpoint, beside the seconds spent


@dataclass
class ZeroSumRun:
    """What a solve has taken so far, and where that is kept in case it is stopped."""

    table: ValueTable
    tolerance: float
    checkpoint: Checkpoint
    progress: Any = None
    enough: float = 1.0  # changes that are small enough
    sweeps: int = 0
    change: float = 1.0  # in the last sweep
    counted: int = 0  # sweeps that counted turns left
    rise: float = 0.0  # of turns left, in the last of them
    near: float = 0.0  # what a move may cost to be counted in
    weights: np.ndarray | None = None  # turns left
    seconds: float = 0.0  # of earlier runs
    sweeping: float = 0.0  # of these and this one, seconds of sweeps
    began: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        return self.seconds + time.monotonic() - self.began

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        if not (found := self.checkpoint.read()) or not self.checkpoint.load("values", self.table.values):
            return
        for name in (*KEPT, "seconds"):
            setattr(self, name, found[name])
        if self.counted:
            self.weights = self._no_turns()
            self.checkpoint.load("turns", self.weights)

    def solve(self) -> Certificate:
        """Sweep and prove; where the proof gives less than asked for, sweep on more finely.

        If numbers are not fine enough for what is asked, what can be proven is still worth having.
        """
        self.resume()
        proof, finest = None, FINEST[self.table.values.itemsize]
        for n in range(ROUNDS):
            finer = self.tolerance / FINER / 10**n
            self.enough = finest if self.table.kind == np.uint16 else max(finer, finest)  # coarse: till nothing moves
            self._find_values()
            proof = self._prove()
            if proof is not None and (proof.error <= self.tolerance or self.enough == finest):
                return proof
        raise not_proven(self.tolerance, proof and proof.error, self.sweeps)

    def _find_values(self) -> None:
        most = MOST_COARSE if self.table.kind == np.uint16 else MOST_SWEEPS
        if self.change <= self.enough or self.sweeps >= most:
            return
        before, began = self.sweeping, time.monotonic()

        def say(_: str, number: int, change: float) -> None:
            self.sweeps, self.change, self.sweeping = number, change, before + time.monotonic() - began
            self._keep({"values": self.table.values})
            self._show(0.0, 0.7, change, self.enough)

        find_values(self.table, self.enough, most, say, done=self.sweeps)
        self.counted = 0
        self._keep({"values": self.table.values}, now=True)

    def _prove(self) -> Certificate | None:
        d = max(1.5 * self.change, SLACK[self.table.values.itemsize])
        near = d * (NEAR if self.table.kind != np.uint16 else NEAR_COARSE)
        if self.weights is None or self.near != near:
            self.weights, self.near, self.counted, self.rise = self._no_turns(), near, 0, 0.0

        def say(_: str, number: int, rise: float) -> None:
            self.counted, self.rise = number, rise
            self._keep({"turns": self.weights})
            self._show(0.7, 0.3, rise / 2, LOOSE / 2)

        counted = count_turns(self.table, self.weights, self.near, MOST_SWEEPS, say, self.counted, self.rise)
        return prove_with(self.table, self.weights, d, *counted)

    def _no_turns(self) -> np.ndarray:
        """Room for turns left: in memory, or in a file where memory ends."""
        if self.table.has_room_for_turns:
            return no_turns(self.table)
        return self.checkpoint.mapped("counting", self.table.values.shape, self.table.kinds.turns)

    def _keep(self, tables: dict[str, Any], now: bool = False) -> None:
        state = {name: getattr(self, name) for name in KEPT} | {"seconds": self.spent}
        self.checkpoint.keep(state, tables, now)

    def _show(self, begin: float, share: float, change: float, enough: float) -> None:
        """The bar moves with the digits that are known."""
        if self.progress:
            known = log(max(change, enough)) / log(enough) if change < 1 else 0.0
            self.progress(int(STEPS * (begin + share * min(known, 1.0))), STEPS)
