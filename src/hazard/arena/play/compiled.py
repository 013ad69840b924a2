"""Many games of one line-up at compiled speed, each from its own number: the only loop that plays for results.

Games come in deals: in as many games as there are seats every agent sits in every seat once, with the same board and
the same dice. What chance gave each seat is added up on the way where values are known (see `hazard.arena.play.luck`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import empty, padded, seat_agents
from hazard.arena.play.steps import LIMIT
from hazard.contract import (
    chance,
    deal,
    decide,
    fanout,
    land,
    move,
    over,
    payoff,
    prospect,
    purse,
    roll,
)
from hazard.dice import AGENTS, BOARD, DICE, open_stream
from hazard.jit import rule
from hazard.rulebook import Game


class Room(NamedTuple):
    """Scratch arrays."""

    draws: np.ndarray  # draws[place]: whether the agent in that place of the line-up uses its stream
    sitting: np.ndarray  # sitting[seat]: the place of the agent that sits there
    rng: np.ndarray  # the streams of the game at hand
    moves: np.ndarray  # room for legal moves
    log: np.ndarray  # a row for each decision: the move, then the position's numbers; or no rows


class Games(NamedTuple):
    """What came of some games; row n is the game numbered first + n."""

    payoffs: np.ndarray  # payoffs[n, seat]; compiled code sees it turned over, so that each seat's lie together
    lengths: np.ndarray  # decisions
    cut: np.ndarray  # 1 where a game was cut off
    luck: np.ndarray  # luck[n, seat] for all seats but the last, or no rows at all


@rule
def add_luck(g: Any, s: Any, landed: Any, values: Any, luck: Any) -> None:
    """Add what the dice gave: the value of how they landed, less the mean over all ways to land."""
    for seat in range(luck.size):
        luck[seat] += prospect(g, landed, seat, values) - prospect(g, s, seat, values)


@rule
def let_land(g: Any, s: Any, rng: Any, values: Any, luck: Any) -> Any:
    """The position after the dice in the air have landed."""
    landed = land(g, s, roll(g, s, rng))
    if luck.size > 0:
        add_luck(g, s, landed, values, luck)
    return landed


@rule
def write_down(s: Any, m: int, row: Any) -> None:
    row[0] = m
    for n in range(len(s)):
        row[1 + n] = s[n]


@rule
def play_game(g: Any, agents: Any, memory: Any, room: Any, values: Any, luck: Any, row: int) -> Any:
    """Play one game; the last position and the number of decisions are returned. The log is written from `row` on."""
    s = deal(g, room.rng[BOARD])
    while chance(g, s) > 0:
        s = let_land(g, s, room.rng[DICE + s.mover], values, luck)
    decisions = 0
    while not over(g, s) and decisions < LIMIT:
        a = room.sitting[s.mover]
        m = decide(agents[a], g, s, room.moves, memory[a], room.rng[AGENTS + a])
        if room.log.shape[0] > 0:
            write_down(s, m, room.log[row + decisions])
        s = move(g, s, m)
        decisions += 1
        while chance(g, s) > 0:
            s = let_land(g, s, room.rng[DICE + s.mover], values, luck)
    return s, decisions


@rule
def set_up(g: Any, seed: Any, shared: bool, number: int, room: Any) -> None:
    """Seat the line-up for a game and open the game's streams."""
    key = number // g.players if shared else number
    open_stream(room.rng[BOARD], seed, key, BOARD)
    for place in range(g.players):
        open_stream(room.rng[DICE + place], seed, key, DICE + place)
        room.sitting[(place + number) % g.players] = place
        if room.draws[place]:
            open_stream(room.rng[AGENTS + place], seed, key, AGENTS + place)


@rule
def play_games(
    g: Any, agents: Any, memory: Any, seed: Any, shared: bool, first: int, room: Any, values: Any, out: Any
) -> None:
    """Play as many games as `out` has rows, from the number `first` on."""
    row = 0
    for n in range(out.lengths.size):
        set_up(g, seed, shared, first + n, room)
        s, decisions = play_game(g, agents, memory, room, values, out.luck[n], row)
        row += decisions
        out.lengths[n] = decisions
        out.cut[n] = 0 if over(g, s) else 1
        for seat in range(g.players):
            out.payoffs[seat, n] = payoff(g, s, seat) if over(g, s) else purse(g) / g.players


@dataclass(frozen=True)
class LineUp:
    """Agents at the table, one for each place, ready to play any of their games."""

    game: Game
    numbers: np.ndarray
    memory: tuple[np.ndarray, ...]
    seed: int  # of this line-up
    shared: bool  # games of a deal share board and dice
    values: np.ndarray  # of a solution; if empty, luck is not counted

    def play(self, first: int, count: int) -> Games:
        """Games `first` to `first + count - 1`."""
        return self._play(first, count, self.room())

    def play_and_record(self, first: int, count: int) -> tuple[Games, np.ndarray]:
        """The same, with every decision: rows of the move and the numbers of the position it was made in."""
        lengths = self.play(first, count).lengths
        fields = 1 + len(self.game.rules.State._fields)
        room = self.room()._replace(log=np.zeros((int(lengths.sum()), fields), np.int64))
        return self._play(first, count, room), room.log

    def _play(self, first: int, count: int, room: Room) -> Games:
        seats = self.game.seats
        counted = seats - 1 if len(self.values) else 0
        lengths, cut = np.zeros(count, np.int32), np.zeros(count, np.int32)
        out = Games(np.zeros((seats, count)), lengths, cut, np.zeros((count, counted)))
        seated = (self.game.table, self.numbers, self.memory, np.uint64(self.seed), self.shared)
        self.game.compiled(play_games)(*seated, first, room, self.values, out)
        return out._replace(payoffs=out.payoffs.T)

    def room(self) -> Room:
        seats, agents = self.game.seats, list(self.game.agents.values())
        return Room(
            np.array([agents[n].draws for n in self.numbers]),
            np.zeros(seats, np.int64),
            np.zeros((AGENTS + seats, 4), np.uint64),
            np.zeros(int(self.game.plain(fanout)(self.game.table)), np.int64),
            np.zeros((0, 0), np.int64),
        )


def line_up(
    game: Game, agents: Sequence[str], seed: int, shared: bool = True, values: np.ndarray | None = None
) -> LineUp:
    """Seat built-in agents."""
    numbers, memory = seat_agents(game, agents)
    values = empty() if values is None else values
    return LineUp(game, np.array(numbers), padded(memory), seed, shared, values)
