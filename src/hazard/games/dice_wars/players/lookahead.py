"""The player that looks ahead: it tries the moves that the network thinks best, and goes on from each many times.

First each is valued by the best moves after both its outcomes. Then the rest of the turn, the others' turns and the
own next turn are played, by the network alone for all, whoever they are, and that turn's end is valued by it. Moves
that could hardly catch up are given up on the way, and only the better two are tried to the end. Battles at hand are
won and lost in their proportion, and all moves meet the same dice.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from hazard.dice import draw, open_stream
from hazard.games.dice_wars.land import OVER, Params, State, dice_on, owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.master import BEST_AT, TOP, USED, choose
from hazard.games.dice_wars.rules import END, LOST, WON, chance, land, move, payoff, roll
from hazard.jit import large, rule

ROUND, TRIES, MOST_TRIES = 16, 48, 240  # playouts after which moves are compared, of all moves, and of the better two
HOPE = 0.75  # standard deviations by which a move may have to gain on the leader in the playouts that are left
TRUST = 48.0  # playouts that the value without any counts as much as
CLEAR = 0.1  # a move that is better by so much is made at once
MOVES_AT, SUMS_AT, SQUARES_AT, RNG_AT = USED, USED + TOP, USED + 2 * TOP, USED + 3 * TOP  # places in the room


@large
def play_on(g: Params, s: State, m: int, rng: Any) -> State:
    """The position at the next decision."""
    s = move(g, s, m)
    while chance(g, s) > 0:
        s = land(g, s, roll(g, s, rng))
    return s


# --- the rest of the turn ----------------------------------------------------------------------------------------
@rule
def odds_of(g: Params, s: State, m: int) -> float:
    """The chance that an attack is won."""
    row = map_of(g, s)
    return g.odds[dice_on(s, g.scratch.edges[row, m, 0]), dice_on(s, g.scratch.edges[row, m, 1])]


@large
def best_after(g: Params, s: State, m: int, outcome: int, memory: Any, room: Any) -> float:
    """The mover's chance to win by the best move once a battle has gone one way."""
    s = land(g, move(g, s, m), outcome)
    return 1.0 if s.phase == OVER else choose(g, s, memory, room)[1]


@rule
def list_moves(g: Params, s: State, memory: Any, room: Any) -> int:
    """List the moves that are worth a try, and how much they have on account; how many is returned."""
    choose(g, s, memory, room)
    values = room[BEST_AT + TOP : BEST_AT + 2 * TOP].view(np.float64)
    few = 0
    while few < TOP and values[few] >= max(0.0, values[0] - CLEAR):
        few += 1
    sums = room[SUMS_AT : SUMS_AT + TOP].view(np.float64)
    for k in range(few):
        room[MOVES_AT + k], sums[k] = room[BEST_AT + k], TRUST * values[k]
    return few


@rule
def deepen(g: Params, s: State, few: int, memory: Any, room: Any) -> None:
    """Value the listed attacks by the best moves after them."""
    sums = room[SUMS_AT : SUMS_AT + TOP].view(np.float64)
    for k in range(few):
        m = room[MOVES_AT + k]
        if m != END:
            odds, won = odds_of(g, s, m), best_after(g, s, m, WON, memory, room)
            sums[k] = TRUST * (odds * won + (1 - odds) * best_after(g, s, m, LOST, memory, room))


@rule
def bring_up(few: int, room: Any) -> None:
    """Sort the listed moves by their sums."""
    sums = room[SUMS_AT : SUMS_AT + TOP].view(np.float64)
    for k in range(1, few):
        for i in range(k, 0, -1):
            if sums[i] > sums[i - 1]:
                sums[i], sums[i - 1] = sums[i - 1], sums[i]
                room[MOVES_AT + i], room[MOVES_AT + i - 1] = room[MOVES_AT + i - 1], room[MOVES_AT + i]


# --- the others' turns, and the next -----------------------------------------------------------------------------
@rule
def begin_with(g: Params, s: State, m: int, n: int, rng: Any) -> State:
    """The n-th playout's first move: of n battles as many are won as odds say."""
    if m == END:
        return play_on(g, s, m, rng)
    odds = odds_of(g, s, m)
    return land(g, move(g, s, m), WON if int((n + 1) * odds) > int(n * odds) else LOST)


@large
def playout(g: Params, s: State, m: int, n: int, memory: Any, room: Any, rng: Any) -> float:
    """The mover's chance to win when its next turn ends."""
    me, ends, full = s.mover, 1 if m == END else 0, whole(g, map_of(g, s))
    s = begin_with(g, s, m, n, rng)
    while s.phase != OVER and owned(s, me, full):
        m, value = choose(g, s, memory, room)
        if s.mover == me and m == END:
            ends += 1
            if ends == 2:
                return value
        s = play_on(g, s, m, rng)
    return payoff(g, s, me)


@large
def try_moves(g: Params, s: State, few: int, first: int, last: int, memory: Any, room: Any, rng: Any) -> None:
    """Playouts `first` to `last` of the leading moves, each with the same dice for all of them.

    The squares are those of how far each place was from the leader's.
    """
    sums, dice = room[SUMS_AT : SUMS_AT + TOP].view(np.float64), room[RNG_AT : RNG_AT + 4].view(np.uint64)
    squares, leader = room[SQUARES_AT : SQUARES_AT + TOP].view(np.float64), 0.0
    for n in range(first, last):
        seed = draw(rng)
        for k in range(few):
            open_stream(dice, seed, n, 0)
            value = playout(g, s, room[MOVES_AT + k], n, memory, room, dice)
            leader = leader if k else value
            sums[k] += value
            squares[k] += (value - leader) ** 2
    bring_up(few, room)


@rule
def in_reach(few: int, done: int, room: Any) -> int:
    """How many of the leading moves may still become the best after so many playouts."""
    sums = room[SUMS_AT : SUMS_AT + TOP].view(np.float64)
    squares, left = room[SQUARES_AT : SQUARES_AT + TOP].view(np.float64), MOST_TRIES - done
    while few > 1 and sums[0] - sums[few - 1] > HOPE * sqrt(left * squares[few - 1] / done):
        few -= 1
    return few


@large
def master(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move that does best when it is tried."""
    few, done = list_moves(g, s, memory, moves), 0
    if few > 1:
        deepen(g, s, few, memory, moves)
        bring_up(few, moves)
        moves[SQUARES_AT : SQUARES_AT + TOP].view(np.float64)[:] = 0
    while few > 1 and done < MOST_TRIES:
        try_moves(g, s, few, done, done + ROUND, memory, moves, rng)
        done += ROUND
        few = in_reach(few if done < TRIES else 2, done, moves)
    return moves[MOVES_AT]
