"""Bots that attack what is around them, each in its own way: `attacks.py WAY`.

When first asked to move, a bot tries its attack, and says in the comment of its move what came of it. Else it plays.
What to aim at stands in HAZARD_BOT_AIMS: what the command names would be taken for the bot's own.
"""

import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable

WAY, WORDS = sys.argv[1], json.loads(os.environ.get("HAZARD_BOT_AIMS", "[]"))
library = ctypes.CDLL(None, use_errno=True)
HARMLESS = ("read", "memory", "disk")  # where there are no walls
MOST = 20  # processes in sight, beyond which this is no world of its own, and nothing is attacked


def tried(attempt: Callable[[], object]) -> str:
    """What an attempt came to: the name of an error, or that it worked."""
    try:
        attempt()
    except OSError as problem:
        return errno.errorcode.get(problem.errno or 0, "?")
    return "done"


def called(name: str, *words: object) -> str:
    """The same for a function of the C library."""
    ctypes.set_errno(0)
    return "done" if getattr(library, name)(*words) >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


# --- the attacks -----------------------------------------------------------------------------------------------------
def scan() -> object:
    """Kill and stop everything in sight."""
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in seen:
            if pid != os.getpid():
                tried(lambda pid=pid, number=number: os.kill(pid, number))
        tried(lambda number=number: os.kill(-1, number))
    return len(seen)


def keeper() -> object:
    """Every signal to whoever started this, and to the first process there is."""
    for number in range(1, 65):
        for pid in {os.getppid(), 1}:
            tried(lambda pid=pid, number=number: os.kill(pid, number))
    return tried(lambda: os.kill(os.getppid(), 0))


def pid() -> object:
    """Kill processes by their numbers, and their groups."""
    return [tried(lambda n=n: os.kill(n, 9)) for word in WORDS for n in (int(word), -int(word))]


def daemon() -> object:
    """Leave processes behind that belong to nobody and heed nothing."""
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_IGN)
                for handle in (0, 1, 2):
                    os.close(handle)
                while True:
                    time.sleep(60)
            os._exit(0)
        os.wait()
    return "done"


def net() -> object:
    """Call a port of this machine, listen to the world, use a socket that is a file or has a name without one."""

    def connected(kind: int, address: object) -> None:
        with socket.socket(kind, socket.SOCK_STREAM) as one:
            one.connect(address)  # type: ignore[arg-type]

    def listening(kind: int) -> None:
        with socket.socket(kind, socket.SOCK_STREAM) as one:
            one.bind(("", 0))
            one.listen()

    port, path, name = WORDS
    return [
        tried(lambda: connected(socket.AF_INET, ("127.0.0.1", int(port)))),
        tried(lambda: connected(socket.AF_UNIX, path)),
        tried(lambda: connected(socket.AF_UNIX, "\0" + name)),
        tried(lambda: listening(socket.AF_INET)),
        tried(lambda: listening(socket.AF_INET6)),
        tried(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()),
        tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()),
    ]


def disk() -> object:
    """Megabytes written to each folder before it refuses, and files made."""
    found = []
    for folder in [*WORDS, "/dev/shm", "/tmp", os.getcwd(), "/", "/var/tmp", os.path.dirname(__file__)]:
        written = 0

        def write(folder: str = folder) -> None:
            nonlocal written
            with open(os.path.join(folder, "filler"), "wb", buffering=0) as file:
                while written < 1000:
                    written += file.write(bytes(1 << 20)) >> 20

        tried(write)
        found.append(written)
    made = 0
    try:
        for n in range(100_000):
            os.mkdir(f"/tmp/{n}")
            made = n
    except OSError:
        pass
    return [found, made]


def memory() -> object:
    """Memory that belongs to no process."""
    found = [called("memfd_create", b"x", 0), called("shmget", 0, 1500 << 20, 0o1600), called("msgget", 0, 0o1600)]
    return [*found, called("syscall", 447, 0), called("semget", 0, 9, 0o1600)]


