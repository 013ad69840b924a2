"""The messages that describe a room: the snapshot for everybody, and those that holders of seats get as bots do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hazard.arena.bots.limits import Limits as BotLimits
from hazard.arena.bots.messages import PROTOCOL, Ask, Hello, NewGame, limits_data, state_data
from hazard.server.protocol import Kind, SeatView, Snapshot
from hazard.server.rooms import fair_dice as fair

if TYPE_CHECKING:
    from hazard.server.rooms.room import Room

FOREVER = 999_999.0  # seconds for an answer where there is no limit


def snapshot(room: Room, seat: int | None, since: int) -> Snapshot:
    record, source = room.record, room.setting.tournament
    return Snapshot(
        room=room.name,
        game=room.game.name,
        parameters=room.game.parameters,
        status=record.status,
        seat=seat,
        seats=[_seat(room, number) for number in range(room.game.seats)],
        position=str(record.position) if record.position else None,
        mover=record.mover,
        rolling=bool(record.position and record.position.rolling),
        over=bool(record.position and record.position.over),
        ask=record.ask,
        moves=list(record.moves),
        commitment=record.commitment,
        analysis=room.may_analyse,
        away=room.setting.away.policy,
        seq=record.seq,
        events=record.full_events[since:],
        source=room.source,
        tournament=source.tournament if source else "",
        tournament_game=source.game if source else 0,
    )


def _seat(room: Room, seat: int) -> SeatView:
    sat, title = room.record.sitting.get(seat), room.game.seat_name(seat)
    if sat is None:
        return SeatView(seat, title, "open", "", False)
    kind: Kind = sat.kind
    return SeatView(seat, title, kind, sat.name, kind == "agent" or room.present[seat] > 0)


def hello(room: Room) -> Hello:
    game, names = room.game, [room.game.seat_name(seat) for seat in range(room.game.seats)]
    limits = limits_data(BotLimits(bank=_seconds(room), increment=0.0))
    return Hello(PROTOCOL, game.name, game.parameters, game.version, game.seats, names, limits)


def new_game(room: Room, seat: int) -> NewGame:
    return NewGame(0, seat, fair.seed_for(room.record.seeds, seat), _seconds(room), 0.0)


def question(room: Room) -> Ask:
    """The open question, to the seat that is to move."""
    record, moves = room.record, room.record.moves
    assert record.position is not None
    left = max(0.0, _seconds(room) - (time.monotonic() - room.asked_at))
    data, seat = state_data(record.position.state), record.position.mover
    return Ask(record.ask, str(record.position), data, seat, list(moves), list(moves.values()), round(left, 3))


def _seconds(room: Room) -> float:
    return room.setting.answer or FOREVER
