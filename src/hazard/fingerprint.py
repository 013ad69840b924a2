"""What code and data are made of, as short digests: kept results and compiled code are found again only by these.

The fingerprint of a function covers what it says (not its comments, docstrings, annotations or place), and all that it
names: the rules it calls, at any depth, and the values of constants, wherever these are defined.
"""

from __future__ import annotations

import ast
import builtins
import dis
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

PACKAGE = Path(__file__).parent
LONG = 12  # letters of a digest


def digest(*parts: object) -> str:
    """A digest of some texts or bytes."""
    found = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()[:LONG]


# --- functions -----------------------------------------------------------------------------------------------------
def resolved(function: Callable, names: Mapping[str, Callable]) -> Callable:
    """A game's own function in the place of one of the contract, or another one that may be replaced."""
    replaced = function.__module__ == "hazard.contract" or hasattr(function, "is_replaceable")
    return names.get(function.__name__, function) if replaced else function


@cache
def global_names(code: CodeType) -> tuple[str, ...]:
    """The global names that code reads. Attributes are not among them, whatever they are called."""
    found = [step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in global_names(part)]
    return tuple(dict.fromkeys([*found, *inner]))


def fingerprint(function: Callable, names: Mapping[str, Callable]) -> str:
    """A digest of a function and of all that it is made of; `names` are a game's own functions of the contract."""
    waiting, seen, parts = [resolved(function, names)], {}, []  # type: list[Callable], dict[Callable, int], list[str]
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen[here] = len(seen)
        parts.append(source_of(here))
        parts.append(contents(here.__defaults__ or ()))
        for name in global_names(here.__code__):
            value: Any = here.__globals__.get(name, vars(builtins).get(name))
            if getattr(value, "is_rule", False):
                called = resolved(value, names)
                waiting.append(called)
                parts.append(f"{name} calls {called.__qualname__}")
            else:
                parts.append(f"{name} is {described(value, here.__code__, name)}")
    return digest(*parts)


def described(value: Any, code: CodeType, name: str) -> str:
    """A constant by its value, a class by its fields, anything else by its name."""
    if isinstance(value, ModuleType):
        read = [getattr(value, attribute, None) for known, attribute in _attributes(code) if known == name]
        return f"{value.__name__} {[described(found, code, '') for found in read]}"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"{value.__name__} {value._fields} {getattr(value, '_field_defaults', '')}"
    if hasattr(value, "tobytes") and not isinstance(value, type):
        return f"{value.dtype} {value.shape} {digest(value.tobytes())}"
    if isinstance(value, dict | list | tuple | set | frozenset | int | float | complex | str | bytes | None):
        return repr(value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


@cache
def _attributes(code: CodeType) -> tuple[tuple[str, str], ...]:
    """What code reads of globals: their names, and those of attributes."""
    steps = pairwise(dis.get_instructions(code))
    read = ("LOAD_ATTR", "LOAD_METHOD")
    found = [(a.argval, b.argval) for a, b in steps if a.opname == "LOAD_GLOBAL" and b.opname in read]
    return tuple(dict.fromkeys(found))


def source_of(function: Callable) -> str:
    """What a function says, without comments, docstrings, annotations and decorators."""
    text = getattr(function, "source", None)  # of a function that was made from a text
    return text if text is not None else _own_source(function.__code__)


@cache
def _own_source(code: CodeType) -> str:
    return bare(textwrap.dedent(inspect.getsource(code)))


class _Bare(ast.NodeTransformer):
    """Leaves out of functions and classes what does not change what they do."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list, node.returns = [], None
        return self._visit_body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._visit_body(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        return self._visit_body(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def _visit_body(self, node: Any) -> ast.AST:
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)


# --- values and files ----------------------------------------------------------------------------------------------
def contents(value: Any) -> str:
    """A digest of numbers, texts and arrays, in tuples of any depth."""
    if hasattr(value, "tobytes"):
        return digest(value.dtype, value.shape, value.tobytes())
    if isinstance(value, tuple):
        return digest(getattr(value, "_fields", ""), *map(contents, value))
    return digest(type(value).__name__, value)


@cache
def code_digest(*files: Path) -> str:
    """A digest of what files say as code: comments, docstrings and layout do not count."""
    return digest(*(_read(path).bare for path in files if path.stat().st_size))


def imported(*files: Path) -> list[Path]:
    """Some Python files of the package and all that they import of it, at any depth, also within functions."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += [path for name in _read(here).imports for path in _files_of(name)]
    return sorted(found)


class _File(NamedTuple):
    """What a Python file says."""

    bare: str
    imports: tuple[str, ...]  # names of modules, or of what is in them


@cache
def _read(file: Path) -> _File:
    tree = parsed(file.read_text())
    tree.body = [part for part in tree.body if not _for_types_only(part)]
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return _File(ast.unparse(_Bare().visit(tree)), tuple(names))


def _for_types_only(part: ast.stmt) -> bool:
    return isinstance(part, ast.If) and getattr(part.test, "id", "") == "TYPE_CHECKING"


def _files_of(name: str) -> set[Path]:
    """The file of a module of the package, and those of the packages that it lies in."""
    first, *parts = name.split(".")
    if first != PACKAGE.name:
        return set()
    places = [PACKAGE.joinpath(*parts[:depth]) for depth in range(len(parts) + 1)]
    return {path for place in places for path in (Path(f"{place}.py"), place / "__init__.py") if path.is_file()}


def bare(text: str) -> str:
    """What a text says as code."""
    return ast.unparse(_Bare().visit(parsed(text)))


def parsed(text: str) -> ast.Module:
    """The syntax of a text. Python 3.11 may stumble ("AST constructor recursion depth mismatch") if two threads parse
    at the same time; it is then tried again."""
    for _ in range(9):
        with suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


def package_folder(module: ModuleType) -> Path:
    """The folder that a module lies in."""
    return Path(module.__file__ or "").parent


def package_files(*places: str) -> list[Path]:
    """The Python files of some modules and folders of the package, e.g. "solving", "games/pig/rules.py"."""
    found: set[Path] = set()
    for place in places:
        path = PACKAGE / place
        found |= set(path.rglob("*.py")) if path.is_dir() else {path}
    return sorted(found)
