"""Events that were stored, or came in a file: each is checked against the rules before it is applied to a record."""

from __future__ import annotations

from hazard.arena.bots.messages import printable
from hazard.errors import BadInput
from hazard.rulebook import Position
from hazard.server.protocol import (
    Answered,
    AnyEvent,
    Begun,
    Ended,
    Moved,
    Proposed,
    Rolled,
    Sat,
    TookBack,
    Withheld,
    without_facts,
)
from hazard.server.rooms.game_record import GameRecord, Step, total

LONGEST_TEXT = 200  # of a name or comment


def replay(record: GameRecord, event: AnyEvent) -> None:
    """Apply an event that was stored; BadInput if it does not follow from those before. Rolls are taken as recorded."""
    if event.seq != record.seq + 1:
        raise BadInput(f"event {event.seq} where {record.seq + 1} should be; the record is damaged")
    position = _follow(record, event)
    recorded = getattr(event, "position", None)
    if position is not None and str(position) != recorded:
        raise BadInput(f"event {event.seq}: leads to {str(position)!r}, but {recorded!r} is recorded")
    record.apply([Step(without_facts(event), position)])


def _follow(record: GameRecord, event: AnyEvent) -> Position | None:
    """The position that an event leads to by the rules."""
    game, position = record.game, record.position
    match event:
        case Begun() if not record.trail:
            return game.parse(event.position)
        case Moved() if record.mover == event.seat and event.move in record.moves and event.ask == record.ask:
            assert position is not None
            _check_text(event, event.by, event.comment)
            return Position(game, game.ask("move", position.state, record.moves[event.move]))
        case Rolled() if position is not None and position.rolling:
            return _landed(position, event)
        case TookBack():
            for stop in record.trail if record.status == "playing" else []:
                if stop.seq == event.to and not stop.position.rolling:
                    return stop.position
        case Ended() if record.status == "playing" and event.payoffs == _payoffs(record, event):
            return None
        case Sat() if not record.trail and event.seat in range(game.seats) and event.seat not in record.sitting:
            _check_text(event, event.name, event.words or "")
            return None
        case Withheld() if record.wanted == event.throw and set(event.seats) <= record.throws.promised.keys():
            return None
        case Proposed() | Answered() if record.status == "playing" and 0 <= event.seat < game.seats:
            return None
    raise BadInput(f"event {event.seq}: a `{event.__struct_config__.tag}` that cannot be there")


def _check_text(event: AnyEvent, *texts: str) -> None:
    """Refuse names and comments that are long, or that could play tricks with a terminal."""
    for text in texts:
        if len(text) > LONGEST_TEXT or printable(text) != text:
            raise BadInput(f"event {event.seq}: {text[:40]!r} is too long, or not all of it can be printed")


def _payoffs(record: GameRecord, event: Ended) -> list[float] | None:
    """The payoffs of a game that ended like this; None if it cannot have."""
    assert record.position is not None
    if record.position.over:
        return total(record.position.payoffs, record.scored) if event.reason == "over" else None
    if event.reason == "over" or (record.position.rolling and event.reason == "cut"):
        return None
    if event.reason == "cut":
        return total(record.game.shares(), record.scored)
    return record.game.shares([event.seat]) if 0 <= event.seat < record.game.seats else None


def _landed(position: Position, event: Rolled) -> Position:
    game = position.game
    ways = int(game.ask("chance", position.state))
    if not 0 <= event.number < ways or event.seat != position.mover:
        raise BadInput(f"event {event.seq}: dice cannot land the way numbered {event.number} there")
    right = game.notation.outcome_text(game.table, position.state, event.number)
    if right != event.dice:
        raise BadInput(f"event {event.seq}: the way numbered {event.number} is {right!r}, not {event.dice!r}")
    return Position(game, game.ask("land", position.state, event.number))
