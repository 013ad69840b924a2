"""Solves a game in layers, by the progress that it declares: memory is that of the largest layer.

Forward, the layers are searched one after the other. Of each, only the positions are kept by which later layers are
entered. Backward, from the last layer on, each is searched again from its own entries and solved, as all that it leads
to has been; its values go to the disk, and those of its entries stay.

A layer is a window of progress: neighbouring levels that together are large enough to be worth the while.
"""

from __future__ import annotations

import heapq
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from hazard.solving.enumerated import search as found
from hazard.solving.enumerated.large import compiled
from hazard.solving.enumerated.search import DONE, N_NODES

if TYPE_CHECKING:
    from hazard.solving.enumerated.run import Found, Run

WINDOW = 1 << 18  # positions of a window that is worth the while
FORWARD, BACKWARD = 0, 1
NAMES = ("key", "value")


class Layers:
    """The layers of one game: windows of progress, each with the entries by which it is reached."""

    def __init__(self, run: Run) -> None:
        self.run_, self.space = run, run.space
        self.phase, self.width, self.at = FORWARD, 1, -1
        self.known = 0  # entries that are in a bucket or in a window
        self.entries: list[np.ndarray] = []  # of each window
        self.sizes: list[int] = []  # positions of each window
        self.untils: list[int] = []
        self.sums: dict[int, list[int]] = {}  # checksums of the windows that are on the disk
        self.buckets: dict[int, list[np.ndarray]] = {}
        self.levels: list[int] = []  # of the buckets, a heap
        self.folder: Path | None = None
        self.tables: tuple[np.ndarray, ...] = ()

    # --- both ways ---------------------------------------------------------------------------------------------------
    def run(self) -> Found:
        if self.phase == FORWARD:
            self._find()
            self.phase, self.at = BACKWARD, len(self.entries)
        self.run_.finding = False
        with tempfile.TemporaryDirectory(prefix="hazard-") as spare:
            self.folder = self.run_.kept.tables if self.run_.kept else Path(spare)
            self._open()
            self._solve()
            return self._found()

    def _search(self, window: int) -> None:
        """Search one window from its entries, unless that was begun before."""
        if self.at != window:
            self.at = window
            self.space.begin(self.space.x.later.key[self.entries[window]], self.untils[window])
        self.run_.loop()

    def _inside(self) -> np.ndarray:
        """Which nodes belong to the window itself."""
        return self.space.x.place[: int(self.space.n[N_NODES])] == DONE

    # --- forward -----------------------------------------------------------------------------------------------------
    def _find(self) -> None:
        self.run_.finding = True
        if self.at < 0:
            self._first()
        else:
            self._search(self.at)
            self._end_window()
        while self.levels:
            self._next_window()
            self._search(len(self.entries) - 1)
            self._end_window()

    def _first(self) -> None:
        """The first window is entered by the start alone."""
        space = self.space
        later = space.x.later
        later.key[0], later.total[0] = space.packed_start()[0], 1
        later.level[0] = int(space.game.ask("progress", space.start))
        later.value[0] = -np.inf, np.inf
        space.fill_later()
        self._sort_in()

    def _sort_in(self) -> None:
        """Put new entries into buckets by their level."""
        later, first = self.space.x.later, self.known
        self.known = int(later.total[0])
        numbers, levels = np.arange(first, self.known), later.level[first : self.known]
        order = np.argsort(levels, kind="stable")
        cuts = np.flatnonzero(np.diff(levels[order])) + 1
        for part in np.split(order, cuts) if len(order) else ():
            level = int(levels[part[0]])
            if level not in self.buckets:
                self.buckets[level] = []
                heapq.heappush(self.levels, level)
            self.buckets[level].append(numbers[part])

    def _next_window(self) -> None:
        until = min(self.levels[0] + self.width - 1, found.WHOLE)
        parts: list[np.ndarray] = []
        while self.levels and self.levels[0] <= until:
            parts += self.buckets.pop(heapq.heappop(self.levels))
        self.entries.append(np.concatenate(parts))
        self.untils.append(until)

    def _end_window(self) -> None:
        size = int(self._inside().sum())
        self.sizes.append(size)
        self.width = min(2 * self.width, 1 << 40) if size < WINDOW else max(1, self.width // 2)
        self._sort_in()

    # --- backward ----------------------------------------------------------------------------------------------------
    def _open(self) -> None:
        """The tables of all positions, on the disk; those of windows that were solved before must be as they were."""
        assert self.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        total, words = sum(self.sizes), self.space.x.key.shape[1]
        paths = [self.folder / f"{name}.npy" for name in NAMES]
        if self.sums:
            self.tables = tuple(np.load(path, mmap_mode="r+") for path in paths)
            if all(sums == self._sums(window) for window, sums in self.sums.items()):
                return
            self.sums, self.at = {}, len(self.entries)  # solved again
        kinds = (np.int64, words), (np.float64, 2)
        self.tables = tuple(
            np.lib.format.open_memmap(path, "w+", kind, (total, width))
            for path, (kind, width) in zip(paths, kinds, strict=True)
        )

    def _place(self, window: int) -> slice:
        first = sum(self.sizes[:window])
        return slice(first, first + self.sizes[window])

    def _sums(self, window: int) -> list[int]:
        return [crc32(np.ascontiguousarray(table[self._place(window)]).data) for table in self.tables]

    def _solve(self) -> None:
        last = min([len(self.entries), *self.sums]) - 1
        for window in range(last, -1, -1):
            self._search(window)
            self._write(window)

    def _write(self, window: int) -> None:
        x, entries, inside = self.space.x, self.entries[window], np.flatnonzero(self._inside())
        x.later.value[entries] = x.value[: len(entries)]
        for table, new in zip(self.tables, (x.key, x.value), strict=True):
            np.take(new, inside, axis=0, out=table[self._place(window)])
        self.sums[window] = self._sums(window)

    def _found(self) -> Found:
        from hazard.solving.enumerated.run import Found

        assert self.folder
        key, value = self.tables
        size = 1 << max(5, (4 * len(key) // 3).bit_length())
        slots = np.lib.format.open_memmap(self.folder / "slots.npy", "w+", np.int32, (size,))
        compiled(found.fill_slots)(key, np.full(len(key), DONE, np.int32), slots, len(key))
        x, run = self.space.x, self.run_
        each = (key.nbytes + value.nbytes + slots.nbytes) / max(1, len(key))
        facts = x.facts.tolist()
        return Found(key, slots, value, x.layout, facts, run.kinds(), run.seconds, each, run.peak)

    # --- how far it is -----------------------------------------------------------------------------------------------
    def done(self, here: int) -> tuple[int, int]:
        """Positions that were solved, and that were found."""
        if self.phase == FORWARD:
            return 0, sum(self.sizes) + here
        total = sum(self.sizes)
        return min(total, sum(self.sizes[self.at + 1 :]) + here), total

    def words(self) -> str:
        what = "finding" if self.phase == FORWARD else "solving"
        return f"{what} layer {self.at + 1} of {len(self.entries)}{' or more' if self.phase == FORWARD else ''}"

    # --- to be kept and found again ----------------------------------------------------------------------------------
    def state(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in ("phase", "width", "at", "known", "sizes", "untils")}
        return plain | {"sums": {str(k): v for k, v in self.sums.items()}, "lengths": [len(e) for e in self.entries]}

    def restore(self, state: dict[str, Any], entries: np.ndarray) -> None:
        for name in ("phase", "width", "at", "known", "sizes", "untils"):
            setattr(self, name, state[name])
        self.sums = {int(k): v for k, v in state["sums"].items()}
        self.entries = np.split(entries, np.cumsum(state["lengths"])[:-1]) if state["lengths"] else []
        waiting = np.ones(self.known, bool)
        waiting[entries] = False
        for level in np.unique(self.space.x.later.level[: self.known][waiting]).tolist():
            mine = waiting & (self.space.x.later.level[: self.known] == level)
            self.buckets[level] = [np.flatnonzero(mine)]
            heapq.heappush(self.levels, level)
