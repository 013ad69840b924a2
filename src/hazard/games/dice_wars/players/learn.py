"""How `master` learns: by watching games of the published players first, then from its own games with them and itself.

A decision's value is the best that the network makes of its moves, both outcomes of a battle counted; what it learns
is a mixture of that and of what came later. Lessons are from games of two to eight players, for one set of weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hazard.dice import below, open_stream
from hazard.games.dice_wars.land import Params, State
from hazard.games.dice_wars.players.features import ENDED, INPUTS, MOST_ON, MOVING, VERSION, see
from hazard.games.dice_wars.players.lookahead import play_on
from hazard.games.dice_wars.players.master import SIZES, choose
from hazard.games.dice_wars.players.turecek import naive, sdc, ste
from hazard.games.dice_wars.rules import END, deal, fanout, legal, over, payoff
from hazard.jit import large, rule
from hazard.learning.course import Lesson, Plan
from hazard.rulebook import Game, make_game

SELF, STE, SDC, NAIVE, ANY = range(5)  # who sits in a seat
TABLES = (SELF, STE, STE, STE, SDC, SDC, ANY, ANY)  # who the others are, each as likely as the next
SEAT, VALUE, LATER, ROW = range(4)  # columns of notes: whose position, its value, whether what came later counts
WATCHED, PRACTISED = 600_000, 60_000  # positions of the first lesson, and of every other
SHARES = {2: 7, 3: 2, 4: 2, 5: 2, 6: 5, 7: 1, 8: 1}  # of positions, by players
STRAY = 30  # of a thousand decisions, how many are any legal move
KEPT = 3  # of so many decisions, about one is learnt from
LATER_COUNTS = 0.5  # how much of what came later goes into a decision's value
LONGEST = 150  # turns of each player, after which a game is left
PLAN = Plan(rate=4e-3, fade=0.98, slow=2e-4, batch=256, window=5, hold=0.9997, watching=3)


class Room(NamedTuple):
    """Scratch arrays."""

    rng: np.ndarray
    moves: np.ndarray
    seats: np.ndarray  # who sits there
    later: np.ndarray  # what came of each seat's latest decision


@rule
def seat_all(g: Params, watching: bool, room: Room) -> None:
    """A table of one kind, or of all kinds; one learner at the least, unless it only watches."""
    rng, kind = room.rng, TABLES[below(room.rng, len(TABLES))]
    for seat in range(g.players):
        room.seats[seat] = STE + below(rng, 2) if watching else kind if kind < ANY else below(rng, ANY)
    if not watching:
        room.seats[below(rng, g.players)] = SELF


@large
def ask(g: Params, s: State, memory: Any, room: Room) -> Any:
    """The move of whoever is to decide, and its value where the network knows one."""
    who, moves = room.seats[s.mover], room.moves
    if who == SELF:
        return choose(g, s, memory, moves)
    if who == STE:
        return ste(g, s, moves, memory, room.rng), 0.0
    if who == SDC:
        return sdc(g, s, moves, memory, room.rng), 0.0
    return naive(g, s, moves, memory, room.rng), 0.0


@large
def note(g: Params, s: State, ended: int, value: float, later: float, seen: Any, line: Any) -> int:
    """Write down a position of the mover; 1 is returned, for a row more."""
    see(g, s, s.mover, ended, seen)
    line[SEAT], line[VALUE], line[LATER] = s.mover, value, later
    return 1


@large
def decide_and_note(g: Params, s: State, memory: Any, chances: Any, seen: Any, notes: Any, n: int, room: Room) -> Any:
    """A decision, with notes of it and of a turn that it ends; the move, and where notes end."""
    stray, later = chances
    m, value = ask(g, s, memory, room)
    strays = below(room.rng, 1000) < stray
    if strays:
        m = room.moves[below(room.rng, legal(g, s, room.moves))]
    if room.seats[s.mover] != SELF and later < 1:
        return m, n
    if strays or below(room.rng, KEPT) == 0:
        n += note(g, s, MOVING, value, 0.0 if strays and later < 1 else later, seen[n], notes[n])
    if m == END and n < seen.shape[0]:
        n += note(g, s, ENDED, value, 1.0, seen[n], notes[n])
    return m, n


@rule
def settle(g: Params, s: State, notes: Any, begun: int, n: int, targets: Any, room: Room) -> None:
    """From the end of a game back: what every position was worth."""
    for seat in range(g.players):
        room.later[seat] = payoff(g, s, seat) if over(g, s) else -1.0
    for i in range(n - 1, begun - 1, -1):
        seat, value, later = int(notes[i, SEAT]), notes[i, VALUE], notes[i, LATER]
        if room.later[seat] >= 0:
            value += later * (room.later[seat] - value)
        room.later[seat] = value
        targets[i, 0], targets[i, 1] = value, 1 - value


@rule
def practise(g: Params, memory: Any, seed: Any, chances: Any, seen: Any, notes: Any, targets: Any, room: Room) -> int:
    """Fill all rows of `seen` and `targets`; how many games were begun is returned.

    The last game may be cut off: then its positions are worth their values, which are 0 where games are only watched.
    """
    games, n = 0, 0
    while n < seen.shape[0]:
        open_stream(room.rng, seed, games, 0)
        seat_all(g, chances[1] == 1, room)
        games, begun, s = games + 1, n, deal(g, room.rng)
        while not over(g, s) and n < seen.shape[0]:
            m, n = decide_and_note(g, s, memory, chances, seen, notes, n, room)
            s = play_on(g, s, m, room.rng)
        settle(g, s, notes, begun, n, targets, room)
    return games


@dataclass(frozen=True)
class War:
    """Dice Wars as a subject to learn."""

    game: Game
    sizes: list[int]
    on: int = MOST_ON
    agent: str = "master-fast"
    features: str = VERSION
    rivals: tuple[str, ...] = ("ste", "sdc")
    plan: Plan = PLAN
    watched: int = WATCHED
    practised: int = PRACTISED

    @cached_property
    def tables(self) -> list[tuple[Game, float]]:
        """The same game for every number of players there is room for, with its share of lessons."""
        given, most = self.game.parameters, self.game.table.fewest
        shares = {players: share for players, share in SHARES.items() if players <= most}
        longest = {players: min(self.game.table.turns, LONGEST * players) for players in shares}
        return [
            (make_game(self.game.name, {**given, "players": p, "turns": longest[p]}), share / sum(shares.values()))
            for p, share in shares.items()
        ]

    def _part(self, game: Game, memory: np.ndarray, seed: int, chances: tuple[int, float], rows: int) -> Lesson:
        seen, targets = np.full((rows, MOST_ON), INPUTS, np.int16), np.zeros((rows, 2), np.float32)
        room = Room(*(np.zeros(n, t) for n, t in ((4, np.uint64), (fanout(game.table), np.int64))), *np.zeros((2, 8)))
        notes = np.zeros((rows, ROW))
        games = game.compiled(practise)(game.table, memory, np.uint64(seed), chances, seen, notes, targets, room)
        return Lesson(seen, targets, int(games))

    def _lesson(self, memory: np.ndarray, seed: int, chances: tuple[int, float], rows: int) -> Lesson:
        parts = [self._part(game, memory, seed, chances, round(rows * share)) for game, share in self.tables]
        seen, targets = (np.concatenate([part[n] for part in parts]) for n in (0, 1))
        return Lesson(seen, targets, sum(part.games for part in parts))

    def watch(self, seed: int) -> Lesson:
        return self._lesson(np.zeros(1, np.uint8), seed, (3 * STRAY, 1.0), self.watched)

    def practise(self, memory: np.ndarray, seed: int) -> Lesson:
        return self._lesson(memory, seed, (STRAY, LATER_COUNTS), self.practised)


def subject(game: Game) -> War:
    return War(game, SIZES)
