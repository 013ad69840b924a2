"""Malformed messages, requests, positions and command lines, as in the benchmarks but fewer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.input_fuzz import FUZZERS
from benchmarks.server_fuzz import FUZZ_LIMITS, fuzz, fuzz_requests
from benchmarks.server_process import serving

FEW = {"positions": 3000, "parameters": 2000, "command lines": 150}


def test_malformed_messages_are_refused_and_change_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, *FUZZ_LIMITS) as server:
        found = fuzz(server, 3000, seed=11)
    assert found["wrong"] == []
    assert found["codes"]["malformed"] > 2000
    assert found["codes"]["token"] > 0


@pytest.mark.slow
def test_odd_requests_are_answered(tmp_path: Path) -> None:
    with serving(tmp_path, *FUZZ_LIMITS, "agent_rooms=1000", "rooms_each=1000") as server:
        found = fuzz_requests(server, 1500, seed=12)
    assert found["wrong"] == []
    assert found["codes"][400] > 200


@pytest.mark.slow
@pytest.mark.parametrize("name", FUZZERS)
def test_odd_input_is_taken_or_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.files._sealed", True)  # and set back afterwards
    fuzzer: Callable[[int, int], dict[str, Any]] = FUZZERS[name]
    found = fuzzer(FEW[name], 13)
    assert found["wrong"] == []
    assert found["found"]["refused"] > 0
