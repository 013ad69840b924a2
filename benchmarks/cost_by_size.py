"""What it costs to solve a game from its rules alone, by its size: Ur with 1 to 5 pieces.

`python -m benchmarks.cost_by_size [MOST] [PICTURE.svg]` solves each size in a process of its own, with one thread,
prints a table, and draws time and memory beside the number of positions. Times are processor seconds; memory is the
most that a process has held, less what it held when it began to search.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import hazard
from hazard.solving.enumerated.run import Run

GAME = Path(__file__).parents[1] / "examples" / "games" / "ur.py"
TOLERANCE, MIB = 1e-9, 2**20


def held() -> float:
    """The most memory that this process has held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(pieces: int) -> dict[str, Any]:
    game = hazard.game(str(GAME), pieces=pieces)
    Run(hazard.game(str(GAME), pieces=1), TOLERANCE).run(None)  # compiles
    run = Run(game, TOLERANCE)
    before, began = held(), time.process_time()
    found = run.run(None)
    seconds = time.process_time() - began
    low, high = found.value[0].tolist()
    return {
        "pieces": pieces,
        "positions": len(found.key),
        "seconds": seconds,
        "MiB": held() - before,
        "tables MiB": found.peak_bytes / MIB,
        "components": sum(found.components.values()),
        "value": (low + high) / 2,
        "error": float((found.value[:, 1] - found.value[:, 0]).max()),
    }


def table(rows: list[dict[str, Any]]) -> str:
    lines = [
        "| pieces | positions | seconds | positions a second | MiB | bytes a position | error | first player wins |"
    ]
    lines.append("|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        count, seconds, memory = row["positions"], row["seconds"], row["MiB"]
        lines.append(
            f"| {row['pieces']} | {count:,} | {seconds:,.2f} | {count / seconds:,.0f} | {memory:,.0f} | "
            f"{memory * MIB / count:,.0f} | {row['error']:.1g} | {row['value']:.10f} |"
        )
    return "\n".join(lines)


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot as plt

    figure, left = plt.subplots(figsize=(6, 3.6), layout="constrained")
    right = left.twinx()
    count = [row["positions"] for row in rows]
    left.loglog(count, [row["seconds"] for row in rows], "o-", color="tab:blue", label="processor seconds")
    right.loglog(count, [max(row["MiB"], 1) for row in rows], "s--", color="tab:red", label="memory, MiB")
    for row in rows:
        left.annotate(
            f"{row['pieces']}", (row["positions"], row["seconds"]), xytext=(4, -12), textcoords="offset points"
        )
    left.set(xlabel="positions of Ur, by pieces", ylabel="processor seconds", ylim=(1e-2, None))
    right.set_ylabel("memory, MiB")
    lines = [*left.get_lines(), *right.get_lines()]
    left.legend(lines, [str(line.get_label()) for line in lines], loc="upper left")
    figure.savefig(path, metadata={"Date": None})


def main(most: int, picture: Path | None) -> None:
    command, environment = (
        [sys.executable, "-m", "benchmarks.cost_by_size", "--one"],
        os.environ | {"OMP_NUM_THREADS": "1"},
    )
    rows = []
    for pieces in range(1, most + 1):
        found = subprocess.run([*command, str(pieces)], env=environment, stdout=subprocess.PIPE, check=True).stdout
        rows.append(json.loads(found))
        print(rows[-1], file=sys.stderr, flush=True)
    print(table(rows))
    if picture:
        draw(rows, picture)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core: sweeps are not shared
        print(json.dumps(measure(int(sys.argv[2]))))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, Path(sys.argv[2]) if len(sys.argv) > 2 else None)
