"""The player STE with an estimate that is right on average: Eq. 1's chance to hold, corrected by a logistic fit.

The chance to take a territory is exact; the chance to hold it is not, since enemies do not all attack and may come
through other territories. The weights come from the study of Dice Wars, which fits them to what came of attacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import as_memory
from hazard.bits import count, lowest
from hazard.games.dice_wars.land import Params, State, dice_on, owned, without
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.turecek import required
from hazard.games.dice_wars.rules import END, list_attacks
from hazard.jit import large, rule
from hazard.rulebook import Game

NEAR = 0.01  # keeps the logit of a chance of 0 or 1 finite
DUEL_FROM, CROWD_FROM = 0.3, 0.5  # what an attack must promise in games of two, and of more
TERMS = ("constant", "logit of the chance to hold", "threats", "weak enemies", "dice", "exposed", "rivals")


class Outlook(NamedTuple):
    """What an attack promises, were it won; all of one kind, so that it can be read as a row."""

    win: float  # the chance to take the territory
    hold: float  # Eq. 1's chance to hold it then; their product is the estimate
    threats: float  # enemies beside it with two dice or more
    weak: float  # enemies beside it with one
    dice: float  # that move in
    exposed: float  # enemies with two dice or more beside the territory left behind
    rivals: float  # other players still in the game


@rule
def outlook(g: Params, s: State, row: int, own: int, edge: int) -> Outlook:
    """What an attack along an edge promises the owner of `own`."""
    source, target = g.scratch.edges[row, edge, 0], g.scratch.edges[row, edge, 1]
    dice, strong, enemies = dice_on(s, source), without(s, 1), g.scratch.near[row, target] & ~own
    threats, hold = enemies & strong, 1.0
    while threats:
        hold *= 1 - g.odds[dice_on(s, lowest(threats)), dice - 1]
        threats &= threats - 1
    exposed = float(count(g.scratch.near[row, source] & ~own & strong & ~(1 << target)))
    win, many, weak = g.odds[dice, dice_on(s, target)], float(count(enemies & strong)), float(count(enemies & ~strong))
    return Outlook(win, hold, many, weak, float(dice - 1), exposed, float(rivals(g, s, row)))


@rule
def rivals(g: Params, s: State, row: int) -> int:
    others = -1
    for seat in range(g.players):
        others += 1 if owned(s, seat, whole(g, row)) else 0
    return others


@rule
def estimate(o: Outlook, weights: Any) -> float:
    """The chance to take and hold, corrected; as Eq. 1 has it if there are no weights but the threshold."""
    if weights.size == 1:
        return o.win * o.hold
    z = weights[1] + weights[2] * np.log((o.hold + NEAR) / (1 - o.hold + NEAR))
    z += weights[3] * o.threats + weights[4] * o.weak + weights[5] * o.dice
    z += weights[6] * o.exposed + weights[7] * o.rivals
    return o.win / (1 + np.exp(-z))


@large
def ste_corrected(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """As `ste`, by the corrected estimate. The memory holds the threshold, then the weights of the correction."""
    weights, row, best, most = memory.view(np.float64), map_of(g, s), END, -1.0
    own = owned(s, s.mover, whole(g, row))
    for i in range(list_attacks(g, s, row, own, moves)):
        chance = estimate(outlook(g, s, row, own, moves[i]), weights)
        if chance > max(most, required(g, s, row, moves[i], weights[0])):
            best, most = moves[i], chance
    return best


# Fitted by `hazard reproduce dice-wars --full`, which fits them again and shows both: for games of two, and of more.
DUEL = (2.097, 0.370, -0.493, -0.420, -0.119, -0.200, 0.0)
CROWD = (3.014, 0.306, -0.442, -0.488, -0.240, -0.125, -0.134)


def remembered(threshold: float, weights: Sequence[float] = ()) -> np.ndarray:
    """A threshold and weights as the agent reads them; without weights the estimate is that of Eq. 1."""
    return as_memory(np.array([threshold, *weights]))


def memory_of(game: Game) -> np.ndarray:
    """What the agent reads: it depends on whether there are more than two players."""
    return remembered(DUEL_FROM, DUEL) if game.seats == 2 else remembered(CROWD_FROM, CROWD)
