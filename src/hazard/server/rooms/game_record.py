"""The record of one game: its events, the position they lead to, and the events that a decision would add.

Nothing here waits, writes or sends. What follows from a decision is planned as steps; the room stores them on disk and
then applies them. A game is loaded by replaying its events, each of which is checked against the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import UNSET

from hazard.rulebook import Game, Position, plus
from hazard.server.protocol import (
    Begun,
    Ended,
    Given,
    Moved,
    Part,
    Reason,
    Refusal,
    Rolled,
    Sat,
    TookBack,
    Withheld,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms.played import Played, Step, Visited


class GameRecord(Played):
    """A game, in a room or from a file."""

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


def total(paid: Sequence[float], scored: Sequence[float]) -> list[float]:
    """What the end of a game pays, and what was scored before, if anything was."""
    return plus(paid, scored) if scored else list(paid)
