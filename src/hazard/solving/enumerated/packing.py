"""Positions packed into one or two words of 64 bits, by the ranges of their fields that have been met so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.contract import unpack
from hazard.jit import leaf

WORD = 63  # bits of a word that several fields share; the sign stays 0
WIDEST = 61  # bits of a field, at most; a wider one has a word of its own
PART = 1 << 18  # positions that are packed again at a time


class Layout(NamedTuple):
    """Where each field of a state is; see `hazard.contract.pack`."""

    low: np.ndarray
    check: np.ndarray
    bits: np.ndarray
    at: np.ndarray

    @property
    def words(self) -> int:
        return 2 if (self.at >= 64).any() else 1


class TooWide(Exception):  # noqa: N818 - a reason, which is turned into words
    """The fields do not fit into two words."""


def first_layout(state: Sequence[int]) -> Layout:
    """Room for one position, and little more."""
    fields = len(state)
    low, one = np.zeros(fields, np.int64), np.ones(fields, np.int64)
    return widened(_placed(low, -one, one), state)


def widened(layout: Layout, state: Sequence[int]) -> Layout:
    """A layout with room for one more position: ranges are doubled as often as it takes."""
    low, check, bits = layout.low.copy(), layout.check.copy(), layout.bits.copy()
    for n, value in enumerate(map(int, state)):
        while check[n] and not 0 <= value - int(low[n]) < 1 << int(bits[n]):
            low[n] -= 1 << int(bits[n]) if value < low[n] else 0
            bits[n] += 1
            if bits[n] > WIDEST:
                low[n], check[n], bits[n] = 0, 0, 63
    return _placed(low, check, bits)


def _placed(low: np.ndarray, check: np.ndarray, bits: np.ndarray) -> Layout:
    """Fields put into words, the widest first."""
    at, used = np.zeros_like(bits), [0, 0]
    for n in sorted(range(len(bits)), key=lambda n: -int(bits[n])):
        need = int(bits[n]) if check[n] else 64
        word = next((w for w in (0, 1) if used[w] == 0 or used[w] + need <= WORD), None)
        if word is None:
            raise TooWide
        at[n] = 64 * word + used[word]
        used[word] += need
    return Layout(low, check, bits, at)


# --- from keys to fields, and back -----------------------------------------------------------------------------------
@leaf
def position(key: Any, node: int, layout: Any, row: Any) -> Any:
    """The position that is packed in the key of a node; `row` is room for its numbers."""
    for n in range(row.size):
        at = layout.at[n]
        word = key[node, 0] if at < 64 else key[node, 1]
        if layout.check[n] == 0:
            row[n] = word
        else:
            row[n] = ((word >> (at & 63)) & ((1 << layout.bits[n]) - 1)) + layout.low[n]
    return unpack(row)


def fields(key: np.ndarray, layout: Layout) -> np.ndarray:
    """The numbers of packed positions, one row each."""
    found = np.empty((len(key), len(layout.at)), np.int64)
    for n, at in enumerate(layout.at.tolist()):
        word = key[:, at // 64]
        if layout.check[n]:
            found[:, n] = ((word >> (at % 64)) & ((1 << int(layout.bits[n])) - 1)) + layout.low[n]
        else:
            found[:, n] = word
    return found


def repacked(key: np.ndarray, old: Layout, new: Layout) -> np.ndarray:
    """The same positions in another layout."""
    keys = np.zeros((len(key), new.words), np.int64)
    for begin in range(0, len(key), PART):
        rows = fields(key[begin : begin + PART], old)
        for n, at in enumerate(new.at.tolist()):
            keys[begin : begin + PART, at // 64] |= (rows[:, n] - new.low[n]) << (at % 64)
    return keys
