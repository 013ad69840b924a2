"""The part that the holder of a seat has in the dice: what it promises, what it tells, and whether that was used.

A part is made from a secret that never leaves this program and the number of the throw, so that whoever comes back with
the secret tells the same. It is told once, and only for dice that are in the air: a server that asks for it at another
place is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.server.protocol import Begun, Event, Part, PositionEvent, Rolled, Sat, Snapshot, Throw, Withheld

BYTES = 16


class Parts:
    """The parts of one seat. With the game, its rules say whether dice are in the air, else the server does."""

    def __init__(self, secret: str = "", game: Game | None = None) -> None:
        self.secret, self.game = secret or secrets.token_urlsafe(24), game
        self.told: dict[int, int] = {}  # by throw: the event it was told for
        self.seat: int | None = None
        self.open: set[int] = set()  # seats that are not taken
        self.thrown_at = 0  # the event after which dice are in the air, or a board is to be dealt

    def part(self, throw: int) -> str:
        return hmac.digest(self.secret.encode(), f"throw {throw}".encode(), "sha256")[:BYTES].hex()

    def promise(self, throw: int) -> str:
        """What is said of a part beforehand."""
        return hashlib.sha256(bytes.fromhex(self.part(throw))).hexdigest()

    # --- what the server says ----------------------------------------------------------------------------------------
    def follow(self, message: Event | Snapshot) -> None:
        """Note how the game stands; refuse to go on if the server did not keep to the part that it was told."""
        if isinstance(message, Snapshot):
            self.seat = message.seat
            self.open = {view.seat for view in message.seats if view.kind == "open"}
            for event in message.events:
                self._check(event)
            waits = message.status == "waiting" and not self.open
            self._stand(message.seq, waits or self._rolling(message.position, message.rolling))
            return
        self._check(message)
        if isinstance(message, Sat):
            self.open.discard(message.seat)
            self._stand(message.seq, not self.open)
        elif isinstance(message, PositionEvent):
            self._stand(message.seq, self._rolling(getattr(message, "position", None), message.rolling is True))
        elif isinstance(message, Withheld) and self.thrown_at:
            self._stand(message.seq, True)

    def _stand(self, seq: int, thrown: bool) -> None:
        self.thrown_at = seq if thrown else 0

    def _rolling(self, position: str | None, said: bool) -> bool:
        return self.game.parse(position).rolling if self.game and position else said

    def _check(self, event: Event) -> None:
        if self.seat is None or not isinstance(event, Begun | Rolled | Withheld) or not event.throw:
            return
        own = [given.part for given in event.parts or () if given.seat == self.seat]
        used = isinstance(event, Begun | Rolled) and bool(event.parts)
        if (own and own != [self.part(event.throw)]) or (used and not own and event.throw in self.told):
            raise BadInput(f"throw {event.throw} was made without the part that this seat told; do not trust its dice")

    # --- what it is told ---------------------------------------------------------------------------------------------
    def answer(self, asked: Throw) -> Part:
        """What to say when the server asks for the part in a throw."""
        at = self.told.get(asked.throw, asked.at)
        if at != asked.at or asked.at != self.thrown_at or asked.throw < max(self.told, default=0):
            raise BadInput(
                f"the server asks for the part in throw {asked.throw} after event {asked.at}, where no dice are in the "
                "air, or when it had been told for others: its dice cannot be trusted"
            )
        self.told[asked.throw] = asked.at
        return Part(asked.throw, self.part(asked.throw), self.promise(asked.throw + 1))
