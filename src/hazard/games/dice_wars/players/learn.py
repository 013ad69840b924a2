"""How `master` learns: first by watching games of the published players, then from its own games with them and itself.

The value of a decision is the best that the network makes of its moves, with both outcomes of a battle counted. What is
learnt is a mixture of that value and of later ones. Lessons are from games of two to eight players, for one set of
weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import empty
from hazard.dice import MOST_SEATS, below, open_stream
from hazard.games.dice_wars.land import Params, State
from hazard.games.dice_wars.players.features import ENDED, MOST_ON, MOVING, VERSION, see
from hazard.games.dice_wars.players.master import SIZES, choose
from hazard.games.dice_wars.players.turecek import naive, sdc, ste
from hazard.games.dice_wars.rules import END, deal, fanout, legal, over, payoff, play
from hazard.jit import large, rule
from hazard.learning.course import Lesson, Plan, Subject, joined
from hazard.rulebook import Game, make_game

SELF, STE, SDC, NAIVE, ANY = range(5)  # who sits in a seat
TABLES = (SELF, STE, STE, STE, SDC, SDC, ANY, ANY)  # who the others are, each as likely as the next
SEAT, VALUE, LATER, COLUMNS = range(4)  # columns of notes: whose position, its value, how much later values count
WATCHED, PRACTISED = 600_000, 60_000  # positions of the first lesson, and of every other
SHARES = {2: 7, 3: 2, 4: 2, 5: 2, 6: 5, 7: 1, 8: 1}  # of positions, by players
STRAY = 30  # of a thousand decisions, how many are any legal move
ONE_IN = 3  # about one decision of this many is learnt from
LATER_COUNTS = 0.5  # how much later values count in the value of a decision
LONGEST = 150  # turns of each player, after which a game is left
PLAN = Plan(rate=4e-3, fade=0.98, slow=2e-4, batch=256, window=5, hold=0.9997, watching=3)


class Room(NamedTuple):
    """Arrays to work with."""

    rng: np.ndarray
    moves: np.ndarray
    seats: np.ndarray  # who sits there
    later: np.ndarray  # the value of each seat's next position


@rule
def seat_all(g: Params, watching: bool, room: Room) -> None:
    """A table of one kind, or of all kinds; one learner at the least, unless it only watches."""
    rng, kind = room.rng, TABLES[below(room.rng, len(TABLES))]
    for seat in range(g.players):
        room.seats[seat] = STE + below(rng, 2) if watching else kind if kind < ANY else below(rng, ANY)
    if not watching:
        room.seats[below(rng, g.players)] = SELF


@large
def decide_move(g: Params, s: State, memory: Any, room: Room) -> Any:
    """The move of whoever is to decide, and its value where the network knows one."""
    who, moves = room.seats[s.mover], room.moves
    if who == SELF:
        return choose(g, s, moves, memory)
    if who == STE:
        return ste(g, s, moves, memory, room.rng), 0.0
    if who == SDC:
        return sdc(g, s, moves, memory, room.rng), 0.0
    return naive(g, s, moves, memory, room.rng), 0.0


@large
def note(g: Params, s: State, ended: int, value: float, later: float, seen: Any, line: Any) -> int:
    """Write down a position of the mover; 1 is returned, the number of rows added."""
    see(g, s, s.mover, ended, seen)
    line[SEAT], line[VALUE], line[LATER] = s.mover, value, later
    return 1


@large
def decide_and_note(g: Params, s: State, memory: Any, chances: Any, seen: Any, notes: Any, n: int, room: Room) -> Any:
    """A decision, with notes of it and of a turn that it ends; the move, and where notes end."""
    stray, later = chances
    m, value = decide_move(g, s, memory, room)
    strays = below(room.rng, 1000) < stray
    if strays:
        m = room.moves[below(room.rng, legal(g, s, room.moves))]
    if room.seats[s.mover] != SELF and later < 1:
        return m, n
    if strays or below(room.rng, ONE_IN) == 0:
        n += note(g, s, MOVING, value, 0.0 if strays and later < 1 else later, seen[n], notes[n])
    if m == END and n < seen.shape[0]:
        n += note(g, s, ENDED, value, 1.0, seen[n], notes[n])
    return m, n


@rule
def set_targets(g: Params, s: State, notes: Any, begun: int, n: int, targets: Any, room: Room) -> None:
    """Go back from the end of a game: what every position was worth."""
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

    The last game may be cut off. Its positions are then worth their values, which are 0 where games are only watched.
    """
    games, n = 0, 0
    while n < seen.shape[0]:
        open_stream(room.rng, seed, games, 0)
        seat_all(g, chances[1] == 1, room)
        games, begun, s = games + 1, n, deal(g, room.rng)
        while not over(g, s) and n < seen.shape[0]:
            m, n = decide_and_note(g, s, memory, chances, seen, notes, n, room)
            s = play(g, s, m, room.rng)
        set_targets(g, s, notes, begun, n, targets, room)
    return games


@dataclass(frozen=True, kw_only=True)
class DiceWarsSubject(Subject):
    @cached_property
    def tables(self) -> list[tuple[Game, float]]:
        """The same game for every number of players there is room for, with its share of lessons."""
        given, most = self.game.parameters, self.game.g.fewest
        shares = {players: share for players, share in SHARES.items() if players <= most}
        longest = {players: min(self.game.g.turns, LONGEST * players) for players in shares}
        return [
            (make_game(self.game.name, {**given, "players": p, "turns": longest[p]}), share / sum(shares.values()))
            for p, share in shares.items()
        ]

    def _part(self, game: Game, memory: np.ndarray, seed: int, chances: tuple[int, float], rows: int) -> Lesson:
        seen, targets = self.blank(rows, MOST_ON)
        moves, seats = np.zeros(fanout(game.g), np.int64), np.zeros(MOST_SEATS, np.int64)
        room = Room(np.zeros(4, np.uint64), moves, seats, np.zeros(MOST_SEATS))
        notes = np.zeros((rows, COLUMNS))
        games = game.compiled(practise)(game.table, memory, np.uint64(seed), chances, seen, notes, targets, room)
        return Lesson(seen, targets, int(games))

    def _lesson(self, memory: np.ndarray, seed: int, chances: tuple[int, float], rows: int) -> Lesson:
        return joined([self._part(game, memory, seed, chances, round(rows * share)) for game, share in self.tables])

    def watch(self, seed: int) -> Lesson:
        return self._lesson(empty(), seed, (3 * STRAY, 1.0), self.watched)

    def practise(self, memory: np.ndarray, seed: int) -> Lesson:
        return self._lesson(memory, seed, (STRAY, LATER_COUNTS), self.practised)


def subject(game: Game) -> DiceWarsSubject:
    return DiceWarsSubject(
        game=game,
        agent="master-fast",
        features=VERSION,
        sizes=SIZES,
        on=MOST_ON,
        rivals=("ste", "sdc"),
        plan=PLAN,
        watched=WATCHED,
        practised=PRACTISED,
    )
