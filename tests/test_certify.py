"""The certifier and the mixer on a game so small that all is known: a gambler's walk between ruin and a goal."""

import numpy as np
import pytest

from hazard.solving.certify import Certificate, certify
from hazard.solving.mixing import Mixer, converge

STEPS = 40  # from ruin to the goal
EPS = 1e-15
TRUTH = np.arange(STEPS + 1) / STEPS  # a fair game is won as often as the gambler is far


def backup(values: np.ndarray) -> np.ndarray:
    """One step of the walk: up or down, each as likely."""
    after = values.copy()
    after[1:-1] = (values[:-2] + values[2:]) / 2
    return after


def steps_left() -> np.ndarray:
    place = np.arange(STEPS + 1.0)
    return place * (STEPS - place)


def beyond(values: np.ndarray, bounds: Certificate) -> float:
    found = []
    for sign in (1.0, -1.0):
        bound = values + sign * bounds.width(bounds.weights)
        inside = sign * (backup(bound) - bound)[1:-1]
        found.append(inside.max() + EPS)
    return float(np.max(found))


def proof(values: np.ndarray, weights: np.ndarray, d: float, doublings: int = 4) -> Certificate | None:
    return certify(values, weights, lambda bounds: beyond(values, bounds), d, doublings=doublings)


def test_bounds_contain_the_truth() -> None:
    values = TRUTH + 1e-6 * np.sin(np.arange(STEPS + 1)) * (TRUTH > 0) * (TRUTH < 1)
    found = proof(values, steps_left(), 1e-7, 8)
    assert found is not None
    assert found.sweeps > 2  # the first d was not enough
    assert (np.abs(values - TRUTH) <= found.width(found.weights)).all()
    assert np.abs(values - TRUTH).max() <= found.error < 1e-2
    assert 0 < found.mean_error < found.error


@pytest.mark.parametrize("place", [1, STEPS // 2])
def test_wrong_values_are_not_proven(place: int) -> None:
    values = TRUTH.copy()
    assert proof(values, steps_left(), 1e-9) is not None
    values[place] += 1e-3
    assert proof(values, steps_left(), 1e-9) is None


def test_weights_that_do_not_count_turns_prove_nothing() -> None:
    """Bounds of the same width everywhere only reproduce themselves: there is nothing to spare for rounding."""
    assert proof(TRUTH.copy(), np.zeros(STEPS + 1), 1e-9) is None


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_not_proven(bad: float) -> None:
    """Compiled sweeps take the greater of two numbers, and never notice NaN."""
    values, weights = TRUTH.copy(), steps_left()
    values[3] = bad
    assert certify(values, weights, lambda bounds: -1.0, 1e-9, doublings=4) is None
    weights[3] = bad
    assert certify(TRUTH, weights, lambda bounds: -1.0, 1e-9, doublings=4) is None
    assert certify(TRUTH, weights, lambda bounds: np.nan, 1e-9, doublings=4) is None


def test_what_is_tried() -> None:
    tried: list[Certificate] = []

    def never(bounds: Certificate) -> float:
        tried.append(bounds)
        return 1.0

    weights = np.array([1.0, 3.0])
    assert certify(np.zeros(2), weights, never, 1.0, doublings=2, stretches=(1.0, 1.5), unit=0.5, extra=2.0) is None
    assert [(found.slope, found.base, found.sweeps) for found in tried] == [
        (0.5, 2.0, 2),
        (0.75, 2.0, 4),
        (1.0, 4.0, 6),
        (1.5, 4.0, 8),
    ]
    assert tried[0]._replace(rounding=0.25).error == 0.5 * 3 + 2 + 0.25


def test_mixing_saves_sweeps() -> None:
    values = np.full(STEPS + 1, 0.5)
    values[0], values[-1] = 0.0, 1.0

    def sweep() -> None:
        values[:] = backup(values)

    sweeps, change = converge(values, sweep, 1e-12, 5000, lambda number: None, 1.0)
    assert change <= 1e-12
    assert np.abs(values - TRUTH).max() < 1e-9
    plain = np.full(STEPS + 1, 0.5)
    plain[0], plain[-1] = 0.0, 1.0
    for _ in range(2 * sweeps):
        plain = backup(plain)
    assert np.abs(plain - TRUTH).max() > 1e-3


def test_a_mixer_solves_what_is_linear_in_few_unknowns() -> None:
    """Three unknowns need no more than four sweeps to be known."""
    matrix, wanted = np.array([[0.9, 0.05, 0.0], [0.0, 0.8, 0.1], [0.2, 0.0, 0.7]]), np.array([1.0, 2.0, 3.0])
    mixer, x = Mixer(), np.zeros(3)
    for _ in range(5):
        after = wanted + matrix @ (x - wanted)
        mixer.remember(x, after)
        x = mixer.mixed()
    assert np.abs(x - wanted).max() < 1e-4
