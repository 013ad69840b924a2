"""Players of Pickomino: the twenty published programs, the same with exact tables, and players beyond them."""

from __future__ import annotations

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.pickomino.players.master import master, weights_of
from hazard.games.pickomino.players.optimal import optimal
from hazard.games.pickomino.players.programs import COLUMN, LOST, PROGRAMS, S1, S2, S3, SPARED, Program, player
from hazard.games.pickomino.players.turn_player import turn
from hazard.solving.optimal import optimal_agent

_FACES = {
    S1: "worms first, then fives, then any face",
    S2: "worms first unless there are more fives, then the highest face",
    S3: "the face with the greatest expected return",
}
_MEASURES = {
    COLUMN: ", for the tile met most only",
    SPARED: ", less dead ends",
    LOST: ", counting dead ends only",
}


def summary(p: Program) -> str:
    """A program in words."""
    faces = _FACES.get(p.faces) or f"{p.trees or 'exactly expected'} trees for each face{_MEASURES.get(p.measure, '')}"
    if p.dice:
        return f"{faces}; rolls on with {p.dice} dice or more"
    rolling = f"; rolls on at a risk of up to {p.risk / 10:g} %" if p.risk >= 0 else "; stops when it can"
    ending = f", near the end {p.end_risk / 10:g} %" if p.end_risk not in (-1, p.risk) else ""
    return faces + rolling + ending + ("; from the centre first" if p.centre else "")


AGENTS = {
    "random": RANDOM,
    "optimal": optimal_agent(optimal),
    **{name: Agent(player(name), summary(p), slow=p.faces > S3 and p.trees > 0) for name, p in PROGRAMS.items()},
    "turn": Agent(turn, "plays each turn exactly for the worms it brings"),
    "master": Agent(master, "plays each turn exactly for the chance to win, by a network", slow=True, reads=weights_of),
}
