"""Small networks as they are trained: sparse inputs, rectified layers, and a softmax for chances that add up to 1.

A network is a list of arrays: for each layer a matrix and its offsets. `Learner` fits one to targets with Adam, and
keeps a running mean of the weights, which plays better than the weights of any step. This is numpy, since a batch is a
few products of matrices; agents value one position at a time, with `kernel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

Layers = list[np.ndarray]
STEADY, SCALE, TINY = 0.9, 0.999, 1e-8  # Adam's memory of gradients and of their squares; keeps it from dividing by 0
LAST = 0.1  # how much smaller the weights of the last layer begin, so that all chances begin nearly equal


def fresh(sizes: Sequence[int], on: int, rng: np.random.Generator) -> Layers:
    """Random weights for layers of these sizes, of whose inputs about `on` are on."""
    found: Layers = []
    for n, (below, above) in enumerate(pairwise(sizes)):
        spread = np.sqrt(2 / (on if n == 0 else below)) * (LAST if n == len(sizes) - 2 else 1.0)
        found.append((rng.standard_normal((below, above)) * spread).astype(np.float32))
        found.append(np.zeros(above, np.float32))
    return found


def sizes_of(layers: Layers) -> list[int]:
    return [len(layers[0]), *(len(offsets) for offsets in layers[1::2])]


def spread_out(seen: np.ndarray, inputs: int) -> Any:
    """Rows of the numbers of inputs that are on, filled up with `inputs`, as a sparse matrix of how often each is."""
    from scipy.sparse import csr_array

    on = seen < inputs
    starts = np.concatenate([[0], np.cumsum(on.sum(axis=1))])
    return csr_array((np.ones(starts[-1], np.float32), seen[on].astype(np.int32), starts), (len(seen), inputs))


def run(layers: Layers, seen: np.ndarray) -> list[Any]:
    """What all layers give: the inputs first, chances last."""
    found: list[Any] = [spread_out(seen, len(layers[0]))]
    for n in range(0, len(layers), 2):
        sums = found[-1] @ layers[n] + layers[n + 1]
        found.append(np.maximum(sums, 0) if n + 2 < len(layers) else _chances(sums))
    return found


def chances(layers: Layers, seen: np.ndarray) -> np.ndarray:
    return run(layers, seen)[-1]


def _chances(sums: np.ndarray) -> np.ndarray:
    powers = np.exp(sums - sums.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def slopes(layers: Layers, seen: np.ndarray, targets: np.ndarray) -> Layers:
    """How the mean cross entropy between targets and chances changes with every weight."""
    given = run(layers, seen)
    back = (given[-1] - targets) / np.float32(len(targets))
    found: Layers = [np.empty(0)] * len(layers)
    for n in range(len(layers) - 2, -1, -2):
        found[n], found[n + 1] = given[n // 2].T @ back, back.sum(axis=0)
        if n:
            back = (back @ layers[n].T) * (given[n // 2] > 0)
    return found


@dataclass
class Learner:
    """A network on its way."""

    layers: Layers
    mean: Layers = field(default_factory=list)  # running mean of the weights
    drift: Layers = field(default_factory=list)  # running mean of slopes
    power: Layers = field(default_factory=list)  # and of their squares
    steps: int = 0

    def __post_init__(self) -> None:
        self.mean = self.mean or [x.copy() for x in self.layers]
        self.drift = self.drift or [np.zeros_like(x) for x in self.layers]
        self.power = self.power or [np.zeros_like(x) for x in self.layers]

    def step(self, seen: np.ndarray, targets: np.ndarray, rate: float, hold: float) -> None:
        """One step of Adam; `hold` is how much of the running mean stays."""
        self.steps += 1
        pace = np.float32(rate / (1 - STEADY**self.steps))
        level = np.float32(1 / (1 - SCALE**self.steps))
        for n, slope in enumerate(slopes(self.layers, seen, targets)):
            self.drift[n] += np.float32(1 - STEADY) * (slope - self.drift[n])
            self.power[n] += np.float32(1 - SCALE) * (slope * slope - self.power[n])
            self.layers[n] -= pace * self.drift[n] / (np.sqrt(self.power[n] * level) + np.float32(TINY))
            self.mean[n] += np.float32(1 - hold) * (self.layers[n] - self.mean[n])

    def fit(
        self, seen: np.ndarray, targets: np.ndarray, rate: float, hold: float, batch: int, order: np.ndarray
    ) -> None:
        """One pass over examples in the given order."""
        for some in _batches(order, batch):
            self.step(seen[some], targets[some], rate, hold)


def _batches(order: np.ndarray, size: int) -> Iterator[np.ndarray]:
    """Parts of just that size, one at the least; a rest that fills none is left out."""
    for begin in range(0, max(1, len(order) - size + 1), size):
        yield order[begin : begin + size]
