"""The table of a board of Dice of Doom: the mover's value at the start of its turn, for all owners and dice.

A sweep backs up every turn exactly, in place, block by block on all threads. Other sweeps count turns left, or check
bounds. Values of other places in a turn are only kept as long as other blocks look them up. Where new dice come in
reading order, only positions are kept that a turn can lead to; the others follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import local
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver.block_backup import Rows
from hazard.games.dice_of_doom.solver.block_layout import (
    CHUNK,
    Known,
    Shapes,
    counts,
    known_dice,
    make_shapes,
    make_spread,
    nothing_known,
)
from hazard.games.dice_of_doom.solver.block_order import plan
from hazard.games.dice_of_doom.solver.block_tasks import (
    CHECK,
    COUNT,
    SHOW,
    SWEEP,
    Stored,
    Tables,
    Terms,
    Work,
    do_blocks,
)
from hazard.games.dice_of_doom.solver.memory import MOST_BYTES, TURNS, Sizes, beside, bytes_for, kinds_of
from hazard.games.dice_of_doom.solver.picking import Swept
from hazard.games.dice_of_doom.solver.worth import place
from hazard.games.dice_of_doom.tiles import CAPTURED, DETERMINISTIC
from hazard.jit import bind, enabled
from hazard.rulebook import Game
from hazard.solving.certify import Certificate

LISTED = 1_000_000  # changed places that a sweep lists, about
PARTS = 2  # that a group of blocks is divided into, for each thread
AT_ONCE = 100_000  # boards that are swept in one call, at most
EPS = 1e-15  # more than the rounding of one backup; values and odds are at most 1
EPS_SINGLE = 1.5e-7  # the same where results are in single precision, which are rounded twice


def stored(kind: type, unit: float) -> Stored:
    if np.issubdtype(kind, np.integer):
        return Stored(unit, 1.0 / unit, 0.5, float(np.iinfo(kind).max))
    return Stored(1.0, 1.0, 0.0, float(np.finfo(np.float32).max))


def compiled(function: Callable) -> Callable:
    return bind(function, "dice-of-doom", {}, enabled())


def roundings(tiles: int, dice: int, how: int) -> int:
    """More than go into one place in a turn: every attack costs a die, and dice that are not in order are placed."""
    placed = 0 if how in (DETERMINISTIC, CAPTURED) else tiles * (tiles + 2)
    return tiles * (dice - 1) + 2 + placed


@dataclass
class ValueTable:
    """All blocks of a board, and the values at the start of a turn, mask by mask, as `blocks` lays dice out."""

    neighbours: Sequence[Sequence[int]]
    dice: int
    odds: np.ndarray  # odds[attacker's dice - 1, defender's dice - 1]
    how: int  # reinforcement
    kind: type = np.float64  # of the values that are kept: double or single precision, or 16 bits
    threads: int = 2
    whole: bool = False  # whether positions are kept that only the first turn can begin with
    values: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.tiles = len(self.neighbours)
        self.size, self.masks = self.dice**self.tiles, 1 << self.tiles
        self.plan = plan(self.tiles)
        ordered = self.how == DETERMINISTIC and not self.whole
        self.known = known_dice(self.neighbours, self.dice) if ordered else nothing_known(self.tiles)
        self.shapes = self._shapes(self.known, self.keeps_all)
        self.spread = make_spread(self.dice, self.odds, self.tiles, self.shapes.fast)
        self.at = self.shapes, self.spread
        self.kinds = kinds_of(self.kind)
        self.stored, self.counted = stored(self.kind, 1 / 65535), stored(self.kinds.turns, 1 / 256)
        self.values = np.full(self.shapes.offsets[-1], 0.5 * self.stored.per, self.kind)
        self.pool = ThreadPoolExecutor(self.threads)
        self.mine = local()
        self.room = np.zeros(self.worked if self.keeps_all else self.plan.places * self.size, self.kinds.work)
        self.turns_room = np.zeros(1, TURNS)  # the same for turns left, made when these are counted
        self.nothing = np.zeros(1, self.kinds.turns)

    @property
    def boards(self) -> int:
        return self.masks * self.size

    @property
    def keeps_all(self) -> bool:
        """Whether the values of all blocks have room: there are fewer where new dice come in reading order."""
        return self.how == DETERMINISTIC

    @property
    def has_room_for_turns(self) -> bool:
        """Whether turns left fit in memory too."""
        sizes = Sizes(self.tiles, self.size, self.plan.places, self.values.size, self.room.size)
        return bytes_for(sizes, self.kind) <= MOST_BYTES

    @property
    def worked(self) -> int:
        """Boards that a sweep backs up."""
        return int(counts(self.dice, self.tiles, self.known.sure).sum())

    def _shapes(self, known: Known, all_: bool) -> Shapes:
        """Blocks one behind the other if all of them are kept, or at the places of the plan."""
        sizes = counts(self.dice, self.tiles, known.sure)
        begins = np.cumsum([0, *sizes[:-1]]) if all_ else self.plan.slots * self.size
        return make_shapes(self.neighbours, self.dice, known, begins, compiled)

    @property
    def eps(self) -> float:
        """More than the rounding of one backup."""
        return EPS if self.kinds.work == np.float64 else EPS_SINGLE

    @property
    def rounding(self) -> float:
        """Of a turn that is backed up once more, to show all its places."""
        return self.eps * roundings(self.tiles, self.dice, self.how)

    def work(self) -> Work:
        """The thread's own arrays."""
        if not hasattr(self.mine, "work"):
            kind = self.kinds.work
            arrays = [np.zeros(self.size, k) for k in (kind, kind, float, TURNS, TURNS, float, np.int64)]
            edges = sum(map(len, self.neighbours))
            digits, drops, bases = (np.zeros(n, np.int64) for n in (self.tiles, self.tiles, edges))
            rows = Rows(digits, drops, bases, np.zeros(CHUNK, kind), np.zeros(CHUNK, TURNS))
            self.mine.work = Work._make([*arrays, np.zeros(1, np.int64), rows])
        return self.mine.work

    def terms(self, **numbers: float) -> Terms:
        given = {"limit": np.inf} | numbers
        rest = [given.get(name, 0.0) for name in Terms._fields[3:]]
        return Terms(self.how, self.stored, self.counted, *rest)

    def do(self, task: int, masks: Sequence[int], terms: Terms, weights: np.ndarray, reply: np.ndarray) -> float:
        """A task on some blocks, in this thread."""
        some, tables = np.array(masks, np.int64), Tables(reply, self.values, weights, self.room, self.turns_room)
        return compiled(do_blocks)(task, some, tables, terms, self.odds, self.work(), self.at)

    def all(self, task: int, terms: Terms, weights: np.ndarray | None = None, reply: np.ndarray | None = None) -> float:
        """A task on all blocks, from most to fewest own tiles; the greatest result."""
        weights, reply = self.nothing if weights is None else weights, self.values if reply is None else reply
        if self.boards <= AT_ONCE:
            return self.do(task, self.plan.order, terms, weights, reply)
        most, parts = -1.0, range(PARTS * self.threads)
        for group in self.plan.groups:
            some = [group[n :: len(parts)] for n in parts[: len(group)]]
            most = max(most, *self.pool.map(lambda masks: self.do(task, masks, terms, weights, reply), some))
        return most

    def each(self, task: Callable[[int], Any]) -> list[Any]:
        """Call a task for every mask, from most to fewest own tiles, on all threads."""
        results: list[Any] = []
        for group in self.plan.groups:
            results += self.pool.map(task, group)
        return results

    # --- sweeps ----------------------------------------------------------------------------------------------------
    def sweep(self, limit: float = np.inf) -> Swept:
        """Back up all turns, in place: the greatest change, and places that change by more than the limit."""
        return self._swept(SWEEP, self.terms(limit=limit), self.nothing)

    def sweep_turns(self, weights: np.ndarray, near: float, limit: float = np.inf, stretch: float = 0.0) -> Swept:
        """Back up how many turns are left, in place, and raise them further by a multiple of the rise; the greatest."""
        if self.turns_room.size == 1:
            self.turns_room = np.zeros(self.room.size, TURNS)
        return self._swept(COUNT, self.terms(limit=limit, near=near, stretch=stretch), weights)

    def _swept(self, task: int, terms: Terms, weights: np.ndarray) -> Swept:
        if terms.limit == np.inf:
            return self.all(task, terms, weights), np.zeros(0, np.int64)
        each = min(2 * LISTED, self.values.size // 20) // self.masks
        unit = (self.stored if task == SWEEP else self.counted).unit

        def one(mask: int) -> Swept:
            change, work = self.do(task, [mask], terms, weights, self.values), self.work()
            places, old = work.places[: work.changed[0]], work.old[: work.changed[0]]
            if len(places) > each:
                moved = np.abs((work.starts if task == SWEEP else work.start_turns)[places] - old * unit)
                places = places[np.argpartition(moved, len(places) - each)[len(places) - each :]]
            return change, places + self.shapes.offsets[mask]

        swept = self.each(one)
        return max(change for change, _ in swept), np.concatenate([places for _, places in swept])

    def write(self, put: Callable[[int, int, np.ndarray], None]) -> tuple[float, float]:
        """Hand out all values, mask by mask: 0, at the start of a turn; 1, where it may be ended. Returns both sums.

        Positions that are not kept are among them: all blocks are backed up once more, with nothing left out.
        """
        mine, taken = self.at, self.room.size
        if self.known.sure.any():
            self.at = self._shapes(self.known._replace(sure=np.zeros_like(self.known.sure)), False), self.spread
            self.room = np.zeros(0, self.kinds.work)
            self.room = np.zeros(self.plan.places * self.size, self.kinds.work)

        def one(mask: int) -> tuple[float, float]:
            self.do(SHOW, [mask], self.terms(), self.nothing, self.values)
            begin = int(self.at[0].begins[mask])
            parts = self.work().starts, self.room[begin : begin + self.size]
            for which, part in enumerate(parts):
                put(which, mask, part)
            return float(parts[0].sum(dtype=np.float64)), float(parts[1].sum(dtype=np.float64))

        sums = self.each(one)
        if self.at is not mine:
            self.at, self.room = mine, np.zeros(0, self.kinds.work)
            self.room = np.zeros(taken, self.kinds.work)
        return sum(start for start, _ in sums), sum(later for _, later in sums)

    def shown(self) -> np.ndarray:
        """All values: [0 at the start of a turn, 1 where it may be ended; own mask; dice]."""
        values = np.zeros((2, self.masks, self.size), self.kinds.work)

        def put(which: int, mask: int, part: np.ndarray) -> None:
            values[which, mask] = part

        self.write(put)
        return values

    def bound(self, reply: np.ndarray, eps: float) -> float:
        """A sweep against the other player's own table, rounded up or down by eps; the greatest change."""
        return self.all(SWEEP, self.terms(eps=eps), None, reply)

    def beyond(self, bounds: Certificate) -> float:
        """How far one sweep, rounded outward, takes upper bounds up or lower bounds down; not positive: proven.

        An upper bound follows from the lower bounds of the other player's turns, and the other way round.
        """
        self.turns_room = np.zeros(1, TURNS)  # not needed any more; what is mapped into memory can have the room
        sides = [
            self.terms(scale=-sign * bounds.slope, shift=-sign * bounds.base, eps=sign * self.eps)
            for sign in (1.0, -1.0)
        ]
        return max(self.all(CHECK, side, bounds.weights) for side in sides)


# --- a game's table --------------------------------------------------------------------------------------------------
def table_of(game: Game, kind: type = np.float64, threads: int = 2, whole: bool | None = None) -> ValueTable:
    """The table of a game of two, before the first sweep. By default it has all positions of a small board."""
    g = game.table
    whole = (2 * g.max_dice) ** g.tiles <= AT_ONCE if whole is None else whole
    if g.players != 2:
        raise BadInput(f"players={g.players}: solving is for two players")
    if g.reinforcement == CAPTURED:
        raise BadInput("reinforcement=captured: dice that depend on the turn's captures are not solved yet")
    odds = np.ascontiguousarray(g.odds[1 : g.max_dice + 1, 1 : g.max_dice + 1])
    return ValueTable(beside(game), g.max_dice, odds, int(g.reinforcement), kind, threads, whole)


def place_of(game: Game, s: Any) -> tuple[int, int]:
    """The own mask of a position, and the number of its dice in the mask's block."""
    return divmod(int(place(game.table, s)), game.table.max_dice**game.table.tiles)
