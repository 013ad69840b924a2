"""The atlas as a page of the documentation."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

from hazard.atlas.records import Line
from hazard.atlas.table import duration, size, sources
from hazard.declaration import declared

HEAD = """
# The atlas

Famous dice games, solved from their rules alone. Each is one file in `src/hazard/atlas/games`: the rules and nothing
else. The solver finds all positions that play can reach and proves a lower and an upper bound for each
([how](solving.md#rules-alone)). Values below are what the first player can expect by the best play of all, with the
digits that are proven; *error* bounds what any position's value can be off by. A value is shown only as long as the
rules are those that were solved. *Time* is what finding and solving took on a machine that had other work as well,
*processor* the seconds of processors in all, compiling included.

`hazard atlas` prints these tables and `hazard atlas --solve GAME` makes a line of them again. After that, the game's
table is there, and `hazard play GAME human optimal`, `hazard advise` and the lab know the worth of every move.
Positions are those that are stored: with dice in the air, or decisions that follow another without a roll in between.

This page is written by `make atlas`.
"""


def page(lines: Sequence[Line], rows: Sequence[dict[str, Any]]) -> str:
    """The whole page; the rows are those of the lines."""
    parts = [HEAD.strip()]
    for name in dict.fromkeys(line.game.name for line in lines):
        parts.append(_section(name, [row for row in rows if row["game"] == name]))
    return "\n\n".join(parts) + "\n"


def _section(name: str, rows: Sequence[dict[str, Any]]) -> str:
    declaration = declared(name)
    rules = cleandoc(declaration.rules.__doc__ or "")
    return "\n".join([f"## {declaration.title}", rules, "", *_table(rows)])


def _table(rows: Sequence[dict[str, Any]]) -> list[str]:
    head = ["rules", "positions", "value", "error", "time", "processor", "memory", "published", "verdict"]
    return ["| " + " | ".join(head) + " |", "|---|--:|--:|--:|--:|--:|--:|---|---|", *map(_line, rows)]


def _line(row: dict[str, Any]) -> str:
    asked = " ".join(f"-p {key}={value}" for key, value in row["parameters"].items())
    facts = [""] * 6
    if row["certified"]:
        facts = [f"{row['positions']:,}", row["shown"], f"{row['error']:.1e}", duration(row["seconds"])]
        facts += [duration(row["processor"]), size(row["memory"])]
    return "| " + " | ".join([f"{row['rules']} (`{asked}`)", *facts, sources(row), row["verdict"]]) + " |"
