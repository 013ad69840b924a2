"""Fits the weights by which the searches judge positions: to who won, from openings of games of quick players.

A player's chance to win is taken to be a share of exp(weights x prospect) over all who are still in the game, which is
a conditional logit; the weights are those that make the results of the games most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hazard.agents.seating import line_up_seed
from hazard.arena.play.compiled import line_up
from hazard.contract import unpack
from hazard.dice import MOST_SEATS
from hazard.games.dice_wars.land import State, owned
from hazard.games.dice_wars.maps.grow import map_of, whole
from hazard.games.dice_wars.players.search import Prospect, prospect
from hazard.jit import rule
from hazard.rulebook import Game

EACH = 6  # openings drawn from a game, on average
STEPS = 20  # of Newton's method, far more than it needs


class Openings(NamedTuple):
    """Positions at the beginning of turns, and what came of them; seats that are out or not there are not `alive`."""

    prospects: np.ndarray  # prospects[n, seat]: a row of a Prospect
    alive: np.ndarray
    paid: np.ndarray  # paid[n, seat]: what the seat got in the end


@rule
def note_prospects(g: Any, states: Any, prospects: Any, alive: Any) -> None:
    """Write down what every player has in some positions."""
    for n in range(states.shape[0]):
        s = unpack(states[n])
        row = map_of(g, s)
        for seat in range(g.players):
            alive[n, seat] = owned(s, seat, whole(g, row)) != 0
            p = prospect(g, s, row, seat)
            for k in range(len(p)):
                prospects[n, seat, k] = p[k]


def openings(game: Game, agents: Sequence[str], games: int, seed: int = 1) -> Openings:
    """Some openings, drawn at random, of games between some agents."""
    played, log = line_up(game, agents, line_up_seed(seed, agents), shared=False).play_and_record(0, games)
    number = np.repeat(np.arange(games), played.lengths)
    turn = log[:, 1 + State._fields.index("turn")]
    first = np.flatnonzero(np.append(True, (np.diff(turn) != 0) | (np.diff(number) != 0)))
    some = np.sort(np.random.default_rng(seed).permutation(first)[: EACH * games])
    prospects, alive = np.zeros((len(some), MOST_SEATS, len(Prospect._fields))), np.zeros((len(some), MOST_SEATS), bool)
    game.compiled(note_prospects)(game.table, np.ascontiguousarray(log[some, 1:]), prospects, alive)
    paid = np.zeros((len(some), MOST_SEATS))
    paid[:, : game.seats] = played.payoffs[number[some]]
    return Openings(prospects, alive, paid)


def together(parts: Sequence[Openings]) -> Openings:
    return Openings(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def shares(data: Openings, weights: np.ndarray) -> np.ndarray:
    """Every seat's share by some weights."""
    z = np.where(data.alive, data.prospects @ weights, -np.inf)
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


def fit(data: Openings) -> np.ndarray:
    """The likeliest weights."""
    x, weights = data.prospects, np.zeros(data.prospects.shape[2])
    for _ in range(STEPS):
        p = shares(data, weights)
        mean = np.einsum("ns,nsk->nk", p, x)
        curve = np.einsum("ns,nsk,nsl->kl", p, x, x) - mean.T @ mean
        weights += np.linalg.solve(curve, np.einsum("ns,nsk->k", data.paid - p, x))
    return weights


def surprise(data: Openings, weights: np.ndarray) -> float:
    """The mean of -log of the share given to the winner; where turns ran out, to those who were left."""
    return float(-(data.paid * np.log(np.maximum(shares(data, weights), 1e-12))).sum(axis=1).mean())
