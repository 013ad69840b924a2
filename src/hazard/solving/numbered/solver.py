"""Sets a solve up, runs it with progress, and hands back a Solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hazard import dice
from hazard.agents.seating import padded, seat_agents
from hazard.contract import purse, size, span
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.numbered import layers as layered
from hazard.solving.numbered.solution import NumberedSolution, values_obstacle
from hazard.solving.numbered.turns import BEST, FOLLOW, UNIFORM, Play, Work, find_layers, workspace
from hazard.solving.solution import Progress, Solver, check_tolerance, save

MOST_BYTES = 12 << 30
QUICK = 4_000_000  # decisions of a game that is solved in seconds
TOLERANCE = 1e-9


def solve(game: Game, tolerance: float = TOLERANCE, progress: Progress | None = None) -> NumberedSolution:
    """The values of optimal play, proven to within the tolerance; for three and more players each does its best."""
    check_tolerance(tolerance)
    return run(game, [BEST] * game.seats, [], tolerance, progress)


def bytes_needed(game: Game) -> int:
    """The memory that solving takes, about."""
    return int(game.plain(size)(game.table)) * (8 * game.seats + 24)


def run(
    game: Game, aims: Sequence[int], memory: Sequence[np.ndarray], tolerance: float, progress: Progress | None
) -> NumberedSolution:
    """Solve with some seats doing their best and the others fixed."""
    if why := Numbered().obstacle(game):
        raise BadInput(why)
    order, bounds, slot = _order(game)
    play = Play(np.array(aims), BEST in aims and game.seats > 2, padded(memory), dice.stream(0))
    work = workspace(game, np.zeros((len(order), game.seats)))._replace(slot=slot)
    how, seconds = _solve_layers(game, order, bounds, play, tolerance, work, progress)
    return NumberedSolution(
        game, work.low, _meta(game, order, bounds, play, tolerance, work, how) | {"seconds": seconds}
    )


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
    kernel(game.table, order, bounds, 0, 0, *rest)  # compiles, solves nothing
    began = time.perf_counter()
    done, chunk = 0, 1
    while done < len(how):
        until = min(done + chunk, len(how))
        started = time.perf_counter()
        kernel(game.table, order, bounds, done, until, *rest)
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
    gap = game.plain(purse)(game.table) - work.low.sum(axis=1)
    regret = game.compiled(layered.greatest_gain)(game.table, play, work) if play.selfish else 0.0
    return {
        "seats": [{BEST: "best", UNIFORM: "uniform"}.get(int(a)) or agents[a] for a in play.aims],
        "states": int(game.compiled(layered.count_states)(game.table)),
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
    found = np.zeros(int(game.plain(size)(game.table)), np.int64)
    game.compiled(find_layers)(game.table, found)
    order = np.argsort(-found, kind="stable")
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(found[order])) + 1, [len(order)]))
    slot = np.empty_like(order)
    slot[order] = np.arange(len(order))
    return order, bounds, slot


def _unsettled(game: Game, order: np.ndarray, bounds: np.ndarray, how: np.ndarray) -> list[str]:
    """Where best responses did not settle, as texts."""
    return [
        str(Position(game, game.ask("state", int(order[bounds[n]]))))
        for n in np.flatnonzero(how[:, 0] == layered.UNSETTLED)
    ]


class Numbered(Solver):
    """The solver of games that number their openings (see `hazard.contract`).

    `more` is what a game adds to what `solve` says; `code` are the files that it takes for that.
    """

    evaluates = True

    def __init__(
        self, more: Callable[[NumberedSolution], dict[str, Any]] | None = None, code: tuple[str, ...] = ()
    ) -> None:
        self.more, self.code = more, code

    def obstacle(self, game: Game) -> str:
        if (need := bytes_needed(game)) <= MOST_BYTES:
            return ""
        most = f"about {need / 2**30:.0f} GiB, more than the {MOST_BYTES >> 30} GiB allowed"
        return f"{game.describe()}: solving needs {most}; take a smaller game"

    def values_obstacle(self, game: Game) -> str:
        return values_obstacle(game)

    def quick(self, game: Game) -> bool:
        return int(game.plain(size)(game.table)) * int(game.plain(span)(game.table)) <= QUICK

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> NumberedSolution:
        found = solve(game, tolerance, progress)
        if found.error > tolerance:
            raise BadInput(f"--tolerance {tolerance:g}: rounding leaves {found.error:.2g} here; ask for no less")
        if folder:
            save(found, folder)
        return found

    def evaluate(
        self, game: Game, agents: Sequence[str | None], tolerance: float, progress: Progress | None
    ) -> NumberedSolution:
        numbers, memory = seat_agents(game, agents)
        names = list(game.agents)
        aims = [BEST if n < 0 else UNIFORM if game.agents[names[n]].uniform else n for n in numbers]
        return run(game, aims, memory, tolerance, progress)

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, np.ndarray]) -> NumberedSolution:
        low = tables["low"]
        if low.ndim != 2 or low.dtype != np.float64 or low.shape != (meta["openings"], len(meta["seats"])):
            raise ValueError("its table is not the one described")
        return NumberedSolution(game, low, meta)

    def facts(self, solution: NumberedSolution) -> dict[str, Any]:
        shown = {key: solution.meta[key] for key in ("layers", "regret", "unsettled")}
        return shown | (self.more(solution) if self.more else {})
