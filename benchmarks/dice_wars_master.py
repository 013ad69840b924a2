"""The player of Dice Wars that learnt: positions valued by its network, and games played without look-ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import hazard
from benchmarks.row import Row, Sample, plainly, race, timed
from hazard.agents.seating import seat_agents
from hazard.arena.play.compiled import LineUp, line_up
from hazard.contract import unpack
from hazard.games.dice_wars.land import Params
from hazard.games.dice_wars.players.features import MOVING
from hazard.games.dice_wars.players.master import judge
from hazard.jit import rule

REPEATS = 5
VALUED, GAMES = 200_000, 1_000  # positions and games a second to reach
LOGGED, TIMES = 20, 40  # games whose positions are valued, and how often
PLAIN = 200  # positions valued in plain Python
PLAYED = 2_000  # games


@rule
def value_all(g: Params, log: Any, memory: Any, times: int, out: Any) -> None:
    """What the network gives the movers of all positions of a log."""
    for _ in range(times):
        for n in range(out.size):
            s = unpack(log[n, 1:])
            out[n] = judge(g, s, s.mover, MOVING, memory)


def valued(who: LineUp, log: np.ndarray, memory: np.ndarray, times: int) -> Sample:
    """Positions a second, and their values."""
    game, out = who.game, np.zeros(len(log))
    seconds, _ = timed(lambda: game.compiled(value_all)(game.table, log, memory, times, out))
    return times * len(log) / seconds, out


def values(players: int, repeats: int = REPEATS) -> Iterator[Row]:
    """Of positions from games of the published players."""
    who = line_up(hazard.game("dice-wars", players=players), ["ste", "sdc"] * (players // 2), seed=1)
    _, log = who.play_and_record(0, LOGGED)
    _, (memory,) = seat_agents(who.game, ["master-fast"])
    valued(who, log[:1], memory, 1)  # compiles
    (ours, found), (rival, slow) = race(
        lambda: valued(who, log, memory, TIMES),
        lambda: plainly(lambda: valued(who, log[:PLAIN], memory, 1)),
        repeats=repeats,
        most=True,
    )
    if np.abs(found[:PLAIN] - slow).max() > 1e-4:
        raise AssertionError("plain values are not the compiled ones")
    name = f"Dice Wars, {players} players, positions valued"
    yield Row(name, f"{VALUED:,} a second", ours, VALUED, "/s", 1, {"positions": len(log)})
    yield Row(name, "plain Python", ours, rival, "/s", None, {"plain positions a second": rival})


def played(who: LineUp, games: int) -> Sample:
    """Games a second, and all results."""
    seconds, found = timed(lambda: who.play(0, games))
    return games / seconds, found


def games(rival: str, repeats: int = REPEATS) -> Row:
    """A new map for every game."""
    who = line_up(hazard.game("dice-wars"), ["master-fast", rival], seed=1, shared=False)
    who.play(0, 10)  # compiles
    ((ours, found),) = race(lambda: played(who, PLAYED), repeats=repeats, most=True)
    notes = {"decisions a game": float(found.lengths.mean())}
    return Row(f"Dice Wars, master-fast against {rival}, games", f"{GAMES:,} a second", ours, GAMES, "/s", 1, notes)


def run() -> Iterator[Row]:
    for players in (2, 6):
        yield from values(players)
    for rival in ("ste", "sdc"):
        yield games(rival)
