"""A turn at the board: what to keep of the first roll, when to stop, and the chance of every tile, exactly."""

from __future__ import annotations

import numpy as np

from hazard.games.pickomino.rules import FACES, LOWEST
from hazard.games.pickomino.turn.states import states_of
from hazard.studies.pickomino.turn import DICE, MARKS, TILES, after, at_least, exactly, for_worms, is_valid
from hazard.studies.report import Table

COSTS = (0.0, 2.0)  # worms that a failure costs: an empty stack, a tile of two worms
START = (DICE, 0, 0)
ROLLS, DEPENDS, STOPS = 0.0, 0.5, 1.0


def first_values(cost: float) -> np.ndarray:
    """Worms expected after keeping n dice of a face of the first roll: rows are dice from 1, columns faces."""
    best = for_worms(COSTS).best
    column = COSTS.index(cost)
    return np.array([[best[after(START, face, n)][column] for face in range(FACES)] for n in range(1, DICE + 1)])


def first_chances() -> np.ndarray:
    """The same for the best chance of a tile, any of a full centre."""
    best = at_least().best
    return np.array([[best[after(START, face, n)][0] for face in range(FACES)] for n in range(1, DICE + 1)])


def first_tables() -> list[Table]:
    """Look up every face of the first roll, and keep the one with the greatest number."""
    note = "Find each face you rolled in the row of how many dice show it; keep the face with the greatest number."
    columns = ("dice", *MARKS)
    found = []
    for cost in COSTS:
        start = for_worms(COSTS).roll[START][COSTS.index(cost)]
        at_stake = "nothing at stake" if cost == 0 else f"a tile of {cost:g} worms at stake"
        rows = [(n + 1, *(f"{x + 0.0:.2f}" for x in row)) for n, row in enumerate(first_values(cost))]
        more = f"{note} Before the roll, the turn is worth {start:.3f} worms. Full centre, no stealing."
        found.append(Table(f"What to keep of the first roll: worms expected, {at_stake}", columns, rows, more))
    rows = [(n + 1, *(f"{x:.1%}" for x in row)) for n, row in enumerate(first_chances())]
    more = f"{note} Before the roll, the chance is {at_least().roll[START][0]:.2%}."
    found.append(Table("What to keep of the first roll: the best chance of 21 or more", columns, rows, more))
    return found


def kinds() -> list[tuple[int, int]]:
    """Dice left and faces aside, where a player may stop or roll on."""
    found = {(left, faces.bit_count()) for left, faces, _ in filter(is_valid, states_of(DICE))}
    return sorted((left, faces) for left, faces in found if left and faces < FACES)


def stop_map(cost: float) -> np.ndarray:
    """By dice left and faces aside (rows) and score (columns): stop, roll, depends on the faces, or not a number."""
    turn, column = for_worms(COSTS), COSTS.index(cost)
    found = np.full((len(kinds()), len(TILES)), np.nan)
    for row, kind in enumerate(kinds()):
        for score in TILES:
            states = [k for k in turn.best if is_valid(k) and (k[0], k[1].bit_count()) == kind and k[2] == score]
            if states:
                stops = [turn.stop[k][column] >= turn.roll[k][column] for k in states]
                found[row, score - LOWEST] = STOPS if all(stops) else DEPENDS if any(stops) else ROLLS
    return found


def stop_table(cost: float) -> Table:
    words = {STOPS: "stop", ROLLS: "roll", DEPENDS: "?"}
    at_stake = "nothing at stake" if cost == 0 else f"a tile of {cost:g} worms at stake"
    rows = [
        (left, faces, *(words.get(float(x), "") for x in row))
        for (left, faces), row in zip(kinds(), stop_map(cost), strict=True)
    ]
    note = (
        "With a worm aside, full centre, nobody to steal from. '?' depends on which faces are aside; empty cells "
        "cannot come up; with all six faces aside always stop."
    )
    columns = ("dice left", "faces aside", *map(str, TILES))
    return Table(f"When to stop for a tile, {at_stake}", columns, rows, note)


def tile_chances(just: bool) -> tuple[list[str], np.ndarray]:
    """The best chance of each tile after the first dice kept: of just its number, or of that and more."""
    best = (exactly() if just else at_least()).best
    names, rows = ["nothing yet"], [(exactly() if just else at_least()).roll[START]]
    for face in range(FACES):
        for n in range(1, 6):
            names.append(MARKS[face] * n)
            rows.append(best[after(START, face, n)])
    return names, np.array(rows)
