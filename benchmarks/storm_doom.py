"""Storm's side, run by the rivals' interpreter: builds a Markov decision process, solves it, prints one JSON object."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import stormpy
from stormpy.environments import MinMaxMethod

WIN, TIE = 0, 2
PRECISION = 1e-8
METHODS = {
    "sound value iteration": MinMaxMethod.SOUND_VALUE_ITERATION,
    "optimistic value iteration": MinMaxMethod.OPTIMISTIC_VALUE_ITERATION,
    "interval iteration": MinMaxMethod.INTERVAL_ITERATION,
}


def build(path: str) -> Any:
    """The model from arrays; reading the file is not counted."""
    with np.load(path) as file:
        choices, ways, places, odds = (file[name].tolist() for name in ("choices", "ways", "places", "odds"))
    began = time.process_time()
    states = len(choices) - 1
    builder = stormpy.datastructures.SparseMatrixBuilder[float](
        rows=len(ways) - 1,
        columns=states,
        entries=len(odds),
        force_dimensions=True,
        has_custom_row_grouping=True,
        row_groups=states,
    )
    add = builder.add_next_value
    for state in range(states):
        builder.new_row_group(choices[state])
        for row in range(choices[state], choices[state + 1]):
            for place, p in sorted(
                zip(places[ways[row] : ways[row + 1]], odds[ways[row] : ways[row + 1]], strict=True)
            ):
                add(row, place, p)
    labels = stormpy.models.StateLabeling(states)
    for name, state in (("win", WIN), ("init", TIE)):
        labels.add_label(name)
        labels.add_label_to_state(name, state)
    parts = stormpy.models.SparseModelComponents[float](transition_matrix=builder.build(), state_labeling=labels)
    model = stormpy.models.SparseMdp[float](parts)
    return model, time.process_time() - began


def solve(model: Any, method: MinMaxMethod) -> Any:
    environment = stormpy.environments.sound()
    solver = environment.solver().min_max()
    solver.method = method
    solver.precision = stormpy.Rational(PRECISION)
    solver.relative_termination_criterion = False
    wanted = stormpy.parse_properties('Pmax=? [F "win"]')[0]
    began = time.process_time()
    found = stormpy.model_checking(model, wanted, only_initial_states=False, environment=environment)
    return found, time.process_time() - began


def main(path: str, out: str) -> None:
    model, building = build(path)
    seconds, values = {}, {}
    for name, method in METHODS.items():
        found, seconds[name] = solve(model, method)
        values[name] = [found.get_value(state) for state in range(model.nr_states)]
    np.savez(out, **{name.replace(" ", "_"): np.array(found) for name, found in values.items()})
    size = {"states": model.nr_states, "choices": model.nr_choices, "transitions": model.nr_transitions}
    print(json.dumps({"building": building, "seconds": seconds, **size}))


if __name__ == "__main__":
    main(*sys.argv[1:])
