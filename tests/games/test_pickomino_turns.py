"""Pickomino's turns: their states and values against brute force, tables of risk against simulation and the paper.

The paper is N. Chetcuti-Sperandio, F. Delorme, S. Lagrue, D. Stackowiak, "Determination and Evaluation of Efficient
Strategies for a Stop or Roll Dice Game" (CIG 2008); its example roll is 1, 5, 5, 5, 5 and three worms.
"""

import resource
from functools import cache
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest

import hazard
from hazard.dice import stream
from hazard.games.pickomino.notation import parse_dice
from hazard.games.pickomino.players.programs import COLUMNS, grow_tree
from hazard.games.pickomino.rules import Params
from hazard.games.pickomino.turn.states import (
    NEVER,
    Turns,
    centre_at,
    fail_at,
    find_row,
    roll_value,
    state_of,
    steal_at,
    turn_value,
    turns_of,
    value_of,
)
from hazard.games.pickomino.turn.tables import TurnTables, states_of
from hazard.jit import rule


def make(**parameters: int | str) -> hazard.Game:
    return hazard.game("pickomino", **parameters)


# --- turns -----------------------------------------------------------------------------------------------------------
@rule
def best_chance(tables: TurnTables, t: Turns, target: int, exactly: bool) -> float:
    """The best chance of a score, or of at least that."""
    row = find_row(t, target, 7, 1 if exactly else 0, 7)
    for score in range(t.scores):
        wanted = score == target if exactly else score >= target
        t.rows[row, centre_at(t, score)] = 1.0 if wanted else NEVER
        t.rows[row, steal_at(t, score)] = NEVER
    t.rows[row, fail_at(t)] = 0.0
    return turn_value(tables, t, row)


@rule
def whole_turn(tables: TurnTables, t: Turns, ends: Any, values: Any, rolls: Any) -> float:
    """All values of a turn for any worth of its ends: by score from the centre, by score stolen, of a failure."""
    row = find_row(t, 1, 8, 0, 7)
    t.known[row] = 0
    for i in range(ends.size):
        t.rows[row, t.states + i] = ends[i]
    for k in range(t.states):
        values[k] = value_of(tables, t, row, k)
        rolls[k] = roll_value(tables, t, row, k) if tables.left[k] > 0 and tables.used[k] < 6 else 0.0
    return turn_value(tables, t, row)


def test_a_turn_has_1939_states() -> None:
    states = states_of(8)
    assert len(states) == len(set(states)) == 1939
    assert sum(left > 0 and faces != 0b111111 for left, faces, _ in states) == 1287


def test_the_best_chance_of_at_least_21() -> None:
    """An independent calculation gave 0.893026737151."""
    game = make()
    best, t = game.compiled(best_chance), (game.g.turn, game.table.scratch.turns)
    chances = [best(*t, score, False) for score in range(21, 37)]
    assert chances[0] == pytest.approx(0.893026737151, abs=1e-12)
    assert chances == sorted(chances, reverse=True)
    assert all(best(*t, score, True) < chance for score, chance in zip(range(21, 37), chances, strict=True))


class BruteForce:
    """Every ordered roll, every face, every stop; sets and strings, nothing of the rules."""

    def __init__(self, dice: int, ends: np.ndarray) -> None:
        scores = 5 * dice + 1
        self.dice, self.fail = dice, float(ends[2 * scores])
        self.stops = np.maximum(ends[:scores], ends[scores : 2 * scores])
        self.aside, self.rolled = cache(self._aside), cache(self._rolled)

    def _aside(self, faces: frozenset[int], left: int, score: int) -> float:
        options = [float(self.stops[score])] if 6 in faces and self.stops[score] > NEVER else []
        if left and len(faces) < 6:
            options.append(self.rolled(faces, left, score))
        return max(options, default=self.fail)

    def _rolled(self, faces: frozenset[int], left: int, score: int) -> float:
        total = 0.0
        for roll in product(range(1, 7), repeat=left):
            free = set(roll) - faces
            total += max(
                (self.aside(faces | {f}, left - roll.count(f), score + roll.count(f) * min(f, 5)) for f in free),
                default=self.fail,
            )
        return total / 6**left


