"""Puzzles: which games have some, and one after the other."""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from hazard.analysis.puzzles import Collection, Puzzle, collection_of
from hazard.declaration import declarations
from hazard.server.protocol import Refusal

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer


@cache
def collections() -> dict[str, Collection]:
    """The puzzles of all games that have some, as they are when somebody first asks."""
    return {name: found for name in declarations() if (found := collection_of(name))}


@cache
def _numbered(game: str) -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in collections()[game].puzzles}


async def _of(request: Request) -> Collection:
    known, name = await asyncio.to_thread(collections), request.path_params["game"]
    if name not in known:
        there = ", ".join(known) or "none yet"
        raise Refusal("unknown", f"there are no puzzles of {name[:64]!r}; there are puzzles of: {there}")
    return known[name]


def _described(found: Collection) -> dict[str, Any]:
    return {"parameters": found.parameters, "known": found.known}


async def games(server: LabServer, request: Request) -> Any:
    """The games that have puzzles, and how many of each level."""
    known = await asyncio.to_thread(collections)
    levels = {name: Counter(str(puzzle.level) for puzzle in found.puzzles) for name, found in known.items()}
    return {"games": {name: _described(found) | {"levels": levels[name]} for name, found in known.items()}}


async def puzzles(server: LabServer, request: Request) -> Any:
    """All puzzles of a game, each with its level; the easiest first."""
    found = await _of(request)
    return _described(found) | {"puzzles": [{"id": puzzle.id, "level": puzzle.level} for puzzle in found.puzzles]}


async def puzzle(server: LabServer, request: Request) -> Any:
    """One puzzle, with its answer."""
    found, wanted = await _of(request), request.path_params["id"]
    one = _numbered(found.game).get(wanted)
    if one is None:
        raise Refusal("unknown", f"there is no puzzle {wanted[:16]!r} of {found.game}")
    choices = [{"move": choice.move, "cost": choice.cost, "why": choice.why} for choice in one.choices]
    about = {"id": one.id, "position": one.position, "value": one.value, "level": one.level, "fooled": one.fooled}
    return _described(found) | about | {"choices": choices}


ROUTES = (
    ("/api/puzzles", "GET", games),
    ("/api/puzzles/{game}", "GET", puzzles),
    ("/api/puzzles/{game}/{id}", "GET", puzzle),
)
