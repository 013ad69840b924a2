"""Solved boards, kept in a folder as `values.npy`, which is mapped into memory, and `solution.json`.

The table has the mover's value for all owners and dice: at the start of its turn, and where it may end the turn; there
for each number of captured dice if these count. For own wins it has wins and losses, and `policy.npy` has the moves. So
any question is answered by a few lookups.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hazard.agents.seating import as_memory
from hazard.errors import BadInput
from hazard.files import replacing
from hazard.games.dice_of_doom.solver.memory import kept_kind
from hazard.games.dice_of_doom.solver.value_table import ValueTable, place_of
from hazard.games.dice_of_doom.solver.worth import captured
from hazard.games.dice_of_doom.tiles import CAPTURED, CHOSEN
from hazard.rulebook import Game, Position, make_game
from hazard.solving.solution import SIGN, Advice, Bounds, Solution, finish, ranked
from hazard.solving.tables import Table

REMEMBERED = 100_000  # positions that are not in the table, but whose values are remembered
EQUAL = 1e-9  # wins that differ by no more are equal for those who play for own wins; see `own_win`


@dataclass(frozen=True)
class Doom(Solution):
    """The values of a solved board; every value is within `error` of the truth."""

    game: Game
    table: Table  # [place in the turn, own mask, dice], of own-win [win or lose, place in the turn, ...]
    meta: dict[str, Any]
    moves: Table | None = None  # of own-win: [place in the turn, own mask, dice]

    @cached_property
    def _known(self) -> dict[Any, tuple[float, float]]:
        return {}

    @property
    def policy(self) -> np.ndarray:
        """What the agent `optimal` reads: the bytes of the values, or of the moves."""
        return as_memory((self.table if self.moves is None else self.moves).whole)

    @property
    def values(self) -> np.ndarray:
        """What `worth` reads: the bytes of the table."""
        return as_memory(self.table.whole)

    def tables(self) -> Mapping[str, np.ndarray]:
        return {"values": self.table.whole} | ({} if self.moves is None else {"policy": self.moves.whole})

    def bounds(self, position: Position) -> Bounds:
        """For each player the lower and the upper bound."""
        value, spread = self.value(position), 0.0 if position.over else self.error
        return tuple(max(0.0, v - spread) for v in value), tuple(min(1.0, v + spread) for v in value)

    def value(self, position: Position) -> tuple[float, float]:
        """What each player can expect: with own-win the probability that it wins."""
        return self._worth(position.state)

    def outlook(self, position: Position) -> tuple[float, float, float]:
        """With own-win the probabilities that the mover wins, loses and ties."""
        if self.moves is None:
            raise BadInput("objective=zero-sum: wins and ties are counted together; take objective=own-win")
        both = self._worth(position.state)
        win, lose = both[position.mover], both[1 - position.mover]
        return win, lose, max(0.0, 1.0 - win - lose)

    def _worth(self, s: Any) -> tuple[float, float]:
        """Each player's value. Dice in the air and dice to be placed are followed to positions of the table."""
        g, rules = self.game.table, self.game.rules
        if rules.over(g, s):
            return self._paid(s)
        if s.phase in (rules.OPEN, rules.AGAIN):
            return self._looked_up(s)
        if s in self._known:
            return self._known[s]
        if ways := rules.chance(g, s):
            weights = [int(rules.weight(g, s, i)) for i in range(ways)]
            after = [self._worth(rules.land(g, s, i)) for i in range(ways)]
            both = _mean(weights, [a for a, _ in after]), _mean(weights, [b for _, b in after])
        else:
            both = self._best([self._worth(rules.move(g, s, m)) for m in Position(self.game, s).legal()], s.mover)
        if len(self._known) > REMEMBERED:
            self._known.clear()
        self._known[s] = both
        return both

    def _best(self, options: list[tuple[float, float]], mover: int) -> tuple[float, float]:
        """The first option that the mover likes best."""
        margin = 0.0 if self.moves is None else EQUAL
        most = max(option[mover] for option in options)
        return next(option for option in options if option[mover] >= most - margin)

    def _paid(self, s: Any) -> tuple[float, float]:
        first = float(self.game.rules.payoff(self.game.table, s, 0))
        return (first, 1.0 - first) if self.moves is None else (float(first == 1.0), float(first == 0.0))

    def _looked_up(self, s: Any) -> tuple[float, float]:
        g, rules = self.game.table, self.game.rules
        at = int(s.phase == rules.AGAIN) * (1 + int(captured(g, s)))
        where = at, *place_of(self.game, s)
        if self.moves is not None:
            mine, other = (float(self.table.at((which, *where))) for which in (0, 1))
        else:
            mine = float(self.table.at(where))
            other = 1.0 - mine
        return (mine, other) if s.mover == 0 else (other, mine)

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        position.check_decision()
        rows = []
        for name, m in zip(position.moves, position.legal(), strict=True):
            value = self._worth(self.game.rules.move(self.game.table, position.state, m))[position.mover]
            rows.append((name, value, max(0.0, value - self.error), min(1.0, value + self.error)))
        return ranked(rows, "exact")


