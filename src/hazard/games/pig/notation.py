"""Pig in words: its parameters, and positions as text, e.g. `p1 32:41 pot 7` (scores by seat)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hazard.declaration import Parameter
from hazard.errors import BadInput
from hazard.games.pig.rules import HOLD, ROLL, Params, State
from hazard.notation import read, whole

PARAMETERS = (
    Parameter("goal", 100, "points that win", 1, 1000),
    Parameter("sides", 6, "sides of the die", 2, 100),
)
EXAMPLE = "p1 32:41 pot 7"
_PARTS = (
    r"p(?P<mover>\d{1,2})",
    r" (?P<a>-?\d{1,6})",
    r":(?P<b>-?\d{1,6})",
    r" pot (?P<pot>-?\d{1,6})",
    r"(?P<rolling> rolling)?",
)


def make(parameters: Mapping[str, Any]) -> Params:
    return Params(parameters["goal"], parameters["sides"], 2)


def text(g: Params, s: State) -> str:
    scores = (s.me, s.you) if s.mover == 0 else (s.you, s.me)
    return f"p{s.mover + 1} {scores[0]}:{scores[1]} pot {s.pot}" + (" rolling" if s.rolling else "")


def parse(g: Params, text: str) -> State:
    parts = read(text, _PARTS, EXAMPLE)
    mover, a, b, pot = (whole(parts, name) for name in ("mover", "a", "b", "pot"))
    if mover not in (1, 2):
        raise BadInput(f"{text!r}: p{mover} is not a player; players are p1 and p2")
    me, you = (a, b) if mover == 1 else (b, a)
    if min(a, b, pot) < 0:
        raise BadInput(f"{text!r}: scores and pot cannot be negative")
    if me >= g.goal or you > g.goal:
        raise BadInput(f"{text!r}: a score beyond the goal of {g.goal}: p{mover} could not be to move")
    if pot > g.goal - me:
        raise BadInput(f"{text!r}: points beyond the goal are not counted, so the pot is at most {g.goal - me}")
    rolling = 1 if parts["rolling"] else 0
    if (pot and you >= g.goal) or (rolling and (you >= g.goal or me + pot >= g.goal)):
        raise BadInput(f"{text!r}: nobody rolls once the goal of {g.goal} is reached")
    return State(me, you, pot, rolling, mover - 1)


def move_text(g: Params, s: State, m: int) -> str:
    return {ROLL: "roll", HOLD: "hold"}[m]


def outcome_text(g: Params, s: State, i: int) -> str:
    return str(i + 1)


def faces(g: Params, s: State, i: int) -> list[int | str]:
    return [i + 1]
