"""A tournament's folder: `tournament.json` says what is played, `ledger.json` which batches are complete.

Every batch is one Parquet file in `games` (and one in `moves` where decisions are kept), written aside and renamed
before the ledger names it with its checksum. The ledger also has the checksum of `tournament.json`, and one of itself.
Files that the ledger does not name are left-overs of a kill.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import FORMAT, Setting, check_setting, difference
from hazard.errors import BadInput
from hazard.files import check_folder, sync_folder, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
SETTING, LEDGER = "tournament.json", "ledger.json"
KINDS = ("games", "moves")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A batch that is complete."""

    line_up: int
    first: int
    last: int
    sha256: dict[str, str]  # of its files, by kind
    suspended: list[str] = []  # bots that failed too often in it

    @property
    def batch(self) -> Batch:
        return Batch(self.line_up, self.first, self.last)


class Ledger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All batches that are complete, in the order of the schedule."""

    format: int
    setting: list[str]  # the checksum that `tournament.json` has; two while it is being replaced
    entries: list[Entry]
    sha256: str = ""  # of all of the above

    @property
    def checksum(self) -> str:
        return _sha256(msgspec.json.encode(msgspec.structs.replace(self, sha256="")))


class _Head(msgspec.Struct):
    """What a file of any format says."""

    format: int


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _decoded(path: Path, kind: type[T]) -> T:
    """What a file of ours says; refused if it is damaged, or of another format."""
    content = path.read_bytes()
    try:
        known = msgspec.json.decode(content, type=_Head).format
        if known != FORMAT:
            raise BadInput(f"{path}: format {str(known)[:40]}, but this program reads format {FORMAT}")
        return msgspec.json.decode(content, type=kind)
    except BadInput:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise BadInput(f"{path}: damaged ({problem}); nothing was changed. {_MEND}") from None


def read_setting(folder: Path) -> Setting:
    """The tournament in a folder."""
    path = folder / SETTING
    try:
        found = _decoded(path, Setting)
    except FileNotFoundError:
        raise BadInput(f"{folder}: no tournament is there; `hazard tournament ... --out {folder}` plays one") from None
    try:
        check_setting(found)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None
    return found


class Store:
    """The files of one tournament. Open one with `opened`, which keeps other runs out."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.folder, self.setting = folder, setting
        self._sums: list[str] = []  # of tournament.json
        self._entries = {(e.line_up, e.first): e for e in self._read_ledger()}

    # --- what is there -------------------------------------------------------------------------------------------
    @property
    def done(self) -> dict[tuple[int, int], Batch]:
        return {key: entry.batch for key, entry in self._entries.items()}

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(e.last - e.first for e in self._entries.values())

    def suspensions(self, before: int) -> Counter[str]:
        """In how many batches a bot was suspended, among the first ones of the schedule."""
        lines = len(self.setting.line_ups)
        return Counter(
            name
            for entry in self._entries.values()
            if entry.first // self.setting.batch * lines + entry.line_up < before
            for name in entry.suspended
        )

    def path(self, kind: str, batch: Batch) -> Path:
        return self.folder / kind / f"{batch.name}.parquet"

    @property
    def batches(self) -> list[Batch]:
        """All complete batches, line-up by line-up."""
        return sorted(entry.batch for entry in self._entries.values())

    def files(self, kind: str) -> list[Path]:
        """Their files; there may be none of a kind."""
        return [path for batch in self.batches if (path := self.path(kind, batch)).exists()]

    def _read_ledger(self) -> list[Entry]:
        path = self.folder / LEDGER
        if not path.exists():
            if any(self.folder.glob("*/*.parquet")):
                raise BadInput(f"{path}: not there, though there are games; nothing was changed. {_MEND}")
            return []
        ledger = _decoded(path, Ledger)
        if ledger.sha256 != ledger.checksum:
            raise BadInput(f"{path}: damaged (it does not match its checksum); nothing was changed. {_MEND}")
        if _sha256((self.folder / SETTING).read_bytes()) not in ledger.setting:
            raise BadInput(
                f"{self.folder / SETTING}: altered since its games were played (its checksum is not the ledger's); "
                f"nothing was changed. {_MEND}"
            )
        if strange := next((e.batch for e in ledger.entries if not self._planned(e)), None):
            raise BadInput(f"{path}: {strange} is no batch of this tournament; nothing was changed. {_MEND}")
        self._sums = ledger.setting
        return ledger.entries

    def _planned(self, entry: Entry) -> bool:
        """Whether the schedule has such a batch; an earlier, shorter tournament may have ended in the middle of it."""
        size, (line_up, first, last) = self.setting.batch, entry.batch
        placed = 0 <= line_up < len(self.setting.line_ups) and 0 <= first < last <= first + size and first % size == 0
        return placed and "games" in entry.sha256 and entry.sha256.keys() <= set(KINDS)

    def wrong(self, entry: Entry) -> str:
        """What is wrong with the files of a batch; empty if they are what the ledger says they are."""
        for kind, digest in entry.sha256.items():
            path = self.path(kind, entry.batch)
            if not path.exists():
                return f"{path}: named in the ledger, but not there"
            if _sha256(path.read_bytes()) != digest:
                return f"{path}: damaged (its checksum is not the ledger's)"
        return ""

    def damaged(self) -> list[tuple[Entry, str]]:
        """All batches with damaged files, in the order of the schedule, and what is wrong with them."""
        order = sorted(self._entries.values(), key=lambda e: (e.first, e.line_up))
        return [(entry, why) for entry in order if (why := self.wrong(entry))]

    def check(self) -> None:
        """Refuse files that are not what the ledger says they are."""
        for entry in self._entries.values():
            self.check_one(entry)

    def check_one(self, entry: Entry) -> None:
        if why := self.wrong(entry):
            raise BadInput(f"{why}; nothing was changed. `hazard resume {self.folder} --repair` plays it again")

    def read(self, kind: str, batch: Batch) -> pa.Table:
        """A file of a batch, which must be the one that was written."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        entry, path = self._entries[batch.line_up, batch.first], self.path(kind, batch)
        self.check_one(entry)
        return pq.read_table(pa.BufferReader(path.read_bytes()))

    # --- keeping -------------------------------------------------------------------------------------------------
    def keep(
        self, batch: Batch, files: dict[str, bytes], suspended: list[str], instead_of: Batch | None = None
    ) -> None:
        """Write the files of a batch, then name it in the ledger."""
        self.write(batch, files)
        digests = {kind: _sha256(content) for kind, content in files.items()}
        before = self._entries.get((batch.line_up, batch.first))
        names = sorted({*suspended, *(before.suspended if before else [])})
        self._entries[batch.line_up, batch.first] = Entry(*batch, digests, names)
        self._write_ledger()
        if instead_of is not None:
            self._remove(instead_of)

    def matches(self, entry: Entry, files: dict[str, bytes]) -> bool:
        """Whether these are the files of a batch that is complete."""
        return {kind: _sha256(content) for kind, content in files.items()} == entry.sha256

    def write(self, batch: Batch, files: dict[str, bytes]) -> None:
        """Write the files of a batch."""
        for kind, content in files.items():
            folder = self.path(kind, batch).parent
            if not folder.exists():
                folder.mkdir()
                sync_folder(self.folder)
            write_whole(self.path(kind, batch), content)

    def extend(self, setting: Setting) -> None:
        """Take over a setting with more games, or with digests of what agents read.

        A kill at any moment leaves a ledger that knows the setting that is there.
        """
        self.setting = setting
        content = msgspec.json.format(msgspec.json.encode(setting), indent=1) + b"\n"
        if self._sums == [_sha256(content)]:
            return
        if self._sums:
            self._sums = [*self._sums, _sha256(content)]
            self._write_ledger()
        write_whole(self.folder / SETTING, content)
        self._sums = [_sha256(content)]
        self._write_ledger()

    def sweep(self) -> None:
        """Remove what a killed run left unfinished."""
        kept = {self.path(kind, entry.batch) for entry in self._entries.values() for kind in KINDS}
        for kind in KINDS:
            for path in (self.folder / kind).glob("*"):
                if path not in kept and (path.suffix == ".parquet" or path.name.endswith(".part")):
                    path.unlink()

    def _write_ledger(self) -> None:
        order = sorted(self._entries.values(), key=lambda e: (e.first, e.line_up))
        ledger = Ledger(FORMAT, self._sums, order)
        lines = b",\n".join(msgspec.json.encode(entry) for entry in order)
        parts = FORMAT, msgspec.json.encode(self._sums), lines, ledger.checksum.encode()
        write_whole(self.folder / LEDGER, b'{"format":%d,"setting":%s,"entries":[\n%s\n],"sha256":"%s"}\n' % parts)

    def _remove(self, batch: Batch) -> None:
        for kind in KINDS:
            self.path(kind, batch).unlink(missing_ok=True)


_MEND = "Put the file back from a copy, or play the tournament again in another folder"


@contextmanager
def opened(folder: Path, setting: Setting, damaged_too: bool = False) -> Iterator[Store]:
    """The store of a tournament, new or begun before; another tournament's folder is refused and left as it is, and so
    is a damaged one, unless told otherwise."""
    check_folder(folder, SETTING)
    if (folder / SETTING).exists():
        setting = _agreed(folder, read_setting(folder), setting)
    folder.mkdir(exist_ok=True)
    with _locked(folder):
        store = Store(folder, setting)
        if not damaged_too:
            store.check()
        store.sweep()
        store.extend(setting)
        yield store


def _agreed(folder: Path, old: Setting, new: Setting) -> Setting:
    if other := difference(old, new):
        raise BadInput(f"{folder}: holds another tournament ({other}), which is left as it is; name another folder")
    if new.games < old.games:
        raise BadInput(
            f"games={new.games}: {folder} holds a tournament of {old.games} games a line-up; name as many or more"
        )
    return msgspec.structs.replace(new, batch=old.batch, reads=old.reads)


def at_work(folder: Path) -> bool:
    """Whether a run is at work in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of the folder; the lock goes with the process."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadInput(f"{folder}: another run is at work there; wait for it or name another folder") from None
    finally:
        os.close(handle)
