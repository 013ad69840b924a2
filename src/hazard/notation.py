"""Shared by the games' notations: reading a text part by part, with errors that point at the place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hazard.errors import BadInput

LONGEST = 200  # characters


def read(text: str, parts: Sequence[str], example: str) -> dict[str, str | None]:
    """The named groups of the parts, which must follow each other and use up the text."""
    found: dict[str, str | None] = {}
    at = 0
    for part in parts:
        match = re.compile(part, re.ASCII).match(text, at)
        if not match:
            break
        found.update(match.groupdict())
        at = match.end()
    else:
        if at == len(text):
            return found
    shown = text if len(text) <= LONGEST else text[:LONGEST] + "..."
    raise BadInput(f"cannot read {shown!r} at character {at + 1} ({text[at : at + 12]!r}); write it like {example!r}")


def whole(found: dict[str, str | None], name: str) -> int:
    """A whole number among the parts; 0 if it was left out."""
    return int(found.get(name) or 0)
