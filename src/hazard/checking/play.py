"""Positions to look at, compiled rules beside plain ones, and play that never ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from hazard import contract, dice
from hazard.checking.findings import Failure, Finding, shown
from hazard.checking.position import Look, Looker
from hazard.contract import chance, gain, land, legal, move, over, payoff, roll, unpack, weight
from hazard.dice import below
from hazard.jit import rule
from hazard.rulebook import Game

LONG = 1_000_000  # decisions and rolls after which random play counts as endless
STUBBORN, PARTS = 20_000, 10  # steps of play that wants to go on, and parts of it in all of which a field must grow


# --- positions from play ---------------------------------------------------------------------------------------------
def positions(looker: Looker, most: int) -> Iterator[tuple[Any, Look | Failure]]:
    """Positions with what the rules say of them: the nearest to the start, and then those of random play."""
    start = looker.state_of("start", None, looker.game.ask("start"))
    seen, waiting, rng = {start}, [start], np.random.default_rng(1)
    while waiting and len(seen) < most // 2:
        s = waiting.pop(0)
        found = _looked_at(looker, s)
        yield s, found
        for after in found.after if isinstance(found, Look) else []:
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    if not waiting:
        return
    known, s = set(seen) - set(waiting), start
    for _ in range(20 * most):
        found = _looked_at(looker, s)
        if s not in known:
            known.add(s)
            yield s, found
        if len(known) >= most:
            return
        after = found.after if isinstance(found, Look) else []
        s = after[rng.integers(len(after))] if after else start


def _looked_at(looker: Looker, s: Any) -> Look | Failure:
    try:
        return looker.look(s)
    except Failure as problem:
        return problem


# --- compiled and plain ----------------------------------------------------------------------------------------------
@rule
def examine(g: Any, row: Any, moves: Any, facts: Any, paid: Any, weights: Any, gains: Any, after: Any) -> None:
    """What the rules say of a position, as numbers: facts are over, ways to land, legal moves."""
    s = unpack(row)
    facts[0], facts[1], facts[2] = 1 if over(g, s) else 0, chance(g, s), 0
    if facts[0] == 1:
        for seat in range(g.players):
            paid[seat] = payoff(g, s, seat)
    elif facts[1] > 0:
        for i in range(min(facts[1], weights.size)):
            weights[i] = weight(g, s, i)
            t = land(g, s, i)
            for n in range(len(t)):
                after[i, n] = t[n]
    else:
        facts[2] = legal(g, s, moves)
        for i in range(min(facts[2], weights.size)):
            gains[i] = gain(g, s, moves[i])
            t = move(g, s, moves[i])
            for n in range(len(t)):
                after[i, n] = t[n]


def compared(game: Game, looks: Sequence[Look]) -> Iterator[Finding]:
    """Where compiled rules say something else than plain ones."""
    kernel, fields = game.compiled(examine), len(game.rules.State._fields)
    width = max((len(found.after) for found in looks), default=1) or 1
    moves = np.zeros(int(game.ask("fanout")), np.int64)
    for found in looks:
        row = np.array(found.state, np.int64)
        facts, paid = np.zeros(3, np.int64), np.zeros(game.seats)
        weights, gains, after = np.zeros(width, np.int64), np.zeros(width), np.zeros((width, fields), np.int64)
        kernel(game.table, row, moves, facts, paid, weights, gains, after)
        many = len(found.after)
        pairs = {
            "over": (int(found.over), int(facts[0])),
            "chance": (found.ways, int(facts[1])),
            "payoff": (found.payoffs, paid.tolist() if found.over else []),
            "weight": (found.weights, weights[: len(found.weights)].tolist()),
            "legal": (found.moves, moves[: facts[2]].tolist()),
            "gain": (found.gains, gains[: len(found.gains)].tolist()),
            "move" if found.moves else "land": ([list(s) for s in found.after], after[:many].tolist()),
        }
        for name, (plain, compiled) in pairs.items():
            if plain != compiled:
                said = f"{name} says {_brief(plain)} in plain Python and {_brief(compiled)} compiled"
                yield Finding(
                    f"{said}; whole numbers have 64 bits there, and constants never change", shown(game, found.state)
                )
                break


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."


# --- ends ------------------------------------------------------------------------------------------------------------
@rule
def wander(g: Any, s: Any, most: int, rng: Any, moves: Any) -> Any:
    """Random play for so many steps, or to the end: the position then, and the steps it took."""
    for n in range(most):
        if chance(g, s) > 0:
            s = land(g, s, roll(g, s, rng))
        elif over(g, s):
            return s, n
        else:
            count = legal(g, s, moves)
            s = move(g, s, moves[below(rng, count) if count > 1 else 0])
    return s, most


def endless(game: Game, games: int = 20) -> Finding | None:
    """Random play that does not end, and the fields that grow meanwhile."""
    kernel, moves = game.compiled(wander), np.zeros(int(game.ask("fanout")), np.int64)
    for number in range(games):
        rng, s, seen = dice.stream(1, number), game.start().state, []
        for _ in range(PARTS):
            s, steps = kernel(game.table, s, LONG // PARTS, rng, moves)
            if steps < LONG // PARTS:
                break
            seen.append([abs(int(value)) for value in s])
        else:
            grown = [name for n, name in enumerate(s._fields) if _rises([values[n] for values in seen])]
            why = f"; {', '.join(grown)} grows all the time" if grown else ""
            last = type(s)(*map(int, s))
            return Finding(f"random play is not over after {LONG:,} steps{why}", shown(game, last))
    return None


def growing(looker: Looker) -> Finding | None:
    """A field that grows without end if players and dice want it to: positions cannot be counted then."""
    for which in (0, -1):
        for way in (-1, 0, 1):
            s, peaks = _stubborn(looker, which, way)
            grown = [name for n, name in enumerate(s._fields) if len(peaks) == PARTS and _rises([p[n] for p in peaks])]
            if grown:
                said = f"{', '.join(grown)} grows without end if the same is done again and again"
                more = "such a game can be played, but its positions cannot be counted"
                return Finding(f"{said}; {more}", shown(looker.game, s), False)
    return None


def _stubborn(looker: Looker, which: int, way: int) -> tuple[Any, list[list[int]]]:
    """Play in which the same move is made and dice land the same way each time: where it is after a while, and how
    large the fields were in each part of the play that did not end."""
    game, g = looker.game, looker.g
    rules = {name: game.plain(getattr(contract, name)) for name in ("over", "chance", "legal", "move", "land")}
    s, peaks, top = game.start().state, [], [0] * len(game.rules.State._fields)
    for step in range(1, STUBBORN + 1):
        if ways := int(rules["chance"](g, s)):
            s = rules["land"](g, s, way % ways)
        elif rules["over"](g, s):
            break
        else:
            count = int(rules["legal"](g, s, looker.room))
            s = rules["move"](g, s, int(looker.room[which % count]))
        top = [max(most, abs(int(value))) for most, value in zip(top, s, strict=True)]
        if step % (STUBBORN // PARTS) == 0:
            peaks.append(top)
    return s, peaks


def _rises(peaks: Sequence[int]) -> bool:
    return all(later > earlier for earlier, later in pairwise(peaks))
