"""Solves small games of two seats in exact fractions: policy iteration layer by layer, in plain Python.

One seat's value is enough: the other gets the rest of the purse. Both seats' policies of a layer are improved at once.
Where that goes round in circles, the second seat finds its best reply before the first seat changes; that always ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from hazard.contract import fanout, purse, size
from hazard.errors import BadInput
from hazard.rulebook import Game, Position

MOST_STATES = 200_000
Affine = dict[int, Fraction]  # coefficients of a layer's unknowns; CONSTANT stands for 1
CONSTANT = -1
Policy = dict[tuple[int, int], int]  # (opening, step) -> move


@dataclass(frozen=True)
class ExactSolution:
    """The first seat's value of every opening, as a fraction."""

    game: Game
    values: dict[int, Fraction]

    def value(self, position: Position) -> tuple[Fraction, Fraction]:
        """What each seat can expect at the start of a turn."""
        game, s = self.game, position.state
        if game.rules.step(game.table, s) or position.rolling or position.over:
            raise BadInput(f"{str(position)!r}: exact values are for the start of a turn only")
        value = self.values[int(game.rules.index(game.table, s))]
        rest = Fraction(game.plain(purse)(game.table)) - value
        return value, rest


class _Layer:
    """One layer: its openings are the unknowns, and values are linear in them."""

    def __init__(self, game: Game, openings: list[int], solved: dict[int, Fraction]) -> None:
        self.game, self.g, self.rules = game, game.table, game.rules
        self.openings, self.solved = openings, solved
        self.moves = np.zeros(int(game.plain(fanout)(game.table)), np.int64)

    def legal(self, t: Any) -> list[int]:
        return [int(m) for m in self.moves[: self.rules.legal(self.g, t, self.moves)]]

    def leaf(self, u: Any, steps: dict[int, Affine]) -> Affine:
        if self.rules.over(self.g, u):
            return {CONSTANT: Fraction(self.rules.payoff(self.g, u, 0))}
        if k := int(self.rules.step(self.g, u)):
            return steps[k]
        i = int(self.rules.index(self.g, u))
        return {i: Fraction(1)} if i not in self.solved else {CONSTANT: self.solved[i]}

    def expect(self, u: Any, steps: dict[int, Affine]) -> Affine:
        ways = int(self.rules.chance(self.g, u)) if not self.rules.over(self.g, u) else 0
        if not ways:
            return self.leaf(u, steps)
        weights = [int(self.rules.weight(self.g, u, i)) for i in range(ways)]
        total: Affine = {}
        for i, weight in enumerate(weights):
            for n, c in self.leaf(self.rules.land(self.g, u, i), steps).items():
                total[n] = total.get(n, Fraction(0)) + c * Fraction(weight, sum(weights))
        return total

    def turn(self, i: int, pick: Callable[[Any, int, int, dict[int, Affine]], int]) -> Affine:
        """The value of opening i to seat 0 when `pick` makes the decisions."""
        s = self.rules.state(self.g, i)
        if self.rules.over(self.g, s):
            return {CONSTANT: Fraction(self.rules.payoff(self.g, s, 0))}
        steps: dict[int, Affine] = {}
        for k in range(int(self.rules.steps(self.g, s)) - 1, -1, -1):
            t = self.rules.stage(self.g, s, k)
            options = {m: self.expect(self.rules.move(self.g, t, m), steps) for m in self.legal(t)}
            steps[k] = options[pick(t, i, k, options)] if options else {}
        return steps[0]

    def evaluate(self, policy: Policy) -> dict[int, Fraction]:
        """The values of the layer's openings under a policy."""
        rows = {i: self.turn(i, lambda t, i, k, options: policy[i, k]) for i in self.openings}
        return _solve_linear(self.openings, rows)

    def improve(self, policy: Policy, values: dict[int, Fraction], seats: tuple[int, ...]) -> bool:
        """Change every decision of these seats for which another move is better; returns whether any was."""
        changed = False

        def pick(t: Any, i: int, k: int, options: dict[int, Affine]) -> int:
            nonlocal changed
            if t.mover in seats:
                sign = 1 if t.mover == 0 else -1
                worth = {m: sign * _at(option, values) for m, option in options.items()}
                if worth[policy[i, k]] < max(worth.values()):
                    policy[i, k] = max(worth, key=lambda m: worth[m])
                    changed = True
            return policy[i, k]

        for i in self.openings:
            self.turn(i, pick)
        return changed

    def solve(self) -> dict[int, Fraction]:
        policy: Policy = {}
        for i in self.openings:
            self.turn(i, lambda t, i, k, options: policy.setdefault((i, k), list(options)[-1]))
        for _ in range(30):
            values = self.evaluate(policy)
            if not self.improve(policy, values, (0, 1)):
                return values
        while True:
            values = self.evaluate(policy)
            while self.improve(policy, values, (1,)):
                values = self.evaluate(policy)
            if not self.improve(policy, values, (0,)):
                return values


def _at(value: Affine, values: dict[int, Fraction]) -> Fraction:
    return sum((c * (1 if n == CONSTANT else values[n]) for n, c in value.items()), Fraction(0))


def _solve_linear(openings: list[int], rows: dict[int, Affine]) -> dict[int, Fraction]:
    """Solve x = rows(x) by eliminating one unknown after the other, and substitute back."""
    done: dict[int, Affine] = {}
    for i in openings:
        row = dict(rows[i])
        while (j := next((n for n in row if n in done), None)) is not None:
            c = row.pop(j)
            for n, d in done[j].items():
                row[n] = row.get(n, Fraction(0)) + c * d
        own = row.pop(i, Fraction(0))
        if own == 1:
            raise BadInput("a policy under which the game never ends has no exact value")
        done[i] = {n: c / (1 - own) for n, c in row.items()}
    values: dict[int, Fraction] = {}
    for i in reversed(openings):
        values[i] = _at(done[i], values)
    return values


def solve_exactly(game: Game) -> ExactSolution:
    """The value of optimal play as fractions; for games of two seats with few positions."""
    g, rules = game.table, game.rules
    if game.seats != 2:
        raise BadInput(f"exact fractions are for two players, not {game.seats}")
    openings = range(int(game.plain(size)(g)))
    if len(openings) > MOST_STATES or sum(int(rules.steps(g, rules.state(g, i))) for i in openings) > MOST_STATES:
        raise BadInput(
            f"{game.describe()}: exact fractions are for at most {MOST_STATES} decisions; solve it without --exact"
        )
    layers: dict[int, list[int]] = {}
    for i in openings:
        layers.setdefault(int(rules.layer(g, rules.state(g, i))), []).append(i)
    solved: dict[int, Fraction] = {}
    for number in sorted(layers, reverse=True):
        solved |= _Layer(game, layers[number], solved).solve()
    return ExactSolution(game, solved)
