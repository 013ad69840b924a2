"""The twenty programs of Chetcuti-Sperandio, Delorme, Lagrue and Stackowiak (2008), as one player with twenty settings.

The simple ones choose a face by rule; the others grow trees of rolls behind each face and count how often a tile that
can be taken is met, by simulation as published or by its exact expectation. Then they stop, or roll on while the
risk is small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.dice import below
from hazard.games.pickomino.rules import (
    BYTE,
    CENTRE,
    FACES,
    LOWEST,
    ROLL,
    STEAL,
    WORM,
    Params,
    State,
    can_stop,
    left,
    legal,
    number,
    points,
    shown,
    stealable,
    with_face,
)
from hazard.games.pickomino.turn.states import state_of
from hazard.games.pickomino.turn.tables import COLUMNS, FOUR
from hazard.jit import large, rule

S1, S2, S3, TREES = range(4)  # how faces are chosen
SUM, COLUMN, SPARED, LOST = range(4)  # what is counted: tiles met; the tile met most; tiles less dead ends; dead ends
LITTLE = 0b111111  # tiles 21 to 26
TOPS, BELOW_TOPS = 0x808080808080, 0x7F7F7F7F7F7F  # the highest bit of each byte of packed dice, and all others


class Program(NamedTuple):
    """One program: a row of numbers."""

    faces: int = TREES
    trees: int = 500  # simulated for each face; 0 for exact expectations
    measure: int = SUM
    risk: int = -1  # rolls on while the chance of a dead end is at most this many per mille; -1: stops when it can
    end_risk: int = -1  # the same near the end: two little tiles left; -1: no other than before
    dice: int = 0  # rolls on with at least this many dice left; 0: does not
    centre: int = 0  # 1: takes from the centre first, not from others


FACES_AT, TREES_AT, MEASURE_AT, RISK_AT, END_AT, DICE_AT, CENTRE_AT = range(len(Program._fields))

PUBLISHED = {
    "s1": Program(S1),
    "s2": Program(S2),
    "s3": Program(S3),
    "mc": Program(),
    "mc2": Program(centre=1),
    "mc3": Program(measure=SPARED),
    "mc4": Program(risk=100, end_risk=250),
    "mcp5": Program(risk=50),
    "mcp10": Program(risk=100),
    "mcp25": Program(risk=250),
    "mcp50": Program(risk=500),
    "mc100it": Program(trees=100),
    "mc1000it": Program(trees=1000),
    "mcsf": Program(measure=LOST),
    "mc4pr10": Program(risk=100, end_risk=100),
    "mc4pr100": Program(risk=100, end_risk=1000),
    "mcr2": Program(dice=2),
    "mcr4": Program(dice=4),
    "mcc": Program(),
    "mc4c": Program(risk=100, end_risk=250),
}
PROGRAMS = PUBLISHED | {"mc-column": Program(measure=COLUMN)}
PROGRAMS |= {
    f"{name}-exact": p._replace(trees=0) for name, p in PROGRAMS.items() if p.trees == 500 and p.faces == TREES
}
SETTINGS = np.array(list(PROGRAMS.values()))


# --- choosing a face -------------------------------------------------------------------------------------------------
@rule
def by_rule(g: Params, s: State, moves: Any, count: int, faces: int, rng: Any) -> int:
    """Worms first, then fives, then any; or fives first if there are more, then the greatest value."""
    worms, fives = 0, 0
    for i in range(count):
        if moves[i] == WORM:
            worms = shown(s.rolled, WORM)
        elif moves[i] == WORM - 1:
            fives = shown(s.rolled, WORM - 1)
    if worms > 0 and (faces == S1 or fives <= worms):
        return WORM
    if fives > 0:
        return WORM - 1
    return moves[below(rng, count)] if faces == S1 else moves[count - 1]


@rule
def by_return(g: Params, s: State, moves: Any, count: int) -> int:
    """The face with the greatest return: its points and the mean of the faces left for all other dice; worms are 6."""
    best, most = moves[0], -1.0
    for i in range(count):
        kept = with_face(s.kept, s.rolled, moves[i])
        total, free = 0, 0
        for face in range(FACES):
            if not shown(kept, face):
                total += face + 1
                free += 1
        value = shown(s.rolled, moves[i]) * (moves[i] + 1.0)
        if free > 0:
            value += (g.dice - number(kept)) * total / free
        if value >= most:
            best, most = moves[i], value
    return best


@rule
def brings_tile(g: Params, s: State, kept: int) -> bool:
    """Whether stopping with these dice aside would bring a tile."""
    return can_stop(g, State(s.centre, s.tops, s.low, s.high, kept, 0, 0, s.mover))


@rule
def measured(g: Params, nodes: Any, dead_ends: float, tiles: int, measure: int) -> float:
    """What a face is worth by its table of risk: nodes by score, and dead ends."""
    if measure == LOST:
        return 1.0 * dead_ends
    total, most = 0.0, 0.0
    for column in range(g.tiles):
        if (tiles >> column) & 1:
            total += nodes[column]
            most = max(most, 1.0 * nodes[column])
    if measure == COLUMN:
        return most
    return total - dead_ends if measure == SPARED else total


@rule
def throw(g: Params, dice: int, rng: Any) -> int:
    """Some dice thrown and packed, four at a time."""
    rolled = 0
    while dice > 0:
        few = min(dice, FOUR)
        rolled += g.turn.fours[few, below(rng, g.totals[few])]
        dice -= few
    return rolled


@rule
def any_face(dice: int) -> int:
    """The faces that packed dice show, as the highest bit of each byte."""
    return (dice + BELOW_TOPS) & TOPS


@rule
def grow_tree(g: Params, kept: int, table: Any, rng: Any) -> None:
    """Simulate one tree: count its nodes by score, dead ends in the last column."""
    stack = g.scratch.turns.stack
    stack[0], size = kept, 1
    while size > 0:
        size -= 1
        dice = stack[size]
        if shown(dice, WORM) and points(dice) >= LOWEST:
            table[min(points(dice) - LOWEST, COLUMNS - 1)] += 1
        rolled = throw(g, g.dice - number(dice), rng)
        faces = any_face(rolled) & ~any_face(dice)
        if faces == 0:
            table[COLUMNS] += 1
        while faces:
            top_bit = faces & -faces
            faces ^= top_bit
            stack[size] = dice | rolled & 2 * top_bit - (top_bit >> BYTE - 1)
            size += 1


@rule
def grow_trees(g: Params, kept: int, trees: int, table: Any, rng: Any) -> None:
    """Simulate a table of risk, as published."""
    table[:] = 0
    for _ in range(trees):
        grow_tree(g, kept, table, rng)


@rule
def by_trees(g: Params, s: State, moves: Any, count: int, p: Any, rng: Any) -> int:
    """The face that brings a tile at once, with the highest score; else the one with the best table of risk."""
    best, most = -1, -1
    for i in range(count):
        kept = with_face(s.kept, s.rolled, moves[i])
        if brings_tile(g, s, kept) and points(kept) >= most:
            best, most = moves[i], points(kept)
    if best >= 0 or count == 1:
        return best if best >= 0 else moves[0]
    return by_table(g, s, moves, count, p, rng)


@rule
def by_table(g: Params, s: State, moves: Any, count: int, p: Any, rng: Any) -> int:
    """The face with the best table of risk, simulated or expected, for the tiles that could be taken."""
    tiles, best, most = s.centre | stealable(g, s), moves[0], -1e9
    for i in range(count):
        kept = with_face(s.kept, s.rolled, moves[i])
        if p[TREES_AT] > 0:
            table = g.scratch.turns.table
            grow_trees(g, kept, p[TREES_AT], table, rng)
            value = measured(g, table, table[COLUMNS], tiles, p[MEASURE_AT])
        else:
            k = state_of(g, kept)
            value = measured(g, g.turn.risk[k], g.turn.fails[k], tiles, p[MEASURE_AT])
        if value > most:
            best, most = moves[i], value
    return best


# --- stopping --------------------------------------------------------------------------------------------------------
@rule
def near_end(s: State) -> bool:
    """Whether the centre has an even number of tiles, three at most, all of them little."""
    rest = s.centre & (s.centre - 1)  # all but the lowest
    return s.centre & ~LITTLE == 0 and rest != 0 and rest & (rest - 1) == 0


@rule
def rolls_on(g: Params, s: State, p: Any) -> bool:
    """Whether the program rolls on though it could stop."""
    rest = left(g, s)
    if rest == 0:
        return False
    if p[DICE_AT] > 0:
        return rest >= p[DICE_AT]
    limit = p[END_AT] if p[END_AT] >= 0 and near_end(s) else p[RISK_AT]
    lost, aside = 1, 0
    for face in range(FACES):
        aside += 1 if shown(s.kept, face) else 0
    for _ in range(rest):
        lost *= aside
    return 1000 * lost <= limit * g.totals[rest]


@rule
def stop(g: Params, s: State, moves: Any, count: int, p: Any) -> int:
    """Roll on or stop for a tile: first from another's stack, unless the program prefers the centre."""
    if rolls_on(g, s, p):
        return ROLL
    first = CENTRE if p[CENTRE_AT] else STEAL
    for i in range(count):
        if moves[i] == first:
            return first
    return moves[0]


@rule
def play(g: Params, s: State, moves: Any, rng: Any, p: Any) -> int:
    """What the program of these settings does."""
    count = legal(g, s, moves)
    if s.rolled == 0:
        return stop(g, s, moves, count, p)
    if p[FACES_AT] == TREES:
        return by_trees(g, s, moves, count, p, rng)
    if p[FACES_AT] == S3:
        return by_return(g, s, moves, count)
    return by_rule(g, s, moves, count, p[FACES_AT], rng)


@large
def play_row(g: Params, s: State, moves: Any, rng: Any, row: int) -> int:
    return play(g, s, moves, rng, SETTINGS[row])


def player(name: str) -> Any:
    """The rule of one program."""

    @rule
    def decide(g: Params, s: State, moves: Any, memory: Any, rng: Any, row: int = [*PROGRAMS].index(name)) -> int:
        return play_row(g, s, moves, rng, row)

    return decide
