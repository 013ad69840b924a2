"""Every command of docs/your-own-game.md, to the letter and in its order, in an empty folder."""

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "your-own-game.md"
SERVERS = ("lab", "serve")  # go on until they are stopped


@pytest.mark.slow
def test_the_guide_works_to_the_letter(tmp_path: Path) -> None:
    commands = re.findall(r"^\$ hazard (.*)$", GUIDE.read_text(), re.MULTILINE)
    assert len(commands) >= 10
    for command in commands:
        words = shlex.split(command)
        if words[0] in SERVERS:
            _serves(tmp_path, words)
            continue
        done = subprocess.run(
            [sys.executable, "-m", "hazard", *words], input="quit\n", capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0, (command, done.stderr)
        assert "Traceback" not in done.stderr


def _serves(folder: Path, words: list[str]) -> None:
    """The server comes up and says where."""
    more = ["--port", "0", "--data", str(folder / "data"), *(["--no-browser"] if words[0] == "lab" else [])]
    command = [sys.executable, "-u", "-m", "hazard", *words, *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder, env=os.environ) as server:
        assert server.stdout
        line = server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert "http://127.0.0.1:" in line


def test_python_of_the_guide(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hazard", "new", "mygame.py"], cwd=tmp_path, check=True, capture_output=True)
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
