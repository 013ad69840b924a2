"""A few of the strange words, positions and files that `python -m benchmarks.fuzz` tries by the thousand."""

import pytest

from benchmarks.fuzz import FUZZERS, Finding, command, fuzz

COUNTS = {"commands": 120, "positions": 4000, "files": 250}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", FUZZERS)
def test_nothing_strange_happens(name: str, seed: int) -> None:
    assert fuzz(name, COUNTS[name], seed) == []


def test_a_fault_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzers see tracebacks, wrong exit codes, silence, and answers that are no JSON."""
    assert command(["games", "--json"]) == ""
    assert command(["agents", "pgi"]) == ""
    for lines, why in FAULTS.items():
        monkeypatch.setattr("benchmarks.fuzz.main", lambda lines=lines: exec(lines))
        assert why in command(["games", "--json"]), lines


FAULTS = {
    "raise ValueError('x')": "ends with ValueError: x",
    "print('Traceback (most recent call last)'); raise SystemExit(2)": "shows a traceback",
    "raise SystemExit(2)": "does not say what is wrong",
    "raise SystemExit(130)": "exit code 130",
    "print('no json'); raise SystemExit(0)": "prints no JSON",
}


def test_findings_say_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.fuzz.use", lambda game, text: 1 / 0)
    found = fuzz("positions", 3, 1)
    assert len(found) == 3
    assert all(isinstance(one, Finding) and one.what.startswith("ZeroDivisionError") for one in found)
