"""Who takes part in the dice of a game: what each seat has promised, and what it has told of the throw that is open.

A part that is told stays in memory until all are there; then they go to the disk with the dice, in one transaction. If
the server dies in between, the seats tell their parts again.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from hazard.server.protocol import AnyEvent, Begun, Given, Part, Refusal, Rolled, Sat, Withheld
from hazard.server.rooms import fair_dice as fair


class Throws:
    """The throws of one game."""

    def __init__(self, seed: bytes, seats: int) -> None:
        self.seed, self.seats = seed, seats
        self.made = 0  # with those that are void
        self.promised: dict[int, str] = {}  # by seat, for those that take part
        self.told: dict[int, Given] = {}  # by seat, in the throw that is open

    @property
    def parts(self) -> tuple[Given, ...]:
        """The parts in the open throw, by seat."""
        return tuple(self.told[seat] for seat in sorted(self.told))

    @property
    def missing(self) -> list[int]:
        """The seats whose parts in the open throw have not been told."""
        return sorted(self.promised.keys() - self.told.keys())

    def key(self, number: int, parts: Iterable[Given]) -> bytes:
        """The key of a throw."""
        by_seat = {given.seat: given.part for given in parts}
        return fair.throw_key(self.seed, number, [by_seat.get(seat, "") for seat in range(self.seats)])

    def tell(self, seat: int, message: Part) -> bool:
        """Take a seat's part in the open throw; whether it was new. Anything but what it promised is refused."""
        if message.throw <= self.made:
            return False  # it comes again, or too late
        if seat not in self.promised:
            raise Refusal("part", f"seat {seat} takes no part in the dice")
        if message.throw != self.made + 1 or fair.promise_of(message.part) != self.promised[seat]:
            raise Refusal("part", f"not the part in throw {self.made + 1} that seat {seat} has promised")
        new = seat not in self.told
        self.told.setdefault(seat, Given(seat, message.part, message.next))
        return new

    def follow(self, event: AnyEvent) -> None:
        """Note what an event says about the dice."""
        if isinstance(event, Sat) and event.promise:
            self.promised[event.seat] = event.promise
        elif isinstance(event, Begun | Rolled | Withheld) and event.throw is not UNSET and event.throw > self.made:
            self.made = event.throw
            self.told.clear()
            for given in event.parts or ():
                self.promised[given.seat] = given.next
            for seat in event.seats if isinstance(event, Withheld) else ():
                self.promised.pop(seat, None)
