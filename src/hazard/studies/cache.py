"""Results of a study's long work, cached as small JSON files: a run that was stopped can go on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hazard.files import write_whole
from hazard.fingerprint import code_digest
from hazard.jit import cache_home
from hazard.rulebook import Game


def kept_at(
    kind: str, game: Game, details: Sequence[Any], code: Sequence[str | Path] = (), solves: bool = True
) -> Path:
    """The file of a result, named after all that the result depends on: what was done, rules, parameters, details, and
    the code of agents and play.

    `code` are files of the study that matter too. The game's solver matters only if the work `solves`.
    """
    from hazard.arena.tournament.setting import code_version, play_version

    own = code_digest(*map(Path, code)) if code else ""
    playing = code_version(game) if solves else play_version(game)
    key = [kind, own, game.version, playing, game.parameters, details]
    digest = hashlib.sha256(json.dumps(key).encode()).hexdigest()[:20]
    return cache_home() / "studies" / game.name / f"{kind}-{digest}.json"


def known(
    kind: str, game: Game, details: Sequence[Any] = (), code: Sequence[str | Path] = (), solves: bool = True
) -> Any:
    """A cached result; None if there is none, or its file is damaged."""
    try:
        return json.loads(kept_at(kind, game, details, code, solves).read_text())["result"]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(
    kind: str, game: Game, details: Sequence[Any], result: Any, code: Sequence[str | Path] = (), solves: bool = True
) -> Any:
    """Cache a result, which is returned."""
    place = kept_at(kind, game, details, code, solves)
    place.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": kind, "game": game.describe(), "details": details, "result": result}
    write_whole(place, json.dumps(content).encode())
    return result


def once(
    kind: str,
    game: Game,
    details: Sequence[Any],
    work: Callable[[], Any],
    code: Sequence[str | Path] = (),
    solves: bool = True,
) -> Any:
    """The result of some work, which is done only if there is no cached result."""
    result = known(kind, game, details, code, solves)
    return keep(kind, game, details, work(), code, solves) if result is None else result
