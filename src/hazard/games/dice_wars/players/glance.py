"""The chances of all seats at a glance, by the network of `master-fast`.

The network judges one player at a time: who is to decide, or has ended a turn. Those who wait for their turn share what
is left, in proportion to what they would have if they had just ended one.
"""

from __future__ import annotations

from hazard.games.dice_wars.land import BATTLE, PLACE, owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.features import ENDED, MOVING
from hazard.games.dice_wars.players.master import judge, weights_of
from hazard.rulebook import Position


def chances(position: Position) -> tuple[float, ...]:
    """What each seat can expect of a position that is not over."""
    if position.state.phase == BATTLE:
        both = [(float(o.probability), _settled(o.position)) for o in position.outcomes()]
        return tuple(sum(share * after[seat] for share, after in both) for seat in range(position.game.seats))
    return _settled(position)


def _settled(position: Position) -> tuple[float, ...]:
    """The same where no battle is being fought."""
    if position.over:
        return position.payoffs
    s = position.state
    mine = _judged(position, s.mover, ENDED if s.phase == PLACE else MOVING)
    shares = _shares(position)
    return tuple(mine if seat == s.mover else (1 - mine) * share for seat, share in enumerate(shares))


def _shares(position: Position) -> list[float]:
    """How the others share what the mover does not win."""
    g, s, seats = position.game.table, position.state, range(position.game.seats)
    full = whole(g, map_of(g, s))
    others = [seat for seat in seats if seat != s.mover and owned(s, seat, full)]
    weights = {seat: _judged(position, seat, ENDED) if len(others) > 1 else 1.0 for seat in others}
    total = sum(weights.values())
    return [weights.get(seat, 0.0) / total for seat in seats]


def _judged(position: Position, seat: int, ended: int) -> float:
    game = position.game
    return float(game.plain(judge)(game.table, position.state, seat, ended, weights_of(game)))
