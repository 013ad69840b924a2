"""Runs a command of `hazard` at low priority for as long as its standard input is open.

A server that is gone, even by kill -9, has closed it. `python -m hazard.server.tournaments.child resume cup` does what
`hazard resume cup` does.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading

PRIORITY = 10


def _hold() -> None:
    """Wait for the end of the input, then end at once."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main() -> None:
    os.nice(PRIORITY)
    threading.Thread(target=_hold, daemon=True).start()
    sys.argv[0] = "hazard"
    runpy.run_module("hazard", run_name="__main__")


if __name__ == "__main__":
    main()
