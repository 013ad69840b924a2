"""Makes studies behind the open lab, one after the other, each in a child process that ends with the server.

Only who starts the server can ask for that: no request starts a study.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from hazard.server.commands.process import end, last_line, read, start_command

log = logging.getLogger("hazard.server")


class Step(msgspec.Struct):
    """A line of `hazard reproduce --steps`."""

    doing: str
    done: int
    planned: int


@dataclass
class Making:
    """How far a study is that is not there yet."""

    status: Literal["waiting", "making", "failed"] = "waiting"
    doing: str = ""  # what is being done
    done: int = 0  # parts
    planned: int = 0
    problem: str = ""  # why it failed


class StudyRunner:
    """Makes one study at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # of the results
        self.making: dict[str, Making] = {}  # by study; one that is finished is in the folder and no longer here
        self._work: asyncio.Task[None] | None = None

    def start(self, names: Sequence[str]) -> None:
        self.making = {name: Making() for name in names}
        self._work = asyncio.create_task(self._make_all())

    async def _make_all(self) -> None:
        for name, making in list(self.making.items()):
            making.status = "making"
            try:
                making.problem = await self._make(name, making)
            except Exception as problem:
                log.exception("the study %s could not be made", name)
                making.problem = str(problem) or type(problem).__name__
            if making.problem:
                making.status = "failed"
            else:
                del self.making[name]

    async def _make(self, name: str, making: Making) -> str:
        """Run the study; why it failed, or nothing."""
        process = await start_command("reproduce", name, "--out", str(self.folder), "--steps")
        assert process.stdout
        errors = asyncio.create_task(read(process.stderr))
        try:
            async for line in process.stdout:
                with suppress(msgspec.MsgspecError):  # something else that a library prints
                    step = msgspec.json.decode(line, type=Step)
                    making.doing, making.done, making.planned = step.doing, step.done, step.planned
            code = await process.wait()
            return "" if code == 0 else last_line(await errors if code > 0 else b"")
        finally:
            errors.cancel()
            await end(process)

    async def close(self) -> None:
        """End the process; the studies that are finished stay, and parts that a study keeps."""
        if self._work:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work
