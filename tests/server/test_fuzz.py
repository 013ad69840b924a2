"""Malformed messages over a real connection, as in the benchmark but fewer."""

from pathlib import Path

from benchmarks.server_fuzz import FUZZ_LIMITS, fuzz
from benchmarks.server_process import serving


def test_malformed_messages_are_refused_and_change_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, *FUZZ_LIMITS) as server:
        found = fuzz(server, 3000, seed=11)
    assert found["wrong"] == []
    assert found["codes"]["malformed"] > 2000
    assert found["codes"]["token"] > 0