@pytest.mark.parametrize("dice", [1, 3, 4])
def test_turns_against_every_roll(dice: int) -> None:
    game, rng = make(dice=dice), np.random.default_rng(dice)
    ends = rng.normal(size=2 * (5 * dice + 1) + 1)
    ends[:-1][rng.random(ends.size - 1) < 0.5] = NEVER
    states = states_of(dice)
    values, rolls = np.zeros(len(states)), np.zeros(len(states))
    whole = game.compiled(whole_turn)(game.g.turn, game.table.scratch.turns, ends, values, rolls)
    brute = BruteForce(dice, ends)
    for k, (left, bits, score) in enumerate(states):
        faces = frozenset(f + 1 for f in range(6) if bits >> f & 1)
        if faces:
            assert values[k] == pytest.approx(brute.aside(faces, left, score), abs=1e-12)
        if left and len(faces) < 6:
            assert rolls[k] == pytest.approx(brute.rolled(faces, left, score), abs=1e-12)
    assert whole == pytest.approx(brute.rolled(frozenset(), dice, 0), abs=1e-12)


# --- tables of risk --------------------------------------------------------------------------------------------------
@rule
def grow_trees(g: Params, kept: int, trees: int, tables: Any, rng: Any) -> None:
    """Tables of so many trees each."""
    for batch in range(tables.shape[0]):
        for _ in range(trees):
            grow_tree(g, kept, tables[batch], rng)


def simulated(kept: str, trees: int, tables: int) -> np.ndarray:
    game = make()
    found = np.zeros((tables, COLUMNS + 1), np.int64)
    game.compiled(grow_trees)(game.table, parse_dice(kept, "kept", 8), trees, found, stream(1))
    return found


def expected(kept: str) -> np.ndarray:
    """What a tree has on average: nodes by score, and dead ends."""
    g = make().g
    k = int(state_of(g, parse_dice(kept, "kept", 8)))
    return np.array([*g.turn.risk[k], g.turn.fails[k]])


@pytest.mark.parametrize("kept", ["-", "1", "www", "5555", "3344w"])
def test_simulated_tables_are_as_expected(kept: str) -> None:
    tables = simulated(kept, 50, 400)
    error = tables.std(axis=0, ddof=1) / sqrt(len(tables))
    mean, exact = tables.mean(axis=0), 50 * expected(kept)
    assert (np.abs(mean - exact) <= 4 * error + 1e-9).all()
    assert (exact > 0).sum() > 5


TABLE_III = {  # columns 21 to 30, rolls added up; 500 trees; that for fives is printed with figures left out
    "1": [830, 753, 719, 487, 546, 332, 246, 217, 109, 86],
    "www": [638, 640, 722, 750, 812, 713, 638, 571, 476, 387],
}


@pytest.mark.parametrize("kept", TABLE_III)
def test_table_iii(kept: str) -> None:
    tables = simulated(kept, 500, 400)[:, :10]
    off = (np.array(TABLE_III[kept]) - 500 * expected(kept)[:10]) / tables.std(axis=0, ddof=1)
    assert np.abs(off).max() < 4


def test_where_valid_scores_gather() -> None:
    """The paper (V.C.1) has 80.45 % for 21 to 25, which is the share of 21 to 26 among 21 to 36."""
    nodes = expected("-")[:16]
    assert nodes[:6].sum() / nodes.sum() == pytest.approx(0.8045, abs=5e-5)
    assert nodes[:5].sum() / nodes.sum() == pytest.approx(0.7237, abs=5e-5)


# --- what is shared, and what is written to --------------------------------------------------------------------------
def test_tables_are_shared_and_cannot_be_written_to() -> None:
    one, other = make().g, make(players=5, tiles=4, empty="turn").g
    assert one.turn is other.turn
    assert one.scratch == ()
    assert not any(part.flags.writeable for part in (*one.turn, *one[4:-2]) if isinstance(part, np.ndarray))


def test_rows_take_memory_only_when_they_are_used() -> None:
    """63 MB of rows are reserved; the pages of those that nobody asked for are not touched."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    some = [turns_of(make().g.turn) for _ in range(20)]
    assert sum(t.rows.nbytes for t in some) > 1 << 30
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10  # kilobytes
