"""Solves small games of three players and more from their rules alone.

There is no one value that a seat can force. What is sought is a policy in which every mover takes what is best for
itself (max^n), the first of equals. Components are solved in topological order. In a cycle, choices are improved and
their values found by linear equations, until they stay: all at once, and later one at a time. Where they go round in
circles, a choice is kept unless another gains more than a threshold, which doubles; `regret` is the most that any mover
could gain by one other choice.

What is proven are the values of that policy. Let v be the values found in a component, P its transitions and r how far
v is from P v plus what the outside adds, rounding included. If some w satisfies w >= 1 + P w, checked with rounding to
spare, then play leaves the component with probability 1, and no value is further off than w max(r), and what the values
outside are off by.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.certify import not_proven
from hazard.solving.enumerated.components import ULP
from hazard.solving.enumerated.faults import named
from hazard.solving.enumerated.graph import Finder, Graph, components
from hazard.solving.enumerated.large import compiled
from hazard.solving.enumerated.lookup import flat
from hazard.solving.enumerated.packing import first_layout, widened
from hazard.solving.enumerated.search import DONE, fill_slots
from hazard.solving.enumerated.solver import Enumerated
from hazard.solving.enumerated.table import slots_for
from hazard.solving.solution import Advice, Bounds, Progress, Solution, check_tolerance, ranked, save
from hazard.solving.tables import Table

MOST_CYCLE = 2_000  # positions of a cycle
TOGETHER, ALONE = 30, 200  # improvements of a cycle: of all choices at once, then of the one that gains most
STEPS = TOGETHER + ALONE + 100  # then with a threshold
SPARE = 1.01  # of the weights that prove values


class SolvedGraph:
    """The values of a graph, component by component."""

    def __init__(self, game: Game, graph: Graph) -> None:
        self.game, self.graph, count = game, graph, len(graph.states)
        self.values, self.error = np.zeros((count, game.seats)), np.zeros(count)
        self.choice = [0] * count
        self.scale = max((abs(x) for paid in graph.paid for x in paid), default=0.0)
        self.cycles = self.unsettled = 0

    def solve(self) -> None:
        for nodes in components(self.graph):
            (node, *more) = nodes
            if more or any(link.target == node for link in self.graph.links[node]):
                self.cycles += 1
                Cycle(self, nodes).solve()
            else:
                self.back_up(node)

    def back_up(self, node: int) -> None:
        """The value of a position whose links have all been solved."""
        graph, links = self.graph, self.graph.links[node]
        if not links:
            self.values[node] = graph.paid[node]
            return
        if graph.decides[node]:
            self.choice[node] = self.best(node)
            links = [links[self.choice[node]]]
        shares = [1.0] if graph.decides[node] else [link.share for link in links]
        targets = [link.target for link in links]
        self.values[node] = np.array(shares) @ self.values[targets]
        self.values[node, graph.states[node].mover] += links[0].gain if graph.decides[node] else 0.0
        rounding = (
            (len(links) + 4) * ULP * max(self.scale, float(np.abs(self.values[targets]).max()), abs(links[0].gain))
        )
        self.error[node] = self.error[targets].max() + rounding

    def worths(self, node: int) -> list[float]:
        """What the options of a decision are worth to its mover."""
        mover = self.graph.states[node].mover
        return [float(self.values[link.target, mover]) + link.gain for link in self.graph.links[node]]

    def best(self, node: int) -> int:
        worths = self.worths(node)
        return worths.index(max(worths))

    @property
    def regret(self) -> float:
        """The most that a mover could gain by one other choice."""
        decisions = [node for node, decides in enumerate(self.graph.decides) if decides]
        found = [max(worths := self.worths(node)) - worths[self.choice[node]] for node in decisions]
        return max([0.0, *found])


class Cycle:
    """A component in which positions come back."""

    def __init__(self, whole: SolvedGraph, nodes: Sequence[int]) -> None:
        self.whole, self.nodes = whole, list(nodes)
        self.place = {node: k for k, node in enumerate(nodes)}
        if len(nodes) > MOST_CYCLE:
            why = f"{len(nodes):,} positions lead to each other, and {MOST_CYCLE:,} is the most with three players"
            raise BadInput(f"{whole.game.describe()}: {why} and more; take smaller parameters")

    def solve(self) -> None:
        whole, threshold = self.whole, 0.0
        self._leave()
        for step in range(STEPS):
            inside, values = self._evaluated()
            whole.values[self.nodes] = values
            if not self._improve(threshold, step >= TOGETHER):
                break
            if step >= TOGETHER + ALONE:
                threshold = max(2 * threshold, 1e-12 * max(1.0, whole.scale))
        else:
            inside, values = self._evaluated()
            whole.values[self.nodes] = values
        whole.unsettled += threshold > 0
        self._prove(inside, values)

    def _stuck(self, node: int) -> BadInput:
        where = named(self.whole.game, self.whole.graph.states[node])
        return BadInput(
            f"{self.whole.game.describe()}: play need never end: from {where} on it can be put off for ever; change "
            "the rules so that play ends, e.g. by a limit of turns"
        )

    def _leave(self) -> None:
        """First choices by which play may leave from anywhere."""
        graph, left = self.whole.graph, set(self.nodes)
        while left:
            near = {}
            for node in left:
                out = [n for n, link in enumerate(graph.links[node]) if link.target not in left]
                if out:
                    near[node] = out[0]
            if not near:
                raise self._stuck(min(left))
            for node, option in near.items():
                self.whole.choice[node] = option
            left -= near.keys()

    def _taken(self, node: int) -> list[Any]:
        links = self.whole.graph.links[node]
        return [links[self.whole.choice[node]]] if self.whole.graph.decides[node] else links

    def _evaluated(self) -> tuple[Any, np.ndarray]:
        """How likely each position leads to each other one of the cycle, and all values under the choices made."""
        from scipy import sparse  # slow to import, and seldom needed
        from scipy.sparse.linalg import splu

        whole, size = self.whole, len(self.nodes)
        links: list[tuple[int, int, float]] = []
        more = np.zeros((size, whole.game.seats))
        for k, node in enumerate(self.nodes):
            for link in self._taken(node):
                if link.target in self.place:
                    links.append((k, self.place[link.target], link.share))
                else:
                    more[k] += link.share * whole.values[link.target]
                more[k, whole.graph.states[node].mover] += link.gain
        at, to, share = (np.array(column) for column in zip(*links, strict=True)) if links else (np.zeros(0),) * 3
        inside = sparse.csr_array((share, (at, to)), shape=(size, size), dtype=np.float64)
        try:
            self.solver = splu(sparse.csc_array(sparse.eye_array(size) - inside))
        except RuntimeError:  # an equation that says nothing: under these choices play stays
            raise self._stuck(self.nodes[0]) from None
        self.more, values = more, self.solver.solve(more)
        if not np.isfinite(values).all():
            raise self._stuck(self.nodes[0])
        return inside, values

    def _improve(self, threshold: float, alone: bool) -> bool:
        """Change every choice that another one betters by more, or the one that gains most; whether there was any."""
        least, better = max(threshold, 64 * ULP * max(1.0, self.whole.scale)), []
        for node in self.nodes:
            if self.whole.graph.decides[node]:
                worths, best = self.whole.worths(node), self.whole.best(node)
                if (gained := worths[best] - worths[self.whole.choice[node]]) > least:
                    better.append((gained, node, best))
        for _, node, best in [max(better)] if alone and better else better:
            self.whole.choice[node] = best
        return bool(better)

    def _prove(self, inside: Any, values: np.ndarray) -> None:
        whole, size = self.whole, len(self.nodes)
        most = max(whole.scale, float(np.abs(values).max()), float(np.abs(self.more).max()))
        links = 4 + size + max(len(whole.graph.links[node]) for node in self.nodes)
        residual = float(np.abs(inside @ values + self.more - values).max()) + 4 * links * ULP * most
        weights = SPARE * self.solver.solve(np.ones(size))
        slack = 4 * links * ULP * float(np.abs(weights).max())
        if not (np.isfinite(weights).all() and (weights > 0).all() and (weights >= 1 + inside @ weights + slack).all()):
            raise self._stuck(self.nodes[int(np.argmax(np.where(np.isfinite(weights), weights, np.inf)))])
        outside = [link.target for node in self.nodes for link in self._taken(node) if link.target not in self.place]
        before = max((float(whole.error[target]) for target in outside), default=0.0)
        whole.error[self.nodes] = before * (1 + 8 * ULP) + weights * residual * (1 + 8 * ULP)


# --- the solution ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class SeveralSolution(Solution):
    """What every seat can expect in every position, if all choose as the policy does."""

    game: Game
    rows: np.ndarray  # the numbers of each position
    worths: np.ndarray  # worths[position, seat]
    meta: dict[str, Any]

    @cached_property
    def _number(self) -> dict[tuple[int, ...], int]:
        return {tuple(row): n for n, row in enumerate(self.rows.tolist())}

    def value(self, position: Position) -> tuple[float, ...]:
        if position.over:
            return position.payoffs
        number = self._number.get(tuple(position.state))
        if number is None:
            raise BadInput(f"{str(position)!r}: play from the start never comes here, so it was not solved")
        return tuple(self.worths[number].tolist())

    def bounds(self, position: Position) -> Bounds:
        value, error = self.value(position), 0.0 if position.over else self.error
        return tuple(x - error for x in value), tuple(x + error for x in value)

    def advise(self, position: Position) -> list[Advice]:
        position.check_decision()
        rows = []
        for name in position.moves:
            worth = self.value(position.move(name))[position.mover] + position.scored(name)[position.mover]
            rows.append((name, worth, worth - self.error, worth + self.error))
        return ranked(rows, "exact")

    @cached_property
    def policy(self) -> np.ndarray:
        """A table for each seat, one after the other."""
        layout = first_layout(self.rows[0])
        for column in np.concatenate([self.rows.min(axis=0)[None], self.rows.max(axis=0)[None]]):
            layout = widened(layout, column)
        pack, state = self.game.plain(contract.pack), self.game.rules.State
        key = np.array([pack(state(*row), *layout)[: layout.words] for row in self.rows.tolist()], np.int64)
        slots = slots_for(len(key))
        compiled(fill_slots)(key, np.full(len(key), DONE, np.int32), slots, len(key))
        parts = [flat(key, slots, np.ascontiguousarray(worths), layout, 0.0) for worths in self.worths.T]
        table = np.concatenate(parts)
        table.flags.writeable = False
        return table

    @property
    def values(self) -> np.ndarray:
        return self.policy

    def tables(self) -> Mapping[str, np.ndarray]:
        return {"rows": self.rows, "worths": self.worths}


class ByRules(Enumerated):
    """The solver of games that have rules and nothing else, for any number of players."""

    def obstacle(self, game: Game) -> str:
        if game.seats > 2 and "canonical" in game.contract:
            return f"{game.name}: `canonical` is for games of one player or two; leave it out for {game.seats}"
        return super().obstacle(game) if game.seats <= 2 else ""

    def values_obstacle(self, game: Game) -> str:
        if game.seats > 2:
            return f"{game.name}: luck and grades need payoffs that add up, in a game of one player or two"
        return super().values_obstacle(game)

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> Any:
        if game.seats <= 2:
            return super().solve(game, tolerance, folder, progress)
        check_tolerance(tolerance)
        if why := self.obstacle(game):
            raise BadInput(why)
        began = time.perf_counter()
        whole = SolvedGraph(game, Finder(game).find(progress))
        whole.solve()
        solution = SeveralSolution(
            game, np.array(whole.graph.states, np.int64), whole.values, _meta(whole, tolerance, began)
        )
        if solution.error > tolerance * max(1.0, whole.scale):
            raise not_proven(tolerance, solution.error, 1)
        if folder:
            save(solution, folder)
        return solution

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Any:
        if game.seats <= 2:
            return super().load(game, meta, tables)
        rows, worths = tables["rows"].whole, tables["worths"].whole
        if rows.shape != (meta["states"], len(game.rules.State._fields)) or worths.shape != (len(rows), game.seats):
            raise ValueError("its tables are not the ones described")
        if (rows.dtype, worths.dtype) != (np.int64, np.float64):
            raise ValueError("its tables are not the ones described")
        return SeveralSolution(game, rows, worths, meta)

    def facts(self, solution: Any) -> dict[str, Any]:
        if solution.game.seats <= 2:
            return super().facts(solution)
        return {key: solution.meta[key] for key in ("cycles", "unsettled", "regret")}


def _meta(whole: SolvedGraph, tolerance: float, began: float) -> dict[str, Any]:
    return {
        "states": len(whole.graph.states),
        "error": float(whole.error.max()),
        "tolerance": tolerance,
        "cycles": whole.cycles,
        "unsettled": int(whole.unsettled),
        "regret": whole.regret,
        "seconds": time.perf_counter() - began,
    }
