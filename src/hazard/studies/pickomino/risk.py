"""Tables of risk and the distribution of scores: the paper's Table III and what its text says of them, exactly.

A table of 500 simulations is a sum over 500 independent trees, so its cells have known means and scatter; published
cells are measured by these.
"""

from __future__ import annotations

from math import sqrt

from hazard.studies.pickomino.game import SEED
from hazard.studies.pickomino.turn import LOWEST, TILES, kept_state, risk, sampled, shares
from hazard.studies.report import NOT_REPRODUCED, PUBLISHED_IN_ERROR, REPRODUCED, Finding, Table, judge, published

TREES = 500
KEPT = {"1": "1", "5": "5555", "w": "www"}  # what is set aside of the roll 1 5555 www
NAMES = {"1": "ones", "5": "fives", "w": "worms"}
CLOSE = 3.0


def said(where: str) -> str:
    """What the text says in some section."""
    return next(row["value"] for row in published("pickomino_other.csv") if row["where"] == where)


def cells() -> list[dict[str, str]]:
    return published("pickomino_risk.csv")


def risk_findings() -> list[Finding]:
    """Every printed cell of Table III beside its expectation, with a sample of our own."""
    ours = {kept: sampled(kept_state(dice), TREES, SEED) for kept, dice in KEPT.items()}
    return [_cell(row, int(ours[row["kept"]][int(row["roll"]), int(row["score"]) - LOWEST])) for row in cells()]


def _cell(row: dict[str, str], drawn: int) -> Finding:
    """Judged by the scatter that 500 trees have; a cell without scatter must be met exactly."""
    found, at = risk(kept_state(KEPT[row["kept"]])), (int(row["roll"]), int(row["score"]) - LOWEST)
    mean, error = TREES * found.mean[at], sqrt(TREES * found.variance[at])
    off = int(row["count"]) - mean
    z = off / error if error > 0 else (0.0 if off == 0 else float("inf"))
    where = f"Table III, keeping {NAMES[row['kept']]}"
    verdict = REPRODUCED if abs(z) <= CLOSE else NOT_REPRODUCED
    note = f"z {z:+.1f}; our 500 simulations: {drawn}"
    what = f"roll {row['roll']}, score {row['score']}"
    return Finding(where, what, row["count"], f"{mean:.1f} ± {error:.1f}", verdict, note)


# --- columns of Table III --------------------------------------------------------------------------------------------
def column(kept: str, score: int) -> int:
    """What the printed cells of a column add up to."""
    return sum(int(r["count"]) for r in cells() if r["kept"] == kept and r["score"] == str(score))


def columns_table() -> Table:
    """The sums that formula (1) compares, printed and expected."""
    rows = []
    for kept, name in NAMES.items():
        expected = TREES * risk(kept_state(KEPT[kept])).mean.sum(axis=0)
        printed = [column(kept, score) for score in range(LOWEST, LOWEST + 10)]
        rows.append((f"{name}, printed", *printed))
        rows.append((f"{name}, expected", *(f"{x:.1f}" for x in expected[:10])))
    note = (
        "Printed cells of Table III added up by score, and what 500 trees give on average. By formula (1) the greatest "
        f"column decides: {column('1', 21)} for the ones (score 21) against {column('w', 25)} for the worms (score "
        "25). The text's 812 is the worms' column, not the ones'; the choice it explains is the printed sample's. "
        f"On average it is {_most('1'):.0f} against {_most('w'):.0f}, so that 500 trees do not settle the choice."
    )
    titles = ("kept", *(str(score) for score in range(LOWEST, LOWEST + 10)))
    return Table("Columns of the risk tables of the roll 1 5555 www", titles, rows, note)


def _most(kept: str) -> float:
    """The greatest column of 500 trees, expected."""
    return float(TREES * risk(kept_state(KEPT[kept])).mean.sum(axis=0).max())


def said_findings() -> list[Finding]:
    """The 812, and the share of little scores: both belong to other columns than the text says."""
    return [_said(), _little()]


def _said() -> Finding:
    ones, other = column("1", 21), column("w", 25)
    value = int(said("section IV.B"))
    verdict = REPRODUCED if ones == value else PUBLISHED_IN_ERROR if other == value else NOT_REPRODUCED
    mean = TREES * risk(kept_state("1")).mean[:, 0].sum()
    note = f"the printed cells of that column add up to {ones}, those of the worms' column 25 to {other}"
    return Finding("section IV.B", "ones, column 21, 500 simulations", str(value), f"{mean:.1f}", verdict, note)


def _little() -> Finding:
    """The shares are of scores that are on a tile; those above 36 are so few that they change the fourth digit."""
    found = shares()[: len(TILES)]
    found = found / found.sum()
    value = said("section V.C.1")
    literal, meant = 100 * float(found[:5].sum()), 100 * float(found[:6].sum())
    first = judge("section V.C.1", "share of 21 to 25 among valid scores", value, literal)
    if judge("", "", value, meant).verdict != REPRODUCED or first.verdict == REPRODUCED:
        return first
    note = f"it is the share of 21 to 26, the scores that the paper calls little: {meant:.4f} %"
    return Finding(first.where, first.quantity, value, f"{literal:.4f} %", PUBLISHED_IN_ERROR, note)
