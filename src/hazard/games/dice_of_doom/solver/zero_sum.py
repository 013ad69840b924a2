"""A solve for opposite aims, from its first sweep to its proof. It keeps checkpoints, and can be resumed from them."""

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
MOST_COARSE = 150  # sweeps of values in 16 bits, for rounding might change them for ever
FINER = 300  # how many times smaller than the tolerance changes must be before a proof is tried
FINEST = {8: 1e-14, 4: 2.5e-7, 2: 8e-6}  # changes below are rounding, by the bytes a value is kept in
SLACK = {8: 1e-14, 4: 1e-6, 2: 1.7e-5}  # the least d of a proof, by the bytes a value is kept in
ROUNDS = 3  # of sweeping and proving, each ten times finer than the one before
NEAR_COARSE = 120  # NEAR for values in 16 bits: d is so great that too many moves would count as nearly best
STEPS = 1000  # of the progress bar
KEPT = ("sweeps", "change", "sweeping", "counted", "rise", "near")  # in a checkpoint, beside the seconds spent


@dataclass
class ZeroSumRun:
    """A solve: what it works on, and how far it is."""

    table: ValueTable
    tolerance: float
    checkpoint: Checkpoint
    progress: Any = None
    enough: float = 1.0  # changes that are small enough
    sweeps: int = 0
    change: float = 1.0  # in the last sweep
    counted: int = 0  # sweeps that counted turns left
    rise: float = 0.0  # of turns left, in the last of them
    near: float = 0.0  # a move that costs no more counts as nearly best
    weights: np.ndarray | None = None  # turns left
    seconds: float = 0.0  # that earlier runs took
    sweeping: float = 0.0  # seconds of all sweeps, those of earlier runs included
    began: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> float:
        return self.seconds + time.monotonic() - self.began

    def resume(self) -> None:
        """Go on from the checkpoint, if there is one."""
        if not (state := self.checkpoint.read()) or not self.checkpoint.load("values", self.table.values):
            return
        for name in (*KEPT, "seconds"):
            setattr(self, name, state[name])
        if self.counted:
            self.weights = self._no_turns()
            self.checkpoint.load("turns", self.weights)

    def solve(self) -> Certificate:
        """Sweep and prove; sweep on more finely if the proof does not reach the tolerance.

        If that is beyond the precision of the numbers, the best that can be proven is returned.
        """
        self.resume()
        proof, finest = None, FINEST[self.table.values.itemsize]
        for n in range(ROUNDS):
            finer = self.tolerance / FINER / 10**n
            self.enough = finest if self.table.kind == np.uint16 else max(finer, finest)  # 16 bits: until nothing moves
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
        """An array for turns left: in memory, or in a file if memory is too small."""
        if self.table.has_room_for_turns:
            return no_turns(self.table)
        return self.checkpoint.mapped("counting", self.table.values.shape, self.table.kinds.turns)

    def _keep(self, tables: dict[str, Any], now: bool = False) -> None:
        state = {name: getattr(self, name) for name in KEPT} | {"seconds": self.spent}
        self.checkpoint.keep(state, tables, now)

    def _show(self, begin: float, share: float, change: float, enough: float) -> None:
        """Move the progress bar with the digits that are known."""
        if self.progress:
            known = log(max(change, enough)) / log(enough) if change < 1 else 0.0
            self.progress(int(STEPS * (begin + share * min(known, 1.0))), STEPS)
