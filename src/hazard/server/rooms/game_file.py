"""Games as files: one JSON object, documented in docs/protocol.md. Whatever a file says is checked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hazard.errors import BadInput
from hazard.rulebook import Game, make_game
from hazard.server.protocol import AnyEvent, Ended, Sat, encode
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.game_record import GameRecord
from hazard.server.rooms.replay import replay
from hazard.server.rooms.setting import Origin, TournamentSource

VERSION = 2  # 1: dice of the old form, see `fair_dice`
MOST_EVENTS = 300_000


class GameFile(msgspec.Struct, kw_only=True):
    """A game, over or not."""

    hazard: Literal["game"] = "game"
    version: int = VERSION
    game: str
    parameters: dict[str, int | str]
    rules: str  # a digest of the rules it was played by
    room: str = ""
    created: str = ""
    origin: Origin | None = None
    start: str = ""  # the position it was set up with; empty if dealt by the rules
    tournament: TournamentSource | None = msgspec.field(default=None, name="drawn")  # where it has its dice from
    commitment: str  # to the seed; empty for a game of a tournament
    signature: str = ""  # of the server that played it; see `signing`
    events: Annotated[list[AnyEvent], Meta(max_length=MOST_EVENTS)]


class Head(msgspec.Struct):
    """What tells a game file apart; all else is passed over, and takes no memory."""

    hazard: str = ""
    version: int | str | None = None


def write_file(
    game: Game,
    record: GameRecord,
    room: str = "",
    created: float = 0.0,
    origin: Origin | None = None,
    tournament: TournamentSource | None = None,
) -> GameFile:
    """A game as a file; the seed is in it once the game is over."""
    return GameFile(
        game=game.name,
        parameters=game.parameters,
        rules=game.version,
        room=room,
        created=datetime.fromtimestamp(created, UTC).isoformat() if created else "",
        origin=origin,
        start=record.start,
        tournament=tournament,
        commitment=record.commitment,
        events=list(record.events),
    )


def file_bytes(file: GameFile) -> bytes:
    """The file as text with an event on each line."""
    head = msgspec.to_builtins(file)
    del head["events"]
    events = b",\n".join(encode(event) for event in file.events)
    start = msgspec.json.encode(head)[:-1]
    return start + b',"events":[\n' + events + b"\n]}\n"


def read_file(content: bytes) -> GameFile:
    """The game of a file that has the right form, or BadInput; `replayed` and `checking` check what it says."""
    try:
        head = msgspec.json.decode(content, type=Head)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise BadInput(f"not a game file: {problem}; a game file is one JSON object") from None
    if head.hazard != "game":
        raise BadInput('not a game file: it has no "hazard": "game"')
    if head.version not in (1, VERSION):
        raise BadInput(f"a game file of version {head.version!r}, but this program reads versions 1 and {VERSION}")
    try:
        return msgspec.json.decode(content, type=GameFile)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise BadInput(f"not a game file: {problem}") from None


def replayed(file: GameFile, secret: Secret | None = None) -> GameRecord:
    """The game replayed by the rules; BadInput where it breaks them. Rolls are taken as recorded."""
    record = GameRecord(_game_of(file), secret or secret_of(file), file.start)
    for event in file.events:
        replay(record, event)
    if not record.trail:
        raise BadInput("the game in the file has not begun; there is nothing to look at")
    return record


def _game_of(file: GameFile) -> Game:
    game = make_game(file.game, file.parameters)
    if file.start:
        game.parse(file.start)
    return game


def secret_of(file: GameFile) -> Secret:
    """The seed and salt that the end of the game shows; empty before that."""
    for event in file.events:
        if isinstance(event, Ended):
            try:
                return Secret(bytes.fromhex(event.seed), bytes.fromhex(event.salt))
            except ValueError:
                raise BadInput(f"event {event.seq}: seed and salt are not hexadecimal") from None
    return Secret(b"", b"")


def summary_of(file: GameFile) -> dict[str, Any]:
    """Who sat where, and how the game ended."""
    seats = {event.seat: event.name or event.kind for event in file.events if isinstance(event, Sat)}
    ended = next((event for event in file.events if isinstance(event, Ended)), None)
    return {
        "game": file.game,
        "parameters": file.parameters,
        "room": file.room,
        "seats": [seats.get(seat, "") for seat in sorted(seats)],
        "payoffs": ended.payoffs if ended else None,
        "carries_signature": bool(file.signature),  # whether it holds, only the server that made it can say
    }
