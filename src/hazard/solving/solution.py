"""A solved game: asked for values and moves, and kept in a folder that later runs map into memory.

The folder holds `low.npy`, what each seat is sure of at every opening, and `solution.json`, which says what was solved,
with which rules, how exactly, and the checksum of the table. It is written aside and renamed when complete.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard import dice
from hazard.contract import purse, size, span, state
from hazard.errors import BadInput
from hazard.files import digest, replacing
from hazard.jit import cache_home, rule
from hazard.rulebook import Game, Position, make_game
from hazard.solving.turns import BEST, Play, Work, expect, options, turn

FORMAT = 1
SIGN = "solution.json"  # the file that marks a folder as a solution
KEPT = 64  # rebuilt turns
CHECKED = 64 << 20  # tables up to this many bytes are checked against their checksum whenever they are loaded


class Advice(NamedTuple):
    """A legal move and what it is worth to the mover."""

    move: str
    value: float
    lower: float
    upper: float
    cost: float  # how much less than the best move
    known: str  # exact


@rule
def fill_policy(g: Any, play: Any, w: Any, table: Any) -> None:
    """The best move of every decision, at table[opening, step]."""
    for i in range(table.shape[0]):
        turn(g, state(g, i), play, 0.0, Work(w.low, w.slot, w.mark, table[i], w.buf, w.q, w.moves))


@dataclass(frozen=True)
class Solution:
    """The values of a game, certified: every value is between `lower` and `upper`."""

    game: Game
    low: np.ndarray  # low[i, r]: what the seat r places after the mover of opening i is sure of
    meta: dict[str, Any]

    @property
    def error(self) -> float:
        """No value is further than this from the truth."""
        return self.meta["error"]

    @cached_property
    def _play(self) -> Play:
        selfish = self.game.seats > 2
        return Play(np.full(self.game.seats, BEST), selfish, ((),) * self.game.seats, dice.stream(0))

    @cached_property
    def _turns(self) -> dict[int, Work]:
        return {}

    def _work(self, position: Position) -> Work:
        """Scratch arrays in which the turn of a position has been rebuilt; the latest ones are kept."""
        from hazard.solving.solver import workspace

        number = int(self.game.rules.index(self.game.g, position.state))
        if number in self._turns:
            return self._turns[number]
        if self.meta["seats"] != ["best"] * self.game.seats:
            raise BadInput("this table evaluates fixed agents; only values at the start of a turn can be asked for")
        w = workspace(self.game, self.low)._replace(slot=_NoSlots())
        opening = self.game.rules.stage(self.game.g, position.state, 0)
        self.game.plain(turn)(self.game.g, opening, self._play, 0.0, w)
        while len(self._turns) >= KEPT:
            self._turns.pop(next(iter(self._turns)))
        self._turns[number] = w
        return w

    def _sure(self, position: Position) -> np.ndarray:
        """What each seat is sure of."""
        game, g, s = self.game, self.game.g, position.state
        if position.over:
            return np.array(position.payoffs)
        if game.rules.step(g, s) == 0 and not position.rolling:
            shift = [(p - s.mover) % game.seats for p in range(game.seats)]
            return self.low[game.rules.index(g, s), shift]
        w = self._work(position)
        if position.rolling:
            game.plain(expect)(g, s, w.low, w.slot, w.mark, w.buf, w.q)
            return w.q[:, 0].copy()
        return w.buf[game.rules.step(g, s), :, 0].copy()

    def bounds(self, position: Position) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """For each seat the lower and the upper bound."""
        sure = self._sure(position)
        upper = self.game.plain(purse)(self.game.g) - (sure.sum() - sure)
        return tuple(float(x) for x in sure), tuple(float(x) for x in np.maximum(upper, sure))

    def value(self, position: Position) -> tuple[float, ...]:
        """What each seat can expect: the middle between the bounds."""
        lower, upper = self.bounds(position)
        return tuple((a + b) / 2 for a, b in zip(lower, upper, strict=True))

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        position.check_decision()
        game, w, m = self.game, self._work(position), position.mover
        values = np.zeros((game.rules.fanout(game.g), game.seats, 1))
        count = game.plain(options)(game.g, position.state, w, values)
        total = game.plain(purse)(game.g)
        rows = []
        for n, name in zip(range(count), position.moves, strict=True):
            lower = float(values[n, m, 0])
            upper = max(lower, float(total - (values[n, :, 0].sum() - values[n, m, 0])))
            rows.append((name, (lower + upper) / 2, lower, upper))
        rows.sort(key=lambda row: -row[1])
        return [Advice(*row, cost=rows[0][1] - row[1], known="exact") for row in rows]

    def move(self, position: Position) -> str:
        """The best move."""
        return self.advise(position)[0].move

    @cached_property
    def policy(self) -> np.ndarray:
        """policy[i, k]: the best move, as a number, at step k of the turn of opening i."""
        from hazard.solving.solver import padded, workspace

        game = self.game
        table = np.zeros((int(game.plain(size)(game.g)), int(game.plain(span)(game.g))), np.uint8)
        play = self._play._replace(memory=padded([]))
        w = workspace(game, np.ascontiguousarray(self.low))._replace(slot=np.full(len(self.low), -1, np.int64))
        game.compiled(fill_policy)(game.g, play, w, table)
        return table

    # --- keeping -------------------------------------------------------------------------------------------------
    def save(self, folder: Path) -> Path:
        """Write the solution; an older one in that place is replaced when the new one is complete."""
        with replacing(folder, SIGN) as aside:
            np.save(aside / "low.npy", self.low)
            meta = self.meta | {"format": FORMAT, "sha256": digest(aside / "low.npy")}
            (aside / SIGN).write_text(json.dumps(meta, indent=1))
        return folder

    @classmethod
    def load(cls, folder: Path) -> Solution:
        """Map a stored solution into memory; one made by other rules, or damaged, is refused."""
        try:
            meta = json.loads((folder / SIGN).read_text())
            low = np.load(folder / "low.npy", mmap_mode="r")
            game = make_game(meta["game"], meta["parameters"])
            _refuse_damage(folder, meta, low)
        except BadInput:
            raise
        except FileNotFoundError:
            raise BadInput(f"{folder}: no solution is stored there") from None
        except (OSError, ValueError, KeyError, TypeError, EOFError) as problem:
            raise BadInput(f"{folder}: the solution is damaged ({problem}); solve again") from None
        if meta["rules"] != game.version:
            raise BadInput(
                f"{folder}: made with rules {meta['rules']} of {game.name}, but these are {game.version}; solve again"
            )
        return cls(game, low, meta)


class _NoSlots:
    """No opening belongs to a layer at hand."""

    def __getitem__(self, i: int) -> int:
        return -1


def _refuse_damage(folder: Path, meta: dict[str, Any], low: np.ndarray) -> None:
    if meta["format"] != FORMAT:
        raise BadInput(f"{folder}: format {meta['format']}, but this program reads format {FORMAT}; solve again")
    if low.ndim != 2 or low.dtype != np.float64 or low.shape != (meta["openings"], len(meta["seats"])):
        raise BadInput(f"{folder}: the table is not the one described in solution.json; solve again")
    if low.nbytes <= CHECKED and digest(folder / "low.npy") != meta["sha256"]:
        raise BadInput(f"{folder}: the table does not match its checksum; solve again")


def stored_at(game: Game) -> Path:
    """Where a game's solution is kept unless told otherwise."""
    text = json.dumps([game.name, game.parameters, game.version], sort_keys=True)
    return cache_home() / "solutions" / f"{game.name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
