"""The table of a board of Dice of Doom: the mover's value at the start of its turn, for all owners and dice.

A sweep backs every turn up exactly, in place, block by block on all threads; it also counts turns left, and checks
bounds. The values of other places in a turn are needed for two neighbouring layers of blocks only, and not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from math import comb
from threading import local
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom import blocks, tiles
from hazard.games.dice_of_doom.blocks import Lengths, make_block
from hazard.games.dice_of_doom.mixing import Swept
from hazard.games.dice_of_doom.optimal import place
from hazard.jit import bind, enabled, rule
from hazard.rulebook import Game

NOTHING = np.zeros(0)
EPS = 1e-15  # more than the rounding of one backup: values and odds are at most 1


@rule
def find(starts: Any, values: Any, limit: float, places: Any, old: Any) -> int:
    """Note the places that change by more than the limit, and their old values; how many there are."""
    count = 0
    for n in range(values.size):
        if abs(float(starts[n]) - float(values[n])) > limit:
            places[count] = n
            old[count] = values[n]
            count += 1
    return count


@rule
def settle(starts: Any, values: Any) -> float:
    """Take new values over; the greatest change is returned."""
    most = 0.0
    for n in range(values.size):
        most = max(most, abs(float(starts[n]) - float(values[n])))
        values[n] = starts[n]
    return most


@rule
def excess(starts: Any, values: Any, weights: Any, scale: float) -> float:
    """How far new bounds lie outside of the old ones, value + scale * weight; negative if they lie within."""
    most = -1.0
    for n in range(values.size):
        bound = min(max(float(values[n]) + scale * float(weights[n]), 0.0), 1.0)
        found = min(max(starts[n], 0.0), 1.0)
        beyond = found - bound if scale > 0.0 else bound - found
        most = max(most, beyond)
    return most


def together(parts: list[Swept]) -> Swept:
    return max(p[0] for p in parts), np.concatenate([p[1] for p in parts]), np.concatenate([p[2] for p in parts])


def compiled(function: Callable) -> Callable:
    return bind(function, "dice-of-doom", {}, enabled())


class Scratch(NamedTuple):
    """What one thread works on."""

    ends: np.ndarray
    starts: np.ndarray
    row: np.ndarray
    far: np.ndarray  # turns left after the end of the turn
    late: np.ndarray  # turns left at the start
    old: np.ndarray
    places: np.ndarray


@dataclass
class Table:
    """All blocks of a board, and the values at the start of a turn: values[own mask, dice]."""

    neighbours: Sequence[Sequence[int]]
    dice: int
    odds: np.ndarray  # odds[attacker's dice - 1, defender's dice - 1]
    how: int  # reinforcement
    kind: type = np.float64  # of what is kept; turns are always backed up in double precision
    threads: int = 2
    values: np.ndarray = field(init=False)
    sums: tuple[float, float] = (0.0, 0.0)  # of the last sweep: starts of turns, and where a turn may be ended

    def __post_init__(self) -> None:
        self.tiles = len(self.neighbours)
        self.size = self.dice**self.tiles
        self.layers = [[m for m in range(1 << self.tiles) if m.bit_count() == k] for k in range(self.tiles + 1)]
        slots = [0] * (1 << self.tiles)
        for layer in self.layers:
            for n, mask in enumerate(layer):
                slots[mask] = n
        self.slots = slots
        self.blocks = [make_block(self.neighbours, m, self.dice, slots) for m in range(1 << self.tiles)]
        self.values = np.full((1 << self.tiles, self.size), 0.5, self.kind)
        self.pool = ThreadPoolExecutor(self.threads)
        self.mine = local()

    @property
    def states(self) -> int:
        return 2 * self.values.size

    def scratch(self) -> Scratch:
        """The thread's own arrays."""
        if not hasattr(self.mine, "arrays"):
            room = [np.zeros(self.size) for _ in range(6)]
            self.mine.arrays = Scratch._make([*room, np.zeros(self.size, np.int64)])
        return self.mine.arrays

    def layer(self) -> tuple[np.ndarray, np.ndarray]:
        """Room for two neighbouring layers."""
        most = max(len(layer) for layer in self.layers) * self.size
        return np.zeros(most), np.zeros(most)

    def each(self, task: Callable[[int, np.ndarray, np.ndarray], Any]) -> list[Any]:
        """Do a task for every mask, from most to fewest own tiles, with this layer's values and those of the one above.

        A mask and its complement can be in one layer: then those with the first tile come before the others.
        """
        here, above = self.layer()
        found: list[Any] = []
        for layer in reversed(self.layers):
            for some in ([m for m in layer if m & 1], [m for m in layer if not m & 1]):
                parts = [(m, here[self.slots[m] * self.size : (self.slots[m] + 1) * self.size]) for m in some]
                found += self.pool.map(task, *zip(*parts, strict=True), repeat(above)) if parts else []
            here, above = above, here
        return found

    def ends(self, mask: int, weights: np.ndarray, scale: float, eps: float) -> np.ndarray:
        """What ending the turn is worth."""
        block, work = self.blocks[mask], self.scratch()
        other = len(self.blocks) - 1 - mask
        compiled(blocks.turn_over)(
            self.values[other], weights[other] if scale else NOTHING, scale, eps, work.ends, block
        )
        if self.how != blocks.DETERMINISTIC:
            compiled(blocks.place_dice)(self.how, eps, work.ends, block, work.row)
        return work.ends

    def back_up(
        self, mask: int, here: np.ndarray, above: np.ndarray, weights: np.ndarray, scale: float = 0.0, eps: float = 0.0
    ) -> np.ndarray:
        """New values of a block at the start of a turn."""
        block, starts = self.blocks[mask], self.scratch().starts
        ends = self.ends(mask, weights, scale, eps)
        compiled(blocks.back_up)(self.how, eps, self.odds, ends, here, above, starts, block)
        return starts

    # --- sweeps ----------------------------------------------------------------------------------------------------
    def sweep(self, limit: float = np.inf) -> Swept:
        """Back all turns up, in place; notes places that change by more than the limit."""

        def task(mask: int, here: np.ndarray, above: np.ndarray) -> tuple[Swept, float, float]:
            starts = self.back_up(mask, here, above, self.values)
            sums = float(starts.sum(dtype=np.float64)), float(here.sum(dtype=np.float64))
            return self.settle(mask, starts, self.values, limit), *sums

        found = self.each(task)
        self.sums = sum(f[1] for f in found), sum(f[2] for f in found)
        return together([f[0] for f in found])

    def write(self, out: np.ndarray) -> None:
        """Write all values: out[0] those at the start of a turn, out[1] those where the turn may be ended."""

        def task(mask: int, here: np.ndarray, above: np.ndarray) -> None:
            out[0, mask] = self.back_up(mask, here, above, self.values)
            out[1, mask] = here

        self.each(task)

    def settle(self, mask: int, starts: np.ndarray, values: np.ndarray, limit: float) -> Swept:
        """Take over a block's new values."""
        places, old = np.zeros(0, np.int64), np.zeros(0)
        if limit < np.inf:
            work = self.scratch()
            count = compiled(find)(starts, values[mask], limit, work.places, work.old)
            places, old = work.places[:count] + mask * self.size, work.old[:count].astype(np.float64)
        return compiled(settle)(starts, values[mask]), places, old

    def sweep_turns(self, weights: np.ndarray, near: float, limit: float = np.inf) -> Swept:
        """Back up how many turns are left, in place."""
        back_here, back_above = self.layer()
        rooms = {}
        for layer in reversed(self.layers):
            for mask in layer:
                rooms[mask] = (back_here, back_above)
            back_here, back_above = back_above, back_here

        def task(mask: int, here: np.ndarray, above: np.ndarray) -> Swept:
            starts, work, block = self.back_up(mask, here, above, self.values), self.scratch(), self.blocks[mask]
            compiled(blocks.turns_left)(weights[len(self.blocks) - 1 - mask], work.far, block)
            if self.how != blocks.DETERMINISTIC:
                compiled(blocks.place_dice)(self.how, 0.0, work.far, block, work.row)
            late_here, late_above = rooms[mask]
            mine = late_here[self.slots[mask] * self.size : (self.slots[mask] + 1) * self.size]
            w = Lengths(work.far, mine, late_above, work.late)
            compiled(blocks.count_turns)(self.how, near, self.odds, work.ends, here, above, starts, w, block)
            return self.settle(mask, work.late, weights, limit)

        return together(self.each(task))

    def beyond(self, weights: np.ndarray, d: float) -> float:
        """How far one sweep takes value + d w above itself and value - d w below, rounded outward; negative: proven."""

        def task(sign: float, mask: int, here: np.ndarray, above: np.ndarray) -> float:
            starts = self.back_up(mask, here, above, weights, -sign * d, sign * EPS)
            return compiled(excess)(starts, self.values[mask], weights[mask], sign * d)

        return max(max(self.each(partial(task, sign))) for sign in (1.0, -1.0))


