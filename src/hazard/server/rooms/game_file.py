"""Games as files: one JSON object, documented in docs/protocol.md. A file is believed as far as it can be checked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from hazard.errors import BadInput
from hazard.rulebook import Game, make_game
from hazard.server.protocol import AnyEvent, Begun, Ended, Moved, Rolled, Sat, encode
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms import tournament_game as drawn
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.setting import Drawn, Origin
from hazard.server.rooms.table import Table, thrown

VERSION = 1
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
    drawn: Drawn | None = None  # what the dice come from, if it is a game of a tournament
    commitment: str  # to the seed; empty for a game of a tournament
    events: Annotated[list[AnyEvent], Meta(max_length=MOST_EVENTS)]


class Check(msgspec.Struct):
    """One thing that was looked at."""

    what: str
    passed: bool
    detail: str


def write_file(
    game: Game,
    table: Table,
    room: str = "",
    created: float = 0.0,
    origin: Origin | None = None,
    drawn: Drawn | None = None,
) -> GameFile:
    """A game as a file; the seed is in it once the game is over."""
    return GameFile(
        game=game.name,
        parameters=game.parameters,
        rules=game.version,
        room=room,
        created=datetime.fromtimestamp(created, UTC).isoformat() if created else "",
        origin=origin,
        start=table.start,
        drawn=drawn,
        commitment=table.commitment,
        events=list(table.events),
    )


def file_bytes(file: GameFile) -> bytes:
    """The file as text with an event on each line."""
    head = msgspec.to_builtins(file)
    del head["events"]
    events = b",\n".join(encode(event) for event in file.events)
    start = msgspec.json.encode(head)[:-1]
    return start + b',"events":[\n' + events + b"\n]}\n"


def read_file(content: bytes) -> GameFile:
    """A file that is a game by its form, or BadInput; see `replayed` and `verified` for what it says."""
    try:
        head = msgspec.json.decode(content)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise BadInput(f"not a game file: {problem}; a game file is one JSON object") from None
    if not isinstance(head, dict) or head.get("hazard") != "game":
        raise BadInput('not a game file: it has no "hazard": "game"')
    if head.get("version") != VERSION:
        raise BadInput(f"a game file of version {head.get('version')!r}, but this program reads version {VERSION}")
    try:
        return msgspec.convert(head, GameFile)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise BadInput(f"not a game file: {problem}") from None


def replayed(file: GameFile, secret: Secret | None = None) -> Table:
    """The game played again by the rules; BadInput where it does not keep to them. Dice are taken as recorded."""
    table = Table(_game_of(file), secret or secret_of(file), file.start)
    for event in file.events:
        table.replay(event)
    if not table.trail:
        raise BadInput("the game in the file has not begun; there is nothing to look at")
    return table


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


# --- checking the dice ------------------------------------------------------------------------------------------------
def verified(file: GameFile) -> list[Check]:
    """Everything that can be checked, in order; rules first, because the dice of an impossible game say nothing."""
    try:
        table = replayed(file)
    except BadInput as problem:
        return [Check("rules", False, str(problem))]
    moves = sum(isinstance(event, Moved) for event in file.events)
    found = [Check("rules", True, f"{moves} moves and {table.rolls} rolls follow from each other")]
    if file.rules != table.game.version:
        told = f"recorded with rules {file.rules}, checked with {table.game.version}: they agree on this game"
        found.append(Check("version", True, told))
    if file.drawn:
        return [*found, *(Check(*row) for row in drawn.checks(file.drawn, table))]
    if not table.ended:
        return [*found, Check("end", False, "the game is not over, so its seed has not been shown; check it later")]
    return [*found, _commitment(file, table), _board(file, table), _rolls(file, table)]


def _commitment(file: GameFile, table: Table) -> Check:
    begun = [event.commitment for event in file.events if isinstance(event, Begun)]
    right = table.secret.commitment
    passed = {right} == {file.commitment, *begun}
    detail = f"SHA-256 of salt and seed is {right[:16]}…"
    return Check("commitment", passed, detail if passed else f"{detail}, but {file.commitment[:16]}… was promised")


def _board(file: GameFile, table: Table) -> Check:
    """The first position: set up, or dealt from the seed."""
    first = next(event.position for event in file.events if isinstance(event, Begun))
    words = "set up" if file.start else "dealt from the seed"
    game = table.game
    right = file.start or str(game.deal(fair.stream(table.key, "board", 0)))
    return Check("board", first == right, f"{words}: {right}" + ("" if first == right else f", but {first} was played"))


def _rolls(file: GameFile, table: Table) -> Check:
    """Every roll again from the seed; those taken back count too."""
    again, count = Table(table.game, table.secret, file.start), 0
    for event in file.events:
        position = again.position
        if isinstance(event, Rolled) and position is not None:
            count += 1
            right, _ = thrown(position, table.key, count, event.seq)
            if (right.dice, right.number, right.position) != (event.dice, event.number, event.position):
                told = f"roll {count} (event {event.seq}) should be {right.dice}, but {event.dice} is recorded"
                return Check("dice", False, told)
        again.replay(event)
    return Check("dice", True, f"all {count} rolls follow from the seed")


def told(file: GameFile) -> dict[str, Any]:
    """Who sat where and how it ended, for a line of text."""
    seats = {event.seat: event.name or event.kind for event in file.events if isinstance(event, Sat)}
    ended = next((event for event in file.events if isinstance(event, Ended)), None)
    return {
        "game": file.game,
        "parameters": file.parameters,
        "room": file.room,
        "seats": [seats.get(seat, "") for seat in sorted(seats)],
        "payoffs": ended.payoffs if ended else None,
    }
