"""Knucklebones, of the video game Cult of the Lamb: place dice in columns, and knock out those of the other player.

Two players; each has a board of `columns` columns with room for `rows` dice. In a turn a die is rolled, and placed in
a column of the mover's own board that has room. All dice with the same number in the column opposite are then taken
off the other's board. The game ends as soon as a board is full. Dice score their number, those that are alike in a
column each times how many they are: a single 4 scores 4, two score 16, three 36. Who has more points wins; equal
points are half a win for each.
"""

from typing import NamedTuple

import numpy as np

from hazard.dice import hands
from hazard.jit import rule

LIMITS = {"columns": (1, 3), "rows": (1, 3), "sides": (1, 6)}
ATLAS = [
    {"rules": "two columns of three", "parameters": {"columns": 2, "rows": 3}},
    {"rules": "two columns of three, dice with three sides", "parameters": {"columns": 2, "rows": 3, "sides": 3}},
    {"rules": "two columns of two", "parameters": {"columns": 2, "rows": 2}},
    {"rules": "one column of three", "parameters": {"columns": 1, "rows": 3}},
    {
        "rules": "three columns of three",
        "parameters": {"columns": 3, "rows": 3},
        "open": "not within reach: 4,812,987,894 boards for each mover, up to the order of columns",
    },
]


class Params(NamedTuple):
    columns: int = 3  # columns of each board
    rows: int = 3  # dice that a column has room for
    sides: int = 6  # of a die
    players: int = 2


class Table(NamedTuple):
    columns: int
    rows: int
    sides: int
    players: int
    each: int  # how many different columns there are
    dice: np.ndarray  # dice[column]: how many dice are in it
    added: np.ndarray  # added[column, face]: the column with one die more
    without: np.ndarray  # without[column, face]: the column with all dice of that number taken off
    points: np.ndarray  # points[column]: what it scores
    shown: np.ndarray  # shown[column, face]: how many of its dice show a face


class State(NamedTuple):
    mover: int
    me: int  # the mover's board: a number for each column, the first is the lowest digit in base `each`
    you: int
    roll: int  # the die to be placed, 0 while it is in the air


def make(p):
    """Columns are hands of dice: their order within a column does not matter."""
    found = hands(p.rows, p.sides)
    counts = found.counts.tolist()
    number = {tuple(column): n for n, column in enumerate(counts)}
    without = [[number[(*c[:face], 0, *c[face + 1 :])] for face in range(p.sides)] for c in counts]
    points = [sum((face + 1) * n * n for face, n in enumerate(column)) for column in counts]
    return Table(*p, len(counts), found.dice, found.added, np.array(without), np.array(points), found.counts)


@rule
def column(g, board, n):
    for _ in range(n):
        board //= g.each
    return board % g.each


@rule
def with_column(g, board, n, new):
    digit = 1
    for _ in range(n):
        digit *= g.each
    return board + (new - column(g, board, n)) * digit


@rule
def full(g, board):
    for _ in range(g.columns):
        if g.dice[board % g.each] < g.rows:
            return False
        board //= g.each
    return True


@rule
def score(g, board):
    total = 0
    for _ in range(g.columns):
        total += g.points[board % g.each]
        board //= g.each
    return total


@rule
def start(g):
    return State(0, 0, 0, 0)


@rule
def over(g, s):
    """Who has filled the board has given the turn to the other."""
    return full(g, s.you)


@rule
def payoff(g, s, seat):
    ahead = score(g, s.me) - score(g, s.you)
    mine = 1.0 if ahead > 0 else 0.5 if ahead == 0 else 0.0
    return mine if seat == s.mover else 1.0 - mine


@rule
def legal(g, s, moves):
    """Columns with room."""
    found = 0
    for n in range(g.columns):
        if g.dice[column(g, s.me, n)] < g.rows:
            moves[found] = n
            found += 1
    return found


@rule
def move(g, s, m):
    face = s.roll - 1
    me = with_column(g, s.me, m, g.added[column(g, s.me, m), face])
    you = with_column(g, s.you, m, g.without[column(g, s.you, m), face])
    return State(1 - s.mover, you, me, 0)


@rule
def chance(g, s):
    return 0 if s.roll > 0 or over(g, s) else g.sides


@rule
def weight(g, s, i):
    return 1


@rule
def land(g, s, i):
    return State(s.mover, s.me, s.you, i + 1)


@rule
def canonical(g, s):
    """The order of columns does not matter, as long as both boards have the same."""
    me, you = s.me, s.you
    for last in range(g.columns - 1, 0, -1):
        for n in range(last):
            a, b = column(g, me, n), column(g, me, n + 1)
            c, d = column(g, you, n), column(g, you, n + 1)
            if a * g.each + c < b * g.each + d:
                me = with_column(g, with_column(g, me, n, b), n + 1, a)
                you = with_column(g, with_column(g, you, n, d), n + 1, c)
    return State(s.mover, me, you, s.roll)


def move_text(g, s, m):
    return f"column {m + 1}"


def outcome_text(g, s, i):
    return str(i + 1)


def draw(g, s):
    """Both boards, a column to a line."""
    boards = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    lines = []
    for n in range(g.columns):
        texts = []
        for board in boards:
            shown = g.shown[board // g.each**n % g.each].tolist()
            dice = "".join(str(face + 1) * many for face, many in enumerate(shown))
            texts.append(f"{dice:<{g.rows}}".replace(" ", "."))
        lines.append("   ".join(texts))
    return [*lines, f"points: {score(g, boards[0])} and {score(g, boards[1])}", f"rolled {s.roll}" if s.roll else ""]
