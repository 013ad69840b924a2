"""Compiles rules: the only module that imports numba.

A `@rule` is a plain Python function on numbers, arrays and NamedTuples. Generic code names the functions of
`hazard.contract`; `bind` makes a twin of it, and of all rules it calls, in which those names stand for one game's
own functions, and compiles the twin. Nothing is passed as a function, so every twin can be cached on disk.
"""

from __future__ import annotations

import ast
import hashlib
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

PACKAGE = Path(__file__).parent
INNER = "_inner"  # ends the names of twins that are only called by other twins
_twins: dict[tuple[str, Callable, bool, bool], Callable] = {}


def rule(function: Callable) -> Callable:
    """Mark a function as part of the rules, or as generic code over them; it stays plain Python until bound."""
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def enabled() -> bool:
    return os.environ.get("HAZARD_JIT", "1") != "0"


def switch(name: str, choices: Mapping[str, Callable], file: str) -> Callable:
    """One rule `name(number, *arguments)` that calls the choice of that number. `file` owns its cached code."""
    functions = list(choices.values())
    signature = functions[0].__code__
    arguments = ", ".join(signature.co_varnames[: signature.co_argcount])
    lines = [f"def {name}(number, {arguments}):"]
    for number in range(len(functions) - 1):
        lines += [f"    if number == {number}:", f"        return choice_{number}({arguments})"]
    lines += [f"    return choice_{len(functions) - 1}({arguments})"]
    scope: dict[str, Any] = {f"choice_{number}": function for number, function in enumerate(functions)}
    exec("\n".join(lines), scope)  # the text is built from numbers and our own argument names only
    function = scope[name]
    function.__code__ = function.__code__.replace(co_filename=file)
    function.__module__ = functions[0].__module__
    return rule(function)


def bind(function: Callable, label: str, names: Mapping[str, Callable], compiled: bool, entry: bool = True) -> Callable:
    """The twin of `function` in which contract functions are those in `names`; `label` tells games apart."""
    if function.__module__ == "hazard.contract":
        function = names.get(function.__name__, function)
    key = (label, function, compiled, entry)
    if key not in _twins:
        twin = FunctionType(function.__code__, dict(function.__globals__), function.__name__, function.__defaults__)
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{label.replace('-', '_')}_{function.__qualname__}{'' if entry else INNER}"
        scope = twin.__globals__
        for name in function.__code__.co_names:
            called: Any = scope.get(name)
            if getattr(called, "is_rule", False):
                scope[name] = bind(called, label, names, compiled, entry=False)
        _twins[key] = _compile(twin, entry, _is_small(function)) if compiled else _quiet(twin) if entry else twin
    return _twins[key]


def _is_small(function: Callable) -> bool:
    """Rules and leaves of the search are inlined where they are called; larger pieces stay apart to compile quickly."""
    small = ("hazard.games", "hazard.dice", "hazard.contract", "hazard.agents")
    return not hasattr(function, "is_large") and (function.__module__.startswith(small) or hasattr(function, "is_leaf"))


def leaf(function: Callable) -> Callable:
    """Mark a small rule that is to be inlined where it is called."""
    function.is_leaf = True  # type: ignore[attr-defined]
    return rule(function)


def large(function: Callable) -> Callable:
    """Mark a rule of a game that is to stay apart: many others call it."""
    function.is_large = True  # type: ignore[attr-defined]
    return rule(function)


def _compile(function: Callable, entry: bool, inline: bool) -> Callable:
    """Compile without reference counts, which makes loops several times faster; rules therefore allocate nothing."""
    import numba

    _optimise_once()
    folder = _cache_folder()
    if folder:
        numba.config.CACHE_DIR = str(folder)
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False, "no_cfunc_wrapper": True}
    if entry:
        return numba.njit(function, cache=folder is not None, **options)
    return numba.njit(function, forceinline=inline, no_cpython_wrapper=True, **options)


@cache
def _optimise_once() -> None:
    """Leave inner twins as they are until they are part of an entry.

    numba would optimise them and make machine code of them at every level of calls, which takes most of the time to
    compile. This replaces three private methods; where a numba has none of that name, nothing is changed.
    """
    from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen

    optimise, finish = (getattr(CPUCodeLibrary, f"_{name}_final_module", None) for name in ("optimize", "finalize"))
    set_env = getattr(JITCPUCodegen, "set_env", None)
    if not (optimise and finish and set_env):
        return

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


def cache_home() -> Path:
    """Where compiled code and solutions are kept: HAZARD_CACHE, or the user's cache folder."""
    if own := os.environ.get("HAZARD_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hazard"


@cache
def _cache_folder() -> Path | None:
    """numba does not notice when a called file changes, so the folder's name carries a digest of all sources."""
    import numba

    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_bytes()
        if b"@rule" in source or b"@large" in source or path.name == "jit.py":
            digest.update(str(path.relative_to(PACKAGE)).encode() + source)
    digest.update(f"{numba.__version__} {sys.version} {platform.machine()} {numba.config.BOUNDSCHECK}".encode())
    home = cache_home() / "jit"
    folder = home / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for old in home.iterdir():
            if old.stat().st_mtime < time.time() - 14 * 86400:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return None
    return folder


def _starts_with_text(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[0], ast.Expr) and isinstance(getattr(body[0].value, "value", None), str)


def reached(*files: Path) -> set[Path]:
    """Files of the package, and all files of it that these import when they are loaded."""
    found, left = set(), [*files]  # type: tuple[set[Path], list[Path]]
    while left:
        here = left.pop()
        if here in found:
            continue
        found.add(here)
        for node in ast.parse(here.read_text()).body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE.name}."):
                place = PACKAGE.joinpath(*str(node.module).split(".")[1:])
                named = [place / f"{alias.name}.py" for alias in node.names]
                left += [file for file in (place.with_suffix(".py"), place / "__init__.py", *named) if file.exists()]
    return found


@cache
def version(*files: Path) -> str:
    """A digest of what the files say as code: comments, docstrings and layout do not count."""
    digest = hashlib.sha256()
    for path in files:
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list) and _starts_with_text(body):
                del body[0]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:12]
