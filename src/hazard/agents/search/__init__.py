"""Agents that search, for any game: they need nothing but its rules. All of them play on at random where they stop."""

from __future__ import annotations

from hazard.agents.search.expectimax import expectimax
from hazard.agents.search.mcts import mcts
from hazard.agents.search.playouts import rollout
from hazard.agents.search.room import room_for
from hazard.declaration import Agent

__all__ = ["SEARCHING", "room_for"]
SEARCHING = {
    "rollout": Agent(rollout, "plays games on at random after each move and takes the best", slow=True, heavy=True),
    "expectimax": Agent(expectimax, "looks as many decisions ahead as 5,000 positions allow", slow=True, heavy=True),
    "mcts": Agent(mcts, "Monte Carlo tree search with chance nodes, 2,000 games a decision", slow=True, heavy=True),
}
