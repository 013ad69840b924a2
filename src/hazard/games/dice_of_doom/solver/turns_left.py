"""Turns left, backed up block by block beside the values: the weights of a proof of bounds.

What counts is the most turns over all moves that are best or nearly so: by its bounds a nearly best move may be best.
"""

from __future__ import annotations

from typing import Any

from hazard.games.dice_of_doom.solver.block_backup import (
    back_up_row,
    expand,
    first_row,
    in_order,
    next_row,
    reinforced,
    with_die,
)
from hazard.jit import rule


@rule
def raise_turns(
    turns: Any, best: Any, lost: Any, won: Any, late: Any, far: Any, share: float, near: float, zero: float
) -> None:
    """Raise turns left to those after an attack, where that is nearly best. `zero` keeps the loop free of branches."""
    for e in range(turns.size):
        value = lost[e] + share * (won[e] - lost[e]) + near
        after = late[e] + share * (far[e] - late[e])
        turns[e] = max(turns[e], after if value >= best[e] else 0.0) + zero


@rule
def raise_turns_any(
    turns: Any, best: Any, lost: Any, won: Any, late: Any, far: Any, shares: Any, near: float, zero: float
) -> None:
    """The same where odds differ from column to column."""
    for e in range(turns.size):
        value = lost[e] + shares[e] * (won[e] - lost[e]) + near
        after = late[e] + shares[e] * (far[e] - late[e])
        turns[e] = max(turns[e], after if value >= best[e] else 0.0) + zero


@rule
def attack_turns(
    q: int, digit: int, begin: int, k: int, near: float, zero: float, odds: Any, v: Any, w: Any, rows: Any, at: Any
) -> None:
    """Turns left after the q-th attack, laid out as in `attack`; the k-th chunk begins at `begin`."""
    block, spread = at
    dice, y, slow = block.dice, block.targets[q], block.slow[q] + k
    size, lost = dice**block.fast, begin - digit * rows.drops[block.attackers[q]]
    turns, best = w.starts[begin : begin + size], v.starts[begin : begin + size]
    here, late = v.here[lost : lost + size], w.here[lost : lost + size]
    a = rows.bases[q] + block.places[slow]
    if y < block.fast:
        z = a + size // dice
        won, far = rows.values[:size], rows.turns[:size]
        expand(v.above[a:z], spread.spots[y], won)
        expand(w.above[a:z], spread.spots[y], far)
        raise_turns_any(turns, best, here, won, late, far, spread.shares[digit, y], near, zero)
    else:
        won, far = v.above[a : a + size], w.above[a : a + size]
        raise_turns(turns, best, here, won, late, far, odds[digit, block.met[slow]], near, zero)


@rule
def turns_row(r: int, how: int, near: float, zero: float, odds: Any, v: Any, w: Any, rows: Any, at: Any) -> None:
    """The most turns left over all moves whose value is within `near` of the best, once the row has been backed up.

    Where the turn may be ended, an attack counts if it is within `near` of the best attack, and that is nearly best.
    """
    block = at[0]
    size, end = block.dice**block.fast, reinforced(in_order(how, 0, block), rows, block)
    for k in range(block.columns // size):
        begin = r * block.columns + k * size
        for e in range(begin, begin + size):
            w.starts[e] = 0.0
        for q in range(block.attackers.size):
            digit = rows.digits[block.attackers[q]]
            if digit > 0:
                attack_turns(q, digit, begin, k, near, zero, odds, v, w, rows, at)
        for e in range(begin, begin + size):
            attacked = w.starts[e] if v.starts[e] + near >= v.here[e] else 0.0
            ended = w.ends[end + e] if v.ends[end + e] + near >= v.here[e] else 0.0
            w.here[e] = max(attacked, ended)


@rule
def back_up_turns(how: int, near: float, zero: float, odds: Any, v: Any, w: Any, rows: Any, at: Any) -> None:
    """Back up the turns of a block, and how many turns are left."""
    block = at[0]
    first_row(rows, block)
    for r in range(block.dice**block.own):
        back_up_row(r, how, zero, 0.0, odds, v.ends, v.here, v.above, v.starts, rows, at)
        turns_row(r, how, near, zero, odds, v, w, rows, at)
        next_row(rows, block)


@rule
def place_turns(near: float, ends: Any, turns: Any, row: Any, far: Any, block: Any) -> None:
    """Dice that are placed by choice: the best value, and the most turns left over placements within `near` of it.

    Before, `ends` and `turns` are those after the last die; both are overwritten. `row` and `far` are room for a row.
    """
    columns = block.dice**block.other
    for _ in range(block.gain):
        for r in range(block.dice**block.own):
            for e in range(columns):
                row[e], far[e] = -1e9, 0.0
            for x in range(block.own):
                to = with_die(r, x, block) * columns
                for e in range(columns):
                    row[e] = max(row[e], ends[to + e])
            for x in range(block.own):
                to = with_die(r, x, block) * columns
                for e in range(columns):
                    far[e] = max(far[e], turns[to + e] if ends[to + e] >= row[e] - near else 0.0)
            for e in range(columns):
                ends[r * columns + e] = row[e]
                turns[r * columns + e] = far[e]
