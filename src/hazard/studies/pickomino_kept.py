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

NAME = "pickomino"
SEED = 1


def make(**parameters: int | str) -> Game:
    """A game of Pickomino; two players and all tiles unless said otherwise."""
    return hazard.game(NAME, **parameters)


def kept_at(kind: str, game: Game, details: Sequence[Any], code: str = "") -> Path:
    """The file of a result: by what was done, the rules, the code of agents and of the study, and the details.

    `code` is the file of the study that the result depends on, besides the game and the arena.
    """
    from hazard.arena.setting import code_version

    own = version(Path(code)) if code else ""
    key = [kind, own, game.version, code_version(game), game.parameters, SEED, details]
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
    return cache_home() / "studies" / NAME / f"{kind}-{digest}.json"


def once(kind: str, game: Game, details: Sequence[Any], work: Callable[[], Any], code: str = "") -> Any:
    """The result of some work, which is done only if it is not kept, or if its file is damaged."""
    place = kept_at(kind, game, details, code)
    try:
        return json.loads(place.read_text())["result"]
    except (OSError, ValueError, KeyError, TypeError):
        result = work()
    place.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": kind, "game": game.describe(), "details": details, "result": result}
    write_whole(place, json.dumps(content).encode())
    return result
