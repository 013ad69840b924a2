"""Studies that seem to be made behind the lab: what the server says of papers, changed on its way to the browser."""

from __future__ import annotations

from typing import Any

PROBLEM = "results: cannot write there (No space left on device)"
MAKING = {"status": "making", "doing": "battles by three rules", "done": 5, "planned": 16, "problem": ""}
WAITING = {"status": "waiting", "doing": "", "done": 0, "planned": 0, "problem": ""}
FAILED = {"status": "failed", "doing": "drawing", "done": 9, "planned": 43, "problem": PROBLEM}


def pretend(page: Any, making: dict[str, dict[str, Any] | None]) -> None:
    """From now on papers are shown so; those that are not named, or that are None, as the server says."""

    def papers(route: Any) -> None:
        answer = route.fetch()
        found = answer.json()
        for row in found.get("papers", [found]):
            if state := making.get(row["name"]):
                row |= {"making": state, "run": False, "study": None}
        route.fulfill(response=answer, json=found)

    page.route("**/api/papers**", papers)
