"""Why to attack there, or to end the turn: the odds of the battle, who can strike back, how many dice come."""

from __future__ import annotations

from fractions import Fraction

from hazard.bits import count, largest_region
from hazard.games.dice_of_doom.rules import END
from hazard.games.dice_of_doom.tiles import AGAIN, CAPTURED, OPEN, Params, State, dice_on, owned
from hazard.reasons import Case, attack, counted, generic


def why(case: Case) -> str:
    g, s, m = case.game.g, case.position.state, case.number
    if s.phase not in (OPEN, AGAIN):
        return ""
    return _end(case, g, s) if m == END else _attack(g, s, m)


def _attack(g: Params, s: State, edge: int) -> str:
    source, target = int(g.source[edge]), int(g.target[edge])
    dice, against = int(dice_on(s, source)), int(dice_on(s, target))
    won = Fraction(int(g.win[dice, against]), int(g.every[dice, against]))
    own = int(owned(g, s, s.mover)) | 1 << target
    return attack(dice, against, won, _strongest(g, s, target, own), _strongest(g, s, source, own))


def _strongest(g: Params, s: State, tile: int, own: int) -> int:
    """The most dice of an enemy beside a tile."""
    enemies = int(g.near[tile]) & ~own
    return max((int(dice_on(s, other)) for other in range(g.tiles) if enemies >> other & 1), default=0)


def _end(case: Case, g: Params, s: State) -> str:
    if g.reinforcement == CAPTURED:
        new, reason = max(int(s.gained) - 1, 0), "one less than you have captured"
    else:
        new, reason = (
            int(count(largest_region(g.near, owned(g, s, s.mover)))),
            "as many as your largest region has tiles",
        )
    return f"You end the turn and get {counted(new, 'new die', 'new dice')}, {reason}. {_reply(case)}".rstrip()


def _reply(case: Case) -> str:
    """The next player's best answer, from what any game says."""
    said = generic(case)
    return said.removeprefix("It ends your turn. ") if said.startswith("It ends your turn. ") else ""
