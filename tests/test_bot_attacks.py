"""Bots that attack: each attack is tried, has no effect on others, and nobody else is blamed for it.

Everything is tried as who runs the tests and, where that is root, also as an ordinary user.
"""

import json
import os
import shlex
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hazard.arena.bots import isolation, process
from hazard.arena.bots.limits import Limits
from hazard.errors import BadInput
from hazard.jit import cache_home
from tests.conftest import MISSING
from tests.test_bot_faults import Alive, alive  # noqa: F401 - a fixture
from tests.test_bots import HOME, play, reasons

pytestmark = pytest.mark.skipif(
    bool(isolation.missing()), reason=f"{MISSING}bots that attack, as this machine cannot isolate them"
)
NOBODY = 65534
SYSTEM = shutil.which("python3", path="/usr/bin:/bin")  # a Python that every user of the machine can run
ORDINARY = pytest.mark.skipif(os.getuid() != 0 or SYSTEM is None, reason="only root can become somebody else")
ATTACKS = HOME / "tests/bots/attacks.py"


@pytest.fixture(params=["oneself", pytest.param("ordinary user", marks=ORDINARY)])
def python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Bots are kept by oneself, and by a user without rights; the Python that they can run."""
    if request.param == "oneself":
        return sys.executable

    def as_nobody(words: list[str], **more: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([str(SYSTEM), *words[1:]], user=NOBODY, group=NOBODY, extra_groups=[], **more)

    starting = SimpleNamespace(Popen=as_nobody, PIPE=subprocess.PIPE)
    monkeypatch.setattr("hazard.arena.bots.process.subprocess", starting)
    return str(SYSTEM)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can read and write."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        yield Path(name)


class Fight:
    """A game of an attacker against a bot that plays well, and what the attacker says of its attack."""

    def __init__(self, python: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.python, self.monkeypatch = python, monkeypatch

    def attacker(self, way: str, *aims: object, program: Path = ATTACKS) -> str:
        self.monkeypatch.setenv("HAZARD_BOT_AIMS", json.dumps([str(aim) for aim in aims]))
        return shlex.join([self.python, str(program), way])

    def __call__(self, way: str, *aims: object, program: Path = ATTACKS, **limits: Any) -> Any:
        victim = shlex.join([self.python, str(HOME / "examples/bots/hold20.py")])
        games = play(self.attacker(way, *aims, program=program), victim, count=2, **limits)
        assert reasons(games) == [[], []], games[0].faults
        assert [game.moves for game in games] == peaceful(), "the same games as without an attack"
        return json.loads(games[0].comments[0][1])


@lru_cache(maxsize=1)
def peaceful() -> list[list[int]]:
    """The moves where nobody attacks."""
    words = [sys.executable, str(ATTACKS), "nothing"]
    return [game.moves for game in play(shlex.join(words), "hold-at-20", count=2)]


@pytest.fixture
def fight(python: str, monkeypatch: pytest.MonkeyPatch) -> Fight:
    return Fight(python, monkeypatch)


# --- others' processes -----------------------------------------------------------------------------------------------
def test_killing_all_in_sight_kills_nobody(fight: Fight) -> None:
    assert fight("scan") == 2, "it sees the first process of its world, and itself"


def test_the_keeper_cannot_be_killed(fight: Fight) -> None:
    assert fight("keeper") == "EPERM"


def test_the_arena_and_other_bots_cannot_be_killed(fight: Fight) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        assert set(fight("pid", os.getpid(), os.getppid(), other.pid)) <= {"ESRCH", "EPERM"}
        assert other.poll() is None
        other.kill()


def test_nothing_is_left_of_a_daemon(fight: Fight, alive: Alive) -> None:  # noqa: F811
    assert fight("daemon") == "done"
    assert not alive()


def test_a_flood_of_processes_is_the_bots_own_fault(fight: Fight, alive: Alive) -> None:  # noqa: F811
    for way in ("runaway", "bomb"):
        bomb = shlex.join([fight.python, str(HOME / "tests/bots/bad.py"), way])
        victim = shlex.join([fight.python, str(HOME / "examples/bots/hold20.py")])
        (game,) = play(bomb, victim, count=1, processes=8)
        assert [(fault.place, fault.reason) for fault in game.faults] == [(0, "processes")]
    assert not alive()


def test_no_way_into_others_nor_out_of_namespaces(fight: Fight) -> None:
    found = fight("kernel")
    assert found.pop("own") < 20, "numbers of a world of its own"
    assert set(found.values()) <= {"EPERM", "ENOSYS", "EROFS", "EACCES", "ENOENT"}, found
    assert found["unshare"] == found["ptrace"] == "EPERM"


# --- the network -----------------------------------------------------------------------------------------------------
def test_no_network(fight: Fight, folder: Path) -> None:
    name = f"hazard-{os.getpid()}"
    kinds = [(socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_UNIX, str(folder / "door")), (socket.AF_UNIX, f"\0{name}")]
    servers = [socket.create_server(where, family=kind) for kind, where in kinds[:1]]  # type: ignore[arg-type]
    for kind, where in kinds[1:]:
        servers.append(socket.socket(kind))
        servers[-1].bind(where)
        servers[-1].listen()
    (folder / "door").chmod(0o777)
    found = fight("net", servers[0].getsockname()[1], folder / "door", name)
    for server in servers:
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
        server.close()
    assert "done" not in found


# --- disk and memory -------------------------------------------------------------------------------------------------
def test_the_disk_cannot_be_filled(fight: Fight, folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    written, made = fight("disk", folder, Path.home(), cache_home(), disk=8)
    assert sum(written) <= 8
    assert made < 4096
    assert not list(folder.iterdir())
    assert free - shutil.disk_usage(folder).free < 500 << 20, "whatever else goes on here"


def test_no_memory_that_belongs_to_nobody(fight: Fight) -> None:
    assert set(fight("memory")) <= {"ENOSYS", "EPERM"}


@pytest.mark.parametrize("way", ["shared", "sockets"])
def test_memory_of_several_counts(way: str, fight: Fight) -> None:
    victim = shlex.join([fight.python, str(HOME / "examples/bots/hold20.py")])
    (game,) = play(fight.attacker(way, 1500), victim, count=1, memory=128)
    assert [(fault.place, fault.reason) for fault in game.faults] == [(0, "memory")]


# --- files -----------------------------------------------------------------------------------------------------------
def looks(path: Path) -> list[tuple]:
    """All that can be seen of the files below a path."""
    found = []
    for one in sorted([path, *path.rglob("*")]):
        about = one.lstat()
        content = one.read_bytes() if stat.S_ISREG(about.st_mode) else sorted(os.listdir(one)) if one.is_dir() else None
        found.append((one, about.st_mode, about.st_mtime_ns, about.st_uid, content))
    return found


def furnished(folder: Path) -> dict[str, Path]:
    """A folder with an attacker, another bot, a cache and results, all as open as can be."""
    shutil.copy(ATTACKS, folder / "attacks.py")
    (folder / "other.py").write_text("secret = 1\n")
    (folder / "weights.txt").write_text("1 2 3")
    for name in ("cache", "results"):
        (folder / name).mkdir()
        (folder / name / "content.json").write_text('{"seed": 1}')
    for path in folder.rglob("*"):
        path.chmod(0o777)
    (folder / "cache").chmod(0o700)  # another one would not be used
    return {path.name: path for path in folder.iterdir()}


def test_nothing_can_be_planted(fight: Fight, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = furnished(folder)
    package = Path(isolation.__file__).parents[2]
    (package / "__pycache__").mkdir(exist_ok=True)
    monkeypatch.setenv("HAZARD_CACHE", str(there["cache"]))
    before = looks(folder)
    aims = [there["cache"] / "content.json", there["results"] / "content.json", there["other.py"]]
    aims += [Path.home() / ".cache", package / "__init__.py", package / "__pycache__", Path(sys.prefix)]
    others = [[path.lstat(), sorted(os.listdir(path)) if path.is_dir() else 0] for path in aims[3:]]
    found = fight("plant", *aims, program=there["attacks.py"], hidden=hiding(there))
    assert not any(found.values()), found
    assert looks(folder) == before
    now = [[path.lstat(), sorted(os.listdir(path)) if path.is_dir() else 0] for path in aims[3:]]
    assert [one[0].st_mode for one in now] == [one[0].st_mode for one in others]
    assert "planted.pyc" not in [name for one in now[1:] for name in one[1] or []]


def hiding(there: dict[str, Path]) -> tuple[str, ...]:
    """What a tournament keeps from its bots."""
    return (str(there["results"]), *isolation.programs([str(there["other.py"])]))


def test_only_what_is_ones_own_can_be_read(fight: Fight, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = furnished(folder)
    monkeypatch.setenv("HAZARD_CACHE", str(there["cache"]))
    monkeypatch.setenv("MY_SECRET_TOKEN", "x")
    mine, others = [there["weights.txt"], there["attacks.py"]], [there["other.py"], there["results"], there["cache"]]
    others += [there["results"] / "content.json", there["cache"] / "content.json"]
    home = [path for path in Path.home().iterdir() if path not in Path(sys.base_prefix).parents]
    others += [
        *home,
        Path("/etc/shadow"),
        Path("/root/.ssh"),
        Path("/var"),
        Path("/run"),
        Path("/boot"),
        HOME / "tests",
    ]
    program = there["attacks.py"]
    told, handles, secrets = fight("read", *mine, *others, program=program, hidden=hiding(there))
    assert [path for path, size in told.items() if size] == [str(path) for path in mine]
    assert handles == [0, 1, 2]
    assert secrets == []


def test_a_folder_can_be_added(fight: Fight, folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more/weights.txt").write_text("1 2 3")
    (folder / "bot").mkdir()
    shutil.copy(ATTACKS, folder / "bot")
    for path in folder.rglob("*"):
        path.chmod(0o755)
    weights, program = folder / "more/weights.txt", folder / "bot/attacks.py"
    more = isolation.check_reads([str(folder / "more")])
    for reads, size in (((), 0), (more, 5)):
        assert fight("read", weights, program=program, reads=reads)[0] == {str(weights): size}


@pytest.mark.parametrize(
    ("make", "seen"),
    [
        (lambda at: (at / "bot.py").touch(), ["{at}", "{at}/bot.py"]),
        (lambda at: (at / "bot.py").symlink_to(at.parent / "real/bot.py"), ["{at}", "{at}/bot.py", "{at}/../real"]),
    ],
)
def test_a_bot_sees_its_folder(make: Callable[[Path], None], seen: list[str], tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real/bot.py").touch()
    (tmp_path / "at").mkdir()
    make(tmp_path / "at")
    assert own_sights(str(tmp_path / "at/bot.py")) >= {
        os.path.normpath(path.format(at=tmp_path / "at")) for path in seen
    }


def own_sights(*command: str) -> set[str]:
    common = isolation.sights((), Limits(), "")
    return {path for path, _ in {*isolation.sights(command, Limits(), os.getcwd())} - {*common}}


def test_folders_of_everybody_are_nobodys_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot in the home folder sees no other file of it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    bot, deeper = tmp_path / "bot.py", tmp_path / "bots/bot.py"
    deeper.parent.mkdir()
    bot.touch()
    deeper.touch()
    assert own_sights(str(bot)) == {str(bot)}
    assert own_sights(str(deeper)) == {str(deeper), str(deeper.parent)}
    assert own_sights(str(deeper), str(tmp_path)) == {str(deeper), str(deeper.parent)}
    (tmp_path / ".local/bin").mkdir(parents=True)
    (tmp_path / ".local/bin/tool").touch()
    found = own_sights(str(tmp_path / ".local/bin/tool"))
    assert str(tmp_path / ".local") not in found
    assert str(tmp_path / ".local/lib") in found


@pytest.mark.parametrize("path", ["/", "/proc", "/etc", "/dev", "/nowhere"])
def test_what_cannot_be_added(path: str) -> None:
    with pytest.raises(BadInput, match=f"^--reads {path}: "):
        isolation.check_reads([path])


# --- machines that can do less ---------------------------------------------------------------------------------------
@pytest.fixture
def no_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the kernel gives no user namespaces to ordinary users."""
    monkeypatch.setattr(isolation, "missing", lambda: "namespaces: Operation not permitted")


