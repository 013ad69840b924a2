"""Dice Wars: territories with dice attack their neighbours until one player owns the whole map.

A territory with two dice or more may attack an enemy beside it: if the sum of its dice is greater, all but one move
in; if not, one stays. At the end of a turn a player gets as many dice as the largest own region has territories, on
top of those kept in reserve, placed one by one at random where there is room; the rest is kept. The rules are from
Turecek, "Artificial Intelligence for a Board Game" (Brno, 2018), after the game by Taro Ito.
"""

from typing import Any

import numpy as np

from hazard.bits import count, largest_region, lowest, nth
from hazard.dice import below, draw
from hazard.games.dice_wars.land import (
    BATTLE,
    CHOOSE,
    FIRST,
    MOST_EDGES,
    OVER,
    PLACE,
    Params,
    State,
    add_dice,
    dice_on,
    give,
    owned,
    owner,
    reserve,
    without,
)
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.jit import large, rule

END = 254  # the move that ends a turn; attacks are numbers of edges
WON, LOST = 0, 1
START_DICE, FEWER = 3, 6  # dice for each territory at the start; up to five fewer in all


# --- the beginning -----------------------------------------------------------------------------------------------
@rule
def start(g: Params) -> State:
    """The first map, owners taking turns, three dice everywhere."""
    s = State(g.scratch.keys[0] if g.fixed else 1, 0, 0, 0, 0, 0, 0, 0, CHOOSE, -1, 0, 0, 0)
    lands = g.scratch.counts[map_of(g, s), 0]
    for land in range(lands):
        s = add_dice(give(s, land, g.players - 1 - land % g.players), land, min(START_DICE, g.max_dice) - 1)
    return s


@large
def deal(g: Params, rng: Any) -> State:
    """A new map; territories and dice at random, the late seats first."""
    number = g.scratch.keys[0] if g.fixed else 1 + below(rng, 1 << 30)
    s = State(number, 0, 0, 0, 0, 0, 0, 0, CHOOSE, -1, 0, 0, 0)
    row = map_of(g, s)
    s = deal_lands(g, s, row, rng)
    dice = START_DICE * g.scratch.counts[row, 0] - below(rng, FEWER)
    for seat in range(g.players - 1, -1, -1):
        share = nearest(dice, seat + 1)
        dice -= share
        s = deal_dice(g, s, owned(s, seat, whole(g, row)), share, rng)
    return s


@rule
def nearest(dice: int, seats: int) -> int:
    """The whole number nearest to an equal part; of two the even one."""
    share = (2 * dice + seats) // (2 * seats)
    return share - 1 if (2 * dice + seats) % (2 * seats) == 0 and share % 2 == 1 else share


@rule
def deal_lands(g: Params, s: State, row: int, rng: Any) -> State:
    """Territories go round among the players, each a random one of those left."""
    rest, seat = whole(g, row), g.players - 1
    while rest:
        land = nth(rest, below(rng, count(rest)))
        rest ^= 1 << land
        s = give(s, land, seat)
        seat = seat - 1 if seat > 0 else g.players - 1
    return s


@rule
def with_room(g: Params, s: State, own: int) -> int:
    """The territories of a set that take another die."""
    return own & without(s, g.max_dice)


@rule
def deal_dice(g: Params, s: State, own: int, dice: int, rng: Any) -> State:
    """Each of a player's territories has one die; the others fall at random where there is room."""
    for _ in range(dice - count(own)):
        room = with_room(g, s, own)
        if room == 0:
            break
        s = add_dice(s, nth(room, below(rng, count(room))), 1)
    return s


# --- the contract ------------------------------------------------------------------------------------------------
@rule
def over(g: Params, s: State) -> bool:
    return s.phase == OVER


@rule
def payoff(g: Params, s: State, seat: int) -> float:
    """All to the last player standing; where turns ran out, those still standing share."""
    alive = 0
    for other in range(g.players):
        alive += 1 if owned(s, other, whole(g, map_of(g, s))) else 0
    return 1.0 / alive if owned(s, seat, whole(g, map_of(g, s))) else 0.0


@rule
def fanout(g: Params) -> int:
    return MOST_EDGES + 1


@rule
def list_attacks(g: Params, s: State, row: int, own: int, moves: Any) -> int:
    """Write down all attacks of the mover, who owns these territories, and return how many there are."""
    n, sources = 0, own & without(s, 1)
    while sources:
        source = lowest(sources)
        sources &= sources - 1
        for edge in range(g.scratch.counts[row, FIRST + source], g.scratch.counts[row, FIRST + source + 1]):
            if not (own >> g.scratch.edges[row, edge, 1]) & 1:
                moves[n] = edge
                n += 1
    return n


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    row = map_of(g, s)
    n = list_attacks(g, s, row, owned(s, s.mover, whole(g, row)), moves)
    moves[n] = END
    return n + 1


@rule
def move(g: Params, s: State, m: int) -> State:
    if m == END:
        return reinforce(g, s)
    return State(s.map, s.low, s.middle, s.high, s.dice, s.more, s.reserves, s.fallen, BATTLE, m, 0, s.turn, s.mover)


