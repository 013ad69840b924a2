"""The record of one game: its events, the position they lead to, and the events that a decision would add.

Nothing here waits, writes or sends. What follows from a decision is planned as steps; the room stores them on disk and
then applies them. A game is loaded by replaying its events, each of which is checked against the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import UNSET

from hazard.rulebook import Game, Position, plus
from hazard.server.protocol import (
    Answered,
    AnyEvent,
    Begun,
    Ended,
    Given,
    Moved,
    Part,
    PositionEvent,
    Proposed,
    Reason,
    Refusal,
    Rolled,
    Sat,
    Status,
    TookBack,
    Withheld,
    without_facts,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.throws import Throws

MOST_DECISIONS = 100_000  # after which a game is cut off
Thrown = Begun | Rolled | Withheld  # events that may hold parts in a throw
THROWN = (Begun, Rolled, Withheld)


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
    first: int  # the event that led to it the first time, if it was taken back and comes again
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
        self.throws = Throws(secret.seed, game.seats)
        self.old_form = False  # the dice of games begun by earlier versions; see `fair_dice`
        self.lines: dict[tuple[int, str], int] = {}  # what followed before it was taken back: by event and move
        self.backs: Counter[int] = Counter()  # how often each seat took back
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
    def wanted(self) -> int:
        """The number of the throw that waits for parts of seats; 0 if none does."""
        if self.ended or not self.throws.promised:
            return 0
        rolling = self.position.rolling if self.position else len(self.sitting) == self.game.seats
        return self.throws.made + 1 if rolling else 0

    @property
    def missing(self) -> list[int]:
        """The seats whose parts in a throw are waited for."""
        return self.throws.missing if self.wanted else []

    @property
    def old_key(self) -> bytes:
        """The key of all dice in a game of the old form. Its seats said their words before it began, so it stays."""
        seats = range(self.game.seats)
        words = [(self.sitting[seat].words or "") if seat in self.sitting else "" for seat in seats]
        self._key = self._key or fair.words_key(self.secret.seed, words)
        return self._key

    @property
    def seeds(self) -> bytes:
        """The key of what is neither board nor dice: the seeds of agents and bots."""
        return self.old_key if self.old_form else self.secret.seed

    # --- planning: the steps that would follow -----------------------------------------------------------------------
    def begin(self, before: Sequence[Step] = ()) -> list[Step]:
        """The steps that begin the game, after others that are planned; none if the board waits for parts of seats."""
        part = any(isinstance(event, Sat) and event.promise for event, _ in before) or self.throws.promised
        if self.start or not is_dealt(self.game):
            return self._begun(len(before), part=bool(part))
        return [] if part else self._begun(len(before), self.throws.made + 1)

    def _begun(self, after: int, throw: int = 0, parts: tuple[Given, ...] = (), part: bool = False) -> list[Step]:
        """The first position, dealt by a throw if there is one; `part` says whether seats take part in the dice."""
        key = self.throws.key(throw or self.throws.made + 1, parts)
        first = self.game.parse(self.start) if self.start else self.game.deal(fair.stream(key, "board", 0))
        begun = Begun(self.seq + after + 1, str(first), self.secret.commitment, throw=throw, parts=parts or UNSET)
        waits = part and not throw
        dice = [] if waits else self._roll(begun.seq, first, throw or self.throws.made + 1, key)
        return self._to_the_end([Step(begun, first), *dice])

    def play(self, seat: int, move: str, by: str = "", comment: str = "") -> list[Step]:
        """The steps that follow from a decision: up to the next one, to the end, or to dice that wait for parts."""
        position = self._decision(seat)
        if move not in self.moves:
            raise Refusal("illegal", f"{move[:80]!r} is not a legal move; legal: {', '.join(self.moves)}")
        after = Position(self.game, self.game.ask("move", position.state, self.moves[move]))
        moved = Moved(self.seq + 1, self.ask, seat, move, str(after), by, comment)
        steps = [Step(moved, after), *self._fallen(moved, after)]
        if after.rolling and len(steps) == 1 and (self.old_form or not self.throws.promised):
            throw = self.throws.made + 1
            steps += self._roll(moved.seq, after, throw, self.old_key if self.old_form else self.throws.key(throw, ()))
        return self._to_the_end(steps, self._scored_after(moved))

    def tell(self, seat: int, message: Part) -> list[Step]:
        """The steps that follow when a seat tells its part in a throw: none before all are there."""
        if not self.wanted and message.throw > self.throws.made:
            raise Refusal("part", "no dice are in the air; whoever tells a part too early lets others know it")
        if not self.throws.tell(seat, message) or self.throws.missing:
            return []
        return self._throw(self.wanted, self.throws.parts)

    def withhold(self, seats: Sequence[int]) -> list[Step]:
        """The steps that follow when seats do not tell their parts: the next throw goes without them."""
        throw, left = self.wanted, self.throws.promised.keys() - set(seats)
        steps = [Step(Withheld(self.seq + 1, throw, tuple(seats), self.throws.parts))]
        return steps if left else steps + self._throw(throw + 1, (), after=1)

    def _throw(self, number: int, parts: tuple[Given, ...], after: int = 0) -> list[Step]:
        """The steps of a throw whose parts are all there."""
        if self.position is None:
            return self._begun(after, number, parts)
        key = self.throws.key(number, parts)
        return self._to_the_end(self._roll(self.seq + after, self.position, number, key, parts))

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
        if self.position.rolling:
            raise Refusal("state", "the dice are in the air")
        return self.position

    def _fallen(self, moved: Moved, position: Position) -> list[Step]:
        """The dice that fell when this move was made before, if it was: they fall the same way."""
        steps: list[Step] = []
        here = self.lines.get((self.trail[-1].first, moved.move), 0)
        while position.rolling and (fell := self.fell(here)):
            here = fell.seq
            position = Position(self.game, self.game.ask("land", position.state, fell.number))
            seq = moved.seq + len(steps) + 1
            again = Rolled(seq, fell.seat, fell.dice, fell.number, fell.roll, fell.position, throw=fell.throw)
            steps.append(Step(again, position))
        return steps

    def fell(self, here: int) -> Rolled | None:
        """How dice fell where event `here` led to, before that was taken back; None if they never did."""
        event = self.full_events[found - 1] if (found := self.lines.get((here, ""), 0)) else None
        return event if isinstance(event, Rolled) else None

    def _roll(self, seq: int, position: Position, throw: int, key: bytes, parts: tuple[Given, ...] = ()) -> list[Step]:
        """All dice of a throw, after event `seq`; its parts stand with the first."""
        steps: list[Step] = []
        while position.rolling:
            rolls = self.rolls + len(steps) + 1
            event, position = roll_dice(position, key, rolls, seq + len(steps) + 1)
            if not self.old_form:
                event.throw, event.parts = throw, UNSET if steps else parts or UNSET
            steps.append(Step(event, position))
        return steps

    def _to_the_end(self, steps: list[Step], scored: tuple[float, ...] | None = None) -> list[Step]:
        """The steps with the end, if the game is over then; given what was scored, if that is new."""
        scored = self.scored if scored is None else scored
        event, position = steps[-1]
        assert position is not None
        if position.over:
            steps.append(self._end(event.seq + 1, total(position.payoffs, scored), "over"))
        elif len(self.answers) >= self.most_decisions and not position.rolling:
            steps.append(self._end(event.seq + 1, total(self.game.shares(), scored), "cut"))
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
        if self.status != "playing" or (self.position and self.position.rolling):
            raise Refusal("state", "only a game that is going on can be taken back, and not while dice are in the air")
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
            self.throws.follow(event)
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
        step, seat, scored = "", -1, self.scored
        if isinstance(event, Moved):
            scored = self._scored_after(event)
            self.answers[event.ask] = event
            step, seat = event.move, event.seat
        elif isinstance(event, Rolled):
            self.rolls = max(self.rolls, event.roll)
        else:
            self.old_form = event.throw is UNSET
        first = self.lines.get((self.trail[-1].first, step), event.seq) if self.trail else event.seq
        self.trail.append(Visited(event.seq, self.game, position.state, seat, first, scored))
        self.position, self.ask, self.proposal = position, event.seq, None

    def _go_back(self, event: TookBack) -> None:
        """Go back, and keep what followed: the same moves meet the same dice. (Not so in the old form.)"""
        while self.trail[-1].seq != event.to:
            gone, before = self.trail.pop(), self.trail[-1]
            step = self.full_events[gone.seq - 1]
            if not self.old_form:
                self.lines[before.first, step.move if isinstance(step, Moved) else ""] = gone.first
        self.backs[event.seat] += 1
        self.position, self.ask, self.proposal = self.trail[-1].position, event.seq, None


def roll_dice(position: Position, key: bytes, roll: int, seq: int) -> tuple[Rolled, Position]:
    """Roll number `roll` of a game, in a position with dice in the air."""
    game = position.game
    number = int(game.ask("roll", position.state, fair.stream(key, "roll", roll)))
    after = Position(game, game.ask("land", position.state, number))
    text = game.notation.outcome_text(game.table, position.state, number)
    return Rolled(seq, position.mover, text, number, roll, str(after)), after


@lru_cache(64)
def is_dealt(game: Game) -> bool:
    """Whether the first position is drawn at random."""
    stream = fair.stream(b"", "board", 0)
    before = stream.copy()
    game.deal(stream)
    return bool((stream != before).any())


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
