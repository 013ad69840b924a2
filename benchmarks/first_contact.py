"""The first minute on a fresh machine: commands, and agents' moves in the lab, with nothing compiled yet.

Processor seconds are measured in ten million steps of a plain Python loop, so that figures of different machines can be
compared. Goals are for a machine on which the loop takes 1.6 s: a match within 10 s, advice within 3, Pig solved in 4,
the first move of an agent in the lab within a second by the clock.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache

from benchmarks.row import Row
from benchmarks.startup import COMMAND
from hazard.analysis.warming import first_decision
from hazard.declaration import declared, game_names
from hazard.rulebook import make_game
from hazard.server.workers.pool import WorkerPool

LOOP = "ten million Python steps"
UNIT = 1.6  # seconds of the loop for which the goals are stated
GOALS = {"solve": 4, "advise": 3, "match": 10}
AGENTS = {  # the slowest of those that do not search
    "dice-of-doom": ("greedy", "random"),
    "dice-wars": ("master-fast", "ste-corrected"),
    "great-rolled-ones": ("optimal", "keep-pace"),
    "pickomino": ("turn", "s3"),
    "pig": ("optimal", "hold-at-20"),
    "risk": ("optimal", "koole"),
}


IMPORTS = "import numba, hazard.cli.games, hazard.cli.output, hazard.arena.match, hazard.analysis.advice"
STEPS = """
import time
began, x = time.process_time(), 0
for i in range(10_000_000):
    x += i * i % 7
print(time.process_time() - began)
"""


@cache
def loop() -> float:
    """The processor seconds of the loop, as a script runs it."""
    run = [subprocess.run([sys.executable, "-c", STEPS], check=True, capture_output=True, text=True) for _ in range(3)]
    return min(float(done.stdout) for done in run)


@cache
def environment() -> dict[str, str]:
    """As of a user: Python keeps what it has compiled of modules, and has done so."""
    found = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", IMPORTS], env=found, check=True)
    return found


def processor_seconds(*words: str) -> float:
    """What a command takes with an empty cache, its child processes included."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as folder:
        setting = environment() | {"HAZARD_CACHE": folder}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([COMMAND, *words], env=setting, check=True, **quiet)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def commands() -> Iterator[tuple[str, ...]]:
    yield "solve", "pig"
    yield "solve", "pig", "--again"
    for name in game_names():
        game = make_game(name, declared(name).lab.parameters)
        given = [word for key, value in game.parameters.items() for word in ("-p", f"{key}={value}")]
        yield "advise", name, *given, str(first_decision(game))
    for name, agents in AGENTS.items():
        yield "match", name, *agents, "--games", "10"


async def first_moves() -> list[tuple[str, float]]:
    """The seconds by the clock that the lab's first opponent takes for its first move, its process included."""
    found = []
    for name in game_names():
        game = make_game(name, declared(name).lab.parameters)
        agent, position = declared(name).lab.opponents[0], first_decision(game)
        pool = WorkerPool(3)
        try:
            began = time.perf_counter()
            await pool.agent_move(game.name, game.parameters, str(position), agent, 1, 0)
            found.append((f"{name}: {agent}", time.perf_counter() - began))
        finally:
            await pool.close()
    return found


def run() -> Iterator[Row]:
    for words in commands():
        name = " ".join(word for word in words[:4] if word != "-p" and "=" not in word and " " not in word)
        yield Row(f"hazard {name}", LOOP, processor_seconds(*words), loop(), "s", UNIT / GOALS[words[0]])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HAZARD_CACHE"] = folder
        for title, seconds in asyncio.run(first_moves()):
            yield Row(f"first move of {title}", "a second", seconds, 1.0, "s", 1)
        del os.environ["HAZARD_CACHE"]
