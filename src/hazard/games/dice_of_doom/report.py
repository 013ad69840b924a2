"""What `solve` says of Dice of Doom: its own solver's values, how surely they are known, and what it took."""

from __future__ import annotations

import resource
import time
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver import find_values, prove
from hazard.games.dice_of_doom.stored import save, without_limit
from hazard.games.dice_of_doom.table import Table, bytes_needed, table_of
from hazard.rulebook import Game
from hazard.solving.solution import stored_at

MOST_BYTES = 17 << 30
MOST_SWEEPS = 5_000
FINER = 300  # how many times smaller than the tolerance changes must be before a proof is tried


def instead(game: Game, tolerance: float, folder: Path, progress: Any) -> dict[str, Any]:
    """Solve the game, which has no limit of turns then, prove the values, and keep them."""
    if not 1e-12 <= tolerance <= 1:
        raise BadInput(f"tolerance {tolerance:g}: must be from 1e-12 to 1")
    if game.parameters["objective"] != "zero-sum":
        raise BadInput("objective=own-win: only zero-sum can be solved so far")
    if int(game.parameters["max_dice"]) > int(game.parameters["sides"]):
        raise BadInput(
            f"max_dice={game.parameters['max_dice']}: with more dice than sides an attack cannot fail, so that games "
            f"need not end and the proof does not hold; take {game.parameters['sides']} or fewer"
        )
    folder = stored_at(without_limit(game)) if folder == stored_at(game) else folder
    game = without_limit(game)
    table = _table(game)
    began = time.perf_counter()
    sweeps, seconds, proof = _solve(table, tolerance, progress)
    save(folder, game, table, proof.error, sweeps)
    starts, later = table.sums
    return {
        "objective": "zero-sum",
        "states": table.states,
        "mean": (starts + later) / table.states,
        "mean_first_attack": starts / table.values.size,
        "error": proof.error,
        "mean_error": float(proof.d * proof.weights.mean(dtype=np.float64)),
        "sweeps": sweeps,
        "proof_sweeps": proof.sweeps,
        "seconds": time.perf_counter() - began,
        "boards_per_second": sweeps * table.values.size / seconds,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "solution": str(folder),
    }


def _table(game: Game) -> Table:
    for kind in (np.float64, np.float32):
        if bytes_needed(game, kind) <= MOST_BYTES:
            return table_of(game, kind)
    need = bytes_needed(game, np.float32)
    raise BadInput(
        f"{game.describe()}: solving needs about {need / 2**30:.0f} GiB, more than the {MOST_BYTES >> 30} GiB allowed; "
        f"take fewer tiles or dice, e.g. 3x3 with 5 dice or 3x4 with 2"
    )


def _solve(table: Table, tolerance: float, progress: Any) -> tuple[int, float, Any]:
    """Sweep and prove; where the proof gives less than asked for, sweep on more finely."""

    def say(what: str, number: int, change: float) -> None:
        if progress:
            progress(number, 0)

    sweeps, seconds, finer = 0, 0.0, FINER
    for _ in range(3):
        began = time.perf_counter()
        more, change = find_values(table, tolerance / finer, MOST_SWEEPS, say)
        seconds += time.perf_counter() - began
        sweeps += more
        proof = prove(table, max(3 * change, tolerance / finer), MOST_SWEEPS, say)
        if proof is not None and proof.error <= tolerance:
            return sweeps, seconds, proof
        finer *= 10
    known = "nothing" if proof is None else f"{proof.error:.2g}"
    raise BadInput(f"--tolerance {tolerance:g}: {known} can be proven after {sweeps} sweeps; ask for no less")
