"""A server signs the games that it played, so that it knows them again when they come back as files.

The signature is HMAC-SHA-256 with a key in the server's folder that nobody else has. So only that server can check it:
no library that this program needs offers signatures that all can check, and to write such a thing by hand for play
would be a risk without need. Whoever has another server's file asks that server.
"""

from __future__ import annotations

import hmac
import os
import secrets
from pathlib import Path

import msgspec

from hazard.errors import BadInput
from hazard.server.rooms.game_file import GameFile, file_bytes

NAME = "signing.key"
BYTES = 32


def key_in(folder: Path) -> bytes:
    """The key of the server with that folder, which is made the first time and readable by its owner alone."""
    path = folder / NAME
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(BYTES))
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        pass
    key = path.read_bytes()
    if len(key) != BYTES:
        raise BadInput(f"{path}: damaged; bring it back, or remove it: games signed until now then count as not signed")
    return key


def signed(file: GameFile, key: bytes) -> GameFile:
    return msgspec.structs.replace(file, signature=_signature(file, key))


def is_signed(file: GameFile, key: bytes) -> bool:
    """Whether the server with that key has signed the game, and nothing was changed since."""
    return hmac.compare_digest(file.signature.encode(), _signature(file, key).encode())


def _signature(file: GameFile, key: bytes) -> str:
    return hmac.digest(key, file_bytes(msgspec.structs.replace(file, signature="")), "sha256").hex()
