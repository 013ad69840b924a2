"""Waiting for what other processes do: until it is so, however busy the machine is."""

import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0  # seconds for one event: only what never comes takes so long, even on a very busy machine
COMPILING = 600.0  # seconds for what may have to be compiled first, or is made of many events


def wait_until(true: Callable[[], Any], why: str = "it has not come about") -> Any:
    """Wait for something that must come, and give it."""
    deadline = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < deadline, why
        time.sleep(0.01)
    return found
