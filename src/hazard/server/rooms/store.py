"""The server's folder: rooms and their events in SQLite with a write-ahead log, locked against a second server.

One thread writes. All jobs that come while a transaction runs go into the next one, so that many rooms share each wait
for the disk. A job is done when its transaction is on the disk, and not before.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from hazard.errors import BadInput
from hazard.files import check_folder, write_whole
from hazard.server.protocol import AnyEvent, Ended, Refusal, Sat, Status, encode, read_event
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.integrity import (
    DATABASE,
    SIGN,
    WAY_BACK,
    broken_promises,
    check_there,
    check_whole,
    keeps_promise,
    tell_broken,
)
from hazard.server.rooms.setting import Setting

FORMAT = 1
OFTEN = 5.0  # seconds between two notes of a room that is played in
MOST_NOTED = 10_000
MOST_TOGETHER = 512  # jobs in one transaction
TABLES = """
create table if not exists rooms (
    id text primary key, setting blob not null, seed blob not null, salt blob not null,
    status text not null, created real not null, changed real not null, source text not null
) without rowid;
create table if not exists seats (room text, seat integer, token blob, primary key (room, seat)) without rowid;
create table if not exists events (room text, seq integer, data blob, primary key (room, seq)) without rowid;
create index if not exists rooms_changed on rooms (status, changed);
"""


class StoredRoom(NamedTuple):
    """A room on disk."""

    setting: Setting
    secret: Secret
    tokens: dict[int, bytes]  # digests, by seat
    events: list[AnyEvent]
    created: float
    source: str  # "server"; "upload" for a game that came as a file, "signed" if it was one of ours; "tournament"


class RoomSummary(NamedTuple):
    """A row in a list of rooms."""

    room: str
    status: Status
    setting: Setting
    created: float
    changed: float
    source: str
    names: list[str]  # by seat; empty for an open one
    payoffs: list[float] | None


Statement = tuple[str, Sequence[Any]]
Work = Iterable[Statement]  # gone through by the writer, perhaps twice
_setting = msgspec.json.Decoder(Setting)


class Sign(msgspec.Struct):
    """The file that marks a folder as a server's."""

    format: int
    ready: bool = True  # the database has been made


