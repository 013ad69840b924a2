"""What `solve` says of Pickomino: a small game with certified bounds, or the best chance of a score in one turn."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.pickomino.notation import MARKS, _check_rolled, dice_text, parse_dice, parse_kept
from hazard.games.pickomino.rules import LOWEST, shown
from hazard.games.pickomino.solver.arrangements import MOST_TILES, arrangements, count_all, find_key, key_of
from hazard.games.pickomino.solver.solution import Pickomino, opened, whole
from hazard.games.pickomino.solver.worth import prospect, worth
from hazard.games.pickomino.turn.endings import Turn
from hazard.games.pickomino.turn.fractions import Target, aside_of
from hazard.games.pickomino.turn.states import NEVER, state_of, with_face
from hazard.rulebook import Game
from hazard.solving.solution import Progress, Solver, check_tolerance, save

QUICK = 5  # tiles of games that are solved in seconds
LEAST = 1e-10  # the certified error that may be asked for
PARTS = 1000  # of a bar of progress
SECONDS, BYTES = 1.5e-3, 150  # that an arrangement takes, about


class TurnSolver(Solver):
    """Solves small games of two between turns; see `prove`."""

    code = ("games/pickomino/solver", "games/pickomino/turn")
    rules = MappingProxyType({"worth": worth, "prospect": prospect})

    remarks = MappingProxyType({"turns": "gone through exactly; between turns the solved values"})

    def subject(self, game: Game) -> Game:
        return whole(game)

    def obstacle(self, game: Game) -> str:
        return obstacle(game)

    def quick(self, game: Game) -> bool:
        return game.g.tiles <= QUICK

    def on_demand(self, game: Game) -> bool:
        return self.quick(game)

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> Pickomino:
        found = solve_game(game, tolerance, progress)
        if folder:
            save(found, folder)
        return found

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, np.ndarray]) -> Pickomino:
        return opened(game, meta, tables)

    def facts(self, solution: Pickomino) -> dict[str, Any]:
        return {name: solution.meta[name] for name in ("arrangements", "sweeps")}


# --- one turn --------------------------------------------------------------------------------------------------------
def answer(game: Game) -> dict[str, Any] | None:
    """The best chance of a score in one turn, where the parameters ask for that: in floats and in fractions.

    After a roll also for each face.
    """
    p: dict[str, Any] = game.parameters
    if p["mode"] != "turn":
        for name in ("kept", "rolled"):
            if p[name] != "-":
                raise BadInput(f"{name}={p[name]}: is for one turn; add -p mode=turn")
        return None
    dice, target = game.table.dice, Target(game.table.dice, p["target"], p["exactly"] == "true")
    kept, rolled = parse_kept(p["kept"], dice), parse_dice(p["rolled"], "rolled", dice)
    said = {"target": target.score, "exactly": target.exactly, "kept": dice_text(kept), "rolled": dice_text(rolled)}
    turn = Turn(dice, _ends(target))
    if not rolled:
        chance = target.chance(aside_of(kept, dice))
        value = turn.value(int(state_of(game.table, kept)), False)
        return said | {"probability": value, "fraction": str(chance)}
    _check_rolled(p["rolled"], kept, rolled, dice)
    choices = []
    for face, chance in target.choices(kept, rolled).items():
        value = turn.value(int(state_of(game.table, with_face(kept, rolled, face))), False)
        name = f"keep {MARKS[face] * int(shown(rolled, face))}"
        choices.append((chance, {"move": name, "probability": value, "fraction": str(chance)}))
    choices.sort(key=lambda pair: -pair[0])
    rows = [row for _, row in choices]
    best = {"probability": rows[0]["probability"], "fraction": rows[0]["fraction"], "best": rows[0]["move"]}
    return said | best | {"choices": rows}


def _ends(target: Target) -> np.ndarray:
    """1 for a stop with the score, 0 for a failure; other stops are no use."""
    scores = 5 * target.dice + 1
    ends = np.full(2 * scores + 1, NEVER)
    ends[:scores] = [1.0 if target.hit(score) else NEVER for score in range(scores)]
    ends[-1] = 0.0
    return ends


# --- small games -----------------------------------------------------------------------------------------------------
def obstacle(game: Game) -> str:
    """Why a game cannot be solved; empty if it can."""
    g = game.table
    if g.players != 2:
        return f"players={g.players}: solving is for two players"
    if g.tiles > MOST_TILES:
        count = count_all(g.tiles)
        return (
            f"tiles={g.tiles}: {count:,} arrangements of tiles, which would take about {count * SECONDS / 3600:,.0f} "
            f"hours and {count * BYTES / 2**30:,.0f} GiB; take tiles={MOST_TILES} or fewer"
        )
    if not g.strict and 5 * g.dice <= LOWEST + g.tiles - 1:
        return (
            f"empty=keep with dice={g.dice}: games need not end where no roll is beyond all tiles, so that the proof "
            f"does not hold; take dice={(LOWEST + g.tiles - 1) // 5 + 1} or more, or empty=turn"
        )
    return ""


def solve_game(game: Game, tolerance: float, progress: Progress | None) -> Pickomino:
    """Solve a small game between turns, and prove the values."""
    from hazard.games.pickomino.solver.prove import Solver

    if why := obstacle(game):
        raise BadInput(why)
    check_tolerance(tolerance, LEAST)
    begun, found = time.perf_counter(), arrangements(game)
    solved = Solver(game, found).solve(lambda part: progress(int(PARTS * part), PARTS) if progress else None)
    if solved.error > tolerance:
        raise BadInput(f"--tolerance {tolerance:g}: rounding leaves {solved.error:.2g} here; ask for no less")
    first = int(find_key(found.keys, key_of(game.start().state)))
    lower, upper = (solved.values - solved.widths).clip(0, 1), (solved.values + solved.widths).clip(0, 1)
    meta = {
        "error": solved.error,
        "states": found.reachable(first),
        "arrangements": found.size,
        "sweeps": solved.sweeps,
        "seconds": time.perf_counter() - begun,
    }
    return Pickomino(game, found.keys, lower, upper, meta)
