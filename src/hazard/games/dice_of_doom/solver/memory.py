"""What numbers a solve is done with, and how many bytes it takes: boards that do not fit are refused beforehand."""

from __future__ import annotations

import shutil
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.errors import BadInput
from hazard.games.dice_of_doom.solver.block_layout import counts, known_dice
from hazard.games.dice_of_doom.solver.block_order import plan
from hazard.games.dice_of_doom.tiles import DETERMINISTIC
from hazard.rulebook import Game

MOST_BYTES = 17 << 30  # that a solve may take
WIDE = 2**27  # boards whose values are kept in double precision in a solution, at most
PLANNED = 16  # tiles of boards that might fit
TURNS = np.float32  # turns left need not be known well


class Kinds(NamedTuple):
    """What numbers are kept in: the table, the blocks that are worked on, turns left."""

    values: Any
    work: Any
    turns: Any


KINDS = (
    Kinds(np.float64, np.float64, TURNS),
    Kinds(np.float32, np.float32, np.uint16),
    Kinds(np.uint16, np.float32, np.uint16),
)


def kinds_of(kind: type) -> Kinds:
    return next(kinds for kinds in KINDS if kinds.values == kind)


# --- memory --------------------------------------------------------------------------------------------------------
def beside(game: Game) -> list[list[int]]:
    g = game.table
    return [[u for u in range(g.tiles) if int(g.near[t]) >> u & 1] for t in range(g.tiles)]


class Sizes(NamedTuple):
    """How many numbers solving a board takes."""

    tiles: int
    block: int  # ways the dice can lie
    places: int  # blocks that are needed at a time
    kept: int  # values at the start of a turn
    room: int  # values later in it


def sizes_for(tiles: int, dice: int) -> Sizes:
    """Of a board of which nothing is known."""
    size, places = dice**tiles, plan(tiles).places if tiles <= PLANNED else comb(tiles, tiles // 2)
    return Sizes(tiles, size, places, size << tiles, size * places)


def sizes_of(game: Game) -> Sizes:
    """Of a game's board: fewer where new dice come in reading order."""
    tiles, dice = int(game.table.tiles), int(game.table.max_dice)
    found = sizes_for(tiles, dice)
    if game.table.reinforcement != DETERMINISTIC or tiles > PLANNED:
        return found
    known = known_dice(beside(game), dice)
    kept, room = (int(counts(dice, tiles, first).sum()) for first in (known.fresh, known.sure))
    return found._replace(kept=kept, room=room)


def kept_kind(boards: int) -> np.dtype:
    """What the values of a solution are kept in."""
    return np.dtype(np.float64 if boards <= WIDE else np.float32)


def bytes_for(sizes: Sizes, kind: type, counting: bool = True) -> int:
    """What solving takes, about: values and room for blocks, turns left and room for those, and smaller things.

    In the end all positions are shown, in blocks with nothing left out.
    """
    kinds = kinds_of(kind)
    value, worked, turn = (np.dtype(kind).itemsize for kind in kinds)
    room = sizes.room * worked
    if counting:
        room += sizes.kept * turn + sizes.room * np.dtype(TURNS).itemsize
    shown = sizes.block * sizes.places * worked
    return sizes.kept * value + max(room, shown) + 2 * sizes.block * 48 + 2**sizes.tiles * 6144 + 2**28


def check_disk(folder: Path, sizes: Sizes, kept: int, there: int) -> None:
    """Refuse a solve if the disk has no room for the solution and its checkpoint, which has `kept` bytes a value.

    A checkpoint that is there already takes `there` bytes, which will be used again.
    """
    boards = sizes.block << sizes.tiles
    needed = 2 * boards * kept_kind(boards).itemsize + 2 * sizes.kept * kept
    near = next(place for place in (folder, *folder.parents) if place.exists())
    free = shutil.disk_usage(near).free + there
    if needed > free:
        raise BadInput(
            f"{folder}: the solution and its checkpoint need {needed / 2**20:,.0f} MiB, but the disk has "
            f"{free / 2**20:,.0f} free; make room, or name another place (HAZARD_CACHE)"
        )


def finest_kind(game: Game, sizes: Sizes) -> type:
    """The most precise numbers that fit in memory. Turns left may be on disk if the rest fits."""
    g = game.table
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
