"""A server in a process of its own, to be talked to, killed and started again; and scripted clients for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PASSWORD = "the owner's in tests"


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *limits: str, **folders: Path) -> None:
        self.folder, self.words = folder, [word for limit in limits for word in ("--limit", limit)]
        self.words += [word for name, place in folders.items() for word in (f"--{name}", str(place))]
        self.start()

    def start(self, port: int = 0) -> None:
        command = [sys.executable, "-m", "hazard", "serve", "--port", str(port), "--data", str(self.folder)]
        self.process = subprocess.Popen(
            [*command, *self.words],
            stdout=subprocess.PIPE,
            stderr=(self.folder.parent / "server.log").open("ab"),
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1", "HAZARD_PASSWORD": PASSWORD},
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line.startswith("serving on "), line
        self.url = line.split()[2].rstrip(";")

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def log(self) -> str:
        return (self.folder.parent / "server.log").read_text()

    def kill(self) -> None:
        """As the power going off: nothing is said, nothing is finished."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def serving(folder: Path, *limits: str, **folders: Path) -> Iterator[Server]:
    server = Server(folder / "data", *limits, **folders)
    try:
        yield server
    finally:
        server.stop()
