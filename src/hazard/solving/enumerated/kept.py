"""Keeps a search on the disk from time to time, so that it goes on after it was stopped, however that came about.

A checkpoint is a folder beside the solution's, with the same name and `.partial`. It is written aside and takes the
place of the last one when it is complete. Values in it count as proven, so it has checksums, and one that other rules
or another solver have made is refused.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hazard.errors import BadInput
from hazard.files import replacing
from hazard.rulebook import Game
from hazard.solving.enumerated import search as found
from hazard.solving.enumerated.packing import Layout
from hazard.solving.enumerated.search import CURRENT, N_NODES, N_OPEN, N_SENT, Later, Rows
from hazard.solving.enumerated.space import FIRST_NODES, STACK, Space, slots_for
from hazard.solving.solution import heading

if TYPE_CHECKING:
    from hazard.solving.enumerated.run import Run

FIRST = 120.0  # seconds before the first checkpoint
SHARE = 0.05  # of the time that may go into writing them
SIGN = "checkpoint.json"


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Kept:
    """Where a search is kept."""

    def __init__(self, solution: Path, game: Game) -> None:
        self.folder = solution.with_name(solution.name + ".partial")
        self.tables = solution.with_name(solution.name + ".tables")  # values of layers that are solved
        self.game, self.due = game, time.monotonic() + FIRST

    def keep(self, run: Run, bounds: np.ndarray | None = None, now: bool = False) -> None:
        """Write a checkpoint if one is due."""
        began = time.monotonic()
        if began < self.due and not now:
            return
        tables = dict(_tables(run.space)) | ({} if bounds is None else {"bounds": bounds})
        if run.layers:
            tables["entries"] = np.concatenate([np.zeros(0, np.int64), *run.layers.entries])
        with replacing(self.folder, SIGN) as aside:
            for name, table in tables.items():
                np.save(aside / f"{name}.npy", table)
            sums = {path.stem: digest(path) for path in aside.glob("*.npy")}
            (aside / SIGN).write_text(json.dumps(heading(self.game) | _state(run) | {"sha256": sums}, indent=1))
        ended = time.monotonic()
        self.due = ended + max(FIRST, (ended - began) / SHARE)

    def restore(self, run: Run) -> bool:
        """Go on from the last checkpoint, if there is one."""
        if not (self.folder / SIGN).exists():
            return False
        try:
            state = json.loads((self.folder / SIGN).read_text())
            self._check(state)
            tables = {name: self._table(name, known) for name, known in state["sha256"].items()}
            _fill(run.space, state, tables)
            _resume(run, state, tables)
        except BadInput:
            raise
        except (OSError, ValueError, KeyError, TypeError, EOFError) as problem:
            raise BadInput(f"{self.folder}: the checkpoint is damaged ({problem}); remove it to start again") from None
        return True

    def _check(self, state: dict[str, Any]) -> None:
        for key, mine in heading(self.game).items():
            if state[key] != mine:
                raise BadInput(
                    f"{self.folder}: a checkpoint with {key} {state[key]}, but this is {mine}; remove it to start again"
                )

    def _table(self, name: str, known: str) -> np.ndarray:
        path = self.folder / f"{name}.npy"
        if digest(path) != known:
            raise ValueError(f"{path.name} does not match its checksum")
        return np.load(path, mmap_mode="r")

    def remove(self) -> None:
        for folder in (self.folder, self.tables):
            shutil.rmtree(folder, ignore_errors=True)


# --- what is kept ----------------------------------------------------------------------------------------------------
def _used(space: Space) -> dict[str, int]:
    """How much of each table is in use."""
    n, later = space.n, int(space.x.later.total[0])
    used = dict.fromkeys(("key", "place", "value"), int(n[N_NODES])) | dict.fromkeys(STACK, int(n[N_OPEN]))
    used |= {"sent": int(n[N_SENT]), "components": int(n[found.SENT_COMPONENTS]) + 1, "facts": 3, "until": 1}
    used |= {f"later.{name}": later for name in ("key", "value", "level")}
    for rows, nodes, outcomes, options in (
        ("stack", N_OPEN, found.N_OUTCOMES, found.N_OPTIONS),
        ("stream", N_SENT, found.SENT_OUTCOMES, found.SENT_OPTIONS),
    ):
        used |= dict.fromkeys((f"{rows}.first", f"{rows}.begin"), int(n[nodes]) + 1)
        used |= dict.fromkeys((f"{rows}.weight", f"{rows}.options"), int(n[outcomes]))
        used[f"{rows}.target"], used[f"{rows}.gain"] = int(n[options]), int(n[options]) if space.gains else 0
    return used


def _tables(space: Space) -> Iterator[tuple[str, np.ndarray]]:
    for name, count in _used(space).items():
        part, _, rest = name.partition(".")
        table = getattr(getattr(space.x, part), rest) if rest else getattr(space.x, part)
        yield name, table[:count]


def _state(run: Run) -> dict[str, Any]:
    space = run.space
    return {
        "counts": space.n.tolist(),
        "layout": [part.tolist() for part in space.x.layout],
        "solved": run.room.solved.tolist(),
        "swept": run.swept,
        "peak": run.peak,
        "seconds": run.seconds,
        "finding": run.finding,
        "ends": len(space.x.ends),
        "layers": run.layers.state() if run.layers else None,
    }


# --- and found again -------------------------------------------------------------------------------------------------
def _roomy(table: np.ndarray, least: int) -> np.ndarray:
    """A table with what was kept, and room for more."""
    larger = np.zeros((max(least, len(table) + len(table) // 4 + 2), *table.shape[1:]), table.dtype)
    larger[: len(table)] = table
    return larger


def _exactly(table: np.ndarray, size: int) -> np.ndarray:
    larger = np.zeros(size, table.dtype)
    larger[: len(table)] = table
    return larger


def _fill(space: Space, state: dict[str, Any], tables: dict[str, np.ndarray]) -> None:
    """Set all arrays to what was kept."""
    space.n[:] = state["counts"]
    x, found_so_far, entries = space.x, int(space.n[N_NODES]), len(tables["later.key"])
    first = {name: len(getattr(x, name)) for name in ("key", "place", "value", *STACK, "sent", "components")}
    sizes = {name: max(len(tables[other]) for other in group) for group in _GROUPS for name in group}

    def part(name: str, least: int) -> np.ndarray:
        return _roomy(tables[name], max(least, sizes.get(name, 0) * 5 // 4 + 2))

    plain: dict[str, Any] = {name: part(name, least) for name, least in first.items()}
    rows: dict[str, Any] = {}
    for name, nodes in (("stack", "node"), ("stream", "sent")):
        mine, count = getattr(x, name), len(plain[nodes])
        parts = {field: part(f"{name}.{field}", len(getattr(mine, field))) for field in Rows._fields[2:]}
        ranges = {field: _exactly(tables[f"{name}.{field}"], count + 1) for field in ("first", "begin")}
        rows[name] = Rows(**ranges, **parts if space.gains else parts | {"gain": np.empty(0)})
    later = Later(
        part("later.key", 16), slots_for(entries), part("later.value", 16), part("later.level", 16), np.array([entries])
    )
    layout = Layout(*np.array(state["layout"], np.int64))
    x.facts[:], x.until[:] = tables["facts"], tables["until"]
    ends = np.full(state["ends"], -1, np.int32)
    space.x = x._replace(
        **plain, **rows, later=later, layout=layout, ends=ends, slots=slots_for(max(found_so_far, FIRST_NODES))
    )
    space.fill_slots()
    space.fill_later()
    space.fill_ends()
    assert space.n[CURRENT] < max(1, space.n[N_OPEN])


_GROUPS = (  # tables that are as long as each other
    ("key", "place", "value"),
    STACK,
    ("stack.weight", "stack.options"),
    ("stream.weight", "stream.options"),
    ("later.key", "later.value", "later.level"),
)


def _resume(run: Run, state: dict[str, Any], tables: dict[str, np.ndarray]) -> None:
    from hazard.solving.enumerated.layers import Layers

    run.room.solved[:] = state["solved"]
    run.swept, run.before, run.finding, run.peak = state["swept"], state["seconds"], state["finding"], state["peak"]
    run.bounds = tables.get("bounds")
    if state["layers"]:
        run.layers = Layers(run)
        run.layers.restore(state["layers"], np.array(tables["entries"]))
