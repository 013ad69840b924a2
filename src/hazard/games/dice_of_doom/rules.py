"""Dice of Doom: tiles with dice attack their neighbours; whoever owns the most tiles at the end wins.

A turn is at least one attack, then as many more as the player likes; it also ends when no attack is left. A tile with
two dice or more may attack an enemy beside it: if the sum of its dice is greater, all but one move in; if not, one
stays. New dice come at the end of the turn. A player who cannot attack at the start of a turn ends the game. The rules
are from van den Berg, "Exploring Optimal Strategies for Dice of Doom" (Leiden, 2023), after Barski, "Land of Lisp".
"""

from typing import Any

from hazard.bits import count, largest_region, lowest, nth
from hazard.dice import below
from hazard.games.dice_of_doom.tiles import (
    AGAIN,
    BATTLE,
    CAPTURED,
    CHOSEN,
    DETERMINISTIC,
    OPEN,
    OVER,
    PLACE,
    WEIGHTED,
    Params,
    State,
    add_dice,
    dice_on,
    owned,
)
from hazard.jit import rule

END = 254  # the move that ends a turn; attacks are numbers of edges, placements of dice numbers of tiles
WON, LOST = 0, 1


@rule
def can_attack(g: Params, s: State, seat: int) -> bool:
    own = owned(g, s, seat)
    rest = own
    while rest:
        tile = lowest(rest)
        if g.near[tile] & ~own and dice_on(s, tile) > 1:
            return True
        rest &= rest - 1
    return False


@rule
def has_room(g: Params, s: State) -> bool:
    """Whether any tile of the mover takes another die."""
    rest = owned(g, s, s.mover)
    while rest:
        if dice_on(s, lowest(rest)) < g.max_dice:
            return True
        rest &= rest - 1
    return False


