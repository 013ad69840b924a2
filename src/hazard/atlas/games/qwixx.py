"""Qwixx for one player: cross out numbers from left to right in coloured rows, for the most points.

The rows red and yellow run from 2 up to 12, green and blue from 12 down to 2; with dice of `sides` sides the numbers
end at twice that. Two white dice and one of each colour are rolled. First the player may cross out the sum of the
white dice in any row; then the sum of one white die and a coloured one in the row of that colour. In a row only
numbers to the right of the last cross can be crossed out; the rightmost only after `lock` crosses, and then the row
is locked, which counts as one more cross. Whoever crosses out nothing takes a penalty of 5 points. The game ends as
soon as two rows are locked (or all, where there is but one), or with the fourth penalty. A row with n crosses scores
1 + 2 + ... + n. With fewer `colours` there are only the first of the rows.

Published are 115.911 (realead/qwixxmaster), whose page says that it is probably wrong, and 115.4831 (bmhowe34).
"""

from typing import NamedTuple

from hazard.jit import rule

COLOURS = ("red", "yellow", "green", "blue")
PENALTIES = 4
LIMITS = {"colours": (1, 4), "sides": (2, 6), "lock": (1, 5)}
UNIT = "points"
ATLAS = [
    {
        "rules": "four colours",
        "parameters": {"colours": 4, "sides": 6, "lock": 5},
        "published": (("115.911", "realead/qwixxmaster"), ("115.4831", "bmhowe34")),
        "open": "not solved here: some six million positions, each with 27,216 rolls",
    },
    {"rules": "two colours, dice with three sides", "parameters": {"colours": 2, "sides": 3, "lock": 2}},
    {"rules": "three colours, dice with three sides", "parameters": {"colours": 3, "sides": 3, "lock": 2}},
]


class Params(NamedTuple):
    colours: int = 4  # rows, each with a die of its colour
    sides: int = 6  # of a die
    lock: int = 5  # crosses that a row needs before its last number
    players: int = 1


class State(NamedTuple):
    mover: int
    red: int  # a row: 16 times the place of the last cross, counted from 1, plus the number of crosses
    yellow: int
    green: int
    blue: int
    penalties: int
    roll: int  # the dice as a number, counted from 1; 0 while they are in the air


@rule
def start(g):
    return State(0, 0, 0, 0, 0, 0, 0)


@rule
def row_of(s, colour):
    return s.red if colour == 0 else s.yellow if colour == 1 else s.green if colour == 2 else s.blue


@rule
def locked(g, s):
    """How many rows are."""
    found = 0
    for colour in range(g.colours):
        found += 1 if row_of(s, colour) >> 4 == 2 * g.sides - 1 else 0
    return found


@rule
def over(g, s):
    return s.penalties == PENALTIES or locked(g, s) >= min(2, g.colours)


@rule
def payoff(g, s, seat):
    points = -5 * s.penalties
    for colour in range(g.colours):
        crosses = row_of(s, colour) & 15
        points += crosses * (crosses + 1) // 2
    return float(points)


# --- dice ------------------------------------------------------------------------------------------------------------
@rule
def die(g, roll, n):
    """The n-th die of a roll: two white ones, of which the first is as high as the other, then those of the colours."""
    pairs = g.sides * (g.sides + 1) // 2
    if n < 2:
        left, high = (roll - 1) % pairs, 1
        while left >= high:
            left, high = left - high, high + 1
        return high if n == 0 else left + 1
    left = (roll - 1) // pairs
    for _ in range(n - 2):
        left //= g.sides
    return left % g.sides + 1


@rule
def chance(g, s):
    """White dice are not told apart."""
    return 0 if s.roll > 0 or over(g, s) else g.sides * (g.sides + 1) // 2 * g.sides**g.colours


@rule
def weight(g, s, i):
    return 1 if die(g, i + 1, 0) == die(g, i + 1, 1) else 2


@rule
def land(g, s, i):
    return State(0, s.red, s.yellow, s.green, s.blue, s.penalties, i + 1)


# --- crosses ---------------------------------------------------------------------------------------------------------
@rule
def crossed(g, row, colour, number):
    """A row with a number crossed out; -1 if it cannot be."""
    last, crosses = row >> 4, row & 15
    place = number - 1 if colour < 2 else 2 * g.sides + 1 - number
    if place <= last:
        return -1
    if place < 2 * g.sides - 1:
        return 16 * place + crosses + 1
    return 16 * place + crosses + 2 if crosses >= g.lock else -1


