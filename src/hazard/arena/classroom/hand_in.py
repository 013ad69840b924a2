"""What pupils have handed in: each file or subfolder of a folder is a bot, copied so that it stays as it is.

Names and contents are a stranger's: links are not followed, nothing is executed, what is too large is turned away.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec

from hazard.arena.bots.command import NODE

LANGUAGES = (".py", *NODE)  # programs that are run by what their names say
MOST_BYTES, MOST_FILES = 64 << 20, 2000  # of one bot
LONGEST = 60  # characters of a name that is shown
IGNORED = {"__pycache__", "__MACOSX", "node_modules"}
BOTS = "bots"  # the folder that they are copied to


class Entry(msgspec.Struct, frozen=True):
    """One bot."""

    name: str  # as handed in, fit to be shown
    slug: str  # the same as a name of files
    program: str = ""  # in its folder
    problem: str = ""  # why there is nothing to be run

    @property
    def command(self) -> str:
        """The agent, in the folder of the class."""
        return shlex.quote(f"{BOTS}/{self.slug}/{self.program}")


class Refused(Exception):  # noqa: N818 - of a pupil, not of the program
    """Why a bot is not taken."""


def collect(source: Path, out: Path, leave: Path) -> tuple[list[Entry], list[str]]:
    """Copy all bots of a folder, but for the folder of results; the names of files that are none."""
    entries: list[Entry] = []
    others: list[str] = []
    for path in sorted(source.iterdir()):
        if path.name.startswith(".") or path.name in IGNORED or path.resolve() == leave:
            continue
        if path.is_symlink() or path.is_dir() or _is_program(path):
            entries.append(_taken(path, out / BOTS, entries))
        else:
            others.append(shown(path.name))
    return entries, others


def _taken(path: Path, bots: Path, known: list[Entry]) -> Entry:
    name = _unlike(shown(path.name if path.is_dir() else path.stem), {entry.name for entry in known})
    slug = _unlike(_slug(name), {entry.slug for entry in known})
    try:
        return Entry(name, slug, _copied(path, bots / slug, slug))
    except (Refused, OSError) as problem:
        shutil.rmtree(bots / slug, ignore_errors=True)
        said = str(problem) if isinstance(problem, Refused) else f"cannot be read: {problem.strerror}"
        return Entry(name, slug, problem=said)


def shown(name: str) -> str:
    """A file's name that cannot play tricks, whatever its bytes."""
    text = name.encode(errors="surrogateescape").decode(errors="replace")
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "bot"


def _unlike(name: str, known: set[str]) -> str:
    """The name, with a number if it is taken."""
    numbered = (f"{name}-{n}" for n in range(2, len(known) + 3))
    return name if name not in known else next(one for one in numbered if one not in known)


# --- files -----------------------------------------------------------------------------------------------------------
def _copied(path: Path, target: Path, slug: str) -> str:
    """Copy a bot; the name of its program."""
    if path.is_symlink():
        raise Refused("it is a link; hand in the file itself")
    target.mkdir(parents=True)
    if not path.is_dir():
        program = slug + path.suffix.lower()
        _copy(path, target / program, MOST_BYTES)
    else:
        _copy_folder(path, target)
        program = _program_of(target)
    (target / program).chmod(0o644 if program.endswith(LANGUAGES) else 0o755)
    return program


def _copy_folder(path: Path, target: Path) -> None:
    left = MOST_BYTES
    for number, one in enumerate(_walk(path)):
        if number >= MOST_FILES:
            raise Refused(f"more than {MOST_FILES} files")
        place = target / one.relative_to(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        left -= _copy(one, place, left)


def _walk(folder: Path) -> Iterator[Path]:
    """All regular files, without following links."""
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in IGNORED and not name.startswith("."))
        for name in sorted(files):
            path = Path(where, name)
            if stat.S_ISREG(path.lstat().st_mode):
                yield path


def _copy(path: Path, target: Path, most: int) -> int:
    """Copy a regular file; how many bytes it has."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(handle, "rb") as source, target.open("wb") as copy:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise Refused("it is no file")
        if about.st_size > most:
            raise Refused(f"more than {MOST_BYTES >> 20} MB")
        shutil.copyfileobj(source, copy)
    target.chmod(0o755 if about.st_mode & 0o100 else 0o644)
    return about.st_size


def _is_program(path: Path) -> bool:
    """Whether a file can be run: by its language, or by itself."""
    about = path.lstat()
    if not stat.S_ISREG(about.st_mode):
        return False
    if path.suffix.lower() in LANGUAGES or about.st_mode & 0o100:
        return True
    with path.open("rb") as file:
        return file.read(4).startswith((b"#!", b"\x7fELF"))


def _program_of(folder: Path) -> str:
    """The program of a folder: the one named bot or main, else the only one."""
    programs = sorted(path for path in folder.iterdir() if path.is_file() and _is_program(path))
    named = [path for stem in ("bot", "main") for path in programs if path.stem.lower() == stem]
    if not named and len(programs) != 1:
        many = f"{len(programs)} programs" if programs else "no program"
        raise Refused(f"there is {many} in the folder; name the one to be run bot, e.g. bot.py")
    found = (named or programs)[0].name
    if not re.fullmatch(r"[\w][\w.+-]*", found, re.ASCII):
        raise Refused("its program has a strange name; name it bot, e.g. bot.py")
    return found
