"""Games of one line-up at compiled speed, each from its own number. This is the loop that plays for results.

Games come in deals, one game for each seat: every agent sits in every seat once, with the same board and the same
dice. Whoever wants to watch binds `on_roll` or `on_move` of the contract: luck and the log of decisions do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import empty, padded, seat_agents
from hazard.arena.play.steps import LIMIT
from hazard.contract import (
    add_gain,
    add_payoffs,
    chance,
    deal,
    decide,
    land,
    move,
    on_move,
    on_roll,
    over,
    prospect,
    roll,
)
from hazard.dice import AGENTS, BOARD, DICE, open_stream
from hazard.jit import rule
from hazard.rulebook import Game

FEW = 3  # sets of agents of a game for which code is compiled on its own
_compiled: dict[str, set[tuple[str, ...]]] = {}


class Room(NamedTuple):
    """Scratch arrays."""

    draws: np.ndarray  # draws[place]: whether the agent in that place of the line-up uses its stream
    sitting: np.ndarray  # sitting[seat]: the place of the agent that sits there
    rng: np.ndarray  # the streams of the game
    moves: np.ndarray  # room for legal moves
    paid: np.ndarray  # paid[seat]: what seats have scored in the game so far


class Games(NamedTuple):
    """What came of some games; row n is the game numbered first + n."""

    payoffs: np.ndarray  # payoffs[n, seat]; compiled code sees it turned over, so that each seat's lie together
    lengths: np.ndarray  # decisions
    cut: np.ndarray  # 1 where a game was cut off
    luck: np.ndarray  # luck[n, seat] for all seats but the last, or for one who is alone; or no columns at all


class Watch(NamedTuple):
    """What is noted while games are played."""

    values: np.ndarray  # of a solution, for luck
    luck: np.ndarray  # luck[n, seat]: what the dice gave in the n-th game
    log: np.ndarray  # a row for each decision: the move, then the position's numbers
    at: np.ndarray  # the game, and the row of the log


@rule
def add_luck(g: Any, s: Any, landed: Any, values: Any, luck: Any) -> None:
    """Add what the dice gave: the value of how they landed, less the mean over all ways to land."""
    for seat in range(luck.size):
        luck[seat] += prospect(g, landed, seat, values) - prospect(g, s, seat, values)


@rule
def note_luck(g: Any, s: Any, landed: Any, watch: Any) -> None:
    add_luck(g, s, landed, watch.values, watch.luck[watch.at[0]])


@rule
def note_move(g: Any, s: Any, m: int, watch: Any) -> None:
    row = watch.log[watch.at[1]]
    row[0] = m
    for n in range(len(s)):
        row[1 + n] = s[n]
    watch.at[1] += 1


@rule
def play_from(g: Any, s: Any, agents: Any, memory: Any, room: Any, watch: Any) -> Any:
    """Play on from a position; the last position and the number of decisions are returned, what is scored is noted."""
    decisions = 0
    for seat in range(g.players):
        room.paid[seat] = 0.0
    while True:
        while chance(g, s) > 0:
            landed = land(g, s, roll(g, s, room.rng[DICE + s.mover]))
            on_roll(g, s, landed, watch)
            s = landed
        if over(g, s) or decisions >= LIMIT:
            return s, decisions
        a = room.sitting[s.mover]
        m = decide(agents[a], g, s, room.moves, memory[a], room.rng[AGENTS + a])
        on_move(g, s, m, watch)
        add_gain(g, s, m, room.paid)
        s = move(g, s, m)
        decisions += 1


@rule
def play_game(g: Any, agents: Any, memory: Any, room: Any, watch: Any) -> Any:
    """Play one game from its deal."""
    return play_from(g, deal(g, room.rng[BOARD]), agents, memory, room, watch)


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
    g: Any, agents: Any, memory: Any, seed: Any, shared: bool, first: int, room: Any, watch: Any, out: Any
) -> None:
    """Play one game for each row of `out`, numbered from `first` on."""
    for n in range(out.lengths.size):
        set_up(g, seed, shared, first + n, room)
        watch.at[0] = n
        s, decisions = play_game(g, agents, memory, room, watch)
        out.lengths[n] = decisions
        out.cut[n] = 0 if over(g, s) else 1
        add_payoffs(g, s, room.paid)
        for seat in range(g.players):
            out.payoffs[seat, n] = room.paid[seat]


def lucky_seats(game: Game) -> int:
    """For how many seats luck is counted: the last one loses what the others gain, unless it is alone."""
    return max(1, game.seats - 1)


def make_room(game: Game, draws: Sequence[bool]) -> Room:
    """Scratch for the games of a line-up; at first everybody sits in the seat of the same number."""
    return Room(
        np.array(draws),
        np.arange(game.seats),
        np.zeros((AGENTS + game.seats, 4), np.uint64),
        np.zeros(int(game.ask("fanout")), np.int64),
        np.zeros(game.seats),
    )


@dataclass(frozen=True)
class LineUp:
    """Agents at the table, one for each place, ready to play any of their games."""

    game: Game
    numbers: np.ndarray
    memory: tuple[np.ndarray, ...]
    seed: int  # of this line-up
    shared: bool = True  # games of a deal share board and dice
    values: np.ndarray | None = None  # of a solution: then luck is counted
    company: tuple[str, ...] = ()  # agents of other line-ups that play too: code is compiled for all of them at once
    at_once: bool = False  # play begins in plain Python, and changes over when compiled code is there

    def play(self, first: int, count: int) -> Games:
        """Games `first` to `first + count - 1`."""
        return self._play(first, count, 0)[0]

    def play_and_record(self, first: int, count: int) -> tuple[Games, np.ndarray]:
        """The same, with every decision: rows of the move and the numbers of the position it was made in."""
        return self._play(first, count, int(self.play(first, count).lengths.sum()))

    def _play(self, first: int, count: int, rows: int) -> tuple[Games, np.ndarray]:
        seats, lucky = self.game.seats, self.values is not None
        lengths, cut = np.zeros(count, np.int32), np.zeros(count, np.int32)
        out = Games(np.zeros((seats, count)), lengths, cut, np.zeros((count, lucky_seats(self.game) if lucky else 0)))
        log = np.zeros((rows, 1 + len(self.game.rules.State._fields)), np.int64)
        watch = Watch(empty() if self.values is None else self.values, out.luck, log, np.zeros(2, np.int64))
        hooks: dict[str, Callable] = {"on_roll": note_luck} if lucky else {}
        hooks |= {"on_move": note_move} if rows else {}
        agents, known = self._compiled_agents(hooks), list(self.game.agents)
        numbers = np.array([agents.index(known[n]) for n in self.numbers])
        seated = (self.game.table, numbers, self.memory, np.uint64(self.seed), self.shared)
        searching = any(self.game.agents[known[n]].slow for n in self.numbers)  # one game in plain Python may take long
        bind = self.game.soon if self.at_once and not searching else self.game.compiled
        bind(play_games, hooks, agents)(*seated, first, self.room(), watch, out)
        return out._replace(payoffs=out.payoffs.T), log

    def _compiled_agents(self, hooks: dict[str, Callable]) -> list[str]:
        """The agents that code is compiled for: those who play, or all of them once many line-ups have played, or if
        there is such code already."""
        every = list(self.game.agents)
        own = tuple(name for n, name in enumerate(every) if n in self.numbers or name in self.company)
        seen = _compiled.setdefault(self.game.name, set())
        if own not in seen and (len(seen) >= FEW or self.game.is_compiled(play_games, hooks, every)):
            return every
        seen.add(own)
        return list(own)

    def room(self) -> Room:
        agents = list(self.game.agents.values())
        return make_room(self.game, [agents[n].draws for n in self.numbers])


def line_up(
    game: Game,
    agents: Sequence[str],
    seed: int,
    shared: bool = True,
    values: np.ndarray | None = None,
    company: Sequence[str] = (),
    at_once: bool = False,
) -> LineUp:
    """Seat built-in agents."""
    numbers, memory = seat_agents(game, agents)
    built_in = tuple(name for name in company if name in game.agents)
    return LineUp(game, np.array(numbers), padded(memory), seed, shared, values, built_in, at_once)
