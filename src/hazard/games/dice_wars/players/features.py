"""The inputs of the network: what one player sees of a position, at a decision or after ending a turn.

Every territory turns on one input, its kind: its dice, the most dice of the enemies beside it, whether another enemy
has about as many, and whether it lies in its owner's largest region. Further inputs are sums for the player and for the
strongest of the others: territories, the largest region, dice, reserve. Seats are not distinguished, so the network
serves any number of players. There is one table of inputs for games of the last two, another for more.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hazard.bits import count, largest_region, lowest, region
from hazard.games.dice_wars.land import LOWEST, MOST, WORD, Params, State, gather, owned, reserve
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.jit import large, rule

VERSION = "dice-wars 1"  # of the inputs; weights for other inputs are refused
MOVING, ENDED = 0, 1  # the player is to decide, or has ended a turn whose dice are not placed yet
KINDS, FEW, MANY, SEATS = 8 * 9 * 4, 32, 64, 8  # inputs for territories of a side, and for sums
SIDE = 3 * FEW + MANY  # territories, largest region, reserve, dice
MINE_AT, THEIRS_AT = 2 * KINDS, 2 * KINDS + SIDE  # of the others, the most that any of them has
LEAD_AT = THEIRS_AT + SIDE  # dice more than the strongest of the others
WIDTH_AT = LEAD_AT + MANY  # territories more in the largest region
SECOND_AT = WIDTH_AT + MANY  # dice of the second strongest, of all others, and of the next to move
ROOM_AT = SECOND_AT + 3 * MANY  # dice that find room
RIVALS_AT, AHEAD_AT = ROOM_AT + FEW, ROOM_AT + FEW + SEATS  # others in the game, and those with more dice
TABLE = AHEAD_AT + SEATS
INPUTS = 4 * TABLE  # at a decision or not, against one or more
SUMS = 16  # inputs that are on besides those of territories
MOST_ON = SUMS + MOST


class Rivals(NamedTuple):
    """The others: how many are left, and sums."""

    number: int
    ahead: int  # those with more dice
    lands: int  # the most that any of them has
    wide: int
    dice: int
    second: int  # the most dice but for one
    all: int  # dice of all
    next: int  # dice of the next to move
    reserve: int  # the greatest


class Sight(NamedTuple):
    """A position as one player sees it; sets of territories."""

    own: int
    full: int
    cores: int  # the largest regions of all players
    ones: int  # territories whose dice, less one, have this bit
    twos: int
    fours: int
    rivals: int  # players besides, still in the game


@rule
def plane(s: State, n: int) -> int:
    """The territories whose dice, less one, have the n-th bit."""
    return gather(s.dice >> n & LOWEST) & (1 << WORD) - 1 | gather(s.more >> n & LOWEST) << WORD


@rule
def cores_of(g: Params, s: State, row: int) -> int:
    """The largest regions of all players."""
    found = 0
    for seat in range(g.players):
        found |= largest_region(g.scratch.near[row], owned(s, seat, whole(g, row)))
    return found


@rule
def cores_after(g: Params, s: State, row: int, v: Sight, taken: int, loser: int) -> int:
    """The same after the player who saw them took a territory; only what that can change is worked out again.

    Of regions of the same size the one with the lowest territory counts, as in `largest_region`.
    """
    mine, others = v.cores & v.own, v.cores & ~v.own
    near = g.scratch.near[row]
    area = region(near, v.own | taken, taken)
    if count(area) > count(mine) or (count(area) == count(mine) and area & -area < mine & -mine):
        mine = area
    if others & taken:
        lands = owned(s, loser, v.full)
        others = others & ~(lands | taken) | largest_region(near, lands)
    return mine | others


@rule
def total(v: Sight, lands: int) -> int:
    """All dice on some territories."""
    return count(lands) + count(lands & v.ones) + 2 * count(lands & v.twos) + 4 * count(lands & v.fours)


# --- territories -------------------------------------------------------------------------------------------------
@rule
def strongest(v: Sight, lands: int) -> Any:
    """The most dice, less one, on any of some territories, and the territories that have them."""
    high = lands & v.fours
    lands, dice = (high, 4) if high else (lands, 0)
    high = lands & v.twos
    lands, dice = (high, dice + 2) if high else (lands, dice)
    high = lands & v.ones
    return (dice + 1, high) if high else (dice, lands)


@rule
def threat(v: Sight, enemies: int) -> int:
    """The most dice among enemies, doubled; one more if another has about as many."""
    if enemies == 0:
        return 0
    most, those = strongest(v, enemies)
    rest = enemies ^ (those & -those)
    second = strongest(v, rest)[0] if rest else 0
    return 2 * most + (3 if second >= max(1, most - 1) else 2)


@rule
def kind_of(g: Params, row: int, v: Sight, land: int) -> int:
    """The input that a territory turns on."""
    mine = v.own >> land & 1
    dice = (v.ones >> land & 1) + 2 * (v.twos >> land & 1) + 4 * (v.fours >> land & 1)
    against = v.full ^ v.own if mine else v.own
    at = 0 if mine else KINDS
    return at + 2 * (18 * dice + threat(v, g.scratch.near[row, land] & against)) + (v.cores >> land & 1)


@rule
def see_kinds(g: Params, row: int, v: Sight, lands: int, kinds: Any) -> None:
    """Note the kinds of some territories."""
    while lands:
        land = lowest(lands)
        lands &= lands - 1
        kinds[land] = kind_of(g, row, v, land)


@rule
def changed(g: Params, row: int, v: Sight, w: Sight) -> int:
    """The territories whose kinds may differ."""
    lands = (v.own ^ w.own) | (v.ones ^ w.ones) | (v.twos ^ w.twos) | (v.fours ^ w.fours)
    found = lands | v.cores ^ w.cores
    while lands:
        found |= g.scratch.near[row, lowest(lands)]
        lands &= lands - 1
    return found


# --- sums --------------------------------------------------------------------------------------------------------
@rule
def see_side(lands: int, wide: int, dice: int, stored: int, at: int, seen: Any, n: int) -> None:
    """Note the sums of a side."""
    seen[n] = at + lands
    seen[n + 1] = at + FEW + wide
    seen[n + 2] = at + 2 * FEW + min(stored // 2, FEW - 1)
    seen[n + 3] = at + 3 * FEW + dice // 4


@rule
def survey(g: Params, s: State, v: Sight, seat: int, mine: int) -> Rivals:
    """Sum up the others, in the order of turns."""
    r = Rivals(0, 0, 0, 0, 0, 0, 0, 0, 0)
    for k in range(1, g.players):
        other = seat + k if seat + k < g.players else seat + k - g.players
        lands = owned(s, other, v.full)
        if lands:
            dice = total(v, lands)
            second = max(r.second, min(r.dice, dice))
            first = dice if r.number == 0 else r.next
            most, stored = max(r.lands, count(lands)), max(r.reserve, reserve(s, other))
            ahead, wide = r.ahead + (1 if dice > mine else 0), max(r.wide, count(v.cores & lands))
            dice, every = max(r.dice, dice), r.all + dice
            r = Rivals(r.number + 1, ahead, most, wide, dice, second, every, first, stored)
    return r


@rule
def see_rivals(r: Rivals, mine: int, wide: int, seen: Any, n: int) -> None:
    """Note the sums of the others, and how one's own dice and largest region compare."""
    see_side(r.lands, r.wide, r.dice, r.reserve, THEIRS_AT, seen, n)
    seen[n + 4] = LEAD_AT + MANY // 2 + min(max((mine - r.dice) // 3, -MANY // 2), MANY // 2 - 1)
    seen[n + 5] = WIDTH_AT + MANY // 2 + wide - r.wide
    seen[n + 6] = SECOND_AT + r.second // 4
    seen[n + 7] = SECOND_AT + MANY + r.all // 4
    seen[n + 8] = SECOND_AT + 2 * MANY + r.next // 4
    seen[n + 9] = RIVALS_AT + r.number
    seen[n + 10] = AHEAD_AT + r.ahead


