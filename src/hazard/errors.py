"""Bad input: one clear line that quotes what was wrong and says what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class BadInput(ValueError):  # noqa: N818 - what it says to the user, not that it is an error, is the point
    """The user asked for something that does not exist or cannot be."""


def unknown(kind: str, name: str, names: Iterable[str]) -> BadInput:
    """No such name, with the nearest one suggested."""
    names = sorted(names)
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names) or 'none'}"
    return BadInput(f"no {kind} {name!r}; {hint}")
