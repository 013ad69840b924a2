"""How a room looks to those in it: the snapshot that everybody gets, and what holders of seats are told and asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from hazard.arena.bots.limits import Limits as BotLimits
from hazard.arena.bots.messages import PROTOCOL, Ask, Hello, NewGame, state_data
from hazard.server.protocol import Kind, SeatView, Snapshot
from hazard.server.rooms import fair_dice as fair

if TYPE_CHECKING:
    from hazard.server.rooms.room import Room

FOREVER = 999_999.0  # seconds that are given where there is no limit


def snapshot(room: Room, seat: int | None, since: int) -> Snapshot:
    table, drawn = room.table, room.setting.drawn
    return Snapshot(
        room=room.name,
        game=room.game.name,
        parameters=room.game.parameters,
        status=table.status,
        seat=seat,
        seats=[_seat(room, number) for number in range(room.game.seats)],
        position=str(table.position) if table.position else None,
        mover=table.mover,
        ask=table.ask,
        moves=list(table.moves),
        commitment=table.commitment,
        analysis=room.may_analyse,
        away=room.setting.away.policy,
        seq=table.seq,
        events=table.events[since:],
        tournament=drawn.tournament if drawn else "",
        tournament_game=drawn.game if drawn else 0,
    )


def _seat(room: Room, seat: int) -> SeatView:
    sat, title = room.table.sitting.get(seat), room.game.seat_name(seat)
    if sat is None:
        return SeatView(seat, title, "open", "", False)
    kind: Kind = sat.kind
    return SeatView(seat, title, kind, sat.name, kind == "agent" or room.present[seat] > 0)


def hello(room: Room) -> Hello:
    game, names = room.game, [room.game.seat_name(seat) for seat in range(room.game.seats)]
    limits = msgspec.structs.asdict(BotLimits(bank=_seconds(room), increment=0.0))
    return Hello(PROTOCOL, game.name, game.parameters, game.version, game.seats, names, limits)


def new_game(room: Room, seat: int) -> NewGame:
    return NewGame(0, seat, fair.seed_for(room.table.key, seat), _seconds(room), 0.0)


def question(room: Room) -> Ask:
    """The question on the table, to the seat that is to move."""
    table, moves = room.table, room.table.moves
    assert table.position is not None
    left = max(0.0, _seconds(room) - (time.monotonic() - room.asked))
    data, seat = state_data(table.position.state), table.position.mover
    return Ask(table.ask, str(table.position), data, seat, list(moves), list(moves.values()), round(left, 3))


def _seconds(room: Room) -> float:
    return room.setting.answer or FOREVER
