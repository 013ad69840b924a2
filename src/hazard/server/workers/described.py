"""What a page is told of a position: the legal moves and where each leads, or the ways its dice can land."""

from __future__ import annotations

from typing import Any

from hazard.rulebook import Position
from hazard.server.rooms.game_record import facts_of

MOST_OUTCOMES = 40


def described(position: Position) -> dict[str, Any]:
    """The facts about a position; `moves` also says where each leads."""
    game, texts = position.game, position.moves
    after = [str(Position(game, game.ask("move", position.state, m))) for m in position.legal()]
    return {
        "position": str(position),
        **facts_of(position, texts),
        "moves": dict(zip(texts, after, strict=True)),
        "payoffs": list(position.payoffs) if position.over else None,
        "seats": [game.seat_name(seat) for seat in range(game.seats)],
        "outcomes": _landings(position),
    }


def _landings(position: Position) -> list[dict[str, Any]]:
    """The ways that dice in the air can land and where each leads, unless there are many: they are counted first."""
    if position.ways > MOST_OUTCOMES:
        return []
    return [
        {
            "outcome": o.text,
            "probability": float(o.probability),
            "position": str(o.position),
            "faces": position.faces(i),
        }
        for i, o in enumerate(position.outcomes())
    ]
