"""What `solve` says of Pickomino: a small game with certified bounds, or the best chance of a score in one turn."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hazard.errors import BadInput
from hazard.games.pickomino.notation import check_rolled, dice_text, move_text, parse_dice, parse_kept
from hazard.games.pickomino.rules import LOWEST, WORM
from hazard.games.pickomino.solver.arrangements import MOST_TILES, arrangements, count_all, find_key, key_of
from hazard.games.pickomino.solver.solution import Pickomino, opened, whole
from hazard.games.pickomino.solver.worth import prospect, worth
from hazard.games.pickomino.turn.fractions import Target, aside_of
from hazard.games.pickomino.turn.tables import VALUES
from hazard.rulebook import Game
from hazard.solving.report import exact_values
from hazard.solving.solution import Progress, Solver, check_tolerance, save
from hazard.solving.tables import Table

QUICK = 5  # tiles of games that are solved in seconds
LEAST = 1e-10  # the smallest tolerance
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
        g = game.g
        if g.players != 2:
            return f"players={g.players}: solving is for two players"
        if g.tiles > MOST_TILES:
            count = count_all(g.tiles)
            return (
                f"tiles={g.tiles}: {count:,} arrangements of tiles, which would take about "
                f"{count * SECONDS / 3600:,.0f} hours and {count * BYTES / 2**30:,.0f} GiB; take tiles={MOST_TILES} "
                "or fewer"
            )
        highest, best = LOWEST + g.tiles - 1, VALUES[WORM]
        if not g.strict and best * g.dice <= highest:
            return (
                f"empty=keep with dice={g.dice}: games need not end where no roll is beyond all tiles, so that the "
                f"proof does not hold; take dice={highest // best + 1} or more, or empty=turn"
            )
        return ""

    def quick(self, game: Game) -> bool:
        return game.g.tiles <= QUICK

    def on_demand(self, game: Game) -> bool:
        return self.quick(game)

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> Pickomino:
        check_tolerance(tolerance, LEAST)
        solution = _solved(game, tolerance, progress)
        if folder:
            save(solution, folder)
        return solution

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Pickomino:
        return opened(game, meta, tables)

    def facts(self, solution: Pickomino) -> dict[str, Any]:
        return {name: solution.meta[name] for name in ("arrangements", "sweeps")}


def _solved(game: Game, tolerance: float, progress: Progress | None) -> Pickomino:
    """Solve a small game between turns, and prove the values."""
    from hazard.games.pickomino.solver.prove import Solver

    begun, tiles = time.perf_counter(), arrangements(game)
    proven = Solver(game, tiles).solve(lambda part: progress(int(PARTS * part), PARTS) if progress else None)
    if proven.error > tolerance:
        raise BadInput(f"--tolerance {tolerance:g}: rounding leaves {proven.error:.2g} here; ask for no less")
    first = int(find_key(tiles.keys, key_of(game.start().state)))
    lower, upper = (proven.values - proven.widths).clip(0, 1), (proven.values + proven.widths).clip(0, 1)
    meta = {
        "error": proven.error,
        "states": tiles.reachable(first),
        "arrangements": tiles.size,
        "sweeps": proven.sweeps,
        "seconds": time.perf_counter() - begun,
    }
    return Pickomino(game, tiles.keys, lower, upper, meta)


# --- one turn ------------------------------------------------------------------------------------------------------
def answer(game: Game) -> dict[str, Any] | None:
    """The best chance of a score in one turn, where the parameters ask for that; after a roll also for each face."""
    p: dict[str, Any] = game.parameters
    if p["mode"] != "turn":
        for name in ("kept", "rolled"):
            if p[name] != "-":
                raise BadInput(f"{name}={p[name]}: is for one turn; add -p mode=turn")
        return None
    begun, dice = time.perf_counter(), game.g.dice
    target = Target(dice, p["target"], p["exactly"] == "true")
    kept, rolled = parse_kept(p["kept"], dice), parse_dice(p["rolled"], "rolled", dice)
    question = {"target": target.score, "exactly": target.exactly, "kept": dice_text(kept), "rolled": dice_text(rolled)}
    if rolled:
        check_rolled(p["rolled"], kept, rolled, dice)
        best = _choices(game, target, kept, rolled)
    else:
        best = {"fraction": str(target.chance(aside_of(kept, dice)))}
    chance = Fraction(best["fraction"])
    return exact_values([chance], target.states, time.perf_counter() - begun) | question | best


def _choices(game: Game, target: Target, kept: int, rolled: int) -> dict[str, Any]:
    """The chance for each face that can be set aside, best first."""
    s = game.start().state._replace(kept=kept, rolled=rolled, rolling=0)
    chances = sorted(target.choices(kept, rolled).items(), key=lambda pair: -pair[1])
    rows = [{"move": move_text(game.g, s, m), "value": float(x), "fraction": str(x)} for m, x in chances]
    return {"fraction": rows[0]["fraction"], "best": rows[0]["move"], "choices": rows}
