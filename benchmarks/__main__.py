"""Run all benchmarks, or those named: `python -m benchmarks [NAME...]`. Prints a table and writes results.json."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import rivals
from benchmarks.row import Row

DOOM = ("doom-play", "doom-solver", "doom-storm")
PICKOMINO = ("pickomino-play", "pickomino-table", "pickomino-turns")
WARS = ("dice-wars-play", "dice-wars-master")
SERVER = ("server-load", "server-kills", "server-fuzz", "server-attacks", "input-fuzz")
BASIC = (
    "solve-open-spiel",
    "solve-c",
    "playouts",
    "structure",
    "enumerated",
    "response",
    "startup",
    "first-contact",
    "arena",
)
NAMES = (*BASIC, *DOOM, *PICKOMINO, *WARS, *SERVER)
GROUPS = {"dice-of-doom": DOOM, "pickomino": PICKOMINO, "dice-wars": WARS, "server": SERVER}
RESULTS = Path(__file__).with_name("results.json")


def machine() -> dict[str, Any]:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    cpu = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return {"cpu": cpu[0] if cpu else platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}


def versions() -> dict[str, str]:
    found = {name: version(name) for name in ("hazard", "numpy", "numba")}
    pins = [line.split()[0].split("==") for line in rivals.REQUIREMENTS.read_text().splitlines() if "==" in line]
    gcc = subprocess.run("gcc -dumpfullversion", shell=True, capture_output=True, text=True, check=False).stdout.strip()
    theirs = {name: dict(pins)[name] for name in ("icepool", "open-spiel", "stormpy")}
    return {"python": platform.python_version(), **found, "gcc": gcc, **theirs}


def figure(value: float, unit: str) -> str:
    if unit == "/s" and value < 1e5:
        return f"{value:,.0f}/s" if value >= 100 else f"{value:.3g}/s"
    if unit == "/s":
        return f"{value / 1e6:.3g} M/s"
    return f"{value:.3g} {unit}".rstrip()


def times(ratio: float | None) -> str:
    if ratio is None:
        return ""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}"


def table(rows: list[Row]) -> Table:
    found = Table(title="how many times faster than the rival; below 1 is slower")
    for title in ("measured", "against", "ours", "rival", "ratio", "goal", "met"):
        found.add_column(title, justify="left" if title in ("measured", "against") else "right")
    for row in rows:
        met = {None: "", True: "yes", False: "NO"}[row.met]
        figures = (figure(row.ours, row.unit), figure(row.rival, row.unit), times(row.ratio), times(row.goal))
        found.add_row(row.name, row.against, *figures, met)
    return found


def save(rows: list[Row], setting: dict[str, Any]) -> None:
    found = [{**vars(row), "ratio": row.ratio, "met": row.met} for row in rows]
    RESULTS.write_text(json.dumps({**setting, "rows": found}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    there = ", ".join([*NAMES, *(f"{name} ({', '.join(parts)})" for name, parts in GROUPS.items())])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {there}; all if none is named")
    named = parser.parse_args().names or NAMES
    names = [part for name in named for part in GROUPS.get(name, (name,))]
    if unknown := set(names) - set(NAMES):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {there}")
    setting = {"began": datetime.now(UTC).isoformat(), "machine": machine(), "versions": versions()}
    rows: list[Row] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr)
        rows += importlib.import_module(f"benchmarks.{name.replace('-', '_')}").run()
        save(rows, setting)
    Console().print(table(rows))


if __name__ == "__main__":
    main()
