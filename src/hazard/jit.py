"""Compiles rules: the only module that imports numba.

A `@rule` is a plain Python function on numbers, arrays and NamedTuples. Generic code names the functions of
`hazard.contract`; `bind` makes a twin of it, and of all rules it calls, in which those names stand for one game's
own functions, and compiles the twin. Nothing is passed as a function, so every twin can be cached on disk.

Compiled code is kept under a fingerprint of all that it is made of (see `hazard.fingerprint`), so that a change to one
game leaves the code of the others alone, and a changed constant is never missed.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from hazard.fingerprint import fingerprint, global_names, resolved

INNER = "_inner"  # ends the names of twins that are only called by other twins
OLD = 30 * 86400  # seconds after which compiled code that nobody asked for is removed
_twins: dict[tuple[str, Callable, bool, bool], Callable] = {}


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


def enabled() -> bool:
    return os.environ.get("HAZARD_JIT", "1") != "0"


def switch(name: str, choices: Mapping[str, Callable]) -> Callable:
    """One rule `name(number, *arguments)` that calls the choice of that number."""
    functions = list(choices.values())
    signature = functions[0].__code__
    arguments = ", ".join(signature.co_varnames[: signature.co_argcount])
    lines = [f"def {name}(number, {arguments}):"]
    for number in range(len(functions) - 1):
        lines += [f"    if number == {number}:", f"        return choice_{number}({arguments})"]
    lines += [f"    return choice_{len(functions) - 1}({arguments})"]
    scope: dict[str, Any] = {f"choice_{number}": function for number, function in enumerate(functions)}
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


def bind(function: Callable, label: str, names: Mapping[str, Callable], compiled: bool, entry: bool = True) -> Callable:
    """The twin of `function` in which contract functions are those in `names`; `label` tells games apart."""
    function = resolved(function, names)
    key = (label, function, compiled, entry)
    if key not in _twins:
        twin = FunctionType(function.__code__, dict(function.__globals__), function.__name__, function.__defaults__)
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{label.replace('-', '_')}_{function.__qualname__}{'' if entry else INNER}"
        scope = twin.__globals__
        for name in global_names(function.__code__):
            called: Any = scope.get(name)
            if getattr(called, "is_rule", False):
                scope[name] = bind(called, label, names, compiled, entry=False)
        if not compiled:
            _twins[key] = _quiet(twin) if entry else twin
        elif entry:
            _twins[key] = _compile_entry(twin, fingerprint(function, names))
        else:
            _twins[key] = _compile_inner(twin, _is_small(function))
    return _twins[key]


def _is_small(function: Callable) -> bool:
    """Rules and leaves of the search are inlined where they are called; larger pieces stay apart to compile quickly."""
    small = ("hazard.games", "hazard.bits", "hazard.dice", "hazard.contract", "hazard.agents")
    return not hasattr(function, "is_large") and (function.__module__.startswith(small) or hasattr(function, "is_leaf"))


# Without reference counts loops are several times faster; rules therefore allocate nothing.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}


def _compile_inner(function: Callable, inline: bool) -> Callable:
    import numba

    return numba.njit(function, forceinline=inline, no_cpython_wrapper=True, **_OPTIONS)


def _compile_entry(function: FunctionType, made_of: str) -> Callable:
    """Compile what Python calls. numba is told that the function stands in a file of the folder that keeps it, which
    never changes: whether kept code is still right is a matter of the folder's name alone."""
    import numba

    _optimise_once()
    folder = _cache_folder(made_of)
    if folder is None:
        return numba.njit(function, **_OPTIONS)
    function.__code__ = function.__code__.replace(co_filename=str(folder / "entry.py"), co_firstlineno=1)
    numba.config.CACHE_DIR = str(folder)
    return _forgiving(numba.njit(function, cache=True, **_OPTIONS))


def _forgiving(entry: Any) -> Any:
    """Compile again where kept code cannot be loaded: it names the modules of its arguments' types, which may move."""
    kept: Any = entry._cache
    load = kept.load_overload

    def load_or_flush(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except (ImportError, AttributeError):
            kept.flush()
            return None

    kept.load_overload = load_or_flush
    return entry


# --- numba's private methods ---------------------------------------------------------------------------------------
# Replaced below, as they are in the releases that `TRIED` names; with any other release nothing is replaced.
#   CPUCodeLibrary._optimize_final_module, ._finalize_final_module   optimise a module, and make machine code of it
#   JITCPUCodegen.set_env                                            links a function to its Python environment
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


def _quiet(function: Callable) -> Callable:
    """Plain Python wraps 64-bit integers as compiled code does, but would warn each time."""
    import numpy as np

    def run(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return run


# --- compiled code on disk -----------------------------------------------------------------------------------------
def cache_home() -> Path:
    """Where compiled code and solutions are kept: HAZARD_CACHE, or the user's cache folder."""
    if own := os.environ.get("HAZARD_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hazard"


@cache
def _compiler() -> str:
    """What compiled code depends on besides its sources."""
    import numba

    settings = (numba.__version__, sys.version, platform.machine(), numba.config.BOUNDSCHECK, replaces_methods())
    return fingerprint(_compile_entry, {}) + str((settings, sorted(_OPTIONS.items())))


def _cache_folder(made_of: str) -> Path | None:
    """The folder of an entry, named after all that it is made of; None where nothing can be written."""
    from hazard.fingerprint import digest

    home = cache_home() / "jit"
    folder = home / digest(_compiler(), made_of)
    try:
        _remove_old(home)
        folder.mkdir(parents=True, exist_ok=True)
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
