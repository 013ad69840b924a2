"""A folder of results, as `hazard reproduce` writes it and the lab shows it: its files, and the verdicts in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SIGN = "findings.json"  # the file that marks a folder of results
ALL = "studies.json"
REPRODUCED, NOT_REPRODUCED = "reproduced", "not reproduced"
PUBLISHED_IN_ERROR = "published in error"  # where it is known how
LEFT_OUT = "left to --full"  # too long for a quick run
VERDICTS = (REPRODUCED, NOT_REPRODUCED, PUBLISHED_IN_ERROR, LEFT_OUT)


def read_results(folder: Path | None) -> dict[str, Any]:
    """What was found, by study; nothing if there is no folder. One of an earlier version has findings alone."""
    if folder is None or not folder.is_dir():
        return {}
    if (folder / ALL).is_file():
        return json.loads((folder / ALL).read_text())
    path = folder / SIGN
    findings = json.loads(path.read_text()) if path.is_file() else {}
    return {name: {"findings": rows, "tables": [], "figures": [], "criterion": ""} for name, rows in findings.items()}
