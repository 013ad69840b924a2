"""How few numbers play Great Rolled Ones well: models of the win probability, fitted to the solved game.

A model gives the mover's chance at the start of a turn only; the turn itself is rebuilt from it exactly, by dynamic
programming. For comparison some models cover all decisions and look one roll ahead. Every model's policy is then
evaluated exactly against the optimal opponent. Chances are fitted by least squares on the probit scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import least_squares
from scipy.special import ndtr, ndtri

from hazard.agents.seating import as_memory
from hazard.contract import span
from hazard.games.great_rolled_ones.policy_map import Map, makeable, openings, optimal_play, pots, scratch
from hazard.solving.numbered.solution import fill_policy
from hazard.solving.numbered.solver import TOLERANCE, run
from hazard.solving.solution import Solution
from hazard.studies.great_rolled_ones.turns import fill_look_ahead

EDGE = 1e-6  # where all decisions are fitted, chances are clipped this far from 0 and 1, which have no probit


@dataclass(frozen=True)
class Model:
    """A model of the values at the start of turns: values[player, own score, other score]."""

    family: str
    name: str
    parameters: int
    values: np.ndarray


@dataclass(frozen=True)
class Measured:
    """What a model's policy is worth."""

    family: str
    name: str
    parameters: int
    error: float  # root mean square error of the modelled chances
    difference: float  # win rate as player 1 and as player 2, both against the optimal player, less 1


# --- values at the start of turns ------------------------------------------------------------------------------------
def start_values(solution: Solution) -> np.ndarray:
    """values[player, own score, other score]: the mover's chance at the start of a turn."""
    goal = solution.game.table.goal
    return solution.tables()["low"][openings(goal, *np.indices((2, goal, goal))), 0]


def with_values(solution: Solution, values: np.ndarray) -> np.ndarray:
    """The solution's table with other values at the start of turns; those of the last round stay exact."""
    low = np.array(solution.tables()["low"])
    rows = openings(solution.game.table.goal, *np.indices(values.shape))
    low[rows, 0] = values
    low[rows, 1] = 1 - values
    return low


def turn_policy(solution: Solution, values: np.ndarray) -> np.ndarray:
    """The best play of every turn if later turns are worth what the model says."""
    game, table = solution.game, policy_table(solution)
    work, before_last = scratch(game, with_values(solution, values)), table[: values.size]
    game.compiled(fill_policy)(game.table, optimal_play(game), work, before_last)  # the last round leaves no choice
    return table


def policy_table(solution: Solution) -> np.ndarray:
    """A copy of the optimal policy that may be changed: table[opening, step]."""
    return np.array(solution.policy).reshape(len(solution.tables()["low"]), -1)


def difference(solution: Solution, policy: np.ndarray) -> float:
    """What a policy loses against the optimal player over both seats, exactly."""
    game = solution.game
    own, best = as_memory(policy), as_memory(solution.policy)
    as_first = run(game, ["optimal"] * 2, TOLERANCE, None, [own, best]).value(game.start())[0]
    as_second = run(game, ["optimal"] * 2, TOLERANCE, None, [best, own]).value(game.start())[1]
    return as_first + as_second - 1


def measure(solution: Solution, model: Model) -> Measured:
    error = float(np.sqrt(np.mean((model.values - start_values(solution)) ** 2)))
    lost = difference(solution, turn_policy(solution, model.values))
    return Measured(model.family, model.name, model.parameters, error, lost)


