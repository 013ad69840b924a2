"""The messages of server and clients: one JSON object each, with a `type`.

The messages of the bots' protocol (`hello`, `ready`, `game`, `ask`, `move`, `end`, `bye`) mean the same here; a bot may
ignore all others. Events have sequence numbers, are stored on disk, and are sent to everybody in the room.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hazard.analysis.answers import Analysis
from hazard.arena.bots.messages import PROTOCOL, Ask, Bye, End, Hello, Message, Move, NewGame, Ready

Short = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=400)]  # a parameter: the map of a board is the longest
Parameters = Annotated[dict[Short, int | Text], Meta(max_length=32)]
Number = Annotated[int, Meta(ge=0, lt=2**53)]
Secret = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]  # 16 bytes
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]  # SHA-256
Promise = Annotated[str, Meta(pattern="^$|^[0-9a-f]{64}$")]  # SHA-256 of a part that is told later; or none
Kind = Literal["open", "person", "bot", "agent"]
Reason = Literal["over", "forfeit", "cut"]
Status = Literal["waiting", "playing", "over"]


# --- from the client -------------------------------------------------------------------------------------------------
class Enter(Message, tag="enter"):
    """The first message: enter a room, as the holder of a token or, without one, as a spectator."""

    room: Short
    token: Annotated[str, Meta(max_length=128)] = ""
    since: Number = 0  # the last sequence number that the client knows; only later events are sent


class Back(Message, tag="back"):
    """Take back to the seat's own last decision, or to the event numbered `to`."""

    at: Number  # the number of the open question, so that a repeated message does nothing
    to: Number = 0


class Agree(Message, tag="agree"):
    """A seat's answer to a proposal to take back."""

    proposal: Number  # its sequence number
    yes: bool = True


class Part(Message, tag="part"):
    """A seat's part in a throw of the dice, when the server has asked for it with `throw`; see docs/protocol.md."""

    throw: Number  # the number of the throw
    part: Secret  # whose SHA-256 the seat has promised
    next: Digest  # the SHA-256 of its part in the next throw


class Resign(Message, tag="resign"):
    """Give up the game."""


class Analyse(Message, tag="analyse"):
    """Ask for analysis of the position after an event, by default the last; it gets better until `still`."""

    seq: Number = 0


class Still(Message, tag="still"):
    """Stop the analysis."""


class Ping(Message, tag="ping"):
    """Answered by `pong`."""


# --- events: numbered, stored, sent to all ----------------------------------------------------------------------------
class Event(Message, gc=False):
    """Something that happened in a room. It refers to texts and numbers alone, so it cannot be part of a cycle."""

    seq: int  # counted from 1


class PositionEvent(Event, kw_only=True):
    """An event after which the game stands in a position.

    The facts about that position are sent with it, so that a client need not read them from its text. They follow from
    the rules, so they are neither stored nor written to game files.
    """

    mover: int | UnsetType = UNSET  # the seat to decide, or whose dice are in the air
    rolling: bool | UnsetType = UNSET  # whether dice are in the air
    over: bool | UnsetType = UNSET
    moves: tuple[str, ...] | UnsetType = UNSET  # the legal moves; none while dice are in the air, or if it is over
    scored: tuple[float, ...] | UnsetType = UNSET  # by each seat so far, in a game with points on the way
    faces: tuple[int | str, ...] | UnsetType = UNSET  # after `rolled`: what dice show; empty if the game does not say


class Sat(Event, tag="sat"):
    """A seat was taken."""

    seat: int
    kind: Literal["person", "bot", "agent"]
    name: str
    words: str | UnsetType = UNSET  # its part in the dice of games of the old form
    promise: Promise = ""  # the SHA-256 of its part in the first throw; empty if it takes no part in the dice


class Given(msgspec.Struct, frozen=True, gc=False):
    """A seat's part in a throw."""

    seat: int
    part: Secret
    next: Digest  # the SHA-256 of its part in the next throw


class Begun(PositionEvent, tag="begun"):
    """All seats are taken and the game begins."""

    position: str
    commitment: str  # to the seed of the dice
    throw: int | UnsetType = UNSET  # the throw that dealt the board; 0 if nothing was dealt; unset in the old form
    parts: tuple[Given, ...] | UnsetType = UNSET  # of the seats that took part in it


class Withheld(Event, tag="withheld"):
    """Seats did not tell their parts in a throw: it is void, and they take no part in the dice from now on."""

    throw: int
    seats: tuple[int, ...]
    parts: tuple[Given, ...]  # of those that did


class Moved(PositionEvent, tag="moved"):
    """A decision."""

    ask: int  # the number of the question it answers
    seat: int
    move: str
    position: str  # after it
    by: str = ""  # the agent that moved in place of an absent holder
    comment: str = ""


