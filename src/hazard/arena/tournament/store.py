"""A tournament's folder: `tournament.json` says what is played, `ledger.json` which batches are complete.

Every batch is one Parquet file in `games` (and one in `moves` where decisions are kept), written aside and renamed
before the ledger names it with its checksum. Files that the ledger does not name are left-overs of a kill.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import FORMAT, Setting, difference
from hazard.errors import BadInput
from hazard.files import check_folder, write_whole

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


class Ledger(msgspec.Struct):
    """All batches that are complete, in the order of the schedule."""

    format: int
    entries: list[Entry]


def read_setting(folder: Path) -> Setting:
    """The tournament in a folder."""
    path = folder / SETTING
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Setting)
    except FileNotFoundError:
        raise BadInput(f"{folder}: no tournament is there; `hazard tournament ... --out {folder}` plays one") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path}: damaged ({problem}); nothing was changed") from None
    if found.format != FORMAT:
        raise BadInput(f"{path}: format {found.format}, but this program reads format {FORMAT}")
    return found


class Store:
    """The files of one tournament. Open one with `opened`, which keeps other runs out."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.folder, self.setting = folder, setting
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
        try:
            ledger = msgspec.json.decode(path.read_bytes(), type=Ledger)
        except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
            raise BadInput(f"{path}: damaged ({problem}); nothing was changed. {_MEND}") from None
        return ledger.entries

    def check(self) -> None:
        """Refuse files that are not what the ledger says they are."""
        for entry in self._entries.values():
            for kind, digest in entry.sha256.items():
                path = self.path(kind, entry.batch)
                if not path.exists():
                    raise BadInput(f"{path}: named in the ledger, but not there. {_MEND}")
                if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                    raise BadInput(f"{path}: damaged (its checksum is not the ledger's); nothing was changed. {_MEND}")

    # --- keeping -------------------------------------------------------------------------------------------------
    def keep(
        self, batch: Batch, files: dict[str, bytes], suspended: list[str], instead_of: Batch | None = None
    ) -> None:
        """Write the files of a batch, then name it in the ledger."""
        for kind, content in files.items():
            self.path(kind, batch).parent.mkdir(exist_ok=True)
            write_whole(self.path(kind, batch), content)
        digests = {kind: hashlib.sha256(content).hexdigest() for kind, content in files.items()}
        before = self._entries.get((batch.line_up, batch.first))
        names = sorted({*suspended, *(before.suspended if before else [])})
        self._entries[batch.line_up, batch.first] = Entry(*batch, digests, names)
        self._write_ledger()
        if instead_of is not None:
            self._remove(instead_of)

    def extend(self, setting: Setting) -> None:
        """Take over a setting with more games."""
        self.setting = setting
        write_whole(self.folder / SETTING, msgspec.json.format(msgspec.json.encode(setting), indent=1) + b"\n")

    def sweep(self) -> None:
        """Remove what a killed run left unfinished."""
        kept = {self.path(kind, entry.batch) for entry in self._entries.values() for kind in KINDS}
        for kind in KINDS:
            for path in (self.folder / kind).glob("*"):
                if path not in kept and (path.suffix == ".parquet" or path.name.endswith(".part")):
                    path.unlink()

    def _write_ledger(self) -> None:
        order = sorted(self._entries.values(), key=lambda e: (e.first, e.line_up))
        lines = b",\n".join(msgspec.json.encode(entry) for entry in order)
        write_whole(self.folder / LEDGER, b'{"format":%d,"entries":[\n%s\n]}\n' % (FORMAT, lines))

    def _remove(self, batch: Batch) -> None:
        for kind in KINDS:
            self.path(kind, batch).unlink(missing_ok=True)


_MEND = "Put the file back from a copy, or play the tournament again in another folder"


@contextmanager
def opened(folder: Path, setting: Setting) -> Iterator[Store]:
    """The store of a tournament, new or begun before; another tournament's folder is refused and left as it is."""
    check_folder(folder, SETTING)
    if (folder / SETTING).exists():
        setting = _agreed(folder, read_setting(folder), setting)
    folder.mkdir(exist_ok=True)
    with _locked(folder):
        store = Store(folder, setting)
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
    return msgspec.structs.replace(new, batch=old.batch)


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
