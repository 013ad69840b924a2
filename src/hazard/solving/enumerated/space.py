"""The arrays of a search: enlarges those that are full, within the memory that is allowed, and says what they take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.enumerated import search as found
from hazard.solving.enumerated.faults import steps
from hazard.solving.enumerated.large import compiled
from hazard.solving.enumerated.packing import Layout, TooWide, fields, first_layout, repacked, widened
from hazard.solving.enumerated.search import COUNTS, CURRENT, N_NODES, N_OPEN, Later, Rows, Search

MOST_BYTES = 17 << 30
MOST_NODES = (1 << 31) - 2
FIRST_NODES, FIRST_OPEN, FIRST_STREAM = 1 << 12, 1 << 10, 1 << 15
LARGE_TABLE = 1 << 22  # nodes from which on tables grow more slowly
STACK = ("node", "parent", "least", "finished", "rank", "cursor")


def free_bytes() -> int:
    """Memory that may be used."""
    try:
        lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        return min(MOST_BYTES, int(int(lines["MemAvailable"].split()[0]) * 1024 * 0.8))
    except (OSError, KeyError, ValueError):
        return MOST_BYTES


def rows_for(nodes: int, outcomes: int, options: int, gains: bool) -> Rows:
    return Rows(
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes + 1, np.int64),
        np.empty(outcomes),
        np.empty(outcomes, np.int32),
        np.empty(options, np.int32),
        np.empty(options if gains else 0),
    )


def later_for(words: int) -> Later:
    size = 16
    tables = np.zeros((size, words), np.int64), np.full(2 * size, -1, np.int32), np.zeros((size, 2))
    return Later(*tables, np.zeros(size, np.int64), np.zeros(1, np.int64))


def longer(table: np.ndarray, size: int) -> np.ndarray:
    """The same table with room for more."""
    larger = np.empty((size, *table.shape[1:]), table.dtype)
    larger[: len(table)] = table
    return larger


def more_than(size: int) -> int:
    """How large a table becomes that is full."""
    return min(size * 2 if size < LARGE_TABLE else size * 3 // 2, MOST_NODES)


def slots_for(count: int) -> np.ndarray:
    """An empty hash table with room for so many, and as many again."""
    return np.full(1 << max(5, (2 * count).bit_length()), -1, np.int32)


class Space:
    """What a search of one game has found, with room for more."""

    def __init__(self, game: Game) -> None:
        self.game, self.most = game, free_bytes()
        self.gains = "gain" in game.contract
        self.start = game.ask("canonical", game.ask("start"))
        self.n = np.zeros(COUNTS, np.int64)
        self.n[CURRENT] = -1
        self.x = self._first()

    def _first(self) -> Search:
        game, open_, stream = self.game, FIRST_OPEN, FIRST_STREAM
        layout, fanout = first_layout(self.start), int(game.ask("fanout"))
        purse = float(game.ask("purse")) if "purse" in game.contract else np.nan
        narrow = np.int32
        return Search(
            key=np.zeros((FIRST_NODES, layout.words), np.int64),
            slots=slots_for(FIRST_NODES),
            place=np.full(FIRST_NODES, found.DONE, narrow),
            value=np.zeros((FIRST_NODES, 2)),
            ends=np.full(64, -1, narrow),
            layout=layout,
            numbers=np.zeros(len(self.start), np.int64),
            moves=np.zeros(2 * fanout + 1024, np.int64),
            fanout=fanout,
            players=game.seats,
            stack=rows_for(open_, 8 * open_, 32 * open_, self.gains),
            **{name: np.zeros(open_, np.int64 if name == "cursor" else narrow) for name in STACK},
            stream=rows_for(stream, 8 * stream, 16 * stream, self.gains),
            sent=np.zeros(stream, narrow),
            components=np.zeros(stream, np.int64),
            facts=np.array([purse, 0.0, 0.0]),
            until=np.array([found.WHOLE]),
            later=later_for(layout.words),
        )

    # --- beginning ---------------------------------------------------------------------------------------------------
    def packed_start(self) -> np.ndarray:
        a, b, _ = self.game.plain(contract.pack)(self.start, *self.x.layout)
        return np.array([(a, b)[: self.x.layout.words]], np.int64)

    def begin(self, keys: np.ndarray, until: int = found.WHOLE) -> None:
        """Begin a search from these positions, which are packed, knowing nothing else, up to some progress."""
        count = len(keys)
        while len(self.x.place) < count:
            self._enlarge(more_than(len(self.x.place)), "key", "place", "value")
        self.n[:] = 0
        self.n[CURRENT], self.n[N_NODES], self.n[found.N_ROOTS] = -1, count, count
        self.x.key[:count], self.x.place[:count], self.x.until[0] = keys, found.UNSEEN, until
        self.x.ends.fill(-1)
        self.x = self.x._replace(slots=slots_for(max(count, FIRST_NODES)))
        self.fill_slots()

    def fill_slots(self) -> None:
        compiled(found.fill_slots)(self.x.key, self.x.place, self.x.slots, int(self.n[N_NODES]))

    def fill_later(self) -> None:
        later, count = self.x.later, int(self.x.later.total[0])
        compiled(found.fill_slots)(later.key, np.full(count, found.DONE, np.int32), later.slots, count)

    def fill_ends(self) -> None:
        compiled(found.fill_ends)(self.x.value, self.x.place, self.x.ends, int(self.n[N_NODES]))

    # --- room --------------------------------------------------------------------------------------------------------
    @property
    def taken(self) -> int:
        """Bytes of all arrays."""
        x = self.x
        parts = [*x, *x.stack, *x.stream, *x.later]
        return sum(part.nbytes for part in parts if isinstance(part, np.ndarray))

    def bytes_each(self) -> float:
        """Memory for each node outside the component at hand; room that was never touched takes none."""
        x = self.x
        each = sum(table.nbytes / len(table) for table in (x.key, x.place, x.value))
        return each + x.slots.nbytes / max(int(self.n[N_NODES]), 1)

    def claim(self, more: int) -> None:
        """Refuse to take more memory than allowed."""
        if self.taken + more <= self.most and int(self.n[N_NODES]) < MOST_NODES:
            return
        nodes, open_ = int(self.n[N_NODES]), int(self.n[N_OPEN])
        raise BadInput(
            f"{self.game.describe()}: {nodes:,} positions were found so far, {open_:,} of them in play that is not "
            f"finished; {(self.taken + more) / 2**30:.1f} GiB would be needed, of {self.most / 2**30:.1f} GiB that may "
            f"be used; {self._growing()}take smaller parameters, {self._advice()}"
        )

    def _advice(self) -> str:
        same = "say which positions are worth the same (`canonical`)"
        if "progress" in self.game.contract:
            return f"say more finely how far play is (`progress`), or {same}"
        return f"say how far play is (`progress`), so that parts of the game are solved one by one, or {same}"

    def _growing(self) -> str:
        """The fields that seem to grow without end, in words."""
        nodes = int(self.n[N_NODES])
        rows = fields(self.x.key[:nodes], self.x.layout)[self.x.place[:nodes] != found.ENDED]
        half, ranges = np.ptp(rows[: len(rows) // 2], axis=0), np.ptp(rows, axis=0)
        names = type(self.start)._fields
        grows = [f"`{names[k]}` (up to {rows[:, k].max():,})" for k in np.flatnonzero(ranges > 1.5 * half + 1000)]
        return f"{', '.join(grows)} may grow without end: put a limit on it; or " if grows else ""

    def grow(self, status: int) -> None:
        """Enlarge what is full."""
        x, double = self.x, 2 * len(self.x.node)
        if status == found.NODES:
            self._grow_nodes()
        elif status == found.ENTRIES:
            self._grow_later()
        elif status == found.ENDS:
            self.x = x._replace(ends=np.full(4 * len(x.ends), -1, np.int32))
            self.fill_ends()
        elif status == found.OPEN:
            self._enlarge(double, *STACK)
            self._enlarge_rows(double + 1, "first", "begin")
        elif status == found.OUTCOMES:
            self._enlarge_rows(2 * len(x.stack.weight), "weight", "options")
        else:
            names = ("target", "gain") if self.gains else ("target",)
            self._enlarge_rows(2 * len(x.stack.target) + x.fanout, *names)

    def enlarge_stream(self) -> None:
        """Make the stream large enough for all that is open; it must be empty."""
        n = self.n
        nodes, outcomes, options = int(n[N_OPEN]), int(n[found.N_OUTCOMES]), int(n[found.N_OPTIONS])
        self.claim(8 * (nodes + 2) + 12 * outcomes + 4 * options)
        rows = rows_for(nodes + 2, outcomes, options, self.gains)
        self.x = self.x._replace(stream=rows, sent=np.zeros(nodes + 2, np.int32))

    def _enlarge(self, size: int, *names: str) -> None:
        tables = {name: getattr(self.x, name) for name in names}
        self.claim(sum(size * table.nbytes // len(table) for table in tables.values()))
        larger: dict[str, Any] = {name: longer(table, size) for name, table in tables.items()}
        self.x = self.x._replace(**larger)

    def _enlarge_rows(self, size: int, *names: str) -> None:
        tables = {name: getattr(self.x.stack, name) for name in names}
        self.claim(size * sum(table.itemsize for table in tables.values()))
        larger: dict[str, Any] = {name: longer(table, size) for name, table in tables.items()}
        self.x = self.x._replace(stack=self.x.stack._replace(**larger))

    def _grow_nodes(self) -> None:
        if self.n[N_NODES] == len(self.x.place):
            self._enlarge(more_than(len(self.x.place)), "key", "place", "value")
        if 4 * self.n[N_NODES] >= 3 * len(self.x.slots):
            self.claim(2 * self.x.slots.nbytes)
            self.x = self.x._replace(slots=np.full(2 * len(self.x.slots), -1, np.int32))
            self.fill_slots()

    def _grow_later(self) -> None:
        later, count = self.x.later, int(self.x.later.total[0])
        if count == len(later.level):
            size = more_than(count)
            self.claim(size * (later.key.itemsize * later.key.shape[1] + 24))
            larger = {name: longer(getattr(later, name), size) for name in ("key", "value", "level")}
            self.x = self.x._replace(later=later._replace(**larger))
        if 4 * count >= 3 * len(later.slots):
            self.claim(2 * later.slots.nbytes)
            self.x = self.x._replace(later=self.x.later._replace(slots=np.full(2 * len(later.slots), -1, np.int32)))
            self.fill_later()

    # --- positions ---------------------------------------------------------------------------------------------------
    def state(self, node: int) -> Any:
        return type(self.start)(*fields(self.x.key[node : node + 1], self.x.layout)[0].tolist())

    def expanded(self) -> Any:
        """The position that was being expanded when the search returned."""
        current = int(self.n[CURRENT])
        return self.state(int(self.x.stack.target[self.x.cursor[current]] if current >= 0 else self.n[found.ROOT]))

    def widen(self) -> bool:
        """Make room for the fields of all positions that the one at hand leads to; returns whether there was none."""
        game, old = self.game, self.x.layout
        layout = old
        try:
            for step in steps(game, self.expanded()):
                if not game.ask("over", step.after):
                    layout = widened(layout, game.ask("canonical", step.after))
        except TooWide:
            bits = dict(zip(type(self.start)._fields, layout.bits.tolist(), strict=True))
            widest = ", ".join(f"`{name}` {n}" for name, n in sorted(bits.items(), key=lambda item: -item[1])[:3])
            raise BadInput(
                f"{game.describe()}: the numbers of a position do not fit into 126 bits (most are taken by {widest}); "
                "a field that grows without end needs a limit"
            ) from None
        self._repack(layout)
        return not all(np.array_equal(a, b) for a, b in zip(old, layout, strict=True))

    def _repack(self, layout: Layout) -> None:
        x, later = self.x, self.x.later
        key, entries = (
            _repacked(t.key, n, x.layout, layout) for t, n in ((x, self.n[N_NODES]), (later, later.total[0]))
        )
        self.x = x._replace(
            key=key, layout=layout, later=later._replace(key=entries, slots=np.full_like(later.slots, -1))
        )
        self.fill_slots()
        self.fill_later()


def _repacked(table: np.ndarray, count: int, old: Layout, new: Layout) -> np.ndarray:
    key = np.zeros((len(table), new.words), np.int64)
    key[:count] = repacked(table[:count], old, new)
    return key
