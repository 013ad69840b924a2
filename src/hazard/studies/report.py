"""What a study finds, and the page that shows it.

`write` makes a folder with one HTML page, its pictures, `findings.json`, and `studies.json`, which has tables and
captions too. The folder is written aside and renamed when it is complete. Studies that it held before stay in it,
unless they were run again. They stand in the order of their names, whichever was run last.
"""

from __future__ import annotations

import csv
import html
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from hazard.files import alone_in, replacing
from hazard.results import ALL, LEFT_OUT, NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, SIGN
from hazard.studies.parts import Parts

VERDICTS = {REPRODUCED: "reproduced", NOT_REPRODUCED: "not", PUBLISHED_IN_ERROR: "error", LEFT_OUT: "left"}  # styles
MANY = 40  # with more findings than this, those of one table or figure are folded away
CRITERION = "Reproduced: less than one unit of the last printed place apart; whole numbers and fractions exactly."
Progress = Callable[[str], None]  # called with a line that says what is being done


@dataclass(frozen=True)
class Finding:
    """One published figure and ours."""

    where: str
    quantity: str
    published: str
    ours: str
    verdict: str
    note: str = ""


COLUMNS = tuple(field.name for field in fields(Finding))


@dataclass(frozen=True)
class Table:
    """A table of our own."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A picture: `draw` writes it to the path it is given, in the format of the file's ending."""

    file: str  # e.g. "komi.svg"
    title: str
    caption: str
    draw: Callable[[Path], None]


@dataclass
class Study:
    """What came of a study: findings, tables and figures."""

    name: str
    title: str
    source: str
    findings: list[Finding] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    criterion: str = CRITERION


def published(file: str) -> list[dict[str, str]]:
    """The rows of a file of published figures; the study names their source."""
    text = resources.files("hazard.studies").joinpath("published", file).read_text()
    return list(csv.DictReader(text.splitlines()))


def judge(where: str, quantity: str, published: str, ours: float, note: str = "") -> Finding:
    """Compare a printed decimal with our value: reproduced if they differ by less than one unit of its last place.

    Authors round or truncate. Where our value, rounded, is not the printed one, the finding says so.
    """
    places = len(published.partition(".")[2].rstrip("%"))
    apart, rounded = abs(ours - float(published.rstrip("%"))), f"{ours:.{places}f}"
    verdict = REPRODUCED if apart < 10.0**-places else NOT_REPRODUCED
    if float(rounded) != float(published.rstrip("%")):
        note = f"published {published}, ours rounds to {rounded}" + (f"; {note}" if note else "")
    return Finding(where, quantity, published, f"{ours:.{places + 4}f}", verdict, note)


def write(studies: Sequence[Study], folder: Path, progress: Parts | None = None) -> Path:
    """Write the page; a folder that holds anything but an earlier page is left alone."""
    with alone_in(folder), replacing(folder, SIGN) as aside:
        _draw(studies, aside, progress or Parts())
        every = [*studies, *_earlier(folder, aside, {study.name for study in studies})]
        every.sort(key=lambda study: study.name)
        findings = {study.name: [asdict(f) for f in study.findings] for study in every}
        (aside / SIGN).write_text(json.dumps(findings, indent=1))
        (aside / ALL).write_text(json.dumps({study.name: as_data(study) for study in every}, indent=1))
        (aside / "index.html").write_text(page(every))
    return folder / "index.html"


def _draw(studies: Sequence[Study], aside: Path, progress: Parts) -> None:
    for figure in (figure for study in studies for figure in study.figures):
        progress(f"drawing {figure.file}")
        figure.draw(aside / figure.file)
        progress.finish()


def as_data(study: Study) -> dict[str, Any]:
    """A study in plain data, without what draws its pictures."""
    tables = [
        {
            "title": t.title,
            "columns": list(t.columns),
            "rows": [[str(c) for c in row] for row in t.rows],
            "note": t.note,
        }
        for t in study.tables
    ]
    figures = [{"file": f.file, "title": f.title, "caption": f.caption} for f in study.figures]
    heading = {"title": study.title, "source": study.source, "criterion": study.criterion}
    return heading | {"findings": [asdict(f) for f in study.findings], "tables": tables, "figures": figures}


def _earlier(folder: Path, aside: Path, run_again: set[str]) -> list[Study]:
    """The studies of an earlier page that were not run again; their pictures are copied."""
    path = folder / ALL
    studies = json.loads(path.read_text()) if path.exists() else {}
    kept = [_from_data(name, data, folder) for name, data in studies.items() if name not in run_again]
    _draw(kept, aside, Parts())
    return kept


