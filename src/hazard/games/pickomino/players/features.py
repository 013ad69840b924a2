"""What a network sees of a table before a turn: inputs that are on or off, from the view of the player to move.

First the centre: its tiles, the lowest, the highest, how many they are and how many worms they have. Then for every
stack, in the order of turns from the mover's on: its top tile, the one under it, its worms, and by how much these lead.
Near the end also how much they would lead with the centre's highest tile, without their own top tile, and with that of
the strongest other.
"""

from __future__ import annotations

from typing import Any

from hazard.games.pickomino.rules import Params, State, holdings, pile_worth, top, under, worms
from hazard.jit import large, rule

VERSION = "pickomino 2"  # of the inputs; weights for other inputs are refused
TILES = 16
MOST_WORMS = 40  # on all tiles
RICH, AHEAD = 25, 8  # the most worms of a stack, and of a lead, that are distinguished
LEADS = 2 * AHEAD + 2
CENTRE_AT, LOWEST_AT, HIGHEST_AT, COUNT_AT, WORMS_AT = 0, TILES, 2 * TILES, 3 * TILES, 4 * TILES
SEATS_AT = WORMS_AT + MOST_WORMS
TOP_AT, SECOND_AT, RICH_AT, LEAD_AT = 0, TILES + 1, 2 * TILES + 2, 2 * TILES + 3 + RICH
END_AT = LEAD_AT + LEADS
NEAR = 3  # tiles left in the centre when the end is near
CASES = 4  # leads that count then: as it stands, with a tile more, with one less, and after a steal
SEAT = END_AT + CASES * NEAR * LEADS  # inputs for each seat


def inputs(players: int) -> int:
    """How many inputs there are."""
    return SEATS_AT + players * SEAT


def most_on(players: int) -> int:
    """How many inputs can be on."""
    return max(TILES + 4 + 4 * players, NEAR + 4 + (4 + CASES) * players)


@rule
def see_centre(g: Params, s: State, seen: Any) -> int:
    """Note the inputs of the centre that are on; how many is returned."""
    count, total, low, high = 0, 0, -1, 0
    for tile in range(g.tiles):
        if (s.centre >> tile) & 1:
            seen[count] = CENTRE_AT + tile
            count += 1
            total += worms(tile)
            low, high = tile if low < 0 else low, tile
    seen[count] = LOWEST_AT + low
    seen[count + 1] = HIGHEST_AT + high
    seen[count + 2] = COUNT_AT + count - 1
    seen[count + 3] = WORMS_AT + total - 1
    return count + 4


@rule
def lead(mine: int, most: int) -> int:
    """By how many worms one leads or lags, from 0 on; with equal worms the higher tile leads."""
    ahead = mine // 32 - most // 32
    if ahead > 0 or (ahead == 0 and mine >= most):
        return AHEAD + 1 + min(ahead, AHEAD)
    return AHEAD + max(ahead, -AHEAD)


@rule
def with_one(held: int, tile: int) -> int:
    """Holdings with a tile more."""
    return (held // 32 + worms(tile)) * 32 + max(held % 32, tile + 1)


@rule
def less_one(s: State, seat: int) -> int:
    """The holdings of a seat without its top tile."""
    return pile_worth(s, under(s, top(s, seat)) if top(s, seat) >= 0 else -1)


@rule
def strongest_but(g: Params, s: State, seat: int) -> int:
    """The seat with the greatest holdings but for one."""
    best, most = -1, -1
    for other in range(g.players):
        if other != seat and holdings(s, other) > most:
            best, most = other, holdings(s, other)
    return best


@rule
def see_end(s: State, seat: int, rival: int, high: int, at: int, seen: Any, count: int) -> None:
    """Note the leads that count near the end, from place `count` on; `at` is where the first of their inputs is."""
    mine, most = holdings(s, seat), holdings(s, rival)
    seen[count] = at + lead(mine, most)
    seen[count + 1] = at + NEAR * LEADS + lead(with_one(mine, high), most)
    seen[count + 2] = at + 2 * NEAR * LEADS + lead(less_one(s, seat), most)
    if top(s, rival) >= 0:
        mine, most = with_one(mine, top(s, rival)), less_one(s, rival)
    seen[count + 3] = at + 3 * NEAR * LEADS + lead(mine, most)


@large
def see(g: Params, s: State, seen: Any) -> int:
    """Note all inputs that are on for a table that is not over; how many is returned."""
    count = see_centre(g, s, seen)
    tiles, high = count - 4, seen[count - 3] - HIGHEST_AT
    seat, at = s.mover, SEATS_AT
    for _ in range(g.players):
        tile, held, rival = top(s, seat), holdings(s, seat), strongest_but(g, s, seat)
        seen[count] = at + TOP_AT + tile + 1
        seen[count + 1] = at + SECOND_AT + (under(s, tile) + 1 if tile >= 0 else 0)
        seen[count + 2] = at + RICH_AT + min(held // 32, RICH)
        seen[count + 3] = at + LEAD_AT + lead(held, holdings(s, rival))
        count += 4
        if tiles <= NEAR:
            see_end(s, seat, rival, high, at + END_AT + (tiles - 1) * LEADS, seen, count)
            count += CASES
        at += SEAT
        seat = seat + 1 if seat < g.players - 1 else 0
    return count
