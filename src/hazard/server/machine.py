"""The machine under the server: file descriptors, memory of its processes, the log, and a loop that must not stall."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

log = logging.getLogger("hazard.server")
BESIDES = 300  # descriptors for files, workers and requests, besides one for each connection
SELDOM, MINUTE = 3, 60.0  # the same line of the log is written so often in so many seconds
STALLED = 0.25  # seconds that the event loop may be kept from its work before that is reported
LOOKS = 5  # looks at the loop in that time


def descriptors(connections: int) -> int:
    """Allow this process to open as many files as that takes; the connections that there can then be."""
    needed = connections + BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return connections
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(1, min(connections, allowed - BESIDES))


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process, and let it be the first to go if the machine runs out.

    What is counted is memory that it can write to; tables that are mapped from files are not.
    """
    if sys.platform == "linux" and megabytes:
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes << 20, megabytes << 20))
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("500")


def memory_used(process: int) -> int:
    """The bytes of memory that a process has now; 0 where that cannot be told."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


class Seldom(logging.Filter):
    """Drops lines of the log that come again and again: nobody shall fill the disk with it."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[tuple[str, str], tuple[float, int]] = {}  # when a kind of line began, and how often it came

    def filter(self, record: logging.LogRecord) -> bool:
        kind, now = (record.name, str(record.msg).partition("\n")[0][:100]), time.monotonic()
        since, count = self.seen.get(kind, (now, 0))
        if now - since > MINUTE:
            if count > SELDOM:
                record.msg = f"{record.msg} ({count - SELDOM} more like this before)"
            since, count = now, 0
        if len(self.seen) > 1000:
            self.seen.clear()
        self.seen[kind] = since, count + 1
        return count < SELDOM


class Watchdog:
    """Reports when the event loop is kept from its work: then nobody gets an answer.

    A thread looks at a clock that the loop sets. What it reports is where the loop is at that moment.
    """

    def __init__(self, report: Callable[[float, str], Any] | None = None) -> None:
        self.report = report or _log_stall
        self.seen = time.monotonic()
        self._done = threading.Event()
        self._beat: asyncio.TimerHandle | None = None

    def start(self) -> None:
        self._loop, self._thread_id = asyncio.get_running_loop(), threading.get_ident()
        self._tick()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self._done.set()
        if self._beat:
            self._beat.cancel()

    def _tick(self) -> None:
        self.seen = time.monotonic()
        self._beat = self._loop.call_later(STALLED / LOOKS, self._tick)

    def _watch(self) -> None:
        told = 0.0
        while not self._done.wait(STALLED / LOOKS):
            seen = self.seen
            late = time.monotonic() - seen - STALLED / LOOKS
            if late > STALLED and seen != told:
                told = seen
                self.report(late, _place(sys._current_frames().get(self._thread_id)))


def _place(frame: FrameType | None) -> str:
    """Where the loop is, innermost last."""
    calls = traceback.extract_stack(frame)[-6:] if frame else []
    return " > ".join(f"{Path(call.filename).name}:{call.lineno} {call.name}" for call in calls)


def _log_stall(seconds: float, place: str) -> None:
    log.warning("the event loop has been kept for more than %.0f ms, at %s", 1000 * STALLED, place)
