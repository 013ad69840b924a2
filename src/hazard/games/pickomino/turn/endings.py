"""How a turn of Pickomino ends when it is played by a row of values: the chance of every ending, exactly.

Chances have a row of their own, laid out as those of `states`: of the states met, of stops by score, of a failure. They
flow from states with more dice left to states with fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hazard.background import soon
from hazard.games.pickomino.rules import (
    CENTRE,
    FACES,
    LOWEST,
    ROLL,
    STEAL,
    Params,
    State,
    bought,
    fail,
    pass_on,
    points,
    robbed,
    top,
    with_face,
    with_tile,
)
from hazard.games.pickomino.turn.states import (
    NEVER,
    Turns,
    centre_at,
    fail_at,
    group_of,
    roll_value,
    state_of,
    steal_at,
    stop_value,
    turns_of,
    value_of,
    work_out,
)
from hazard.games.pickomino.turn.tables import TurnTables, scores_of, tables_of
from hazard.jit import bind, large, rule


class Room(NamedTuple):
    """Arrays to work in."""

    worth: np.ndarray  # worth[place of a free face, dice]: the value of the state that follows
    after: np.ndarray  # after[place of a free face, dice]: that state
    most: np.ndarray  # most[depth]: the best option of a pattern so far
    pick: np.ndarray  # pick[depth]: the state it leads to


def make_room(dice: int) -> Room:
    worth, after = np.full((FACES, dice + 1), NEVER), np.zeros((FACES, dice + 1), np.int64)
    return Room(worth, after, np.full(FACES, NEVER), np.zeros(FACES, np.int64))


@rule
def note_choices(tables: TurnTables, values: Any, k: int, group: int, room: Room) -> None:
    """What a state can become, by free face and number of dice."""
    begin = tables.groups[group]
    size, at = tables.groups[group + 1] - begin, tables.after_at[group] + k - begin
    for place in range(FACES - tables.used[k]):
        for c in range(1, tables.left[k] + 1):
            room.after[place, c] = tables.after[at]
            room.worth[place, c] = values[tables.after[at]]
            at += size


@large
def pass_down(tables: TurnTables, t: Turns, values: Any, k: int, group: int, chances: Any, room: Room) -> None:
    """Share the chance of a state that rolls among the states that follow."""
    n, used, chance = tables.left[k], tables.used[k], chances[k]
    last, share, most, pick = FACES - used - 1, tables.share_at[used, n], room.most, room.pick
    chances[fail_at(t)] += chance * tables.miss[used, n]
    note_choices(tables, values, k, group, room)
    for node in tables.nodes[tables.node_at[used, n] : tables.node_at[used, n + 1]]:
        depth = node[0]
        if depth > 0:
            better = room.worth[depth - 1, node[1]] > most[depth - 1]
            most[depth] = room.worth[depth - 1, node[1]] if better else most[depth - 1]
            pick[depth] = room.after[depth - 1, node[1]] if better else pick[depth - 1]
        if depth == last:
            for c in range(node[2] + 1):
                after = room.after[last, c] if room.worth[last, c] > most[depth] else pick[depth]
                chances[after] += chance * tables.shares[share + c]  # a share of 0 where there is no option
            share += node[2] + 1


@rule
def stop_here(tables: TurnTables, t: Turns, values: Any, k: int, chances: Any) -> bool:
    """Where stopping is best, or nothing else is left, the chance of a state becomes that of an ending."""
    stop, score = stop_value(tables, t, values, k), tables.score[k]
    if stop == NEVER and tables.left[k] == 0:
        chances[fail_at(t)] += chances[k]
        return True
    if stop == NEVER or stop < values[k]:
        return False
    steal = values[steal_at(t, score)] == stop
    chances[steal_at(t, score) if steal else centre_at(t, score)] += chances[k]
    return True


@large
def flow(
    tables: TurnTables, t: Turns, row: int, first: int, rolls: bool, least: float, chances: Any, room: Room
) -> None:
    """The chances of all endings from a state: with dice just set aside, or, if it `rolls`, when it rolls on.

    All that can follow is worked out first. A stop is taken before a roll of the same value, and a steal before the
    centre. States met with a chance of no more than `least` are left out.
    """
    values, group = t.rows[row], group_of(tables, first)
    work_out(tables, t, row, group if rolls else group + 1)
    chances[:] = 0.0
    chances[first] = 1.0
    for k in range(first, -1, -1):
        while tables.groups[group] > k:
            group -= 1
        if chances[k] > least and ((rolls and k == first) or not stop_here(tables, t, values, k, chances)):
            pass_down(tables, t, values, k, group, chances, room)


# --- in Python ---------------------------------------------------------------------------------------------------
class Turn:
    """A turn with some values of its endings: of stops for the centre by score, of steals by score, of a failure."""

    def __init__(self, dice: int, ends: np.ndarray) -> None:
        self.tables, self.room = tables_of(dice), make_room(dice)
        self.t = turns_of(self.tables, rows=1)
        self.t.rows[0, self.t.states :] = ends

    def value(self, k: int, rolls: bool) -> float:
        """What state k is worth with dice just set aside, or when it rolls on."""
        return float(_bound(roll_value if rolls else value_of)(self.tables, self.t, 0, k))

    def chances(self, k: int, rolls: bool) -> np.ndarray:
        """How the turn ends from there if it is played for these values; laid out as the values."""
        chances = np.zeros(self.t.rows.shape[1])
        _bound(flow)(self.tables, self.t, 0, k, rolls, 0.0, chances, self.room)
        return chances[self.t.states :]


def _bound(function: Callable) -> Callable:
    return soon(function, "pickomino/turn", {}, partial(bind, function, "pickomino/turn", {}, True))


class Ends(NamedTuple):
    """Where a turn can lead: the table after each ending."""

    centre: dict[int, State]  # by tile
    stolen: dict[int, State]  # by tile
    failed: State

    def valued(self, dice: int, worth: Callable[[State], float]) -> np.ndarray:
        """Values of endings as `Turn` takes them."""
        scores = scores_of(dice)
        ends = np.full(2 * scores + 1, NEVER)
        values = {tile: worth(s) for tile, s in self.centre.items()}
        for score in range(scores):
            if (tile := self.bought(score)) >= 0:
                ends[score] = values[tile]
        for tile, s in self.stolen.items():
            if tile + LOWEST < scores:
                ends[scores + tile + LOWEST] = worth(s)
        ends[-1] = worth(self.failed)
        return ends

    def bought(self, score: int) -> int:
        """The tile of the centre that a score takes; below 0 for none."""
        return int(bought(sum(1 << tile for tile in self.centre), score))

    def by_tile(self, chances: np.ndarray) -> dict[int, float]:
        """The chances of the tiles, from those by score."""
        scores = len(chances) // 2
        totals = dict.fromkeys(sorted([*self.centre, *self.stolen]), 0.0)
        for score in range(LOWEST, scores):
            if chances[score] > 0:
                totals[self.bought(score)] += float(chances[score])
            if chances[scores + score] > 0:
                totals[score - LOWEST] += float(chances[scores + score])
        return totals


def ends_of(g: Params, s: State) -> Ends:
    """Where this turn can lead."""
    others = [seat for seat in range(g.players) if seat != s.mover and top(s, seat) >= 0]
    return Ends(
        {tile: pass_on(g, with_tile(s, tile)) for tile in range(g.tiles) if s.centre >> tile & 1},
        {int(top(s, seat)): pass_on(g, robbed(s, seat)) for seat in others},
        fail(g, s),
    )


def after_move(g: Params, s: State, m: int) -> tuple[int, bool]:
    """The state of the turn that a move leads to, of a face or a roll, and whether it rolls on."""
    kept = s.kept if m == ROLL else with_face(s.kept, s.rolled, m)
    return int(state_of(g, kept)), m == ROLL


def worth_of_moves(g: Params, s: State, moves: list[int], ends: np.ndarray) -> list[float]:
    """What moves are worth by the values of endings."""
    turn, score = Turn(g.dice, ends), int(points(s.kept))
    stops = {CENTRE: score, STEAL: scores_of(g.dice) + score}
    return [float(ends[stops[m]]) if m in stops else turn.value(*after_move(g, s, m)) for m in moves]
