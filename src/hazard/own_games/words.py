"""Texts of a game that has none of its own: positions as the fields of State by name, moves and outcomes as numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.notation import LONGEST

WORDS = ("text", "parse", "move_text", "outcome_text")  # that a file may have
LARGEST = 2**62  # number in a position
XMLNS = 'xmlns="http://www.w3.org/2000/svg"'  # browsers draw no picture that lacks it


def words_of(module: ModuleType, fanout: Callable[[Any], int], usual: Any, start: Any) -> ModuleType:
    """The notation of a file: its own functions, and defaults for those it does not have."""
    own = {name: getattr(module, name) for name in WORDS if hasattr(module, name)}
    if ("text" in own) != ("parse" in own):
        has, lacks = ("text", "parse") if "text" in own else ("parse", "text")
        raise BadInput(f"{module.__file__}: has {has} but not {lacks}; a text must be read back, so write both or none")
    words = ModuleType(f"{module.__name__}_words")
    vars(words).update({"text": text, "move_text": number_text, "outcome_text": number_text} | own)
    read = own.get("parse") or (lambda g, given: parse(module.State, start, g, given))
    vars(words)["parse"] = lambda g, given: checked(module, fanout, g, _read(read, g, given), given)
    vars(words)["EXAMPLE"] = words.text(usual, start)
    return words


def text(g: Any, s: Any) -> str:
    """A position: its fields by name."""
    return " ".join(f"{name}={int(value)}" for name, value in zip(s._fields, s, strict=True))


def number_text(g: Any, s: Any, number: int) -> str:
    """A move, or a way that dice land."""
    return str(number)


def parse(state: Any, start: Any, g: Any, given: str) -> Any:
    """The position that a text names field by field."""
    words = given.split(" ")
    if len(words) != len(state._fields):
        raise BadInput(f"cannot read {_brief(given)!r}; write it like {text(g, start)!r}")
    values = []
    for name, word in zip(state._fields, words, strict=True):
        match = re.fullmatch(rf"{name}=(-?\d{{1,19}})", word, re.ASCII)
        if not match or abs(int(match[1])) > LARGEST:
            raise BadInput(f"cannot read {_brief(given)!r} at {word[:40]!r}; write it like {text(g, start)!r}")
        values.append(int(match[1]))
    return state(*values)


def _read(read: Callable[[Any, str], Any], g: Any, given: str) -> Any:
    """What the file's own `parse` says; whatever it raises is about the text."""
    try:
        return read(g, given)
    except BadInput:
        raise
    except Exception as problem:
        raise BadInput(f"cannot read {_brief(given)!r}: {problem}") from problem


def checked(module: ModuleType, fanout: Callable[[Any], int], g: Any, s: Any, given: str) -> Any:
    """A position that a text stands for, if rules can make sense of it: it may come from anybody."""
    if not isinstance(s, module.State) or not 0 <= s.mover < g.players:
        raise BadInput(f"{_brief(given)!r}: mover must be a seat from 0 to {g.players - 1}")
    try:
        stuck = (
            not module.over(g, s)
            and module.chance(g, s) <= 0
            and module.legal(g, s, np.zeros(fanout(g), np.int64)) <= 0
        )
    except Exception as problem:
        raise BadInput(f"{_brief(given)!r}: the rules fail there: {type(problem).__name__}: {problem}") from problem
    if stuck:
        raise BadInput(f"{_brief(given)!r}: not over, but there is no legal move and no dice are in the air")
    return s


def _brief(given: str) -> str:
    return given if len(given) <= LONGEST else given[:LONGEST] + "..."


# --- a board ---------------------------------------------------------------------------------------------------------
def board_of(module: ModuleType) -> Callable[[Any, Any], dict[str, Any]]:
    """What the lab shows of a position besides whose turn it is: a picture, the lines of a drawing, or the fields by
    name."""
    draw, least = getattr(module, "draw", None), getattr(module, "least", None)

    def board(g: Any, s: Any) -> dict[str, Any]:
        pairs = [(name, value) for name, value in zip(s._fields, s, strict=True) if name != "mover"]
        fields = [{"name": name, "value": str(int(value))} for name, value in pairs]
        picture, lines = drawn(draw, g, s)
        few = bool(least(g)) if least else False
        return {"fields": fields, "svg": picture, "lines": lines, "least": few}

    return board


def drawn(draw: Callable[[Any, Any], Any] | None, g: Any, s: Any) -> tuple[str, list[str]]:
    """What a file draws: an SVG picture, or lines."""
    found = draw(g, s) if draw else []
    if isinstance(found, str) and found.lstrip().startswith("<svg"):
        return found.strip() if "xmlns" in found else found.strip().replace("<svg", f"<svg {XMLNS}", 1), []
    if isinstance(found, str):
        return "", found.splitlines()
    return "", [str(line) for line in found]


def lines_of(draw: Callable[[Any, Any], Any]) -> Callable[[Any, Any], list[str]]:
    """What a terminal shows: the lines, and nothing of a picture."""
    return lambda g, s: drawn(draw, g, s)[1]
