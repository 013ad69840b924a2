"""The papers that the games come from: what each published, and the results of the last `hazard reproduce`.

Figures come from the folder that the server is given as --results. Nothing else in it is shown but its pictures. A
study that is being made says how far it is.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import FileResponse

from hazard.declaration import Paper, declarations
from hazard.results import VERDICTS, read_results
from hazard.server.protocol import Refusal

if TYPE_CHECKING:
    from hazard.server.http.app import LabServer

KINDS = {".svg": "image/svg+xml", ".png": "image/png"}


@cache
def all_papers() -> dict[str, Paper]:
    """The papers by the names of their games, the oldest first; those without a year come last."""
    papers = {name: game.paper for name, game in declarations().items() if game.paper}
    return dict(sorted(papers.items(), key=lambda item: item[1].year or "9999"))


def _results(server: LabServer) -> dict[str, Any]:
    try:
        return read_results(server.results_folder)
    except (OSError, ValueError) as problem:
        raise Refusal("state", f"{server.results_folder} cannot be read as a folder of results ({problem})") from None


async def make_missing(server: LabServer) -> None:
    """Begin to make the quick studies that are not there."""
    papers = await asyncio.to_thread(all_papers)
    try:
        there = await asyncio.to_thread(_results, server)
    except Refusal:
        return  # whoever looks at the papers is told
    server.studies.start([name for name, paper in papers.items() if paper.quick and name not in there])


def _row(server: LabServer, name: str, study: dict[str, Any] | None) -> dict[str, Any]:
    counts = Counter(finding["verdict"] for finding in study["findings"]) if study else Counter()
    command, making = f"hazard reproduce {name} --out {server.studies.folder}", server.studies.making.get(name)
    verdicts = {verdict: counts[verdict] for verdict in VERDICTS}
    paper = {"name": name} | asdict(all_papers()[name])
    shown = {"run": study is not None, "verdicts": verdicts, "command": command}
    return paper | shown | {"making": making if study is None else None}


async def papers(server: LabServer, request: Request) -> Any:
    """All papers, with the number of their figures that were reproduced."""
    studies = await asyncio.to_thread(_results, server)
    names = await asyncio.to_thread(all_papers)
    return {"papers": [_row(server, name, studies.get(name)) for name in names]}


async def paper(server: LabServer, request: Request) -> Any:
    """One paper, with every figure."""
    name, names = request.path_params["name"], await asyncio.to_thread(all_papers)
    if name not in names:
        raise Refusal("unknown", f"there is no paper {name[:64]!r}; there are {', '.join(names)}")
    study = (await asyncio.to_thread(_results, server)).get(name)
    return _row(server, name, study) | {"study": study}


async def picture(server: LabServer, request: Request) -> Any:
    """A picture in the folder of results: one that a study names, of a known kind, and in the folder itself."""
    path = _picture(server, request.path_params["file"])
    return FileResponse(path, media_type=KINDS[path.suffix], headers={"cache-control": "no-cache"})


def _picture(server: LabServer, name: str) -> Path:
    shown = {figure["file"] for study in _results(server).values() for figure in study["figures"]}
    path = (server.results_folder or Path()) / name
    inside = name in shown and path.is_file() and path.resolve().parent == path.parent.resolve()
    if not inside or path.suffix not in KINDS or "/" in name:
        raise Refusal("unknown", f"there is no picture {name[:64]!r}")
    return path


ROUTES = (
    ("/api/papers", "GET", papers),
    ("/api/papers/{name}", "GET", paper),
    ("/api/pictures/{file}", "GET", picture),
)
