"""Waiting for what other processes do: until it is so, however busy the machine is."""

import time
from collections.abc import Callable

PATIENCE = 900.0  # seconds; only what never comes takes so long


def wait_until(true: Callable[[], object], why: str = "") -> None:
    """Wait for something that must come."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, why
        time.sleep(0.01)
