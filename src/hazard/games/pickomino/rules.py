"""Pickomino: roll dice, set all of one face aside, stop for a tile or roll on; most worms on tiles win.

Every roll the player sets aside all dice of one face not set aside before in this turn; with none to choose the turn
fails. With a worm aside the player may stop for the centre's tile of that score, or the highest below it, or for
the tile of just that score on top of another's stack. A failed turn gives the top tile back to the centre, and the
highest tile there, unless it is that one, is turned down for good. With an empty centre the game ends; on equal worms
the highest tile decides. Dice go up by themselves where there is nothing to decide.
"""

from typing import Any, NamedTuple

import numpy as np

from hazard.dice import below
from hazard.jit import large, rule

FACES = 6
WORM = 5  # the face that shows a worm; face f is worth f + 1 points, a worm 5
LOWEST = 21  # the number of the first tile
CENTRE, STEAL, ROLL = 6, 7, 8  # moves; those below are faces to set aside
BYTE, EACH = 8, 0xFF  # dice of one face take a byte of `kept` and `rolled`
DICE, POINTS = 0x010101010101, 0x010203040505  # packed dice times these have their number, their score in byte 5
SLOT, SLOTS, TILE = 5, 8, 31  # bits that hold 1 + a tile, 0 for none; how many of them `low` has; their mask
GUIDES = 512  # places in a table of rolls where a search may begin


class Params(NamedTuple):
    players: int
    tiles: int  # numbered from 21
    dice: int
    strict: bool  # whether a failure with an empty stack turns a tile down
    rolls: np.ndarray  # rolls[n, i]: the i-th unordered roll of n dice, packed
    weights: np.ndarray  # weights[n, i]: how many ordered rolls it stands for
    totals: np.ndarray  # totals[n]: the number of ordered rolls of n dice
    counts: np.ndarray  # counts[n]: the number of unordered ones
    before: np.ndarray  # before[n, i]: ordered rolls that come before the i-th unordered one
    guide: np.ndarray  # guide[n, k]: the last roll that begins no later than the k-th of GUIDES equal parts
    turn: Any  # tables of a turn's states; see `turn.tables`
    scratch: Any  # arrays that agents and solved games write to; see `notation.Scratch`


class State(NamedTuple):
    centre: int  # the tiles that can be taken, as bits
    tops: int  # five bits for each seat: 1 + the tile on top of its stack, 0 for none
    low: int  # five bits for each of the tiles 21 to 28: 1 + the tile under it, 0 at the bottom or in no stack
    high: int  # the same for 29 to 36
    kept: int  # dice set aside this turn: a byte for each face
    rolled: int  # dice just rolled, to choose from
    rolling: int  # 1 while dice are in the air
    mover: int


# --- small words -------------------------------------------------------------------------------------------------
@rule
def shown(dice: int, face: int) -> int:
    """How many of some packed dice show a face."""
    return (dice >> (BYTE * face)) & EACH


@rule
def number(dice: int) -> int:
    """How many packed dice there are."""
    return ((dice * DICE) >> 40) & EACH


@rule
def points(dice: int) -> int:
    """What packed dice score."""
    return ((dice * POINTS) >> 40) & EACH


@rule
def worms(tile: int) -> int:
    """Worms on a tile."""
    return tile // 4 + 1


@rule
def top(s: State, seat: int) -> int:
    """The tile on top of a stack, -1 for none."""
    return ((s.tops >> (SLOT * seat)) & TILE) - 1


@rule
def under(s: State, tile: int) -> int:
    """The tile under a tile of a stack, -1 at the bottom."""
    word, place = (s.low, tile) if tile < SLOTS else (s.high, tile - SLOTS)
    return ((word >> (SLOT * place)) & TILE) - 1


@rule
def highest(tiles: int, most: int) -> int:
    """The highest of some tiles (bits) that is at most `most`, -1 for none."""
    tile = most
    while tile >= 0 and not (tiles >> tile) & 1:
        tile -= 1
    return tile


@rule
def left(g: Params, s: State) -> int:
    """Dice not set aside."""
    return g.dice - number(s.kept)


@rule
def bought(centre: int, score: int) -> int:
    """The tile of the centre (bits) that a score takes: its own, or the highest below; below 0 for none."""
    return highest(centre, score - LOWEST)


@rule
def within_reach(g: Params, s: State) -> int:
    """The tile of the centre that stopping would take; below 0 for none."""
    return bought(s.centre, points(s.kept)) if shown(s.kept, WORM) else -1


@rule
def victim(g: Params, s: State) -> int:
    """The seat whose top tile is just the score, -1 for none."""
    if not shown(s.kept, WORM):
        return -1
    tile = points(s.kept) - LOWEST
    for seat in range(g.players):
        if tile >= 0 and seat != s.mover and top(s, seat) == tile:
            return seat
    return -1


@rule
def can_stop(g: Params, s: State) -> bool:
    """Whether the dice aside bring a tile."""
    return within_reach(g, s) >= 0 or victim(g, s) >= 0


@rule
def stealable(g: Params, s: State) -> int:
    """The tiles on top of the other stacks, as bits."""
    tiles = 0
    for seat in range(g.players):
        if seat != s.mover and top(s, seat) >= 0:
            tiles |= 1 << top(s, seat)
    return tiles


@rule
def with_face(kept: int, rolled: int, face: int) -> int:
    """The dice aside once all dice of a face are added."""
    return kept | (rolled & (EACH << (BYTE * face)))


# --- the contract ------------------------------------------------------------------------------------------------
@rule
def start(g: Params) -> State:
    return State((1 << g.tiles) - 1, 0, 0, 0, 0, 0, 1, 0)


@rule
def over(g: Params, s: State) -> bool:
    return s.centre == 0


