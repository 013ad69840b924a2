"""Solves games from their rules alone: sets the search up, keeps the result, and refuses what is out of reach."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.solving.certify import not_proven
from hazard.solving.enumerated.certificate import write_certificate
from hazard.solving.enumerated.check import check_canonical, check_plainly
from hazard.solving.enumerated.components import ULP
from hazard.solving.enumerated.lookup import prospect, worth
from hazard.solving.enumerated.run import Found, Run
from hazard.solving.enumerated.solution import EnumeratedSolution
from hazard.solving.solution import Progress, Solver, check_tolerance, save
from hazard.solving.tables import Table


class Enumerated(Solver):
    """The solver of games that have rules and nothing else (see `hazard.contract`)."""

    rules = MappingProxyType({"worth": worth, "prospect": prospect})

    def obstacle(self, game: Game) -> str:
        if game.seats <= 2:
            return ""
        return f"{game.describe()}: games of {game.seats} players are solved only where they number their positions"

    def values_obstacle(self, game: Game) -> str:
        if "deal" not in game.contract:
            return ""
        return f"{game.name}: solved from its start only, but play begins with boards that are dealt"

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> EnumeratedSolution:
        check_tolerance(tolerance)
        if why := self.obstacle(game):
            raise BadInput(why)
        run = Run(game, tolerance, folder)
        found = run.run(progress)
        solution = EnumeratedSolution(game, found.key, found.slots, found.value, _meta(found, tolerance))
        if solution.error > tolerance * max(1.0, found.scale):
            raise not_proven(tolerance, solution.error, 1)
        solution.meta["symmetry"] = check_canonical(solution) or "none declared"
        check_plainly(solution)
        if folder:
            save(solution, folder)
        if run.kept:
            run.kept.remove()
        return solution

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> EnumeratedSolution:
        key, slots, value = (tables[name].whole for name in ("key", "slots", "value"))
        if key.shape != (meta["nodes"], meta["words"]) or value.shape != (meta["nodes"], 2) or slots.ndim != 1:
            raise ValueError("its tables are not the ones described")
        if (key.dtype, value.dtype, slots.dtype) != (np.int64, np.float64, np.int32):
            raise ValueError("its tables are not the ones described")
        return EnumeratedSolution(game, key, slots, value, meta)

    def check_certificate(self, game: Game) -> None:
        if game.seats > 2:
            raise BadInput(
                f"--certificate: {game.describe()} has {game.seats} players; certificates are for one or two"
            )

    def write_certificate(self, solution: EnumeratedSolution, path: Path) -> None:
        write_certificate(solution, path)

    def facts(self, solution: EnumeratedSolution) -> dict[str, Any]:
        return {key: solution.meta[key] for key in ("components", "symmetry", "bytes_each", "peak_bytes")}


def _meta(found: Found, tolerance: float) -> dict[str, Any]:
    constant, apart, scale = found.facts
    gap = float((found.value[:, 1] - found.value[:, 0]).max()) if len(found.value) else 0.0
    return {
        "states": len(found.key),
        "nodes": len(found.key),
        "words": found.key.shape[1],
        "layout": [part.tolist() for part in found.layout],
        "error": gap + apart + 8 * ULP * scale,
        "tolerance": tolerance,
        "constant": constant if np.isfinite(constant) else 0.0,
        "apart": apart,
        "scale": scale,
        "components": found.components,
        "seconds": found.seconds,
        "bytes_each": found.bytes_each,
        "peak_bytes": found.peak_bytes,
    }
