"""Yahtzee for one player: thirteen turns of up to three rolls, each to fill one of thirteen boxes, for the most
points.

In a turn five dice are rolled. Any of them are rolled again, twice at most. Then a box that is still empty is filled
with the dice as they lie; that may also be done after the first or second roll. The boxes, and what dice score in
them:

- ones to sixes: the sum of the dice that show that number. If these six boxes come to 63 or more, there is a bonus of
  35.
- three of a kind, four of a kind: the sum of all dice, if at least so many are alike. Chance: the sum of all dice.
- full house: 25, if three are alike and the other two are alike, but not all five.
- small straight: 30, if four are in sequence. Large straight: 40, if all five are. Yahtzee: 50, if all five are
  alike.

Whoever rolls five alike after having scored 50 in the yahtzee box gets 100 more each time. Five alike are also a
joker if the yahtzee box is filled, with 50 or with 0, and the box of their number is filled too: they then score 25,
30 and 40 in full house and the straights. By the official rules jokers are *forced*: if the yahtzee box is filled,
five alike must go into the box of their number; if that is filled, into any other box of the lower section; and only
if all of these are filled, into another of the upper one. With `jokers` set to 2 the box is always free to choose;
with 0 there is neither a joker nor a bonus of 100.

With `filled`, boxes are filled with nothing at the start: 1 for ones, 2 for twos, 4 for threes and so on, added up.
The score is not part of a position. The figure of 254.5896 is of Tom Verhoeff (1999), that of 254.5877 is in the
documentation of yahtzee-engine.
"""

from typing import NamedTuple

import numpy as np

from hazard.dice import Hands, hands
from hazard.jit import rule

ONES, THREE_ALIKE, FOUR_ALIKE, FULL_HOUSE, SMALL, LARGE, YAHTZEE, CHANCE = 0, 6, 7, 8, 9, 10, 11, 12
BOXES, UPPER, BONUS_FROM, BONUS = 13, 63, 63, 35
FORCED, FREE = 1, 2
ALL = (1 << BOXES) - 1
FIVE, NONE = 252, 210  # hands of five dice, and of fewer, which come first
KEEP = BOXES  # moves from here on keep dice; those below fill boxes
NAMES = "ones twos threes fours fives sixes three-of-a-kind four-of-a-kind full-house small-straight large-straight"
NAMES = (*NAMES.split(), "yahtzee", "chance")
LIMITS = {"jokers": (0, 2), "filled": (0, 8190)}
UNIT = "points"
ATLAS = [
    {
        "rules": "official rules: forced jokers",
        "parameters": {"jokers": 1},
        "published": (("254.5877", "yahtzee-engine"),),
        "open": "not certified here yet; a second program in the tests finds 254.58773 in plain floats",
    },
    {
        "rules": "the box of a joker is free to choose",
        "parameters": {"jokers": 2},
        "published": (("254.5896", "Verhoeff, 1999"),),
        "open": "not certified here yet; a second program in the tests finds 254.58961 in plain floats",
    },
    {"rules": "the lower section alone, forced jokers", "parameters": {"jokers": 1, "filled": 63}},
    {"rules": "the upper section alone", "parameters": {"jokers": 1, "filled": 8128}},
]


class Params(NamedTuple):
    jokers: int = 1  # 0: none, 1: forced, as in the official rules, 2: free to choose
    filled: int = 0  # boxes that are filled with nothing at the start, as bits
    players: int = 1


class Table(NamedTuple):
    jokers: int
    filled: int
    players: int
    hands: Hands  # what lies on the table, from nothing to five dice
    points: np.ndarray  # points[hand, box]: what five dice score, without any bonus
    five_of: np.ndarray  # five_of[hand]: the face that all five dice show, -1 for other hands
    reach: np.ndarray  # reach[filled & 63]: the most that empty boxes of the upper section can bring


class State(NamedTuple):
    mover: int
    filled: int  # boxes that are filled, as bits
    upper: int  # points of the upper section, up to 63
    fifty: int  # 1 if the yahtzee box was filled with 50
    left: int  # rolls that are left after the one at hand
    hand: int  # dice on the table, by the number that `hazard.dice.hands` gives them; below five, others are in the air


