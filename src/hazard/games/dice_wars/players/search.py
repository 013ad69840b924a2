"""What both searches share: samples of the turns to come, and the share of the game that a position promises.

A sample plays on until the searching player has had some more turns. All turns are played by the policy of
`ste-corrected`, whoever sits there. The position reached is judged by a few sums over the map.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hazard.bits import count, largest_region, lowest
from hazard.games.dice_wars.land import Params, State, dice_on, owned, without
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.corrected import (
    CROWD,
    CROWD_FROM,
    DUEL,
    DUEL_FROM,
    estimate,
    outlook,
    remembered,
    ste_corrected,
)
from hazard.games.dice_wars.rules import END, list_attacks, over, payoff, play, settle_dice
from hazard.jit import large, rule
from hazard.rulebook import Game

SURE = 2.0  # more than any attack promises
LATER = 0.01  # how much less a win in a later turn is worth: otherwise the last attack could be put off for ever


class Prospect(NamedTuple):
    """What is weighed of a player's position; the first five are shares of the whole map."""

    lands: float
    region: float  # the largest region
    dice: float  # of all dice on the map
    threat: float  # territories that enemies could take, each by the chance that not all attacks on it fail
    border: float  # territories with an enemy beside them
    order: float  # how late the player is to move: 0 for the mover, then 1, 2, ... divided by the number of seats


POLICY = 1 + len(DUEL)  # where the weights of a Prospect begin in what a search reads; the policy comes first
LANDS = POLICY + len(Prospect._fields)  # where the weight of territories is; see `share`
SETTINGS = LANDS + 1  # where the settings of the search begin


# --- what a position promises ----------------------------------------------------------------------------------------
@rule
def risk(g: Params, s: State, row: int, own: int, n: int) -> float:
    """The chance to lose a territory, if every enemy beside it with two dice or more attacked it now."""
    enemies, held = g.scratch.near[row, n] & ~own & without(s, 1), 1.0
    while enemies:
        held *= 1.0 - g.odds[dice_on(s, lowest(enemies)), dice_on(s, n)]
        enemies &= enemies - 1
    return 1.0 - held


@rule
def dice_of(g: Params, s: State, lands: int) -> int:
    """All dice on some territories."""
    total = 0
    while lands:
        total += dice_on(s, lowest(lands))
        lands &= lands - 1
    return total


@rule
def prospect(g: Params, s: State, row: int, seat: int) -> Prospect:
    """What a player has, and stands to lose."""
    full, threat, border = whole(g, row), 0.0, 0.0
    own, lands = owned(s, seat, full), 1.0 * count(full)
    rest = own
    while rest:
        n = lowest(rest)
        rest &= rest - 1
        if g.scratch.near[row, n] & ~own:
            border += 1.0
            threat += risk(g, s, row, own, n)
    dice, order = dice_of(g, s, own) / (1.0 * dice_of(g, s, full)), (seat - s.mover) % g.players
    region = count(largest_region(g.scratch.near[row], own))
    return Prospect(count(own) / lands, region / lands, dice, threat / lands, border / lands, order / (1.0 * g.players))


@rule
def strength(g: Params, s: State, row: int, seat: int, weights: Any) -> float:
    """How strong a player is beside others."""
    p, total = prospect(g, s, row, seat), 0.0
    for n in range(len(p)):
        total += weights[POLICY + n] * p[n]
    return np.exp(total)


@large
def share(g: Params, s: State, seat: int, weights: Any) -> float:
    """A player's share of the game: of the strength of all who are still in it, or what it has paid.

    A part of it is the share of territories, so that a player who is sure to win goes on until that is done.
    """
    if over(g, s):
        return payoff(g, s, seat)
    row, mine, total = map_of(g, s), 0.0, 0.0
    full = whole(g, row)
    for other in range(g.players):
        if owned(s, other, full):
            its = strength(g, s, row, other, weights)
            total += its
            mine = its if other == seat else mine
    return (1.0 - weights[LANDS]) * mine / total + weights[LANDS] * count(owned(s, seat, full)) / count(full)


# --- the turns to come -----------------------------------------------------------------------------------------------
@large
def play_on(g: Params, s: State, seat: int, turns: int, moves: Any, memory: Any, rng: Any) -> State:
    """Play on by the policy until the player has begun that many turns more, is out, or the game is over."""
    s = settle_dice(g, s, rng)
    full, before = whole(g, map_of(g, s)), s.mover
    while not over(g, s) and owned(s, seat, full):
        turns -= s.mover == seat and before != seat
        if turns == 0:
            break
        before = s.mover
        s = play(g, s, ste_corrected(g, s, moves, memory, rng), rng)
    return s


@large
def sample(g: Params, s: State, seat: int, turns: int, moves: Any, memory: Any, rng: Any) -> float:
    """What one way to play on is worth to a player whose turn it is, or was until now."""
    end = play_on(g, s, seat, turns, moves, memory, rng)
    value = share(g, end, seat, memory.view(np.float64))
    return value if end.turn == s.turn else (1.0 - LATER) * value


# --- what to look at -------------------------------------------------------------------------------------------------
@large
def next_best(g: Params, s: State, after: int, limit: float, moves: Any, weights: Any) -> Any:
    """The attack that promises most of those after the given one, and what it promises; END if there is none.

    Attacks are ordered by the corrected chance to take a territory and hold it, those with an equal one by number.
    """
    row, best, most = map_of(g, s), END, -1.0
    own = owned(s, s.mover, whole(g, row))
    for i in range(list_attacks(g, s, row, own, moves)):
        edge = moves[i]
        value = estimate(outlook(g, s, row, own, edge), weights)
        if value > most and (value < limit or (value == limit and edge > after)):
            best, most = edge, value
    return best, most


# Fitted by `hazard reproduce dice-wars --full`, which fits them again and shows both: for games of two, and of more.
DUEL_SHARE = (-5.29, 6.13, 9.14, -9.48, 5.78, -1.21)
CROWD_SHARE = (-6.00, 7.53, 10.99, -12.17, 5.18, -0.69)
BY_LANDS = 0.1  # with none, games that are won take thousands of turns: one attack more adds nothing to speak of


def search_memory(game: Game, *settings: float) -> np.ndarray:
    """The bytes that a search reads: the policy, the weights of a share, and the settings of the search."""
    if game.seats == 2:
        return remembered(DUEL_FROM, (*DUEL, *DUEL_SHARE, BY_LANDS, *settings))
    return remembered(CROWD_FROM, (*CROWD, *CROWD_SHARE, BY_LANDS, *settings))
