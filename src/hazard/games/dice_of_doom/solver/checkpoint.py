"""Checkpoints of a long solve, so that it can be resumed after it was stopped: the tables, and how far they are.

Any table of the same game will do to begin with, for bounds are proven in the end.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.files import write_whole
from hazard.rulebook import Game

FIRST = 120.0  # seconds before a checkpoint is written
SHARE = 0.05  # of the time that may go into writing them
META = "checkpoint.json"
PROGRESS = "progress.json"  # how far the work is, for people to look at


@dataclass
class Checkpoint:
    """A folder beside the solution's, with the same name and `.partial`."""

    folder: Path
    game: Game
    due: float = field(default_factory=lambda: time.monotonic() + FIRST)

    @classmethod
    def beside(cls, solution: Path, game: Game) -> Checkpoint:
        return cls(solution.with_name(solution.name + ".partial"), game)

    @property
    def _sign(self) -> dict[str, Any]:
        return {"game": self.game.name, "parameters": self.game.parameters, "rules": self.game.version}

    @property
    def size(self) -> int:
        """The bytes that it takes on disk."""
        return sum(file.stat().st_size for file in self.folder.glob("*"))

    def read(self) -> dict[str, Any]:
        """What the last checkpoint says, nothing if there is none; one of another game is refused."""
        try:
            state = json.loads((self.folder / META).read_text())
            sign = {key: state[key] for key in self._sign}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as problem:
            raise BadInput(f"{self.folder}: the checkpoint is damaged ({problem}); remove it to start again") from None
        for key, mine in self._sign.items():
            if sign[key] != mine:
                theirs = _difference(sign[key], mine)
                raise BadInput(
                    f"{self.folder}: a checkpoint with {theirs}; solve that game, or remove the folder to start again"
                )
        return state

    def load(self, name: str, table: np.ndarray) -> bool:
        """Fill a table from the checkpoint, if that has it."""
        path = self.folder / f"{name}.npy"
        if not path.exists():
            return False
        try:
            kept = np.load(path, mmap_mode="r")
            if kept.shape != table.shape or kept.dtype != table.dtype:
                raise ValueError(f"{path.name} is not the table of this game")
        except (OSError, ValueError, EOFError) as problem:
            raise BadInput(f"{self.folder}: the checkpoint is damaged ({problem}); remove it to start again") from None
        np.copyto(table, kept)
        return True

    def keep(self, state: dict[str, Any], tables: dict[str, np.ndarray], now: bool = False) -> None:
        """Write a checkpoint if one is due, or at once if it should be and the work has been long enough."""
        began, begun = time.monotonic(), (self.folder / META).exists()
        if begun:
            write_whole(self.folder / PROGRESS, json.dumps(state, indent=1).encode())
        if began < self.due and not (now and begun):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            aside = self.folder / f".{name}.npy"
            with aside.open("wb") as file:
                np.save(file, table)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, self.folder / f"{name}.npy")
        write_whole(self.folder / META, json.dumps(self._sign | state, indent=1).encode())
        ended = time.monotonic()
        self.due = ended + max(FIRST, (ended - began) / SHARE)

    def mapped(self, name: str, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        """An empty table in a file, mapped into memory."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return np.lib.format.open_memmap(self.folder / f"{name}.npy", "w+", kind, shape)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _difference(theirs: Any, mine: Any) -> str:
    if isinstance(theirs, dict) and isinstance(mine, dict):
        return (
            " ".join(f"{k}={v}, not {mine.get(k)}" for k, v in theirs.items() if mine.get(k) != v) or "other parameters"
        )
    return f"{theirs}, not {mine}"
