"""The games there are: parameters, agents, and how the lab offers each of them."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from hazard.declaration import atlas_names, declarations, declared
from hazard.rulebook import game
from hazard.server.http.pages import web_folder

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

SCRIPTS = ("board", "card", "explore")  # that a game may have of its own


@cache
def all_games() -> dict[str, Any]:
    return {"games": {name: _game_data(name) for name in [*declarations(), *sorted(atlas_names())]}}


def _game_data(name: str) -> dict[str, Any]:
    declaration, usual = declared(name), game(name)
    return {
        "atlas": name in atlas_names(),  # is offered on the page of the atlas, and not first of all
        "title": declaration.title,
        "summary": declaration.summary,
        "position": declaration.notation.EXAMPLE,
        "seats": [usual.seat_name(seat) for seat in range(usual.seats)],
        "parameters": [
            {"name": p.name, "default": p.default, "range": p.range, "help": p.help, "choices": p.choices}
            for p in declaration.parameters
        ],
        "agents": {
            key: {"summary": agent.summary, "slow": agent.slow, "solved": agent.solved}
            for key, agent in declaration.agents.items()
        },
        "rules": usual.version,
        "lab": asdict(declaration.lab) | {"web": [script for script in SCRIPTS if _has_script(name, script)]},
    }


def _has_script(name: str, script: str) -> bool:
    return (web_folder(name) / f"{script}.js").is_file()


async def games(server: LabServer, request: Request) -> Any:
    return await asyncio.to_thread(all_games)


ROUTES = (("/api/games", "GET", games),)
