"""Results of long work kept in the cache as small JSON files, so that a run that is stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import hazard
from hazard.files import write_whole
from hazard.jit import cache_home, version
from hazard.rulebook import Game

NAME = "dice-of-doom"


def make(board: str, dice: int, **more: int | str) -> Game:
    """A game of Dice of Doom."""
    return hazard.game(NAME, board=board, max_dice=dice, **more)


def kept_at(kind: str, game: Game, details: Sequence[Any]) -> Path:
    """The file of a result: by what was done, the rules, the code of agents and solvers, the parameters and details."""
    from hazard.arena.setting import code_version

    own = version(*sorted(Path(__file__).parent.glob("dice_of_doom_*.py"))) if kind == "chances" else ""
    key = [kind, own, game.version, code_version(game), game.parameters, details]
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
    return cache_home() / "studies" / NAME / f"{kind}-{digest}.json"


def known(kind: str, game: Game, details: Sequence[Any] = ()) -> Any:
    """A kept result; None if there is none, or its file is damaged."""
    try:
        return json.loads(kept_at(kind, game, details).read_text())["result"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(kind: str, game: Game, details: Sequence[Any], result: Any) -> Any:
    place = kept_at(kind, game, details)
    place.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": kind, "game": game.describe(), "details": details, "result": result}
    write_whole(place, json.dumps(content).encode())
    return result


def once(kind: str, game: Game, details: Sequence[Any], work: Callable[[], Any]) -> Any:
    """The result of some work, which is done only if it is not kept."""
    found = known(kind, game, details)
    return keep(kind, game, details, work()) if found is None else found


def solved(game: Game, tolerance: float, stored: bool = False) -> dict[str, Any]:
    """What the game's own solver says of it; if `stored`, its table is there too."""
    from hazard.games.dice_of_doom.report import instead
    from hazard.games.dice_of_doom.stored import without_limit
    from hazard.solving.solution import stored_at

    game = without_limit(game)
    found = known("solved", game, [tolerance])
    if found is None or (stored and not Path(found["solution"]).exists()):
        found = keep("solved", game, [tolerance], instead(game, tolerance, stored_at(game), None))
    return found
