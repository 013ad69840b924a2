"""The order in which the blocks of a board are done, and where their values lie while they are needed.

Blocks come from most to fewest own tiles. A block is looked up by those with one own tile less. After the last of them
its place is used again. So little more than one layer of blocks is kept at a time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

GROUP = 16  # blocks that are done between two waits for all threads, at least
PART = 64  # groups that a large layer is divided into


class Plan(NamedTuple):
    groups: list[list[int]]  # masks that can be done at the same time
    slots: np.ndarray  # slots[mask]: its place
    places: int  # how many there are

    @property
    def order(self) -> list[int]:
        return [mask for group in self.groups for mask in group]


@lru_cache(maxsize=32)
def plan(tiles: int) -> Plan:
    """The order and the places for a number of tiles."""
    slots, left = np.zeros(1 << tiles, np.int64), [mask.bit_count() for mask in range(1 << tiles)]
    groups, free, places = [], [], 0  # type: tuple[list[list[int]], list[int], int]
    for group in _groups(tiles):
        for mask in group:
            if not free:
                free, places = [places], places + 1
            slots[mask] = free.pop()
        groups.append(group)
        free += [slots[mask] for mask in _released(group, left, tiles)]
    slots.flags.writeable = False
    return Plan(groups, slots, places)


def _groups(tiles: int) -> list[list[int]]:
    """A mask and its complement are never in one group, for they read each other: only one has the last tile."""
    found = []
    for count in range(tiles, -1, -1):
        layer = [mask for mask in range(1 << tiles) if mask.bit_count() == count]
        size, half = max(GROUP, len(layer) // PART), 1 << (tiles - 1)
        for some in ([m for m in layer if m < half], [m for m in layer if m >= half]):
            found += [some[n : n + size] for n in range(0, len(some), size)]
    return found


def _released(group: list[int], left: list[int], tiles: int) -> list[int]:
    """Masks that no block needs once a group is done; no block ever needs the mask without tiles."""
    found = [mask for mask in group if mask == 0]
    for mask in group:
        for tile in range(tiles):
            above = mask | 1 << tile
            if above != mask:
                left[above] -= 1
                if left[above] == 0:
                    found.append(above)
    return found
