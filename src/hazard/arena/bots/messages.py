"""The protocol: one JSON object a line, told apart by `type`. The types below are all that the arena and bots say.

`hello` is answered by `ready` and `ask` by `move`; nothing else is answered.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hazard.arena.bots.limits import BotError, Limits

PROTOCOL = 1
Data = int | list[int]


class Message(msgspec.Struct, tag_field="type"):
    """One line."""


# --- from the arena to the bot -------------------------------------------------------------------------------------
class Hello(Message, tag="hello"):
    """The first line a bot reads; to be answered with `ready` within `limits.start` seconds."""

    protocol: int
    game: str
    parameters: dict[str, int | str]
    rules: str  # a digest of the rules
    seats: int
    seat_names: list[str]
    limits: dict[str, float | int | str]


class NewGame(Message, tag="game"):
    """A game begins; no answer."""

    game: int
    seat: int  # where the bot sits, counted from 0
    seed: int  # the bot's own for this game, below 2^53; the same game always brings the same seed
    bank: float  # seconds for all answers of the game
    increment: float  # seconds added after each answer


class Ask(Message, tag="ask"):
    """The bot is to move; to be answered with `move`."""

    ask: int  # the number of the request, to be given back
    position: str  # the whole position as text
    state: dict[str, Data]  # the same as data: the fields of the game's State
    seat: int
    moves: list[str]  # the legal moves
    numbers: list[int]  # the same as the rules number them
    remaining: float  # seconds left in the bank


class End(Message, tag="end"):
    """The game has ended; no answer."""

    game: int
    payoffs: list[float]  # of each seat
    reason: Literal["over", "forfeit", "cut"]


class Bye(Message, tag="bye"):
    """There will be no more games; the bot quits. No answer."""


# --- from the bot to the arena -------------------------------------------------------------------------------------
class Ready(Message, tag="ready"):
    """The answer to `hello`."""

    protocol: int
    name: str = ""
    author: str = ""


class Move(Message, tag="move"):
    """The answer to `ask`."""

    ask: int
    move: str  # one of the `moves` asked for
    comment: str = ""  # kept with the game


_to_bot, _from_bot = Hello | NewGame | Ask | End | Bye, Ready | Move
_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(_from_bot)


def line_of(message: Message) -> bytes:
    return _encoder.encode(message) + b"\n"


def answer_of(line: bytes) -> Ready | Move:
    """What a bot said, or what is wrong with it."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as problem:
        raise BotError("malformed", f"{shown(line)} is not a message: {problem}") from None


def shown(line: bytes) -> str:
    """A line in quotation marks, cut to a length that can be read."""
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 80 else text[:77] + "...")


def printable(text: str) -> str:
    """Text of a bot that cannot play tricks with a terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def limits_data(limits: Limits) -> dict[str, float | int | str]:
    """What a bot is told of its limits; where it may look is found out soon enough, and is nobody else's business."""
    told = msgspec.structs.asdict(limits)
    return {name: value for name, value in told.items() if name not in ("isolated", "insist", "reads", "hidden")}


def state_data(state: Any) -> dict[str, Data]:
    """The fields of a position as plain numbers."""
    return {name: _plain(value) for name, value in zip(state._fields, state, strict=True)}


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if hasattr(value, "__len__") else int(value)


def schema() -> dict[str, Any]:
    """The JSON Schema of both directions, made from the types above."""
    both, parts = msgspec.json.schema_components([_to_bot, _from_bot], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hazard bots, protocol {PROTOCOL}: one line",
        "anyOf": [{"$ref": "#/$defs/ToBot"}, {"$ref": "#/$defs/FromBot"}],
        "$defs": {"ToBot": both[0], "FromBot": both[1], **parts},
    }
