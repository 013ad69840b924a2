"""Runs the search and the solving of components side by side; a large game that declares its progress, part by part."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.certify import not_proven
from hazard.solving.enumerated import search as found
from hazard.solving.enumerated.components import HARD, LARGE, MOST_HEADS, solve_components
from hazard.solving.enumerated.faults import explain, named
from hazard.solving.enumerated.kept import Kept
from hazard.solving.enumerated.large import Component, compiled, room_for
from hazard.solving.enumerated.layers import Layers
from hazard.solving.enumerated.packing import Layout
from hazard.solving.enumerated.search import N_NODES, N_OPEN, N_SENT
from hazard.solving.enumerated.space import Space
from hazard.solving.solution import Progress

BUDGET, AT_ONCE = 1 << 12, 0.2  # nodes of the first call of the search; seconds of a call, which cannot be interrupted
SMALL = 1 << 16  # nodes of a component that Newton's method is tried on
SLOPES = 1 << 22  # derivatives that it may need
LAYERED = 1 << 22  # nodes from which on a game is solved in layers, if it declares its progress


class Found(NamedTuple):
    """All nodes of a game, solved."""

    key: np.ndarray
    slots: np.ndarray
    value: np.ndarray  # bounds of what seat 0 gets
    layout: Layout
    facts: list[float]  # what payoffs of two seats add up to, how far any end is from that, the largest payoff or gain
    components: dict[str, int]  # how many of each kind
    seconds: float
    bytes_each: float  # of memory that a node takes
    peak_bytes: int  # of memory that all tables have taken

    @property
    def scale(self) -> float:
        return self.facts[found.LARGEST]


class Run:
    """One game that is searched and solved; if there is a folder, it can be stopped and resumed."""

    def __init__(self, game: Game, tolerance: float, folder: Path | None = None) -> None:
        self.game, self.tolerance, self.space = game, tolerance, Space(game)
        self.budget = BUDGET
        self.swept, self.before, self.peak = 0, 0.0, 0
        self.finding = False  # whether nothing is to be solved yet
        self.kernel, self.solver = game.compiled(found.search), compiled(solve_components)
        self.room = room_for(SMALL, MOST_HEADS, SLOPES)
        self.kept = Kept(folder, game) if folder else None
        self.layers: Layers | None = None
        self.bounds: np.ndarray | None = None  # of the component at hand, as another run has left them
        self.progress: Progress | None = None
        self.interrupts: list[int] = []

    # --- the loop ----------------------------------------------------------------------------------------------------
    def run(self, progress: Progress | None) -> Found:
        """Find and solve everything."""
        self.progress = progress
        self._compile()
        self.began = time.perf_counter()
        with interrupts() as self.interrupts:
            if not (self.kept and self.kept.restore(self)):
                self._begin()
            if self.layers is None and not self.loop():
                self.layers = Layers(self)
            return self.layers.run() if self.layers else self._found()

    @property
    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.began

    def _begin(self) -> None:
        if not self.game.ask("over", self.space.start):
            self.space.begin(self.space.packed_start())

    def loop(self) -> bool:
        """Search and solve until nothing is left; False if that is better done in layers."""
        while (status := self._search()) != found.EVERYTHING:
            if self.layers is None and "progress" in self.game.contract and self.space.n[N_NODES] > LAYERED:
                return False
            self._serve(status)
            self.tell()
        self.solve_stream()
        self.tell()
        return True

    def _serve(self, status: int) -> None:
        """Do what the search has stopped for."""
        space = self.space
        if status == found.STREAM:
            if space.n[found.SENT_COMPONENTS]:
                self.solve_stream()
            else:
                space.enlarge_stream()
        elif status == found.FAULT or (status == found.SPILL and not space.widen()):
            raise explain(self.game, space.expanded(), float(space.x.facts[found.CONSTANT]))
        elif status not in (found.PAUSE, found.SPILL):
            space.grow(status)

    def tell(self) -> None:
        """Say how far it is, and keep it from time to time."""
        space, n = self.space, self.space.n
        self.peak = max(self.peak, space.taken)
        self._watch(None)
        if self.progress is None:
            return
        if self.layers:
            done, total = self.layers.done(int(n[N_NODES] - n[N_OPEN]))
        else:
            done, total = int(n[N_NODES] - n[N_OPEN]), int(n[N_NODES])
        self.progress(done, total)
        if say := getattr(self.progress, "say", None):
            say(self.forecast(total))

    def forecast(self, nodes: int) -> str:
        """What has been found, and what it takes."""
        space, each = self.space, self.space.taken / max(int(self.space.n[N_NODES]), 1)
        pace = nodes / max(self.seconds, 1e-3)
        room = (space.most - space.taken) / each
        text = f"{nodes:,} positions, {space.taken / 2**20:,.0f} of {space.most / 2**20:,.0f} MiB"
        if self.layers:
            return f"{text}; {self.layers.words()}"
        return f"{text}; there is room for {room:,.0f} more, which at this pace take {room / pace / 60:,.0f} min"

    def _compile(self) -> None:
        self._search()  # nothing is there to be searched yet
        self.solve_stream()
        x = self.space.x
        self.space.fill_slots()
        compiled(found.drop_ends)(x.key, x.place, x.value, x.slots, 0)

    def _search(self) -> int:
        began = time.perf_counter()
        status = int(self.kernel(self.game.table, self.space.x, self.space.n, self.budget))
        if status == found.PAUSE:
            self.budget = max(1, self.budget * 2 if time.perf_counter() - began < AT_ONCE else self.budget // 2)
        return status

    def kinds(self) -> dict[str, int]:
        solved = self.room.solved.tolist()
        return {"acyclic": solved[0], "newton": solved[1], "swept": self.swept}

    def _found(self) -> Found:
        x, each = self.space.x, self.space.bytes_each()
        kept = int(compiled(found.drop_ends)(x.key, x.place, x.value, x.slots, int(self.space.n[N_NODES])))
        return Found(
            x.key[:kept],
            x.slots,
            x.value[:kept],
            x.layout,
            x.facts.tolist(),
            self.kinds(),
            self.seconds,
            each,
            self.peak,
        )

    # --- solving -----------------------------------------------------------------------------------------------------
    @property
    def enough(self) -> float:
        """How close bounds of a component must be; payoffs above 1 have the tolerance for their unit."""
        return self.tolerance * max(1.0, float(self.space.x.facts[found.LARGEST]))

    def solve_stream(self) -> None:
        """Solve all components of the stream, and empty it."""
        x, n, done = self.space.x, self.space.n, 0
        count = 0 if self.finding else int(n[found.SENT_COMPONENTS])
        while True:
            done, why = self.solver(x.stream, x.sent, x.components, done, count, x.value, self.room)
            if why not in (HARD, LARGE):
                break
            self._solve_large(int(x.components[done]), int(x.components[done + 1]))
            done += 1
        for name in (found.SENT_COMPONENTS, found.SENT_OUTCOMES, found.SENT_OPTIONS, N_SENT):
            n[name] = 0

    def _solve_large(self, first: int, last: int) -> None:
        x = self.space.x
        scale = max(float(x.facts[found.LARGEST]), 1e-290)
        component = Component(x.stream, first, last - first, x.value, scale, self._watch)
        begin, self.bounds = self.bounds, None
        self.swept += 1
        if component.solve(self.enough, begin if begin is not None and len(begin) == last - first else None):
            x.value[x.sent[first:last]] = component.room.bounds
            return
        stays = component.stalling()
        if stays < 0:
            gap = component.room.bounds[:, 1] - component.room.bounds[:, 0]
            raise not_proven(self.tolerance, float(gap.max()) if component.exits else None, 0)
        where = named(self.game, self.space.state(int(x.sent[first + stays])))
        raise BadInput(
            f"{self.game.describe()}: play need never end: from {where} on it can be put off for ever, "
            "and no value holds whatever that counts; change the rules so that play ends, e.g. by a limit of turns"
        )

    def _watch(self, bounds: np.ndarray | None) -> None:
        """Keep what was found if that is due, and bounds of a component; stop if that was asked for."""
        if self.kept:
            self.kept.keep(self, bounds, now=bool(self.interrupts))
        if self.interrupts:
            raise KeyboardInterrupt


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Ctrl-C is noted in a list, so that work is stopped where it can be kept; a second one stops it at once."""
    noted: list[int] = []

    def note(number: int, frame: Any) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(number)

    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)
