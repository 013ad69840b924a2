"""Runs the search and the solving of components side by side: owns all arrays, and enlarges those that are full."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.certify import not_proven
from hazard.solving.enumerated import search as found
from hazard.solving.enumerated.components import HARD, LARGE, MOST_HEADS, solve_components
from hazard.solving.enumerated.faults import explain, named, steps
from hazard.solving.enumerated.large import Component, compiled, room_for
from hazard.solving.enumerated.packing import Layout, TooWide, fields, first_layout, repacked, widened
from hazard.solving.enumerated.search import COUNTS, CURRENT, N_NODES, N_OPEN, N_SENT, Rows, Search
from hazard.solving.solution import Progress

MOST_BYTES = 12 << 30
MOST_NODES = (1 << 31) - 2
FIRST_NODES, FIRST_OPEN, FIRST_STREAM = 1 << 12, 1 << 10, 1 << 15
LARGE_TABLE = 1 << 22  # nodes from which on tables grow more slowly
BUDGET, AT_ONCE = 1 << 12, 0.2  # nodes of the first call of the search; seconds of a call, which cannot be interrupted
SMALL = 1 << 16  # nodes of a component that Newton's method is tried on
SLOPES = 1 << 22  # derivatives that it may need


class Found(NamedTuple):
    """All nodes of a game, solved."""

    key: np.ndarray
    slots: np.ndarray
    value: np.ndarray  # bounds of what seat 0 gets
    layout: Layout
    constant: float  # what the payoffs of two seats add up to
    apart: float  # how far any end is from that
    scale: float  # the largest payoff or gain
    components: dict[str, int]  # how many of each kind
    seconds: float
    bytes_each: float  # of memory that a node takes


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


def longer(table: np.ndarray, size: int) -> np.ndarray:
    """The same table with room for more."""
    larger = np.empty((size, *table.shape[1:]), table.dtype)
    larger[: len(table)] = table
    return larger


class Run:
    """One game that is searched and solved."""

    def __init__(self, game: Game, tolerance: float) -> None:
        self.game, self.tolerance, self.most = game, tolerance, free_bytes()
        self.gains = "gain" in game.contract
        self.start = game.ask("canonical", game.ask("start"))
        self.n = np.zeros(COUNTS, np.int64)
        self.n[CURRENT] = -1
        self.budget = BUDGET
        self.swept = 0  # components that were too large or too hard for Newton's method
        self.kernel, self.solver = game.compiled(found.search), compiled(solve_components)
        self.room = room_for(SMALL, MOST_HEADS, SLOPES)
        self.x = self._first()

    def _first(self) -> Search:
        game, open_, stream = self.game, FIRST_OPEN, FIRST_STREAM
        layout, fanout = first_layout(self.start), int(game.ask("fanout"))
        purse = float(game.ask("purse")) if "purse" in game.contract else np.nan
        narrow = np.int32
        return Search(
            key=np.zeros((FIRST_NODES, layout.words), np.int64),
            slots=np.full(2 * FIRST_NODES, -1, narrow),
            place=np.full(FIRST_NODES, found.DONE, narrow),
            value=np.zeros((FIRST_NODES, 2)),
            ends=np.full(64, -1, narrow),
            layout=layout,
            numbers=np.zeros(len(self.start), np.int64),
            moves=np.zeros(2 * fanout + 1024, np.int64),
            fanout=fanout,
            players=game.seats,
            stack=rows_for(open_, 8 * open_, 32 * open_, self.gains),
            **{name: np.zeros(open_, narrow) for name in ("node", "parent", "least", "finished", "rank")},
            cursor=np.zeros(open_, np.int64),
            stream=rows_for(stream, 8 * stream, 16 * stream, self.gains),
            sent=np.zeros(stream, narrow),
            components=np.zeros(stream, np.int64),
            facts=np.array([purse, 0.0, 0.0]),
        )

    # --- the loop ----------------------------------------------------------------------------------------------------
    def run(self, progress: Progress | None) -> Found:
        """Find and solve everything."""
        self._compile()
        began = time.perf_counter()
        if not self.game.ask("over", self.start):
            self._pack_start()
        while (status := self._search()) != found.EVERYTHING:
            if status == found.STREAM:
                self._flush()
            elif status == found.SPILL:
                self._widen()
            elif status == found.FAULT:
                raise explain(self.game, self._expanded(), float(self.x.facts[found.CONSTANT]))
            elif status != found.PAUSE:
                self._grow(status)
            if progress:
                progress(int(self.n[N_NODES] - self.n[N_OPEN]), int(self.n[N_NODES]))
        self._solve_stream()
        if progress:
            progress(int(self.n[N_NODES]), int(self.n[N_NODES]))
        return self._found(time.perf_counter() - began)

    def _compile(self) -> None:
        self._search()  # nothing is there to be searched yet
        self._solve_stream()
        compiled(found.fill_slots)(self.x.key, self.x.place, self.x.slots, 0)
        compiled(found.drop_ends)(self.x.key, self.x.place, self.x.value, self.x.slots, 0)

    def _search(self) -> int:
        began = time.perf_counter()
        status = int(self.kernel(self.game.table, self.x, self.n, self.budget))
        if status == found.PAUSE:
            self.budget = max(1, self.budget * 2 if time.perf_counter() - began < AT_ONCE else self.budget // 2)
        return status

    def _pack_start(self) -> None:
        self.x.place[0], self.n[N_NODES] = found.UNSEEN, 1
        layout = self.x.layout
        a, b, _ = self.game.plain(contract.pack)(self.start, *layout)
        self.x.key[0] = (a, b)[: layout.words]
        self._fill_slots()

    def _fill_slots(self) -> None:
        compiled(found.fill_slots)(self.x.key, self.x.place, self.x.slots, int(self.n[N_NODES]))

    def _found(self, seconds: float) -> Found:
        x, solved = self.x, self.room.solved.tolist()
        kept = int(compiled(found.drop_ends)(x.key, x.place, x.value, x.slots, int(self.n[N_NODES])))
        kinds = {"acyclic": solved[0], "newton": solved[1], "swept": self.swept}
        constant, apart, scale = x.facts.tolist()
        return Found(
            x.key[:kept], x.slots, x.value[:kept], x.layout, constant, apart, scale, kinds, seconds, self._bytes_each()
        )

    def _bytes_each(self) -> float:
        """Memory for each node outside the component at hand; room that was never touched takes none."""
        x = self.x
        each = sum(table.nbytes / len(table) for table in (x.key, x.place, x.value))
        return each + x.slots.nbytes / max(int(self.n[N_NODES]), 1)

    # --- solving -----------------------------------------------------------------------------------------------------
    @property
    def enough(self) -> float:
        """How close bounds of a component must be; payoffs above 1 have the tolerance for their unit."""
        return self.tolerance * max(1.0, float(self.x.facts[found.LARGEST]))

    def _solve_stream(self) -> None:
        """Solve all components of the stream, and empty it."""
        x, n, done = self.x, self.n, 0
        count = int(n[found.SENT_COMPONENTS])
        while True:
            done, why = self.solver(x.stream, x.sent, x.components, done, count, x.value, self.room)
            if why not in (HARD, LARGE):
                break
            self._solve_large(int(x.components[done]), int(x.components[done + 1]))
            done += 1
        for name in (found.SENT_COMPONENTS, found.SENT_OUTCOMES, found.SENT_OPTIONS, N_SENT):
            n[name] = 0

    def _solve_large(self, first: int, last: int) -> None:
        x = self.x
        scale = max(float(x.facts[found.LARGEST]), 1e-290)
        component = Component(x.stream, first, last - first, x.value, scale)
        self.swept += 1
        if component.solve(self.enough):
            x.value[x.sent[first:last]] = component.room.bounds
            return
        stays = component.stalling()
        if stays < 0:
            gap = component.room.bounds[:, 1] - component.room.bounds[:, 0]
            raise not_proven(self.tolerance, float(gap.max()) if component.exits else None, 0)
        where = named(self.game, self._state(int(x.sent[first + stays])))
        raise BadInput(
            f"{self.game.describe()}: play need never end: from {where} on it can be put off for ever, "
            "and no value holds whatever that counts; change the rules so that play ends, e.g. by a limit of turns"
        )

    def _flush(self) -> None:
        """Solve what is in the stream, which then has room; or enlarge it for a component that is larger than it."""
        x, n = self.x, self.n
        if n[found.SENT_COMPONENTS]:
            self._solve_stream()
            return
        nodes, outcomes, options = int(n[N_OPEN]), int(n[found.N_OUTCOMES]), int(n[found.N_OPTIONS])
        self._claim(8 * (nodes + 2) + 12 * outcomes + 4 * options)
        rows = rows_for(nodes + 2, outcomes, options, self.gains)
        self.x = x._replace(stream=rows, sent=np.zeros(nodes + 2, np.int32))

    # --- room --------------------------------------------------------------------------------------------------------
    def _tables(self) -> list[np.ndarray]:
        parts = [*self.x, *self.x.stack, *self.x.stream, *self.room]
        return [part for part in parts if isinstance(part, np.ndarray)]

    def _claim(self, more: int) -> None:
        """Refuse to take more memory than allowed."""
        taken = sum(table.nbytes for table in self._tables())
        if taken + more <= self.most and int(self.n[N_NODES]) < MOST_NODES:
            return
        nodes, open_ = int(self.n[N_NODES]), int(self.n[N_OPEN])
        raise BadInput(
            f"{self.game.describe()}: {nodes:,} positions were found so far, {open_:,} of them in play that is not "
            f"finished; {(taken + more) / 2**30:.1f} GiB would be needed, of {self.most / 2**30:.1f} GiB that may be "
            f"used; {self._growing()}take smaller parameters, or say which positions are worth the same (`canonical`)"
        )

    def _growing(self) -> str:
        """The fields that seem to grow without end, in words."""
        nodes = int(self.n[N_NODES])
        rows = fields(self.x.key[:nodes], self.x.layout)[self.x.place[:nodes] != found.ENDED]
        half, ranges = np.ptp(rows[: len(rows) // 2], axis=0), np.ptp(rows, axis=0)
        names = type(self.start)._fields
        grows = [f"`{names[k]}` (up to {rows[:, k].max():,})" for k in np.flatnonzero(ranges > 1.5 * half + 1000)]
        return f"{', '.join(grows)} may grow without end: put a limit on it; or " if grows else ""

    def _grow(self, status: int) -> None:
        """Enlarge what is full."""
        x, double = self.x, 2 * len(self.x.node)
        if status == found.NODES:
            self._grow_nodes()
        elif status == found.ENDS:
            self.x = x._replace(ends=np.full(4 * len(x.ends), -1, np.int32))
            compiled(found.fill_ends)(x.value, x.place, self.x.ends, int(self.n[N_NODES]))
        elif status == found.OPEN:
            self._enlarge(double, "node", "parent", "least", "finished", "rank", "cursor")
            self._enlarge_rows(double + 1, "first", "begin")
        elif status == found.OUTCOMES:
            self._enlarge_rows(2 * len(x.stack.weight), "weight", "options")
        else:
            names = ("target", "gain") if self.gains else ("target",)
            self._enlarge_rows(2 * len(x.stack.target) + x.fanout, *names)

    def _enlarge(self, size: int, *names: str) -> None:
        tables = {name: getattr(self.x, name) for name in names}
        self._claim(sum(size * table.nbytes // len(table) for table in tables.values()))
        larger: dict[str, Any] = {name: longer(table, size) for name, table in tables.items()}
        self.x = self.x._replace(**larger)

    def _enlarge_rows(self, size: int, *names: str) -> None:
        tables = {name: getattr(self.x.stack, name) for name in names}
        self._claim(size * sum(table.itemsize for table in tables.values()))
        larger: dict[str, Any] = {name: longer(table, size) for name, table in tables.items()}
        self.x = self.x._replace(stack=self.x.stack._replace(**larger))

    def _grow_nodes(self) -> None:
        size = len(self.x.place)
        size = min(size * 2 if size < LARGE_TABLE else size * 3 // 2, MOST_NODES)
        self._enlarge(size, "key", "place", "value")
        if 4 * size > 3 * len(self.x.slots):
            self._claim(2 * self.x.slots.nbytes)
            self.x = self.x._replace(slots=np.full(2 * len(self.x.slots), -1, np.int32))
            self._fill_slots()

    # --- positions ---------------------------------------------------------------------------------------------------
    def _state(self, node: int) -> Any:
        return type(self.start)(*fields(self.x.key[node : node + 1], self.x.layout)[0].tolist())

    def _expanded(self) -> Any:
        """The position that was being expanded when the search returned."""
        current = int(self.n[CURRENT])
        return self._state(int(self.x.stack.target[self.x.cursor[current]]) if current >= 0 else 0)

    def _widen(self) -> None:
        """Make room for the fields of all positions that the one at hand leads to."""
        x, game, layout = self.x, self.game, self.x.layout
        try:
            for step in steps(game, self._expanded()):
                if not game.ask("over", step.after):
                    layout = widened(layout, game.ask("canonical", step.after))
        except TooWide:
            bits = dict(zip(type(self.start)._fields, layout.bits.tolist(), strict=True))
            widest = ", ".join(f"`{name}` {n}" for name, n in sorted(bits.items(), key=lambda item: -item[1])[:3])
            raise BadInput(
                f"{game.describe()}: the numbers of a position do not fit into 126 bits (most are taken by {widest}); "
                "a field that grows without end needs a limit"
            ) from None
        nodes = int(self.n[N_NODES])
        key = np.zeros((len(x.key), layout.words), np.int64)
        key[:nodes] = repacked(x.key[:nodes], x.layout, layout)
        self.x = x._replace(key=key, layout=layout)
        self._fill_slots()
