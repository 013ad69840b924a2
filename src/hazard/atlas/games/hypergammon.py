"""Hypergammon: backgammon with three checkers each, without a doubling cube; gammons and backgammons count.

Each player brings the checkers from point 24 down to point 1 and off the board; the point n of one is the point 25 -
n of the other. They begin on the points 24, 23 and 22 (with fewer `checkers`, on the first of these). Two dice say
how far checkers move, each die with one checker; doubles are played four times. A point with two or more checkers of
the other player is blocked. A single one there is hit: it goes to the bar, and has to enter on point 25 minus a die
before its player may move another checker. Once all of a player's checkers are on the points 6 to 1, they may leave
the board: by an exact roll, or by a larger one from the highest point that is taken. As many dice as possible must be
played; if either can be but not both, the larger. The first to bear off all checkers wins one point; two if the other
has borne off none (a gammon); three if the other then also has a checker on the bar or in the winner's home, the
winner's points 1 to 6 (a backgammon).

Whoever wins the opening roll, which is never a double, plays it: that is the first player here. The figure is of Hugh
Sconyers (1991, on bkgm.com).
"""

from typing import NamedTuple

import numpy as np

from hazard.jit import rule

BAR = 25
OPENING, AIR = -1, 0  # the opening roll, or another one, is in the air
PLACES = 32  # five bits a checker
LIMITS = {"checkers": (1, 3)}
UNIT = "points"
ATLAS = [
    {
        "rules": "three checkers",
        "parameters": {"checkers": 3},
        "published": (("0.0836795444708631", "Sconyers, 1991"),),
    },
    {"rules": "two checkers", "parameters": {"checkers": 2}},
    {"rules": "one checker", "parameters": {"checkers": 1}},
]


class Params(NamedTuple):
    checkers: int = 3  # of each player
    players: int = 2


class Table(NamedTuple):
    checkers: int
    players: int
    large: np.ndarray  # large[roll]: the larger die of a roll, counted from 1
    small: np.ndarray  # the other, which may be the same
    opening: np.ndarray  # the rolls that are no doubles


class State(NamedTuple):
    mover: int
    me: int  # places of the mover's checkers, the highest first, five bits each: 0 is off the board, 25 the bar
    you: int  # the same of the other, from its own side
    roll: int  # the roll to be played, 0 while dice are in the air, -1 while the opening roll is