def _mean(weights: list[int], values: list[float]) -> float:
    return sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)


def save(folder: Path, game: Game, table: ValueTable, meta: dict[str, Any]) -> tuple[float, float]:
    """Write a solution, replacing an older one when it is complete; the sums of its two tables.

    Large tables are kept in single precision, which adds to the error.
    """
    kind = kept_kind(table.boards)
    meta["error"] += 0.0 if kind == np.float64 else float(np.finfo(np.float32).eps)
    with replacing(folder, SIGN) as aside:
        with (aside / "values.npy").open("wb") as file:
            header = {"descr": kind.str, "fortran_order": False, "shape": (2, table.masks, table.size)}
            np.lib.format.write_array_header_1_0(file, header)
            file.flush()
            begin, size = file.tell(), table.size * kind.itemsize

            def put(which: int, mask: int, values: np.ndarray) -> None:
                place = begin + (which * table.masks + mask) * size
                os.pwrite(file.fileno(), values.astype(kind, copy=False).data, place)

            starts, later = table.write(put)
        meta |= {"mean": (starts + later) / (2 * table.boards), "mean_first_attack": starts / table.boards}
        finish(aside, game, meta)
    return starts, later


def effort(sweeps: int, proof_sweeps: int, seconds: float, boards_per_second: float) -> dict[str, Any]:
    """What a solve took, for its meta."""
    return {
        "sweeps": sweeps,
        "proof_sweeps": proof_sweeps,
        "seconds": seconds,
        "boards_per_second": boards_per_second,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


@contextmanager
def keeping(
    folder: Path, game: Game, shape: tuple[int, ...], meta: dict[str, Any]
) -> Iterator[tuple[np.ndarray, Path]]:
    """An array for values in double precision and the folder it is in, which takes its place when all is written.

    What is added to `meta` in the meantime is written too.
    """
    with replacing(folder, SIGN) as aside:
        out = np.lib.format.open_memmap(aside / "values.npy", "w+", np.float64, shape)
        yield out, aside
        out.flush()
        finish(aside, game, meta)


def opened(game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Doom:
    """The solution whose tables these are."""
    shapes = {"values": _shape(game)} | ({"policy": _moves_shape(game)} if game.g.own_win else {})
    if {name: table.shape for name, table in tables.items()} != shapes:
        raise ValueError("its tables are not those described")
    return Doom(game, tables["values"], meta, tables.get("policy"))


def _places(game: Game) -> int:
    """Places in a turn: its start, and where it may be ended, for each number of captured dice that counts."""
    return game.table.tiles + 3 if game.table.reinforcement == CAPTURED else 2


def _shape(game: Game) -> tuple[int, ...]:
    tiles = game.table.tiles
    shape = _places(game), 1 << tiles, game.table.max_dice**tiles
    return (2, *shape) if game.table.own_win else shape


def _moves_shape(game: Game) -> tuple[int, ...]:
    """Moves by place in the turn, and then by dice still to be placed, where these are placed by choice."""
    g = game.table
    return _places(game) + (g.tiles if g.reinforcement == CHOSEN else 0), 1 << g.tiles, g.max_dice**g.tiles


def boards_of(game: Game) -> int:
    """How many boards a solve works on, as a measure of the time it takes."""
    g = game.g
    return (2 * g.max_dice) ** g.tiles * (_places(game) - 1) * (2 if g.own_win else 1)


@lru_cache(maxsize=64)
def without_limit(game: Game) -> Game:
    """The game as it is solved: the solver knows no limit of turns."""
    return make_game(game.name, game.parameters | {"turns": 0})