# --- models ----------------------------------------------------------------------------------------------------------
Formula = Callable[[Sequence[float], np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _line(c: Sequence[float], second: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    return c[0] + c[1] * (own - other)


def _lines(c: Sequence[float], second: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.where(second, c[1], c[0]) + c[2] * (own - other)


def _race(c: Sequence[float], second: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    left = 2 * own.shape[-1] - own - other  # points both players still need
    return (np.where(second, c[1], c[0]) + c[2] * (own - other)) / np.sqrt(abs(c[3]) + left)


def _races(c: Sequence[float], second: np.ndarray, own: np.ndarray, other: np.ndarray) -> np.ndarray:
    a, b, d, e = (np.where(second, c[n + 4], c[n]) for n in range(4))
    return (a + b * own - d * other) / np.sqrt(abs(e) + 2 * own.shape[-1] - own - other)


FORMULAS: tuple[tuple[str, Formula, tuple[float, ...]], ...] = (
    ("one line: a + b (i - j)", _line, (0, 0.05)),
    ("two lines: a or a', + b (i - j)", _lines, (0, 0, 0.05)),
    ("race: (a or a', + b (i - j)) / sqrt(c + points to go)", _race, (0, 0, 0.4, 5)),
    ("race of each player: (a + b i - d j) / sqrt(c + points to go)", _races, (0, 0.4, 0.4, 5) * 2),
)


def by_formula(values: np.ndarray, name: str, formula: Formula, guess: Sequence[float]) -> Model:
    """A formula of few parameters for both players at once."""
    second, own, other = (np.asarray(a) for a in np.indices(values.shape))
    z = ndtri(values)
    fit = least_squares(lambda c: (formula(c, second, own, other) - z).ravel(), guess)
    return Model("formula", name, len(guess), ndtr(formula(fit.x, second, own, other)))


def polynomial(values: np.ndarray, degree: int) -> Model:
    """A polynomial in both scores for each player."""
    own, other = np.indices(values.shape[1:]) / values.shape[1] * 2 - 1
    features = np.stack([own**a * other**b for a, b in _powers(2, degree)], axis=-1)
    return Model("polynomial", f"polynomial of degree {degree}", 2 * features.shape[-1], _fitted(values, features))


def grid(values: np.ndarray, knots: int) -> Model:
    """Values at the knots of a coarse grid for each player, bilinear between them."""
    goal = values.shape[1]
    place = np.arange(goal) / (goal - 1) * (knots - 1)
    hats = np.maximum(0, 1 - np.abs(place[:, None] - np.arange(knots)))
    features = (hats[:, None, :, None] * hats[None, :, None, :]).reshape(goal, goal, -1)
    return Model("grid", f"grid of {knots} x {knots}, interpolated", 2 * knots**2, _fitted(values, features))


def _fitted(values: np.ndarray, features: np.ndarray) -> np.ndarray:
    """The chances after a linear fit of their probits for each player."""
    flat = features.reshape(-1, features.shape[-1])
    fits = [np.linalg.lstsq(flat, ndtri(v).ravel(), rcond=None)[0] for v in values]
    return np.array([ndtr(features @ c) for c in fits])


def _powers(variables: int, degree: int) -> list[tuple[int, ...]]:
    return [p for p in product(range(degree + 1), repeat=variables) if sum(p) <= degree]


def degrees(full: bool) -> range:
    """Of the polynomials that are fitted."""
    return range(1, 7 if full else 6)


def grids(full: bool) -> tuple[int, ...]:
    """Knots of the grids that are fitted."""
    return (2, 3, 4, 5) if full else (5,)


def model_count(full: bool) -> int:
    return len(FORMULAS) + len(degrees(full)) + len(grids(full))


def models(solution: Solution, full: bool) -> Iterator[Model]:
    values = start_values(solution)
    for name, formula, guess in FORMULAS:
        yield by_formula(values, name, formula, guess)
    for degree in degrees(full):
        yield polynomial(values, degree)
    for knots in grids(full):
        yield grid(values, knots)


# --- models of all decisions -----------------------------------------------------------------------------------------
def look_ahead(chart: Map, degree: int) -> Measured:
    """Polynomials in both scores and the pot, for each player and number of ones, looked up one roll ahead."""
    solution, game, goal = chart.solution, chart.game, chart.goal
    top = max(chart.last_roll(ones) for ones in range(game.table.bust)) + game.table.dice
    parts = [_Part(chart, player, ones, top) for player, ones in product(range(2), range(game.table.bust))]
    model = np.zeros((2 * goal**2, int(game.plain(span)(game.table))))
    powers = _powers(3, degree)
    errors = np.concatenate([part.fill(model, powers) for part in parts])
    starts = model[openings(goal, *np.indices((2, goal, goal))), 0]
    table = policy_table(solution)
    work = scratch(game, with_values(solution, starts))
    game.compiled(fill_look_ahead)(game.table, optimal_play(game), work, model, table[: len(model)])
    name = f"all decisions: polynomial of degree {degree}, one roll ahead"
    rms, lost = float(np.sqrt(np.mean(errors**2))), difference(solution, table)
    return Measured("look-ahead", name, len(parts) * len(powers), rms, lost)


class _Part:
    """The decisions of one player with some number of ones aside, as far as dice can make their pots."""

    def __init__(self, chart: Map, player: int, ones: int, top: int) -> None:
        game, goal = chart.game, chart.goal
        own, other, pot = np.nonzero(np.ones((goal, goal, pots(game, player, 0)), bool))
        count = pots(game, player, 0) - own
        enough = pot == count - 1  # pots end at one that is enough
        keep = (pot < count) & (makeable(game, ones, pot.max())[pot] | enough)
        own, other, pot, count = (a[keep] for a in (own, other, pot, count))
        self.rows = openings(goal, player, own, other)
        self.steps = ones * count + pot
        self.where = np.stack([own, other, pot], axis=1) / goal * 2 - 1
        self.known = np.nanmax(chart.choices[self.rows, self.steps], axis=1)
        self.won = (own + pot >= goal) & (player == 1)  # player 2 holds and wins: no model is needed
        self.fitted = (own + pot <= top) & ~self.won  # what optimal play can meet

    def fill(self, model: np.ndarray, powers: Sequence[tuple[int, ...]]) -> np.ndarray:
        """Fit the decisions, write the modelled chances, and return the errors of those fitted."""
        i, j, k = (self.where[:, n, None] ** np.arange(1 + max(map(max, powers))) for n in range(3))
        features = np.stack([i[:, a] * j[:, b] * k[:, c] for a, b, c in powers], axis=1)
        used, z = features[self.fitted], ndtri(np.clip(self.known[self.fitted], EDGE, 1 - EDGE))
        fit = np.linalg.solve(used.T @ used, used.T @ z)
        chances = np.where(self.won, 1.0, ndtr(features @ fit))
        model[self.rows, self.steps] = chances
        return (chances - self.known)[self.fitted]