def make(p):
    rolls = [(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    large, small = zip((0, 0), *rolls, strict=True)
    opening = [n for n, (a, b) in enumerate(rolls, 1) if a != b]
    return Table(*p, np.array(large), np.array(small), np.array(opening))


@rule
def start(g):
    checkers = 0
    for n in range(g.checkers):
        checkers = checkers * PLACES + 24 - n
    checkers <<= 5 * (3 - g.checkers)
    return State(0, checkers, checkers, OPENING)


@rule
def over(g, s):
    """Who has borne off the last checker has given the turn to the other."""
    return s.you == 0


@rule
def payoff(g, s, seat):
    """The mover has lost: one point, two or three."""
    none_off = place(s.me, g.checkers - 1) > 0
    lost = 3.0 if none_off and place(s.me, 0) > 18 else 2.0 if none_off else 1.0
    return -lost if seat == s.mover else lost


@rule
def purse(g):
    return 0.0


@rule
def floor(g):
    return -3.0


# --- checkers --------------------------------------------------------------------------------------------------------
@rule
def place(checkers, n):
    """The place of the n-th checker, from 0 for the highest."""
    return checkers >> 5 * (2 - n) & 31


@rule
def sorted_three(a, b, c):
    """Three places as a number, the highest first."""
    if b < c:
        b, c = c, b
    if a < b:
        a, b = b, a
    if b < c:
        b, c = c, b
    return (a * PLACES + b) * PLACES + c


@rule
def on(checkers, point):
    """How many checkers are on a point."""
    found = 0
    for n in range(3):
        found += 1 if place(checkers, n) == point else 0
    return found


@rule
def played(me, you, n, die):
    """The checkers of both, as one number, after the n-th has moved by a die; -1 if it may not."""
    a, b, c = place(me, 0), place(me, 1), place(me, 2)
    at = a if n == 0 else b if n == 1 else c
    to = at - die
    if at == 0 or (a == BAR and at != BAR) or (n > 0 and at == place(me, n - 1)):
        return -1  # off the board, or another has to enter first, or the same move as that of its neighbour
    if to <= 0 and (a > 6 or (to < 0 and at < a)):
        return -1
    to = max(to, 0)
    if to > 0:
        there = on(you, BAR - to)
        if there > 1:
            return -1
        if there == 1:
            x, y, z = place(you, 0), place(you, 1), place(you, 2)
            x, y, z = BAR if x == BAR - to else x, BAR if y == BAR - to else y, BAR if z == BAR - to else z
            you = sorted_three(x, y, z)
    me = sorted_three(to if n == 0 else a, to if n == 1 else b, to if n == 2 else c)
    return me << 15 | you


@rule
def play_on(moves, first, last, end, die):
    """Play a die from the positions moves[first:last], and add what it leads to behind moves[end - 1], each but once.

    Returns the new end. Who has borne off everything has nothing left to play, and stays.
    """
    begin = end
    for at in range(first, last):
        for n in range(3):
            found = played(moves[at] >> 15, moves[at] & 32767, n, die)
            if moves[at] >> 15 == 0:
                found = moves[at]
            known = found < 0
            for other in range(begin, end):
                known = known or moves[other] == found
            if not known:
                moves[end] = found
                end += 1
    return end


@rule
def moved_down(moves, first, last):
    """Make moves[first:last] the list."""
    for n in range(last - first):
        moves[n] = moves[first + n]
    return last - first


@rule
def legal(g, s, moves):
    """Whole plays: where they leave all checkers. Without a legal play, everything stays."""
    moves[0] = s.me << 15 | s.you
    a, b = g.large[s.roll], g.small[s.roll]
    if a == b:
        count = 1
        for _ in range(4):
            end = play_on(moves, 0, count, count, a)
            if end == count:
                return count
            count = moved_down(moves, count, end)
        return count
    after_a = play_on(moves, 0, 1, 1, a)
    after_b = play_on(moves, 0, 1, after_a, b)
    both = play_on(moves, 1, after_a, after_b, b)
    end = join(moves, after_b, both, play_on(moves, after_a, after_b, both, a))
    if end > after_b:
        return moved_down(moves, after_b, end)
    if after_a > 1:
        return moved_down(moves, 1, after_a)
    return moved_down(moves, after_a, after_b) if after_b > after_a else 1


@rule
def join(moves, first, middle, last):
    """Drop those of moves[middle:last] that are among moves[first:middle]; returns the new end."""
    end = middle
    for at in range(middle, last):
        known = False
        for other in range(first, middle):
            known = known or moves[other] == moves[at]
        if not known:
            moves[end] = moves[at]
            end += 1
    return end


@rule
def move(g, s, m):
    return State(1 - s.mover, m & 32767, m >> 15, AIR)


# --- dice ------------------------------------------------------------------------------------------------------------
@rule
def chance(g, s):
    return 0 if s.roll > 0 or over(g, s) else 15 if s.roll == OPENING else 21


@rule
def weight(g, s, i):
    return 1 if s.roll == OPENING or g.large[i + 1] == g.small[i + 1] else 2


@rule
def land(g, s, i):
    return State(s.mover, s.me, s.you, g.opening[i] if s.roll == OPENING else i + 1)


@rule
def borne_off(g, checkers):
    found = 0
    for n in range(g.checkers):
        found += 1 if place(checkers, n) == 0 else 0
    return found


@rule
def progress(g, s):
    """Checkers that are off the board stay so, and there is but one opening roll."""
    return borne_off(g, s.me) + borne_off(g, s.you) + (0 if s.roll == OPENING else 1)


# --- texts -----------------------------------------------------------------------------------------------------------
def places(g, checkers):
    names = {0: "off", BAR: "bar"}
    return " ".join(names.get(at, str(at)) for at in (checkers >> 5 * (2 - n) & 31 for n in range(g.checkers)))


def move_text(g, s, m):
    if m == s.me << 15 | s.you:
        return "pass"
    return f"to {places(g, m >> 15)}" + (", hit" if m & 32767 != s.you else "")


def outcome_text(g, s, i):
    roll = g.opening[i] if s.roll == OPENING else i + 1
    return f"{g.large[roll]}-{g.small[roll]}"


def draw(g, s):
    """Where the checkers of both are, each from its own side."""
    mine, yours = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    rolled = f"rolled {g.large[s.roll]}-{g.small[s.roll]}" if s.roll > 0 else ""
    return [f"player 1: {places(g, mine)}", f"player 2: {places(g, yours)}", rolled]