class Store:
    """The database of one server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = _locked(folder)
        try:
            self._db, self._reading = _checked(folder), _database(folder)
        except sqlite3.Error as problem:
            os.close(self._lock)
            raise BadInput(
                f"{folder / DATABASE}: cannot be read as a database of games ({problem}). {WAY_BACK}"
            ) from None
        except BaseException:
            os.close(self._lock)
            raise
        self._jobs: queue.SimpleQueue[tuple[Work, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(1, "reader")
        self._writer = threading.Thread(target=self._write_all, name="writer", daemon=True)
        self._writer.start()
        self.transactions = 0
        self._noted: dict[str, tuple[str, float]] = {}  # how rooms stand in the list, and since when

    def close(self) -> None:
        """Write what waits to be written, then unlock the folder."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._db.close()
        self._reading.close()
        os.close(self._lock)

    # --- writing -----------------------------------------------------------------------------------------------------
    async def create(
        self,
        room: str,
        setting: Setting,
        secret: Secret,
        events: Sequence[AnyEvent],
        status: Status,
        source: str = "server",
    ) -> None:
        """Store a new room with its first events."""
        now = time.time()
        row = (room, msgspec.json.encode(setting), secret.seed, secret.salt, status, now, now, source)
        await self._do(_NewRoom(row, room, events))

    async def append(
        self, room: str, events: Sequence[AnyEvent], status: Status, tokens: dict[int, bytes] | None = None
    ) -> None:
        """Store events and the digests of tokens; returns when they are on the disk, or raises a refusal."""
        work = _inserts(room, events)
        for seat, token in (tokens or {}).items():
            work.append(("insert into seats values (?,?,?)", (room, seat, token)))
        now = time.time()
        if self._news(room, status, now):
            work.append(("update rooms set status=?, changed=? where id=?", (status, now, room)))
        try:
            await self._do(work)
        except Refusal:
            self._noted.pop(room, None)  # it was not noted
            raise

    def _news(self, room: str, status: Status, now: float) -> bool:
        """Whether to note in the list of rooms how one stands: when that is another, and every few seconds."""
        before, when = self._noted.get(room, ("", 0.0))
        if status == before and 0 <= now - when < OFTEN:
            return False
        if len(self._noted) > MOST_NOTED:
            self._noted.clear()
        self._noted[room] = status, now
        return True

    async def remove(self, room: str) -> None:
        """Remove a room with all that was stored of it."""
        tables = (("rooms", "id"), ("seats", "room"), ("events", "room"))
        await self._do([(f"delete from {table} where {key}=?", (room,)) for table, key in tables])

    async def replace(self, room: str, event: AnyEvent) -> None:
        """Store an event in the place of the one with its number."""
        await self._do([("update events set data=? where room=? and seq=?", (encode(event), room, event.seq))])

    async def _do(self, statements: Work) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((statements, done))
        try:
            await asyncio.shield(done)
        except (sqlite3.Error, OSError) as problem:
            raise Refusal("disk", f"it could not be written to the disk ({problem}); nothing has changed") from None

    def _write_all(self) -> None:
        """The writer's thread."""
        while (job := self._jobs.get()) is not None:
            jobs, last = [job], False
            while len(jobs) < MOST_TOGETHER and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    last = True
                    break
                jobs.append(more)
            self._write_together(jobs)
            if last:
                return

    def _write_together(self, jobs: list[tuple[Work, asyncio.Future[None]]]) -> None:
        problem = self._write([statement for work, _ in jobs for statement in work])
        if problem is None or len(jobs) == 1:
            return _resolve([done for _, done in jobs], problem)
        for work, done in jobs:  # one bad job must not spoil the others
            _resolve([done], self._write(work))
        return None

    def _write(self, statements: Work) -> Exception | None:
        """Make one transaction; the problem if that fails."""
        try:
            self.commit(statements)
        except (sqlite3.Error, OSError) as problem:
            if self._db.in_transaction:
                self._db.rollback()
            return problem
        self.transactions += 1
        return None

    def commit(self, statements: Work) -> None:
        self._db.execute("begin immediate")
        for text, values in statements:
            self._db.execute(text, values)
        self._db.execute("commit")

    # --- reading -----------------------------------------------------------------------------------------------------
    async def load(self, room: str) -> StoredRoom | None:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._load, room)

    async def has(self, room: str) -> bool:
        """Whether there is such a room, damaged or not."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._has, room)

    def _has(self, room: str) -> bool:
        return self._reading.execute("select 1 from rooms where id=?", (room,)).fetchone() is not None

    def _load(self, room: str) -> StoredRoom | None:
        row = self._reading.execute(
            "select setting, seed, salt, created, source from rooms where id=?", (room,)
        ).fetchone()
        if row is None:
            return None
        events = self._reading.execute("select data from events where room=? order by seq", (room,))
        tokens = self._reading.execute("select seat, token from seats where room=?", (room,))
        secret, stored = Secret(row[1], row[2]), [read_event(data) for (data,) in events]
        if row[4] == "server" and not keeps_promise(secret, stored):
            raise BadInput("its seed is not the one that was promised when the game began")
        return StoredRoom(_setting.decode(row[0]), secret, dict(tokens.fetchall()), stored, row[3], row[4])

    async def listed(self, statuses: Sequence[Status], most: int = 100, before: float = 1e18) -> list[RoomSummary]:
        """Rooms of those statuses, the last changed first."""
        return await asyncio.get_running_loop().run_in_executor(
            self._readers, self._listed, list(statuses), most, before
        )

    def _listed(self, statuses: list[Status], most: int, before: float) -> list[RoomSummary]:
        marks = ",".join("?" * len(statuses))
        rows = self._reading.execute(
            f"select id, status, setting, created, changed, source from rooms where status in ({marks}) "
            "and changed < ? order by changed desc limit ?",
            (*statuses, before, most),
        )
        summaries = []
        for room, status, setting, created, changed, source in rows.fetchall():
            with suppress(msgspec.MsgspecError):  # a damaged room is left out
                seen = (room, status, _setting.decode(setting), created, changed, source)
                summaries.append(RoomSummary(*seen, *self._names_and_payoffs(room)))
        return summaries

    def _names_and_payoffs(self, room: str) -> tuple[list[str], list[float] | None]:
        """The names of those who sat down in a room, and the payoffs of its game if it has ended."""
        few = "select data from events where room=? and (seq <= 8 or seq = (select max(seq) from events where room=?))"
        events = [read_event(data) for (data,) in self._reading.execute(few, (room, room))]
        names = {event.seat: event.name or event.kind for event in events if isinstance(event, Sat)}
        ended = [event.payoffs for event in events if isinstance(event, Ended)]
        return [names.get(seat, "") for seat in range(max(names, default=-1) + 1)], ended[-1] if ended else None


class _NewRoom:
    """What makes a room. The events of a long game are encoded by the writer, and not in the event loop."""

    def __init__(self, row: Sequence[Any], room: str, events: Sequence[AnyEvent]) -> None:
        self.row, self.room, self.events = row, room, events

    def __iter__(self) -> Iterator[Statement]:
        yield "insert into rooms values (?,?,?,?,?,?,?,?)", self.row
        yield from _inserts(self.room, self.events)


def _inserts(room: str, events: Sequence[AnyEvent]) -> list[Statement]:
    return [("insert into events values (?,?,?)", (room, event.seq, encode(event))) for event in events]


def _resolve(futures: list[asyncio.Future[None]], problem: Exception | None) -> None:
    """Resolve futures of the event loop from the writer's thread; the loop may be closed."""

    def resolve() -> None:
        for future in futures:
            if not future.done():
                future.set_exception(problem) if problem else future.set_result(None)

    if not futures[0].get_loop().is_closed():
        futures[0].get_loop().call_soon_threadsafe(resolve)


