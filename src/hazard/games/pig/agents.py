"""Players of Pig."""

from __future__ import annotations

from typing import Any

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.pig.rules import HOLD, ROLL, Params, State
from hazard.jit import rule
from hazard.solving.optimal import OPTIMAL


@rule
def hold_at_20(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    """Holding at 20 gains the most points a turn with a six-sided die."""
    return HOLD if s.pot >= min(20, g.goal - s.me) else ROLL


@rule
def hold_at_25(g: Params, s: State, moves: Any, memory: Any, rng: Any) -> int:
    return HOLD if s.pot >= min(25, g.goal - s.me) else ROLL


AGENTS = {
    "random": RANDOM,
    "optimal": OPTIMAL,
    "hold-at-20": Agent(hold_at_20, "holds at 20 points in the pot, or when that wins"),
    "hold-at-25": Agent(hold_at_25, "holds at 25 points in the pot, or when that wins"),
}
