"""The Royal Game of Ur: race pieces over a board of twenty tiles, most of which are shared, and send others back.

Two players; each has `pieces` pieces off the board. Whoever has brought all of them home first wins. Dice say how far
one piece moves along its player's path. A piece enters from off the board by the roll, and comes home from it by an
exact roll. It cannot land on a piece of its own; one of the other player that it lands on is captured, and starts
anew. Who can move must; a roll of 0, or no legal move, passes the turn. Tiles with a rosette give another roll. Three
rule sets:

1. Finkel: four binary dice, so that n of them count with chance C(4, n) / 16; the path of fourteen tiles, of which
   the fifth to the twelfth are shared; a piece on a rosette cannot be captured.
2. Blitz: the same dice; the path of sixteen tiles, shared from the fifth on, which the players leave around the far
   end in opposite directions; rosettes are not safe, and a capture gives another roll as well. Usually with five
   pieces.
3. Masters: three binary dice, of which none counts as four; the path of Blitz; rosettes are not safe, and a capture
   gives nothing more.

The rules are those of RoyalUr; figures are from JeroenOlieslagers/game_of_ur (2026), solved to a residual of 3e-14.
"""

from typing import NamedTuple

import numpy as np

from hazard.bits import count
from hazard.jit import rule

TITLE = "Royal Game of Ur"
FINKEL, BLITZ, MASTERS = 1, 2, 3
LIMITS = {"rules": (1, 3), "pieces": (1, 7)}
SOURCE = "JeroenOlieslagers/game_of_ur, 2026"
ATLAS = [
    {
        "rules": "Finkel's rules, 7 pieces",
        "parameters": {"rules": 1, "pieces": 7},
        "published": (("51.5404732509 %", SOURCE),),
    },
    {
        "rules": "Blitz, 5 pieces",
        "parameters": {"rules": 2, "pieces": 5},
        "published": (("50.4052555093 %", SOURCE),),
    },
    {
        "rules": "Masters, 7 pieces",
        "parameters": {"rules": 3, "pieces": 7},
        "published": (("50.4809002027 %", SOURCE),),
    },
    *({"rules": f"Finkel's rules, {n} pieces", "parameters": {"rules": 1, "pieces": n}} for n in (3, 4, 5)),
    *({"rules": f"Blitz, {n} pieces", "parameters": {"rules": 2, "pieces": n}} for n in (3, 4)),
    *({"rules": f"Masters, {n} pieces", "parameters": {"rules": 3, "pieces": n}} for n in (3, 4, 5)),
]


class Params(NamedTuple):
    rules: int = 1  # 1 for Finkel's rules, 2 for Blitz, 3 for Masters
    pieces: int = 7  # pieces of each player
    players: int = 2


class Table(NamedTuple):
    rules: int
    pieces: int
    players: int
    last: int  # the last tile of a path; a piece is home behind it
    rosettes: int  # tiles with a rosette, as bits
    safe: int  # tiles where a piece cannot be captured
    there: np.ndarray  # there[n]: the tile of the other's path that the n-th of one's own is; 0 if it is not shared
    weights: np.ndarray  # weights[n]: how many of the equally likely throws count n


class State(NamedTuple):
    mover: int
    me: int  # tiles with a piece of the mover: bit n for the n-th tile of its path
    you: int  # the same for the other, along its own path
    mine: int  # pieces of the mover that are still to enter
    yours: int
    roll: int  # how far a piece is to move, 0 while dice are in the air


def make(p):
    """The board of a rule set."""
    short = p.rules == FINKEL
    last = 14 if short else 16
    there = [n if 5 <= n <= (12 if short else 11) else 28 - n if n > 11 and not short else 0 for n in range(last + 1)]
    rosettes = sum(1 << n for n in ((4, 8, 14) if short else (4, 8, 12, 16)))
    weights = [0, 3, 3, 1, 1] if p.rules == MASTERS else [1, 4, 6, 4, 1]
    return Table(*p, last, rosettes, rosettes if short else 0, np.array(there), np.array(weights))


@rule
def start(g):
    return State(0, 0, 0, g.pieces, g.pieces, 0)


@rule
def over(g, s):
    """Who has brought home the last piece has given the turn to the other."""
    return s.you == 0 and s.yours == 0


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def may_move(g, s, tile, roll):
    """Whether the piece on a tile, 0 for one that enters, may move that far."""
    to = tile + roll
    if (s.mine == 0 if tile == 0 else s.me >> tile & 1 == 0) or to > g.last + 1:
        return False
    if to == g.last + 1:
        return True
    return s.me >> to & 1 == 0 and not (g.safe >> to & 1 == 1 and g.there[to] > 0 and s.you >> g.there[to] & 1 == 1)


@rule
def legal(g, s, moves):
    """Moves are the tiles that pieces move from."""
    found = 0
    for tile in range(g.last + 1):
        if may_move(g, s, tile, s.roll):
            moves[found] = tile
            found += 1
    return found


@rule
def move(g, s, m):
    to = m + s.roll
    me = s.me - (1 << m) if m > 0 else s.me
    mine = s.mine - 1 if m == 0 else s.mine
    you, yours, again = s.you, s.yours, False
    if to <= g.last:
        me += 1 << to
        again = g.rosettes >> to & 1 == 1
        if g.there[to] > 0 and you >> g.there[to] & 1 == 1:
            you, yours = you - (1 << g.there[to]), yours + 1
            again = again or g.rules == BLITZ
    if again:
        return State(s.mover, me, you, mine, yours, 0)
    return State(1 - s.mover, you, me, yours, mine, 0)


@rule
def chance(g, s):
    return 0 if s.roll > 0 or over(g, s) else 5


@rule
def weight(g, s, i):
    return g.weights[i]


@rule
def land(g, s, i):
    for tile in range(g.last + 1):
        if i > 0 and may_move(g, s, tile, i):
            return State(s.mover, s.me, s.you, s.mine, s.yours, i)
    return State(1 - s.mover, s.you, s.me, s.yours, s.mine, 0)


@rule
def progress(g, s):
    """Pieces that are home stay there."""
    return 2 * g.pieces - s.mine - s.yours - count(s.me) - count(s.you)


def move_text(g, s, m):
    to = m + s.roll
    return f"{m or 'enter'} to {to if to <= g.last else 'home'}"


def draw(g, s):
    """The board as it lies: player 1 enters on the left, player 2 on the right, and both walk down the middle."""
    sides = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    wait = (s.mine, s.yours) if s.mover == 0 else (s.yours, s.mine)
    marks = dict.fromkeys((0, 2, 10, 18, 20), "*")
    for seat, pieces in enumerate(sides):
        for n, place in enumerate(path(g, seat), 1):
            if pieces >> n & 1:
                marks[place] = str(seat + 1)
    lines = []
    for row in range(8):
        tiles = [3 * row + column for column in range(3)]
        lines.append("".join(" " if row in (4, 5) and t % 3 != 1 else marks.get(t, ".") for t in tiles))
    waits = f"waiting: {wait[0]} of player 1, {wait[1]} of player 2"
    return [*lines, waits + (f"; rolled {s.roll}" if s.roll else "")]


def path(g, seat):
    """The tiles of a player's path, numbered row by row, three to a row."""
    if g.rules == FINKEL:
        return ((9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 22, 21, 18), (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 22, 23, 20))[
            seat
        ]
    return (
        (9, 6, 3, 0, 1, 4, 7, 10, 13, 16, 19, 20, 23, 22, 21, 18),
        (11, 8, 5, 2, 1, 4, 7, 10, 13, 16, 19, 18, 21, 22, 23, 20),
    )[seat]
