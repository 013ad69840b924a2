"""Sets a solve up, runs it with progress, and hands back a Solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hazard import dice
from hazard.contract import fanout, purse, size, span
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving import layered
from hazard.solving.solution import Solution
from hazard.solving.turns import BEST, FOLLOW, UNIFORM, Play, Work, find_layers

Progress = Callable[[int, int], None]  # told how much is done, of how much
MOST_BYTES = 12 << 30
TOLERANCE = 1e-9


def solve(game: Game, tolerance: float = TOLERANCE, progress: Progress | None = None) -> Solution:
    """The values of optimal play, proven to within the tolerance; for three and more players each does its best."""
    _check_tolerance(tolerance)
    return run(game, [BEST] * game.seats, [], tolerance, progress)


def evaluate(
    game: Game, agents: Sequence[str], tolerance: float = TOLERANCE, progress: Progress | None = None
) -> Solution:
    """The values when every seat is played by the named agent, as exact as a solution."""
    return against(game, [*agents], tolerance, progress)


def best_response(
    game: Game, agents: Sequence[str | None], tolerance: float = TOLERANCE, progress: Progress | None = None
) -> Solution:
    """The values when the one seat given as None plays its best against the named agents."""
    if list(agents).count(None) != 1:
        raise BadInput(f"a best response needs exactly one seat left open, not {list(agents).count(None)}")
    return against(game, agents, tolerance, progress)


def against(game: Game, agents: Sequence[str | None], tolerance: float, progress: Progress | None) -> Solution:
    from hazard.arena.line_up import seat_agents

    _check_tolerance(tolerance)
    if len(agents) != game.seats:
        raise BadInput(f"{len(agents)} agents for {game.seats} seats; name one for each seat")
    numbers, memory = seat_agents(game, agents)
    names = list(game.agents)
    aims = [BEST if n < 0 else UNIFORM if game.agents[names[n]].uniform else n for n in numbers]
    return run(game, aims, memory, tolerance, progress)


def _check_tolerance(tolerance: float) -> None:
    if not 1e-15 <= tolerance <= 1:
        raise BadInput(f"tolerance {tolerance}: must be from 1e-15 to 1")


def as_memory(table: np.ndarray) -> np.ndarray:
    """A policy as the agent `optimal` reads it; all memories are flat and read-only, so compiled code sees one type."""
    memory = np.ascontiguousarray(table).reshape(-1).view()
    memory.flags.writeable = False
    return memory


def empty() -> np.ndarray:
    """The memory of an agent that has none."""
    return as_memory(np.zeros(0, np.uint8))


def padded(memory: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """The memories of all seats, filled up so that compiled code is the same for any number of seats."""
    return (*memory, *[empty()] * (dice.MOST_SEATS - len(memory)))


def bytes_needed(game: Game) -> int:
    """The memory that solving takes, about."""
    return int(game.plain(size)(game.g)) * (8 * game.seats + 24)


def workspace(game: Game, low: np.ndarray, width: int = 1) -> Work:
    """Scratch arrays for `turns`, enough for derivatives by width - 1 unknowns."""
    g = game.g
    steps, seats, moves = int(game.plain(span)(g)), game.seats, int(game.plain(fanout)(g))
    return Work(
        low,
        np.zeros(0, np.int64),
        np.zeros(2, np.int64),
        np.zeros(steps, np.uint8),
        np.zeros((steps, seats, width)),
        np.zeros((seats, width)),
        np.zeros(moves, np.int64),
    )


def run(
    game: Game, aims: Sequence[int], memory: Sequence[np.ndarray], tolerance: float, progress: Progress | None
) -> Solution:
    """Solve with some seats doing their best and the others fixed."""
    if (need := bytes_needed(game)) > MOST_BYTES:
        most = f"about {need / 2**30:.0f} GiB, more than the {MOST_BYTES >> 30} GiB allowed"
        raise BadInput(f"{game.describe()}: solving needs {most}; take a smaller game")
    order, bounds, slot = _order(game)
    play = Play(np.array(aims), BEST in aims and game.seats > 2, padded(memory), dice.stream(0))
    work = workspace(game, np.zeros((len(order), game.seats)))._replace(slot=slot)
    how, seconds = _solve_layers(game, order, bounds, play, tolerance, work, progress)
    return Solution(game, work.low, _meta(game, order, bounds, play, tolerance, work, how) | {"seconds": seconds})


def _solve_layers(
    game: Game,
    order: np.ndarray,
    bounds: np.ndarray,
    play: Play,
    tolerance: float,
    work: Work,
    progress: Progress | None,
) -> tuple[np.ndarray, float]:
    """Run the compiled solver over all layers, some at a time; says how each was solved, and the seconds it took."""
    seats = game.seats
    widest = int(max((n for n in np.diff(bounds) if n * seats <= layered.UNKNOWNS), default=1))
    follow = play._replace(aims=np.where(play.aims == BEST, FOLLOW, play.aims))
    wide = workspace(game, work.low, 1 + widest * seats)._replace(slot=work.slot, mark=work.mark)
    policies = np.zeros((widest, len(work.policy)), np.uint8)
    a, b = np.zeros((widest * seats,) * 2), np.zeros((widest * seats, 2))
    held, flags = np.zeros((widest, seats), np.uint8), np.zeros(len(work.policy), np.uint8)
    how = np.zeros((len(bounds) - 1, 2), np.int64)
    kernel = game.compiled(layered.solve_layers)
    rest = (play, follow, tolerance, work, wide, policies, a, b, held, flags, how)
    kernel(game.g, order, bounds, 0, 0, *rest)  # compiles, solves nothing
    began = time.perf_counter()
    done, chunk = 0, 1
    while done < len(how):
        until = min(done + chunk, len(how))
        started = time.perf_counter()
        kernel(game.g, order, bounds, done, until, *rest)
        chunk = max(1, chunk * 2 if time.perf_counter() - started < 0.1 else chunk // 2)
        done = until
        if progress:
            progress(int(bounds[done]), len(order))
    if play.selfish and ((how[:, 0] == layered.ITERATED) & (np.diff(bounds) * seats > layered.UNKNOWNS)).any():
        beyond = f"a cycle of more than {layered.UNKNOWNS} unknowns is beyond the solver for {seats} players"
        raise BadInput(f"{game.describe()}: {beyond}")
    return how, time.perf_counter() - began


def _meta(
    game: Game, order: np.ndarray, bounds: np.ndarray, play: Play, tolerance: float, work: Work, how: np.ndarray
) -> dict[str, Any]:
    """What was solved, with which rules, and how exactly."""
    agents = list(game.agents)
    gap = game.plain(purse)(game.g) - work.low.sum(axis=1)
    regret = game.compiled(layered.greatest_gain)(game.g, play, work) if play.selfish else 0.0
    return {
        "game": game.name,
        "parameters": game.parameters,
        "rules": game.version,
        "seats": [{BEST: "best", UNIFORM: "uniform"}.get(int(a)) or agents[a] for a in play.aims],
        "states": int(game.compiled(layered.count_states)(game.g)),
        "openings": len(order),
        "error": max(float(gap.max()), 0.0),
        "regret": float(regret),
        "tolerance": tolerance,
        "layers": {name: int((how[:, 0] == n).sum()) for n, name in enumerate(layered.WAYS)},
        "backups": int(how[:, 1].sum()),
        "unsettled": _unsettled(game, order, bounds, how),
    }


def _order(game: Game) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Openings from the end of the game backwards, where each layer begins, and each opening's place."""
    found = np.zeros(int(game.plain(size)(game.g)), np.int64)
    game.compiled(find_layers)(game.g, found)
    order = np.argsort(-found, kind="stable")
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(found[order])) + 1, [len(order)]))
    slot = np.empty_like(order)
    slot[order] = np.arange(len(order))
    return order, bounds, slot


def _unsettled(game: Game, order: np.ndarray, bounds: np.ndarray, how: np.ndarray) -> list[str]:
    """Where best responses did not settle, as texts."""
    return [
        str(Position(game, game.rules.state(game.g, int(order[bounds[n]]))))
        for n in np.flatnonzero(how[:, 0] == layered.UNSETTLED)
    ]
