"""What server and clients say to each other: one JSON object a message, told apart by `type`.

The words of the bots' protocol (`hello`, `ready`, `game`, `ask`, `move`, `end`, `bye`) mean here what they mean there;
a bot may ignore all others. Events carry sequence numbers, are kept on disk, and are sent to everybody in the room.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hazard.analysis.answers import Analysis
from hazard.arena.bots.messages import PROTOCOL, Ask, Bye, End, Hello, Message, Move, NewGame, Ready

Short = Annotated[str, Meta(max_length=64)]
Number = Annotated[int, Meta(ge=0, lt=2**53)]
Kind = Literal["open", "person", "bot", "agent"]
Reason = Literal["over", "forfeit", "cut"]
Status = Literal["waiting", "playing", "over"]


# --- from the client -------------------------------------------------------------------------------------------------
class Enter(Message, tag="enter"):
    """The first message: into a room, as the holder of a token or, without one, to look on."""

    room: Short
    token: Annotated[str, Meta(max_length=128)] = ""
    since: Number = 0  # the last sequence number that is known; only later events are sent


class Back(Message, tag="back"):
    """Take back to the seat's own last decision, or to the event numbered `to`."""

    at: Number  # the number of the question that is on the table, so that a repeated message does nothing
    to: Number = 0


class Agree(Message, tag="agree"):
    """What a seat says to a proposal to take back."""

    proposal: Number  # its sequence number
    yes: bool = True


class Resign(Message, tag="resign"):
    """Give up the game."""


class Analyse(Message, tag="analyse"):
    """Ask for analysis of the position after an event, by default the last; it gets better until `still`."""

    seq: Number = 0


class Still(Message, tag="still"):
    """Stop the analysis."""


class Ping(Message, tag="ping"):
    """Answered by `pong`."""


# --- events: numbered, kept, sent to all ------------------------------------------------------------------------------
class Event(Message):
    """Something that happened in a room."""

    seq: int  # counted from 1


class Sat(Event, tag="sat"):
    """A seat was taken."""

    seat: int
    kind: Literal["person", "bot", "agent"]
    name: str
    words: str = ""  # its part in the dice, see docs/protocol.md


class Begun(Event, tag="begun"):
    """All seats are taken and the game begins."""

    position: str
    commitment: str  # to the seed of the dice
    mover: int | None = None
    rolling: bool = False
    over: bool = False
    moves: list[str] = []


class Moved(Event, tag="moved"):
    """A decision."""

    ask: int  # the number of the question it answers
    seat: int
    move: str
    position: str  # after it
    by: str = ""  # the agent that moved in place of an absent holder
    comment: str = ""
    mover: int | None = None
    rolling: bool = False
    over: bool = False
    moves: list[str] = []


class Rolled(Event, tag="rolled"):
    """Dice landed."""

    seat: int
    dice: str
    number: int  # the way they landed, as the rules number it
    roll: int  # rolls of a game are counted from 1, those taken back included
    position: str  # after it
    mover: int | None = None
    rolling: bool = False
    over: bool = False
    moves: list[str] = []


class Proposed(Event, tag="proposed"):
    """A seat would like to take back; all other people and bots must agree."""

    seat: int
    to: int


class Answered(Event, tag="answered"):
    """What a seat said to it."""

    seat: int
    proposal: int
    yes: bool


class TookBack(Event, tag="took_back"):
    """The game stands again as it did after the event numbered `to`."""

    seat: int
    to: int
    position: str
    mover: int | None = None
    rolling: bool = False
    over: bool = False
    moves: list[str] = []


class Ended(Event, tag="ended"):
    """The game has ended, and the dice can be checked."""

    payoffs: list[float]
    reason: Reason
    seed: str  # in hexadecimal
    salt: str
    seat: int = -1  # that forfeited


AnyEvent = Sat | Begun | Moved | Rolled | Proposed | Answered | TookBack | Ended


# --- from the server --------------------------------------------------------------------------------------------------
class SeatView(msgspec.Struct):
    """A seat as everybody sees it."""

    seat: int
    title: str  # what the game calls it
    kind: Kind
    name: str  # of the holder, or the agent
    present: bool  # its holder is connected


class Snapshot(Message, tag="snapshot"):
    """How a room stands, with the events since the number asked for."""

    room: str
    game: str
    parameters: dict[str, int | str]
    status: Status
    seat: int | None  # the receiver's own
    seats: list[SeatView]
    position: str | None  # None before the game begins
    mover: int | None  # the seat to decide
    ask: int  # the number of the question on the table
    moves: list[str]
    commitment: str
    analysis: bool  # whether it may be asked for
    away: str  # what happens to a seat that stays away
    seq: int  # of the last event
    events: list[AnyEvent]
    tournament: str = ""  # that it is a game of ...
    tournament_game: int = 0  # ... and its number there


class Ack(Message, tag="ack"):
    """A move is on disk."""

    ask: int
    seq: int


class Presence(Message, tag="presence"):
    """A holder came or went."""

    seat: int
    present: bool


class Refused(Message, tag="error"):
    """A message was refused; nothing has changed."""

    code: str
    text: str
    ask: int | None = None  # of the move that was refused


class Analysed(Message, tag="analysis"):
    """What is known of a position so far."""

    seq: int
    position: str
    found: Analysis


class Pong(Message, tag="pong"):
    """The answer to `ping`."""


FromClient = Enter | Ready | Move | Back | Agree | Resign | Analyse | Still | Ping
FromServer = Hello | NewGame | Ask | End | Bye | AnyEvent | Snapshot | Ack | Presence | Refused | Analysed | Pong
_encoder = msgspec.json.Encoder()
_from_client, _from_server = msgspec.json.Decoder(FromClient), msgspec.json.Decoder(FromServer)
_event = msgspec.json.Decoder(AnyEvent)


class Refusal(Exception):  # noqa: N818 - an answer, not an error of the server
    """A message or request that is refused, with its code."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


CODES = {  # and the HTTP status that goes with each
    "malformed": 400,
    "illegal": 409,
    "stale": 409,
    "turn": 409,
    "token": 403,
    "seat": 409,
    "state": 409,
    "room": 404,
    "unknown": 404,
    "rate": 429,
    "full": 503,
    "disk": 503,
    "busy": 503,
    "large": 413,
    "origin": 403,
}


def encode(message: Message) -> bytes:
    return _encoder.encode(message)


def read_message(text: bytes | str) -> Any:
    """What a client said, or a refusal."""
    try:
        return _from_client.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Refusal("malformed", f"not a message of this protocol: {_plain(problem)}") from None


def _plain(problem: Exception) -> str:
    """What is wrong in a line; only what is printable is given back."""
    return "".join(c for c in str(problem) if c.isprintable())[:200]


def read_answer(text: bytes | str) -> Any:
    """What the server said; messages of a later version are None."""
    try:
        return _from_server.decode(text)
    except msgspec.ValidationError:
        return None


def read_event(text: bytes) -> AnyEvent:
    return _event.decode(text)


def schema() -> dict[str, Any]:
    """The JSON Schema of both directions, made from the types above."""
    both, parts = msgspec.json.schema_components([FromClient, FromServer], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hazard server, protocol {PROTOCOL}: one message",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {"FromClient": both[0], "FromServer": both[1], **parts},
    }
