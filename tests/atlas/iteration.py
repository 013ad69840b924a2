"""Plain value iteration over positions that a second program of the rules lists."""

from collections.abc import Callable, Hashable
from typing import Any

Ways = list[tuple[float, list[Any]]]  # each chance with the positions that may be chosen then


def iterate(start: Hashable, row: Callable[[Any], tuple[int, Ways] | float]) -> float:
    """What the first player can expect. `row` gives who chooses (0 or 1) and the ways, or what a position pays."""
    values: dict[Any, float] = {start: 0.0}
    rows: dict[Any, tuple[int, Ways]] = {}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        found = row(position)
        if not isinstance(found, tuple):
            values[position] = found
            continue
        rows[position] = found
        for option in (option for _, options in found[1] for option in options):
            if option not in values:
                values[option] = 0.0
                waiting.append(option)
    while True:
        change = 0.0
        for position, (mover, ways) in rows.items():
            best = min if mover else max
            new = sum(chance * best(values[option] for option in options) for chance, options in ways)
            change, values[position] = max(change, abs(new - values[position])), new
        if change < 1e-14:
            return values[start]
