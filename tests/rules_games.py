"""Games of the tests' own: declared from rules alone, or like one of the package's with some of it replaced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import hazard
from hazard.agents import RANDOM
from hazard.declaration import Declaration
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.solving.enumerated.solver import Enumerated
from hazard.solving.optimal import OPTIMAL_BY_VALUE


@dataclass(frozen=True)
class OwnGame(Game):
    """A game that brings its declaration along."""

    own: Any = field(default=None, compare=False)

    __hash__ = Game.__hash__

    @property
    def declaration(self) -> Declaration:
        return self.own


def by_rules(name: str, **parameters: int | str) -> tuple[Game, Game]:
    """A game of the package, and the same solved from its rules alone."""
    game = hazard.game(name, **parameters)
    own = replace(game.declaration, solver=Enumerated())
    return game, OwnGame(f"{name}-by-rules", game.parameters, own=own)


def text(g: Any, s: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in zip(s._fields, s, strict=True))


NOTATION: Any = SimpleNamespace(
    text=text, move_text=lambda g, s, m: str(m), outcome_text=lambda g, s, i: str(i), EXAMPLE=""
)


def own_game(name: str, rules: Callable[[], Any], g: Any, **more: Any) -> OwnGame:
    """A game whose rules are the functions that `rules` gives; names must be its own, as code is kept by them."""
    agents = {"random": RANDOM, "optimal": OPTIMAL_BY_VALUE}
    made: dict[str, Any] = {"parameters": (), "make": lambda _: g, "rules": SimpleNamespace(**rules())}
    own = Declaration(title=name, summary="", notation=NOTATION, agents=agents, solver=Enumerated(), **made, **more)
    return OwnGame(name, {}, own=own)


# --- any game at all -------------------------------------------------------------------------------------------------
END, DICE, CHOICE = 0, 1, 2


class Graph(NamedTuple):
    """A game that is nothing but a graph of positions."""

    players: int
    kind: np.ndarray  # END, DICE or CHOICE
    seat: np.ndarray  # who is to move
    first: np.ndarray  # where the links of each position begin
    links: np.ndarray  # where they lead
    weights: np.ndarray
    gains: np.ndarray
    paid: np.ndarray  # what seat 0 gets at an end; seat 1 gets the rest of 1


class At(NamedTuple):
    place: int
    mover: int


def graph_rules() -> dict[str, Any]:
    @rule
    def start(g: Graph) -> At:
        return At(0, g.seat[0])

    @rule
    def over(g: Graph, s: At) -> bool:
        return g.kind[s.place] == END

    @rule
    def payoff(g: Graph, s: At, seat: int) -> float:
        return g.paid[s.place] if seat == 0 else 1.0 - g.paid[s.place]

    @rule
    def fanout(g: Graph) -> int:
        return 8

    @rule
    def legal(g: Graph, s: At, moves: Any) -> int:
        for i in range(g.first[s.place + 1] - g.first[s.place]):
            moves[i] = i
        return g.first[s.place + 1] - g.first[s.place]

    @rule
    def move(g: Graph, s: At, m: int) -> At:
        to = g.links[g.first[s.place] + m]
        return At(to, g.seat[to])

    @rule
    def gain(g: Graph, s: At, m: int) -> float:
        return g.gains[g.first[s.place] + m]

    @rule
    def chance(g: Graph, s: At) -> int:
        return g.first[s.place + 1] - g.first[s.place] if g.kind[s.place] == DICE else 0

    @rule
    def weight(g: Graph, s: At, i: int) -> int:
        return g.weights[g.first[s.place] + i]

    @rule
    def land(g: Graph, s: At, i: int) -> At:
        to = g.links[g.first[s.place] + i]
        return At(to, g.seat[to])

    return dict(locals(), State=At)


def graph_game(g: Graph) -> OwnGame:
    return own_game("own-graph", graph_rules, g)


def random_graph(seed: int, players: int = 2, gains: bool = False, back: float = 0.3, dice: float = 0.5) -> Graph:
    """A graph with links ahead, and some share of links back."""
    rng = np.random.default_rng(seed)
    count, ends = int(rng.integers(3, 14)), int(rng.integers(1, 4))
    kind = np.where(rng.random(count) < dice, DICE, CHOICE)
    kind = np.concatenate([kind, np.zeros(ends, np.int64)]).astype(np.int64)
    links, first = [], [0]
    for n in range(count + ends):
        degree = int(rng.integers(1, 5)) if n < count else 0
        for _ in range(degree):
            goes_back = rng.random() < back
            links.append(int(rng.integers(0, n + 1)) if goes_back else int(rng.integers(n + 1, count + ends)))
        first.append(len(links))
    size = len(links)
    scored = np.round(rng.normal(size=size), 2) if gains else np.zeros(size)
    return Graph(
        players,
        kind,
        rng.integers(0, players, count + ends),
        np.array(first),
        np.array(links, np.int64),
        rng.integers(0 if seed % 3 == 0 else 1, 5, size)
        + (np.arange(size) == np.array(first)[:-1].repeat(np.diff(first))),
        scored,
        np.round(rng.random(count + ends), 3),
    )


def iterate(g: Graph, begin: float, sweeps: int = 20_000) -> np.ndarray:
    """What seat 0 gets by plain value iteration, if play that has not ended by then counts `begin`."""
    values = np.where(g.kind == END, g.paid, begin)
    for _ in range(sweeps):
        before = values.copy()
        for n in np.flatnonzero(g.kind != END)[::-1]:
            part = slice(g.first[n], g.first[n + 1])
            reached = values[g.links[part]]
            if g.kind[n] == DICE:
                values[n] = (reached * g.weights[part]).sum() / g.weights[part].sum()
            else:
                values[n] = (max if g.seat[n] == 0 else min)(reached + g.gains[part])
        if np.abs(values - before).max() < 1e-15:
            break
    return values


# --- small games, each with one thing that others lack ---------------------------------------------------------------
class Numbers(NamedTuple):
    players: int
    a: int
    b: int


class Throw(NamedTuple):
    left: int  # throws that are left
    shown: int  # what the die shows, 0 before the first throw
    rolling: int
    mover: int


def best_of_throws() -> dict[str, Any]:
    """One player throws a die up to `a` times and is paid what it shows when he stops, on the way."""

    @rule
    def start(g: Numbers) -> Throw:
        return Throw(g.a, 0, 1, 0)

    @rule
    def over(g: Numbers, s: Throw) -> bool:
        return s.left < 0

    @rule
    def payoff(g: Numbers, s: Throw, seat: int) -> float:
        return float(g.b)

    @rule
    def fanout(g: Numbers) -> int:
        return 2

    @rule
    def legal(g: Numbers, s: Throw, moves: Any) -> int:
        moves[0], moves[1] = 0, 1
        return 1 if s.left == 0 else 2

    @rule
    def gain(g: Numbers, s: Throw, m: int) -> float:
        return float(s.shown) if m == 0 else 0.0

    @rule
    def move(g: Numbers, s: Throw, m: int) -> Throw:
        return Throw(-1, 0, 0, 0) if m == 0 else Throw(s.left, 0, 1, 0)

    @rule
    def chance(g: Numbers, s: Throw) -> int:
        return 6 * s.rolling

    @rule
    def weight(g: Numbers, s: Throw, i: int) -> int:
        return 1

    @rule
    def land(g: Numbers, s: Throw, i: int) -> Throw:
        return Throw(s.left - 1, i + 1, 0, 0)

    return dict(locals(), State=Throw)


class Pile(NamedTuple):
    left: int
    dice: int  # dice in the air
    mover: int


def take_away() -> dict[str, Any]:
    """Take one to three from a pile without any dice; whoever takes the last wins `b`, and the other pays it."""

    @rule
    def start(g: Numbers) -> Pile:
        return Pile(g.a, 0, 0)

    @rule
    def over(g: Numbers, s: Pile) -> bool:
        return s.left == 0

    @rule
    def payoff(g: Numbers, s: Pile, seat: int) -> float:
        return float(-g.b if seat == s.mover else g.b)

    @rule
    def fanout(g: Numbers) -> int:
        return 3

    @rule
    def legal(g: Numbers, s: Pile, moves: Any) -> int:
        for i in range(3):
            moves[i] = i + 1
        return min(3, s.left)

    @rule
    def move(g: Numbers, s: Pile, m: int) -> Pile:
        return Pile(s.left - m, 0, 1 - s.mover)

    @rule
    def chance(g: Numbers, s: Pile) -> int:
        return 0

    @rule
    def weight(g: Numbers, s: Pile, i: int) -> int:
        return 1

    @rule
    def land(g: Numbers, s: Pile, i: int) -> Pile:
        return s

    return dict(locals(), State=Pile)


def many_moves() -> dict[str, Any]:
    """Name a number below `a`; then `b` coins go up, one after the other, and add to it. Near to 61,234 is best."""

    @rule
    def start(g: Numbers) -> Pile:
        return Pile(-1, 0, 0)

    @rule
    def over(g: Numbers, s: Pile) -> bool:
        return s.left >= 0 and s.dice == 0

    @rule
    def payoff(g: Numbers, s: Pile, seat: int) -> float:
        return -abs(float(s.left - 61234))

    @rule
    def fanout(g: Numbers) -> int:
        return g.a

    @rule
    def legal(g: Numbers, s: Pile, moves: Any) -> int:
        for i in range(g.a):
            moves[i] = i
        return g.a

    @rule
    def move(g: Numbers, s: Pile, m: int) -> Pile:
        return Pile(m, g.b, 0)

    @rule
    def chance(g: Numbers, s: Pile) -> int:
        return 2 if s.dice > 0 else 0

    @rule
    def weight(g: Numbers, s: Pile, i: int) -> int:
        return 1

    @rule
    def land(g: Numbers, s: Pile, i: int) -> Pile:
        return Pile(s.left + i, s.dice - 1, 0)

    return dict(locals(), State=Pile)


class Race(NamedTuple):
    mine: int
    yours: int
    rolling: int
    mover: int


def race() -> dict[str, Any]:
    """Throw a die of `b` sides, or pass; whoever first has `a` points wins. A one loses a point, if there is any."""

    @rule
    def start(g: Numbers) -> Race:
        return Race(0, 0, 0, 0)

    @rule
    def over(g: Numbers, s: Race) -> bool:
        return s.yours >= g.a

    @rule
    def payoff(g: Numbers, s: Race, seat: int) -> float:
        return 1e6 if seat != s.mover else -1e6

    @rule
    def fanout(g: Numbers) -> int:
        return 2

    @rule
    def legal(g: Numbers, s: Race, moves: Any) -> int:
        moves[0], moves[1] = 0, 1
        return 2

    @rule
    def move(g: Numbers, s: Race, m: int) -> Race:
        return Race(s.yours, s.mine, 0, 1 - s.mover) if m == 0 else Race(s.mine, s.yours, 1, s.mover)

    @rule
    def chance(g: Numbers, s: Race) -> int:
        return g.b * s.rolling

    @rule
    def weight(g: Numbers, s: Race, i: int) -> int:
        return 1

    @rule
    def land(g: Numbers, s: Race, i: int) -> Race:
        return Race(s.yours, max(s.mine - 1, 0) if i == 0 else min(s.mine + i, g.a), 0, 1 - s.mover)

    return dict(locals(), State=Race)


def changed(rules: Callable[[], dict[str, Any]], **functions: Any) -> Callable[[], dict[str, Any]]:
    """Rules with some functions replaced or added."""
    return lambda: rules() | functions
