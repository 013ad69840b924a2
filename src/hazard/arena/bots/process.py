"""A bot's process: lines go in and out without ever blocking for longer than allowed, and none is left behind.

The arena talks to the bot directly; a keeper (keeper.py) stands beside it, reads its standard error and ends it.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hazard.arena.bots import isolation
from hazard.arena.bots.limits import CRASH, FLOOD, TIMEOUT, BotError, Limits
from hazard.arena.bots.messages import printable
from hazard.errors import BadInput

GUARD = Path(__file__).with_name("guard")
KEEPER = f"import sys; sys.path.append({str(GUARD)!r}); import keeper; keeper.main()"  # so it need not be compiled anew
MARK = "HAZARD_BOT"  # in the environment of a bot and of all that it starts
LONGEST = 1 << 16  # bytes of one line
MOST_LINES = 16  # lines that may wait where one was asked for
PATIENCE = 10.0  # seconds for the keeper to end a bot


class Report(NamedTuple):
    """How a bot came to its end."""

    reason: str  # ended (by itself), asked, memory, processes, start (cannot be run), walls (cannot be isolated),
    # lost (the keeper was killed)
    status: int  # of its exit; negative for a signal
    left: int  # processes besides the bot that had to be killed
    words: str  # the end of its standard error


class Process:
    """A running bot."""

    def __init__(self, command: Sequence[str], limits: Limits, walls: str | None = None) -> None:
        if os.name != "posix":
            raise BadInput(f"{command[0]!r}: bots need Linux or macOS")
        self.mark = uuid.uuid4().hex
        self.leash, theirs = socket.socketpair()
        with theirs:
            self.keeper = _start_keeper(command, limits, theirs.fileno(), self.mark, walls or _walls(limits))
        assert self.keeper.stdin
        assert self.keeper.stdout
        self.stdin, self.stdout = self.keeper.stdin, self.keeper.stdout
        os.set_blocking(self.stdin.fileno(), False)
        os.set_blocking(self.stdout.fileno(), False)
        self.waiting, self.heard = b"", b""  # not yet written, not yet read
        self.report: Report | None = None

    def send(self, line: bytes) -> None:
        """Write a line as far as the bot takes it; the rest follows while its answer is waited for."""
        self.waiting += line
        self._write()

    def _write(self) -> None:
        try:
            self.waiting = self.waiting[os.write(self.stdin.fileno(), self.waiting) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # nobody reads any more; that is noticed when the answer does not come
            self.waiting = b""

    def read_line(self, deadline: float) -> bytes:
        """The next line the bot writes, or the fault that keeps it from coming."""
        while b"\n" not in self.heard:
            if len(self.heard) > LONGEST:
                raise BotError(FLOOD, f"a line longer than {LONGEST} bytes")
            self._hear(deadline)
        if self.heard.count(b"\n") > MOST_LINES:
            raise BotError(FLOOD, f"more than {MOST_LINES} lines where one was asked for")
        line, _, self.heard = self.heard.partition(b"\n")
        if len(line) > LONGEST:
            raise BotError(FLOOD, f"a line longer than {LONGEST} bytes")
        return line

    def _hear(self, deadline: float) -> None:
        """Wait for output, writing what the bot is ready to take."""
        poll = select.poll()
        poll.register(self.stdout, select.POLLIN)
        poll.register(self.leash, select.POLLIN)
        if self.waiting:
            poll.register(self.stdin, select.POLLOUT)
        left = deadline - time.monotonic()
        ready = {fd for fd, _ in poll.poll(left * 1000)} if left > 0 else set()
        if not ready:
            raise BotError(TIMEOUT, "no answer")
        if self.stdin.fileno() in ready:
            self._write()
        if self.stdout.fileno() in ready:
            text = os.read(self.stdout.fileno(), LONGEST + 1)
            if not text:
                raise BotError(CRASH, "its standard output was closed")
            self.heard += text
        elif self.leash.fileno() in ready:
            raise BotError(CRASH, "its keeper has gone")

    def finish(self, grace: float = 0.0) -> Report:
        """End the bot and all that it started. It has `grace` seconds to end by itself."""
        if self.report is None:
            self.stdin.close()
            try:
                if grace <= 0 or not _readable(self.leash, grace):
                    self.leash.shutdown(socket.SHUT_WR)
                told = _read_all(self.leash, PATIENCE)
            finally:  # with the leash closed the keeper goes on by itself, should this be interrupted
                self.leash.close()
                self.stdout.close()
            if not told:
                sweep(self.mark)
            self.keeper.kill()
            self.keeper.wait()
            self.report = _report(told)
        return self.report


def _walls(limits: Limits) -> str:
    """Which walls are put up: all, those that the machine has, or none."""
    if not limits.isolated:
        return "none"
    return "all" if limits.insist or not isolation.missing() else "some"


def _start_keeper(command: Sequence[str], limits: Limits, leash: int, mark: str, walls: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", KEEPER, *_orders(command, limits, leash, walls)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[leash],
        start_new_session=True,  # Ctrl-C is for the arena alone
        bufsize=0,
        env=_variables(walls) | {MARK: mark},
    )


def _variables(walls: str) -> dict[str, str]:
    """The order of Python's sets is the same in every run."""
    return isolation.environment() if walls != "none" else {"PYTHONHASHSEED": "0", **os.environ}


def _orders(command: Sequence[str], limits: Limits, leash: int, walls: str) -> list[str]:
    """What the keeper is told; see Orders there."""
    here = os.getcwd()
    seen = [] if walls == "none" else [path for pair in isolation.sights(tuple(command), limits, here) for path in pair]
    hidden = [] if walls == "none" else isolation.hidden(command, limits)
    numbers = map(str, (leash, limits.memory << 20, limits.processes, limits.disk))
    lists = (word for some in (seen, hidden, command) for word in (str(len(some)), *some))
    return [*numbers, walls, here, *lists]


def _readable(leash: socket.socket, seconds: float) -> bool:
    poll = select.poll()
    poll.register(leash, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _read_all(leash: socket.socket, seconds: float) -> bytes:
    """All that comes down the leash until the keeper has gone."""
    told, until = b"", time.monotonic() + seconds
    while _readable(leash, max(0.0, until - time.monotonic())):
        try:
            part = leash.recv(1 << 16)
        except ConnectionResetError:
            break
        if not part:
            break
        told += part
    return told


def _report(told: bytes) -> Report:
    head, _, words = told.partition(b"\n")
    reason, status, left = head.decode().split() if head else ("lost", "0", "0")
    return Report(reason, int(status), int(left), printable(words.decode(errors="replace").strip()))


def sweep(mark: str) -> None:
    """Kill every process whose environment bears the mark: for a bot that has got rid of its keeper."""
    sign = f"{MARK}={mark}".encode()
    for _ in range(100):
        found = [pid for pid in _processes() if sign in _environment(pid)]
        if not found:
            return
        for pid in found:
            try:
                os.kill(pid, 9)
            except OSError:
                continue
        time.sleep(0.01)


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []


def _environment(pid: int) -> bytes:
    """Empty for a process that has ended."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""
