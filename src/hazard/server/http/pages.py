"""The lab's page: one document for all its addresses, and the modules, styles and pictures that it loads."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from hazard.fingerprint import PACKAGE
from hazard.rulebook import game_names

FOLDER = PACKAGE / "web"
ADDRESSES = ("/", "/rooms/{rest:path}", "/position", "/games", "/explore", "/tournaments", "/papers")
BELOW = ("/explore/{rest:path}", "/tournaments/{rest:path}", "/papers/{rest:path}")


async def page(request: Request) -> Response:
    return FileResponse(FOLDER / "index.html", headers={"cache-control": "no-cache"})


async def no_page(request: Request) -> Response:
    """Any other address: the page says so itself."""
    return FileResponse(FOLDER / "index.html", 404, headers={"cache-control": "no-cache"})


class Fresh(StaticFiles):
    """Files that browsers ask about again, so that a new version is seen at once."""

    def file_response(self, *args: object, **named: object) -> Response:
        found = super().file_response(*args, **named)  # type: ignore[arg-type]
        found.headers["cache-control"] = "no-cache"
        return found


def page_routes() -> list[BaseRoute]:
    shown = [Route(path, page) for path in (*ADDRESSES, *BELOW)]
    folders = {name: PACKAGE / "games" / name.replace("-", "_") / "web" for name in game_names()}
    own = [Mount(f"/static/games/{name}", Fresh(directory=path)) for name, path in folders.items() if path.exists()]
    return [*shown, *own, Mount("/static", Fresh(directory=FOLDER)), Route("/{rest:path}", no_page)]
