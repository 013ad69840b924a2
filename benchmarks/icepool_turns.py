"""icepool's side, run by the rivals' interpreter: the best chances of a score in a turn of Pickomino, as JSON.

Two ways to use it, of which the faster one counts: all rolls of its pools gone through in Python, and its own
evaluation of multisets, which keeps the best face so far as its state.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from icepool import MultisetEvaluator, d6

DICE, WORM = 8, 6
Rolled = Callable[[frozenset[int], int, int], float]  # the best chance with these faces aside, dice left and score


def points(face: int, count: int) -> int:
    return count * min(face, 5)


def best_of(target: int, rolled: Callable[[Rolled], Rolled]) -> float:
    """The best chance of at least a score; `rolled` says how dice that fly are evaluated."""

    @cache
    def aside(faces: frozenset[int], left: int, score: int) -> float:
        if score >= target and WORM in faces:
            return 1.0
        return fly(faces, left, score) if left and len(faces) < WORM else 0.0

    fly = rolled(aside)
    return fly(frozenset(), DICE, 0)


@cache
def rolls(left: int) -> list[tuple[list[tuple[int, int]], float]]:
    """Every roll as faces with their numbers, and its chance."""
    expanded = d6.pool(left).expand()
    return [([*Counter(roll).items()], float(p)) for roll, p in zip(expanded, expanded.probabilities(), strict=True)]


def by_rolls(aside: Rolled) -> Rolled:
    def rolled(faces: frozenset[int], left: int, score: int) -> float:
        total = 0.0
        for roll, chance in rolls(left):
            options = [aside(faces | {f}, left - n, score + points(f, n)) for f, n in roll if f not in faces]
            total += chance * max(options, default=0.0)
        return total

    return rolled


class BestFace(MultisetEvaluator):
    """The best chance among the faces that are not aside yet."""

    def __init__(self, aside: Rolled, faces: frozenset[int], left: int, score: int) -> None:
        self.aside, self.faces, self.left, self.score = aside, faces, left, score

    def next_state(self, state: Any, _order: Any, face: int, count: int) -> float:
        state = state or 0.0
        if count == 0 or face in self.faces:
            return state
        return max(state, self.aside(self.faces | {face}, self.left - count, self.score + points(face, count)))


def by_evaluator(aside: Rolled) -> Rolled:
    def rolled(faces: frozenset[int], left: int, score: int) -> float:
        found = BestFace(aside, faces, left, score).evaluate(d6.pool(left))
        return float(found.mean())

    return rolled


def table(targets: list[int], rolled: Callable[[Rolled], Rolled]) -> tuple[float, list[float]]:
    """Processor seconds and the chances; nothing is kept from one table to the next."""
    rolls.cache_clear()
    began = time.process_time()
    chances = [best_of(target, rolled) for target in targets]
    return time.process_time() - began, chances


def main(first: int, last: int) -> None:
    targets, found = [*range(first, last + 1)], {}
    for name, rolled in (("rolls", by_rolls), ("evaluator", by_evaluator)):
        seconds, chances = table(targets, rolled)
        found[name] = {"seconds": seconds, "chances": chances}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
