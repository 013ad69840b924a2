"""Runs a command of `hazard` at low priority for as long as its standard input is open.

It is closed when the server ends, even by kill -9. `python -m hazard.server.tournaments.child resume cup` does the same
as `hazard resume cup`.
"""

from __future__ import annotations

import os
import runpy
import sys
import threading

PRIORITY = 10


def _end_with_input() -> None:
    """Wait for the end of the input, then end at once."""
    while os.read(0, 4096):
        pass
    os._exit(1)


def main() -> None:
    os.nice(PRIORITY)
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.argv[0] = "hazard"
    runpy.run_module("hazard", run_name="__main__")


if __name__ == "__main__":
    main()
