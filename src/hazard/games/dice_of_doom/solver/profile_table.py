"""All blocks of a board of Dice of Doom for two, visited in the order in which turns can be backed up.

A pass goes from most to fewest own tiles and keeps two neighbouring layers of blocks. Whatever is backed up (wins,
losses, values, turns left) has its own room for that; what it is at the start of turns is kept by whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver import profile_turns as turns
from hazard.games.dice_of_doom.solver.profile_turns import Column, Part, Row
from hazard.games.dice_of_doom.solver.shapes import Block, make_block
from hazard.games.dice_of_doom.solver.table import compiled
from hazard.games.dice_of_doom.tiles import CAPTURED, CHOSEN, RANDOM, WEIGHTED
from hazard.rulebook import Game

NOTHING = np.zeros(0)
MOST_BYTES = 8 << 30


class Passed(NamedTuple):
    """How the other player's values become what the end of a turn is worth: base + sign * (value + scale * weight)."""

    base: float
    sign: float
    scale: float = 0.0
    eps: float = 0.0


ASIDE = Passed(0.0, 1.0)  # what the other player has, unchanged
AGAINST = Passed(1.0, -1.0)  # the rest of 1
COUNTED = Passed(1.0, 1.0)  # one turn more


class Board:
    """The blocks of a game, and room to back them up in."""

    def __init__(self, game: Game) -> None:
        g = game.table
        if g.players != 2:
            raise BadInput(f"players={g.players}: solving is for two players")
        self.how, self.tiles, self.dice = int(g.reinforcement), int(g.tiles), int(g.max_dice)
        self.size = self.dice**self.tiles  # ways the dice can lie
        self.masks = 1 << self.tiles
        self.held = self.tiles + 2 if self.how == CAPTURED else 1  # numbers of captured dice that are told apart
        _refuse_large(game, self.bytes_needed)
        self.odds = np.ascontiguousarray(g.odds[1 : self.dice + 1, 1 : self.dice + 1])
        self.beside = [g.target[g.first[t] : g.first[t + 1]].tolist() for t in range(self.tiles)]  # in order of moves
        self.edges = [[int(e) for e in range(g.edges) if m >> g.source[e] & 1 > m >> g.target[e] & 1] for m in self.all]
        self.layers = [[m for m in self.all if m.bit_count() == k] for k in range(self.tiles + 1)]
        self.slots = [0] * self.masks
        for layer in self.layers:
            for n, mask in enumerate(layer):
                self.slots[mask] = n * self.held
        begins = [slot * self.size for slot in self.slots]
        columns = [self.dice ** (self.tiles - m.bit_count()) for m in self.all]
        self.blocks = [make_block(self.beside, m, self.dice, begins, columns) for m in self.all]
        self.columns = [_column(self.dice, k) for k in range(self.tiles + 1)]
        self.row = Row(*(np.zeros(max(1, len(max(self.edges, key=len))), np.int64) for _ in range(3)))
        self.room = np.zeros(self.size)

    @property
    def all(self) -> range:
        return range(self.masks)

    @property
    def widest(self) -> int:
        """Places in the largest layer."""
        return comb(self.tiles, self.tiles // 2) * self.held * self.size

    @property
    def bytes_needed(self) -> int:
        """Two tables with the history of their sweeps, turns left, moves, and the layers of two functionals."""
        return self.masks * self.size * (8 * (2 + 8 + 2) + self.held + self.tiles) + 4 * 8 * self.widest

    @cached_property
    def layered(self) -> np.ndarray:
        """Two functionals, two layers each."""
        return np.zeros((2, 2, self.widest))

    def visit(self) -> Iterator[tuple[int, Block, list[Part]]]:
        """Every mask from most to fewest own tiles, with its block and where its functionals are backed up."""
        finish = [(np.zeros(self.size), np.zeros(self.size)) for _ in range(2)]
        for layer in reversed(self.layers):
            side = len(layer) and layer[0].bit_count() % 2
            for mask in layer:
                at = self.slots[mask] * self.size
                span = slice(at, at + self.held * self.size)
                parts = [
                    Part(finish[k][0], self.layered[k, side, span], self.layered[k, 1 - side], finish[k][1])
                    for k in range(2)
                ]
                yield mask, self.blocks[mask], parts

    def held_by(self, mask: int) -> int:
        """How many numbers of captured dice are told apart in a block."""
        return mask.bit_count() + 2 if self.how == CAPTURED else 1

    def hand_over(self, mask: int, values: np.ndarray, part: Part, way: Passed, weights: np.ndarray = NOTHING) -> None:
        """Set what ending the turn is worth, before dice are placed by choice."""
        block, other = self.blocks[mask], self.masks - 1 - mask
        heavy = weights[other] if way.scale else NOTHING
        compiled(turns.hand_over)(way.base, way.sign, values[other], heavy, way.scale, way.eps, part.ends, block)
        if self.how in (RANDOM, WEIGHTED):
            compiled(turns.place_drawn)(self.how, way.eps, part.ends, self.room, block)

    def place_best(self, mask: int, part: Part, margin: float, placed: np.ndarray) -> None:
        if self.how == CHOSEN:
            compiled(turns.place_best)(margin, part.ends, placed, self.room, self.blocks[mask])

    def place_as(self, mask: int, part: Part, placed: np.ndarray, eps: float = 0.0) -> None:
        if self.how == CHOSEN:
            compiled(turns.place_as)(eps, part.ends, placed, self.room, self.blocks[mask])

    def choose(self, mask: int, part: Part, margin: float, last: float, notes: np.ndarray, eps: float = 0.0) -> None:
        block = self.blocks[mask]
        column = self.columns[block.other]
        compiled(turns.choose)(self.how, margin, last, eps, self.odds, part, notes, self.row, column, block)

    def follow(self, mask: int, part: Part, last: float, notes: np.ndarray, eps: float = 0.0) -> None:
        block = self.blocks[mask]
        column = self.columns[block.other]
        compiled(turns.follow)(self.how, last, eps, self.odds, part, notes, self.row, column, block)

    def count_near(self, mask: int, near: float, values: Part, left: Part) -> None:
        block = self.blocks[mask]
        column = self.columns[block.other]
        compiled(turns.count_near)(self.how, near, self.odds, values, left, self.row, column, block)


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