# --- a game's table --------------------------------------------------------------------------------------------------
WAYS = {
    tiles.DETERMINISTIC: blocks.DETERMINISTIC,
    tiles.RANDOM: blocks.RANDOM,
    tiles.WEIGHTED: blocks.WEIGHTED,
    tiles.CHOSEN: blocks.CHOSEN,
}


def table_of(game: Game, kind: type = np.float64, threads: int = 2) -> Table:
    """The table of a game of two, with nothing known yet."""
    g = game.g
    if g.players != 2:
        raise BadInput(f"players={g.players}: solving is for two players")
    if g.reinforcement not in WAYS:
        raise BadInput("reinforcement=captured: dice that depend on the turn's captures are not solved yet")
    beside = [[u for u in range(g.tiles) if int(g.near[t]) >> u & 1] for t in range(g.tiles)]
    odds = np.ascontiguousarray(g.odds[1 : g.max_dice + 1, 1 : g.max_dice + 1])
    return Table(beside, g.max_dice, odds, WAYS[g.reinforcement], kind, threads)


def bytes_needed(game: Game, kind: type) -> int:
    """What solving takes, about: values and turns left, four layers, and each thread's arrays."""
    g = game.g
    size, widest = g.max_dice**g.tiles, comb(g.tiles, g.tiles // 2)
    return 2 * size * 2**g.tiles * np.dtype(kind).itemsize + 4 * widest * size * 8 + 2 * 7 * size * 8


def place_of(game: Game, s: Any) -> tuple[int, int]:
    """The own mask of a position, and the number of its dice in the mask's block."""
    return divmod(int(place(game.g, s)), game.g.max_dice**game.g.tiles)


def value_at(table: Table, game: Game, s: Any) -> float:
    """The mover's value at the start of its turn."""
    return float(table.values[place_of(game, s)])
