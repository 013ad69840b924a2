"""Compiles rules: the only module that imports numba.

A `@rule` is a plain Python function on numbers, arrays and NamedTuples. Generic code names the functions of
`hazard.contract`; `bind` makes a twin of it, and of all rules it calls, in which those names stand for one game's
own functions, and compiles the twin. Nothing is passed as a function, so every twin can be cached on disk.

Compiled code is kept under a fingerprint of all that it is made of (see `hazard.fingerprint`), so that a change to one
game leaves the code of the others alone, and a changed constant is never missed.
"""

from __future__ import annotations

import fcntl
import gc
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from hazard.files import others_may_write, private, write_whole
from hazard.fingerprint import fingerprint, global_names, resolved

INNER = "_inner"  # ends the names of twins that are only called by other twins
OLD = 30 * 86400  # seconds after which compiled code that nobody asked for is removed
SUMS = "sums.json"  # the checksums of the files of an entry
_twins: dict[tuple[Any, ...], Callable] = {}
_is_quiet = False
on_compile: Callable[[str, int, int], None] | None = None  # told what is compiled, how many parts are done, of how many


def rule(function: Callable) -> Callable:
    """Mark a function as part of the rules, or as generic code over them; it stays plain Python until bound."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def leaf(function: Callable) -> Callable:
    """Mark a small rule that is to be inlined where it is called."""
    function.is_leaf = True  # type: ignore[attr-defined]
    return rule(function)


def large(function: Callable) -> Callable:
    """Mark a rule of a game that is to stay apart: many others call it."""
    function.is_large = True  # type: ignore[attr-defined]
    return rule(function)


def replaceable(function: Callable) -> Callable:
    """Mark a rule whose place another may take, as with the rules of the contract; see `Game.compiled`."""
    function.is_replaceable = True  # type: ignore[attr-defined]
    return rule(function)


def own(function: Callable) -> Callable:
    """Mark a rule that comes from a user's file. It is small, and all code bound to such rules is compiled with bounds
    checks, so that a mistake in them ends with an error and not with memory overwritten."""
    function.is_own = True  # type: ignore[attr-defined]
    return function


def enabled() -> bool:
    return os.environ.get("HAZARD_JIT", "1") != "0"


def switch(name: str, choices: Mapping[str, Callable]) -> Callable:
    """One rule `name(number, *arguments)` that calls the choice of that number; all give one kind of whole number.

    Arguments with a default keep it.
    """
    import numpy as np

    functions: list[Any] = list(choices.values())
    signature, defaults = functions[0].__code__, functions[0].__defaults__ or ()
    arguments = ", ".join(signature.co_varnames[: signature.co_argcount - len(defaults)])
    lines = [f"def {name}(number, {arguments}):"]
    for number in range(len(functions) - 1):
        lines += [f"    if number == {number}:", f"        return whole(choice_{number}({arguments}))"]
    lines += [f"    return whole(choice_{len(functions) - 1}({arguments}))"]
    scope: dict[str, Any] = {"whole": np.int64} | {
        f"choice_{number}": function for number, function in enumerate(functions)
    }
    text = "\n".join(lines)
    exec(text, scope)  # the text is built from numbers and our own argument names only
    function = scope[name]
    function.__module__ = functions[0].__module__
    function.source = text
    return rule(function)


def unpacker(state: Any) -> Callable:
    """A rule `unpack(row)` that makes such a state from an array of its numbers."""
    text = f"def unpack(row):\n    return State({', '.join(f'row[{n}]' for n in range(len(state._fields)))})"
    scope: dict[str, Any] = {"State": state}
    exec(text, scope)  # the text is built from numbers only
    function = scope["unpack"]
    function.__module__, function.source = state.__module__, text
    return rule(function)


def packer(state: Any) -> Callable:
    """A rule `pack` that puts the numbers of such a state into two words; see `hazard.contract.pack`."""
    lines = ["def pack(s, low, check, bits, at):", "    a, b, spill = 0, 0, 0"]
    for n in range(len(state._fields)):
        lines += [f"    v = int(s[{n}]) - low[{n}]", f"    spill |= (v >> bits[{n}]) & check[{n}]"]
        lines += [f"    if int(s[{n}]) != s[{n}]:", "        spill |= 1"]
        lines += [f"    if at[{n}] < 64:", f"        a |= v << at[{n}]"]
        lines += ["    else:", f"        b |= v << (at[{n}] - 64)"]
    text = "\n".join([*lines, "    return a, b, spill"])
    scope: dict[str, Any] = {}
    exec(text, scope)  # the text is built from numbers only
    function = scope["pack"]
    function.__module__, function.source = state.__module__, text
    return rule(function)


def bind(function: Callable, label: str, names: Mapping[str, Callable], compiled: bool, entry: bool = True) -> Callable:
    """The twin of `function` in which contract functions are those in `names`.

    `label` tells games apart, and after a slash what else there is to tell apart.
    """
    function = resolved(function, names)
    start = names.get("start")  # tells a file from what it was before it was changed
    key = (label, start, function, compiled, entry)
    if key not in _twins:
        checked = hasattr(start, "is_own")
        twin = FunctionType(function.__code__, dict(function.__globals__), function.__name__, function.__defaults__)
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{re.sub('[^a-z0-9]', '_', label)}_{function.__qualname__}{'' if entry else INNER}"
        scope = twin.__globals__
        for name in global_names(function.__code__):
            called: Any = scope.get(name)
            if getattr(called, "is_rule", False):
                scope[name] = bind(called, label, names, compiled, entry=False)
        vars(twin)["title"] = f"{label.partition('/')[0]} ({function.__name__.replace('_', ' ')})"
        if not compiled:
            _twins[key] = _quiet(twin) if entry else twin
        elif entry:
            _twins[key] = _compile_entry(twin, made_of(function, names), checked)
        else:
            _twins[key] = _compile_inner(twin, _is_small(function), checked)
    return _twins[key]


def made_of(function: Callable, names: Mapping[str, Callable]) -> str:
    """What compiled code is found again by: all that it is made of, and whether it checks indices."""
    return fingerprint(function, names) + (" checked" if hasattr(names.get("start"), "is_own") else "")


def _is_small(function: Callable) -> bool:
    """Rules and leaves of the search are inlined where they are called; larger pieces stay apart to compile quickly."""
    small = ("hazard.games", "hazard.bits", "hazard.dice", "hazard.contract", "hazard.agents")
    marked = hasattr(function, "is_leaf") or hasattr(function, "is_own")
    return not hasattr(function, "is_large") and (function.__module__.startswith(small) or marked)


# Without reference counts loops are several times faster; rules therefore allocate nothing.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def _options(checked: bool) -> dict[str, Any]:
    return _OPTIONS | ({"boundscheck": True} if checked else {})


def _compile_inner(function: Callable, inline: bool, checked: bool) -> Callable:
    import numba

    return numba.njit(function, forceinline=inline, no_cpython_wrapper=True, **_options(checked))


def _compile_entry(function: FunctionType, made_of: str, checked: bool) -> Callable:
    """Compile what Python calls. numba is told that the function stands in a file of the folder that keeps it, which
    never changes: whether kept code is still right is a matter of the folder's name alone."""
    import numba

    _optimise_once()
    folder = _cache_folder(made_of)
    if folder is None:
        return numba.njit(function, **_options(checked))
    function.__code__ = function.__code__.replace(co_filename=str(folder / "entry.py"), co_firstlineno=1)
    numba.config.CACHE_DIR = str(folder)
    compiled = numba.njit(function, cache=True, **_options(checked))
    _forgive_damage(compiled, folder)
    _compile_once(compiled, folder)
    return compiled


