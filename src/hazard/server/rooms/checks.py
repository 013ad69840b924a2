"""What can be checked of a game: its rules, what was promised about its dice and kept, and every board and roll."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from hazard.errors import BadInput
from hazard.server.protocol import Begun, Moved, Rolled, Withheld
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms import tournament_game
from hazard.server.rooms.game_file import GameFile, replayed
from hazard.server.rooms.game_record import THROWN, GameRecord, Thrown, is_dealt, roll_dice
from hazard.server.rooms.replay import replay

OLD = (
    "the old form: one seed and the seats' words for the whole game. The server's owner knew these dice beforehand, "
    "and by choosing the last words could aim them; nobody else could"
)
ALONE = "nobody but the server: whoever runs it knew all throws beforehand"


class Check(msgspec.Struct):
    """The result of one check."""

    what: str
    passed: bool
    detail: str


class TakingPart(msgspec.Struct):
    """What a seat had to do with the dice."""

    seat: int
    name: str
    kind: str
    throws: int = 0  # in which it had a part
    withheld: int = 0  # the throw whose part it did not tell; none afterwards


def verified(file: GameFile) -> list[Check]:
    """All checks, in order; the rules first, because the dice of an impossible game say nothing."""
    try:
        record = replayed(file)
    except BadInput as problem:
        return [Check("rules", False, str(problem))]
    moves = sum(isinstance(event, Moved) for event in file.events)
    checks = [Check("rules", True, f"{moves} moves and {record.rolls} rolls follow from each other")]
    if file.rules != record.game.version:
        detail = f"recorded with rules {file.rules}, checked with {record.game.version}: they agree on this game"
        checks.append(Check("version", True, detail))
    if file.tournament:
        return [*checks, *(Check(*row) for row in tournament_game.checks(file.tournament, record))]
    return [*checks, *(_old_dice(file, record) if record.old_form else _dice(file, record)), *_taken_back(record)]


def taking_part(record: GameRecord) -> list[TakingPart]:
    """Who had a part in which throws."""
    seats = {n: TakingPart(n, sat.name, sat.kind) for n, sat in sorted(record.sitting.items())}
    for event in record.full_events:
        if isinstance(event, Begun | Rolled):
            for given in event.parts or ():
                seats[given.seat].throws += 1
        elif isinstance(event, Withheld):
            for seat in event.seats:
                seats[seat].withheld = event.throw
    return list(seats.values())


# --- the dice ---------------------------------------------------------------------------------------------------------
def _dice(file: GameFile, record: GameRecord) -> list[Check]:
    parts = [_parts(file, record), _who(record)]
    if not record.ended:
        detail = "the game is not over, so its seed has not been shown; check the dice later"
        return [*parts, Check("end", False, detail)]
    return [_commitment(file, record), *parts, _board(file, record), _rolls(file, record)]


def _parts(file: GameFile, record: GameRecord) -> Check:
    """Whether every seat that takes part told in every throw what it had promised before."""
    again, told = GameRecord(record.game, record.secret, file.start), 0
    for event in record.events:
        if isinstance(event, THROWN) and (throw := event.throw or 0) > again.throws.made:
            if problem := _broken(again, event, throw):
                return Check("parts", False, f"throw {throw} (event {event.seq}): {problem}")
            told += len(event.parts or ())
        replay(again, event)
    return Check("parts", True, f"all {told} parts that seats told are those that they had promised before")


def _broken(before: GameRecord, event: Thrown, throw: int) -> str:
    """What is wrong with the parts of a throw."""
    promised, parts = before.throws.promised, event.parts or ()
    told = [given.seat for given in parts]
    if throw != before.throws.made + 1:
        return f"it should be number {before.throws.made + 1}"
    if isinstance(event, Withheld) and set(told) & set(event.seats):
        return "a seat is said to have withheld the part that it told"
    if not isinstance(event, Withheld) and sorted(told) != sorted(promised):
        return "not all seats that take part in the dice have a part in it"
    wrong = [given.seat for given in parts if fair.promise_of(given.part) != promised.get(given.seat)]
    return f"the part of seat {wrong[0]} is not the one that it had promised" if wrong else ""


def _who(record: GameRecord) -> Check:
    """Who took part in the dice, and who did not."""
    last, rows = record.throws.made, taking_part(record)
    if not any(row.throws or row.withheld for row in rows):
        return Check("taking part", True, ALONE)
    return Check("taking part", True, "; ".join(["the server: all throws", *(_said(row, last) for row in rows)]))


def _said(row: TakingPart, last: int) -> str:
    who = f"seat {row.seat}" + (f" ({row.name})" if row.name else "")
    if row.withheld:
        return f"{who}: {row.throws} of {last} throws; it WITHHELD its part in throw {row.withheld}"
    if row.kind == "agent":
        return f"{who}: none, it is an agent of the server's"
    return f"{who}: {row.throws} of {last} throws" if row.throws else f"{who}: none"


def _commitment(file: GameFile, record: GameRecord) -> Check:
    begun = [event.commitment for event in file.events if isinstance(event, Begun)]
    right = record.secret.commitment
    passed = {right} == {file.commitment, *begun}
    detail = f"SHA-256 of salt and seed is {right[:16]}…"
    return Check("commitment", passed, detail if passed else f"{detail}, but {file.commitment[:16]}… was promised")


def _board(file: GameFile, record: GameRecord) -> Check:
    """The first position: set up, or dealt by a throw."""
    begun, game = next(event for event in file.events if isinstance(event, Begun)), record.game
    words = "set up" if file.start else "dealt from the seed" if record.old_form else "as the rules or a throw deal it"
    key = record.old_key if record.old_form else record.throws.key(begun.throw or 1, begun.parts or ())
    right = file.start or str(game.deal(fair.stream(key, "board", 0)))
    wrong = "" if begun.position == right else f", but {begun.position} was played"
    if not record.old_form and bool(begun.throw) != (not file.start and is_dealt(game)):
        wrong = f", but it is said to be that of throw {begun.throw}"
    return Check("board", not wrong, f"{words}: {right}{wrong}")


def _rolls(file: GameFile, record: GameRecord) -> Check:
    """Draw every roll again; those taken back count too, and the same move has to meet the same dice."""
    again, count, key = GameRecord(record.game, record.secret, file.start), 0, b""
    for event in record.events:
        if isinstance(event, THROWN) and (throw := event.throw or 0) > again.throws.made:
            key = record.throws.key(throw, event.parts or ())
        if isinstance(event, Rolled):
            count += 1
            right = _as_it_should_be(again, event, key)
            if right != event:
                detail = f"roll {count} (event {event.seq}) should be {right.dice}, but {event.dice} is recorded"
                if (right.roll, right.throw) != (event.roll, event.throw):
                    detail += f", and as roll {right.roll} of throw {right.throw}, not {event.roll} of {event.throw}"
                return Check("dice", False, detail)
        replay(again, event)
    return Check("dice", True, f"all {count} rolls follow from the seed and the parts")


def _as_it_should_be(before: GameRecord, event: Rolled, key: bytes) -> Rolled:
    """The roll that should stand where `event` does; `key` is that of the last throw."""
    if (fell := before.fell(before.trail[-1].first)) is not None:
        right = Rolled(event.seq, fell.seat, fell.dice, fell.number, fell.roll, fell.position)
        right.throw = fell.throw
        return right
    last, made = before.full_events[-1], before.throws.made
    goes_on = isinstance(last, Begun | Rolled) and last.throw == made > 0  # nobody decided in between
    assert before.position is not None
    right, _ = roll_dice(before.position, key, before.rolls + 1, event.seq)
    right.throw, right.parts = (made, UNSET) if goes_on else (made + 1, event.parts)
    return right


# --- games of the old form --------------------------------------------------------------------------------------------
def _old_dice(file: GameFile, record: GameRecord) -> list[Check]:
    if not record.ended:
        return [Check("end", False, "the game is not over, so its seed has not been shown; check it later")]
    form = Check("form", True, OLD)
    return [form, _commitment(file, record), _board(file, record), _old_rolls(file, record)]


def _old_rolls(file: GameFile, record: GameRecord) -> Check:
    """Draw every roll again from the seed; those taken back count too."""
    again, count = GameRecord(record.game, record.secret, file.start), 0
    for event in record.events:
        position = again.position
        if isinstance(event, Rolled) and position is not None:
            count += 1
            right, _ = roll_dice(position, record.old_key, count, event.seq)
            if right != event:
                detail = f"roll {count} (event {event.seq}) should be {right.dice}, but {event.dice} is recorded"
                return Check("dice", False, detail)
        replay(again, event)
    return Check("dice", True, f"all {count} rolls follow from the seed")


def _taken_back(record: GameRecord) -> list[Check]:
    """How often moves were taken back, if any were; the same move met the same dice."""
    rows = [f"seat {seat} {count} times" for seat, count in sorted(record.backs.items())]
    return [Check("taken back", True, ", ".join(rows).replace(" 1 times", " once"))] if rows else []
