"""Odd parameters by the thousand: each set is taken or refused in a line, never a fault. (`fuzz` tries odd words,
positions and files.)"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchmarks.row import Row

COUNT = 20_000
VALUES = ["", "0", "1", "-1", "5", "1e3", "0x10", "９", "9" * 30, "9" * 5000, " 7", "7\n", "x" * 1000, "/etc/hostname"]
VALUES += ["random", "\x00"]


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

    found, wrong, began = Counter[str](), [], time.monotonic()
    for number in range(count):
        try:
            found[try_one(random.Random(f"{seed} {number}"))] += 1
        except Exception as problem:
            wrong.append(f"seed {seed} {number}: {type(problem).__name__}: {problem}"[:300])
    return {"found": dict(found), "wrong": wrong, "a second": count / (time.monotonic() - began)}


def run() -> Iterator[Row]:
    found = parameters(COUNT)
    if found["wrong"]:
        raise SystemExit(f"odd parameters: {found['wrong'][:5]}")
    yield Row("odd parameters taken or refused", "as many as tried", 1, 1, "", 1, found)