def _from_data(name: str, data: dict[str, Any], folder: Path) -> Study:
    findings, tables = [Finding(**f) for f in data["findings"]], [Table(**t) for t in data["tables"]]
    figures = [Figure(**f, draw=partial(shutil.copyfile, folder / f["file"])) for f in data["figures"]]
    return Study(name, data["title"], data["source"], findings, tables, figures, data["criterion"])


# --- findings in tables ----------------------------------------------------------------------------------------------
def tallied(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings have each verdict; verdicts that do not occur are left out."""
    return {verdict: n for verdict in VERDICTS if (n := sum(f.verdict == verdict for f in findings))}


def by_place(findings: Sequence[Finding]) -> dict[str, list[Finding]]:
    """The findings of each table or figure of the paper."""
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        places.setdefault(finding.where, []).append(finding)
    return places


def counted(findings: Sequence[Finding]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows of a table of verdicts by place; the last row is for all."""
    total = tallied(findings)
    rows = []
    for where, some in [*by_place(findings).items(), ("all", findings)]:
        counts = tallied(some)
        rows.append([where, str(len(some)), *(str(counts.get(verdict, "")) for verdict in total)])
    return ["where", "figures", *total], rows


def summary(study: Study) -> tuple[list[str], list[list[str]]]:
    """Columns and rows for the terminal: every finding, or verdicts by place where there are many."""
    if len(study.findings) > MANY:
        return counted(study.findings)
    return list(COLUMNS[:-1]), [list(asdict(f).values())[:-1] for f in study.findings]


# --- the page --------------------------------------------------------------------------------------------------------
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --good: #0a7a3b; --bad: #b3261e; --odd: #9a6700 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .3rem 0 }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; vertical-align: top }
.findings td:nth-child(-n+2) { min-width: 9rem } .findings td:nth-child(n+3) { white-space: nowrap }
.findings td:last-child { white-space: normal; min-width: 12rem }
figure { margin: 1.5rem 0 } figure img { max-width: 100%; background: white }
.wide { overflow-x: auto } .note { color: GrayText; font-size: .9em }
.reproduced { color: var(--good) } .not { color: var(--bad); font-weight: 600 }
.error { color: var(--odd); font-weight: 600 } .left { color: GrayText }
details { margin: .6rem 0 } summary { cursor: pointer; font-weight: 600 }
"""


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], note: str = "", kind: str = "") -> str:
    head = "".join(f"<th scope=col>{html.escape(str(c))}</th>" for c in columns)
    body = "\n".join("<tr>" + "".join(f"<td>{_cell(c)}</td>" for c in row) + "</tr>" for row in rows)
    after = f"<p class=note>{html.escape(note)}</p>" if note else ""
    head = f"<caption>{html.escape(title)}</caption><tr>{head}</tr>"
    return f"<div class=wide><table class='{kind}'>{head}\n{body}</table></div>{after}"


def _cell(value: object) -> str:
    text = html.escape(str(value))
    if isinstance(value, str) and value in VERDICTS:
        return f"<span class={VERDICTS[value]}>{text}</span>"
    return text


def _findings(study: Study) -> list[str]:
    """All findings in one table; where they are many, a table of counts, and one to unfold for each place."""
    if len(study.findings) <= MANY:
        rows = [list(asdict(f).values()) for f in study.findings]
        return [_table("Published figures and ours", COLUMNS, rows, study.criterion, "findings")]
    parts = [_table("Published figures and ours", *counted(study.findings), study.criterion)]
    for where, some in by_place(study.findings).items():
        table = _table("", COLUMNS[1:], [list(asdict(f).values())[1:] for f in some], "", "findings")
        summary = f"{html.escape(where)}: " + ", ".join(f"{n} {_cell(v)}" for v, n in tallied(some).items())
        parts.append(f"<details><summary>{summary}</summary>{table}</details>")
    return parts


def page(studies: Sequence[Study]) -> str:
    """One HTML page with all studies."""
    parts = []
    for study in studies:
        parts.append(f"<h2 id={study.name}>{html.escape(study.title)}</h2><p>Source: {html.escape(study.source)}</p>")
        parts += _findings(study)
        parts += [_table(t.title, t.columns, t.rows, t.note) for t in study.tables]
        parts += [
            f"<figure><img src='{f.file}' alt='{html.escape(f.title, quote=True)}'>"
            f"<figcaption><b>{html.escape(f.title)}.</b> {html.escape(f.caption)}</figcaption></figure>"
            for f in study.figures
        ]
    body = "\n".join(parts)
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Hazard: studies</title><style>{_STYLE}</style>"
        f"<h1>Hazard: what was published, and what comes out</h1>\n{body}</html>\n"
    )
