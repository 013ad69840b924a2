"""Pickomino played: matches a second of three agents, and the same code in plain Python or without kept rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import hazard
from benchmarks.row import Row, Sample, plainly, race, timed
from hazard.arena.play.compiled import LineUp, line_up
from hazard.dice import stream
from hazard.games.pickomino.players.turn_player import turn
from hazard.games.pickomino.rules import Params, State
from hazard.jit import rule

REPEATS = 3
AGENTS = (  # name, matches a second to reach, matches compiled and plain
    ("s3", 50_000, 50_000, 5),
    ("mc-exact", 20_000, 50_000, 5),
    ("turn", 2_000, 4_000, 1),
)
LOGGED = 20  # matches of `turn` whose decisions are made again


def seated(agent: str) -> LineUp:
    return line_up(hazard.game("pickomino"), [agent, agent], seed=1)


def played(who: LineUp, matches: int) -> Sample:
    """Matches a second, and all results."""
    seconds, games = timed(lambda: who.play(0, matches))
    return matches / seconds, games


def rates(agent: str, goal: float, matches: int, plain: int, repeats: int = REPEATS) -> Iterator[Row]:
    who = seated(agent)
    who.play(0, 2)  # compiles
    ((ours, games),) = race(lambda: played(who, matches), repeats=repeats, most=True)
    rival, slow = plainly(lambda: played(seated(agent), plain))
    if (games.payoffs[:plain] != slow.payoffs).any() or (games.lengths[:plain] != slow.lengths).any():
        raise AssertionError(f"{agent}: the plain matches are not the compiled ones")
    notes = {"decisions a match": float(games.lengths.mean())}
    yield Row(f"{agent} against itself, matches", f"{goal:,} a second", ours, goal, "/s", 1, notes)
    yield Row("the same", "plain Python", ours, rival, "/s", None, {"plain matches": plain})


# --- without kept rows -----------------------------------------------------------------------------------------------
@rule
def decide_again(g: Params, afresh: bool, log: Any, moves: Any, memory: Any, rng: Any, out: Any) -> None:
    """What `turn` does in positions of a log; it may forget all its rows before every decision."""
    for n in range(out.size):
        a = log[n]
        for row in range(g.scratch.turns.keys.shape[0] if afresh else 0):
            g.scratch.turns.keys[row, 1] = -1
        out[n] = turn(g, State(a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]), moves, memory, rng)


def decided(game: hazard.Game, log: np.ndarray, afresh: bool) -> Sample:
    """Decisions a second, and the moves."""
    out = np.zeros(len(log), np.int64)
    game.table.scratch.turns.keys[:] = -1
    room = np.zeros(game.rules.fanout(game.table), np.int64), np.zeros(1, np.uint8), stream(1)
    seconds, _ = timed(lambda: game.compiled(decide_again)(game.table, afresh, log, *room, out))
    return len(log) / seconds, out


def kept_rows(matches: int = LOGGED, repeats: int = REPEATS) -> Row:
    who = seated("turn")
    _, log = who.play_and_record(0, matches)
    decided(who.game, log[:1], True)  # compiles
    (ours, mine), (rival, others) = race(
        lambda: decided(who.game, log, False), lambda: decided(who.game, log, True), repeats=repeats, most=True
    )
    if (mine != log[:, 0]).any() or (others != log[:, 0]).any():
        raise AssertionError("turn decides otherwise without kept rows")
    return Row("turn, decisions", "rows worked out anew for each", ours, rival, "/s", None, {"decisions": len(log)})


def run() -> Iterator[Row]:
    for agent, goal, matches, plain in AGENTS:
        yield from rates(agent, goal, matches, plain)
    yield kept_rows()
