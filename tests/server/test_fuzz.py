"""Malformed messages, requests and parameters, as in the benchmarks but fewer."""

from pathlib import Path

import pytest

from benchmarks.input_fuzz import parameters
from benchmarks.server_fuzz import FUZZ_LIMITS, fuzz, fuzz_requests
from benchmarks.server_process import serving


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
def test_odd_parameters_are_taken_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hazard.files._sealed", True)  # and set back afterwards
    found = parameters(2000, 13)
    assert found["wrong"] == []
    assert found["found"]["refused"] > 0