def _locked(folder: Path) -> int:
    """Lock the folder, which is made if there is none; the handle that holds the lock."""
    try:
        check_folder(folder, SIGN)
    except BadInput as problem:
        raise BadInput(str(problem).replace("--out", "--data")) from None
    folder.mkdir(exist_ok=True, mode=0o700)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _check_format(folder)
    except BlockingIOError:
        os.close(handle)
        raise BadInput(f"{folder}: another server is at work there; stop it or name another --data") from None
    except BaseException:
        os.close(handle)
        raise
    return handle


def _check_format(folder: Path) -> None:
    path = folder / SIGN
    if not path.exists():
        _sign(folder, ready=False)
    try:
        sign = msgspec.json.decode(path.read_bytes(), type=Sign)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path}: damaged ({problem}); nothing was changed") from None
    if sign.format != FORMAT:
        raise BadInput(
            f"{folder}: its format is {sign.format}, but this program reads format {FORMAT}; nothing was changed. "
            "Take the version of hazard that made it, or another folder for --data"
        )


def _sign(folder: Path, ready: bool) -> None:
    write_whole(folder / SIGN, msgspec.json.encode(Sign(FORMAT, ready)) + b"\n")


def _checked(folder: Path) -> sqlite3.Connection:
    """The database, which must be whole, or new if this folder has never had one."""
    new = not msgspec.json.decode((folder / SIGN).read_bytes(), type=Sign).ready
    if not new:
        check_there(folder)
    db = _database(folder)
    if new:
        _sign(folder, ready=True)
    else:
        check_whole(folder, db)
        tell_broken(folder, broken_promises(db))
    return db


def _database(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / DATABASE, isolation_level=None, check_same_thread=False, timeout=10)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.executescript(TABLES)
    return db
