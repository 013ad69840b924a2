"""Checks a solution against the rules by other ways than it was made: a declared symmetry on all positions that play
can
reach, and some positions from play by the rules as plain Python runs them. Nothing is believed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from hazard.dice import stream
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.enumerated import symmetry
from hazard.solving.enumerated.components import ULP
from hazard.solving.enumerated.faults import decisions, named
from hazard.solving.enumerated.large import compiled
from hazard.solving.enumerated.packing import TooWide, fields, first_layout, repacked, widened
from hazard.solving.enumerated.search import DONE, fill_slots
from hazard.solving.enumerated.solution import EnumeratedSolution, Pair
from hazard.solving.enumerated.space import longer, slots_for

POSITIONS, LOOKS = 200, 20_000  # that are checked in plain Python, and options that are looked at, at most
LONGEST = 200  # moves and rolls of one game
MOST_WALKED = 1 << 25  # positions of which each is compared with its stand-in
WANDERED = 1 << 20  # positions from random play, where there are more
BUDGET = 1 << 14


# --- by plain rules --------------------------------------------------------------------------------------------------
def check_plainly(solution: EnumeratedSolution) -> None:
    """Refuse a solution if rules, run as plain Python, give a position another value than compiled ones."""
    slack, looks = solution.error + 64 * ULP * solution.meta["scale"], 0
    for position in played(solution):
        if position.over or not (position.rolling or position.legal()):
            continue
        looks += len(position.outcomes()) if position.rolling else len(position.legal())
        (low, high), (least, most) = solution.pair(position), backed_up(solution, position)
        if not (least >= low - slack and most <= high + slack):
            raise BadInput(
                f"{solution.game.name}: compiled rules are not the same as plain ones at {str(position)!r}, which is "
                f"worth {(low + high) / 2:.6g} by the first and {(least + most) / 2:.6g} by the others"
            )
        if looks > LOOKS:
            break


def backed_up(solution: EnumeratedSolution, position: Position) -> Pair:
    """What seat 0 gets, from where the position's own moves or dice lead."""
    if position.over:
        return solution.pair(position)
    if position.rolling:
        pairs = [(float(o.probability), *solution.pair(o.position)) for o in position.outcomes() if o.probability]
        return sum(p * a for p, a, _ in pairs), sum(p * b for p, _, b in pairs)
    options = [pair for _, pair in solution.options(position)]
    best = min if position.mover == 1 or solution.game.least else max
    return best(a for a, _ in options), best(b for _, b in options)


def played(solution: EnumeratedSolution) -> Iterator[Position]:
    """Positions of games played at random, some hundreds."""
    rng, left = Random(1), POSITIONS
    while left > 0:
        position = solution.game.start()
        left -= 1
        for _ in range(LONGEST):
            if position.over or left <= 0:
                break
            yield position
            left -= 1
            if position.rolling:
                ways = position.outcomes()
                position = rng.choices(ways, [float(way.probability) for way in ways])[0].position
            else:
                move = rng.choice(position.legal())
                position = Position(position.game, position.game.ask("move", position.state, move))


# --- a symmetry ------------------------------------------------------------------------------------------------------
def check_canonical(solution: EnumeratedSolution) -> str:
    """Refuse a solution in which positions are not like their stand-ins; says how much was looked at."""
    game = solution.game
    if "canonical" not in game.contract or game.start().over:
        return ""
    x = _walk(solution)
    walk = game.compiled(symmetry.walk)
    while (status := int(walk(game.table, x, BUDGET))) or x.counts[symmetry.DONE] < x.counts[symmetry.COUNT]:
        if status == symmetry.DIFFERENT:
            raise _different(solution, _state(game, x, int(x.counts[symmetry.DONE])))
        if status == symmetry.FULL:
            x = _larger(x)
        elif status == symmetry.SPILL:
            x = _wider(game, x)
    count = int(x.counts[symmetry.COUNT])
    if count < x.until:
        return f"proven on all {count:,} positions"
    found, same = game.compiled(symmetry.wander)(game.table, game.start().state, x, stream(1), WANDERED, LONGEST)
    if not same:
        raise _different(solution, found)
    return f"checked on {count:,} positions and on {WANDERED:,} from random play; there are more"


