"""Why to set that face aside, to roll on or to stop: how the turn is likely to end, and what a failure costs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hazard.declaration import MoreAdvice
from hazard.games.pickomino.rules import CENTRE, LOWEST, STEAL, worms
from hazard.games.pickomino.solver.advice import FAIL, LEAST, advise, remark
from hazard.reasons import Case, counted, joined, percent, sentence
from hazard.rulebook import Position

TOLD = 2  # the likeliest tiles


@lru_cache(maxsize=64)
def _advice(position: Position) -> MoreAdvice:
    """What all moves of a position lead to is worked out together."""
    return advise(position)


def why(case: Case) -> str:
    found = _advice(case.position)
    endings: dict[str, float] = found.moves[case.move]["endings"]
    tiles = sorted((tile for tile in endings if tile != FAIL), key=lambda tile: -endings[tile])
    if case.number in (CENTRE, STEAL):
        return _taken(case, int(tiles[0]))
    return f"{_likely(endings, tiles)} {_stake(found.facts)}"


def _taken(case: Case, tile: int) -> str:
    worth = counted(int(worms(tile - LOWEST)), "worm")
    if case.number == CENTRE:
        return f"You take {tile} for sure, worth {worth}, and the turn ends."
    return f"You take {tile} from another player for sure: {worth} for you, and as many less there."


def _likely(endings: dict[str, float], tiles: list[str]) -> str:
    fail = endings[FAIL]
    named = [f"{tile} ({percent(endings[tile])})" for tile in tiles[:TOLD] if endings[tile] >= LEAST]
    if fail == 1 or not named:
        return "After this the turn fails for sure."
    most = f"the likeliest {'tile is' if len(named) == 1 else 'tiles are'} {joined(named)}"
    return f"After this the turn fails {percent(fail)} of the time; {most}."


def _stake(facts: dict[str, Any]) -> str:
    return sentence(remark(facts)) + "."
