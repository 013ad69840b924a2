"""All blocks of a board of Dice of Doom for two, visited in the order in which turns can be backed up by a policy.

A pass goes from most to fewest own tiles and keeps two neighbouring layers of blocks. Whatever is backed up (wins,
losses, values, turns left) has its own room for that. What it is at the start of turns is kept by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import comb

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver import policy_backup
from hazard.games.dice_of_doom.solver.block_backup import Backup, EndOfTurn, Rows, place_dice, turn_over
from hazard.games.dice_of_doom.solver.block_layout import Block, make_block, one_run
from hazard.games.dice_of_doom.solver.policy_backup import Column, Turn
from hazard.games.dice_of_doom.solver.value_table import EPS, compiled, roundings
from hazard.games.dice_of_doom.tiles import CAPTURED, CHOSEN, RANDOM, WEIGHTED
from hazard.rulebook import Game
from hazard.solving.certify import Certificate, certify
from hazard.solving.mixing import converge

NOTHING = np.zeros(0)
MOST_BYTES = 8 << 30
MOST_SWEEPS = 3_000
COUNTED_TO = 0.02  # turns left are swept until none changes by more
LONGER = 1.05  # factor on turns left, which makes up for what has not been counted
DOUBLINGS = 8  # of the width of bounds
SAME = EndOfTurn(0.0, 1.0)  # what the other player has, unchanged
OPPOSITE = EndOfTurn(1.0, -1.0)  # the rest of 1
ONE_MORE = EndOfTurn(1.0, 1.0)  # turn than the other player has left


class PolicyBlocks:
    """The blocks of a game, and room to back them up in."""

    def __init__(self, game: Game) -> None:
        g = game.table
        if g.players != 2:
            raise BadInput(f"players={g.players}: solving is for two players")
        self.how, self.tiles, self.dice = int(g.reinforcement), int(g.tiles), int(g.max_dice)
        self.size = self.dice**self.tiles  # ways the dice can lie
        self.masks = 1 << self.tiles
        self.held = self.tiles + 2 if self.how == CAPTURED else 1  # numbers of captured dice that are distinguished
        _refuse_large(game, self.bytes_needed)
        self.odds = np.ascontiguousarray(g.odds[1 : self.dice + 1, 1 : self.dice + 1])
        self.edges = [[int(e) for e in range(g.edges) if m >> g.source[e] & 1 > m >> g.target[e] & 1] for m in self.all]
        self.layers = [[m for m in self.all if m.bit_count() == k] for k in range(self.tiles + 1)]
        self.slots = {mask: n * self.held for layer in self.layers for n, mask in enumerate(layer)}
        beside = [g.target[g.first[t] : g.first[t + 1]].tolist() for t in range(self.tiles)]  # in order of moves
        begins = [self.slots[m] * self.size for m in self.all]
        columns = [self.dice ** (self.tiles - m.bit_count()) for m in self.all]
        self.blocks = [make_block(beside, m, self.dice, begins, columns) for m in self.all]
        self.columns = [_column(self.dice, k) for k in range(self.tiles + 1)]
        digits, drops, bases = (np.zeros(n, np.int64) for n in (self.tiles, self.tiles, max(map(len, self.edges))))
        self.rows, self.runs = Rows(digits, drops, bases, NOTHING, NOTHING), one_run(self.tiles)
        self.row = np.zeros(self.size)

    @property
    def all(self) -> range:
        return range(self.masks)

    @property
    def widest(self) -> int:
        """Places in the largest layer."""
        return comb(self.tiles, self.tiles // 2) * self.held * self.size

    @property
    def bytes_needed(self) -> int:
        """Two tables with the history of their sweeps, turns left, moves, and the layers of two quantities."""
        return self.masks * self.size * (8 * (2 + 8 + 2) + self.held + self.tiles) + 4 * 8 * self.widest

    @cached_property
    def layered(self) -> np.ndarray:
        """Two quantities, two layers each."""
        return np.zeros((2, 2, self.widest))

    def visit(self) -> Iterator[tuple[int, list[Backup]]]:
        """Every mask from most to fewest own tiles, with where two quantities are backed up in its block."""
        finish = [(np.zeros(self.size), np.zeros(self.size)) for _ in range(2)]
        for count in range(self.tiles, -1, -1):
            for mask in self.layers[count]:
                begin, side = self.slots[mask] * self.size, count % 2
                span = slice(begin, begin + self.held * self.size)
                yield (
                    mask,
                    [
                        Backup(ends, self.layered[k, side, span], self.layered[k, 1 - side], starts)
                        for k, (ends, starts) in enumerate(finish)
                    ],
                )

    def held_by(self, mask: int) -> int:
        """How many numbers of captured dice are distinguished in a block."""
        return mask.bit_count() + 2 if self.how == CAPTURED else 1

    def hand_over(
        self,
        mask: int,
        values: np.ndarray,
        part: Backup,
        way: EndOfTurn,
        weights: np.ndarray | None = None,
        eps: float = 0.0,
    ) -> None:
        """Set what ending the turn is worth, before dice are placed by choice."""
        block, other = self.blocks[mask], self.masks - 1 - mask
        heavy = NOTHING if weights is None else weights[other]
        compiled(turn_over)(values[other], heavy, way, eps, part.ends, block, self.runs)
        if self.how in (RANDOM, WEIGHTED):
            compiled(place_dice)(self.how, eps, part.ends, block, self.row)

    def place_best(self, mask: int, part: Backup, margin: float, placed: np.ndarray) -> None:
        if self.how == CHOSEN:
            compiled(policy_backup.place_best)(margin, part.ends, placed, self.row, self.blocks[mask])

    def place_as(self, mask: int, part: Backup, placed: np.ndarray, eps: float = 0.0) -> None:
        if self.how == CHOSEN:
            compiled(policy_backup.place_as)(eps, part.ends, placed, self.row, self.blocks[mask])

    def turn(self, mask: int) -> Turn:
        block: Block = self.blocks[mask]
        return Turn(self.how, self.odds, self.rows, self.columns[block.other], block)

    def choose(self, mask: int, part: Backup, margin: float, last: float, notes: np.ndarray, eps: float = 0.0) -> None:
        compiled(policy_backup.choose)(margin, last, eps, part, notes, self.turn(mask))

    def follow(self, mask: int, part: Backup, last: float, notes: np.ndarray, eps: float = 0.0) -> None:
        compiled(policy_backup.follow)(last, eps, part, notes, self.turn(mask))

    def count_near(self, mask: int, near: float, values: Backup, left: Backup) -> None:
        compiled(policy_backup.count_near)(near, values, left, self.turn(mask))

    def prove(
        self,
        values: np.ndarray,
        count: Callable[[np.ndarray], None],
        beyond: Callable[[Certificate], float],
        d: float,
        say: Callable[[int], None],
    ) -> Certificate | None:
        """Bounds on values; None if no d up to some hundred times the one given will do."""
        weights = np.zeros((self.masks, self.size))
        sweeps, _ = converge(weights, lambda: count(weights), COUNTED_TO, MOST_SWEEPS, say, np.inf)
        rounding = EPS * roundings(self.tiles, self.dice, self.how)
        return certify(
            values, weights, beyond, d, doublings=DOUBLINGS, stretches=(LONGER,), rounding=rounding, sweeps=sweeps
        )


def bound_of(values: np.ndarray, bounds: Certificate, mask: int, sign: float) -> np.ndarray:
    """Upper bounds of a mask's values (sign 1), or lower ones (-1), as `turn_over` computes them."""
    bound = values[mask] + sign * bounds.slope * bounds.weights[mask] + sign * bounds.base
    return np.clip(bound, 0.0, 1.0)