def _walk(solution: EnumeratedSolution) -> symmetry.Walk:
    game = solution.game
    start = game.start().state
    layout, size = first_layout(start), 1 << 10
    real, fanout = np.zeros(1), int(game.ask("fanout"))
    a, b, _ = game.plain(symmetry.pack)(start, *layout)
    key = np.zeros((size, layout.words), np.int64)
    key[0] = (a, b)[: layout.words]
    x = symmetry.Walk(
        key=key,
        slots=slots_for(size),
        layout=layout,
        nodes=np.ascontiguousarray(solution.key),
        node_slots=np.ascontiguousarray(solution.slots),
        node_layout=solution.layout,
        numbers=np.zeros(len(start), np.int64),
        moves=np.zeros(2 * fanout + 1024, np.int64),
        seen=np.zeros(symmetry.FEW, np.int64),
        real=real,
        whole=real.view(np.int64),
        counts=np.array([1, 0]),
        until=MOST_WALKED,
    )
    return _slotted(x)


def _slotted(x: symmetry.Walk) -> symmetry.Walk:
    count = int(x.counts[symmetry.COUNT])
    compiled(fill_slots)(x.key, np.full(count, DONE, np.int32), x.slots, count)
    return x


def _larger(x: symmetry.Walk) -> symmetry.Walk:
    size = 2 * len(x.key)
    return _slotted(x._replace(key=longer(x.key, size), slots=slots_for(size)))


def _wider(game: Game, x: symmetry.Walk) -> symmetry.Walk:
    """Room for all positions that the one at hand leads to."""
    count, layout = int(x.counts[symmetry.COUNT]), x.layout
    s = _state(game, x, int(x.counts[symmetry.DONE]))
    try:
        for u in _led_to(game, s):
            layout = widened(layout, u)
    except TooWide:
        raise BadInput(
            f"{game.describe()}: positions do not fit into 126 bits, so `canonical` cannot be checked"
        ) from None
    key = np.zeros((len(x.key), layout.words), np.int64)
    key[:count] = repacked(x.key[:count], x.layout, layout)
    return _slotted(x._replace(key=key, layout=layout))


def _led_to(game: Game, s: Any) -> Iterator[Any]:
    if int(game.ask("chance", s)):
        yield from decisions(game, s)
        return
    moves = np.zeros(2 * int(game.ask("fanout")) + 1024, np.int64)
    for m in moves[: int(game.ask("legal", s, moves))].tolist():
        yield game.ask("move", s, m)


def _state(game: Game, x: symmetry.Walk, at: int) -> Any:
    return game.rules.State(*fields(x.key[at : at + 1], x.layout)[0].tolist())


def _different(solution: EnumeratedSolution, s: Any) -> BadInput:
    """Why a position is not like its stand-in."""
    game = solution.game
    position, other = Position(game, s), Position(game, game.ask("canonical", s))
    pair = f"{game.name}: `canonical` takes {named(game, s)} for {named(game, other.state)}, but"
    if other.over:
        return BadInput(f"{pair} that is over")
    try:
        values = [sum(backed_up(solution, p)) / 2 for p in (position, other)]
    except BadInput:
        return BadInput(f"{pair} they do not lead to the same")
    if abs(values[0] - values[1]) > 2 * solution.error:
        return BadInput(f"{pair} they are not worth the same ({values[0]:.6g} and {values[1]:.6g} to the first seat)")
    return BadInput(
        f"{pair} their moves and dice do not lead to the same; they may be worth the same, but that is not proven by it"
    )
