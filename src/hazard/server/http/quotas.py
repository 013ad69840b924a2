"""What each visitor may have written to the disk, and the disk that there is in all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from hazard.server.limits import Limits, RateLimit, bucket
from hazard.server.protocol import Refusal
from hazard.server.rooms.integrity import DATABASE
from hazard.server.rooms.store import Store

ROOM = 20_000  # bytes that a room may come to take, or so
FREE = 200 << 20  # bytes that are left free
UPLOADS = 4  # files that are read at once


class Quotas:
    """Counts what visitors have written to the disk."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self.limits, self.folder = limits, store.folder
        self.written: dict[str, RateLimit] = {}
        self.reading: set[str] = set()

    def store(self, who: str, size: int) -> None:
        """Count that many bytes, or refuse them."""
        limits = self.limits
        if not bucket(self.written, who, limits.write_rate, limits.write_burst).take(size):
            raise Refusal("full", "you have stored much in a short time; try again later")
        used = sum(path.stat().st_size for path in self.folder.glob(f"{DATABASE}*"))
        if used + size > limits.disk << 20 or shutil.disk_usage(self.folder).free < FREE + size:
            raise Refusal("full", "the space for games is used up; games that are being played go on")

    @contextmanager
    def uploading(self, who: str) -> Iterator[None]:
        """Read one file of a visitor at a time, and few in all: each takes many times its size while it is checked."""
        if who in self.reading or len(self.reading) >= UPLOADS:
            raise Refusal("busy", "another file is being read; send this one again in a moment")
        self.reading.add(who)
        try:
            yield
        finally:
            self.reading.discard(who)
