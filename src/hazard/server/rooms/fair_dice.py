"""Fair dice: the server commits to a seed before a game and shows it afterwards; every roll follows from it.

The commitment is SHA-256(salt + seed). The key of a game is HMAC-SHA-256(seed, words), where `words` is what the seats
said when they sat down, after the commitment: so neither side alone could choose the dice. Roll number n is drawn from
a xoshiro256++ stream whose 256 bits are HMAC-SHA-256(key, "roll n"): no roll tells anything about another.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class Secret(NamedTuple):
    """The server's secret until a game has ended."""

    seed: bytes
    salt: bytes

    @property
    def commitment(self) -> str:
        return commitment_of(self.seed, self.salt)


def new_secret() -> Secret:
    return Secret(secrets.token_bytes(32), secrets.token_bytes(32))


def commitment_of(seed: bytes, salt: bytes) -> str:
    return hashlib.sha256(salt + seed).hexdigest()


def key_of(seed: bytes, words: Sequence[str]) -> bytes:
    """The key of a game, once all have sat down; `words` has one text for each seat."""
    return _digest(seed, json.dumps(list(words), ensure_ascii=False, separators=(",", ":")))


def stream(key: bytes, purpose: str, number: int) -> np.ndarray:
    """A stream for one draw: `purpose` is "board" or "roll"."""
    return np.frombuffer(_digest(key, f"{purpose} {number}"), "<u8").astype(np.uint64)


def seed_for(key: bytes, seat: int) -> int:
    """The seed of the agent or bot in a seat, below 2^53; it tells nothing about the dice."""
    return int.from_bytes(_digest(key, f"seat {seat}")[:8], "little") >> 11


def _digest(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
