"""The threshold of risk, swept: programs with settings given at run time play each other at compiled speed.

Formula (3) takes few values where a player may stop, so that the threshold has only a few steps that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hazard.contract import chance, fanout, land, legal, move, over, payoff, roll, start
from hazard.dice import open_stream
from hazard.games.pickomino.players.programs import Program, by_trees, stop
from hazard.games.pickomino.rules import FACES
from hazard.games.pickomino.turn.states import states_of
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.pickomino.game import SEED
from hazard.studies.pickomino.turn import DICE, is_valid


@rule
def decide_by(g: Any, s: Any, moves: Any, p: Any, rng: Any) -> int:
    """What the program of these settings does."""
    count = legal(g, s, moves)
    if s.rolled == 0:
        return stop(g, s, moves, count, p)
    return by_trees(g, s, moves, count, p, rng)


@rule
def play_settings(g: Any, settings: Any, seed: Any, games: int, rng: Any, moves: Any, paid: Any) -> None:
    """Two programs, seats alternating; the first one's payoffs are added up, and their squares."""
    for n in range(games):
        open_stream(rng, seed, n, 0)
        s = start(g)
        while not over(g, s):
            while chance(g, s) > 0:
                s = land(g, s, roll(g, s, rng))
            if not over(g, s):
                s = move(g, s, decide_by(g, s, moves, settings[(s.mover + n) % 2], rng))
        value = payoff(g, s, n % 2)
        paid[0] += value
        paid[1] += value * value


def duel(game: Game, one: Program, other: Program, games: int) -> tuple[float, float]:
    """The mean payoff of the first program against the second, and its standard error."""

    def work() -> list[float]:
        paid, room = np.zeros(2), np.zeros(int(game.plain(fanout)(game.table)), np.int64)
        rng, settings = np.zeros(4, np.uint64), np.array([one, other])
        game.compiled(play_settings)(game.table, settings, np.uint64(SEED), games, rng, room, paid)
        return paid.tolist()

    total, squares = once("duel", game, [SEED, list(one), list(other), games], work, [__file__])
    mean = total / games
    return mean, float(np.sqrt(max(squares / games - mean**2, 0.0) / (games - 1)))


def risks() -> list[Fraction]:
    """Every value of formula (3) where a player could stop and has dice left."""
    states = [key for key in states_of(DICE) if is_valid(key) and key[0]]
    return sorted({Fraction(faces.bit_count(), FACES) ** left for left, faces, _ in states})


def per_mille(risk: Fraction) -> int:
    """The least threshold of the programs, in whole per mille, that takes this risk."""
    return -int(-1000 * risk // 1)


def steps() -> list[tuple[str, int]]:
    """Every threshold that makes a different program: from which percentage on, and a setting for it."""
    return [("stops", -1), *((f"{100 * float(risk):.2f} %", per_mille(risk)) for risk in risks())]


def sweep(
    game: Game, other: Program, games: int, settings: Sequence[int], at_end: bool = False
) -> list[tuple[float, float]]:
    """Programs with these thresholds, or those near the end only, against another."""
    exact = Program(trees=0, risk=100)
    own = [exact._replace(end_risk=x) if at_end else exact._replace(risk=x) for x in settings]
    return [duel(game, program, other, games) for program in own]
