"""Results of a study's long work, kept in the cache as small JSON files: a run that is stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hazard.files import write_whole
from hazard.jit import cache_home
from hazard.rulebook import Game


def kept_at(kind: str, game: Game, details: Sequence[Any]) -> Path:
    """The file of a result: by what was done, the rules, the code of agents and play, the parameters and details."""
    from hazard.arena.setting import code_version

    key = [kind, game.version, code_version(game), game.parameters, details]
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
    return cache_home() / "studies" / game.name / f"{kind}-{digest}.json"


def once(kind: str, game: Game, details: Sequence[Any], work: Callable[[], Any]) -> Any:
    """The result of some work, which is done only if it is not kept or its file is damaged."""
    place = kept_at(kind, game, details)
    try:
        return json.loads(place.read_text())["result"]
    except (OSError, ValueError, KeyError, TypeError):
        place.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": kind, "game": game.describe(), "details": details, "result": work()}
    write_whole(place, json.dumps(content).encode())
    return content["result"]
