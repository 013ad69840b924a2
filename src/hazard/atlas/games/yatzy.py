"""Yatzy for one player, as played in Scandinavia: fifteen turns of up to three rolls, each to fill a box, for the
most points.

In a turn five dice are rolled. Any of them are rolled again, twice at most. Then a box that is still empty is filled
with the dice as they lie; that may also be done after the first or second roll. The boxes, and what dice score in
them:

- ones to sixes: the sum of the dice that show that number. If these six boxes come to 63 or more, there is a bonus of
  50.
- one pair, three of a kind, four of a kind: the sum of the best two, three or four dice that are alike.
- two pairs: the sum of four dice, two alike and two others alike.
- small straight: 15 for 1 2 3 4 5. Large straight: 20 for 2 3 4 5 6.
- full house: the sum of all dice, if three are alike and the other two are alike.
- chance: the sum of all dice. Yatzy: 50, if all five are alike.

Two pairs and a full house are of two numbers; with `alike` set to 1 four alike are two pairs as well, and five alike
a full house. With `filled`, boxes are filled with nothing at the start: 1 for ones, 2 for twos, 4 for threes and so
on, added up. The score is not part of a position. Published are 248.63 (Larsson and Sjöberg, KTH, 2012) and 248.44
(teemukoukkari/yatzysolver).
"""

from typing import NamedTuple

import numpy as np

from hazard.dice import Hands, hands
from hazard.jit import rule

PAIR, TWO_PAIRS, THREE, FOUR, SMALL, LARGE, HOUSE, CHANCE, YATZY = 6, 7, 8, 9, 10, 11, 12, 13, 14
BOXES, UPPER, BONUS_FROM, BONUS = 15, 63, 63, 50
ALL = (1 << BOXES) - 1
FIVE, NONE = 252, 210  # hands of five dice, and of fewer, which come first
KEEP = BOXES  # moves from here on keep dice; those below fill boxes
NAMES = "ones twos threes fours fives sixes one-pair two-pairs three-of-a-kind four-of-a-kind small-straight"
NAMES = (*NAMES.split(), "large-straight", "full-house", "chance", "yatzy")
LIMITS = {"alike": (0, 1), "filled": (0, 32766)}
UNIT = "points"
ATLAS = [
    {
        "rules": "two pairs and full house of two numbers",
        "parameters": {"alike": 0},
        "published": (("248.44", "teemukoukkari/yatzysolver"), ("248.63", "Larsson and Sjöberg, 2012")),
    },
    {"rules": "four alike are two pairs, five alike a full house", "parameters": {"alike": 1}},
    {"rules": "the lower section alone", "parameters": {"alike": 0, "filled": 63}},
]


class Params(NamedTuple):
    alike: int = 0  # 1: four alike are two pairs, five alike a full house
    filled: int = 0  # boxes that are filled with nothing at the start, as bits
    players: int = 1


class Table(NamedTuple):
    alike: int
    filled: int
    players: int
    hands: Hands  # what lies on the table, from nothing to five dice
    points: np.ndarray  # points[hand, box]: what five dice score
    reach: np.ndarray  # reach[filled & 63]: the most that empty boxes of the upper section can bring


class State(NamedTuple):
    mover: int
    filled: int  # boxes that are filled, as bits
    upper: int  # points of the upper section, up to 63
    left: int  # rolls that are left after the one at hand
    hand: int  # dice on the table, by the number that `hazard.dice.hands` gives them; below five, others are in the air


def make(p):
    found = hands(5)
    points = [[score(tuple(hand), box, p.alike) for box in range(BOXES)] for hand in found.counts.tolist()]
    reach = [sum(5 * (face + 1) for face in range(6) if not filled >> face & 1) for filled in range(64)]
    return Table(*p, found, np.array(points), np.array(reach))


