"""Folders of solutions made by a game's own solver: `solution.json` says what was solved, tables lie beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from hazard.errors import BadInput
from hazard.rulebook import Game, make_game
from hazard.solving.solution import SIGN

FORMAT = 1
OPENED = 8  # solutions that are kept open


class Solved(Protocol):
    """A solution that knows its game."""

    @property
    def game(self) -> Game: ...


Own = TypeVar("Own", bound=Solved)


def heading(game: Game) -> dict[str, Any]:
    """What every solution says of itself."""
    return {"format": FORMAT, "game": game.name, "parameters": game.parameters, "rules": game.version}


def load_as(folder: Path, asked: Game | None, opened: Callable[[Path, int], Own]) -> Own:
    """The solution of a folder, which must be that of the game asked for.

    `opened` is told when the folder was written, so that it can keep solutions open until they are replaced.
    """
    try:
        written = (folder / SIGN).stat().st_mtime_ns
    except OSError:
        raise BadInput(f"{folder}: no solution is stored there") from None
    found = opened(folder, written)
    if asked and found.game.parameters != asked.parameters:
        raise BadInput(f"{folder}: solves {found.game.describe()}, but asked for is {asked.describe()}")
    return found


def open_tables(folder: Path, tables: Callable[[Game, dict[str, Any]], Own]) -> Own:
    """What `tables` makes of the game and the heading; a solution made by other rules, or damaged, is refused."""
    try:
        meta = json.loads((folder / SIGN).read_text())
        game = make_game(meta["game"], meta["parameters"])
        found = tables(game, meta)
        if meta["format"] != FORMAT:
            raise ValueError(f"format {meta['format']}, but this program reads format {FORMAT}")
    except FileNotFoundError as problem:
        raise BadInput(f"{folder}: the solution is damaged (no {Path(problem.filename).name}); solve again") from None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise BadInput(f"{folder}: the solution is damaged ({problem}); solve again") from None
    if meta["rules"] != game.version:
        raise BadInput(f"{folder}: made with rules {meta['rules']}, but these are {game.version}; solve again")
    return found
