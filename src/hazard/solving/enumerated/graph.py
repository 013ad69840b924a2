"""All positions of a small game as a graph, found by its rules in plain Python, for games of three players and more."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.enumerated.faults import named
from hazard.solving.enumerated.search import MOST_PAYOFF, MOST_WEIGHT
from hazard.solving.solution import Progress

MOST = 200_000  # positions
TOLD = 1_000  # positions between two words on progress
RULES = ("over", "payoff", "chance", "weight", "land", "legal", "move", "gain")


class Link(NamedTuple):
    """Where a position leads to."""

    target: int
    share: float  # how likely, where dice are in the air
    gain: float  # what the mover scores, where there is a decision


class Graph(NamedTuple):
    """Positions, numbered in the order in which they were found; the first is the start."""

    states: list[Any]
    links: list[list[Link]]  # none where the game is over
    decides: list[bool]  # otherwise dice are in the air, or it is over
    paid: list[list[float]]  # payoffs of ends


class Finder:
    """Finds them."""

    def __init__(self, game: Game) -> None:
        self.game, self.g = game, game.table
        self.rules = {name: game.plain(getattr(contract, name)) for name in RULES}
        self.room = np.zeros(2 * int(game.ask("fanout")) + 1024, np.int64)
        self.number: dict[Any, int] = {}
        self.graph = Graph([], [], [], [])

    def find(self, progress: Progress | None) -> Graph:
        self.at(self.game.start().state)
        done = 0
        while done < len(self.graph.states):
            self.expand(self.graph.states[done])
            done += 1
            if progress and done % TOLD == 0:
                progress(done, len(self.graph.states))
        return self.graph

    def at(self, s: Any) -> int:
        """The number of a position."""
        s = type(s)(*map(int, s))
        if s not in self.number:
            if len(self.number) == MOST:
                why = f"more than {MOST:,} positions; games of three players and more are solved up to there"
                raise BadInput(f"{self.game.describe()}: {why}; take smaller parameters")
            self.number[s] = len(self.number)
            self.graph.states.append(s)
        return self.number[s]

    def expand(self, s: Any) -> None:
        over, rolls = bool(self.rules["over"](self.g, s)), int(self.rules["chance"](self.g, s))
        if not 0 <= s.mover < self.game.seats:
            raise self.fault("mover", s, f"is {s.mover}; must be from 0 to {self.game.seats - 1}")
        seats = range(self.game.seats)
        paid = [float(self.rules["payoff"](self.g, s, seat)) for seat in seats] if over else []
        if not all(isfinite(x) and abs(x) <= MOST_PAYOFF for x in paid):
            raise self.fault("payoff", s, f"is {paid}; must be numbers")
        self.graph.paid.append(paid)
        self.graph.decides.append(not over and not rolls)
        self.graph.links.append([] if over else list(self.rolled(s, rolls) if rolls else self.moved(s)))

    def rolled(self, s: Any, ways: int) -> Iterator[Link]:
        weights = [int(self.rules["weight"](self.g, s, i)) for i in range(ways)]
        if min(weights) < 0 or not 0 < (total := sum(weights)) <= MOST_WEIGHT:
            raise self.fault("weight", s, f"gives {weights[:10]}; must be from 0 to 2^52 in all, and not all 0")
        for i, share in enumerate(weights):
            if share:
                yield Link(self.at(self.rules["land"](self.g, s, i)), share / total, 0.0)

    def moved(self, s: Any) -> Iterator[Link]:
        count = int(self.rules["legal"](self.g, s, self.room))
        if count < 1:
            raise self.fault("legal", s, "gives no move, but it is not over")
        for m in self.room[:count].tolist():
            scored = float(self.rules["gain"](self.g, s, m))
            if not abs(scored) <= MOST_PAYOFF:
                raise self.fault("gain", s, f"is {scored}; must be a number")
            yield Link(self.at(self.rules["move"](self.g, s, m)), 1.0, scored)

    def fault(self, rule: str, s: Any, what: str) -> BadInput:
        return BadInput(f"{self.game.name}: `{rule}` {what} at {named(self.game, s)}")


def components(graph: Graph) -> Iterator[list[int]]:
    """The strongly connected components, each after all that it leads to: Tarjan's algorithm, without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    inside: set[int] = set()
    stack: list[int] = []
    path = [(0, iter(graph.links[0]))]
    index[0] = low[0] = 0
    stack.append(0)
    inside.add(0)
    while path:
        node, links = path[-1]
        link = next(links, None)
        if link is None:
            path.pop()
            if path:
                low[path[-1][0]] = min(low[path[-1][0]], low[node])
            if low[node] == index[node]:
                cut = stack.index(node) if stack[-1] != node else len(stack) - 1
                found = stack[cut:]
                del stack[cut:]
                inside.difference_update(found)
                yield found
        elif link.target not in index:
            index[link.target] = low[link.target] = len(index)
            stack.append(link.target)
            inside.add(link.target)
            path.append((link.target, iter(graph.links[link.target])))
        elif link.target in inside:
            low[node] = min(low[node], index[link.target])
