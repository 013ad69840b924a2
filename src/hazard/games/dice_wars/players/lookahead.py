"""The player that looks ahead: it tries the moves that the network thinks best, and plays on from each many times.

First each move is valued by the best moves after both its outcomes. Then playouts finish the turn, play the others'
turns and the own next turn, all by the network alone, whoever the others are; the end of that turn is valued by the
network. Moves that can hardly catch up are given up on the way, and only the better two are tried to the end. The
battle that a move begins is won and lost in proportion to its odds, and all moves meet the same dice.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from hazard.dice import draw, open_stream
from hazard.games.dice_wars.land import OVER, Params, State, owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.master import TOP, choose
from hazard.games.dice_wars.rules import END, LOST, WON, land, move, odds_of, payoff, play
from hazard.jit import large, rule

ROUND, TRIES, MOST_TRIES = 16, 48, 240  # playouts after which moves are compared, of all moves, and of the better two
HOPE = 0.75  # standard deviations by which a move may have to gain on the leader in the playouts that are left
TRUST = 48.0  # how many playouts the value without any counts for
CLEAR = 0.1  # a move that is better than all others by this much is made at once


# --- the rest of the turn ----------------------------------------------------------------------------------------
@large
def best_after(g: Params, s: State, m: int, outcome: int, moves: Any, memory: Any) -> float:
    """The mover's chance to win by the best move once a battle has gone one way."""
    s = land(g, move(g, s, m), outcome)
    return 1.0 if s.phase == OVER else choose(g, s, moves, memory)[1]


@rule
def list_trials(g: Params, s: State, moves: Any, memory: Any) -> int:
    """List the moves that are worth a try, with sums to begin with; how many is returned."""
    choose(g, s, moves, memory)
    net, t, few = g.scratch.network, g.scratch.trials, 0
    while few < TOP and net.values[few] >= max(0.0, net.values[0] - CLEAR):
        t.moves[few], t.sums[few], t.squares[few] = net.moves[few], TRUST * net.values[few], 0.0
        few += 1
    return few


@rule
def deepen(g: Params, s: State, few: int, moves: Any, memory: Any) -> None:
    """Value the listed attacks by the best moves after them."""
    t, row = g.scratch.trials, map_of(g, s)
    for k in range(few):
        m = t.moves[k]
        if m != END:
            odds, won = odds_of(g, s, row, m), best_after(g, s, m, WON, moves, memory)
            t.sums[k] = TRUST * (odds * won + (1 - odds) * best_after(g, s, m, LOST, moves, memory))


@rule
def sort_trials(few: int, t: Any) -> None:
    """Sort the listed moves by their sums."""
    for k in range(1, few):
        for i in range(k, 0, -1):
            if t.sums[i] > t.sums[i - 1]:
                t.sums[i], t.sums[i - 1] = t.sums[i - 1], t.sums[i]
                t.moves[i], t.moves[i - 1] = t.moves[i - 1], t.moves[i]


# --- the others' turns, and the next -----------------------------------------------------------------------------
@rule
def begin_with(g: Params, s: State, m: int, n: int, rng: Any) -> State:
    """The first move of the n-th playout: of n battles as many are won as the odds say."""
    if m == END:
        return play(g, s, m, rng)
    odds = odds_of(g, s, map_of(g, s), m)
    return land(g, move(g, s, m), WON if int((n + 1) * odds) > int(n * odds) else LOST)


@large
def playout(g: Params, s: State, m: int, n: int, moves: Any, memory: Any, rng: Any) -> float:
    """The mover's chance to win when its next turn ends."""
    me, ends, full = s.mover, 1 if m == END else 0, whole(g, map_of(g, s))
    s = begin_with(g, s, m, n, rng)
    while s.phase != OVER and owned(s, me, full):
        m, value = choose(g, s, moves, memory)
        if s.mover == me and m == END:
            ends += 1
            if ends == 2:
                return value
        s = play(g, s, m, rng)
    return payoff(g, s, me)


@large
def try_moves(g: Params, s: State, few: int, first: int, last: int, moves: Any, memory: Any, rng: Any) -> None:
    """Playouts `first` to `last` of the leading moves, each with the same dice for all of them."""
    t, leader = g.scratch.trials, 0.0
    for n in range(first, last):
        seed = draw(rng)
        for k in range(few):
            open_stream(t.rng, seed, n, 0)
            value = playout(g, s, t.moves[k], n, moves, memory, t.rng)
            leader = leader if k else value
            t.sums[k] += value
            t.squares[k] += (value - leader) ** 2
    sort_trials(few, t)


@rule
def in_reach(few: int, done: int, t: Any) -> int:
    """How many of the leading moves may still become the best after that many playouts."""
    left = MOST_TRIES - done
    while few > 1 and t.sums[0] - t.sums[few - 1] > HOPE * sqrt(left * t.squares[few - 1] / done):
        few -= 1
    return few


@large
def master(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """The move that does best when it is tried."""
    few, done, t = list_trials(g, s, moves, memory), 0, g.scratch.trials
    if few > 1:
        deepen(g, s, few, moves, memory)
        sort_trials(few, t)
    while few > 1 and done < MOST_TRIES:
        try_moves(g, s, few, done, done + ROUND, moves, memory, rng)
        done += ROUND
        few = in_reach(few if done < TRIES else 2, done, t)
    return t.moves[0]
