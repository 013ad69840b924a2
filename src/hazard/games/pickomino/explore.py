"""The turn of Pickomino that the lab shows beside the advice on it: where moves lead, how likely each score is."""

from __future__ import annotations

from typing import Any

import numpy as np

from hazard.declaration import Explorer
from hazard.errors import BadInput
from hazard.games.pickomino.rules import FACES, LOWEST, ROLL
from hazard.games.pickomino.solver.advice import at_stake
from hazard.games.pickomino.turn.endings import Turn, after_move, ends_of
from hazard.games.pickomino.turn.states import NEVER, state_of
from hazard.rulebook import Game, Position


def explore(game: Game, text: str) -> dict[str, Any]:
    """What can come of a turn: where moves lead, and how likely each score is to be reached."""
    position = game.parse(text) if text else game.start()
    if position.over:
        raise BadInput("centre -: the game is over; put a tile in the centre")
    answer = {
        "position": str(position),
        "parameters": game.parameters,
        "failed": str(Position(game, ends_of(game.table, position.state).failed)),
        "after": {name: str(position.move(name)) for name in position.moves},
        "reach": _reach(position),
        "rolling": position.rolling,
        "values": "chance of winning",
    }
    return answer | {"at_stake": at_stake(game.table, position.state), "moves": []} if position.rolling else answer


def _reach(position: Position) -> dict[str, Any]:
    """For each way to go on and each score, the best chances to stop with at least that score, and with just that."""
    g, s = position.game.table, position.state
    ways = {"roll": (int(state_of(g, s.kept)), True)} if position.rolling else {}
    for name, m in zip(position.moves, position.legal(), strict=True):
        if m < FACES or m == ROLL:
            ways[name] = after_move(g, s, m)
    scores = [*range(LOWEST, min(LOWEST + g.tiles, 5 * g.dice + 1))]
    turns = [[Turn(g.dice, ends) for ends in row] for row in _wanted(g.dice, scores)]
    chances = {name: [[turn.value(*where) for turn in row] for row in turns] for name, where in ways.items()}
    return {"scores": scores, "ways": chances}


def _wanted(dice: int, scores: list[int]) -> list[list[np.ndarray]]:
    """Values of endings to one who wants at least a score, and to one who wants just that score."""
    every = np.arange(5 * dice + 1)

    def ends(good: np.ndarray) -> np.ndarray:
        return np.concatenate([np.where(good, 1.0, NEVER), np.full(len(every), NEVER), [0.0]])

    return [[ends(every >= n) for n in scores], [ends(every == n) for n in scores]]


EXPLORER = Explorer(explore=explore, advice=True)
