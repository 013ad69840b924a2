"""A turn at the board: what to keep of the first roll, when to stop, and the chance of every tile, exactly."""

from __future__ import annotations

import numpy as np

from hazard.games.pickomino.notation import MARKS
from hazard.games.pickomino.rules import FACES, LOWEST
from hazard.games.pickomino.turn.tables import Aside, is_valid, keep, states_of
from hazard.studies.pickomino.turn import DICE, START, TILES, Aims, at_least, exactly, for_worms
from hazard.studies.report import Table

COSTS = (0.0, 2.0)  # worms that a failure costs: an empty stack, a tile of two worms
ROLLS, DEPENDS, STOPS = 0.0, 0.5, 1.0


def _first(turn: Aims, aim: int) -> np.ndarray:
    """What it is worth to keep n dice of a face of the first roll: rows are dice from 1, columns faces."""
    dice = range(1, DICE + 1)
    return np.array([[turn.best(keep(START, face, n))[aim] for face in range(FACES)] for n in dice])


def first_values(cost: float) -> np.ndarray:
    """The worms expected after each face that can be kept of the first roll."""
    return _first(for_worms(COSTS), COSTS.index(cost))


def first_chances() -> np.ndarray:
    """The same for the best chance of a tile, any of a full centre."""
    return _first(at_least(), 0)


def _at_stake(cost: float) -> str:
    return "nothing at stake" if cost == 0 else f"a tile of {cost:g} worms at stake"


def first_tables() -> list[Table]:
    """Look up every face of the first roll, and keep the one with the greatest number."""
    note = "Find each face you rolled in the row of how many dice show it; keep the face with the greatest number."
    columns = ("dice", *MARKS)
    tables = []
    for cost in COSTS:
        start = for_worms(COSTS).roll(START)[COSTS.index(cost)]
        rows = [(n + 1, *(f"{x + 0.0:.2f}" for x in row)) for n, row in enumerate(first_values(cost))]
        more = f"{note} Before the roll, the turn is worth {start:.3f} worms. Full centre, no stealing."
        title = f"What to keep of the first roll: worms expected, {_at_stake(cost)}"
        tables.append(Table(title, columns, rows, more))
    rows = [(n + 1, *(f"{x:.1%}" for x in row)) for n, row in enumerate(first_chances())]
    more = f"{note} Before the roll, the chance is {at_least().roll(START)[0]:.2%}."
    tables.append(Table("What to keep of the first roll: the best chance of 21 or more", columns, rows, more))
    return tables


def _stopping() -> dict[tuple[int, int], list[Aside]]:
    """The states in which a player may stop or roll on, by dice left and the number of faces aside."""
    kinds: dict[tuple[int, int], list[Aside]] = {}
    for state in filter(is_valid, states_of(DICE)):
        left, faces, _ = state
        if left and faces.bit_count() < FACES:
            kinds.setdefault((left, faces.bit_count()), []).append(state)
    return dict(sorted(kinds.items()))


def kinds() -> list[tuple[int, int]]:
    """Dice left and faces aside, where a player may stop or roll on."""
    return list(_stopping())


def stop_map(cost: float) -> np.ndarray:
    """By dice left and faces aside (rows) and score (columns): stop, roll, depends on the faces, or not a number."""
    turn, aim = for_worms(COSTS), COSTS.index(cost)
    words = np.full((len(kinds()), len(TILES)), np.nan)
    for row, states in enumerate(_stopping().values()):
        for score in TILES:
            stops = [turn.stop(state)[aim] >= turn.roll(state)[aim] for state in states if state[2] == score]
            if stops:
                words[row, score - LOWEST] = STOPS if all(stops) else DEPENDS if any(stops) else ROLLS
    return words


def stop_table(cost: float) -> Table:
    words = {STOPS: "stop", ROLLS: "roll", DEPENDS: "?"}
    rows = [
        (left, faces, *(words.get(float(x), "") for x in row))
        for (left, faces), row in zip(kinds(), stop_map(cost), strict=True)
    ]
    note = (
        "With a worm aside, full centre, nobody to steal from. '?' depends on which faces are aside; empty cells "
        "cannot come up; with all six faces aside always stop."
    )
    columns = ("dice left", "faces aside", *map(str, TILES))
    return Table(f"When to stop for a tile, {_at_stake(cost)}", columns, rows, note)


def tile_chances(just: bool) -> tuple[list[str], np.ndarray]:
    """The best chance of each tile after the first dice kept: of just its number, or of that and more."""
    turn = exactly() if just else at_least()
    names, rows = ["nothing yet"], [turn.roll(START)]
    for face in range(FACES):
        for n in range(1, 6):
            names.append(MARKS[face] * n)
            rows.append(turn.best(keep(START, face, n)))
    return names, np.array(rows)
