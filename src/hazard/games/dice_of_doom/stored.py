"""Solved boards kept in a folder: `values.npy`, mapped into memory when asked, and `solution.json` about it.

The table has the mover's value for all owners and dice: at the start of its turn, and where it may end the turn. So any
question is answered by a few lookups.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.files import replacing
from hazard.games.dice_of_doom.table import Table, place_of
from hazard.games.dice_of_doom.tiles import CAPTURED, CHOSEN
from hazard.rulebook import Game, Position, make_game
from hazard.solving.solution import SIGN, Advice, stored_at

FORMAT = 1
TOLERANCE = 1e-6  # of a solution that is made on demand
QUICK = 2_000_000  # boards that are solved in seconds


@dataclass(frozen=True)
class Doom:
    """The values of a solved board; every value is within `error` of the truth."""

    game: Game
    values: np.ndarray  # values[0, own mask, dice] at the start of a turn; values[1] where it may be ended
    error: float

    @cached_property
    def _known(self) -> dict[Any, float]:
        return {}

    @property
    def policy(self) -> np.ndarray:
        """What the agent `optimal` reads: the bytes of the table."""
        if self.game.g.reinforcement == CHOSEN:
            raise BadInput("reinforcement=chosen: the agent optimal does not place dice yet; take greedy")
        return np.asarray(self.values).reshape(-1).view(np.uint8)

    def value(self, position: Position) -> tuple[float, float]:
        """What each player can expect."""
        first = self._worth(position.state)
        return first, 1.0 - first

    def _worth(self, s: Any) -> float:
        """The first player's value. Dice in the air and dice to be placed are followed to where the table knows."""
        g, rules = self.game.g, self.game.rules
        if rules.over(g, s):
            return float(rules.payoff(g, s, 0))
        if s.phase in (rules.OPEN, rules.AGAIN):
            mine = float(self.values[(int(s.phase == rules.AGAIN), *place_of(self.game, s))])
            return mine if s.mover == 0 else 1.0 - mine
        if s in self._known:
            return self._known[s]
        if ways := rules.chance(g, s):
            weights = [int(rules.weight(g, s, i)) for i in range(ways)]
            found = sum(w * self._worth(rules.land(g, s, i)) for i, w in enumerate(weights)) / sum(weights)
        else:
            options = [self._worth(rules.move(g, s, m)) for m in Position(self.game, s).legal()]
            found = max(options) if s.mover == 0 else min(options)
        self._known[s] = found
        return found

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        if position.over or position.rolling:
            raise BadInput(f"{str(position)!r}: nothing to decide")
        rows = []
        for name, m in zip(position.moves, position.legal(), strict=True):
            first = self._worth(self.game.rules.move(self.game.g, position.state, m))
            value = first if position.mover == 0 else 1.0 - first
            rows.append((name, value, max(0.0, value - self.error), min(1.0, value + self.error)))
        rows.sort(key=lambda row: -row[1])
        return [Advice(*row, cost=rows[0][1] - row[1], known="exact") for row in rows]


def save(folder: Path, game: Game, table: Table, error: float, sweeps: int) -> None:
    """Write a solution; an older one in that place is replaced when the new one is complete."""
    meta = {"format": FORMAT, "game": game.name, "parameters": game.parameters, "rules": game.version}
    with replacing(folder, SIGN) as aside:
        shape = (2, *table.values.shape)
        out = np.lib.format.open_memmap(aside / "values.npy", "w+", table.kind, shape)
        table.write(out)
        out.flush()
        (aside / SIGN).write_text(json.dumps(meta | {"error": error, "sweeps": sweeps}, indent=1))


def load(folder: Path) -> Doom:
    """Map a stored solution into memory; one made by other rules, or damaged, is refused."""
    try:
        meta = json.loads((folder / SIGN).read_text())
        values = np.load(folder / "values.npy", mmap_mode="r")
        game = make_game(meta["game"], meta["parameters"])
        tiles = game.g.tiles
        if meta["format"] != FORMAT or values.shape != (2, 1 << tiles, game.g.max_dice**tiles):
            raise ValueError("its table is not the one described")
    except FileNotFoundError:
        raise BadInput(f"{folder}: no solution is stored there") from None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{folder}: the solution is damaged ({problem}); solve again") from None
    if meta["rules"] != game.version:
        raise BadInput(f"{folder}: made with rules {meta['rules']}, but these are {game.version}; solve again")
    return Doom(game, values, meta["error"])


def solved(game: Game) -> Doom:
    """The solution of a game, from the cache if possible; the turn limit does not matter to it."""
    game = without_limit(game)
    try:
        return load(stored_at(game))
    except BadInput:
        from hazard.games.dice_of_doom.report import instead

        instead(game, TOLERANCE, stored_at(game), None)
        return load(stored_at(game))


def can_be_solved(game: Game) -> bool:
    """Whether a solution is at hand or can be made while somebody waits."""
    g = game.g
    if g.players != 2 or g.reinforcement == CAPTURED or g.max_dice > game.parameters["sides"] or g.own_win:
        return False
    return (2 * g.max_dice) ** g.tiles <= QUICK or stored_at(without_limit(game)).exists()


def without_limit(game: Game) -> Game:
    """The game as it is solved: the solver knows no limit of turns."""
    return make_game(game.name, game.parameters | {"turns": 0})
