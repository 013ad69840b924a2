"""What the conformance test finds, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from hazard.rulebook import Game


class Finding(NamedTuple):
    """Something that is wrong, or worth knowing."""

    what: str
    position: str  # that shows it
    wrong: bool = True  # otherwise it is only worth knowing


def shown(game: Game, s: Any) -> str:
    """A position in words; by its numbers where the game's own words fail."""
    try:
        return str(game.notation.text(game.table, s))
    except Exception:
        return " ".join(f"{name}={value}" for name, value in zip(s._fields, s, strict=True))


class Failure(Exception):  # noqa: N818 - what is found, not an error of the program
    """A rule that raised an error or gave something that cannot be; nothing more can be said of the position."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
