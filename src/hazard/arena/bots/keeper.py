"""Keeps one bot. It runs on its own as `python -I -S keeper.py LEASH MEMORY PROCESSES COMMAND...`, with few imports.

The bot takes over standard input and output; the keeper reads its standard error and counts its memory and processes.
When the bot ends, breaks a limit, or the other end of the socket LEASH closes (also by the arena's death), the keeper
kills every process that came of the command, and sends `REASON STATUS LEFT` and the bot's last words down the leash.
"""

import os
import resource
import select
import sys
import time

TYPE_CHECKING = False  # so named, type checkers take it for true
if TYPE_CHECKING:
    from typing import Any

# ruff: noqa: SIM105 - contextlib is slow to load, as are typing and signal
TICK = 0.02  # seconds between looks at the bot's own memory
SHARE = 0.02  # the most of its time that the keeper spends on looking through all processes
KEPT = 2048  # bytes of last words
PATIENCE = 5.0  # seconds to try to kill what cannot be killed
KILL, PIPE = 9, 13  # signals
DIE_WITH_PARENT, ADOPT_ORPHANS = 1, 36  # of prctl
LINUX = sys.platform == "linux"


def system() -> "Any":
    """The C library, where prctl is to be called."""
    if not LINUX:
        return None
    import ctypes

    library = ctypes.CDLL(None)
    library.prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    return library


class Family:
    """All processes that came of the command."""

    def __init__(self, bot: int, memory: int, most: int) -> None:
        self.bot, self.memory, self.most = bot, memory, most
        self.status: int | None = None  # of the bot, when it has ended
        self.next_look = 0.0

    def rows(self) -> list[tuple[int, int, int]]:
        """Process, group and resident bytes of all descendants, dead ones that nobody has waited for left out."""
        page = resource.getpagesize()
        children: dict[int, list] = {}
        for name in filter(str.isdigit, os.listdir("/proc")) if LINUX else ():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    row = file.read().rpartition(b") ")[2].split()
            except OSError:
                continue
            children.setdefault(int(row[1]), []).append((int(name), row[0], int(row[2]), int(row[21]) * page))
        found, waiting = [], [os.getpid()]
        while waiting:
            for pid, state, group, resident in children.get(waiting.pop(), ()):
                waiting.append(pid)
                if state not in b"ZX":
                    found.append((pid, group, resident))
        return found

    def reap(self) -> bool:
        """Wait for those that have ended; whether any child is left. Orphans come here, so none means none at all."""
        try:
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return True
                if pid == self.bot:
                    self.status = os.waitstatus_to_exitcode(status)
        except ChildProcessError:
            return False

    def broken(self) -> str | None:
        """The limit that has been broken, if any. The bot itself is looked at often, all processes when affordable."""
        if not LINUX:
            return None
        try:
            with open(f"/proc/{self.bot}/statm", "rb") as file:
                if int(file.read().split()[1]) * resource.getpagesize() > self.memory:
                    return "memory"
        except (OSError, IndexError):
            return None
        began = time.monotonic()
        if began < self.next_look:
            return None
        rows = self.rows()
        self.next_look = began + max(TICK, (time.monotonic() - began) / SHARE)
        if len(rows) > self.most:
            return "processes"
        return "memory" if sum(resident for _, _, resident in rows) > self.memory else None

    def end(self) -> int:
        """Kill them all; how many there were besides the bot. Whole groups go at once, so that none can fork away."""
        until = time.monotonic() + PATIENCE
        others: set[int] = set()
        while True:
            rows = self.rows()
            others |= {pid for pid, _, _ in rows if pid != self.bot}
            groups = {group for _, group, _ in rows} | ({self.bot} if self.status is None else set())
            for pid in [-group for group in groups - {0, os.getpgrp()}] + [pid for pid, _, _ in rows]:
                kill(pid)
            if not self.reap() or time.monotonic() > until:
                return len(others)
            time.sleep(0.002)


def kill(pid: int) -> None:
    try:
        os.kill(pid, KILL)
    except OSError:  # gone already, or not ours to kill
        pass


class Words:
    """The end of what the bot writes to standard error."""

    def __init__(self, source: int) -> None:
        self.source, self.kept, self.open = source, b"", True
        os.set_blocking(source, False)

    def read(self) -> bool:
        """Take what there is; whether there was anything."""
        try:
            text = os.read(self.source, 1 << 16)
        except BlockingIOError:
            return False
        self.open = bool(text)
        self.kept = (self.kept + text)[-KEPT:]
        if len(text) == 1 << 16:
            time.sleep(0.001)  # a flood is held up, so that it does not keep a processor busy
        return self.open

    def rest(self) -> bytes:
        """What the pipe still holds, once no process of the bot is left."""
        for _ in range(64):
            if not self.read():
                break
        return self.kept


def start(command: list[str], memory: int, library: "Any") -> tuple[int, int, bytes]:
    """The bot's process, where its standard error can be read, and why the command cannot be run, if so."""
    (errors, write_errors), (problem, write_problem) = os.pipe(), os.pipe()
    bot = os.fork()
    if bot == 0:
        try:
            become(command, memory, library, write_errors)
        except OSError as failure:
            os.write(write_problem, f"cannot run {command[0]!r}: {failure.strerror}".encode())
        finally:
            os._exit(127)
    os.close(write_errors)
    os.close(write_problem)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    return bot, errors, os.read(problem, 1000)


def become(command: list[str], memory: int, library: "Any", errors: int) -> None:
    """Turn into the bot; does not return."""
    os.setsid()
    os.dup2(errors, 2)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_DATA, 2 * memory + (256 << 20))  # stops what is too quick for the keeper
    if library:
        library.prctl(DIE_WITH_PARENT, KILL, 0, 0, 0)
        library.signal(PIPE, 0)  # Python ignores it, which the bot would inherit
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # should the machine run out of memory, the bot goes first
    except OSError:
        pass
    os.execvp(command[0], command)


def lower(limit: int, value: int) -> None:
    hard = resource.getrlimit(limit)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(limit, (value, value))


def watch(family: Family, words: Words, leash: int) -> str:
    """Wait until there is a reason to end the bot, and say which."""
    parent, poll, next_look = os.getppid(), select.poll(), 0.0
    poll.register(leash, select.POLLIN)
    poll.register(words.source, select.POLLIN)
    try:
        poll.register(os.pidfd_open(family.bot), select.POLLIN)  # wakes the keeper as soon as the bot ends
    except (AttributeError, OSError):  # older systems: it is seen at the next tick
        pass
    while True:
        ready = [fd for fd, _ in poll.poll(TICK * 1000)]
        if words.source in ready and not words.read() and not words.open:
            poll.unregister(words.source)
        family.reap()
        if family.status is not None:
            return "ended"
        if leash in ready or os.getppid() != parent:
            return "asked"
        if time.monotonic() >= next_look:
            next_look = time.monotonic() + TICK
            if reason := family.broken():
                return reason


def main() -> None:
    leash, memory, most = (int(word) for word in sys.argv[1:4])
    os.set_inheritable(leash, False)
    bot, errors, problem = start(sys.argv[4:], memory, system())
    family, words = Family(bot, memory, most), Words(errors)
    reason = "start" if problem else watch(family, words, leash)
    left = family.end()
    try:
        os.write(leash, f"{reason} {family.status or 0} {left}\n".encode() + (problem or words.rest()))
    except OSError:  # nobody is there to hear it
        pass


if __name__ == "__main__":
    main()
