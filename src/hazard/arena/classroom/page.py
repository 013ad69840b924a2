"""The pages of a class: one for all, and one for each pupil. Each is one file that needs no server and runs no script.

All that pupils chose, such as names and last words, is escaped; the pages would not load or run anything even if not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from hazard.arena.bots.check import Case
from hazard.arena.classroom.hand_in import Entry
from hazard.arena.classroom.play import GRADED, Class, Outcome
from hazard.arena.tournament.page import STYLE, cross_table, rating_dots, remark, table_of, table_row
from hazard.arena.tournament.summary import text
from hazard.files import write_whole

INDEX, PUPILS = "index.html", "pupils"
MORE_STYLE = """
.bad { color: #c0392b } @media (prefers-color-scheme: dark) { .bad { color: #ff8a7a } }
section { border-top: 1px solid var(--line); margin-top: 2rem }
"""
SAFE = "default-src 'none'; style-src 'unsafe-inline'"


def write_pages(out: Path, found: Outcome) -> Path:
    """Write all pages; where the one for all is. Where the folder lies is nobody's business."""
    out = out.resolve()
    found = msgspec.convert(_without(msgspec.to_builtins(found), f"{out}/"), Outcome)
    (out / PUPILS).mkdir(exist_ok=True)
    shown = Shown(found)
    for entry in found.of.entries:
        write_whole(out / PUPILS / f"{entry.slug}.html", shown.pupil(entry).encode())
    write_whole(out / INDEX, shown.index().encode())
    return out / INDEX


def _without(data: Any, prefix: str) -> Any:
    """The same data with the prefix taken out of every text."""
    if isinstance(data, str):
        return data.replace(prefix, "")
    if isinstance(data, dict):
        return {key: _without(value, prefix) for key, value in data.items()}
    return [_without(value, prefix) for value in data] if isinstance(data, list | tuple) else data


class Shown:
    """An outcome as pages."""

    def __init__(self, found: Outcome) -> None:
        self.found, self.known = found, found.of
        names = {entry.command: entry.name for entry in found.of.entries}
        self.summary = None if found.summary is None else renamed(found.summary, lambda agent: names.get(agent, agent))
        self.rows = {} if self.summary is None else {row["agent"]: row for row in self.summary["ratings"]}
        self.places = {name: place for place, name in enumerate(self.rows, 1)}

    def index(self) -> str:
        parts = [_facts(self.known, self.summary), self._ranking()]
        if self.summary is not None:
            parts.append(cross_table(self.summary))
        parts += [self._failed(), *(self._about(entry, link=True) for entry in self._ranked())]
        return _page(f"A class plays {self.known.game}", parts)

    def pupil(self, entry: Entry) -> str:
        parts = [_facts(self.known, self.summary), self._about(entry), self._opponents(entry)]
        parts.append(_cases(self.found.checks[entry.slug], "All checks"))
        return _page(f"{entry.name} in {self.known.game}", parts)

    # --- the ranking ---------------------------------------------------------------------------------------------
    def _ranked(self) -> list[Entry]:
        return sorted(self.known.entries, key=lambda entry: self.places.get(entry.name, len(self.places) + 1))

    def _ranking(self) -> str:
        if self.summary is None:
            return "<h2>Ranking</h2>" + remark("Too few bots passed their checks: no games were played.")
        columns = [("", "n"), ("bot", "name"), ("Elo", "n"), ("± 95 %", "n"), ("mean payoff", "n"), ("games", "n")]
        columns += [("faults", "n")] + [("loses per game", "n"), ("its costliest error", "name")] * bool(
            self.found.grades
        )
        of_name = {entry.name: entry for entry in self.known.entries}
        lines = [
            table_row(self._rank(place, row, of_name.get(row["agent"])), columns)
            for place, row in enumerate(self.summary["ratings"], 1)
        ]
        said = "Bradley and Terry's model; 400 points are odds of ten to one. Bars and ± are 95 %."
        if self.found.grades:
            said += f" What a bot loses per game against optimal play comes from {GRADED} other games."
        else:
            said += " Decisions are not graded, for the game is not solved."
        return "<h2>Ranking</h2>" + rating_dots(self.summary["ratings"]) + table_of(columns, lines) + remark(said)

    def _rank(self, place: int, row: dict, entry: Entry | None) -> list[str]:
        name = escape(row["agent"])
        name = f"<a href='#{entry.slug}'>{name}</a>" if entry else f"<i>{name}</i>"
        margin = None if row["error"] is None else 1.96 * row["error"]
        faults = sum(fault["count"] for fault in self._faults(row["agent"]))
        cells = [str(place), name, text(row["elo"], sign=True), text(margin), text(row["mean_payoff"], 3)]
        cells += [f"{row['games']:,}", f"<span class=bad>{faults:,}</span>" if faults else "0"]
        if not self.found.grades:
            return cells
        grade = self.found.grades.get(entry.slug, {}) if entry else {}
        worst = (grade.get("costliest") or [None])[0]
        return [*cells, _loss(grade), _slip(worst) if worst else ""]

    def _faults(self, name: str) -> list[dict]:
        return [] if self.summary is None else [one for one in self.summary["faults"] if one["agent"] == name]

    def _failed(self) -> str:
        failed = [
            entry for entry in self.known.entries if not all(case.passed for case in self.found.checks[entry.slug])
        ]
        found = ""
        if failed:
            found = "<h2>Not in the tournament</h2>" + remark(
                "These bots failed a check; the others played without them."
            )
            columns = [("bot", "name"), ("failed", ""), ("why", "name")]
            found += table_of(columns, [table_row(self._why(entry), columns) for entry in failed])
        if self.known.others:
            found += remark(f"No programs, and left out: {', '.join(self.known.others)}.")
        return found

    def _why(self, entry: Entry) -> list[str]:
        first = next(case for case in self.found.checks[entry.slug] if not case.passed)
        name = f"<a href='{PUPILS}/{entry.slug}.html'>{escape(entry.name)}</a>"
        return [name, escape(first.name), f"<pre>{escape(first.detail)}</pre>"]

    # --- one bot -------------------------------------------------------------------------------------------------
    def _about(self, entry: Entry, link: bool = False) -> str:
        title = escape(entry.name)
        title = f"<a href='{PUPILS}/{entry.slug}.html'>{title}</a>" if link else title
        parts = [f"<section id='{entry.slug}'><h2>{title}</h2>", f"<p>{self._standing(entry)}</p>"]
        if link:  # where not all checks are shown
            doubts = [case for case in self.found.checks[entry.slug] if not case.passed or case.warning]
            parts.append(_cases(doubts, "Checks"))
        parts.append(_fault_table(self._faults(entry.name)))
        parts.append(_errors(self.found.grades.get(entry.slug, {})))
        return "".join(parts) + "</section>"

    def _standing(self, entry: Entry) -> str:
        if row := self.rows.get(entry.name):
            rating = "" if row["elo"] is None else f", {text(row['elo'], sign=True)} Elo"
            of = f"place {self.places[entry.name]} of {len(self.places)}"
            return f"{of}{rating}, mean payoff {text(row['mean_payoff'], 3)} in {row['games']:,} games"
        passed = all(case.passed for case in self.found.checks[entry.slug])
        return "passed all checks" if passed else "<span class=bad>failed its check and did not play</span>"

    def _opponents(self, entry: Entry) -> str:
        if self.summary is None or entry.name not in self.summary["agents"]:
            return ""
        columns = [("against", "name"), ("share of points, %", "n"), ("95 %", "n"), ("games", "n")]
        met = self.summary["cross_table"][self.summary["agents"].index(entry.name)]
        pairs = [(name, cell) for name, cell in zip(self.summary["agents"], met, strict=True) if cell]
        lines = []
        for name, cell in sorted(pairs, key=lambda pair: pair[1]["mean"]):
            span = f"{100 * cell['low']:.1f}–{100 * cell['high']:.1f}"
            lines.append(table_row([escape(name), f"{100 * cell['mean']:.1f}", span, f"{cell['games']:,}"], columns))
        return "<h2>Opponents</h2>" + table_of(columns, lines)


# --- parts -----------------------------------------------------------------------------------------------------------
def _page(title: str, parts: Sequence[str]) -> str:
    title = escape(title)
    head = f'<meta charset=utf-8><meta http-equiv=Content-Security-Policy content="{SAFE}">'
    head += f"<meta name=viewport content='width=device-width'><title>{title}</title><style>{STYLE}{MORE_STYLE}</style>"
    return f"<!doctype html><html lang=en>{head}\n<h1>{title}</h1>\n" + "\n".join(parts) + "</html>\n"


def _facts(known: Class, summary: dict | None) -> str:
    given = " ".join(f"{key}={value}" for key, value in known.parameters.items())
    limits = known.limits
    allowed = f"{limits.bank:g} s a game and {limits.increment:g} s a move, {limits.memory} MB; isolated"
    facts = [
        ("game", f"{known.game} {given}".strip()),
        ("bots", f"{len(known.entries)} handed in"),
        ("each has", allowed),
    ]
    if summary is not None:
        facts.append(("games", f"{summary['games_played']:,}, {known.games} for each line-up"))
        facts.append(("seed", f"{summary['seed']}, kept from the bots until all was played"))
    rows = "".join(f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in facts)
    return f"<dl class=facts>{rows}</dl>"


def _cases(cases: Sequence[Case], title: str) -> str:
    if not cases:
        return ""
    columns = [("", ""), ("check", ""), ("what was seen", "name")]
    marks = {True: "passed", False: "<span class=bad>FAILED</span>"}
    lines = [
        table_row(
            ["warning" if case.warning else marks[case.passed], escape(case.name), f"<pre>{escape(case.detail)}</pre>"],
            columns,
        )
        for case in cases
    ]
    return f"<h3>{title}</h3>" + table_of(columns, lines)


def _fault_table(faults: Sequence[dict]) -> str:
    if not faults:
        return ""
    columns = [("fault", ""), ("games", "n"), ("last words", "name")]
    lines = []
    for fault in faults:
        words = f"<pre>{escape(fault['words'])}</pre>" if fault["words"] else ""
        lines.append(table_row([escape(fault["reason"]), f"{fault['count']:,}", words], columns))
    return "<h3>Faults in games</h3>" + table_of(columns, lines)


def _errors(grade: dict[str, Any]) -> str:
    if "problem" in grade:
        return remark(f"Not graded: {grade['problem']}")
    if not grade:
        return ""
    rate = 100 * grade["error_rate"]["mean"]
    told = (
        f"<p>It loses {_loss(grade)} a game against optimal play; {rate:.1f} % of its choices give something away.</p>"
    )
    if not grade["costliest"]:
        return told
    columns = [("position", "name"), ("it played", ""), ("best", ""), ("costs", "n"), ("times a game", "n")]
    lines = [
        table_row(
            [*map(escape, (s["position"], s["move"], s["best"])), f"{s['loss']:.4f}", f"{s['per_game']:.2f}"], columns
        )
        for s in grade["costliest"]
    ]
    return "<h3>Costliest errors</h3>" + told + table_of(columns, lines)


def _loss(grade: dict[str, Any]) -> str:
    if "sampled_loss_per_game" not in grade:
        return "–"
    loss = grade["sampled_loss_per_game"]
    return f"{loss['mean']:.4f}" + (
        f"<small>{loss['low']:.4f}–{loss['high']:.4f}</small>" if loss["low"] is not None else ""
    )


def _slip(slip: dict[str, Any]) -> str:
    return escape(f"{slip['move']} instead of {slip['best']} at {slip['position']}")


def renamed(summary: dict, name: Callable[[str], str]) -> dict:
    """A summary in which agents have other names."""
    found = summary | {"agents": [name(agent) for agent in summary["agents"]]}
    found["ratings"] = [row | {"agent": name(row["agent"])} for row in summary["ratings"]]
    found["faults"] = [fault | {"agent": name(fault["agent"])} for fault in summary["faults"]]
    return found
