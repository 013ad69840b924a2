"""The vocabulary of every game. A game's `rules.py` defines these names; generic code is written against them.

`g` holds the parameters of the game: a NamedTuple of numbers and read-only arrays, with at least `players`. A game
whose rules or agents need room to work has a last field `scratch`: arrays that may be written to. The caller owns them,
one set for each thread or process (`Game.table` is `g` with the scratch of the thread that asks for it); nothing may
depend on what is left there from one call to the next.
`s` is a position: a NamedTuple of integers, with at least `mover`, the seat (from 0) whose turn it is.
A position is over, or the dice are in the air (`chance` is positive), or the mover has a decision to make.
Functions with a body below are defaults that a game may keep.
"""

from typing import Any

import numpy as np

from hazard.dice import below
from hazard.jit import rule

MOST_ROLLS = (1 << 63) - 1  # ordered rolls that the ways to land can stand for


# --- playing ---------------------------------------------------------------------------------------------------
@rule
def start(g: Any) -> Any:
    """The position a game begins with."""
    raise NotImplementedError


@rule
def deal(g: Any, rng: Any) -> Any:
    """A first position drawn at random, for games whose board is dealt."""
    return start(g)


@rule
def over(g: Any, s: Any) -> bool:
    """Whether the game has ended."""
    raise NotImplementedError


@rule
def payoff(g: Any, s: Any, seat: int) -> float:
    """What a seat gets from a game that is over: 1 for a win, shares of 1 for a tie, or the game's own currency."""
    raise NotImplementedError


@rule
def least(g: Any) -> bool:
    """Whether the player wants as little as it can get, few rolls for example; for games of one player."""
    return False


@rule
def purse(g: Any) -> float:
    """What the payoffs of all seats add up to, where they add up; a game that was cut off is shared out by it."""
    return 1.0


@rule
def floor(g: Any) -> float:
    """The least payoff that any seat can get."""
    return 0.0


@rule
def fanout(g: Any) -> int:
    """The most legal moves in any position. In games that number their positions, moves are numbers below 255."""
    raise NotImplementedError


@rule
def legal(g: Any, s: Any, moves: Any) -> int:
    """Write the legal moves into `moves` in their fixed order and return how many there are."""
    raise NotImplementedError


@rule
def move(g: Any, s: Any, m: int) -> Any:
    """The position after the mover's decision."""
    raise NotImplementedError


@rule
def gain(g: Any, s: Any, m: int) -> float:
    """Points that the mover scores with a decision; they are added to what it gets at the end.

    A game whose score only adds up need not carry it in the position, which makes far fewer of them. What a position is
    worth is then what is still to come.
    """
    return 0.0


@rule
def chance(g: Any, s: Any) -> int:
    """How many ways the dice in the air can land, counted unordered; 0 if no dice are in the air."""
    raise NotImplementedError


@rule
def weight(g: Any, s: Any, i: int) -> int:
    """How many of the equally likely ordered rolls make the i-th way."""
    raise NotImplementedError


@rule
def land(g: Any, s: Any, i: int) -> Any:
    """The position after the dice have landed the i-th way; others may then be in the air.

    In games that count their positions (below), dice do not go up again before a decision.
    """
    raise NotImplementedError


@rule
def roll(g: Any, s: Any, rng: Any) -> int:
    """Draw the way the dice land."""
    ways = chance(g, s)
    total = 0
    for i in range(ways):
        share = weight(g, s, i)
        if share < 0 or total > MOST_ROLLS - share:
            raise OverflowError("the weights of a roll add up to more than 2**63 - 1, or one is negative")
        total += share
    mark = below(rng, total)
    for i in range(ways - 1):
        mark -= weight(g, s, i)
        if mark < 0:
            return i
    return ways - 1


