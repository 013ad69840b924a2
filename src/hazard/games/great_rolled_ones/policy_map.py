"""The optimal policy of Great Rolled Ones as a map: what rolling and holding are worth at every decision.

Arrays are indexed [own score, other score, pot]. Rolling is not always an interval: as the pot grows, the optimal
player may roll, then hold, then roll again. `islands` finds those cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hazard import dice
from hazard.agents.seating import empty
from hazard.contract import fanout, span, stage, state, steps
from hazard.games.great_rolled_ones.rules import BITS, HOLD, ROLL, with_scores
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.numbered.turns import BEST, Play, Work, options, turn, workspace
from hazard.solving.solution import Solution


@rule
def fill_choices(g: Any, play: Any, w: Any, values: Any, table: Any) -> None:
    """Set table[i, k, m] to what move m is worth to the mover at step k of the turn of opening i, where it is legal."""
    for i in range(table.shape[0]):
        s = state(g, i)
        turn(g, s, play, 0.0, w)
        for k in range(steps(g, s)):
            t = stage(g, s, k)
            for n in range(options(g, t, w, values)):
                table[i, k, w.moves[n]] = values[n, t.mover, 0]


def optimal_play(game: Game) -> Play:
    """Every seat does its best."""
    return Play(np.full(game.seats, BEST), False, (empty(),) * game.seats, dice.stream(0))


def scratch(game: Game, low: np.ndarray) -> Work:
    """Room to rebuild turns from given values of the openings."""
    return workspace(game, low)._replace(slot=np.full(len(low), -1, np.int64))


def openings(goal: int, player: Any, own: Any, other: Any) -> np.ndarray:
    """The numbers of the openings before the last round, for arrays of players and scores."""
    return with_scores(player, goal, 2, (own << BITS * player) + (other << BITS * (1 - player)))


def pots(game: Game, player: int, own: int) -> int:
    """How many pots there are from 0 up to one that is enough."""
    return (game.table.ceiling if player == 0 else game.table.goal) - own + 1


def makeable(game: Game, ones: int, most: int) -> np.ndarray:
    """Which pots up to `most` the dice can make with so many ones aside."""
    made = np.zeros((ones + 1, most + 1), bool)
    made[0, 0] = True
    for pot in range(1, most + 1):
        for aside in range(ones + 1):
            before = pot - (game.table.dice - aside)
            made[aside, pot] = before >= 0 and made[: aside + 1, before].any()
    return made[ones]


@dataclass(frozen=True)
class Island:
    """A cell in which the optimal player rolls, holds, and rolls again as the pot grows."""

    player: int
    ones: int
    own: int
    other: int
    pots: tuple[int, int, int]  # the last pot rolled with, the first held, the first rolled with again
    margin: float  # the least that the wrong move would cost at these three

    def text(self, pot: int) -> str:
        scores = (self.own, self.other) if self.player == 0 else (self.other, self.own)
        return f"p{self.player + 1} {scores[0]}:{scores[1]} k{pot} o{self.ones}"


@dataclass(frozen=True)
class Map:
    """The decisions of both players before the last round."""

    solution: Solution

    @property
    def game(self) -> Game:
        return self.solution.game

    @property
    def goal(self) -> int:
        return self.game.table.goal

    @cached_property
    def choices(self) -> np.ndarray:
        """choices[i, k, m]: what move m is worth to the mover at step k of opening i; NaN where it is not legal."""
        game = self.game
        table = np.full((2 * self.goal**2, int(game.plain(span)(game.table)), 2), np.nan)
        values = np.zeros((int(game.plain(fanout)(game.table)), 2, 1))
        work = scratch(game, np.ascontiguousarray(self.solution.tables()["low"]))
        game.compiled(fill_choices)(game.table, optimal_play(game), work, values, table)
        return table

    def worth(self, player: int, ones: int) -> np.ndarray:
        """worth[own, other, pot, move], NaN where there is no such decision or move."""
        most = pots(self.game, player, 0)
        found = np.full((self.goal, self.goal, most, 2), np.nan)
        for own in range(self.goal):
            count = pots(self.game, player, own)
            rows = self.choices[openings(self.goal, player, own, np.arange(self.goal))]
            found[own, :, :count] = rows[:, ones * count : (ones + 1) * count]
        found[:, :, 0] = np.nan  # the first roll of a turn is compulsory
        return found

    def gain(self, player: int, ones: int) -> np.ndarray:
        """What rolling wins over holding; NaN where there is nothing to decide."""
        worth = self.worth(player, ones)
        return worth[..., ROLL] - worth[..., HOLD]

    def smallest_hold(self, player: int, ones: int) -> np.ndarray:
        """The smallest pot with which the player holds; a pot that is enough counts as one."""
        gain = self.gain(player, ones)
        held = ~(gain >= 0)
        held[:, :, 0] = False
        return held.argmax(axis=2)

    def last_roll(self, ones: int) -> int:
        """The greatest total with which player 1 rolls on."""
        own, _, pot = np.nonzero(self.gain(0, ones) >= 0)
        return int((own + pot).max())

    def again(self, player: int, ones: int, by_dice: bool = False) -> np.ndarray:
        """Where the player rolls although it would hold with a smaller pot; `by_dice` leaves out pots no dice make."""
        gain = self.gain(player, ones)
        if by_dice:
            gain[:, :, ~makeable(self.game, ones, gain.shape[2] - 1)] = np.nan
        held_before = np.logical_or.accumulate(gain < 0, axis=2)
        return (gain >= 0) & held_before

    def closest(self, player: int, ones: int) -> float:
        """The least difference between rolling and holding."""
        return float(np.nanmin(np.abs(self.gain(player, ones))))

    def islands(self, player: int, ones: int) -> list[Island]:
        """Every cell where rolling is no interval of the pots that dice make, the clearest first."""
        gain = self.gain(player, ones)
        gain[:, :, ~makeable(self.game, ones, gain.shape[2] - 1)] = np.nan
        cells = np.argwhere(self.again(player, ones, by_dice=True).any(axis=2))
        found = [_island(player, ones, int(own), int(other), gain[own, other]) for own, other in cells]
        return sorted((i for i in found if i), key=lambda i: -i.margin)


def _island(player: int, ones: int, own: int, other: int, gain: np.ndarray) -> Island | None:
    """The first roll, hold, roll of one cell; None if it begins with a hold."""
    seen = np.flatnonzero(~np.isnan(gain))
    rolls = gain[seen] >= 0
    hold = int(rolls.argmin())
    if hold == 0:
        return None
    again = hold + int(rolls[hold:].argmax())
    before, held, after = (int(seen[n]) for n in (hold - 1, hold, again))
    margin = float(np.abs(gain[[before, held, after]]).min())
    return Island(player, ones, own, other, (before, held, after), margin)
