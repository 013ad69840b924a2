"""Small tournaments to try everything on."""

import hashlib
import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import hazard
from hazard.arena.tournament.setting import Setting, round_robin, settle
from hazard.cli import main

AGENTS = ["optimal", "hold-at-20", "random"]
EXAMPLES = Path(__file__).parents[1] / "examples" / "bots"


def pig() -> hazard.Game:
    return hazard.game("pig", goal=30)


def make(games: int = 60, agents: list[str] = AGENTS, batch: int = 20, **more: object) -> Setting:
    return settle(pig(), agents, round_robin(agents, 2), games=games, seed=3, batch=batch, **more)


def contents(folder: Path) -> dict[str, str]:
    """Every file with its checksum."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "hazard", *(str(word) for word in words)]


def hazard_command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*words), capture_output=True, text=True, check=False)


def said(*words: object) -> tuple[int, str]:
    """The exit code of a command that is run in this process, and what it writes to standard error."""
    err = io.StringIO()
    with patch.object(sys, "argv", ["hazard", *map(str, words)]), redirect_stdout(io.StringIO()), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0), err.getvalue()
    raise AssertionError("a command ends with an exit code")
