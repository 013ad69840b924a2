"""The lab itself: one page for all its addresses, and the modules, styles and pictures that it loads.

A game may have web files of its own, in the folder `web` beside its rules.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from hazard.declaration import game_names
from hazard.fingerprint import PACKAGE

FOLDER = PACKAGE / "web"
ADDRESSES = (
    "/",
    "/rooms/{rest:path}",
    "/position",
    "/games",
    "/learn",
    "/explore",
    "/tournaments",
    "/papers",
    "/atlas",
)
BELOW = ("/learn/{rest:path}", "/explore/{rest:path}", "/tournaments/{rest:path}", "/papers/{rest:path}")


def web_folder(name: str) -> Path:
    """Where a game has its own web files, if it has any."""
    return PACKAGE / "games" / name.replace("-", "_") / "web"


async def page(request: Request) -> Response:
    return FileResponse(FOLDER / "index.html", headers={"cache-control": "no-cache"})


async def no_page(request: Request) -> Response:
    """Any other address: the page itself says that it is unknown."""
    return FileResponse(FOLDER / "index.html", 404, headers={"cache-control": "no-cache"})


class Revalidated(StaticFiles):
    """Files that browsers check again each time, so that a new version is seen at once."""

    def file_response(self, *args: object, **named: object) -> Response:
        response = super().file_response(*args, **named)  # type: ignore[arg-type]
        response.headers["cache-control"] = "no-cache"
        return response


def page_routes() -> list[BaseRoute]:
    pages = [Route(path, page) for path in (*ADDRESSES, *BELOW)]
    own = [(name, web_folder(name)) for name in game_names()]
    games = [Mount(f"/static/games/{name}", Revalidated(directory=folder)) for name, folder in own if folder.is_dir()]
    return [*pages, *games, Mount("/static", Revalidated(directory=FOLDER)), Route("/{rest:path}", no_page)]