def _forgive_damage(compiled: Any, folder: Path) -> None:
    """Let kept code count as absent if it is not what was written: files that were cut short, or in which a bit has
    changed; or if it names types which have moved to another module since."""
    cache: Any = getattr(compiled, "_cache", None)
    load, save = getattr(cache, "load_overload", None), getattr(cache, "save_overload", None)
    if load is None or save is None:
        return

    def load_or_compile(*arguments: Any) -> Any:
        try:
            if _sums(folder) == _known_sums(folder):
                return load(*arguments)
        except Exception:  # whatever reading it may raise
            pass
        _forget(folder)
        return None

    def save_with_sums(*arguments: Any) -> None:
        save(*arguments)
        write_whole(folder / SUMS, json.dumps(_sums(folder)).encode())

    cache.load_overload, cache.save_overload = load_or_compile, save_with_sums


def _sums(folder: Path) -> dict[str, str]:
    """The checksums of kept code."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(kept_files(folder))}


def _known_sums(folder: Path) -> dict[str, str]:
    """The same as they were when it was written."""
    return json.loads((folder / SUMS).read_text()) if (folder / SUMS).exists() else {}


def _forget(folder: Path) -> None:
    for path in [folder / SUMS, *kept_files(folder)]:
        path.unlink(missing_ok=True)


def _compile_once(compiled: Any, folder: Path) -> None:
    """Let processes that need the same code wait for the first of them, and read what it has compiled."""
    compile_now = compiled.compile

    def compile_or_read(signature: Any) -> Any:
        with _locked(folder), _without_collecting(), _announced(compiled):
            return compile_now(signature)

    compiled.compile = compile_or_read


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes out. A process that ends, however it ends, leaves the lock open."""
    try:
        lock = (folder / "lock").open("w")
    except OSError:  # the folder has been removed: nothing is shared
        yield
        return
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Compilers make many objects that live on; looking for garbage among them takes a tenth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _announced(compiled: Any) -> Iterator[None]:
    """Tell `on_compile` how many of the functions that an entry is made of have been compiled."""
    if on_compile is None:
        yield
        return
    from numba.core import event

    title, parts, told = compiled.py_func.title, len(_parts(compiled.py_func)), on_compile

    class Tell(event.Listener):
        done = 0

        def on_start(self, event: Any) -> None:
            told(title, self.done, parts)

        def on_end(self, event: Any) -> None:
            self.done = min(self.done + 1, parts)
            told(title, self.done, parts)

    with event.install_listener("numba:compile", Tell()):
        yield


