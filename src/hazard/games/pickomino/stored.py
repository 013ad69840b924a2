"""Solved games of Pickomino kept in a folder: keys of arrangements, and certified bounds of the mover's value.

`keys.npy`, `lower.npy` and `upper.npy` are mapped into memory when asked; `solution.json` says what was solved, how
exactly, and the checksums of the tables. Within a turn, values are worked out when they are asked for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.files import digest, replacing
from hazard.games.pickomino.arrangements import count_all, key_of
from hazard.games.pickomino.endings import Turn, ends_of, worth_of_moves
from hazard.games.pickomino.rules import State, over, payoff
from hazard.games.pickomino.solver import rounding
from hazard.games.pickomino.turns import state_of
from hazard.rulebook import Game, Position, make_game
from hazard.solving.folder import OPENED, heading, load_as, open_tables
from hazard.solving.solution import SIGN, Advice, stored_at

TABLES = ("keys", "lower", "upper")
QUICK = 5  # tiles of games that are solved in seconds
TOLERANCE = 1e-9  # of a solution that is made on demand
ASIDE = ("mode", "target", "exactly", "kept", "rolled")  # parameters that are no matter of the game


@dataclass(frozen=True)
class Pickomino:
    """The values of a solved game; every value is between its bounds."""

    game: Game
    keys: np.ndarray  # of all arrangements of tiles, as their movers see them; see `arrangements`
    lower: np.ndarray  # the mover's value is at least this
    upper: np.ndarray
    error: float  # no value is further than this from the truth

    @cached_property
    def policy(self) -> np.ndarray:
        """What the agent `optimal` reads: the bytes of all keys, then of all values."""
        values = (np.asarray(self.lower) + np.asarray(self.upper)) / 2
        return np.concatenate([np.asarray(self.keys).view(np.uint8), values.view(np.uint8)])

    def worth(self, s: State, seat: int, surely: bool) -> float:
        """What the table between turns is worth to a seat: what it is sure of, or what it cannot exceed."""
        if over(self.game.g, s):
            return float(payoff(self.game.g, s, seat))
        place = np.searchsorted(self.keys, key_of(s))
        if s.mover == seat:
            return float((self.lower if surely else self.upper)[place])
        return 1.0 - float((self.upper if surely else self.lower)[place])

    def ends(self, s: State, surely: bool) -> np.ndarray:
        """What the endings of a turn are worth to its player; the rounding of a turn is counted in."""
        g, slack = self.game.g, (-1.0 if surely else 1.0) * rounding(self.game.g.turns)
        return ends_of(g, s).valued(g.dice, lambda t: self.worth(t, s.mover, surely) + slack)

    def _own_bounds(self, position: Position) -> tuple[float, float]:
        """What the mover is sure of, and what it cannot exceed."""
        g, s, sides = self.game.g, position.state, (True, False)
        if position.over or not (s.kept or s.rolled):
            low, high = (self.worth(s, s.mover, surely) for surely in sides)
        elif position.rolling:
            low, high = (Turn(g.dice, self.ends(s, surely)).value(int(state_of(g, s.kept)), True) for surely in sides)
        else:
            low, high = (max(worth_of_moves(g, s, position.legal(), self.ends(s, surely))) for surely in sides)
        return low, high

    def bounds(self, position: Position) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """For each seat the lower and the upper bound."""
        low, high = self._own_bounds(position)
        lower, upper = (low, 1.0 - high), (high, 1.0 - low)
        return (lower, upper) if position.mover == 0 else (lower[::-1], upper[::-1])

    def value(self, position: Position) -> tuple[float, ...]:
        """What each seat can expect: the middle between the bounds."""
        lower, upper = self.bounds(position)
        return tuple((a + b) / 2 for a, b in zip(lower, upper, strict=True))

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        position.check_decision()
        s, moves = position.state, position.legal()
        low, high = (worth_of_moves(self.game.g, s, moves, self.ends(s, surely)) for surely in (True, False))
        rows = [(name, (a + b) / 2, a, b) for name, a, b in zip(position.moves, low, high, strict=True)]
        rows.sort(key=lambda row: -row[1])
        return [Advice(*row, cost=rows[0][1] - row[1], known="exact") for row in rows]


def save(folder: Path, game: Game, tables: dict[str, np.ndarray], about: dict[str, Any]) -> None:
    """Write a solution, replacing an older one when it is complete."""
    with replacing(folder, SIGN) as aside:
        for name in TABLES:
            np.save(aside / f"{name}.npy", tables[name])
        sums = {name: digest(aside / f"{name}.npy") for name in TABLES}
        (aside / SIGN).write_text(json.dumps(heading(game) | about | {"sha256": sums}, indent=1))


def load(folder: Path, game: Game | None = None) -> Pickomino:
    """Map a stored solution into memory, or take the one that is still open.

    One made by other rules, of another game than asked for, or damaged is refused.
    """
    return load_as(folder, whole(game) if game else None, _opened)


@lru_cache(maxsize=OPENED)
def _opened(folder: Path, written: int) -> Pickomino:
    """`written` is when; a solution that was replaced is opened anew."""

    def tables(game: Game, meta: dict[str, Any]) -> Pickomino:
        size, sums = count_all(game.g.tiles), meta["sha256"]
        keys, lower, upper = (_mapped(folder / f"{name}.npy", size, sums[name]) for name in TABLES)
        return Pickomino(game, keys, lower, upper, float(meta["error"]))

    return open_tables(folder, tables)


def _mapped(path: Path, size: int, checksum: str) -> np.ndarray:
    table = np.load(path, mmap_mode="r")
    if table.shape != (size,) or table.dtype.itemsize != 8:
        raise ValueError(f"{path.name} is not the table described")
    if digest(path) != checksum:
        raise ValueError(f"{path.name} does not match its checksum")
    return table


def solved(game: Game) -> Pickomino:
    """The solution of a game, from the cache if possible."""
    game = whole(game)
    try:
        return load(stored_at(game), game)
    except BadInput:
        _refuse_long_work(game)
        from hazard.games.pickomino.report import solve_game

        solve_game(game, TOLERANCE, stored_at(game), None)
        return load(stored_at(game), game)


def _refuse_long_work(game: Game) -> None:
    """Games that take minutes are solved when that is asked for."""
    from hazard.games.pickomino.report import obstacle

    if not can_be_solved(game):
        raise BadInput(
            obstacle(game)
            or f"tiles={game.g.tiles}: no solution is at hand, and solving takes minutes or more; "
            f"begin with `hazard solve pickomino -p tiles={game.g.tiles}`, or take {QUICK} tiles or fewer"
        )


def can_be_solved(game: Game) -> bool:
    """Whether a solution is at hand or can be made while somebody waits."""
    from hazard.games.pickomino.report import obstacle

    if obstacle(game):
        return False
    return game.g.tiles <= QUICK or stored_at(whole(game)).exists()


@lru_cache(maxsize=64)
def whole(game: Game) -> Game:
    """The game without what is said of one turn."""
    plain = {name: value for name, value in game.parameters.items() if name not in ASIDE}
    return make_game(game.name, plain)
