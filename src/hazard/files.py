"""Files and folders of results: checked before work begins, written aside, and renamed when complete."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from hazard.errors import BadInput

_sealed = False


def seal() -> None:
    """From now on no file is read that a parameter names: parameters may come from strangers."""
    global _sealed
    _sealed = True


def given(path: str) -> Path:
    """A file that a parameter names."""
    if _sealed:
        raise BadInput(f"{path[:80]!r}: this server reads no files that others name")
    return Path(path)


# --- folders that nobody else may write ------------------------------------------------------------------------------
def others_may_write(folder: Path) -> str:
    """Why what is in a folder may be another user's work; empty if it is its owner's alone."""
    found = folder.stat()
    if found.st_uid not in (0, os.geteuid()):
        return "belongs to another user"
    return f"can be written by others (mode {found.st_mode & 0o777:o})" if found.st_mode & 0o022 else ""


@cache
def private(folder: Path, secret: bool = False) -> Path:
    """A cache folder, which is made for its owner alone if there is none. If others may write to it, nothing in it is
    believed: this process and those that it starts have a folder of their own instead, and a line says so.

    A folder that others may read is left so, unless it is to be `secret`.
    """
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        why = others_may_write(folder)
        if secret and not why and folder.stat().st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:  # nothing can be kept there, or be read
        return folder
    return _instead_of(folder, why) if why else folder


def _instead_of(folder: Path, why: str) -> Path:
    own = Path(tempfile.mkdtemp(prefix="hazard-cache-"))
    atexit.register(shutil.rmtree, own, ignore_errors=True)
    os.environ["HAZARD_CACHE"] = str(own)
    words = (
        "so nothing in it is used, and what is made now is not kept; empty it and `chmod 700` it, or set HAZARD_CACHE"
    )
    print(f"hazard: the cache {folder} {why}, {words}", file=sys.stderr)
    return own


# --- folders of results ----------------------------------------------------------------------------------------------
def check_folder(folder: Path, sign: str) -> None:
    """Refuse a folder that cannot be written, or that holds something without the file `sign` that marks our own."""
    try:
        if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / sign).exists())):
            raise BadInput(f"{folder}: holds something else, which is left as it is; name another folder for --out")
        folder.parent.mkdir(parents=True, exist_ok=True)
        os.rmdir(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as problem:
        raise BadInput(f"{folder}: cannot write there ({problem.strerror})") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file aside and rename it when it is complete and on the disk; what was there stays until then."""
    aside = path.with_name(f".{path.name}.part")
    try:
        with aside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        sync_folder(path.parent)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: a file that was renamed has its new name after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(folder: Path) -> None:
    """Wait until a folder, and every file in it at any depth, is on the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                os.fsync(file.fileno())
        sync_folder(Path(place))


@contextmanager
def replacing(folder: Path, sign: str) -> Iterator[Path]:
    """A folder to write to, which takes the place of `folder` if all goes well and is removed if not."""
    check_folder(folder, sign)
    folder = folder.resolve()
    aside = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    before = aside.with_name(f"{aside.name}-before")
    try:
        yield aside
        aside.chmod(0o755)
        sync_all(aside)
        if folder.exists():
            os.rename(folder, before)  # to remove it takes longer: who is killed meanwhile would be left with nothing
        os.rename(aside, folder)
        sync_folder(folder.parent)
        shutil.rmtree(before, ignore_errors=True)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other program is in here for the same folder, which is made if there is none."""
    handle = _locked(folder)
    try:
        yield
    finally:
        os.close(handle)


def _locked(folder: Path) -> int:
    """A handle that holds the lock, which goes with the process."""
    import fcntl  # not on Windows

    while True:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if folder.exists() and os.path.samestat(os.fstat(handle), folder.stat()):
            return handle
        os.close(handle)  # the folder was replaced meanwhile: what has its name now is another one
