"""The papers that the games come from: what each published, and what the last `hazard reproduce` has found.

Figures come from the folder that the server is given as --results; nothing else of it is shown but its pictures.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse

from hazard.server.protocol import Refusal
from hazard.studies.report import ALL, SIGN, VERDICTS

if TYPE_CHECKING:
    from hazard.server.http.app import Lab

KINDS = {".svg": "image/svg+xml", ".png": "image/png"}


class Paper(NamedTuple):
    """A paper, told in a few sentences."""

    name: str  # of the study, and of the game
    title: str
    authors: str
    year: str
    place: str
    published: str
    found: str
    takes: str  # how long a quick run takes


PAPERS = (
    Paper(
        "risk",
        "An Optimal Dice Rolling Policy for Risk",
        "Ger Koole",
        "1994",
        "Nieuw Archief voor Wiskunde 12",
        "By the Dutch rules of Risk the defender sees the attacker's dice before he chooses to roll one die or two. "
        "With armies to spare on both sides he should roll two exactly when the attacker's second die is 3 or less; "
        "in the long run 0.500257 of all armies lost are then the attacker's.",
        "The rule and the figure are right; exactly, it is 1945/3888. But the best answers do not stay the same from a "
        "stake of 5 armies on, as the paper has it, but from 13 on: until then two dice may be best against 4-4. In "
        "whole battles of up to 100 armies the rule is rarely best for every roll, and never far off.",
        "a minute",
    ),
    Paper(
        "pickomino",
        "Determination and Evaluation of Efficient Strategies for a Stop or Roll Dice Game: "
        "Heckmeck am Bratwurmeck (Pickomino)",
        "Nathalie Chetcuti-Sperandio, Fabien Delorme, Sylvain Lagrue and Denis Stackowiak",
        "2008",
        "IEEE Symposium on Computational Intelligence and Games",
        "Twenty programs for Pickomino play each other: simple rules, and programs that grow random trees of the "
        "turn's further rolls and count which face leads to a tile most often. A table of all pairs, 20,000 matches "
        "each, shows that looking ahead pays, and how much risk a program should take.",
        "The tables of risk come out, and most pairs of programs that are described in full. One row of the large "
        "table, MCP5, is printed in error: it is that of MCP50, and what is said of too little risk rests on it alone. "
        "Two remarks are swapped. Beyond the paper, every turn is solved exactly.",
        "a quarter of an hour",
    ),
    Paper(
        "dice-wars",
        "Artificial Intelligence for a Board Game",
        "Dominik Tureček",
        "2018",
        "Faculty of Information Technology, Brno University of Technology",
        "Three players for Dice Wars: one that attacks at random, one that attacks where it has most dice to spare, "
        "and one that estimates by expectiminimax which territories it will take and still hold when its next turn "
        "comes. The last wins 34.9 % of games against five others.",
        "All published shares are reproduced. With two players who moves first has a large advantage, which shrinks "
        "as more take part. What the estimate promises is not what is held in the end; put right, it makes a "
        "player, ste-corrected, that is stronger than the original against all but random attacks.",
        "two minutes",
    ),
    Paper(
        "great-rolled-ones",
        "Optimal Play of the Great Rolled Ones Game",
        "Todd W. Neller, Quan H. Nguyen, Phong T. Pham, Linh T. Phan and Clifton G. M. Presser",
        "",
        "Slides, Gettysburg College",
        "Great Rolled Ones for two is solved by value iteration: the second player wins 55.05 % of games, and three "
        "points of compensation make it nearly fair. Four policies that people can remember are measured against "
        "optimal play; the best of them wins one game in a hundred less than its optimal opponent.",
        "Solved with proven bounds, the values hold but for the last printed digit of two, and three points are the "
        "fairest compensation. One of the four policies does not come out by any sound reading. When to roll is not "
        "always an interval: as the pot grows, the best player may roll, hold, and roll again.",
        "a minute",
    ),
    Paper(
        "dice-of-doom",
        "Exploring Optimal Strategies for Dice of Doom",
        "Perri van den Berg",
        "2023",
        "Bachelor thesis, LIACS, Leiden University",
        "Five strategies for Dice of Doom play against a greedy one on boards of 2 to 25 tiles, and small boards are "
        "solved by iteration. With up to five dice a tile greed does best; with two it does worst. Play that is close "
        "to optimal beats it everywhere.",
        "Battles, counts and most matches come out. In two tables the columns for random dice repeat those of "
        "deterministic play, which is shown to be an error. The thesis' averages carry the rounding of single "
        "precision; ours are certified. Greed fails with two dice because it ends its turn where optimal play attacks.",
        "many minutes",
    ),
)


def _studies(folder: Path | None) -> dict[str, Any]:
    """What was found, by study. A folder of an earlier version has findings alone."""
    if folder is None or not folder.is_dir():
        return {}
    if (folder / ALL).is_file():
        return json.loads((folder / ALL).read_text())
    path = folder / SIGN
    findings = json.loads(path.read_text()) if path.is_file() else {}
    return {name: {"findings": rows, "tables": [], "figures": [], "criterion": ""} for name, rows in findings.items()}


def _read(lab: Lab) -> dict[str, Any]:
    try:
        return _studies(lab.results)
    except (OSError, ValueError) as problem:
        raise Refusal("state", f"{lab.results} cannot be read as a folder of results ({problem})") from None


def _row(paper: Paper, study: dict[str, Any] | None, out: Path | None) -> dict[str, Any]:
    counts = Counter(finding["verdict"] for finding in study["findings"]) if study else Counter()
    command = f"hazard reproduce {paper.name} --out {out or 'results'}"
    verdicts = {verdict: counts[verdict] for verdict in VERDICTS}
    return paper._asdict() | {"run": study is not None, "verdicts": verdicts, "command": command}


async def papers(lab: Lab, request: Request) -> Any:
    """All papers, with how many of their figures were reproduced."""
    found = await asyncio.to_thread(_read, lab)
    return {"papers": [_row(paper, found.get(paper.name), lab.results) for paper in PAPERS]}


async def paper(lab: Lab, request: Request) -> Any:
    """One of them, with every figure."""
    name = request.path_params["name"]
    known = {paper.name: paper for paper in PAPERS}
    if name not in known:
        raise Refusal("unknown", f"there is no paper {name[:64]!r}; there are {', '.join(known)}")
    study = (await asyncio.to_thread(_read, lab)).get(name)
    return _row(known[name], study, lab.results) | {"study": study}


async def picture(lab: Lab, request: Request) -> Any:
    """A picture of the folder of results: one that a study names, of a known kind, and in the folder itself."""
    path = _picture(lab, request.path_params["file"])
    return FileResponse(path, media_type=KINDS[path.suffix], headers={"cache-control": "no-cache"})


def _picture(lab: Lab, name: str) -> Path:
    shown = {figure["file"] for study in _read(lab).values() for figure in study["figures"]}
    path = (lab.results or Path()) / name
    inside = name in shown and path.is_file() and path.resolve().parent == path.parent.resolve()
    if not inside or path.suffix not in KINDS or "/" in name:
        raise Refusal("unknown", f"there is no picture {name[:64]!r}")
    return path


ROUTES = (
    ("/api/papers", "GET", papers),
    ("/api/papers/{name}", "GET", paper),
    ("/api/pictures/{file}", "GET", picture),
)
