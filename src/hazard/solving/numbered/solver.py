"""Solves games that number their openings: sets a solve up, runs it with progress, and makes the solution."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, isfinite, log10
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hazard.contract import purse, size
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.numbered import layers as layered
from hazard.solving.numbered.check import check_numbering
from hazard.solving.numbered.solution import FEW, NumberedSolution, Players, decisions, values_obstacle
from hazard.solving.numbered.turns import find_layers
from hazard.solving.solution import Progress, Solver, check_tolerance, save
from hazard.solving.tables import Table

MOST_BYTES = 12 << 30
QUICK = 4_000_000  # decisions of a game that is solved in seconds
MANY = 50_000  # openings that plain Python looks at in a fraction of a second
TOLERANCE = 1e-9


class Order(NamedTuple):
    """The order in which openings are solved: from the end of the game backwards."""

    openings: np.ndarray
    bounds: np.ndarray  # where each layer begins, and where the last one ends
    slot: np.ndarray  # each opening's place in the order


def solve(game: Game, tolerance: float = TOLERANCE, progress: Progress | None = None) -> NumberedSolution:
    """The values of optimal play, proven to within the tolerance; for three and more players each does its best."""
    check_tolerance(tolerance)
    solution = run(game, ["best"] * game.seats, tolerance, progress)
    if not solution.error <= tolerance:
        raise BadInput(f"--tolerance {tolerance:g}: {_why_not(solution.error)}")
    return solution


def _why_not(error: float) -> str:
    """Why the error is above the tolerance, and which tolerance can be met (see `layers.solve_layers`)."""
    if not isfinite(error):
        return "some positions lead to others that should have been solved before: `layer` falls somewhere"
    unit = 10.0 ** (floor(log10(2 * error)) - 1)
    least = ceil(2 * error / unit) * unit
    if least > 1:
        return f"the bounds stay {error:.2g} apart: play may go on for ever"
    return f"rounding leaves an error of {error:.2g} here; take {least:.2g} or more"


def bytes_needed(game: Game) -> int:
    """The memory that solving takes, about."""
    return int(game.plain(size)(game.table)) * (8 * game.seats + 24)


def run(
    game: Game,
    seats: Sequence[str],
    tolerance: float,
    progress: Progress | None,
    memory: Sequence[np.ndarray] | None = None,
) -> NumberedSolution:
    """Solve with some seats doing their best and the others fixed; see `Players` for what says which.

    Plain sums are quick. If they lose too much to rounding, the game is solved again with compensated ones.
    """
    if why := Numbered().obstacle(game):
        raise BadInput(why)
    check_numbering(game)
    order = _order(game)
    for compensated in (False, True):
        solution = _solved(Players(game, tuple(seats), compensated, memory), order, tolerance, progress)
        if solution.error <= tolerance:
            break
    return solution


def _solved(players: Players, order: Order, tolerance: float, progress: Progress | None) -> NumberedSolution:
    game = players.game
    small = [n for n in np.diff(order.bounds) if n * game.seats <= layered.UNKNOWNS]
    low = np.full((len(order.openings), game.seats), -np.inf)  # what is sure of openings that are not solved yet
    x = layered.scratch(game, players.play, low, order.slot, int(max(small, default=1)))
    how, seconds = _solve_layers(players, order, tolerance, x, progress)
    return NumberedSolution(game, low, _meta(players, order, tolerance, x, how) | {"seconds": seconds})


def _solve_layers(
    players: Players, order: Order, tolerance: float, x: layered.Scratch, progress: Progress | None
) -> tuple[np.ndarray, float]:
    """Run the compiled solver over all layers, some at a time; says how each was solved, and the seconds it took."""
    game, how = players.game, np.zeros((len(order.bounds) - 1, 2), np.int64)
    kernel = players.code(layered.solve_layers)
    kernel(game.table, order.openings, order.bounds, 0, 0, tolerance, x, how)  # compiles, solves nothing
    began = time.perf_counter()
    done, chunk = 0, 1
    while done < len(how):
        until = min(done + chunk, len(how))
        started = time.perf_counter()
        kernel(game.table, order.openings, order.bounds, done, until, tolerance, x, how)
        chunk = max(1, chunk * 2 if time.perf_counter() - started < 0.1 else chunk // 2)
        _check_cycles(game, order, how, slice(done, until))
        done = until
        if progress:
            progress(int(order.bounds[done]), len(order.openings))
    return how, time.perf_counter() - began


def _check_cycles(game: Game, order: Order, how: np.ndarray, part: slice) -> None:
    """Three and more players need Newton's method wherever there is a cycle."""
    large = np.diff(order.bounds)[part] * game.seats > layered.UNKNOWNS
    if game.seats > 2 and ((how[part, 0] == layered.ITERATED) & large).any():
        beyond = f"a cycle of more than {layered.UNKNOWNS} unknowns is beyond the solver for {game.seats} players"
        raise BadInput(f"{game.describe()}: {beyond}")


