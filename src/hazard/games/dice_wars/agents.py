"""Players of Dice Wars: the three published ones, and players above them."""

from __future__ import annotations

from hazard.agents import RANDOM
from hazard.declaration import Agent
from hazard.games.dice_wars.players import corrected, expectimax, mcts
from hazard.games.dice_wars.players.lookahead import master
from hazard.games.dice_wars.players.master import master_fast, weights_of
from hazard.games.dice_wars.players.turecek import naive, sdc, ste

AGENTS = {
    "random": RANDOM,
    "naive": Agent(naive, "attacks from a random territory to a random enemy, as long as it can"),
    "sdc": Agent(sdc, "the attack with the greatest difference of dice, none below zero"),
    "ste": Agent(ste, "the attack that is likeliest to take a territory and hold it"),
    "expectimax": Agent(
        expectimax.expectimax,
        "looks two attacks ahead, then samples turns to come",
        slow=True,
        heavy=True,
        reads=expectimax.memory_of,
    ),
    "chance-mcts": Agent(
        mcts.chance_mcts,
        "tree search over its turn, attacks being won or lost",
        slow=True,
        heavy=True,
        reads=mcts.memory_of,
    ),
    "master-fast": Agent(master_fast, "what promises most by a network, both outcomes of attacks", reads=weights_of),
    "master": Agent(
        master, "tries what the network thinks best, a round ahead", slow=True, heavy=True, reads=weights_of
    ),
    "ste-corrected": Agent(
        corrected.ste_corrected, "as ste, by an estimate that is right on average", reads=corrected.memory_of
    ),
}
