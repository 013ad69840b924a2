"""The parts of a game of Dice Wars: its parameters, a position, owners of territories, and the dice on them.

A set of territories is a number with one bit for each (see `hazard.bits`). A position names its map by number. The map
is grown from that number when it is needed, and the latest maps are cached.
"""

from typing import Any, NamedTuple

import numpy as np

from hazard.jit import rule

CHOOSE, BATTLE, PLACE, OVER = 0, 1, 2, 3  # phases
MOST = 31  # territories
MOST_EDGES = 6 * MOST  # more than a map of that size can have
WORD = 20  # territories whose dice fit in one number, three bits each: one less than the dice
LOWEST = 0x1249249249249249  # the lowest of each three bits
LANDS, EDGES, FIRST = 0, 1, 2  # columns of `counts`, see `scratch.Scratch`


class Params(NamedTuple):
    players: int
    fewest: int  # territories of a map
    most: int
    max_dice: int  # on a territory
    max_reserve: int  # dice a player may have to place, those of the turn included
    turns: int  # after which nobody has won, 0 for no limit
    fixed: int  # 1 if all games are on one map, which is in row 0
    number: int  # of that map, 0 if it was loaded from a file
    size: np.ndarray  # rows and columns of the grid
    beside: np.ndarray  # beside[hex]: the six hexes around it, -1 outside the grid
    areas: np.ndarray  # areas[row, column]: the territory of each hex of the one map that was loaded, or no rows
    win: np.ndarray  # win[a, b]: of every[a, b] equally likely rolls those with which a dice beat b
    every: np.ndarray
    fair: np.ndarray  # fair[a, b]: the greatest multiple of every[a, b] that 64 bits can hold
    odds: np.ndarray  # odds[a, b]: the same as a fraction
    scratch: Any  # maps, and arrays that players work with; see `scratch`


class State(NamedTuple):
    map: int  # the number of the map
    low: int  # a bit for each territory: the lowest bit of its owner's number
    middle: int
    high: int
    dice: int  # three bits for each of the first 20 territories: one less than the dice
    more: int  # and for each of the others
    reserves: int  # seven bits for each seat: dice that could not be placed
    fallen: int  # four bits for each seat that is out, first the first: one more than its number
    phase: int  # CHOOSE to OVER
    attack: int  # the edge of the battle whose dice are in the air, otherwise -1
    left: int  # dice still to be placed
    turn: int  # turns played, where there is a limit
    mover: int


# --- owners ------------------------------------------------------------------------------------------------------
@rule
def owned(s: State, seat: int, full: int) -> int:
    """The territories of a player, among all of the map."""
    low = s.low if seat & 1 else ~s.low
    middle = s.middle if seat & 2 else ~s.middle
    high = s.high if seat & 4 else ~s.high
    return low & middle & high & full


@rule
def owner(s: State, land: int) -> int:
    return ((s.low >> land) & 1) + 2 * ((s.middle >> land) & 1) + 4 * ((s.high >> land) & 1)


# --- dice --------------------------------------------------------------------------------------------------------
@rule
def dice_on(s: State, land: int) -> int:
    if land < WORD:
        return ((s.dice >> (3 * land)) & 7) + 1
    return ((s.more >> (3 * (land - WORD))) & 7) + 1


@rule
def gather(bits: int) -> int:
    """Every third bit of a number, packed together."""
    bits = (bits | bits >> 2) & 0x10C30C30C30C30C3
    bits = (bits | bits >> 4) & 0x100F00F00F00F00F
    bits = (bits | bits >> 8) & 0x001F0000FF0000FF
    bits = (bits | bits >> 16) & 0x001F00000000FFFF
    return (bits | bits >> 32) & 0x1FFFFF


@rule
def without(s: State, dice: int) -> int:
    """The territories with any other number of dice, as a set; bits beyond the map mean nothing."""
    low, high = s.dice ^ (dice - 1) * LOWEST, s.more ^ (dice - 1) * LOWEST
    low, high = (low | low >> 1 | low >> 2) & LOWEST, (high | high >> 1 | high >> 2) & LOWEST
    return gather(low) & (1 << WORD) - 1 | gather(high) << WORD


@rule
def reserve(s: State, seat: int) -> int:
    return (s.reserves >> (7 * seat)) & 127


@rule
def add_dice(s: State, land: int, n: int) -> State:
    """The position with n dice more on a territory, or fewer."""
    dice, more = s.dice, s.more
    if land < WORD:
        dice += n << (3 * land)
    else:
        more += n << (3 * (land - WORD))
    return State(
        s.map, s.low, s.middle, s.high, dice, more, s.reserves, s.fallen, s.phase, s.attack, s.left, s.turn, s.mover
    )


@rule
def give(s: State, land: int, seat: int) -> State:
    """The position with a territory in other hands."""
    bit = 1 << land
    low, middle, high = s.low & ~bit, s.middle & ~bit, s.high & ~bit
    low, middle, high = low | (seat & 1) << land, middle | (seat >> 1 & 1) << land, high | (seat >> 2) << land
    return State(
        s.map, low, middle, high, s.dice, s.more, s.reserves, s.fallen, s.phase, s.attack, s.left, s.turn, s.mover
    )
