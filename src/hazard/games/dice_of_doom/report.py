"""What `solve` says of Dice of Doom: its own solver's values, how surely they are known, and what it took."""

from __future__ import annotations

import resource
import shutil
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.checkpoint import Checkpoint
from hazard.games.dice_of_doom.run import Run
from hazard.games.dice_of_doom.stored import kind_of, save, without_limit
from hazard.games.dice_of_doom.table import KINDS, MOST_BYTES, Sizes, bytes_for, sizes_for, sizes_of, table_of
from hazard.games.dice_of_doom.tiles import CAPTURED
from hazard.rulebook import Game
from hazard.solving.solution import stored_at


def instead(game: Game, tolerance: float, folder: Path, progress: Any) -> dict[str, Any]:
    """Solve the game, which has no limit of turns then, prove the values, and keep them."""
    if not 1e-12 <= tolerance <= 1:
        raise BadInput(f"tolerance {tolerance:g}: must be from 1e-12 to 1")
    if int(game.parameters["max_dice"]) > int(game.parameters["sides"]):
        raise BadInput(
            f"max_dice={game.parameters['max_dice']}: with more dice than sides an attack cannot fail, so that games "
            f"need not end and the proof does not hold; take {game.parameters['sides']} or fewer"
        )
    folder = stored_at(without_limit(game)) if folder == stored_at(game) else folder
    game = without_limit(game)
    if other := _variant(game):
        return other.solve(game, tolerance, folder, progress)
    sizes = sizes_of(game)
    kind = _kind(game, sizes)
    checkpoint = Checkpoint.beside(folder, game)
    _check_disk(folder, sizes, np.dtype(kind).itemsize, checkpoint.size)
    table = table_of(game, kind)
    run = Run(table, tolerance, checkpoint, progress)
    proof = run.solve()
    starts, later = save(folder, game, table, proof.error, run.sweeps)
    run.checkpoint.remove()
    return {
        "objective": "zero-sum",
        "states": 2 * table.boards,
        "mean": (starts + later) / (2 * table.boards),
        "mean_first_attack": starts / table.boards,
        "error": proof.error,
        "mean_error": proof.mean_error,
        "sweeps": run.sweeps,
        "proof_sweeps": proof.sweeps,
        "seconds": run.spent,
        "boards_per_second": run.sweeps * table.worked / run.sweeping,
        "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "solution": str(folder),
    }


def _check_disk(folder: Path, sizes: Sizes, kept: int, there: int) -> None:
    """Refuse a solve whose result would find no room: the solution, and its checkpoint, of numbers of so many bytes.

    The bytes of a checkpoint that is there already are not needed any more.
    """
    boards = sizes.block << sizes.tiles
    needed = 2 * boards * kind_of(boards).itemsize + 2 * sizes.kept * kept
    near = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(near).free + there
    if needed > free:
        raise BadInput(
            f"{folder}: the solution and its checkpoint need {needed / 2**20:,.0f} MiB, but the disk has "
            f"{free / 2**20:,.0f} free; make room, or name another place (HAZARD_CACHE)"
        )


def _variant(game: Game) -> Any:
    """The solver of another objective, or of turns that remember what was captured; None for the usual one."""
    if game.g.own_win:
        return import_module("hazard.games.dice_of_doom.profile")
    if game.g.reinforcement == CAPTURED:
        return import_module("hazard.games.dice_of_doom.captured")
    return None


def _kind(game: Game, sizes: Sizes) -> type:
    """The finest numbers that fit; turns left may be on disk if the rest fits."""
    g = game.g
    for kinds in KINDS:
        if bytes_for(sizes, kinds.values) <= MOST_BYTES:
            return kinds.values
    need = bytes_for(sizes, np.uint16, counting=False)
    if need <= MOST_BYTES:
        return np.uint16
    raise BadInput(
        f"{game.describe()}: solving needs about {need / 2**30:,.0f} GiB, more than the {MOST_BYTES >> 30} allowed; "
        f"with {g.max_dice} dice boards of up to {_most_tiles(g.max_dice)} tiles fit"
    )


def _most_tiles(dice: int) -> int:
    """The size of the largest board that fits."""
    return next(n for n in range(2, 33) if bytes_for(sizes_for(n + 1, dice), np.uint16, counting=False) > MOST_BYTES)
