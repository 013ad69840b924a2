"""The threshold of risk, swept: programs with settings given at run time play each other at compiled speed.

Formula (3) takes few values where a player may stop, so that the threshold has only a few steps that differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from hazard import jit
from hazard.agents.seating import as_memory, padded
from hazard.arena.play.compiled import Room, play_game
from hazard.contract import fanout, payoff
from hazard.dice import AGENTS, open_stream
from hazard.games.pickomino.players.programs import Program, play
from hazard.games.pickomino.rules import FACES
from hazard.games.pickomino.turn.tables import is_valid, states_of
from hazard.jit import rule
from hazard.rulebook import Game
from hazard.studies.cache import once
from hazard.studies.matches import SEED
from hazard.studies.pickomino.turn import DICE


@rule
def decide_by(number: int, g: Any, s: Any, moves: Any, memory: Any, rng: Any) -> int:
    """What the program does whose settings are in its memory."""
    return play(g, s, moves, rng, memory.view(np.int64))


@rule
def play_settings(g: Any, memory: Any, seed: Any, games: int, room: Any, paid: Any) -> None:
    """Two programs, seats alternating; the first one's payoffs are added up, and their squares."""
    for n in range(games):
        open_stream(room.rng[0], seed, n, 0)
        room.sitting[n % 2], room.sitting[1 - n % 2] = 0, 1
        s, _ = play_game(g, room.sitting, memory, room, paid)
        value = payoff(g, s, n % 2)
        paid[0] += value
        paid[1] += value * value


def _room(game: Game) -> Room:
    """What a game is played with; one stream serves for everything, which is quick to open."""
    stream = np.lib.stride_tricks.as_strided(np.zeros(4, np.uint64), (AGENTS + 2, 4), (0, 8))
    moves = np.zeros(int(game.plain(fanout)(game.table)), np.int64)
    return Room(np.zeros(2, bool), np.zeros(2, np.int64), stream, moves, np.zeros(2))


def duel(game: Game, one: Program, other: Program, games: int) -> tuple[float, float]:
    """The mean payoff of the first program against the second, and its standard error."""

    def work() -> list[float]:
        names = {**game.names(game.agents), "decide": decide_by}
        run = jit.bind(play_settings, "pickomino-settings", names, jit.enabled())
        memory, paid = padded([as_memory(np.array(program)) for program in (one, other)]), np.zeros(2)
        run(game.table, memory, np.uint64(SEED), games, _room(game), paid)
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