def score(hand, box, alike):
    """What dice score in a box; `hand` says how many show each face."""
    pips = sum((face + 1) * n for face, n in enumerate(hand))
    if box < PAIR:
        return (box + 1) * hand[box]
    if box in (PAIR, THREE, FOUR):
        need = {PAIR: 2, THREE: 3, FOUR: 4}[box]
        return max((need * (face + 1) for face, n in enumerate(hand) if n >= need), default=0)
    if box == TWO_PAIRS:
        twice = [face + 1 for face, n in enumerate(hand) for _ in range(n // 2 if alike else min(1, n // 2))]
        return 2 * sum(twice) if len(twice) == 2 else 0
    if box == HOUSE:
        return pips if sorted(hand)[-2:] == [2, 3] or (alike and 5 in hand) else 0
    straights = {SMALL: (15, (1, 1, 1, 1, 1, 0)), LARGE: (20, (0, 1, 1, 1, 1, 1))}
    if box in straights:
        return straights[box][0] if hand == straights[box][1] else 0
    return pips if box == CHANCE else 50 if 5 in hand else 0


@rule
def start(g):
    return State(0, g.filled, 0, 2, 0)


@rule
def over(g, s):
    return s.filled == ALL


@rule
def payoff(g, s, seat):
    """What is scored is all gained on the way."""
    return 0.0


# --- filling boxes ---------------------------------------------------------------------------------------------------
@rule
def legal(g, s, moves):
    """Boxes to fill; and if a roll is left, hands to keep, but not all of the dice."""
    found = 0
    for box in range(BOXES):
        if s.filled >> box & 1 == 0:
            moves[found] = box
            found += 1
    if s.left > 0:
        for at in range(g.hands.first[s.hand], g.hands.first[s.hand + 1] - 1):
            moves[found] = KEEP + g.hands.kept[at]
            found += 1
    return found


@rule
def move(g, s, m):
    if m >= KEEP:
        return State(0, s.filled, s.upper, s.left - 1, m - KEEP)
    upper = min(s.upper + g.points[s.hand, m], BONUS_FROM) if m < PAIR else s.upper
    return State(0, s.filled | 1 << m, upper, 2, 0)


@rule
def gain(g, s, m):
    """The points of the box that is filled, with the bonus if this brings it."""
    if m >= KEEP:
        return 0.0
    scored = g.points[s.hand, m]
    return float(scored + (BONUS if m < PAIR and s.upper < BONUS_FROM <= s.upper + scored else 0))


# --- dice ------------------------------------------------------------------------------------------------------------
@rule
def chance(g, s):
    """All five at once at the beginning of a turn, and then one after the other, which makes fewer positions."""
    if g.hands.dice[s.hand] == 5 or s.filled == ALL:
        return 0
    return FIVE if s.left == 2 else 6


@rule
def weight(g, s, i):
    return g.hands.ways[NONE + i] if s.left == 2 else 1


@rule
def land(g, s, i):
    hand = NONE + i if s.left == 2 else g.hands.added[s.hand, i]
    return State(0, s.filled, s.upper, s.left, hand)


# --- for the solver --------------------------------------------------------------------------------------------------
@rule
def canonical(g, s):
    """Where the bonus of the upper section is paid, or out of reach, its points do not matter."""
    if s.upper < BONUS_FROM <= s.upper + g.reach[s.filled & UPPER]:
        return s
    return State(0, s.filled, BONUS_FROM, s.left, s.hand)


@rule
def progress(g, s):
    """A box that is filled stays so."""
    return s.filled


# --- texts -----------------------------------------------------------------------------------------------------------
def dice_text(g, hand):
    return " ".join(str(face + 1) for face, n in enumerate(g.hands.counts[hand].tolist()) for _ in range(n))


def move_text(g, s, m):
    if m < KEEP:
        return NAMES[m]
    return f"keep {dice_text(g, m - KEEP)}" if m > KEEP else "roll all again"


def outcome_text(g, s, i):
    return dice_text(g, NONE + i) if s.left == 2 else str(i + 1)


def draw(g, s):
    """The boxes that are empty, and the dice."""
    empty, air = [name for n, name in enumerate(NAMES) if not s.filled >> n & 1], 5 - int(g.hands.dice[s.hand])
    table = dice_text(g, s.hand) or "no dice on the table"
    flying = f", {air} in the air" if air else ""
    return [f"empty: {' '.join(empty)}", f"upper section: {s.upper}", f"{table}{flying}; rolls left: {s.left}"]
