"""Writes what a solution claims so that anybody can check it without this solver: see `hazard.checking.certificate`.

Besides the bounds of every position it says why play ends: a rank for each. From a position with dice in the air there
is a way to land after which every choice leads to a lower rank, or to an end of the game. So play has, again and again,
a chance that is not zero to go down to an end. Where that holds whatever both seats do there is one rank a position.
Where a seat could stall there are two: one for play in which seat 0 takes what is best by the lower bounds, one for
play in which seat 1 takes what is best by the upper ones.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.contract import canonical, chance, gain, land, legal, move, over, pack, payoff, weight
from hazard.errors import BadInput
from hazard.jit import leaf, rule
from hazard.solving.enumerated.components import FIRST, HIGH, JOINT, LOW, SECOND
from hazard.solving.enumerated.packing import Layout, position
from hazard.solving.enumerated.search import slot_of
from hazard.solving.enumerated.solution import EnumeratedSolution

VERSION = 1


class Ranking(NamedTuple):
    """Solved positions, and their ranks so far: 0 where there is none."""

    key: np.ndarray
    slots: np.ndarray
    value: np.ndarray
    layout: Layout
    numbers: np.ndarray
    moves: np.ndarray
    rank: np.ndarray
    last: np.ndarray  # the highest rank


@leaf
def node_of(g: Any, s: Any, x: Any) -> int:
    a, b, _ = pack(canonical(g, s), x.layout.low, x.layout.check, x.layout.bits, x.layout.at)
    return x.slots[slot_of(x.key, x.slots, a, b)]


@leaf
def is_out(g: Any, s: Any, x: Any) -> bool:
    """Whether a position has a rank, or is over."""
    return True if over(g, s) else x.rank[node_of(g, s, x)] > 0


@leaf
def bound_at(g: Any, s: Any, x: Any, side: int) -> float:
    return float(payoff(g, s, 0)) if over(g, s) else x.value[node_of(g, s, x), side]


@rule
def leads_out(g: Any, u: Any, x: Any, who: int) -> bool:
    """Whether every choice in a position leads to ranks; of a seat that plays by its bound, the first of the best."""
    if over(g, u) or chance(g, u) > 0:
        return is_out(g, u, x)
    count = legal(g, u, x.moves)
    if (who == FIRST and u.mover == 0) or (who == SECOND and u.mover == 1):
        side, best, most = LOW if who == FIRST else HIGH, 0, 0.0
        for k in range(count):
            m = x.moves[k]
            found = bound_at(g, move(g, u, m), x, side) + gain(g, u, m)
            if k == 0 or ((found > most) if u.mover == 0 else (found < most)):
                best, most = k, found
        return is_out(g, move(g, u, x.moves[best]), x)
    out = True
    for k in range(count):
        out = out and is_out(g, move(g, u, x.moves[k]), x)
    return out


@rule
def some_way_out(g: Any, s: Any, x: Any, who: int) -> bool:
    ways = chance(g, s)
    if ways == 0:
        return leads_out(g, s, x, who)
    out = False
    for i in range(ways):
        out = out or (weight(g, s, i) > 0 and leads_out(g, land(g, s, i), x, who))
    return out


@rule
def rank_some(g: Any, x: Any, who: int, begin: int, end: int) -> int:
    """Give ranks to positions, from the last to the first of some; returns to how many."""
    given = 0
    for node in range(end - 1, begin - 1, -1):
        if x.rank[node] == 0 and some_way_out(g, position(x.key, node, x.layout, x.numbers), x, who):
            x.last[0] += 1
            x.rank[node] = x.last[0]
            given += 1
    return given


PART = 1 << 16  # positions of one call, which cannot be interrupted


def ranks(solution: EnumeratedSolution, who: int) -> np.ndarray | None:
    """The rank of every position; None if some have none."""
    game, count = solution.game, len(solution.key)
    room = np.zeros(2 * int(game.ask("fanout")) + 1024, np.int64)
    key, slots, pairs = (np.ascontiguousarray(t) for t in (solution.key, solution.slots, solution.pairs))
    numbers, rank = np.zeros(len(solution.layout.at), np.int64), np.zeros(count, np.uint32)
    x = Ranking(key, slots, pairs, solution.layout, numbers, room, rank, np.zeros(1, np.int64))
    kernel = game.compiled(rank_some)
    while sum(int(kernel(game.table, x, who, max(0, end - PART), end)) for end in range(count, 0, -PART)):
        pass
    return rank if int(x.last[0]) == count else None


def write_certificate(solution: EnumeratedSolution, path: Path) -> None:
    """Write the certificate of a solution as a `.npz` file: arrays, and a head in JSON."""
    game, meta = solution.game, solution.meta
    rank = ranks(solution, JOINT)
    if rank is not None:
        ending = {"rank": rank}
    else:
        first, second = ranks(solution, FIRST), ranks(solution, SECOND)
        if first is None or second is None:
            raise BadInput(f"{game.describe()}: no ranks were found that show that play ends")
        ending = {"rank_lower": first, "rank_upper": second}
    lower, upper = solution.pair(game.start())
    names = list(game.rules.State._fields)
    layout = {name: dict(zip(("low", "shared", "bits", "at"), row, strict=True)) for name, row in _rows(names, meta)}
    head = {
        "format": "hazard certificate",
        "version": VERSION,
        "game": game.name,
        "parameters": game.parameters,
        "rules": game.version,
        "positions": len(solution.key),
        "fields": layout,
        "constant": meta["constant"],
        "apart": meta["apart"],
        "claim": {"lower": lower, "upper": upper},
    }
    tables = {"key": solution.key, "lower": solution.pairs[:, LOW], "upper": solution.pairs[:, HIGH], **ending}
    _write(path, head, tables)


def _rows(names: list[str], meta: dict[str, Any]) -> list[tuple[str, tuple[int, ...]]]:
    low, check, bits, at = meta["layout"]
    return list(zip(names, zip(low, [int(c != 0) for c in check], bits, at, strict=True), strict=True))


def _write(path: Path, head: dict[str, Any], tables: dict[str, Any]) -> None:
    aside = path.with_name(f".{path.name}.part")
    try:
        with aside.open("wb") as file:
            np.savez(file, head=np.frombuffer(json.dumps(head, indent=1).encode(), np.uint8), **tables)
        aside.replace(path)
    except OSError as problem:
        raise BadInput(f"--certificate {path}: cannot write there ({problem.strerror})") from None
    finally:
        aside.unlink(missing_ok=True)
