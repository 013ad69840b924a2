"""Great Rolled Ones in words: its parameters, and positions as text, e.g. `p1 32:41 k7 o1` (scores by seat)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from hazard.declaration import Parameter
from hazard.dice import ones
from hazard.errors import BadInput
from hazard.games.great_rolled_ones.rules import BITS, HOLD, ROLL, Params, State, enough, score
from hazard.notation import read, whole

PARAMETERS = (
    Parameter("goal", 50, "points that start the last round", 1, 500),
    Parameter("dice", 5, "dice in a full roll", 1, 10),
    Parameter("bust", 3, "ones aside that end the turn with nothing", 1, 10),
    Parameter("sides", 6, "sides of a die", 2, 20),
    Parameter("komi", "0", "compensation points for player 1, or for several players: 5,2"),
    Parameter("players", 2, "players", 2, 6),
)
EXAMPLE = "p1 32:41 k7 o1"
_PARTS = (
    r"p(?P<mover>\d{1,2})",
    r" (?P<scores>-?\d{1,4}(:-?\d{1,4})+)",
    r" k(?P<pot>-?\d{1,4})",
    r" o(?P<ones>-?\d{1,2})",
    r"(?P<rolling> rolling)?",
)
NEGLIGIBLE = 1e-4  # chance of the last player to overtake a leader at the ceiling
HIGHEST = 1000  # score; ten bits hold it


@cache
def turn_scores(dice: int, bust: int, sides: int, most: int) -> list[float]:
    """The chance to score at least 0, 1, 2, ... points in one turn."""
    ways = [[n / sides**d for n in ones(d, sides)] for d in range(dice + 1)]
    chance = [[1.0] * bust]  # chance[points][ones aside]
    for left in range(1, most + 1):
        row = [0.0] * bust
        for aside in range(bust - 1, -1, -1):
            free = dice - aside
            for new in range(bust - aside):
                before = left - free + new
                known = chance[max(0, before)] if before < left else row
                row[aside] += ways[free][new] * known[aside + new]
        chance.append(row)
    return [row[0] for row in chance]


@cache
def ceiling(goal: int, dice: int, bust: int, sides: int) -> int:
    """A score at which the first player must hold, since rolling on gains nothing.

    Let the last player need m more points. It overtakes a leader at the ceiling with a chance of at most q(lead + m).
    If the first player rolls on instead, it busts with a chance of at least b, and then the last player can win at once
    with the chance q(m).
    """
    q = turn_scores(dice, bust, sides, HIGHEST + goal)
    b = sum(list(ones(dice, sides))[bust:]) / sides**dice
    for lead in range(1, HIGHEST - goal):
        if q[lead + 1] <= NEGLIGIBLE and all(q[lead + m] <= 0.999 * b * q[m] for m in range(1, goal + 1)):
            return goal - 1 + lead
    raise BadInput(f"dice={dice} bust={bust} sides={sides}: a turn hardly ever ends; take fewer dice or sides")


def make(parameters: Mapping[str, Any]) -> Params:
    goal, dice, bust, sides, players = (parameters[k] for k in ("goal", "dice", "bust", "sides", "players"))
    if bust > dice:
        raise BadInput(f"bust={bust}: must be at most the number of dice, {dice}")
    if sides**dice >= 2**31:
        raise BadInput(f"dice={dice} sides={sides}: more than 2^31 rolls; take fewer dice or sides")
    ways = np.zeros((bust, bust + 1), np.int64)
    for aside in range(bust):
        shown, safe = list(ones(dice - aside, sides)), bust - aside
        ways[aside, : safe + 1] = [*shown[:safe], sum(shown[safe:])]
    every = ways.sum(axis=1)
    ways.flags.writeable = every.flags.writeable = False
    return Params(
        goal,
        dice,
        bust,
        sides,
        players,
        _komi(parameters["komi"], goal, players),
        ceiling(goal, dice, bust, sides),
        ways,
        every,
    )


def _komi(text: str, goal: int, players: int) -> int:
    points = text.split(",")
    if len(points) > players or not all(p.isascii() and p.isdigit() and len(p) < 5 and int(p) < goal for p in points):
        raise BadInput(
            f"komi={text}: must be points from 0 to {goal - 1}, at most one number for each of {players} players"
        )
    return sum(int(p) << (BITS * seat) for seat, p in enumerate(points))


def text(g: Params, s: State) -> str:
    scores = ":".join(str(score(s, seat)) for seat in range(g.players))
    return f"p{s.mover + 1} {scores} k{s.pot} o{s.ones}" + (" rolling" if s.rolling else "")


def parse(g: Params, text: str) -> State:
    parts = read(text, _PARTS, EXAMPLE)
    mover, pot, ones = (whole(parts, name) for name in ("mover", "pot", "ones"))
    scores = [int(n) for n in (parts["scores"] or "").split(":")]
    if len(scores) != g.players:
        raise BadInput(f"{text!r}: {len(scores)} scores, but there are {g.players} players")
    if not 1 <= mover <= g.players:
        raise BadInput(f"{text!r}: p{mover} is not a player; players are p1 to p{g.players}")
    if min(scores) < 0 or pot < 0 or ones < 0:
        raise BadInput(f"{text!r}: scores, k and o cannot be negative")
    if ones >= g.bust:
        raise BadInput(f"{text!r}: {ones} ones aside; {g.bust} end the turn, so o is at most {g.bust - 1}")
    packed = sum(n << (BITS * seat) for seat, n in enumerate(scores))
    s = State(packed, _lead(g, text, scores, mover), pot, ones, 1 if parts["rolling"] else 0, mover - 1)
    _check_turn(g, text, s)
    return s


def _lead(g: Params, text: str, scores: list[int], mover: int) -> int:
    """The score to exceed, if the last round has begun."""
    leaders = [seat for seat, n in enumerate(scores) if n >= g.goal]
    if not leaders:
        return 0
    if len(leaders) > 1:
        raise BadInput(f"{text!r}: two scores at the goal of {g.goal}; a leader who is overtaken is struck to 0")
    if mover > 1 and leaders[0] >= mover - 1:
        raise BadInput(
            f"{text!r}: p{leaders[0] + 1} has reached the goal of {g.goal}, so p{mover} has had the last turn"
        )
    if mover > 1 and scores[leaders[0]] > g.ceiling + leaders[0]:
        raise BadInput(f"{text!r}: scores above {g.ceiling + leaders[0]} are not counted")
    return scores[leaders[0]]


def _check_turn(g: Params, text: str, s: State) -> None:
    most = enough(g, s) - score(s, s.mover)
    if s.lead and s.mover == 0:
        if s.pot or s.ones or s.rolling:
            raise BadInput(f"{text!r}: the game is over, so k and o are 0")
    elif s.pot > most:
        raise BadInput(f"{text!r}: with that score k is at most {most}: points beyond are not counted")
    elif s.rolling and s.pot == most:
        raise BadInput(f"{text!r}: nobody rolls on with k{s.pot}: there is nothing left to gain")
    elif s.pot == 0 and s.ones:
        raise BadInput(f"{text!r}: a roll that leaves ones aside and does not bust scores, so k is at least 1")


def move_text(g: Params, s: State, m: int) -> str:
    return {ROLL: "roll", HOLD: "hold"}[m]


def outcome_text(g: Params, s: State, i: int) -> str:
    if s.ones + i >= g.bust:
        return "bust"
    return f"{i} one{'' if i == 1 else 's'}"