def _meta(players: Players, order: Order, tolerance: float, x: layered.Scratch, how: np.ndarray) -> dict[str, Any]:
    """What was solved, how, and how exactly."""
    game = players.game
    gap = game.plain(purse)(game.table) - x.values.low.sum(axis=1)
    regret = players.code(layered.greatest_gain)(game.table, x.play, x.values) if x.play.selfish else 0.0
    return {
        "seats": list(players.words),
        "states": int(_by_opening(game)(layered.count_states)(game.table)),
        "openings": len(order.openings),
        "error": max(float(gap.max()), 0.0),
        "regret": float(regret),
        "tolerance": tolerance,
        "compensated": players.compensated,
        "layers": {name: int((how[:, 0] == n).sum()) for n, name in enumerate(layered.WAYS)},
        "backups": int(how[:, 1].sum()),
        "unsettled": _unsettled(game, order, how),
    }


def _by_opening(game: Game) -> Callable:
    """What binds code that looks at every opening once: plain Python will do for some ten thousand."""
    return game.soon if int(game.ask("size")) <= MANY else game.compiled


def _order(game: Game) -> Order:
    layers = np.zeros(int(game.plain(size)(game.table)), np.int64)
    if (wrong := int(_by_opening(game)(find_layers)(game.table, layers))) >= 0:
        raise BadInput(f"{game.describe()}: `index` does not give {wrong} for the opening that `state` gives for it")
    openings = np.argsort(-layers, kind="stable")
    bounds = np.concatenate(([0], np.flatnonzero(np.diff(layers[openings])) + 1, [len(openings)]))
    slot = np.empty_like(openings)
    slot[openings] = np.arange(len(openings))
    return Order(openings, bounds, slot)


def _unsettled(game: Game, order: Order, how: np.ndarray) -> list[str]:
    """Where best responses did not settle, as texts."""
    return [
        str(Position(game, game.ask("state", int(order.openings[order.bounds[n]]))))
        for n in np.flatnonzero(how[:, 0] == layered.UNSETTLED)
    ]


class Numbered(Solver):
    """The solver of games that number their openings (see `hazard.contract`).

    `more` gives the facts that a game adds to what `solve` reports; `code` lists the files that compute them.
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
        return decisions(game) <= QUICK

    def at_once(self, game: Game) -> bool:
        if decisions(game) <= FEW:
            return True
        players = Players(game, ("best",) * game.seats)
        return self.quick(game) and game.is_compiled(layered.solve_layers, players.hooks, players.agents)

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> NumberedSolution:
        solution = solve(game, tolerance, progress)
        if folder:
            save(solution, folder)
        return solution

    def evaluate(
        self, game: Game, agents: Sequence[str | None], tolerance: float, progress: Progress | None
    ) -> NumberedSolution:
        words = ["best" if name is None else "uniform" if game.agents[name].uniform else name for name in agents]
        return run(game, words, tolerance, progress)

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> NumberedSolution:
        low, policy = tables["low"].whole, tables["policy"].whole if "policy" in tables else None
        if low.ndim != 2 or low.dtype != np.float64 or low.shape != (meta["openings"], len(meta["seats"])):
            raise ValueError("its table is not the one described")
        shape = meta["openings"], int(game.ask("span"))
        if policy is not None and (policy.dtype != np.uint8 or policy.shape != shape):
            raise ValueError("its policy is not the one described")
        return NumberedSolution(game, low, meta, policy)

    def facts(self, solution: NumberedSolution) -> dict[str, Any]:
        shown = {key: solution.meta[key] for key in ("layers", "regret", "unsettled")}
        return shown | (self.more(solution) if self.more else {})
