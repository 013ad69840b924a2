"""Runs a command of `hazard` at low priority for as long as its standard input is open.

It is closed when the server ends, even by kill -9. `python -m hazard.server.commands.child resume cup` does the same as
`hazard resume cup`.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from hazard.server.machine import limit_memory

PRIORITY = 10
GRACE = 2.0  # seconds to tidy up


def _be_nice() -> None:
    """Linux weighs sessions first, and this process has one of its own: then the priority is that of the session."""
    os.nice(PRIORITY)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(PRIORITY))


def _end_with_input() -> None:
    """Wait for the end of the input, then interrupt the command, so that it removes what it has half written."""
    while os.read(0, 4096):
        pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    time.sleep(GRACE)
    os._exit(1)


def main() -> None:
    _be_nice()
    limit_memory(int(os.environ.get("HAZARD_WORKER_MEMORY", "0")))
    threading.Thread(target=_end_with_input, daemon=True).start()
    sys.argv[0] = "hazard"
    runpy.run_module("hazard", run_name="__main__")


if __name__ == "__main__":
    main()