@rule
def holdings(s: State, seat: int) -> int:
    """What decides the game for a seat: worms first, then the highest tile."""
    total, best, tile = 0, -1, top(s, seat)
    while tile >= 0:
        total += worms(tile)
        best = max(best, tile)
        tile = under(s, tile)
    return total * 32 + best + 1


@large
def payoff(g: Params, s: State, seat: int) -> float:
    """The winner takes all; those who never kept a tile share if nobody did."""
    mine, equal = holdings(s, seat), 0
    for other in range(g.players):
        theirs = holdings(s, other)
        if theirs > mine:
            return 0.0
        equal += theirs == mine
    return 1.0 / equal


@rule
def fanout(g: Params) -> int:
    return FACES


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    count = 0
    if s.rolled == 0:
        return stops(g, s, moves)
    for face in range(FACES):
        if shown(s.rolled, face) and not shown(s.kept, face):
            moves[count] = face
            count += 1
    return count


@rule
def stops(g: Params, s: State, moves: Any) -> int:
    """Where no dice lie to choose from, stop for a tile or roll on."""
    count = 0
    if victim(g, s) >= 0:
        moves[count] = STEAL
        count += 1
    if within_reach(g, s) >= 0:
        moves[count] = CENTRE
        count += 1
    if left(g, s) > 0:
        moves[count] = ROLL
        count += 1
    return count


@rule
def move(g: Params, s: State, m: int) -> State:
    if m < FACES:
        return set_aside(g, s, m)
    if m == ROLL:
        return State(s.centre, s.tops, s.low, s.high, s.kept, 0, 1, s.mover)
    if m == CENTRE:
        return pass_on(g, with_tile(s, within_reach(g, s)))
    return pass_on(g, robbed(s, victim(g, s)))


@rule
def set_aside(g: Params, s: State, face: int) -> State:
    """Set all dice of a face aside; the others go up at once if there is nothing to stop for."""
    t = State(s.centre, s.tops, s.low, s.high, with_face(s.kept, s.rolled, face), 0, 0, s.mover)
    if can_stop(g, t):
        return t
    if left(g, t) == 0:
        return fail(g, t)
    return State(t.centre, t.tops, t.low, t.high, t.kept, 0, 1, t.mover)


@rule
def put(s: State, tile: int) -> State:
    """Put a tile on the mover's stack."""
    beneath = top(s, s.mover) + 1
    tops = s.tops + ((tile + 1 - beneath) << (SLOT * s.mover))
    if tile < SLOTS:
        return State(s.centre, tops, s.low + (beneath << (SLOT * tile)), s.high, 0, 0, 0, s.mover)
    return State(s.centre, tops, s.low, s.high + (beneath << (SLOT * (tile - SLOTS))), 0, 0, 0, s.mover)


@rule
def lift(s: State, seat: int) -> State:
    """Take the top tile off a stack."""
    tile = top(s, seat)
    beneath = under(s, tile) + 1
    tops = s.tops + ((beneath - tile - 1) << (SLOT * seat))
    if tile < SLOTS:
        return State(s.centre, tops, s.low - (beneath << (SLOT * tile)), s.high, 0, 0, 0, s.mover)
    return State(s.centre, tops, s.low, s.high - (beneath << (SLOT * (tile - SLOTS))), 0, 0, 0, s.mover)


@rule
def with_tile(s: State, tile: int) -> State:
    """The table once the mover has taken a tile of the centre."""
    return put(State(s.centre ^ (1 << tile), s.tops, s.low, s.high, 0, 0, 0, s.mover), tile)


@rule
def robbed(s: State, seat: int) -> State:
    """The table once the mover has taken the top tile of a seat."""
    return put(lift(s, seat), top(s, seat))


@large
def fail(g: Params, s: State) -> State:
    """Give the top tile back; the highest of the centre is turned down, unless it is that one."""
    tile, turned = top(s, s.mover), highest(s.centre, g.tiles - 1)
    if tile < 0:
        centre = s.centre ^ (1 << turned) if g.strict else s.centre
        return pass_on(g, State(centre, s.tops, s.low, s.high, 0, 0, 0, s.mover))
    t = lift(s, s.mover)
    centre = s.centre | (1 << tile)
    if turned > tile:
        centre ^= 1 << turned
    return pass_on(g, State(centre, t.tops, t.low, t.high, 0, 0, 0, s.mover))


@rule
def pass_on(g: Params, s: State) -> State:
    """The turn of the next player begins with all dice in the air, unless the game is over."""
    mover = s.mover + 1 if s.mover < g.players - 1 else 0
    return State(s.centre, s.tops, s.low, s.high, 0, 0, 1 if s.centre else 0, mover)


@rule
def chance(g: Params, s: State) -> int:
    return g.counts[left(g, s)] if s.rolling else 0


@rule
def weight(g: Params, s: State, i: int) -> int:
    return g.weights[left(g, s), i]


@rule
def any_roll(g: Params, dice: int, rng: Any) -> int:
    """Draw a roll of some dice: its number among the unordered ones."""
    mark = below(rng, g.totals[dice])
    i = g.guide[dice, mark * GUIDES // g.totals[dice]]
    while g.before[dice, i + 1] <= mark:
        i += 1
    return i


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    return any_roll(g, left(g, s), rng)


@rule
def land(g: Params, s: State, i: int) -> State:
    """The dice lie on the table; if they show no face to choose, the turn has failed."""
    rolled = g.rolls[left(g, s), i]
    for face in range(FACES):
        if shown(rolled, face) and not shown(s.kept, face):
            return State(s.centre, s.tops, s.low, s.high, s.kept, rolled, 0, s.mover)
    return fail(g, s)
