"""Reads a file with a game. What is wrong with it is said in one line, with the line of the file."""

from __future__ import annotations

import linecache
import re
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from hazard.declaration import Declaration, GameFile, installed_names, name_in
from hazard.errors import BadInput
from hazard.fingerprint import bare, digest
from hazard.own_games.declare import declare

_loaded: dict[GameFile, Declaration] = {}


def load(path: str, noted: str = "") -> Declaration:
    """The game in a file; refused if the digest of what it says is not the one that was noted, if any."""
    place = Path(path).absolute()
    known = GameFile(str(place), noted)
    if known not in _loaded:
        text = _read(place)
        known = GameFile(str(place), digest(_parsed(place, text)))
        if noted and known.digest != noted:
            raise BadInput(f"{path} has changed since; what was made with it is not used any more")
        if known not in _loaded:
            name = _checked_name(place)
            _loaded[known] = declare(_executed(place, text), name, text, known)
    return _loaded[known]


def brought(name: str, point: Any) -> Declaration:
    """A game that an installed package brings by an entry point: a declaration, or a module like such a file."""
    try:
        found = point.load()
    except Exception as problem:
        raise BadInput(f"game {name!r} of {point.value}: {type(problem).__name__}: {problem}") from problem
    if isinstance(found, Declaration):
        return found
    if not isinstance(found, ModuleType):
        raise BadInput(f"game {name!r} of {point.value}: must be a module with rules, or a Declaration")
    return declared_in(found, name)


def declared_in(module: ModuleType, name: str) -> Declaration:
    """The game in a module that was imported."""
    return declare(module, name, Path(module.__file__ or "").read_text(encoding="utf-8"), None)


def _read(place: Path) -> str:
    if place.suffix != ".py" or not place.is_file():
        why = "there is no such file" if place.suffix == ".py" else "a game is a file that ends in .py"
        raise BadInput(f"{place}: {why}; `hazard new mygame.py` writes one to start from")
    try:
        return place.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadInput(f"{place}: is not text in UTF-8") from None


def _parsed(place: Path, text: str) -> str:
    try:
        return bare(text)
    except (SyntaxError, ValueError, RecursionError) as problem:
        line = f" line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        said = problem.msg if isinstance(problem, SyntaxError) else str(problem)
        raise BadInput(f"{place}{line}: {said}") from problem


def _checked_name(place: Path) -> str:
    """The name of the game in a file, which no other game may have."""
    name = name_in(str(place))
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise BadInput(f"{place}: a game has the name of its file; use small letters, digits and _, e.g. my_game.py")
    if name in installed_names():
        raise BadInput(f"{place}: there is a game {name!r} already; give the file another name")
    return name


def _executed(place: Path, text: str) -> ModuleType:
    """The file as a module. Its name stays the same when the file changes: compiled code that is kept names it."""
    module = ModuleType(f"hazard_own_{place.stem}_{digest(str(place))}")
    module.__file__ = str(place)
    linecache.cache[str(place)] = (len(text), None, text.splitlines(keepends=True), str(place))
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, str(place), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as problem:
        sys.modules.pop(module.__name__)
        if before:
            sys.modules[module.__name__] = before
        raise BadInput(f"{place}{line_in(place, problem)}: {type(problem).__name__}: {problem}") from problem
    return module


def line_in(place: Path | str, problem: BaseException) -> str:
    """The last line of the file that an error came through, as " line 7"; nothing if it did not."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == str(place)]
    return f" line {lines[-1]}" if lines else ""
