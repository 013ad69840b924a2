"""The part that the holder of a seat has in the dice: what it promises, what it tells, and whether that was used.

A part is made from a secret that never leaves this program and the number of the throw, so that whoever comes back with
the secret tells the same. It is told once for one place in the game: a server that asks for it at another is refused.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from hazard.errors import BadInput
from hazard.server.protocol import Begun, Part, Rolled, Throw, Withheld

BYTES = 16


class Parts:
    """The parts of one seat."""

    def __init__(self, secret: str = "") -> None:
        self.secret = secret or secrets.token_urlsafe(24)
        self.told: dict[int, int] = {}  # by throw: the event it was told for

    def part(self, throw: int) -> str:
        return hmac.digest(self.secret.encode(), f"throw {throw}".encode(), "sha256")[:BYTES].hex()

    def promise(self, throw: int) -> str:
        """What is said of a part beforehand."""
        return hashlib.sha256(bytes.fromhex(self.part(throw))).hexdigest()

    def answer(self, asked: Throw) -> Part:
        """What to say when the server asks for the part in a throw."""
        if self.told.setdefault(asked.throw, asked.at) != asked.at or asked.throw < max(self.told):
            raise BadInput(
                f"the server asks for the part in throw {asked.throw} again, after event {asked.at}: the game was "
                "changed after it had been told; its dice cannot be trusted"
            )
        return Part(asked.throw, self.part(asked.throw), self.promise(asked.throw + 1))

    def check(self, event: Any, seat: int | None) -> None:
        """Refuse to go on if the server did not use the part that it was told, or one that it was not told."""
        if seat is None or not isinstance(event, Begun | Rolled | Withheld) or not event.throw:
            return
        own = [given.part for given in event.parts or () if given.seat == seat]
        used = isinstance(event, Begun | Rolled) and bool(event.parts)
        if (own and own != [self.part(event.throw)]) or (used and not own and event.throw in self.told):
            raise BadInput(f"throw {event.throw} was made without the part that this seat told; do not trust its dice")
