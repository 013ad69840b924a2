"""Dice of Doom on four tiles: they attack their neighbours; whoever owns the most tiles at the end wins.

A turn is at least one attack, then as many more as the player likes. A tile with two dice or more attacks an enemy
beside it: if the sum of its dice is greater, all but one move in; if not, one stays. At the end of a turn the largest
territory brings a die a tile, to the first own tiles that have room for one. Who cannot attack at first ends the game.
"""

from typing import NamedTuple

import numpy as np

from hazard import rule

LIMITS = {"max_dice": (2, 4)}
TILES, END, NEVER = 4, 16, -1  # tiles are a1, a2, b1, b2; an attack is 4 times its source and its target
NEAR = (0b0110, 0b1101, 0b1011, 0b0110)  # neighbours as bits: a2 and b1 touch, a1 and b2 do not
COUNT = (0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4)  # bits that are set


class Params(NamedTuple):
    max_dice: int = 2  # dice that a tile can hold
    players: int = 2


class Table(NamedTuple):
    max_dice: int
    players: int
    wins: np.ndarray  # wins[a, d]: rolls of a dice against d in which the attacker's sum is greater


class State(NamedTuple):
    mover: int
    second: int  # bit n: tile n belongs to the second player
    dice: int  # four bits a tile
    again: int  # 1 after the first attack of a turn
    attack: int  # that is being rolled for, or NEVER
    ended: int


def make(p):
    sums = [np.array([1])]
    for _ in range(p.max_dice):
        sums.append(np.convolve(sums[-1], [0, 1, 1, 1, 1, 1, 1]))
    wins = np.zeros((p.max_dice + 1, p.max_dice + 1), np.int64)
    for a in range(1, p.max_dice + 1):
        for d in range(1, p.max_dice + 1):
            wins[a, d] = sum(sums[a][x] * sums[d][:x].sum() for x in range(len(sums[a])))
    return Table(*p, wins)


@rule
def dice_on(dice, tile):
    return dice >> (4 * tile) & 15


@rule
def owned(s, seat):
    return s.second if seat == 1 else 15 - s.second


@rule
def may_attack(s, source, target):
    own = owned(s, s.mover)
    return own >> source & 1 == 1 and NEAR[source] & ~own & 1 << target > 0 and dice_on(s.dice, source) > 1


@rule
def attacks(s):
    """How many attacks the mover has."""
    count = 0
    for edge in range(TILES * TILES):
        count += 1 if may_attack(s, edge // 4, edge % 4) else 0
    return count


@rule
def opened(mover, second, dice):
    """A turn begins; the game ends if there is nothing to attack."""
    s = State(mover, second, dice, 0, NEVER, 0)
    return s if attacks(s) > 0 else State(mover, second, dice, 0, NEVER, 1)


@rule
def end_turn(g, s):
    """The largest territory is all that the mover owns, but for a1 and b2 alone, which do not touch."""
    own, dice = owned(s, s.mover), s.dice
    new = 1 if own == 0b1001 else COUNT[own]
    for tile in range(TILES):
        if own >> tile & 1 == 1 and new > 0:
            new -= 1
            dice += 1 << (4 * tile) if dice_on(dice, tile) < g.max_dice else 0
    return opened(1 - s.mover, s.second, dice)


@rule
def start(g):
    """Owners take turns in reading order; every tile has the same number of dice."""
    return opened(0, 10, (g.max_dice + 2) // 2 * 4369)


@rule
def over(g, s):
    return s.ended == 1


@rule
def payoff(g, s, seat):
    return min(1.0, max(0.0, COUNT[owned(s, seat)] / 2.0 - 0.5))


@rule
def legal(g, s, moves):
    count = 0
    for edge in range(TILES * TILES):
        if may_attack(s, edge // 4, edge % 4):
            moves[count] = edge
            count += 1
    if s.again == 1:
        moves[count] = END
        count += 1
    return count


@rule
def move(g, s, m):
    return end_turn(g, s) if m == END else State(s.mover, s.second, s.dice, s.again, m, 0)


@rule
def chance(g, s):
    return 2 if s.attack != NEVER else 0


@rule
def weight(g, s, i):
    attackers, defenders = dice_on(s.dice, s.attack // 4), dice_on(s.dice, s.attack % 4)
    wins = g.wins[attackers, defenders]
    return wins if i == 0 else 6 ** (attackers + defenders) - wins


@rule
def land(g, s, i):
    source, target = s.attack // 4, s.attack % 4
    sent, met = dice_on(s.dice, source) - 1, dice_on(s.dice, target)
    second, dice = s.second, s.dice - (sent << (4 * source))
    if i == 0:
        second, dice = second ^ (1 << target), dice + ((sent - met) << (4 * target))
    after = State(s.mover, second, dice, 1, NEVER, 0)
    return after if attacks(after) > 0 else end_turn(g, after)
