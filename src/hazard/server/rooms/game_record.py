"""The record of one game: its events, the position they lead to, and the events that a decision would add.

Nothing here waits, writes or sends. What follows from a decision is planned as steps; the room stores them on disk and
then applies them. A game is loaded by replaying its events, each of which is checked against the rules.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from hazard.arena.bots.messages import printable
from hazard.errors import BadInput
from hazard.rulebook import Game, Position, plus
from hazard.server.protocol import (
    Answered,
    AnyEvent,
    Begun,
    Ended,
    Moved,
    PositionEvent,
    Proposed,
    Reason,
    Refusal,
    Rolled,
    Sat,
    Status,
    TookBack,
    without_facts,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.fair_dice import Secret

LONGEST_TEXT = 200  # of a name or comment
MOST_DECISIONS = 100_000  # after which a game is cut off


class Step(NamedTuple):
    """An event and the position after it, where it changes that."""

    event: AnyEvent
    position: Position | None = None


class Visited(NamedTuple):
    """A position of the game that can be gone back to. Its state alone is kept: a long game has thousands of them."""

    seq: int  # of the event that led to it
    game: Game
    state: Any
    seat: int  # that moved to get here; -1 after dice and at the start
    scored: tuple[float, ...] = ()  # by each seat so far; empty where nobody has

    @property
    def position(self) -> Position:
        return Position(self.game, self.state)


def status_after(steps: Sequence[Step]) -> Status:
    """The status of a room after new steps."""
    last = steps[-1].event if steps else None
    return "over" if isinstance(last, Ended) else "waiting" if last is None or isinstance(last, Sat) else "playing"


class GameRecord:
    """A game, in a room or from a file."""

    def __init__(self, game: Game, secret: Secret, start: str = "", most_decisions: int = MOST_DECISIONS) -> None:
        self.game, self.secret, self.start, self.most_decisions = game, secret, start, most_decisions
        self.full_events: list[AnyEvent] = []  # as they are sent: with facts about their positions
        self.sitting: dict[int, Sat] = {}
        self.trail: list[Visited] = []  # the game without what was taken back
        self.position: Position | None = None  # the last of them
        self.ask = 0  # the number of the open question: that of the event that led to it
        self.answers: dict[int, Moved] = {}  # by the number of the question
        self.rolls = 0
        self.proposal: Proposed | None = None
        self.agreed: set[int] = set()
        self.ended: Ended | None = None
        self._moves: tuple[int, dict[str, int]] = (-1, {})
        self._key = b""

    # --- the state of the game ---------------------------------------------------------------------------------------
    @property
    def seq(self) -> int:
        return self.full_events[-1].seq if self.full_events else 0

    @property
    def events(self) -> list[AnyEvent]:
        """The events as they are stored."""
        return [without_facts(event) for event in self.full_events]

    @property
    def status(self) -> Status:
        return "over" if self.ended else "playing" if self.trail else "waiting"

    @property
    def mover(self) -> int | None:
        return self.position.mover if self.position and not self.ended else None

    @property
    def moves(self) -> dict[str, int]:
        """The legal moves with their numbers."""
        if self.position is None or self.ended:
            return {}
        if self._moves[0] != self.ask:
            self._moves = self.ask, _legal_moves(self.position)
        return self._moves[1]

    @property
    def commitment(self) -> str:
        """The commitment to the seed, as it was shown when the game began."""
        return next((e.commitment for e in self.full_events if isinstance(e, Begun)), self.secret.commitment)

    @property
    def words(self) -> list[str]:
        return [self.sitting[seat].words if seat in self.sitting else "" for seat in range(self.game.seats)]

    @property
    def key(self) -> bytes:
        """The key of all dice. Once the game has begun no seat changes its words, so it stays."""
        if not self.trail:
            return fair.key_of(self.secret.seed, self.words)
        self._key = self._key or fair.key_of(self.secret.seed, self.words)
        return self._key

    # --- planning: the steps that would follow -----------------------------------------------------------------------
    def begin(self, after: int = 0) -> list[Step]:
        """The steps that begin the game; `after` is the number of planned events that come before them."""
        first = self.game.parse(self.start) if self.start else self.game.deal(fair.stream(self.key, "board", 0))
        begun = Step(Begun(self.seq + after + 1, str(first), self.secret.commitment), first)
        return self._with_rolls([begun])

    def play(self, seat: int, move: str, by: str = "", comment: str = "") -> list[Step]:
        """The steps that follow from a decision, up to the next decision or the end."""
        position = self._decision(seat)
        if move not in self.moves:
            raise Refusal("illegal", f"{move[:80]!r} is not a legal move; legal: {', '.join(self.moves)}")
        after = Position(self.game, self.game.ask("move", position.state, self.moves[move]))
        moved = Moved(self.seq + 1, self.ask, seat, move, str(after), by, comment)
        return self._with_rolls([Step(moved, after)], self._scored_after(moved))

    @property
    def scored(self) -> tuple[float, ...]:
        """What each seat has scored so far; empty where nobody has."""
        return self.trail[-1].scored if self.trail else ()

    def _scored_after(self, moved: Moved) -> tuple[float, ...]:
        """The same after a decision that is made now."""
        if not self.game.scores or self.position is None:
            return ()
        more = self.game.scored([(self.position.state, self.moves[moved.move])])
        return tuple(plus(self.scored, more)) if self.scored else tuple(more)

    def _decision(self, seat: int) -> Position:
        if self.status != "playing" or self.position is None:
            raise Refusal("state", "the game has ended" if self.ended else "the game has not begun")
        if self.mover != seat:
            raise Refusal("turn", f"it is the turn of seat {self.mover}, not of seat {seat}")
        return self.position

    def _with_rolls(self, steps: list[Step], scored: tuple[float, ...] = ()) -> list[Step]:
        """The steps with the rolls that follow, and with the end if the game is then over; given what was scored."""
        position, key = steps[-1].position, self.key
        assert position is not None
        rolls = self.rolls
        while position.rolling:
            rolls += 1
            seq = steps[-1].event.seq + 1
            event, position = roll_dice(position, key, rolls, seq)
            steps.append(Step(event, position))
        seq = steps[-1].event.seq + 1
        if position.over:
            steps.append(self._end(seq, total(position.payoffs, scored), "over"))
        elif len(self.answers) >= self.most_decisions:
            steps.append(self._end(seq, total(self.game.shares(), scored), "cut"))
        return steps

    def forfeit(self, seat: int) -> list[Step]:
        """The step that ends the game against a seat."""
        if self.status != "playing":
            raise Refusal("state", "no game is going on")
        return [self._end(self.seq + 1, self.game.shares([seat]), "forfeit", seat)]

    def _end(self, seq: int, payoffs: list[float], reason: Reason, seat: int = -1) -> Step:
        return Step(Ended(seq, payoffs, reason, self.secret.seed.hex(), self.secret.salt.hex(), seat))

    def place_to_go_back(self, seat: int, to: int) -> Visited:
        """Where taking back leads: before the seat's own last decision, or to event `to`."""
        if self.status != "playing":
            raise Refusal("state", "only a game that is going on can be taken back")
        for number in range(len(self.trail) - 1, 0, -1):
            before = self.trail[number - 1]
            if (before.seq == to) if to else (self.trail[number].seat == seat):
                if before.position.rolling:
                    break
                return before
        raise Refusal("state", f"there is no decision after event {to}" if to else "there is no move to take back")

    def take_back(self, seat: int, stop: Visited, after: int = 0) -> list[Step]:
        return [Step(TookBack(self.seq + after + 1, seat, stop.seq, str(stop.position)), stop.position)]

    def rename(self, sat: Sat) -> None:
        """Take an event in the place of the one with its number: only a name is another."""
        self.sitting[sat.seat] = self.full_events[sat.seq - 1] = sat

    # --- applying steps ----------------------------------------------------------------------------------------------
    def apply(self, steps: Sequence[Step]) -> None:
        """Take steps that are on the disk; their events are given the facts that are sent with them."""
        for event, position in steps:
            before = self.position
            match event:
                case Sat():
                    self.sitting[event.seat] = event
                case Moved() | Rolled() | Begun():
                    self._go_to(event, position)
                case TookBack():
                    self._go_back(event)
                case Proposed():
                    self.proposal, self.agreed = event, {event.seat}
                case Answered():
                    self.agreed.add(event.seat)
                    self.proposal = self.proposal if event.yes else None
                case Ended():
                    self.ended, self.proposal = event, None
            if isinstance(event, PositionEvent) and position is not None:
                self._add_facts(event, before, position)
            self.full_events.append(event)

    def _add_facts(self, event: PositionEvent, before: Position | None, position: Position) -> None:
        """The same as `facts_of`, with what dice show. The event itself is changed: a second one would cost memory."""
        event.mover, event.rolling, event.over = position.mover, position.rolling, position.over
        event.moves = _shared(tuple(self.moves))
        if self.game.scores:
            event.scored = self.scored or (0.0,) * self.game.seats
        if before and isinstance(event, Rolled):
            event.faces = _shared(tuple(before.faces(event.number)))

    def _go_to(self, event: Moved | Rolled | Begun, position: Position | None) -> None:
        assert position is not None
        scored = self.scored
        if isinstance(event, Moved):
            scored = self._scored_after(event)
            self.answers[event.ask] = event
        if isinstance(event, Rolled):
            self.rolls = event.roll
        seat = event.seat if isinstance(event, Moved) else -1
        self.trail.append(Visited(event.seq, self.game, position.state, seat, scored))
        self.position, self.ask, self.proposal = position, event.seq, None

    def _go_back(self, event: TookBack) -> None:
        while self.trail[-1].seq != event.to:
            self.trail.pop()
        self.position, self.ask, self.proposal = self.trail[-1].position, event.seq, None

    def replay(self, event: AnyEvent) -> None:
        """Apply an event that was stored; BadInput if it does not follow from those before."""
        if event.seq != self.seq + 1:
            raise BadInput(f"event {event.seq} where {self.seq + 1} should be; the record is damaged")
        position = follow(self, event)
        recorded = getattr(event, "position", None)
        if position is not None and str(position) != recorded:
            raise BadInput(f"event {event.seq}: leads to {str(position)!r}, but {recorded!r} is recorded")
        self.apply([Step(without_facts(event), position)])


