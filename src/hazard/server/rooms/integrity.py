"""Whether the database is the one that the server wrote: whole, and with the seeds that it committed itself to.

A copy of it is made while the server runs by `hazard backup`.
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from hazard.errors import BadInput
from hazard.files import check_folder, replacing
from hazard.server.protocol import AnyEvent, Begun, read_event
from hazard.server.rooms.fair_dice import Secret

log = logging.getLogger("hazard.server")
SIGN, DATABASE = "server.json", "games.sqlite"
TABLES = {"rooms", "seats", "events"}
FIRST = 16  # events, among which is the one that begins the game
PAGES = 1000  # that are copied at once
WAY_BACK = "Nothing was changed. Put a copy that `hazard backup` made in its place, or name another folder with --data"


def check_there(folder: Path) -> None:
    """Refuse a folder whose database was made and is gone, or holds nothing: it would be begun anew."""
    path = folder / DATABASE
    if not path.exists() or path.stat().st_size == 0:
        raise BadInput(f"{path}: the database of games is {'empty' if path.exists() else 'gone'}. {WAY_BACK}")
    with closing(_reading(path)) as db:
        found = {name for (name,) in db.execute("select name from sqlite_master where type='table'")}
    if missing := sorted(TABLES - found):
        raise BadInput(f"{path}: the database of games has lost its table {missing[0]!r}. {WAY_BACK}")


def check_whole(folder: Path, db: sqlite3.Connection) -> None:
    """Refuse a database that is damaged."""
    (found,) = db.execute("pragma quick_check(1)").fetchone()
    if found != "ok":
        raise BadInput(f"{folder / DATABASE}: the database of games is damaged ({found}). {WAY_BACK}")


def keeps_promise(secret: Secret, events: Iterable[AnyEvent]) -> bool:
    """Whether a room's seed is the one that was committed to when its game began."""
    return all(event.commitment == secret.commitment for event in events if isinstance(event, Begun))


def broken_promises(db: sqlite3.Connection) -> list[str]:
    """The rooms of this server whose seeds are not those that were committed to."""
    rows = db.execute(
        "select id, seed, salt, data from rooms join events on room = id where source = 'server' and seq <= ?", (FIRST,)
    )
    return sorted({room for room, seed, salt, data in rows if not keeps_promise(Secret(seed, salt), _readable(data))})


def _readable(data: bytes) -> list[AnyEvent]:
    """The event, if it can be read; if not, the room is refused when it is opened, and says why."""
    try:
        return [read_event(data)]
    except msgspec.MsgspecError:
        return []


def tell_broken(folder: Path, rooms: list[str]) -> None:
    if rooms:
        few = ", ".join(rooms[:5]) + (", ..." if len(rooms) > 5 else "")
        log.warning(
            "%s: %d rooms have other seeds than those promised, and are not opened: %s", folder, len(rooms), few
        )


def _reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)


def back_up(data: Path, out: Path) -> int:
    """Copy a server's folder, while it runs or not; the number of rooms. The copy can be served as it is."""
    if not (data / SIGN).is_file():
        raise BadInput(f"{data}: no server has kept games there")
    check_there(data)
    check_folder(out, SIGN)
    with replacing(out, SIGN) as aside:
        for path in data.iterdir():
            if path.is_file() and not path.name.startswith((".", DATABASE)):
                shutil.copy2(path, aside / path.name)
        with closing(_reading(data / DATABASE)) as source, closing(sqlite3.connect(aside / DATABASE)) as copy:
            source.backup(copy, pages=PAGES, sleep=0.01)
            check_whole(aside, copy)
            (count,) = copy.execute("select count(*) from rooms").fetchone()
        (aside / DATABASE).chmod(0o600)
    out.chmod(0o700)  # the seeds of games that are being played are in it
    return count
