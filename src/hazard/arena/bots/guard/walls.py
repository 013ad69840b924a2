"""Walls around a bot on Linux, which need no root: namespaces, a small tree of files, Landlock and seccomp.

`enclose` goes on in a child that is the first process of namespaces of its own; `confine` binds the process that is to
become the bot. Both raise WallError where the kernel has no such thing. Few modules are imported, as it is part
of each start.
"""

import ctypes
import errno
import os
import struct

BOT = 1000  # the user and group that a bot believes to be
FILES = 4096  # files it may make
OLD = "/old"  # where the machine's own files are while the tree is made

# --- numbers of the kernel -------------------------------------------------------------------------------------------
NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000  # mount, ipc, user, pid, net
ANY_NAMESPACE = 0x7E020000
CHILD = 17  # the signal at a child's end
READ_ONLY, NO_SUID, NO_DEVICES, BIND, RECURSIVE, PRIVATE, DETACH = 1, 2, 4, 0x1000, 0x4000, 1 << 18, 2
WHOLE_TREE, HERE = 0x8000, -100
KILL, INTERRUPT = 9, 2
DIE_WITH_PARENT, DUMPABLE, NO_NEW_PRIVILEGES, SECCOMP, FILTER = 1, 4, 38, 22, 2
MOUNT_SETATTR, LANDLOCK = 442, 444  # the same on every machine
CLONE = {"x86_64": 56, "aarch64": 220}
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Calls that no bot needs, on x86-64 and on 64-bit ARM. Those that programs try and do well without do not exist for it.
ABSENT = {
    "memfd_create": (319, 279),  # memory that belongs to no process
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "clone3": (435, 435),  # its flags cannot be seen from here; without it programs use clone
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
REFUSED = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "syslog": (103, 116),
}
SOCKET = (41, 198)

library = ctypes.PyDLL(None, use_errno=True)  # this program has one thread, so nothing need be let go of
library.syscall.restype = ctypes.c_long


class WallError(OSError):
    """The kernel does not give what a wall needs."""

    wall = True


