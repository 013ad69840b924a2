"""One line of the table, and how both sides of it are timed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Sample = tuple[float, Any]  # a figure and whatever else came of the run


@dataclass(frozen=True)
class Row:
    """Two figures and how many times better ours is; a ratio below 1 means the rival is better."""

    name: str
    against: str
    ours: float
    rival: float
    unit: str  # "/s", the more the better; others, such as "s", the less the better
    goal: float | None  # the least ratio aimed at; None where the row is there for comparison
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def ratio(self) -> float:
        return self.ours / self.rival if self.unit == "/s" else self.rival / self.ours

    @property
    def met(self) -> bool | None:
        return None if self.goal is None else self.ratio >= self.goal


def timed(run: Callable[[], Any]) -> Sample:
    """The processor seconds a call took, and what it returned; all sides use one thread."""
    began = time.process_time()
    result = run()
    return time.process_time() - began, result


def plainly(run: Callable[[], Sample]) -> Sample:
    """The same by the same code, not compiled."""
    os.environ["HAZARD_JIT"] = "0"
    try:
        return run()
    finally:
        del os.environ["HAZARD_JIT"]


def race(*sides: Callable[[], Sample], repeats: int, most: bool = False) -> list[Sample]:
    """The best sample of each side; sides take turns, so that a busy spell of the machine hits all of them."""
    samples: list[list[Sample]] = [[] for _ in sides]
    for _ in range(repeats):
        for side, found in zip(sides, samples, strict=True):
            found.append(side())
    return [(max if most else min)(found, key=lambda sample: sample[0]) for found in samples]
