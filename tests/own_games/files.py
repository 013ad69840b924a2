"""A small game as a file, and ways to break it: a piece of its text is replaced by another."""

from pathlib import Path

SMALL = '''"""Race: roll on or pass the die. First to the goal wins."""

from typing import NamedTuple

from hazard import rule

LIMITS = {"goal": (2, 50)}


class Params(NamedTuple):
    goal: int = 6  # points that win
    players: int = 2


class State(NamedTuple):
    mover: int
    me: int
    you: int
    pot: int
    rolling: int


@rule
def start(g):
    return State(0, 0, 0, 0, 0)


@rule
def over(g, s):
    return s.you >= g.goal


@rule
def payoff(g, s, seat):
    return 0.0 if seat == s.mover else 1.0


@rule
def legal(g, s, moves):
    moves[0] = 0
    moves[1] = 1
    return 2 if s.pot > 0 else 1


@rule
def move(g, s, m):
    if m == 0:
        return State(s.mover, s.me, s.you, s.pot, 1)
    return State(1 - s.mover, s.you, min(s.me + s.pot, g.goal), 0, 0)


@rule
def chance(g, s):
    return 3 * s.rolling


@rule
def weight(g, s, i):
    return 2 if i == 1 else 1


@rule
def land(g, s, i):
    if i == 0:
        return State(1 - s.mover, s.you, s.me, 0, 0)
    return State(s.mover, s.me, s.you, min(s.pot + i, g.goal - s.me), 0)
'''


def write(folder: Path, *changes: tuple[str, str], name: str = "race.py", text: str = SMALL) -> str:
    """The path of the small game in a folder, with pieces of its text replaced."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / name
    path.write_text(text)
    return str(path)
