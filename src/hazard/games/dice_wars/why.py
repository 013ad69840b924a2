"""Why to attack there, or to end the turn: the odds of the battle, who can strike back, how many dice come."""

from __future__ import annotations

from fractions import Fraction

from hazard.bits import count, largest_region
from hazard.games.dice_wars.land import Params, State, dice_on, owned, reserve
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.rules import END, sides
from hazard.reasons import Case, attack, counted


def why(case: Case) -> str:
    g, s = case.game.table, case.position.state
    row = int(map_of(g, s))
    return _end(g, s, row) if case.number == END else _attack(g, s, row, case.number)


def _attack(g: Params, s: State, row: int, edge: int) -> str:
    source, target = (int(n) for n in g.scratch.edges[row, edge])
    dice, against = (int(n) for n in sides(g, s, row, edge))
    won = Fraction(int(g.win[dice, against]), int(g.every[dice, against]))
    own = int(owned(s, s.mover, whole(g, row))) | 1 << target
    return attack(dice, against, won, _strongest(g, s, row, target, own), _strongest(g, s, row, source, own))


def _strongest(g: Params, s: State, row: int, land: int, own: int) -> int:
    """The most dice of an enemy beside a territory."""
    enemies = int(g.scratch.near[row, land]) & ~own & int(whole(g, row))
    return max((int(dice_on(s, other)) for other in range(enemies.bit_length()) if enemies >> other & 1), default=0)


def _end(g: Params, s: State, row: int) -> str:
    new = int(count(largest_region(g.scratch.near[row], owned(s, s.mover, whole(g, row)))))
    kept = int(reserve(s, s.mover))
    saved = f" and {counted(kept, 'die', 'dice')} from your reserve" if kept else ""
    dice = counted(new, "new die", "new dice")
    return (
        f"You end the turn and get {dice}, as many as your largest region has territories{saved}; they fall at random."
    )
