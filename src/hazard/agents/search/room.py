"""Room for agents that search, in `g.scratch`: compiled code allocates nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

LEVELS = 32  # positions on the way from the root to where expectimax stops
NOTES = 5  # whole numbers that expectimax notes of each
NODES = 8192  # of a tree
PATH = 1024  # nodes on the way from the root to where a game leaves the tree


class SearchRoom(NamedTuple):
    """Arrays that agents write to; those of levels are expectimax's, those of nodes are the tree's."""

    moves: np.ndarray  # moves[level, n]: legal moves
    states: np.ndarray  # states[level]: the numbers of a position
    notes: np.ndarray  # notes[level]: whole numbers, see `expectimax`
    values: np.ndarray  # values[level, seat]: what was found of a position
    sums: np.ndarray  # sums[level, seat]: of the ways that dice can land
    links: np.ndarray  # links[node]: label, first child, next sibling, children, visits; see `mcts`
    totals: np.ndarray  # totals[node, seat]: sums of payoffs
    path: np.ndarray  # nodes from the root
    paid: np.ndarray  # paid[seat], of one game; then the least and the most that was paid so far


def room_for(rules: ModuleType) -> Callable[[Any], SearchRoom]:
    """What makes room for such rules. Memory that is never touched costs nothing."""

    def room(g: Any) -> SearchRoom:
        seats = g.players
        return SearchRoom(
            np.zeros((LEVELS, int(rules.fanout(g))), np.int64),
            np.zeros((LEVELS, len(rules.State._fields)), np.int64),
            np.zeros((LEVELS, NOTES), np.int64),
            np.zeros((LEVELS, seats)),
            np.zeros((LEVELS, seats)),
            np.zeros((NODES, 5), np.int64),
            np.zeros((NODES, seats)),
            np.zeros(PATH, np.int64),
            np.zeros(seats + 2),
        )

    return room