@rule
def decide(number: int, g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """The move that the agent of that number makes; `hazard.jit.switch` builds it from the game's agents.

    `moves` is room for legal moves, `memory` the bytes the agent may read, `rng` its own stream.
    """
    raise NotImplementedError


@rule
def on_roll(g: Any, s: Any, landed: Any, watch: Any) -> None:
    """Called when dice have landed in a game that is played. Whoever watches games binds a rule of its own."""


@rule
def on_move(g: Any, s: Any, m: int, watch: Any) -> None:
    """Called when a decision has been made."""


@rule
def unpack(row: Any) -> Any:
    """The position whose numbers stand in an array; every game has it from its `State`."""
    raise NotImplementedError


@rule
def pack(s: Any, low: Any, check: Any, bits: Any, at: Any) -> tuple[int, int, int]:
    """The numbers of a position in two words; every game has it from its `State`.

    Field n is counted from low[n], in bits[n] bits that begin at bit at[n]: 0 to 63 in the first word, 64 to 127 in the
    second. The third number is 0 if all fields fit and are whole numbers; a field whose check[n] is 0 has a word of its
    own.
    """
    raise NotImplementedError


# --- finding positions, for games that are solved from their rules alone -------------------------------------------
@rule
def canonical(g: Any, s: Any) -> Any:
    """One position for all that are worth the same, to the same seats, as s: by symmetry, for example."""
    return s


@rule
def progress(g: Any, s: Any) -> int:
    """How far a position is on the way to the end: a whole number that never falls during play; -1: not declared."""
    return -1


# --- counting positions, for games that can be solved ------------------------------------------------------------
# Openings are the decisions at the start of a turn. Within a turn, play only goes from lower to higher steps;
# cycles run through openings. Between openings, play never goes to a lower layer. Where s is asked for below, any
# decision of the turn will do. The defaults are those of a game that numbers nothing.
@rule
def size(g: Any) -> int:
    """How many numbers there are for openings; some may stand for positions that are over."""
    return 0


@rule
def index(g: Any, s: Any) -> int:
    """The number of the opening of the turn that s belongs to."""
    return 0


@rule
def state(g: Any, i: int) -> Any:
    """The opening of that number."""
    raise NotImplementedError


@rule
def layer(g: Any, s: Any) -> int:
    """How far an opening is on the way to the end. The finer the layers, the smaller the cycles to solve."""
    raise NotImplementedError


@rule
def span(g: Any) -> int:
    """The most steps in any turn."""
    return 1


@rule
def steps(g: Any, s: Any) -> int:
    """The number of decisions that can come up in the turn of s, the opening included."""
    raise NotImplementedError


@rule
def step(g: Any, s: Any) -> int:
    """The place of a decision within its turn; 0 for an opening."""
    return 0


@rule
def stage(g: Any, s: Any, k: int) -> Any:
    """The decision at place k of the turn of s, with the same mover at the opening."""
    raise NotImplementedError


# --- what is paid ------------------------------------------------------------------------------------------------
@rule
def sense(g: Any) -> float:
    """What worths are multiplied by, so that more is better."""
    return -1.0 if least(g) else 1.0


@rule
def add_gain(g: Any, s: Any, m: int, paid: Any) -> None:
    """Add what the mover scores with a decision to what seats have got."""
    scored = gain(g, s, m)
    if scored != 0.0:
        paid[s.mover] += scored


@rule
def add_payoffs(g: Any, s: Any, paid: Any) -> None:
    """Add what seats get where play stopped. If the game is not over it was cut off: it is shared out, or a player who
    is alone gets the worst that the game says."""
    for seat in range(g.players):
        if over(g, s):
            paid[seat] += payoff(g, s, seat)
        elif g.players == 1 and not least(g):
            paid[seat] += floor(g)
        else:
            paid[seat] += purse(g) / g.players


# --- asking a solution -------------------------------------------------------------------------------------------
@rule
def worth(g: Any, s: Any, seat: int, values: Any) -> float:
    """What a solved position without dice in the air is worth to a seat; `values` are those of a `Solution`.

    By default these are a table with the value of every numbered decision to all seats but the last.
    """
    if over(g, s):
        return payoff(g, s, seat)
    table = values.view(np.float64)
    row = (index(g, s) * span(g) + step(g, s)) * (g.players - 1)
    if seat < g.players - 1:
        return table[row + seat]
    rest = purse(g)
    for other in range(g.players - 1):
        rest -= table[row + other]
    return rest


@rule
def prospect(g: Any, s: Any, seat: int, values: Any) -> float:
    """The same for any position: with dice in the air, the mean over all ways they can land."""
    ways = chance(g, s)
    if ways == 0:
        return worth(g, s, seat, values)
    total, mean = 0, 0.0
    for i in range(ways):
        share = weight(g, s, i)
        total += share
        mean += share * worth(g, land(g, s, i), seat, values)
    return mean / total
