"""The solver of Dice of Doom, as the rest of the program knows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver import captured_dice, own_win
from hazard.games.dice_of_doom.solver.checkpoint import Checkpoint
from hazard.games.dice_of_doom.solver.memory import check_disk, finest_kind, sizes_of
from hazard.games.dice_of_doom.solver.solution import Doom, boards_of, effort, opened, save, without_limit
from hazard.games.dice_of_doom.solver.value_table import table_of
from hazard.games.dice_of_doom.solver.worth import prospect, worth
from hazard.games.dice_of_doom.solver.zero_sum import ZeroSumRun
from hazard.games.dice_of_doom.tiles import CAPTURED
from hazard.rulebook import Game
from hazard.solving.solution import Progress, Solution, Solver, check_tolerance, load, stored_at
from hazard.solving.tables import Table


class BlockSolver(Solver):
    """Solves boards for two players block by block; see `bounds`. It knows no limit of turns."""

    code = ("games/dice_of_doom/solver", "games/dice_of_doom/tiles.py", "bits.py")
    tolerance = 1e-6
    rules = MappingProxyType({"worth": worth, "prospect": prospect})

    remarks = MappingProxyType(
        {
            "limit of turns": "none (turns=0): the solved values know no limit",
            "boards": "dealt; optimal play is the mean value of those dealt",
        }
    )

    def subject(self, game: Game) -> Game:
        return without_limit(game)

    def obstacle(self, game: Game) -> str:
        p = game.parameters
        if game.seats != 2:
            return f"players={game.seats}: solving is for two players"
        if int(p["max_dice"]) > int(p["sides"]):
            return (
                f"max_dice={p['max_dice']}: with more dice than sides an attack cannot fail, so that games need not "
                f"end and the proof does not hold; take {p['sides']} or fewer"
            )
        return ""

    def values_obstacle(self, game: Game) -> str:
        if game.g.own_win:
            return "objective=own-win: grades and luck are for zero-sum, where what one player loses the other gains"
        return ""

    def quick(self, game: Game) -> bool:
        return boards_of(game) <= QUICK

    def on_demand(self, game: Game) -> bool:
        return boards_of(game) <= ON_DEMAND

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> Solution:
        check_tolerance(tolerance, 1e-12)
        if why := self.obstacle(game):
            raise BadInput(why)
        if folder is None:
            raise BadInput(f"{stored_at(game)}: cannot write there; name another place (HAZARD_CACHE)")
        if game.g.own_win:
            own_win.solve(game, tolerance, folder, progress)
        elif game.g.reinforcement == CAPTURED:
            captured_dice.solve(game, tolerance, folder, progress)
        else:
            solve_board(game, tolerance, folder, progress)
        return load(folder, game)

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Doom:
        return opened(game, meta, tables)

    def facts(self, solution: Solution) -> dict[str, Any]:
        return {name: solution.meta[name] for name in FACTS if name in solution.meta}


QUICK = 2_000_000  # boards that are solved in seconds
ON_DEMAND = 50_000_000  # and in a minute or so
FACTS = (
    *("objective", "mean", "mean_first_attack", "mean_error", "gain", "margin", "rounds", "unsettled", "turns_left"),
    *("sweeps", "proof_sweeps", "boards_per_second", "peak_bytes"),
)


def solve_board(game: Game, tolerance: float, folder: Path, progress: Progress | None) -> None:
    """Solve a board for opposite aims, prove the values, and keep them."""
    sizes = sizes_of(game)
    kind = finest_kind(game, sizes)
    checkpoint = Checkpoint.beside(folder, game)
    check_disk(folder, sizes, np.dtype(kind).itemsize, checkpoint.size)
    table = table_of(game, kind)
    run = ZeroSumRun(table, tolerance, checkpoint, progress)
    proof = run.solve()
    meta = {
        "objective": "zero-sum",
        "states": 2 * table.boards,
        "error": proof.error,
        "mean_error": proof.mean_error,
        **effort(run.sweeps, proof.sweeps, run.spent, run.sweeps * table.worked / run.sweeping),
    }
    save(folder, game, table, meta)
    run.checkpoint.remove()
