"""Errors that come out of a user's file while it is compiled or played, in one line: where, what, and what to write."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from hazard.own_games.load import line_in

HINTS = {  # by what numba says
    r"unicode_type|'str'|build_string|format_value|DictType|build_map|build_set": (
        "rules know only numbers, tuples and arrays: texts belong in move_text, outcome_text and draw"
    ),
    r"list|NRT|np\.zeros|np\.empty": (
        "rules make no lists or arrays: read tables that `make` made, and keep numbers in the State"
    ),
    r"Untyped global name": "a rule calls what is marked @rule, and reads numbers, tuples and arrays of the file",
    r"Unknown attribute|has no attribute": "g has the fields of Params (or of what `make` returns), s those of State",
    r"[Cc]annot unify|[Cc]an't unify": (
        "every way through a rule must give the same kind of value: a State of whole numbers (for a truth value write "
        "1 if ... else 0), a payoff that is always a float"
    ),
    r"[Uu]nsupported|not supported": (
        "compiled rules have if, for, while, arithmetic, comparisons, tuples and calls of other rules"
    ),
}


def explain(problem: BaseException, paths: Sequence[str]) -> str | None:
    """One line about an error that has to do with one of these files; None if it has not."""
    if type(problem).__module__.startswith("numba"):
        return _compiling(str(problem), paths)
    for path in paths:
        if line := line_in(path, problem):
            hint = _hint(str(problem)) if isinstance(problem, AttributeError) else ""
            return f"{path}{line}: {type(problem).__name__}: {problem}{hint}"
    if isinstance(problem, IndexError) and "out of bounds" in str(problem) and paths:
        return (
            f"{paths[-1]}: a rule reads or writes past the end of an array, or a mover is no seat; "
            f"`hazard check {paths[-1]}` shows where"
        )
    return None


def _compiling(said: str, paths: Sequence[str]) -> str | None:
    """What numba says, with the last line of the file that it names."""
    places = [(os.path.abspath(path), line) for path, line in re.findall(r'File "([^"]+)", line (\d+)', said)]
    places += [(os.path.abspath(path), line) for path, line in re.findall(r"at (\S+\.py) \((\d+)\)", said)]
    mine = [(path, line) for path, line in places if path in paths]
    if not mine:
        return None
    path, line = mine[0]
    return f"{path} line {line}: cannot be compiled: {_reason(said)}{_hint(said)}"


def _hint(said: str) -> str:
    return next((f"; {words}" for pattern, words in HINTS.items() if re.search(pattern, said)), "")


def _reason(said: str) -> str:
    """The line that says why, without what numba says around it."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in said.splitlines()]
    around = ("Failed in", "During", "File", "[", "There are", "-", "Overload", "Of which", "<source", "def ", "Raised")
    kept = [line for line in lines if line and not line.startswith(around)]
    return " ".join(kept[:1]).replace("Invalid use of", "wrong use of")[:300] or "numba does not say why"