def call(what: str, result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise WallError(number, f"{what}: {os.strerror(number)}")
    return result


def system(what: str, number: int, *arguments: object) -> int:
    """A system call; whole numbers are as long as the machine's."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    return call(what, library.syscall(ctypes.c_long(number), *words))


def control(what: str, option: int, *values: object) -> None:
    words = [ctypes.c_ulong(word) if isinstance(word, int) else word for word in (*values, 0, 0, 0, 0)[:4]]
    call(what, library.prctl(option, *words))


def mount(source: str, target: str, kind: str, flags: int, more: str = "") -> None:
    words = [os.fsencode(word) for word in (source, target, kind)]
    call(f"mount {kind or source}", library.mount(*words, ctypes.c_ulong(flags), more.encode() or None))


# --- namespaces ------------------------------------------------------------------------------------------------------
def enclose() -> int:
    """Fork into new namespaces: 0 in the child, which is the first process there and ends when its parent does."""
    machine = os.uname().machine
    if machine not in CLONE:
        raise WallError(errno.ENOSYS, f"processors of kind {machine}")
    user, group = os.geteuid(), os.getegid()
    child = system("namespaces", CLONE[machine], NEW_NAMESPACES | CHILD, 0, 0, 0, 0)
    if child == 0:
        control("the parent's end", DIE_WITH_PARENT, KILL)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{BOT} {user} 1"), ("gid_map", f"{BOT} {group} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        library.signal(INTERRUPT, 0)  # Python's own handler would let the bot interrupt it
    return child


def furnish(sights: "list[tuple[str, str]]", hidden: "list[str]", folder: str, megabytes: int) -> None:
    """Move into a tree of files that holds nothing but what the bot may see; it can write to /tmp and /dev/shm alone.

    `sights` are paths, each with the path that it is a link to, else itself; what is `hidden` inside of them is empty.
    """
    mount("none", "/", "", RECURSIVE | PRIVATE)
    mount("tmpfs", "/tmp", "tmpfs", NO_SUID | NO_DEVICES, f"size=1m,nr_inodes={FILES},mode=755")
    os.chdir("/tmp")
    os.mkdir("/tmp" + OLD)
    call("pivot_root", library.syscall(ctypes.c_long(PIVOT_ROOT[os.uname().machine]), b".", OLD[1:].encode()))
    os.chdir("/")
    close(OLD, WHOLE_TREE)  # before anything is made, so that no file of the machine can be touched by mistake
    for name in ("/proc", "/tmp", "/etc", "/dev"):
        os.mkdir(name)
    mount("proc", "/proc", "proc", READ_ONLY | NO_SUID | NO_DEVICES)  # refused once the old one cannot be seen
    mount("tmpfs", "/tmp", "tmpfs", NO_SUID | NO_DEVICES, f"size={megabytes}m,nr_inodes={FILES},mode=1777")
    devices()
    people()
    covers = show(sights, hidden)
    call("unmount", library.umount2(OLD.encode(), DETACH))
    os.rmdir(OLD)
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    for path in ["/", *covers]:
        close(path)


def close(path: str, extent: int = 0) -> None:
    """Let nothing be written to a mount, or to a whole tree of them."""
    attributes = struct.pack("QQQQ", READ_ONLY | NO_SUID, 0, 0, 0)
    system("read-only files", MOUNT_SETATTR, HERE, os.fsencode(path), extent, attributes, len(attributes))


PIVOT_ROOT = {machine: REFUSED["pivot_root"][n] for n, machine in enumerate(CLONE)}


def show(sights: "list[tuple[str, str]]", hidden: "list[str]") -> "list[str]":
    """Bind every file and folder to where it was, outer ones first; cover what is hidden in them, and say what is."""
    rows = [(real, True) for real in {real for _, real in sights}]
    rows += [(path, False) for path in {*hidden} - {real for real, _ in rows}]
    above: dict[str, bool] = {}
    for path, seen in sorted(rows, key=lambda row: row[0].count("/")):
        if seen != nearest(path, above) and os.path.lexists(OLD + path):
            above[path] = seen
            (bind if seen else cover)(path)
    for path, real in sights:
        if path != real and not os.path.lexists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink(real, path)
    return [path for path, seen in above.items() if not seen]


def nearest(path: str, above: "dict[str, bool]") -> bool:
    """Whether a path can be seen already, by the folder next above it that has been dealt with."""
    while path != "/":
        path = os.path.dirname(path)
        if path in above:
            return above[path]
    return False


def bind(path: str) -> None:
    if os.path.isdir(OLD + path):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        touch(path)
    mount(OLD + path, path, "", BIND | RECURSIVE)


def touch(path: str, text: str = "") -> None:
    with open(path, "w") as file:
        file.write(text)


def cover(path: str) -> None:
    if os.path.isdir(path):
        mount("tmpfs", path, "tmpfs", NO_SUID | NO_DEVICES, "size=1m,nr_inodes=64,mode=755")
    else:
        touch("/.empty")
        mount("/.empty", path, "", BIND)


def devices() -> None:
    for name in ("null", "zero", "full", "random", "urandom"):
        if os.path.exists(f"{OLD}/dev/{name}"):
            bind(f"/dev/{name}")
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/dev/{name}")
    os.mkdir("/tmp/.shm")
    os.mkdir("/dev/shm")
    mount("/tmp/.shm", "/dev/shm", "", BIND)


def people() -> None:
    """Who there is: the bot, and nobody of the machine's own."""
    touch("/etc/passwd", f"bot:x:{BOT}:{BOT}:bot:/tmp:/bin/sh\n")
    touch("/etc/group", f"bot:x:{BOT}:\n")


def surrender() -> None:
    """Give up all rights that come with a namespace of one's own, and be no one whom others may look into."""
    control("dumpable", DUMPABLE, 0)
    call("capset", library.capset(struct.pack("Ii", 0x20080522, 0), bytes(24)))


# --- what a process may do -------------------------------------------------------------------------------------------
def confine(readable: "list[str]", writable: "list[str]", must: bool) -> None:
    """Bind this process and all that it starts, for good. Where not all of it must be, as far as the kernel can."""
    control("no new privileges", NO_NEW_PRIVILEGES, 1)
    for wall in (lambda: landlock(readable, writable), seccomp):
        try:
            wall()
        except WallError:
            if must:
                raise


def landlock(readable: "list[str]", writable: "list[str]") -> None:
    """Files can be read and run below some paths, and written below others; nothing outside can be signalled."""
    version = system("Landlock", LANDLOCK, 0, 0, 1)
    every = (1 << 13) - 1 | (version >= 2) << 13 | (version >= 3) << 14 | (version >= 5) << 15
    net, scope = 3 * (version >= 4), 3 * (version >= 6)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = system("Landlock", LANDLOCK, struct.pack("QQQ", every, net, scope)[:size], size, 0)
    reading = 1 | 4 | 8  # run, read files, list folders
    for paths, access in ((readable, reading), (writable, every)):
        for path in paths:
            allow(rules, path, access)
    system("Landlock", LANDLOCK + 2, rules, 0)
    os.close(rules)


def allow(rules: int, path: str, access: int) -> None:
    try:
        file = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there need not be allowed
        return
    of_files = 1 | 2 | 4 | 1 << 14 | 1 << 15  # run, write, read, cut, control: all that can be done to a file
    if not os.path.isdir(path):
        access &= of_files
    system("Landlock", LANDLOCK + 1, rules, 1, struct.pack("=Qi", access, file), 0)
    os.close(file)


def seccomp() -> None:
    program = filter_of(os.uname().machine)
    words = b"".join(struct.pack("HBBI", *word) for word in program)
    lines = ctypes.create_string_buffer(words, len(words))
    head = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(lines)), 16)
    control("seccomp", SECCOMP, FILTER, ctypes.addressof(head))


def filter_of(machine: str) -> "list[tuple[int, int, int, int]]":
    """The filter as words of BPF: operation, how far to jump if so, if not, and a value."""
    if machine not in AUDIT:
        raise WallError(errno.ENOSYS, f"seccomp: processors of kind {machine}")
    which = list(AUDIT).index(machine)
    load, equal, above, bits, end = 0x20, 0x15, 0x35, 0x45, 0x06
    allowed, killed, refused = (end, 0, 0, 0x7FFF0000), (end, 0, 0, 0x80000000), 0x00050000
    program = [(load, 0, 0, 4), (equal, 1, 0, AUDIT[machine]), killed, (load, 0, 0, 0)]
    if machine == "x86_64":  # its second way to say the same
        program += [(above, 0, 1, 0x40000000), (end, 0, 0, refused | errno.ENOSYS)]
    for calls, number in ((ABSENT, errno.ENOSYS), (REFUSED, errno.EPERM)):
        for numbers in calls.values():
            program += [(equal, 0, 1, numbers[which]), (end, 0, 0, refused | number)]
    first = (load, 0, 0, 16)  # the lower half of the first argument
    program += [(equal, 0, 4, SOCKET[which]), first, (equal, 1, 0, 1), (end, 0, 0, refused | errno.EAFNOSUPPORT)]
    program += [allowed]
    program += [(equal, 0, 3, CLONE[machine]), first, (bits, 0, 1, ANY_NAMESPACE), (end, 0, 0, refused | errno.EPERM)]
    return [*program, allowed]
