"""What a server's folders hold before anybody comes: a tournament that is over, and the study of one paper."""

from pathlib import Path

from hazard.arena.tournament.run import run
from hazard.studies import report
from hazard.studies.report import Figure, Finding, Study, Table
from tests.tournaments import make

CUP = "old-cup"  # optimal, hold-at-20 and random at Pig, 40 games a pair
STUDIED = "risk"  # and no other
PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 300 200'><circle cx='150' cy='100' r='80'/></svg>"


def furnish(folder: Path) -> dict[str, Path]:
    """Makes them; what a server is told of them."""
    run(folder / "tournaments" / CUP, make(games=40))
    report.write([study()], folder / "results")
    return {name: folder / name for name in ("tournaments", "results")}


def study() -> Study:
    """Enough figures for two pages, of every verdict."""
    found = Study(STUDIED, "A study", "a paper", criterion="Reproduced: the same in all printed places.")
    found.findings = [Finding("Table 1", f"armies {n}", str(n), f"{n}.0001", report.REPRODUCED) for n in range(1, 46)]
    found.findings += [
        Finding("Table 2", "stake 5", "0.5002", "0.5003", report.PUBLISHED_IN_ERROR, "rounded down twice"),
        Finding("Table 2", "stake 6", "0.4", "0.6", report.NOT_REPRODUCED, "far apart"),
        Finding("Figure 1", "stake 13", "0.50026", "", report.LEFT_OUT),
    ]
    found.tables = [Table("Stakes of our own", ["stake", "share"], [[n, 0.5] for n in range(5)], "a note on it")]
    found.figures = [Figure("stakes.svg", "All stakes", "As they grow.", _draw)]
    return found


def _draw(path: Path) -> None:
    path.write_text(PICTURE)
