"""The best move over two fields of the position, the others as they are told: a map of a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from hazard.analysis.players import decision
from hazard.arena.play.compiled import line_up
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, Position
from hazard.solving.prices import price
from hazard.solving.solution import Solution

MOST_CELLS = 250_000
GAMES = 200  # that show how far fields range, where the solution does not say


class Axis(NamedTuple):
    """A field of the position, and the values that are shown."""

    name: str
    low: int
    high: int

    @property
    def values(self) -> range:
        return range(self.low, self.high + 1)


class Policy(NamedTuple):
    """A map: moves[y][x] is the name of the move, empty where there is nothing to decide."""

    game: Game
    x: Axis
    y: Axis
    fixed: dict[str, int]  # the other fields
    moves: list[list[str]]
    by: str  # whose moves they are

    @property
    def names(self) -> list[str]:
        """The moves, the most frequent first."""
        every = [name for row in self.moves for name in row if name]
        return sorted(set(every), key=lambda name: (-every.count(name), name))


def axis_of(game: Game, text: str) -> tuple[str, int | None, int | None]:
    """A field and its range, from `me` or `me=0..50`."""
    name, equals, span = text.partition("=")
    known = game.rules.State._fields
    if name not in known:
        raise unknown("field of a position", name, known)
    if not equals:
        return name, None, None
    low, dots, high = span.partition("..")
    try:
        found = int(low), int(high if dots else low)
    except ValueError:
        raise BadInput(f"{text}: write the range of a field as {name}=0..50") from None
    if found[0] > found[1]:
        raise BadInput(f"{text}: the range must go up, e.g. {name}={found[1]}..{found[0]}")
    return name, *found


def policy(
    game: Game, x: str, y: str, fixed: Mapping[str, int], solution: Solution | None, agent: str = "optimal"
) -> Policy:
    """The moves of a solution, or those of an agent, over two fields."""
    known = game.rules.State._fields
    for name in fixed:
        if name not in known:
            raise unknown("field of a position", name, known)
    (first, *ends), (second, *ends2) = axis_of(game, x), axis_of(game, y)
    if first == second or {first, second} & set(fixed):
        raise BadInput(f"--x {x} --y {y}: take two fields, and fix others than these with --at")
    ranges = _ranges(game, solution) if None in (*ends, *ends2) else {}
    wide, high = _axis(first, ends, ranges), _axis(second, ends2, ranges)
    if (count := len(wide.values) * len(high.values)) > MOST_CELLS:
        raise BadInput(
            f"{count:,} positions: a picture has at most {MOST_CELLS:,}; give ranges, e.g. --x {first}=0..200"
        )
    state = game.start().state._replace(**fixed)
    rest = {name: int(value) for name, value in state._asdict().items() if name not in (first, second)}
    table = [[state._replace(**{first: a, second: b}) for a in wide.values] for b in high.values]
    choose = _by_solution(solution) if solution else _by_agent(game, agent)
    moves = _moves(game, table, choose)
    if not any(any(row) for row in moves):
        told = " ".join(f"{name}={value}" for name, value in rest.items())
        raise BadInput(
            f"nothing to decide anywhere with {told}; fix other values with --at, e.g. --at {_first(rest)}=1"
        )
    return Policy(game, wide, high, rest, moves, agent)


def _first(rest: Mapping[str, int]) -> str:
    return next((name for name in rest if name != "mover"), "mover")


def _axis(name: str, ends: list[Any], ranges: Mapping[str, tuple[int, int]]) -> Axis:
    return Axis(name, *ends) if ends[0] is not None else Axis(name, *ranges[name])


def _ranges(game: Game, solution: Solution | None) -> dict[str, tuple[int, int]]:
    """The least and the greatest value of every field that games at random and by the solution come to."""
    names = game.rules.State._fields
    solved = [name for name, agent in game.agents.items() if agent.solved][:1] if solution else []
    logs = []
    for name in (*solved, "random"):
        seated = line_up(game, [name] * game.seats, 1, shared=False)
        logs.append(seated.play_and_record(0, GAMES)[1][:, 1:])
    rows = np.concatenate(logs)
    return {name: (int(rows[:, n].min()), int(rows[:, n].max())) for n, name in enumerate(names)}


Chooser = Callable[[list[Any]], Iterator[int | None]]


def _moves(game: Game, table: list[list[Any]], choose: Chooser) -> list[list[str]]:
    """The names of the moves; empty where there is nothing to decide, or no such position."""
    decisions = [[s if _decides(game, s) else None for s in row] for row in table]
    chosen = choose([s for row in decisions for s in row if s is not None])
    g, named = game.table, game.notation.move_text
    return [["" if s is None or (m := next(chosen)) is None else named(g, s, m) for s in row] for row in decisions]


def _decides(game: Game, s: Any) -> bool:
    """Whether there is such a position, with something to decide."""
    try:
        position = Position(game, s)
        return game.parse(str(position)).state == s and len(position.legal()) > 0
    except (BadInput, ArithmeticError, LookupError, ValueError):
        return False


def _by_solution(solution: Solution) -> Chooser:
    def choose(states: list[Any]) -> Iterator[int | None]:
        if not states:
            return
        found = price(solution, np.array([[0, *s] for s in states], np.int64), solution.error)
        for best, value in zip(found.best.tolist(), found.values.tolist(), strict=True):
            yield best if np.isfinite(value) else None

    return choose


def _by_agent(game: Game, agent: str) -> Chooser:
    def choose(states: list[Any]) -> Iterator[int | None]:
        for s in states:
            position = Position(game, s)
            yield position.legal()[position.moves.index(decision(position, agent, 1, 0).move())]

    return choose
