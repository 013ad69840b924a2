"""Tables on disk, of which nothing is believed before it was compared with its checksum.

The heading of a solution keeps a checksum for every block of a table's file. A block is compared when something in it
is first read, so that one question to a table of many gigabytes reads a few megabytes; whoever hands the whole table to
compiled code compares all of it first.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput

BLOCK = 1 << 20  # bytes
LONG = 16  # bytes of a checksum


def _checksum(block: Any) -> bytes:
    return hashlib.sha256(block).digest()[:LONG]


def checksums(path: Path) -> str:
    """The checksums of a file's blocks, one after the other."""
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        starts = range(0, size, BLOCK)
        with ThreadPoolExecutor() as threads:  # hashing and reading leave Python's lock alone
            return b"".join(threads.map(lambda at: _checksum(os.pread(file.fileno(), BLOCK, at)), starts)).hex()


class Table:
    """A table that is mapped into memory. It cannot be read but through `at` and `whole`, which compare first."""

    def __init__(self, path: Path, known: str) -> None:
        self.path, self._known = path, bytes.fromhex(known)
        self._file = np.memmap(path, np.uint8, "r")
        self._new = np.ones(-(-self._file.size // BLOCK), bool)  # blocks that were not compared yet
        if len(self._known) != LONG * self._new.size:
            raise self._altered()
        self._check([0])
        self._table = np.load(path, mmap_mode="r")
        self.shape, self.dtype, self.nbytes = self._table.shape, self._table.dtype, self._table.nbytes

    def at(self, where: tuple[int, ...]) -> Any:
        """One entry."""
        begin = self._table.offset + sum(i * step for i, step in zip(where, self._table.strides, strict=True))
        self._check({begin // BLOCK, (begin + self.dtype.itemsize - 1) // BLOCK})
        return self._table[where]

    @cached_property
    def whole(self) -> np.ndarray:
        """All of it."""
        new = np.flatnonzero(self._new).tolist()
        with ThreadPoolExecutor() as threads:
            for _ in threads.map(lambda block: self._check([block]), new):
                pass
        return self._table

    def _check(self, blocks: Iterable[int]) -> None:
        for block in blocks:
            if self._new[block]:
                content = self._file[block * BLOCK : (block + 1) * BLOCK]
                if _checksum(content) != self._known[block * LONG : (block + 1) * LONG]:
                    raise self._altered()
                self._new[block] = False

    def _altered(self) -> BadInput:
        folder, name = self.path.parent, self.path.name
        return BadInput(f"{folder}: the solution is damaged ({name} does not match its checksum); solve again")
