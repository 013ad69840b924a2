"""Which agents are bots, what their commands run, and whether they have changed since."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
from pathlib import Path

from hazard.errors import BadInput

NODE = (".js", ".mjs", ".cjs")


def is_bot(text: str) -> bool:
    """Whether an agent is a command: it has a slash or a blank in it or is a file; names of agents are neither."""
    path = Path(text)
    return "/" in text or " " in text or path.suffix in (".py", *NODE) or (bool(path.suffix) and path.is_file())


def command_of(text: str) -> list[str]:
    """The words to run. A Python or Node program is started by its language, executable or not."""
    words = _words(text)
    path = Path(words[0])
    if "/" not in words[0] and not (path.suffix and path.is_file()):
        if shutil.which(words[0]) is None:
            raise BadInput(f"{text!r}: there is no command {words[0]!r}; a file of this folder is written './{path}'")
        return words
    if not path.is_file():
        raise BadInput(f"{text!r}: there is no file {words[0]!r}; name the bot's program")
    return [*_program(text, path), *words[1:]]


def _words(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError:
        raise BadInput(f"{text!r}: a quotation mark is not closed") from None
    if not words:
        raise BadInput(f"{text!r}: no command; write one such as './mybot.py'")
    return words


def _program(text: str, path: Path) -> list[str]:
    """How to run a file: by itself if it says how, else by what its name says."""
    file = str(path.absolute())
    runs = os.access(path, os.X_OK)
    with path.open("rb") as start:
        says_how = start.read(2) == b"#!"
    if path.suffix == ".py" and not (runs and says_how):
        return [sys.executable, file]
    if path.suffix in NODE and not (runs and says_how):
        if shutil.which("node") is None:
            raise BadInput(f"{text!r}: needs node, which is not installed")
        return ["node", file]
    if not runs:
        raise BadInput(f"{text!r}: {str(path)!r} cannot be executed; chmod +x it, or write what runs it before it")
    return [file]


def files_of(text: str) -> list[Path]:
    """The files that a command names."""
    return [path for path in map(Path, _words(text)) if path.is_file()]


def fingerprint(text: str) -> str:
    """A digest of a command that can be run, and of the files it names: another one means another bot."""
    command_of(text)
    digest = hashlib.sha256()
    for word in _words(text):
        digest.update(f"{len(word)} {word} ".encode())
        if Path(word).is_file():
            digest.update(hashlib.sha256(Path(word).read_bytes()).digest())
    return digest.hexdigest()[:16]
