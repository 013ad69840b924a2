"""Makes the table of all positions of a solved game, those included that dice lead to."""

from __future__ import annotations

import numpy as np

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.enumerated.faults import decisions
from hazard.solving.enumerated.large import compiled
from hazard.solving.enumerated.lookup import Table, add_decisions, flat
from hazard.solving.enumerated.packing import Layout, TooWide, fields, repacked, widened
from hazard.solving.enumerated.search import DONE, SPILL, fill_slots

MOST_BYTES = 2 << 30


def slots_for(count: int) -> np.ndarray:
    """An empty hash table, of which at most three quarters get filled."""
    return np.full(1 << max(4, (4 * count // 3).bit_length()), -1, np.int32)


def sized(game: Game, x: Table, size: int, layout: Layout) -> Table:
    """The table with another size and layout."""
    if (need := size * (8 * layout.words + 8 + 11)) > MOST_BYTES:
        most = f"{need / 2**30:.1f} GiB, more than the {MOST_BYTES / 2**30:g} GiB allowed"
        raise BadInput(f"{game.describe()}: a table of values for every decision needs {most}; take a smaller game")
    count = int(x.done[0])
    key, worth, slots = np.zeros((size, layout.words), np.int64), np.zeros(size), slots_for(size)
    key[:count], worth[:count] = repacked(x.key[:count], x.layout, layout), x.worth[:count]
    compiled(fill_slots)(key, np.full(count, DONE, np.int32), slots, count)
    return x._replace(key=key, worth=worth, slots=slots, layout=layout)


def with_decisions(game: Game, key: np.ndarray, worth: np.ndarray, layout: Layout, constant: float) -> np.ndarray:
    """The bytes of a table with all nodes, whose worth to seat 0 is given, and all decisions."""
    nodes, state = len(key), game.rules.State
    room = np.zeros(2 * int(game.ask("fanout")) + 1024, np.int64)
    x = Table(key, slots_for(0), worth, layout, np.zeros(len(layout.at), np.int64), room, np.array([nodes, 0]))
    x = sized(game, x, max(16, 2 * nodes), layout)
    while status := int(game.compiled(add_decisions)(game.table, x, nodes)):
        if status != SPILL:
            x = sized(game, x, 2 * len(x.worth), x.layout)
            continue
        node, layout = int(x.done[1]), x.layout
        try:
            for u in decisions(game, state(*fields(x.key[node : node + 1], layout)[0].tolist())):
                layout = widened(layout, game.ask("canonical", u))
        except TooWide:
            raise BadInput(f"{game.describe()}: decisions do not fit into 126 bits; no table of them is made") from None
        x = sized(game, x, len(x.worth), layout)
    count = int(x.done[0])
    return flat(x.key[:count], x.slots, x.worth[:count], x.layout, constant)