@rule
def with_cross(g, s, colour, number):
    """The position with a number crossed out in a row; its mover is -1 if it cannot be."""
    row = crossed(g, row_of(s, colour), colour, number)
    red, yellow = row if colour == 0 else s.red, row if colour == 1 else s.yellow
    green, blue = row if colour == 2 else s.green, row if colour == 3 else s.blue
    return State(-1 if row < 0 else 0, red, yellow, green, blue, s.penalties, s.roll)


@rule
def after(g, s, m):
    """The position after the crosses of a move, with the dice still on the table; its mover is -1 if it is not legal.

    A move is 16 times the row for the white dice, plus the row and the white die for the coloured sum; 0 is none.
    """
    white, coloured = m // 16, m % 16
    if white > 0:
        s = with_cross(g, s, white - 1, die(g, s.roll, 0) + die(g, s.roll, 1))
    if coloured > 0 and s.mover == 0:
        if white > 0 and over(g, s):
            return State(-1, s.red, s.yellow, s.green, s.blue, s.penalties, s.roll)
        colour = (coloured - 1) // 2
        s = with_cross(g, s, colour, die(g, s.roll, (coloured - 1) % 2) + die(g, s.roll, 2 + colour))
    return s


@rule
def legal(g, s, moves):
    moves[0] = 0
    found, same = 1, die(g, s.roll, 0) == die(g, s.roll, 1)
    for white in range(g.colours + 1):
        for coloured in range(2 * g.colours + 1):
            m = 16 * white + coloured
            if m > 0 and not (same and coloured > 0 and coloured % 2 == 0) and after(g, s, m).mover == 0:
                moves[found] = m
                found += 1
    return found


@rule
def move(g, s, m):
    done = after(g, s, m)
    penalties = s.penalties + (1 if m == 0 else 0)
    return State(0, done.red, done.yellow, done.green, done.blue, penalties, 0)


# --- for the solver --------------------------------------------------------------------------------------------------
@rule
def canonical(g, s):
    """Rows that run in the same direction may change places; and both directions may, if all rows do."""
    if s.roll > 0 or g.colours == 1:
        return s  # dice on the table belong to colours
    red, yellow = max(s.red, s.yellow), min(s.red, s.yellow)
    if g.colours < 4:
        return State(0, red, yellow, s.green, s.blue, s.penalties, s.roll)
    green, blue = max(s.green, s.blue), min(s.green, s.blue)
    if (red, yellow) < (green, blue):
        return State(0, green, blue, red, yellow, s.penalties, s.roll)
    return State(0, red, yellow, green, blue, s.penalties, s.roll)


@rule
def progress(g, s):
    """Crosses and penalties stay."""
    found = s.penalties
    for colour in range(g.colours):
        found += row_of(s, colour) & 15
    return found


# --- texts -----------------------------------------------------------------------------------------------------------
def outcome_text(g, s, i):
    dice = [int(die(g, i + 1, n)) for n in range(g.colours + 2)]
    return f"{dice[0]}+{dice[1]} " + " ".join(f"{name} {n}" for name, n in zip(COLOURS, dice[2:], strict=False))


def move_text(g, s, m):
    white, coloured, parts = m // 16, m % 16, []
    if white:
        parts.append(f"{COLOURS[white - 1]} {die(g, s.roll, 0) + die(g, s.roll, 1)}")
    if coloured:
        colour = (coloured - 1) // 2
        number = die(g, s.roll, (coloured - 1) % 2) + die(g, s.roll, 2 + colour)
        parts.append(f"{COLOURS[colour]} {number} with a white die")
    return ", ".join(parts) or "penalty"


def draw(g, s):
    """Each row with its last cross and how many there are."""
    lines = []
    for colour in range(g.colours):
        row = row_of(s, colour)
        place, crosses = row >> 4, row & 15
        number = place + 1 if colour < 2 else 2 * g.sides + 1 - place
        lines.append(f"{COLOURS[colour]:<6} {crosses} crosses{f', up to {number}' if place else ''}")
    rolled = f"rolled {outcome_text(g, s, s.roll - 1)}" if s.roll else ""
    return [*lines, f"penalties: {s.penalties}", rolled]