def _parts(function: Any, known: set[Any] | None = None) -> set[Any]:
    """The twins that a twin is made of, itself included."""
    known = set() if known is None else known
    known.add(function)
    for name in global_names(function.__code__):
        inner = getattr(function.__globals__.get(name), "py_func", None)
        if inner is not None and inner not in known and inner.__qualname__.endswith(INNER):
            _parts(inner, known)
    return known


# --- numba's private methods ---------------------------------------------------------------------------------------
# Replaced below, as they are in the releases that `TRIED` names; with any other release nothing is replaced.
#   CPUCodeLibrary._optimize_final_module, ._finalize_final_module   optimise a module, and make machine code of it
#   JITCPUCodegen.set_env                                            links a function to its Python environment
#   FunctionCache.load_overload, .save_overload of its _cache        read and write kept code, here with checksums
#   Dispatcher.compile of a function                                 compiles it, or reads kept code
# If a release changes what they do, code compiles several times slower, or a test in tests/test_compiled.py fails that
# compares compiled with plain play. Try such a release with HAZARD_NUMBA=plain, which leaves numba as it is.
TRIED = ("0.68",)


def replaces_methods() -> bool:
    """Whether numba's private methods are replaced: for releases that were tried, unless told otherwise."""
    import numba
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

    names = [(CPUCodeLibrary, "_optimize_final_module"), (CPUCodeLibrary, "_finalize_final_module")]
    there = all(hasattr(owner, name) for owner, name in [*names, (JITCPUCodegen, "set_env")])
    tried = ".".join(numba.__version__.split(".")[:2]) in TRIED
    return there and tried and os.environ.get("HAZARD_NUMBA") != "plain"


@cache
def _optimise_once() -> None:
    """Leave inner twins as they are until they are part of an entry.

    numba would optimise them and make machine code of them at every level of calls, which takes most of the time to
    compile.
    """
    if not replaces_methods():
        return
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

    optimise, finish = CPUCodeLibrary._optimize_final_module, CPUCodeLibrary._finalize_final_module
    set_env = JITCPUCodegen.set_env

    def optimise_entry(library: Any) -> None:
        if library.name.endswith(INNER):
            return
        for function in library._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"  # nobody else calls it, so it may be changed to suit the entry
        optimise(library)

    def finish_entry(library: Any) -> None:
        if library.name.endswith(INNER):
            library._finalized = True
        else:
            finish(library)

    def set_env_of_entry(codegen: Any, name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(codegen, name, env)

    CPUCodeLibrary._optimize_final_module = optimise_entry
    CPUCodeLibrary._finalize_final_module = finish_entry
    JITCPUCodegen.set_env = set_env_of_entry


def quieten() -> None:
    """Say once for a whole program that numbers may wrap, instead of at every call of a rule in plain Python."""
    global _is_quiet
    import numpy as np

    np.seterr(over="ignore")
    _is_quiet = True


def _quiet(function: Callable) -> Callable:
    """Plain Python wraps 64-bit integers as compiled code does, but would warn each time."""
    import numpy as np

    def run(*arguments: Any) -> Any:
        if _is_quiet:
            return function(*arguments)
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run


# --- compiled code on disk -----------------------------------------------------------------------------------------
def cache_home() -> Path:
    """Where compiled code and solutions are kept: HAZARD_CACHE, or the user's cache folder. It is only its owner's:
    numba's files are programs, which run when they are read."""
    if given := os.environ.get("HAZARD_CACHE"):
        return private(Path(given))
    return private(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hazard", secret=True)


@cache
def _compiler() -> str:
    """What compiled code depends on besides its sources."""
    from importlib.metadata import version

    told = os.environ.get("NUMBA_BOUNDSCHECK"), os.environ.get("HAZARD_NUMBA")
    settings = (version("numba"), sys.version, platform.machine(), SUMS, *told)
    return fingerprint(_compile_entry, {}) + str((settings, sorted(_OPTIONS.items())))


def kept_files(folder: Path) -> list[Path]:
    """The files of compiled code in the folder of an entry."""
    return [*folder.rglob("*.nbi"), *folder.rglob("*.nbc")]


def is_kept(made_of: str) -> bool:
    """Whether compiled code of such a fingerprint is there to be read; numba need not be imported to know."""
    folder = _cache_folder(made_of)
    return folder is not None and (folder / SUMS).exists()


def _cache_folder(made_of: str) -> Path | None:
    """The folder of an entry, named after all that it is made of; None where nothing can be written."""
    from hazard.fingerprint import digest

    home = private(cache_home() / "jit")
    folder = home / digest(_compiler(), made_of)
    try:
        _remove_old(home)
        folder.mkdir(0o700, parents=True, exist_ok=True)
        if others_may_write(folder):
            return None
        (folder / "entry.py").touch()
        os.utime(folder)
    except OSError:
        return None
    return folder.resolve()


@cache
def _remove_old(home: Path) -> None:
    for old in home.iterdir() if home.is_dir() else ():
        if old.stat().st_mtime < time.time() - OLD:
            shutil.rmtree(old, ignore_errors=True)
