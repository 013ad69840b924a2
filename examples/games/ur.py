"""The Royal Game of Ur by Finkel's rules: race pieces along fourteen tiles, eight of which are shared.

Four binary dice say how far one piece moves. A piece enters from off the board, and leaves it by an exact roll. It
cannot land on a piece of its own, nor on one that sits on the shared rosette; any other piece it lands on starts anew.
A rosette (tiles 4, 8 and 14) gives another roll. Who can move must; a roll of 0, or no legal move, passes the turn.
"""

from typing import NamedTuple

from hazard import rule
from hazard.bits import count as pieces_on

LIMITS = {"pieces": (1, 7)}
SAFE, HOME = 8, 15  # the shared rosette, and the place behind the last tile


class Params(NamedTuple):
    pieces: int = 7  # pieces of each player
    players: int = 2


class State(NamedTuple):
    mover: int
    me: int  # tiles with a piece of the mover: bit n for tile n
    you: int
    mine: int  # pieces of the mover that are still to enter
    yours: int
    roll: int  # how far a piece is to move, 0 while dice are in the air


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
def may_move(s, tile, roll):
    """Whether the piece on a tile, 0 for one that enters, may move that far."""
    there = tile + roll
    if (s.mine == 0 if tile == 0 else s.me >> tile & 1 == 0) or there > HOME:
        return False
    return there == HOME or (s.me >> there & 1 == 0 and not (there == SAFE and s.you >> SAFE & 1 == 1))


@rule
def legal(g, s, moves):
    """Moves are the tiles that pieces move from."""
    count = 0
    for tile in range(HOME):
        if may_move(s, tile, s.roll):
            moves[count] = tile
            count += 1
    return count


@rule
def move(g, s, m):
    there = m + s.roll
    me = s.me - (1 << m) if m > 0 else s.me
    me = me + (1 << there) if there < HOME else me
    mine = s.mine - 1 if m == 0 else s.mine
    you, yours = s.you, s.yours
    if 5 <= there <= 12 and you >> there & 1 == 1:
        you, yours = you - (1 << there), yours + 1
    if there == 4 or there == 8 or there == 14:
        return State(s.mover, me, you, mine, yours, 0)
    return State(1 - s.mover, you, me, yours, mine, 0)


@rule
def chance(g, s):
    return 0 if s.roll > 0 or over(g, s) else 5


@rule
def weight(g, s, i):
    return 6 if i == 2 else 4 if i == 1 or i == 3 else 1


@rule
def land(g, s, i):
    for tile in range(HOME):
        if i > 0 and may_move(s, tile, i):
            return State(s.mover, s.me, s.you, s.mine, s.yours, i)
    return State(1 - s.mover, s.you, s.me, s.yours, s.mine, 0)


@rule
def progress(g, s):
    """Pieces that are home."""
    return 2 * g.pieces - s.mine - s.yours - pieces_on(s.me) - pieces_on(s.you)


def move_text(g, s, m):
    there = m + s.roll
    return f"{m or 'enter'} to {there if there < HOME else 'home'}"


def draw(g, s):
    """The board as it lies: player 1 enters above, player 2 below, the shared tiles are in the middle."""
    first, second = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    wait = (s.mine, s.yours) if s.mover == 0 else (s.yours, s.mine)

    def tile(n, shared=False):
        mark = "1" if first >> n & 1 else "2" if shared and second >> n & 1 else "*" if n in (4, 8, 14) else "."
        return f" {mark} "

    def row(pieces):
        marks = {
            n: " " + ("x" if pieces >> n & 1 else "*" if n in (4, 14) else ".") + " " for n in (4, 3, 2, 1, 14, 13)
        }
        return "".join(marks[n] for n in (4, 3, 2, 1)) + "      " + marks[14] + marks[13]

    middle = "".join(tile(n, shared=True) for n in range(5, 13))
    waits = f"waiting: {wait[0]} of player 1, {wait[1]} of player 2"
    return [row(first), middle, row(second), waits + (f"; rolled {s.roll}" if s.roll else "")]
