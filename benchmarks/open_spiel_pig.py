"""OpenSpiel's side, run by the rivals' interpreter: solves Pig, or plays it at random, and prints one JSON object."""

from __future__ import annotations

import json
import random
import sys
import time
from types import ModuleType
from typing import Any

import pyspiel

HORIZON = 1_000_000  # moves after which OpenSpiel calls the game a draw; out of reach


def load(goal: int) -> Any:
    return pyspiel.load_game("pig", {"players": 2, "winscore": goal, "diceoutcomes": 6, "horizon": HORIZON})


def solve(goal: int, tolerance: float) -> dict[str, Any]:
    """Its value iteration; the value is the first player's probability to win."""
    # The module imports a solver of matrix games, not used for games with turns, that needs a further package.
    sys.modules["open_spiel.python.algorithms.lp_solver"] = ModuleType("lp_solver")
    from open_spiel.python.algorithms import value_iteration

    sys.setrecursionlimit(1_000_000)
    game = load(goal)
    began = time.process_time()
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=tolerance, cyclic_game=True)
    seconds = time.process_time() - began
    return {"seconds": seconds, "value": (1 + values[str(game.new_initial_state())]) / 2, "states": len(values)}


def playouts(goal: int, games: int, seed: int) -> dict[str, Any]:
    """Its C++ evaluator of random rollouts: a search of one simulation is that many rollouts from the start."""
    game = load(goal)
    evaluator = pyspiel.RandomRolloutEvaluator(games, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, seed, False)
    start = game.new_initial_state()
    began = time.process_time()
    root = bot.mcts_search(start)
    seconds = time.process_time() - began
    return {"seconds": seconds, "games": games, "value": (1 + root.total_reward) / 2}


def decisions(goal: int, games: int, seed: int) -> dict[str, Any]:
    """The mean number of decisions in a random game."""
    game, draw, count = load(goal), random.Random(seed), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            count += not state.is_chance_node()
            state.apply_action(draw.choice(state.legal_actions()))
    return {"decisions": count / games}


if __name__ == "__main__":
    jobs = {
        "solve": (solve, int, float),
        "playouts": (playouts, int, int, int),
        "decisions": (decisions, int, int, int),
    }
    job, *kinds = jobs[sys.argv[1]]
    print(json.dumps(job(*(kind(text) for kind, text in zip(kinds, sys.argv[2:], strict=True)))))