@rule
def with_reserve(s: State, seat: int, dice: int) -> State:
    """The position with a player's reserve set, and nothing left to place."""
    reserves = s.reserves + ((dice - reserve(s, seat)) << (7 * seat))
    return State(s.map, s.low, s.middle, s.high, s.dice, s.more, reserves, s.fallen, s.phase, -1, 0, s.turn, s.mover)


@rule
def reinforce(g: Params, s: State) -> State:
    """End the turn: dice are to be placed for the largest region, and those in reserve."""
    row = map_of(g, s)
    own = owned(s, s.mover, whole(g, row))
    dice = min(g.max_reserve, reserve(s, s.mover) + count(largest_region(g.scratch.near[row], own)))
    return place_next(g, s, own, dice)


@rule
def place_next(g: Params, s: State, own: int, dice: int) -> State:
    """Go on placing, or keep what is left and pass the turn on."""
    if dice == 0 or with_room(g, s, own) == 0:
        return pass_on(g, with_reserve(s, s.mover, dice))
    return State(s.map, s.low, s.middle, s.high, s.dice, s.more, s.reserves, s.fallen, PLACE, -1, dice, s.turn, s.mover)


@rule
def pass_on(g: Params, s: State) -> State:
    """The next player who has a territory is to move, unless turns have run out."""
    full, seat = whole(g, map_of(g, s)), s.mover
    for _ in range(g.players):
        seat = seat + 1 if seat + 1 < g.players else 0
        if owned(s, seat, full):
            break
    turn = s.turn + 1 if g.turns > 0 else 0
    phase = OVER if g.turns > 0 and turn >= g.turns else CHOOSE
    return State(s.map, s.low, s.middle, s.high, s.dice, s.more, s.reserves, s.fallen, phase, -1, 0, turn, seat)


@rule
def chance(g: Params, s: State) -> int:
    """A battle is won or lost; a die falls on any own territory with room."""
    if s.phase == BATTLE:
        return 2
    if s.phase == PLACE:
        return count(with_room(g, s, owned(s, s.mover, whole(g, map_of(g, s)))))
    return 0


@rule
def sides(g: Params, s: State, row: int, edge: int) -> Any:
    """The dice on both sides of an attack."""
    return dice_on(s, g.scratch.edges[row, edge, 0]), dice_on(s, g.scratch.edges[row, edge, 1])


@rule
def odds_of(g: Params, s: State, row: int, edge: int) -> float:
    """The chance that an attack is won."""
    a, d = sides(g, s, row, edge)
    return g.odds[a, d]


@rule
def weight(g: Params, s: State, i: int) -> int:
    if s.phase == PLACE:
        return 1
    a, d = sides(g, s, map_of(g, s), s.attack)
    return g.win[a, d] if i == WON else g.every[a, d] - g.win[a, d]


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    if s.phase == PLACE:
        return below(rng, chance(g, s))
    a, d = sides(g, s, map_of(g, s), s.attack)
    every = np.uint64(g.every[a, d])
    mark = draw(rng)
    while mark >= g.fair[a, d]:
        mark = draw(rng)
    return WON if np.int64(mark % every) < g.win[a, d] else LOST


@rule
def land(g: Params, s: State, i: int) -> State:
    row = map_of(g, s)
    own = owned(s, s.mover, whole(g, row))
    if s.phase == PLACE:
        return place_next(g, add_dice(s, nth(with_room(g, s, own), i), 1), own, s.left - 1)
    return battle(g, s, row, own, i)


@rule
def battle(g: Params, s: State, row: int, own: int, i: int) -> State:
    """Won: all dice but one move in. Lost: one die is left."""
    source, target = g.scratch.edges[row, s.attack, 0], g.scratch.edges[row, s.attack, 1]
    a, d = dice_on(s, source), dice_on(s, target)
    s = add_dice(s, source, 1 - a)
    if i == LOST:
        return State(
            s.map, s.low, s.middle, s.high, s.dice, s.more, s.reserves, s.fallen, CHOOSE, -1, 0, s.turn, s.mover
        )
    loser = owner(s, target)
    s = add_dice(give(s, target, s.mover), target, a - 1 - d)
    fallen = s.fallen if owned(s, loser, whole(g, row)) else bury(s.fallen, loser)
    phase = OVER if (own | (1 << target)) == whole(g, row) else CHOOSE
    return State(s.map, s.low, s.middle, s.high, s.dice, s.more, s.reserves, fallen, phase, -1, 0, s.turn, s.mover)


@rule
def bury(fallen: int, seat: int) -> int:
    """The list of those who are out, with one more."""
    place = 0
    while fallen >> (4 * place):
        place += 1
    return fallen | (seat + 1) << (4 * place)


# --- playing on --------------------------------------------------------------------------------------------------
@large
def settle_dice(g: Params, s: State, rng: Any) -> State:
    """The position once no dice are in the air."""
    while chance(g, s) > 0:
        s = land(g, s, roll(g, s, rng))
    return s


@large
def play(g: Params, s: State, m: int, rng: Any) -> State:
    """The position at the next decision after a move."""
    return settle_dice(g, move(g, s, m), rng)