def excess(starts: np.ndarray, bound: np.ndarray, sign: float) -> float:
    """How far new bounds are beyond the old ones, rounded outward; 1 from above and 0 from below hold in any case."""
    open_ = bound != (1.0 if sign > 0 else 0.0)
    return float((sign * (starts - bound)).max(where=open_, initial=-1.0)) + EPS


def _column(dice: int, tiles: int) -> Column:
    """For every way dice can lie on some tiles, the last tile fastest: each tile's dice, and the others'."""
    every = np.arange(dice**tiles)
    units = [dice**y for y in range(tiles)]
    met = [every // unit % dice for unit in units]
    rest = [every // (unit * dice) * unit + every % unit for unit in units]
    return Column(*(np.array(rows, np.int64).reshape(tiles, dice**tiles) for rows in (met, rest)))


def _refuse_large(game: Game, need: int) -> None:
    if need > MOST_BYTES:
        variant = " and ".join(f"{k}={game.parameters[k]}" for k in ("objective", "reinforcement"))
        raise BadInput(
            f"board={game.parameters['board']} max_dice={game.parameters['max_dice']}: solving with {variant} needs "
            f"about {need / 2**30:.0f} GiB, more than the {MOST_BYTES >> 30} GiB allowed; take fewer tiles or dice"
        )
