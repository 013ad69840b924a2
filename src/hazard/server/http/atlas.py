"""The atlas: famous games with their certified values, and who plays them here."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from hazard.atlas.records import lines
from hazard.atlas.table import duration, rows
from hazard.declaration import Declaration, declared

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer


all_lines = cache(lines)  # to make their games takes longer than to look for records


def _lines() -> dict[str, Any]:
    found = rows(all_lines())
    return {"lines": [row | _more(declared(row["game"]), row) for row in found]}


def _more(declaration: Declaration, row: dict[str, Any]) -> dict[str, Any]:
    """Who plays against a person: the agent that knows every value where the table is there, else a good one."""
    solved = [name for name, agent in declaration.agents.items() if agent.solved]
    against = solved[0] if row["table"] and solved else declaration.lab.opponents[0]
    return {"against": against, "time": duration(row["seconds"]) if row["certified"] else ""}


async def atlas(server: LabServer, request: Request) -> Any:
    return await asyncio.to_thread(_lines)


ROUTES = (("/api/atlas", "GET", atlas),)