@large
def look(g: Params, s: State, seat: int, row: int, cores: int, sums: Any) -> Sight:
    """See a position, whose largest regions are known, as a player still in the game; writes the inputs of its sums."""
    full = whole(g, row)
    own = owned(s, seat, full)
    v = Sight(own, full, cores, plane(s, 0), plane(s, 1), plane(s, 2), 0)
    mine, wide = total(v, own), count(cores & own)
    r = survey(g, s, v, seat, mine)
    see_side(count(own), wide, mine, reserve(s, seat), MINE_AT, sums, 0)
    see_rivals(r, mine, wide, sums, 4)
    sums[15] = ROOM_AT + min((8 * count(own) - mine) // 4, FEW - 1)
    return Sight(own, full, cores, v.ones, v.twos, v.fours, r.number)


@rule
def table_of(v: Sight, ended: int) -> int:
    """The first input of the table for a position."""
    return TABLE * (ended + (2 if v.rivals > 1 else 0))


@large
def see(g: Params, s: State, seat: int, ended: int, seen: Any) -> int:
    """List all inputs that are on; how many is returned."""
    row = map_of(g, s)
    v = look(g, s, seat, row, cores_of(g, s, row), seen)
    see_kinds(g, row, v, v.full, seen[SUMS:])
    n = SUMS + count(v.full)
    for i in range(n):
        seen[i] += table_of(v, ended)
    return n
