"""Shut the Box, for one player: shut tiles that add up to the roll until all are shut or nothing fits.

Tiles are numbered from 1 to `tiles`, and all are open at the start. Each turn two dice are rolled, and open tiles
that add up to them are shut: any number of tiles, or at most `at_once` if that is set. The game ends when all are
shut, or when nothing fits. With `single` set to 1 the player may roll one die instead once the tiles left add up to
six or less. Paid is 1 for an empty box, or with `score` set to 1 the points left open, with a minus. Figures are from
durangobill.com.
"""

from typing import NamedTuple

from hazard.bits import count
from hazard.jit import rule

TITLE = "Shut the Box"
LIMITS = {"tiles": (1, 12), "single": (0, 1), "score": (0, 1), "at_once": (0, 12)}
SOURCE = "durangobill.com"
ATLAS = [
    {
        "rules": "two dice always; the chance of an empty box",
        "parameters": {"tiles": 9, "single": 0},
        "published": (("7.1432 %", SOURCE),),
    },
    {
        "rules": "one die or two when the tiles left add up to six or less; the chance of an empty box",
        "parameters": {"tiles": 9, "single": 1},
        "published": (("9.7614 %", SOURCE),),
    },
    {
        "rules": "one die or two when the tiles left add up to six or less, and at most two tiles are shut a roll",
        "parameters": {"tiles": 9, "single": 1, "at_once": 2},
        "published": (("7.4194 %", SOURCE),),
    },
    {"rules": "two dice always; points left open, with a minus", "parameters": {"tiles": 9, "single": 0, "score": 1}},
    {"rules": "twelve tiles, two dice always; the chance of an empty box", "parameters": {"tiles": 12, "single": 0}},
]


class Params(NamedTuple):
    tiles: int = 9  # tiles, numbered from 1
    single: int = 0  # 1: one die may be rolled when the tiles left add up to six or less
    score: int = 0  # 1: points are counted, not empty boxes
    at_once: int = 0  # tiles that may be shut after a roll, at most; 0 for any number
    players: int = 1


class State(NamedTuple):
    mover: int
    open: int  # the tile of number n is open if bit n - 1 is set
    roll: int  # the sum on the table, 0 if there is none
    dice: int  # dice in the air
    stuck: int  # 1 if nothing fitted the last roll


@rule
def total(tiles):
    """What tiles add up to."""
    points, number = 0, 1
    while tiles > 0:
        points += number * (tiles & 1)
        tiles >>= 1
        number += 1
    return points


@rule
def fits(g, tiles, roll):
    """Whether some tiles may be shut after a roll."""
    return total(tiles) == roll and (g.at_once == 0 or count(tiles) <= g.at_once)


@rule
def thrown(g, tiles):
    """The next roll: two dice go up at once, unless the player may choose."""
    choice = g.single == 1 and total(tiles) <= 6
    return State(0, tiles, 0, 0 if tiles == 0 or choice else 2, 0)


@rule
def start(g):
    return thrown(g, (1 << g.tiles) - 1)


@rule
def over(g, s):
    return s.open == 0 or s.stuck == 1


@rule
def payoff(g, s, seat):
    if g.score == 1:
        return -float(total(s.open))
    return 1.0 if s.open == 0 else 0.0


@rule
def legal(g, s, moves):
    """How many dice to roll, or which tiles to shut, as bits."""
    if s.roll == 0:
        moves[0] = 1
        moves[1] = 2
        return 2
    found, shut = 0, s.open
    while shut > 0:
        if fits(g, shut, s.roll):
            moves[found] = shut
            found += 1
        shut = (shut - 1) & s.open
    return found


@rule
def move(g, s, m):
    if s.roll == 0:
        return State(0, s.open, 0, m, 0)
    return thrown(g, s.open & ~m)


@rule
def chance(g, s):
    return 6 if s.dice == 1 else 11 if s.dice == 2 else 0


@rule
def weight(g, s, i):
    return 1 if s.dice == 1 else 6 - abs(i - 5)


@rule
def land(g, s, i):
    roll, shut = i + s.dice, s.open
    while shut > 0:
        if fits(g, shut, roll):
            return State(0, s.open, roll, 0, 0)
        shut = (shut - 1) & s.open
    return State(0, s.open, 0, 0, 1)


@rule
def progress(g, s):
    """Tiles that are shut stay so."""
    return g.tiles - count(s.open)


def tiles_text(tiles):
    return "+".join(str(n + 1) for n in range(12) if tiles >> n & 1)


def move_text(g, s, m):
    return f"shut {tiles_text(m)}" if s.roll else f"roll {m}"


def outcome_text(g, s, i):
    return str(i + s.dice)


def draw(g, s):
    """Open tiles by their numbers, shut ones as dots."""
    tiles = [f"{n + 1:>3}" if s.open >> n & 1 else "  ." for n in range(g.tiles)]
    return ["".join(tiles), f"rolled {s.roll}" if s.roll else "nothing fits" if s.stuck else ""]
