"""Compiled code of the study of Great Rolled Ones: play by a model of all decisions."""

from __future__ import annotations

from typing import Any

from hazard.contract import legal, stage, state, steps
from hazard.jit import rule
from hazard.solving.numbered.turns import choose, with_policy


@rule
def fill_look_ahead(g: Any, play: Any, w: Any, model: Any, table: Any) -> None:
    """Set table[i, k] to the move that looks best after one roll, if model[i, k] is the mover's value at each decision.

    Steps are taken upwards: a choice reads later steps only, which still hold the model's values.
    """
    for i in range(table.shape[0]):
        s = state(g, i)
        for k in range(steps(g, s)):
            w.buf[k, s.mover, 0] = model[i, k]
            w.buf[k, 1 - s.mover, 0] = 1.0 - model[i, k]
        own = with_policy(w, table[i])
        for k in range(steps(g, s)):
            t = stage(g, s, k)
            count = legal(g, t, w.moves)
            if count > 0:
                choose(g, t, k, count, play.selfish, 0.0, own)