def make(p):
    found = hands(5)
    points = [[score(tuple(hand), box) for box in range(BOXES)] for hand in found.counts.tolist()]
    five_of = [hand.index(5) if 5 in hand else -1 for hand in found.counts.tolist()]
    reach = [sum(5 * (face + 1) for face in range(6) if not filled >> face & 1) for filled in range(64)]
    return Table(*p, found, np.array(points), np.array(five_of), np.array(reach))


def score(hand, box):
    """What dice score in a box; `hand` says how many show each face."""
    pips, most = sum((face + 1) * n for face, n in enumerate(hand)), max(hand)
    runs = "".join("x" if n else " " for n in hand).split()
    longest = max(map(len, runs), default=0)
    if box < THREE_ALIKE:
        return (box + 1) * hand[box]
    return {
        THREE_ALIKE: pips if most >= 3 else 0,
        FOUR_ALIKE: pips if most >= 4 else 0,
        FULL_HOUSE: 25 if sorted(hand)[-2:] == [2, 3] else 0,
        SMALL: 30 if longest >= 4 else 0,
        LARGE: 40 if longest == 5 else 0,
        YAHTZEE: 50 if most == 5 else 0,
        CHANCE: pips,
    }[box]


@rule
def start(g):
    return State(0, g.filled, 0, 0, 2, 0)


@rule
def over(g, s):
    return s.filled == ALL


@rule
def payoff(g, s, seat):
    """What is scored is all gained on the way."""
    return 0.0


# --- filling boxes ---------------------------------------------------------------------------------------------------
@rule
def points(g, s, box):
    """What the dice score in a box, as a joker if they are one, without any bonus."""
    face = g.five_of[s.hand]
    joker = g.jokers > 0 and face >= 0 and s.filled >> YAHTZEE & 1 == 1 and s.filled >> face & 1 == 1
    if joker and FULL_HOUSE <= box <= LARGE:
        return 25 if box == FULL_HOUSE else 30 if box == SMALL else 40
    return g.points[s.hand, box]


@rule
def open_boxes(g, s):
    """The boxes that may be filled, as bits."""
    empty, face = ALL - s.filled, g.five_of[s.hand]
    if g.jokers != FORCED or face < 0 or s.filled >> YAHTZEE & 1 == 0:
        return empty
    if empty >> face & 1 == 1:
        return 1 << face
    return empty & ~UPPER if empty & ~UPPER else empty


@rule
def legal(g, s, moves):
    """Boxes to fill; and if a roll is left, hands to keep, but not all of the dice."""
    found, boxes = 0, open_boxes(g, s)
    for box in range(BOXES):
        if boxes >> box & 1 == 1:
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
        return State(0, s.filled, s.upper, s.fifty, s.left - 1, m - KEEP)
    scored = points(g, s, m)
    upper = min(s.upper + scored, BONUS_FROM) if m < THREE_ALIKE else s.upper
    fifty = 1 if m == YAHTZEE and scored > 0 and g.jokers > 0 else s.fifty
    return State(0, s.filled | 1 << m, upper, fifty, 2, 0)


@rule
def gain(g, s, m):
    """The points of the box that is filled, with the bonuses that this brings."""
    if m >= KEEP:
        return 0.0
    scored = points(g, s, m)
    bonus = BONUS if m < THREE_ALIKE and s.upper < BONUS_FROM <= s.upper + scored else 0
    again = 100 if s.fifty == 1 and g.five_of[s.hand] >= 0 else 0
    return float(scored + bonus + again)


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
    return State(0, s.filled, s.upper, s.fifty, s.left, hand)


# --- for the solver --------------------------------------------------------------------------------------------------
@rule
def canonical(g, s):
    """Where the bonus of the upper section is paid, or out of reach, its points do not matter."""
    if s.upper < BONUS_FROM <= s.upper + g.reach[s.filled & UPPER]:
        return s
    return State(0, s.filled, BONUS_FROM, s.fifty, s.left, s.hand)


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