class Rolled(PositionEvent, tag="rolled"):
    """Dice landed."""

    seat: int
    dice: str  # what they show, in words
    number: int  # the way they landed, as the rules number it
    roll: int  # rolls of a game are counted from 1, those taken back included; the same if it comes again
    position: str  # after it
    throw: int | UnsetType = UNSET  # the throw that it belongs to; unset in the old form
    parts: tuple[Given, ...] | UnsetType = UNSET  # with the first roll of a throw: of the seats that took part


class Proposed(Event, tag="proposed"):
    """A seat asks to take back; all other people and bots must agree."""

    seat: int
    to: int


class Answered(Event, tag="answered"):
    """A seat's answer to a proposal."""

    seat: int
    proposal: int
    yes: bool


class TookBack(PositionEvent, tag="took_back"):
    """The game stands again as it did after the event numbered `to`."""

    seat: int
    to: int
    position: str


class Ended(Event, tag="ended"):
    """The game has ended, and the dice can be checked."""

    payoffs: list[float]
    reason: Reason
    seed: str  # in hexadecimal
    salt: str
    seat: int = -1  # that forfeited


AnyEvent = Sat | Begun | Moved | Rolled | Withheld | Proposed | Answered | TookBack | Ended


# --- from the server --------------------------------------------------------------------------------------------------
class SeatView(msgspec.Struct):
    """A seat as everybody sees it."""

    seat: int
    title: str  # what the game calls it
    kind: Kind
    name: str  # of the holder, or the agent
    present: bool  # its holder is connected


class Snapshot(Message, tag="snapshot"):
    """How a room stands, with the events after `since`."""

    room: str
    game: str
    parameters: dict[str, int | str]
    status: Status
    seat: int | None  # the receiver's own
    seats: list[SeatView]
    position: str | None  # None before the game begins
    mover: int | None  # the seat to decide; None unless a game is going on
    rolling: bool  # whether dice are in the air
    over: bool  # whether the position is over
    ask: int  # the number of the open question
    moves: list[str]
    commitment: str
    analysis: bool  # whether it may be asked for
    away: str  # what happens to a seat that stays away
    seq: int  # of the last event
    events: list[AnyEvent]
    source: str = "server"  # where it was played; `upload` for a file that is not signed, `signed` for one that is
    tournament: str = ""  # its name, if this is a game of one
    tournament_game: int = 0  # the number of the game there


class Throw(Message, tag="throw"):
    """Dice are in the air, and the seat's part in them is waited for."""

    throw: int  # the number of the throw
    at: int  # the last event: what the dice are thrown for


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
    """The analysis of a position so far."""

    seq: int
    position: str
    found: Analysis


class Pong(Message, tag="pong"):
    """The answer to `ping`."""


FromClient = Enter | Ready | Move | Part | Back | Agree | Resign | Analyse | Still | Ping
FromServer = (
    Hello | NewGame | Ask | Throw | End | Bye | AnyEvent | Snapshot | Ack | Presence | Refused | Analysed | Pong
)
_encoder = msgspec.json.Encoder()
_from_client, _from_server = msgspec.json.Decoder(FromClient), msgspec.json.Decoder(FromServer)
_event = msgspec.json.Decoder(AnyEvent)


class Refusal(Exception):  # noqa: N818 - an answer, not an error of the server
    """A refused message or request, with its code."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


CODES = {  # and the HTTP status that goes with each
    "malformed": 400,
    "illegal": 409,
    "stale": 409,
    "turn": 409,
    "part": 409,
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
    "owner": 403,
}


def encode(message: Message) -> bytes:
    return _encoder.encode(message)


def read_message(text: bytes | str) -> Any:
    """A client's message, or a refusal."""
    try:
        return _from_client.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Refusal("malformed", f"not a message of this protocol: {_plain(problem)}") from None


def _plain(problem: Exception) -> str:
    """The problem in one line of printable characters."""
    return "".join(c for c in str(problem) if c.isprintable())[:200]


def read_answer(text: bytes | str) -> Any:
    """A message of the server; None if it is one of a later version."""
    try:
        return _from_server.decode(text)
    except msgspec.ValidationError:
        return None


def read_event(text: bytes) -> AnyEvent:
    return _event.decode(text)


def without_facts(event: AnyEvent) -> AnyEvent:
    """The event as it is stored: without the facts that follow from its position."""
    if not isinstance(event, PositionEvent):
        return event
    return msgspec.structs.replace(
        event, mover=UNSET, rolling=UNSET, over=UNSET, moves=UNSET, scored=UNSET, faces=UNSET
    )


def schema() -> dict[str, Any]:
    """The JSON Schema of both directions, made from the types above."""
    both, parts = msgspec.json.schema_components([FromClient, FromServer], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Hazard server, protocol {PROTOCOL}: one message",
        "anyOf": [{"$ref": "#/$defs/FromClient"}, {"$ref": "#/$defs/FromServer"}],
        "$defs": {"FromClient": both[0], "FromServer": both[1], **parts},
    }
