"""Starts a command of `hazard` in a child process, ends it, and reads what it says."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress

from hazard.errors import BadInput
from hazard.server.commands.child import GRACE
from hazard.server.protocol import Refusal
from hazard.server.workers.pool import ONE_THREAD
from hazard.server.workers.worker import MEMORY

COMMAND = (sys.executable, "-m", "hazard.server.commands.child")
PATIENCE = 120.0  # seconds that an output is waited for
LONGEST = 64 << 20  # bytes of an output, or of one line


async def start_command(*words: str, memory: int = 0) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        *words,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | ONE_THREAD | {MEMORY: str(memory)},
        limit=LONGEST,
        start_new_session=True,  # Ctrl-C is for the server, which ends its processes
    )


async def kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def end(process: asyncio.subprocess.Process) -> None:
    """Let it tidy up, and kill it if that takes long."""
    assert process.stdin
    process.stdin.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), GRACE)
    await kill(process)


async def output_of(*words: str) -> bytes:
    """The output of a command; BadInput with its own message if it fails."""
    process = await start_command(*words)
    try:
        async with asyncio.timeout(PATIENCE):
            output, errors = await asyncio.gather(read(process.stdout), read(process.stderr))
            await process.wait()
    except TimeoutError:
        raise Refusal("busy", f"no answer within {PATIENCE:g} s") from None
    finally:
        await kill(process)
    if process.returncode:
        raise BadInput(last_line(errors))
    return output


async def read(stream: asyncio.StreamReader | None) -> bytes:
    assert stream
    return await stream.read()


def last_line(text: bytes) -> str:
    """The last line of what a command writes to standard error: why it ended."""
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("hazard: ") if lines else "it was ended from outside"
