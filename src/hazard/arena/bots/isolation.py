"""What a bot can see of the machine it runs on, and whether this machine can keep it from the rest. Linux only.

The walls themselves are put up by the keeper, in guard/walls.py.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

import msgspec

from hazard.arena.bots.command import files_of, is_bot
from hazard.arena.bots.limits import Limits
from hazard.errors import BadInput
from hazard.jit import cache_home

# Programs and libraries, and what they look up. Nothing of it is anybody's own.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/home/linuxbrew")
SETTINGS = "alternatives ld.so.cache ld.so.conf ld.so.conf.d localtime nsswitch.conf locale.alias perl R ghc mono"
LANGUAGES = ("python*", "java*", "php*", "lua*", "ruby*", "julia*", "openjdk*")  # in /etc, too
MACHINE = ("/sys/devices/system/cpu", "/sys/devices/system/node")
NEVER = ("/", "/proc", "/sys", "/dev", "/etc", "/run", "/var/run")  # cannot be added by name
SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # folders that belong to no bot
# What a bot keeps of the environment: how languages find themselves, how many threads they take; no secrets.
KEPT = "PATH LANG LANGUAGE TZ TERM LD_LIBRARY_PATH VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT PYENV_VERSION NVM_DIR NVM_BIN "
KEPT += "JAVA_HOME NODE_PATH GOROOT LUA_PATH LUA_CPATH PERL5LIB R_HOME R_LIBS GEM_PATH"
KEPT_KINDS = ("LC_", "PYTHON", "OMP_", "OPENBLAS_", "MKL_", "NUMBA_", "HAZARD_BOT")


def environment() -> dict[str, str]:
    """The variables that a bot gets, and a home that it may write to."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT.split() or name.startswith(KEPT_KINDS)}
    return {"PYTHONHASHSEED": "0"} | kept | {"HOME": "/tmp", "TMPDIR": "/tmp"}


@lru_cache(maxsize=256)
def sights(command: tuple[str, ...], limits: Limits, here: str) -> tuple[tuple[str, str], ...]:
    """Paths that a bot can see, each with the path it means: programs and libraries, and what its command names.

    `here` is the folder in which it is started: names in the command are relative to it.
    """
    own = chain.from_iterable(_of_word(word, n == 0) for n, word in enumerate(command))
    return tuple({(path, os.path.realpath(path)): None for path in chain(_common(), own, limits.reads)})


@lru_cache(maxsize=1)
def _common() -> tuple[str, ...]:
    """What every bot may read, where it is."""
    settings = [f"/etc/{name}" for name in SETTINGS.split()]
    settings += [str(path) for kind in LANGUAGES for path in Path("/etc").glob(kind)]
    python = [sys.prefix, sys.base_prefix, site.getusersitepackages(), str(Path(__file__).parents[2])]
    return tuple(path for path in (*SYSTEM, *settings, *MACHINE, *python) if os.path.exists(path))


def _of_word(word: str, first: bool) -> Iterable[str]:
    """A folder that is named; a file with its folder, unless others use that as well; a program with what it needs."""
    if os.path.isdir(word):
        yield from [os.path.abspath(word)] if _is_own(word) else []
        return
    found = word if os.path.isfile(word) else shutil.which(word) if first else None
    if found is None:
        return
    path = os.path.abspath(found)
    yield path
    if not _installed(path):
        yield from filter(_is_own, {os.path.dirname(path), os.path.dirname(os.path.realpath(path))})
    if first:
        yield from _installation(path)
        yield from _interpreter(path)


def _interpreter(path: str) -> Iterable[str]:
    """What runs a script, by its first line."""
    try:
        with open(path, "rb") as file:
            line = file.readline(256)
    except OSError:
        return
    words = line[2:].decode(errors="replace").split() if line.startswith(b"#!") else []
    for word in words[:3]:
        found = shutil.which(word)
        if found and _outside(found):
            yield from _installation(os.path.abspath(found))


def _outside(path: str) -> bool:
    """Whether a path is not among the system's own."""
    return not any(path.startswith(f"{place}/") for place in SYSTEM)


def _installation(path: str) -> Iterable[str]:
    """Where a program is installed: the folder above `bin`, both of a link and of what it leads to."""
    for place in {path, os.path.realpath(path)}:
        folder = os.path.dirname(place)
        if os.path.basename(folder) in ("bin", "sbin", "shims") and _outside(place):
            above = os.path.dirname(folder)
            yield from [above] if _is_own(above) and above != _home(".local") else [folder, os.path.join(above, "lib")]


def _installed(path: str) -> bool:
    return os.path.basename(os.path.dirname(path)) in ("bin", "sbin", "shims") or not _outside(path)


def _home(*more: str) -> str:
    return os.path.join(os.path.realpath(os.path.expanduser("~")), *more)


def _is_own(folder: str) -> bool:
    """Whether a folder can be taken for the bot's own: not a home, nor what homes are in, nor one that all may use."""
    real = os.path.realpath(folder)
    return not (_home() + "/").startswith(real.rstrip("/") + "/") and real not in (*NEVER, *SHARED)


def hidden(command: Sequence[str], limits: Limits) -> list[str]:
    """What is kept from a bot even inside its own folder: solutions and compiled code, results, other bots."""
    own = {os.path.realpath(word) for word in command}
    return [path for path in (os.path.realpath(cache_home()), *limits.hidden) if path not in own]


def hiding(limits: Limits, agents: Iterable[str], *folders: Path) -> Limits:
    """Limits that also keep bots from each other's programs, and from some folders."""
    more = [str(folder.resolve()) for folder in folders] + programs(filter(is_bot, agents))
    return msgspec.structs.replace(limits, hidden=tuple(dict.fromkeys([*limits.hidden, *more])))


def programs(texts: Iterable[str]) -> list[str]:
    """The files that bots are made of, but for what the system has."""
    real = (os.path.realpath(path) for text in texts for path in files_of(text))
    return [path for path in real if _outside(path) and not _installed(path)]


def check_reads(folders: Iterable[str]) -> tuple[str, ...]:
    """More folders or files for bots to read, as full paths."""
    found = []
    for folder in folders:
        path = os.path.abspath(folder)
        if not os.path.exists(path):
            raise BadInput(f"--reads {folder}: there is nothing of that name")
        if os.path.realpath(path) in NEVER:
            raise BadInput(f"--reads {folder}: bots have their own; name a folder with files for them")
        found.append(path)
    return tuple(found)


@lru_cache(maxsize=1)
def missing() -> str:
    """What keeps this machine from isolating bots, in a few words; nothing if it can. It is tried once."""
    if sys.platform != "linux":
        return "only Linux can"
    from hazard.arena.bots.process import Process

    report = Process(["true"], Limits(), "all").finish(grace=60)
    return report.words or "unknown" if report.reason == "walls" else ""