def shared() -> object:
    """Write to memory that several processes share, beyond the limit of memory."""
    block = mmap.mmap(-1, int(WORDS[0]) << 20)
    for n in range(0, len(block), 4096):
        block[n] = 1
    time.sleep(60)
    return "done"


def sockets() -> object:
    """Fill the buffers of sockets, which belong to no process."""
    kept = []
    for _ in range(400):
        kept += socket.socketpair()
        kept[-1].setblocking(False)
        try:
            while True:
                kept[-1].send(bytes(1 << 16))
        except BlockingIOError:
            pass
    time.sleep(60)
    return "done"


def plant() -> object:
    """Change, or put something beside, what others will load."""
    found = {}
    for path in [*WORDS, __file__]:
        beside = path if os.path.isdir(path) else os.path.dirname(path)
        found[path] = [
            tried(lambda path=path: os.rmdir(path) if os.path.isdir(path) else open(path, "ab").close()),
            tried(lambda beside=beside: open(os.path.join(beside, "planted.pyc"), "wb").close()),
            tried(lambda path=path: os.chmod(path, 0o777)),
            tried(lambda path=path: os.utime(path, (1, 1))),
            tried(lambda path=path: os.rename(path, path + "~")),
            tried(lambda path=path: os.chown(path, os.getuid(), os.getgid())),
            tried(lambda path=path: os.truncate(path, 0)),
            tried(lambda path=path: os.setxattr(path, "user.x", b"x")),
        ]
    return {path: [one for one in some if one == "done"] for path, some in found.items()}


def content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def overwrite(path: str) -> None:
    with open(path, "r+b", buffering=0) as file:
        file.write(b"0")


def read() -> object:
    """What can be read or listed of some files and folders, and of what others are told."""
    found = {}
    for path in WORDS:
        try:
            found[path] = len(os.listdir(path)) if os.path.isdir(path) else len(content(path))
        except OSError:
            found[path] = 0
    handles = [n for n in range(64) if tried(lambda n=n: os.fstat(n)) == "done"]
    return [found, handles, sorted(name for name in os.environ if "SECRET" in name)]


def kernel() -> object:
    """Ways out of namespaces, into other processes, and into the kernel."""
    own = os.getpid()
    names = {
        "unshare": (0x10000000,),
        "mount": (b"none", b"/tmp", b"tmpfs", 0, None),
        "umount2": (b"/tmp", 2),
        "chroot": (b"/tmp",),
        "setns": (0, 0),
        "ptrace": (16, 1, 0, 0),
        "process_vm_readv": (1, None, 0, None, 0, 0),
    }
    found = {name: called(name, *words) for name, words in names.items()}
    numbers = {"clone": (56, 0x10000000 | 17, 0, 0, 0, 0), "keyctl": (250, 0, -3, 0), "bpf": (321, 0, 0, 0)}
    numbers |= {"io_uring_setup": (425, 1, 0), "perf_event_open": (298, 0, 0, 0, 0, 0), "clone3": (435, 0, 0)}
    numbers |= {"x32": (0x40000000 + 39,)}
    if os.uname().machine == "x86_64":
        found |= {name: called("syscall", *map(ctypes.c_long, words)) for name, words in numbers.items()}
    written = ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/1/mem", "/proc/self/oom_score_adj"]
    found |= {path: tried(lambda path=path: overwrite(path)) for path in written}
    return {"own": own, **found}


ATTACKS = (scan, keeper, pid, daemon, net, disk, memory, shared, sockets, plant, read, kernel)
attack: Callable[[], object] | None = {one.__name__: one for one in ATTACKS}.get(WAY)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1, "name": WAY}), flush=True)
    elif message["type"] == "ask":
        said = ""
        if attack is not None:
            if WAY not in HARMLESS and sum(name.isdigit() for name in os.listdir("/proc")) > MOST:
                sys.exit("not isolated: nothing is attacked")
            said, attack = json.dumps(attack()), None
        answer = {"type": "move", "ask": message["ask"], "move": message["moves"][0], "comment": said}
        print(json.dumps(answer), flush=True)
