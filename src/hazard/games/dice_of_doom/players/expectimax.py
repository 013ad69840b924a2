"""Expectimax: every sequence of a few attacks of the mover, won or lost, judged by the dice and land of all players.

The search goes down one attack at a time. The first rows of `nodes` and `totals` hold its levels. The others are a
transposition table, for attacks lead to the same position in any order.
"""

from __future__ import annotations

from typing import Any

from hazard.bits import count, largest_region, lowest
from hazard.games.dice_of_doom.players.greedy import most_threatened, strongest_enemy
from hazard.games.dice_of_doom.players.search import FIELDS, MOVE, read_node
from hazard.games.dice_of_doom.rules import END, end_turn, fight, over, payoff
from hazard.games.dice_of_doom.tiles import AGAIN, PLACE, Params, State, dice_on, owned
from hazard.jit import rule

DEPTH = 3  # attacks
NEXT, LOSING, CHOICE = FIELDS, FIELDS + 1, FIELDS + 2  # the edge being tried, 1 while its loss is, the best edge
BEST, SHARE, ODDS = 0, 1, 2  # the best value, what winning the attack being tried adds to its value, its odds
SEAT, STORED = FIELDS, -2  # of the table: whose worth it is; a mark that no search leaves in place of a move
FACTORS = (0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9)  # odd numbers that spread positions over rows


@rule
def exposed(g: Params, s: State, seat: int) -> float:
    """What a player stands to lose: every tile with its dice to its strongest enemy neighbour, by the odds."""
    own, total = owned(g, s, seat), 0.0
    rest = own
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        strongest = strongest_enemy(g, s, tile, own)
        total += g.odds[strongest, dice_on(s, tile)] * (dice_on(s, tile) + 1)
    return total


@rule
def strength(g: Params, s: State, seat: int) -> float:
    """A player's dice and those to come, less what others threaten to take before the player's next turn."""
    own = owned(g, s, seat)
    total, rest = count(largest_region(g.near, own)), own
    while rest:
        total += dice_on(s, lowest(rest))
        rest &= rest - 1
    return total + s.left if seat == s.mover else total - exposed(g, s, seat)


@rule
def worth(g: Params, s: State, seat: int) -> float:
    """A player's share of all players' strength, or what the game has paid."""
    if over(g, s):
        return payoff(g, s, seat)
    mine, total = 0.0, 0.0
    for other in range(g.players):
        its = max(0.0, strength(g, s, other))
        total += its
        if other == seat:
            mine = its
    return mine / max(1.0, total)


@rule
def row_of(g: Params, s: State) -> int:
    """The row of a position in the table. The last row is left out: searches write to it without a mark."""
    key = (s.low + (s.high << 32)) * FACTORS[0] ^ (s.dice + 3 * s.more + s.phase) * FACTORS[1]
    return DEPTH + (key ^ (key >> 29)) % (g.scratch.nodes.shape[0] - DEPTH - 1)


@rule
def is_stored(g: Params, row: int, s: State, seat: int) -> bool:
    same = g.scratch.nodes[row, MOVE] == STORED and g.scratch.nodes[row, SEAT] == seat
    for field in range(FIELDS):
        same = same and g.scratch.nodes[row, field] == s[field]
    return same


@rule
def leaf_worth(g: Params, s: State, seat: int) -> float:
    """The worth of stopping, if the turn has not ended by itself."""
    row = row_of(g, s)
    if not is_stored(g, row, s, seat):
        for field in range(FIELDS):
            g.scratch.nodes[row, field] = s[field]
        g.scratch.nodes[row, SEAT] = seat
        g.scratch.nodes[row, MOVE] = STORED
        g.scratch.totals[row, BEST] = worth(g, end_turn(g, s) if s.phase == AGAIN else s, seat)
    return g.scratch.totals[row, BEST]


@rule
def enter(g: Params, level: int, s: State) -> None:
    """Begin a level: stopping here is the first choice, if allowed."""
    for field in range(FIELDS):
        g.scratch.nodes[level, field] = s[field]
    g.scratch.nodes[level, NEXT] = 0
    g.scratch.nodes[level, LOSING] = 0
    g.scratch.nodes[level, CHOICE] = END
    g.scratch.totals[level, BEST] = leaf_worth(g, s, s.mover) if s.phase == AGAIN else -1.0


@rule
def next_attack(g: Params, level: int) -> bool:
    """Go on to the next attack of a level, if there is one."""
    s, edge = read_node(g, level), g.scratch.nodes[level, NEXT]
    own = owned(g, s, s.mover)
    while edge < g.edges:
        source, target = g.source[edge], g.target[edge]
        if (own >> source) & 1 and not (own >> target) & 1 and dice_on(s, source) > 1:
            g.scratch.nodes[level, NEXT] = edge
            g.scratch.totals[level, ODDS] = g.odds[dice_on(s, source), dice_on(s, target)]
            return True
        edge += 1
    return False


@rule
def take_in(g: Params, level: int, value: float) -> None:
    """Take in the value of a branch: first of the attack won, then of the attack lost."""
    p = g.scratch.totals[level, ODDS]
    if g.scratch.nodes[level, LOSING] == 0:
        g.scratch.totals[level, SHARE] = p * value
        g.scratch.nodes[level, LOSING] = 1
        return
    total = g.scratch.totals[level, SHARE] + (1.0 - p) * value
    if total > g.scratch.totals[level, BEST]:
        g.scratch.totals[level, BEST] = total
        g.scratch.nodes[level, CHOICE] = g.scratch.nodes[level, NEXT]
    g.scratch.nodes[level, LOSING] = 0
    g.scratch.nodes[level, NEXT] += 1


@rule
def expectimax(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> Any:
    """The first attack of the best sequence, or the end of the turn."""
    if s.phase == PLACE:
        return most_threatened(g, s)
    level = 0
    enter(g, level, s)
    while True:
        if g.scratch.nodes[level, LOSING] == 1 or next_attack(g, level):
            after = fight(g, read_node(g, level), g.scratch.nodes[level, NEXT], g.scratch.nodes[level, LOSING] == 0)
            if after.phase == AGAIN and level + 1 < DEPTH:
                level += 1
                enter(g, level, after)
            else:
                take_in(g, level, leaf_worth(g, after, s.mover))
        elif level == 0:
            return g.scratch.nodes[0, CHOICE]
        else:
            level -= 1
            take_in(g, level, g.scratch.totals[level + 1, BEST])