# --- the beginning -----------------------------------------------------------------------------------------------
@rule
def start(g: Params) -> State:
    """Owners take turns in reading order; every tile has the same number of dice, a little over half the limit."""
    s = State(0, 0, 0, 0, OPEN, -1, 0, 0, 0, 0)
    for tile in range(g.tiles):
        s = settle(s, tile, tile % g.players, (g.max_dice + 2) // 2)
    return open_turn(g, s, s.mover, s.turn)


@rule
def settle(s: State, tile: int, seat: int, dice: int) -> State:
    """Give an empty tile to a player."""
    low, high = s.low | ((seat & 1) << tile), s.high | ((seat >> 1) << tile)
    return add_dice(State(low, high, s.dice, s.more, OPEN, -1, 0, 0, 0, 0), tile, dice)


@rule
def shares(g: Params, rng: Any) -> int:
    """How many tiles each player is dealt, eight bits a player; chance says who gets those left over."""
    each, over_ = g.tiles // g.players, g.tiles % g.players
    packed = 0
    for seat in range(g.players):
        extra = 1 if over_ > 0 and below(rng, g.players - seat) < over_ else 0
        over_ -= extra
        packed |= (each + extra) << (8 * seat)
    return packed


@rule
def dealt(g: Params, packed: int, tile: int, rng: Any) -> int:
    """The player who gets a tile: anyone, or as likely as he still has tiles to get."""
    if not g.equal:
        return below(rng, g.players)
    mark = below(rng, g.tiles - tile)
    for seat in range(g.players - 1):
        mark -= (packed >> (8 * seat)) & 255
        if mark < 0:
            return seat
    return g.players - 1


@rule
def deal(g: Params, rng: Any) -> State:
    s = State(0, 0, 0, 0, OPEN, -1, 0, 0, 0, 0)
    packed = shares(g, rng) if g.equal else 0
    for tile in range(g.tiles):
        seat = dealt(g, packed, tile, rng)
        packed -= (1 << (8 * seat)) * g.equal
        s = settle(s, tile, seat, 1 + below(rng, g.max_dice))
    return open_turn(g, s, s.mover, s.turn)


# --- turns -------------------------------------------------------------------------------------------------------
@rule
def open_turn(g: Params, s: State, seat: int, turn: int) -> State:
    """Hand the turn to a player, or the next who has tiles; the game may be over."""
    while not owned(g, s, seat):
        seat = seat + 1 if seat + 1 < g.players else 0
    phase = OPEN
    if not can_attack(g, s, seat) or (g.turns > 0 and turn >= g.turns):
        phase = OVER
    return State(s.low, s.high, s.dice, s.more, phase, -1, 0, 0, turn, seat)


@rule
def pass_on(g: Params, s: State) -> State:
    seat = s.mover + 1 if s.mover + 1 < g.players else 0
    return open_turn(g, s, seat, s.turn + 1 if g.turns > 0 else 0)


@rule
def reinforce_in_order(g: Params, s: State, n: int) -> State:
    """One die each for the first n own tiles in reading order; a die for a full tile is lost."""
    rest = owned(g, s, s.mover)
    while rest and n > 0:
        tile = lowest(rest)
        if dice_on(s, tile) < g.max_dice:
            s = add_dice(s, tile, 1)
        rest &= rest - 1
        n -= 1
    return s


@rule
def end_turn(g: Params, s: State) -> State:
    """Reinforcements are placed at once in the fixed order, or are still to be placed one by one."""
    if g.reinforcement == CAPTURED:
        return pass_on(g, reinforce_in_order(g, s, s.gained - 1))
    new = count(largest_region(g.near, owned(g, s, s.mover)))
    if g.reinforcement == DETERMINISTIC:
        return pass_on(g, reinforce_in_order(g, s, new))
    if not has_room(g, s):
        return pass_on(g, s)
    return State(s.low, s.high, s.dice, s.more, PLACE, -1, new, 0, s.turn, s.mover)


@rule
def place_die(g: Params, s: State, tile: int) -> State:
    """One die more on an own tile, lost if that is full; the turn passes after the last or when no tile has room."""
    if dice_on(s, tile) < g.max_dice:
        s = add_dice(s, tile, 1)
    if s.left == 1 or not has_room(g, s):
        return pass_on(g, s)
    return State(s.low, s.high, s.dice, s.more, PLACE, -1, s.left - 1, 0, s.turn, s.mover)


@rule
def fight(g: Params, s: State, edge: int, won: bool) -> State:
    """The position after a battle; the turn goes on if there is another attack."""
    source, target = g.source[edge], g.target[edge]
    sent, met = dice_on(s, source) - 1, dice_on(s, target)
    low, high, gained = s.low, s.high, s.gained
    if won:
        bit = 1 << target
        low = low | bit if s.mover & 1 else low & ~bit
        high = high | bit if s.mover & 2 else high & ~bit
        gained = gained + met if g.reinforcement == CAPTURED else 0
        s = add_dice(s, target, sent - met)
    s = add_dice(s, source, -sent)
    after = State(low, high, s.dice, s.more, AGAIN, -1, 0, gained, s.turn, s.mover)
    return after if can_attack(g, after, s.mover) else end_turn(g, after)


# --- the contract ------------------------------------------------------------------------------------------------
@rule
def over(g: Params, s: State) -> bool:
    return s.phase == OVER


@rule
def payoff(g: Params, s: State, seat: int) -> float:
    """Those with the most tiles share the win; at the limit of turns all who have tiles."""
    by_limit = can_attack(g, s, s.mover)
    most, sharing, mine = 0, 0, count(owned(g, s, seat))
    for other in range(g.players):
        held = count(owned(g, s, other))
        if by_limit:
            held = min(held, 1)
        if held > most:
            most, sharing = held, 0
        if held == most:
            sharing += 1
    if by_limit:
        mine = min(mine, 1)
    return 1.0 / sharing if mine == most else 0.0


@rule
def fanout(g: Params) -> int:
    return max(g.edges // 2 + 1, g.tiles)


@rule
def legal(g: Params, s: State, moves: Any) -> int:
    """Attacks by tiles in reading order, and END last if there has been one; or the tiles that may get a die."""
    own = owned(g, s, s.mover)
    rest, n = own, 0
    while rest:
        tile = lowest(rest)
        rest &= rest - 1
        if s.phase == PLACE:
            moves[n] = tile
            n += 1
        elif g.near[tile] & ~own and dice_on(s, tile) > 1:
            for edge in range(g.first[tile], g.first[tile + 1]):
                if not (own >> g.target[edge]) & 1:
                    moves[n] = edge
                    n += 1
    if s.phase == AGAIN:
        moves[n] = END
        n += 1
    return n


@rule
def move(g: Params, s: State, m: int) -> State:
    if s.phase == PLACE:
        return place_die(g, s, m)
    if m == END:
        return end_turn(g, s)
    return State(s.low, s.high, s.dice, s.more, BATTLE, m, 0, s.gained, s.turn, s.mover)


@rule
def chance(g: Params, s: State) -> int:
    """A battle is won or lost, if both can happen; a die that falls where it likes has every own tile to go to."""
    if s.phase == BATTLE:
        a, b = dice_on(s, g.source[s.attack]), dice_on(s, g.target[s.attack])
        return 2 if 0 < g.win[a, b] < g.every[a, b] else 1
    if s.phase == PLACE and g.reinforcement != CHOSEN:
        return count(owned(g, s, s.mover))
    return 0


@rule
def result(g: Params, s: State, i: int) -> int:
    """WON or LOST: what the i-th way means in a battle; one that cannot happen is left out."""
    a, b = dice_on(s, g.source[s.attack]), dice_on(s, g.target[s.attack])
    return LOST if g.win[a, b] == 0 else i


@rule
def weight(g: Params, s: State, i: int) -> int:
    if s.phase == PLACE:
        return dice_on(s, nth(owned(g, s, s.mover), i)) if g.reinforcement == WEIGHTED else 1
    a, b = dice_on(s, g.source[s.attack]), dice_on(s, g.target[s.attack])
    return g.win[a, b] if result(g, s, i) == WON else g.every[a, b] - g.win[a, b]


@rule
def heavier(g: Params, s: State, rng: Any) -> int:
    """An own tile, as likely as it has dice: its place among the own tiles."""
    own, total = owned(g, s, s.mover), 0
    rest = own
    while rest:
        total += dice_on(s, lowest(rest))
        rest &= rest - 1
    mark, i = below(rng, total) - dice_on(s, lowest(own)), 0
    while mark >= 0:
        own &= own - 1
        mark -= dice_on(s, lowest(own))
        i += 1
    return i


@rule
def roll(g: Params, s: State, rng: Any) -> int:
    if s.phase == PLACE:
        return heavier(g, s, rng) if g.reinforcement == WEIGHTED else below(rng, count(owned(g, s, s.mover)))
    a, b = dice_on(s, g.source[s.attack]), dice_on(s, g.target[s.attack])
    if not 0 < g.win[a, b] < g.every[a, b]:
        return 0
    return WON if below(rng, g.every[a, b]) < g.win[a, b] else LOST


@rule
def land(g: Params, s: State, i: int) -> State:
    if s.phase == PLACE:
        return place_die(g, s, nth(owned(g, s, s.mover), i))
    return fight(g, s, s.attack, result(g, s, i) == WON)
