"""A game as far as it was played: its events, and the position and the facts that they lead to.

Nothing here waits, writes, sends or plans; see `game_record` for what a decision would add.
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
    Moved,
    PositionEvent,
    Proposed,
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


class Played:
    """The events of a game and what follows from them."""

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
