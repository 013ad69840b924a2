"""Tokens of seats: they are random, only their digests are stored, and comparing them takes the same time always."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets


def new_token(salt: bytes = b"", key: str = "") -> str:
    """A token that nobody can guess; with a key, the same one for the same key in the same room."""
    made = hmac.digest(salt, f"token {key}".encode("utf-8", "surrogatepass"), "sha256")[:24] if key else None
    return base64.urlsafe_b64encode(made or secrets.token_bytes(24)).decode()


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def seat_of(token: str, digests: dict[int, bytes]) -> int | None:
    """The seat of a token; all digests are compared, whichever it is."""
    mine, own = digest_of(token), None
    for seat, digest in digests.items():
        if hmac.compare_digest(mine, digest):
            own = seat
    return own
