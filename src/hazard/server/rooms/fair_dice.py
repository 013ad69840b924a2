"""Fair dice: what they are drawn from, so that nobody can know or choose a throw that is still to come.

A throw is all dice that fall before somebody decides again. It is drawn from two things: the server's seed, to which
the server commits before anybody sits down (SHA-256 of salt and seed), and a part of every seat that takes part. A seat
promises its next part, by SHA-256, before any part of that throw is told, and tells it when the move that throws is on
the record:

    key of throw n  =  HMAC-SHA-256(seed, "throw n " + the parts by seat, as JSON)
    roll r          =  the game's rule, with a xoshiro256++ stream whose 256 bits are HMAC-SHA-256(key, "roll r")

Games of the old form have one key for all rolls, HMAC-SHA-256(seed, words of the seats).
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


def promise_of(part: str) -> str:
    """What a seat says of its next part beforehand."""
    return hashlib.sha256(bytes.fromhex(part)).hexdigest()


def throw_key(seed: bytes, number: int, parts: Sequence[str]) -> bytes:
    """The key of a throw; `parts` has a text for each seat, empty for one that takes no part."""
    listed = '["' + '","'.join(parts) + '"]'  # as JSON: parts are hexadecimal, so that nothing is to be escaped
    return _digest(seed, f"throw {number} {listed}")


def words_key(seed: bytes, words: Sequence[str]) -> bytes:
    """The key of all rolls of a game of the old form; `words` has one text for each seat."""
    return _digest(seed, json.dumps(list(words), ensure_ascii=False, separators=(",", ":")))


def stream(key: bytes, purpose: str, number: int) -> np.ndarray:
    """A stream for one draw: `purpose` is "board" or "roll"."""
    return np.frombuffer(_digest(key, f"{purpose} {number}"), "<u8").astype(np.uint64)


def seed_for(key: bytes, seat: int) -> int:
    """The seed of the agent or bot in a seat, below 2^53; it tells nothing about the dice."""
    return int.from_bytes(_digest(key, f"seat {seat}")[:8], "little") >> 11


def _digest(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
