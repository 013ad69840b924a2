"""How `master` learns: by watching games of `turn` first, then from its own games, valued exactly a turn ahead.

A turn can be gone through exactly, so the mover's chance needs no luck: it is the best that any play makes of the
chances the network gives to the turn's endings. What that leaves to the others is shared out by playing the turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hazard.dice import below, open_stream
from hazard.games.pickomino.players.features import VERSION, inputs, most_on, see
from hazard.games.pickomino.players.master import CHANCES, judge, own_row, sizes, value_ends
from hazard.games.pickomino.players.turn_player import fill_ends, with_tile
from hazard.games.pickomino.rules import (
    FACES,
    Params,
    State,
    fail,
    land,
    legal,
    lift,
    move,
    over,
    pass_on,
    payoff,
    put,
    roll,
    start,
    top,
)
from hazard.games.pickomino.turn.states import best_move, find_row, turn_value
from hazard.jit import large, rule
from hazard.learning.course import Lesson, Plan
from hazard.rulebook import Game

WATCHED, PRACTISED = 300_000, 30_000  # positions of the first lesson, and of every other
STRAY = 100  # of a thousand turns, how many end in any way there is, so that odd positions come up
SAMPLES = 12  # times a turn is played to see what it leaves to each of the others, if they are several
PLAN = Plan()
LONGEST = 400  # turns; a game that goes on for longer is left, for the sake of rules under which it need not end


@large
def play_turn(g: Params, s: State, row: int, moves: Any, rng: Any) -> State:
    """Play the best turn by the values of a row."""
    mover = s.mover
    while s.mover == mover:
        if s.rolling:
            s = land(g, s, roll(g, s, rng))
        else:
            n = legal(g, s, moves)
            m = moves[0]
            if n > 1:
                m = best_move(g, s, moves, n, row)
            s = move(g, s, m)
    return s


@rule
def nth_end(g: Params, s: State, n: int) -> State:
    """The n-th way for a turn to end: a tile of the centre, one of the others' tiles; a failure if there are fewer."""
    for tile in range(g.tiles):
        if (s.centre >> tile) & 1:
            if n == 0:
                return pass_on(g, with_tile(s, tile))
            n -= 1
    for seat in range(g.players):
        if seat != s.mover and top(s, seat) >= 0:
            if n == 0:
                return pass_on(g, put(lift(s, seat), top(s, seat)))
            n -= 1
    return fail(g, s)


@large
def any_end(g: Params, s: State, rng: Any) -> State:
    """A turn that ends in any of its ways, each as likely as the others."""
    ends = 1
    for tile in range(g.tiles):
        ends += (s.centre >> tile) & 1
    for seat in range(g.players):
        ends += 1 if seat != s.mover and top(s, seat) >= 0 else 0
    return nth_end(g, s, below(rng, ends))


@large
def add_chances(g: Params, s: State, memory: Any, sums: Any) -> None:
    """Add what the end of a turn leaves to all seats, in the order of turns from the one that has just played."""
    ended = over(g, s)
    if not ended:
        judge(g, s, memory)
    for k in range(g.players):
        seat = (s.mover - 1 + k + g.players) % g.players
        place = (k - 1 + g.players) % g.players
        sums[k] += payoff(g, s, seat) if ended else g.scratch.turns.neurons[CHANCES + place]


@rule
def share_out(g: Params, value: float, target: Any) -> None:
    """The mover's chance, and for the others the rest in proportion to what was added up for them."""
    rest = 0.0
    for k in range(1, g.players):
        rest += target[k]
    for k in range(1, g.players):
        target[k] = (1 - value) * (target[k] / rest if rest > 0 else 1.0 / (g.players - 1))
    target[0] = value


@rule
def practise(g: Params, memory: Any, seed: Any, stray: int, samples: int, seen: Any, targets: Any, room: Any) -> int:
    """Fill all rows of `seen` and `targets` from own games; how many were begun is returned."""
    rng, moves = room
    games, turns, s = 1, 0, start(g)
    open_stream(rng, seed, games, 0)
    for n in range(seen.shape[0]):
        row = own_row(g, s, memory)
        g.scratch.turns.known[row] = 0
        value_ends(g, s, row, memory)
        value = turn_value(g.turn, g.scratch.turns, row)
        see(g, s, seen[n])
        after = s
        for _ in range(samples):
            after = play_turn(g, s, row, moves, rng)
            add_chances(g, after, memory, targets[n])
        share_out(g, value, targets[n])
        s = any_end(g, s, rng) if below(rng, 1000) < stray else after
        turns += 1
        if over(g, s) or turns == LONGEST:
            games, turns, s = games + 1, 0, start(g)
            open_stream(rng, seed, games, 0)
    return games


@rule
def watch(g: Params, seed: Any, stray: int, seen: Any, targets: Any, room: Any) -> Any:
    """The same from games of `turn`, with what came of them; how many ended, and the rows filled by them."""
    rng, moves = room
    games, begun, s = 0, 0, start(g)
    open_stream(rng, seed, games, 0)
    for n in range(seen.shape[0]):
        row = find_row(g.scratch.turns, s.centre + (s.mover << 16), s.tops, s.low, -1 - s.high)
        if g.scratch.turns.fresh[0]:
            fill_ends(g, s, row)
        see(g, s, seen[n])
        targets[n, 0] = s.mover
        s = any_end(g, s, rng) if below(rng, 1000) < stray else play_turn(g, s, row, moves, rng)
        if over(g, s):
            for i in range(begun, n + 1):
                mover = int(targets[i, 0])
                for k in range(g.players):
                    targets[i, k] = payoff(g, s, (mover + k) % g.players)
            games, begun, s = games + 1, n + 1, start(g)
            open_stream(rng, seed, games, 0)
    return games, begun


@dataclass(frozen=True)
class Table:
    """Pickomino as a subject to learn."""

    game: Game
    sizes: list[int]
    on: int
    agent: str = "master"
    features: str = VERSION
    rivals: tuple[str, ...] = ("turn", "mc4c-exact")
    plan: Plan = PLAN
    watched: int = WATCHED
    practised: int = PRACTISED

    def _blank(self, rows: int) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray]]:
        seats = self.game.seats
        seen = np.full((rows, most_on(seats)), inputs(seats), np.int16)
        return seen, np.zeros((rows, seats), np.float32), (np.zeros(4, np.uint64), np.zeros(FACES, np.int64))

    def watch(self, seed: int) -> Lesson:
        seen, targets, room = self._blank(self.watched)
        games, filled = self.game.compiled(watch)(self.game.table, np.uint64(seed), STRAY // 2, seen, targets, room)
        return Lesson(seen[:filled], targets[:filled], int(games))

    def practise(self, memory: np.ndarray, seed: int) -> Lesson:
        seen, targets, room = self._blank(self.practised)
        samples = 1 if self.game.seats == 2 else SAMPLES
        play = self.game.compiled(practise)
        games = play(self.game.table, memory, np.uint64(seed), STRAY, samples, seen, targets, room)
        return Lesson(seen, targets, int(games))


def subject(game: Game) -> Table:
    return Table(game, sizes(game), most_on(game.seats) - 8)
