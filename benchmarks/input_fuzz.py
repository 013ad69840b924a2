"""Odd positions, parameters and command lines by the thousand: each is taken or refused in a line, never a fault."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.row import Row

COUNT = 20_000
PIECES = [
    "",
    " ",
    "-",
    "0",
    "1",
    "9" * 30,
    "p1",
    "p9",
    "roll",
    "rolling",
    "over",
    ":",
    "/",
    "|",
    "\x00",
    "é",
    "１",
    "\ud800",
    "=",
    "\n",
]
VALUES = [
    "",
    "0",
    "1",
    "-1",
    "5",
    "1e3",
    "0x10",
    "９",
    "9" * 30,
    "9" * 5000,
    " 7",
    "7\n",
    "x" * 1000,
    "/etc/hostname",
    "random",
    "\x00",
]
OPTIONS = ["-p", "--json", "--games", "--seed", "--help", "--nonsense", "-"]
COMMANDS = ("advise", "agents", "games", "verify", "replay", "results")


def altered(text: str, rng: random.Random) -> str:
    """A text with something else in some place, or something missing."""
    for _ in range(rng.randint(1, 4)):
        at, long = rng.randrange(len(text) + 1), rng.randint(0, 4)
        text = text[:at] + rng.choice([*PIECES, text[:at], chr(rng.randrange(32, 500))]) + text[at + long :]
        text = text[:3000]
    return text


def counted(count: int, seed: int, try_one: Callable[[random.Random], str]) -> dict[str, Any]:
    """What came of so many tries; whatever is neither taken nor refused is wrong."""
    found, wrong = Counter[str](), []
    began = time.monotonic()
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        try:
            found[try_one(rng)] += 1
        except Exception as problem:
            wrong.append(f"seed {seed} {number}: {type(problem).__name__}: {problem}"[:300])
    return {"found": dict(found), "wrong": wrong, "a second": count / (time.monotonic() - began)}


# --- positions and parameters -----------------------------------------------------------------------------------------
def positions(count: int, seed: int = 1) -> dict[str, Any]:
    """Texts of positions of all games, more or less altered; a position that is taken has that very text."""
    from hazard.declaration import declared, game_names
    from hazard.errors import BadInput
    from hazard.rulebook import make_game

    games = [(make_game(name, {}), declared(name).notation.EXAMPLE) for name in game_names()]

    def try_one(rng: random.Random) -> str:
        game, example = rng.choice(games)
        text = altered(rng.choice([example, str(game.start())]), rng)
        try:
            position = game.parse(text)
        except BadInput:
            return "refused"
        assert str(position) == text
        assert position.over or position.rolling or position.moves
        return "taken"

    return counted(count, seed, try_one)


def parameters(count: int, seed: int = 1) -> dict[str, Any]:
    """Parameters of all games, with values that do not fit; a game that is made can be begun."""
    from hazard.declaration import declared, game_names
    from hazard.errors import BadInput
    from hazard.files import seal
    from hazard.rulebook import make_game

    seal()
    names = game_names()

    def try_one(rng: random.Random) -> str:
        name = rng.choice(names)
        known = [parameter.name for parameter in declared(name).parameters]
        given = {rng.choice([*known, "nonsense", ""]): rng.choice(VALUES) for _ in range(rng.randint(1, 3))}
        try:
            _ = make_game(name, given).start().over
        except BadInput:
            return "refused"
        return "taken"

    return counted(count, seed, try_one)


# --- command lines ----------------------------------------------------------------------------------------------------
def command_lines(count: int, seed: int = 1) -> dict[str, Any]:
    """Words after `hazard` in odd orders; commands that are quick are run."""
    from click.testing import CliRunner

    from hazard.cli import cli
    from hazard.errors import BadInput

    runner = CliRunner()

    def try_one(rng: random.Random) -> str:
        words = [rng.choice(COMMANDS), rng.choice(["pig", "pigg", "", "/no/such", "é", "./x.py"])]
        words += rng.choices(["p1 3:4 pot 5", "goal=12", "goal=", "=", *OPTIONS, *PIECES, *VALUES], k=rng.randint(0, 4))
        words = [word.replace("\x00", "") for word in words]  # a command line has none
        done = runner.invoke(cli, words, catch_exceptions=True)
        problem = done.exception
        if problem is None or isinstance(problem, SystemExit):
            assert done.exit_code in (0, 1, 2), f"{words}: {done.exit_code}"
            return f"exit {done.exit_code}"
        assert isinstance(problem, BadInput | OSError), f"{words}: {type(problem).__name__}: {problem}"
        return "refused"

    return counted(count, seed, try_one)


FUZZERS: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "positions": positions,
    "parameters": parameters,
    "command lines": command_lines,
}


def run() -> Iterator[Row]:
    for name, fuzz in FUZZERS.items():
        found = fuzz(COUNT if name != "command lines" else COUNT // 20, 1)
        if found["wrong"]:
            raise SystemExit(f"odd {name}: {found['wrong'][:5]}")
        yield Row(f"odd {name} taken or refused", "as many as tried", 1, 1, "", 1, found)
