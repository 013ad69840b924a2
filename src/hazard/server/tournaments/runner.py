"""Runs tournaments that are started from a page: one at a time, in a child process that ends with the server."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

from hazard.errors import BadInput
from hazard.server.protocol import Refusal
from hazard.server.workers.pool import ONE_THREAD

COMMAND = (sys.executable, "-m", "hazard.server.tournaments.child")
REPLAY = 120.0  # seconds that the replay of a game may take
LONGEST = 64 << 20  # bytes of an answer


async def start_command(*words: str) -> asyncio.subprocess.Process:
    """Start a command of `hazard` in a child process."""
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | ONE_THREAD,
        limit=LONGEST,
        start_new_session=True,  # Ctrl-C is for the server, which ends its processes
    )


async def kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def output_of(*words: str) -> bytes:
    """The output of a command; BadInput with its own message if it fails."""
    process = await start_command(*words)
    try:
        async with asyncio.timeout(REPLAY):
            output, errors = await asyncio.gather(_read(process.stdout), _read(process.stderr))
            await process.wait()
    except TimeoutError:
        raise Refusal("busy", f"no answer within {REPLAY:g} s") from None
    finally:
        await kill(process)
    if process.returncode:
        raise BadInput(last_line(errors))
    return output


async def _read(stream: asyncio.StreamReader | None) -> bytes:
    assert stream
    return await stream.read()


def last_line(text: bytes) -> str:
    """The last line of what a command writes to standard error: why it ended."""
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("hazard: ") if lines else "it was ended from outside"


class TournamentRunner:
    """Runs one tournament at a time."""

    def __init__(self) -> None:
        self.name = ""  # of the tournament that is being played
        self.problems: dict[str, str] = {}  # why a tournament was not played to its end, by its name
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    async def play(self, folder: Path) -> None:
        """Start the tournament in a folder, or resume it."""
        if self.name:
            raise Refusal("full", f"{self.name!r} is being played, one at a time; wait for it or cancel it")
        self.name = folder.name
        self.problems.pop(folder.name, None)
        try:
            self._process = await start_command("resume", str(folder), "--processes", "1", "--json")
        except BaseException:
            self.name = ""
            raise
        self._watching = asyncio.create_task(self._watch(self._process, folder))

    async def _watch(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        try:
            _, errors = await asyncio.gather(_read(process.stdout), _read(process.stderr))
            if await process.wait() > 0:
                self.problems[folder.name] = last_line(errors).replace(f"{folder.parent}/", "")
        finally:
            await kill(process)
            self.name, self._process = "", None

    async def cancel(self, name: str) -> None:
        """End the process. Complete games stay, and the tournament can be resumed."""
        if self.name != name or self._process is None or self._watching is None:
            raise Refusal("state", f"{name[:64]!r} is not being played")
        watching = self._watching
        await kill(self._process)
        await asyncio.wait([watching])

    async def close(self) -> None:
        if self.name:
            await self.cancel(self.name)