def follow(record: GameRecord, event: AnyEvent) -> Position | None:
    """The position that an event leads to by the rules; rolls are taken as recorded."""
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
            _check_text(event, event.name, event.words)
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
    if event.reason == "over" or record.position.rolling:
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


def roll_dice(position: Position, key: bytes, roll: int, seq: int) -> tuple[Rolled, Position]:
    """Roll number `roll` of a game, in a position with dice in the air."""
    game = position.game
    number = int(game.ask("roll", position.state, fair.stream(key, "roll", roll)))
    after = Position(game, game.ask("land", position.state, number))
    text = game.notation.outcome_text(game.table, position.state, number)
    return Rolled(seq, position.mover, text, number, roll, str(after)), after


def _legal_moves(position: Position) -> dict[str, int]:
    """Their texts, of which all events of a game share one copy, and their numbers."""
    game, legal = position.game, position.legal()
    return {sys.intern(game.notation.move_text(game.table, position.state, m)): m for m in legal}


@lru_cache(1024)
def _shared(texts: tuple[Any, ...]) -> tuple[Any, ...]:
    """One copy of what many events say."""
    return texts


def facts_of(position: Position, moves: Iterable[str]) -> dict[str, Any]:
    """What a client is told of a position besides its text."""
    return {"mover": position.mover, "rolling": position.rolling, "over": position.over, "moves": list(moves)}


def total(paid: Sequence[float], scored: Sequence[float]) -> list[float]:
    """What the end of a game pays, and what was scored before, if anything was."""
    return plus(paid, scored) if scored else list(paid)
