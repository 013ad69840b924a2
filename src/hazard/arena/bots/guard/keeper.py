"""Keeps one bot. It runs on its own, with few imports, so that it starts quickly; `Orders` are what it is told.

The bot takes over standard input and output; the keeper reads its standard error and counts its memory and processes.
When the bot ends, breaks a limit, or the other end of the socket LEASH closes (also by the arena's death), the keeper
kills every process that came of the command, and sends `REASON STATUS LEFT` and the bot's last words down the leash.

Where all walls stand, the keeper is the first process of the bot's own world: nothing in there can harm it, and with it
the kernel ends all that is there. Outside, one process waits for its end.
"""

import os
import resource
import select
import sys
import time

TYPE_CHECKING = False  # so named, type checkers take it for true
if TYPE_CHECKING:
    from typing import NoReturn

    from hazard.arena.bots.guard import walls
elif sys.platform == "linux":
    import walls

# ruff: noqa: SIM105 - contextlib is slow to load, as are typing and signal
TICK = 0.02  # seconds between looks at the bot's own memory
SHARE = 0.02  # the most of its time that the keeper spends on looking through all processes
KEPT = 2048  # bytes of last words
SOCKET = 1 << 18  # bytes that a socket can hold, about
PATIENCE = 5.0  # seconds to try to kill what cannot be killed
KILL, PIPE = 9, 13  # signals
DIE_WITH_PARENT, ADOPT_ORPHANS = 1, 36  # of prctl
THREADS = 32  # of a process, as far as the kernel is to stop what is too quick for the keeper
LINUX = sys.platform == "linux"


class Orders:
    """What the keeper is told, as words: LEASH MEMORY PROCESSES DISK WALLS FOLDER, then three counts and their words:
    where files are to be seen with what those names mean, what is hidden, the command."""

    def __init__(self, words: "list[str]") -> None:
        self.leash, self.memory, self.most, self.disk = (int(word) for word in words[:4])
        self.walls, self.folder = words[4:6]  # walls: all of them, some, none
        parts, rest = [], words[6:]
        for _ in range(3):
            count = int(rest[0])
            parts.append(rest[1 : 1 + count])
            rest = rest[1 + count :]
        seen, self.hidden, self.command = parts
        self.sights = list(zip(seen[::2], seen[1::2], strict=True))
        self.inside = self.walls == "all"


class Family:
    """All processes that came of the command."""

    def __init__(self, bot: int, orders: Orders) -> None:
        self.bot, self.memory, self.most, self.inside = bot, orders.memory, orders.most, orders.inside
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
        if self.inside:  # all that there is, whoever its parent
            rows = [row for some in children.values() for row in some if row[0] != 1]
            return [(pid, group, resident) for pid, state, group, resident in rows if state not in b"ZX"]
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
        return "memory" if sum(resident for _, _, resident in rows) + self.buffers() > self.memory else None

    def buffers(self) -> int:
        """What all sockets may hold: bytes that belong to no process."""
        if not self.inside:
            return 0
        with open("/proc/net/unix", "rb") as file:
            return SOCKET * (file.read().count(b"\n") - 1)

    def end(self) -> int:
        """Kill them all; how many there were besides the bot. Whole groups go at once, so that none can fork away."""
        until = time.monotonic() + PATIENCE
        others: set[int] = set()
        while True:
            rows = self.rows()
            others |= {pid for pid, _, _ in rows if pid != self.bot}
            groups = {group for _, group, _ in rows} | ({self.bot} if self.status is None else set())
            everyone = [-1] if self.inside else []
            for pid in everyone + [-group for group in groups - {0, os.getpgrp()}] + [pid for pid, _, _ in rows]:
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


def start(orders: Orders) -> tuple[int, int, str]:
    """The bot's process, where its standard error can be read, and what keeps it from starting, if anything."""
    (errors, write_errors), (problem, write_problem) = os.pipe(), os.pipe()
    bot = os.fork()
    if bot == 0:
        try:
            become(orders, write_errors)
        except OSError as failure:
            told = f"start:cannot run {orders.command[0]!r}: {failure.strerror}"
            os.write(write_problem, (f"walls:{failure.strerror}" if hasattr(failure, "wall") else told).encode())
        finally:
            os._exit(127)
    os.close(write_errors)
    os.close(write_problem)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(nothing, standard)
    return bot, errors, os.read(problem, 1000).decode()


def become(orders: Orders, errors: int) -> None:
    """Turn into the bot; does not return."""
    os.setsid()
    os.dup2(errors, 2)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_DATA, 2 * orders.memory + (256 << 20))  # stops what is too quick for the keeper
    if LINUX:
        walls.library.prctl(DIE_WITH_PARENT, KILL, 0, 0, 0)
        walls.library.signal(PIPE, 0)  # Python ignores it, which the bot would inherit
        first_to_go()
    if orders.inside:
        if counts_apart():
            lower(resource.RLIMIT_NPROC, THREADS * (orders.most + 1))
        walls.confine(["/"], ["/tmp", "/dev/shm", *WRITABLE], must=True)
    elif orders.walls == "some":
        walls.confine([real for _, real in orders.sights] + ["/dev", "/proc/self"], WRITABLE, must=False)
    os.execvp(orders.command[0], orders.command)


WRITABLE = ["/dev/null", "/dev/zero", "/dev/full"]


def first_to_go() -> None:
    """Should the machine run out of memory, the bot goes before others."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:  # done already, by who can
        pass


def counts_apart() -> bool:
    """Whether the kernel counts a user's processes in each user namespace by themselves, as Linux 5.14 and later."""
    numbers = os.uname().release.split(".")
    return [int(numbers[0]), int(numbers[1])] >= [5, 14]


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


def enter(orders: Orders) -> None:
    """Go on as the first process of a world of the bot's own; what was there before waits outside for its end."""
    child = walls.enclose()
    if child:
        step_aside(child, orders.leash)
    first_to_go()
    walls.furnish(orders.sights, orders.hidden, orders.folder, orders.disk)
    walls.surrender()


def step_aside(child: int, leash: int) -> "NoReturn":
    """Hold on to nothing but the child."""
    for handle in (0, 1, leash):
        os.close(handle)
    os.waitpid(child, 0)
    os._exit(0)


def keep(orders: Orders) -> tuple[str, int, int, bytes]:
    """Start the bot and stay with it to the end: why it ended, its status, how many others there were, its words."""
    bot, errors, problem = start(orders)
    family, words = Family(bot, orders), Words(errors)
    reason, _, why = problem.partition(":")
    reason = reason or watch(family, words, orders.leash)
    left = family.end()
    return reason, family.status or 0, left, why.encode() or words.rest()


def main() -> None:
    orders = Orders(sys.argv[1:])
    os.set_inheritable(orders.leash, False)
    try:
        if orders.inside:
            enter(orders)
        elif LINUX:
            walls.library.prctl(ADOPT_ORPHANS, 1, 0, 0, 0)
    except OSError as problem:
        reason, status, left, words = "walls", 0, 0, str(problem.strerror or problem).encode()
    else:
        reason, status, left, words = keep(orders)
    try:
        os.write(orders.leash, f"{reason} {status} {left}\n".encode() + words)
    except OSError:  # nobody is there to hear it
        pass