@pytest.mark.usefixtures("no_namespaces")
def test_without_namespaces_some_walls_stand(fight: Fight, folder: Path) -> None:
    """Landlock and seccomp alone: files, the network and memory of nobody."""
    there, elsewhere = furnished(folder), folder / "elsewhere"
    (folder / "bot").mkdir()
    program = Path(shutil.move(there["attacks.py"], folder / "bot/attacks.py"))
    elsewhere.write_text("secret")
    others = [elsewhere, there["other.py"], there["results"] / "content.json", Path("/etc/passwd"), folder]
    told, _, _ = fight("read", program, *others, program=program)
    assert [path for path, size in told.items() if size] == [str(program)]
    assert set(fight("memory")) <= {"ENOSYS", "EPERM"}
    written, _ = fight("disk", folder, program=program)
    assert sum(written) == 0


def test_where_namespaces_are_not_to_be_had() -> None:
    """The machine says so, commands warn, and a class is refused."""
    if shutil.which("unshare") is None:
        pytest.skip(f"{MISSING}a machine without namespaces, as there is no unshare")
    python, bot = shlex.quote(sys.executable), shlex.quote(str(HOME / "examples/bots/hold20.py"))
    words = f"{python} -m hazard match pig -p goal=20 {bot} random --games 2"
    refused = f"{python} -m hazard class {shlex.quote(str(HOME / 'examples/bots'))} --game pig --out /nowhere/at/all"
    script = f"echo 0 > /proc/sys/user/max_user_namespaces || exit 9; {words}; {refused}"
    done = subprocess.run(["unshare", "-Ur", "sh", "-c", script], capture_output=True, text=True, check=False)
    if done.returncode == 9:
        pytest.skip(f"{MISSING}a machine without namespaces, as that cannot be tried here")
    assert done.returncode == 2
    assert "WARNING: bots are not isolated on this machine (namespaces: No space left on device)" in done.stderr
    assert "2 games of pig" in done.stdout
    assert "a class is not played without" in done.stderr


@pytest.mark.usefixtures("no_namespaces")
def test_who_insists_on_isolation_never_plays_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even if it fails in between: the game is not played, and nobody is blamed."""
    assert [walls_for(insist=True), walls_for(), walls_for(isolated=False)] == ["all", "some", "none"]
    monkeypatch.setattr("hazard.arena.bots.process.isolation.sights", lambda *given: (("/x", "/\udcff" * 3000),))
    with pytest.raises(BadInput, match="bots cannot be isolated any more"):
        play(shlex.join([sys.executable, str(ATTACKS), "nothing"]), "random", count=1, insist=True)


def walls_for(**limits: Any) -> str:
    return process._walls(Limits(**limits))
