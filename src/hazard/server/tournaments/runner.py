"""Runs tournaments that are started from a page: one at a time, in a child process that ends with the server."""

from __future__ import annotations

import asyncio
from pathlib import Path

from hazard.server.commands.process import kill, last_line, read, start_command
from hazard.server.protocol import Refusal


class TournamentRunner:
    """Runs one tournament at a time."""

    def __init__(self, memory: int = 0) -> None:
        self.memory = memory  # megabytes that the process may use; 0 for no limit
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
            self._process = await start_command("resume", str(folder), "--processes", "1", "--json", memory=self.memory)
        except BaseException:
            self.name = ""
            raise
        self._watching = asyncio.create_task(self._watch(self._process, folder))

    async def _watch(self, process: asyncio.subprocess.Process, folder: Path) -> None:
        try:
            _, errors = await asyncio.gather(read(process.stdout), read(process.stderr))
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
