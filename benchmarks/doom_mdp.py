"""Dice of Doom against an optimal opponent, as a Markov decision process: what Storm is asked to solve.

Red decides; blue's moves are those of the solution, so that blue's positions have one choice. Ties are worth half a
win: they lead to a coin. Positions are those of all boards, in which red or blue begins a turn or may end it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from hazard.agents.seating import seat_agents
from hazard.games.dice_of_doom.rules import chance, land, legal, move, open_turn, over, payoff, settle, weight
from hazard.games.dice_of_doom.solver.worth import place, prospect
from hazard.games.dice_of_doom.tiles import AGAIN, OPEN, Params, State
from hazard.jit import rule
from hazard.rulebook import Game

WIN, LOSE, TIE, ENDS = 0, 1, 2, 3  # the first states; the last is how many
NOWHERE = -1


@rule
def number_of(g: Params, s: State) -> int:
    """The ends come first; four numbers for each board: who moves, and whether the turn may be ended."""
    if over(g, s):
        worth = payoff(g, s, 0)
        return WIN if worth == 1.0 else LOSE if worth == 0.0 else TIE
    return ENDS + 4 * place(g, s) + 2 * (1 if s.phase == AGAIN else 0) + s.mover


@rule
def board_of(g: Params, number: int) -> State:
    s = State(0, 0, 0, 0, OPEN, -1, 0, 0, 0, 0)
    for tile in range(g.tiles):
        kind = number % (2 * g.max_dice)
        s = settle(s, tile, kind % 2, 1 + kind // 2)
        number //= 2 * g.max_dice
    return s


@rule
def write_choice(g: Params, s: State, m: int, places: Any, odds: Any) -> None:
    """Where a move leads, as the dice may fall: at most two places."""
    t = move(g, s, m)
    places[0], odds[0] = number_of(g, t), 1.0
    places[1], odds[1] = NOWHERE, 0.0
    if chance(g, t) == 2:
        won, lost = weight(g, t, 0), weight(g, t, 1)
        first, second = number_of(g, land(g, t, 0)), number_of(g, land(g, t, 1))
        places[0] = first
        if first != second:
            odds[0] = won / (won + lost)
            places[1], odds[1] = second, lost / (won + lost)


@rule
def best_move(g: Params, s: State, moves: Any, memory: Any) -> int:
    """The first of the moves with the greatest value to the mover."""
    best, most = 0, -1.0
    for n in range(legal(g, s, moves)):
        value = prospect(g, move(g, s, moves[n]), s.mover, memory)
        if value > most:
            best, most = moves[n], value
    return best


@rule
def write_all(g: Params, memory: Any, moves: Any, sources: Any, places: Any, odds: Any) -> int:
    """Every choice of every position; returns how many there are."""
    row = 0
    for number in range((2 * g.max_dice) ** g.tiles):
        for kind in range(4):
            s = open_turn(g, board_of(g, number), kind % 2, 0)
            if over(g, s) or s.mover != kind % 2:
                continue
            s = State(s.low, s.high, s.dice, s.more, AGAIN if kind > 1 else OPEN, -1, 0, 0, 0, s.mover)
            best = best_move(g, s, moves, memory)
            for n in range(legal(g, s, moves)):
                if s.mover == 0 or moves[n] == best:
                    sources[row] = number_of(g, s)
                    write_choice(g, s, moves[n], places[row], odds[row])
                    row += 1
    return row


def export(game: Game, path: Path) -> np.ndarray:
    """Write the process as arrays: choices of each state, ways of each choice, where they lead and how likely.

    The numbers of the states, as in `number_of`, are returned.
    """
    g, (_, memory) = game.table, seat_agents(game, ["optimal"])
    most = 4 * (2 * g.max_dice) ** g.tiles * int(game.rules.fanout(g)) // 2
    sources, places, odds = np.zeros(most, np.int64), np.zeros((most, 2), np.int64), np.zeros((most, 2))
    room = np.zeros(int(game.rules.fanout(g)), np.int64)
    rows = game.compiled(write_all)(g, memory[0], room, sources, places, odds)
    _save(path, sources[:rows], places[:rows], odds[:rows])
    return np.concatenate([np.arange(ENDS), np.unique(sources[:rows])])


def _save(path: Path, sources: np.ndarray, places: np.ndarray, odds: np.ndarray) -> None:
    """With states numbered without gaps; the ends lead to themselves, a tie to a coin."""
    sources = np.concatenate([[WIN, LOSE, TIE], sources])
    places = np.concatenate([[[WIN, NOWHERE], [LOSE, NOWHERE], [WIN, LOSE]], places])
    odds = np.concatenate([[[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]], odds])
    order = np.argsort(sources, kind="stable")
    states, counts = np.unique(sources, return_counts=True)
    places, odds = places[order], odds[order]
    turned = (places[:, 1] != NOWHERE) & (places[:, 1] < places[:, 0])  # Storm wants the places of a choice to rise
    places[turned], odds[turned] = places[turned, ::-1], odds[turned, ::-1]
    ways = places != NOWHERE
    targets = np.searchsorted(states, places[ways])
    if (states[targets] != places[ways]).any():
        raise AssertionError("a choice leads to a state that is not there")
    np.savez(
        path,
        choices=np.concatenate([[0], np.cumsum(counts)]),
        ways=np.concatenate([[0], np.cumsum(ways.sum(axis=1))]),
        places=targets,
        odds=odds[ways],
    )
