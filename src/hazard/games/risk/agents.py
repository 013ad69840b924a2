"""Players of Risk: the attacker attacks as long as it may; defenders differ in the dice they roll."""

from __future__ import annotations

from typing import Any

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.risk.koole import second_die_rule
from hazard.games.risk.rules import ANSWER, ATTACK, ATTACKER, Params, State, assault, most_guards
from hazard.jit import rule
from hazard.solving.optimal import OPTIMAL


@rule
def one_die(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    return 1 if s.phase == ANSWER else ATTACK


@rule
def most_dice(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    return most_guards(g, s) if s.phase == ANSWER else ATTACK


@rule
def koole(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Koole's rule."""
    if s.phase != ANSWER:
        return ATTACK
    second = 0
    if s.roll >= 0 and assault(g, s) > 1:
        second = g.faces[ATTACKER, assault(g, s), s.roll, 1]
    return second_die_rule(second, most_guards(g, s))


AGENTS = {
    "random": RANDOM,
    "optimal": OPTIMAL,
    "one-die": Agent(one_die, "always defends with one die"),
    "most-dice": Agent(most_dice, "always defends with as many dice as allowed"),
    "koole": Agent(koole, "defends with two dice if the attacker's second die is at most 3"),
}
