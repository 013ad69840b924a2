"""Players of Dice of Doom: those of the thesis, and searches that go beyond it."""

from __future__ import annotations

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.dice_of_doom.players.expectimax import expectimax
from hazard.games.dice_of_doom.players.greedy import expansion, greedy, return_zero
from hazard.games.dice_of_doom.players.optimal import optimal
from hazard.games.dice_of_doom.players.search import chance_mcts, mcts, monte_carlo
from hazard.solving.optimal import optimal_agent

AGENTS = {
    "random": RANDOM,
    "optimal": optimal_agent(optimal),
    "greedy": Agent(greedy, "the attack with the most own dice expected, reinforcements included"),
    "return-zero": Agent(return_zero, "the first attack in reading order, as long as there is one"),
    "monte-carlo": Agent(monte_carlo, "the move that wins most of 100 random playouts of each", slow=True),
    "mcts": Agent(mcts, "tree search as in the thesis, which takes every attack in the tree for won", slow=True),
    "chance-mcts": Agent(chance_mcts, "tree search with chance nodes: every attack may be won or lost", slow=True),
    "expectimax": Agent(expectimax, "looks three attacks ahead and compares all players' dice", slow=True),
    "expansion": Agent(expansion, "the attack that enlarges the largest territory the most"),
}
