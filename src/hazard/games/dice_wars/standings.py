"""Ranks by elimination over many games: the last player standing is first, the first to go is last.

Unlike in matches, the turn order of every game is a random permutation, as in the published experiments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import empty
from hazard.arena.play.compiled import LineUp, play_game, set_up
from hazard.dice import below, open_stream
from hazard.jit import rule

ORDER = 63  # the stream that seats are drawn from


class Standings(NamedTuple):
    """What came of some games."""

    counts: np.ndarray  # counts[place, seat, rank]: games, ranks from 0
    cut: int  # games in which turns ran out; they are in no other count

    @property
    def games(self) -> int:
        return int(self.counts[0].sum())


@rule
def shuffle(seed: Any, number: int, rng: Any, sitting: Any) -> None:
    """Seat the line-up of a game in random order."""
    open_stream(rng, seed, number, ORDER)
    for last in range(sitting.size - 1, 0, -1):
        other = below(rng, last + 1)
        sitting[last], sitting[other] = sitting[other], sitting[last]


@rule
def write_ranks(g: Any, s: Any, sitting: Any, counts: Any) -> int:
    """Count the ranks of a game that is over; 1 is returned if turns ran out."""
    if (s.fallen >> (4 * (g.players - 2))) == 0:
        return 1
    counts[sitting[s.mover], s.mover, 0] += 1
    for n in range(g.players - 1):
        seat = ((s.fallen >> (4 * n)) & 15) - 1
        counts[sitting[seat], seat, g.players - 1 - n] += 1
    return 0


@rule
def rank_games(
    g: Any, agents: Any, memory: Any, seed: Any, first: int, games: int, room: Any, rng: Any, counts: Any, nothing: Any
) -> int:
    """Play some games and count ranks; how many games were cut is returned."""
    cut, (values, luck) = 0, nothing
    for number in range(first, first + games):
        set_up(g, seed, False, number, room)
        shuffle(seed, number, rng, room.sitting)
        s, _ = play_game(g, agents, memory, room, values, luck, 0)
        cut += write_ranks(g, s, room.sitting, counts)
    return cut


def standings(who: LineUp, first: int, games: int) -> Standings:
    """Play games of a line-up, numbered from `first` on."""
    seats = who.game.seats
    counts, rng = np.zeros((seats, seats, seats), np.int64), np.zeros(4, np.uint64)
    seated = (who.game.table, who.numbers, who.memory, np.uint64(who.seed))
    nothing = empty(), np.zeros(0)  # no values of positions, so no luck to add up
    cut = who.game.compiled(rank_games)(*seated, first, games, who.room(), rng, counts, nothing)
    return Standings(counts, int(cut))
