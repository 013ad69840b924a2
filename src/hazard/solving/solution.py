"""What a solution is, whatever made it: values with certified bounds, the price of every move, and a policy.

A solution is kept in a folder: `solution.json` says what was solved, with which rules and solver, how exactly, and the
checksums of itself and of the tables, which lie beside it as `.npy` files and are mapped into memory; see `tables`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from hazard.background import start
from hazard.dice import stream
from hazard.errors import BadInput, unknown
from hazard.files import check_folder, replacing
from hazard.fingerprint import PACKAGE, code_digest, digest, package_files
from hazard.jit import cache_home
from hazard.rulebook import Game, Position, make_game
from hazard.solving.tables import Table, checksums

FORMAT = 3
SIGN = "solution.json"  # the file that marks a folder as a solution
HEADING: dict[str, Any] = {  # what every heading says
    **dict.fromkeys(("game", "rules", "solver", "sha256"), str),
    **dict.fromkeys(("parameters", "tables"), dict),
    "error": (float, int),
}
AT_ONCE = 256 << 20  # bytes of a table that is compared with its checksums when it is loaded, not when it is read
Progress = Callable[[int, int], None]  # told how much is done, of how much
Bounds = tuple[tuple[float, ...], tuple[float, ...]]  # for each seat the lower and the upper bound


class Advice(NamedTuple):
    """A legal move and what it is worth to the mover."""

    move: str
    value: float
    lower: float
    upper: float
    cost: float  # how much worse than the best move
    known: str  # exact, network or rollout


def ranked(rows: Iterable[tuple[str, float, float, float]], known: str, least: bool = False) -> list[Advice]:
    """Moves with their values and bounds, best first: the greatest, or the least."""
    sense = -1 if least else 1
    rows = sorted(rows, key=lambda row: -sense * row[1])
    return [Advice(*row, cost=abs(rows[0][1] - row[1]), known=known) for row in rows]


class Solution:
    """A solved game: every value is certified to lie between its bounds."""

    game: Game  # as it was solved: parameters that do not matter to the solution may differ from those asked for
    meta: dict[str, Any]  # what was solved and what it took

    @property
    def error(self) -> float:
        """No value is further than this from the truth."""
        return self.meta["error"]

    def bounds(self, position: Position) -> Bounds:
        """For each seat the lower and the upper bound of what it can expect."""
        raise NotImplementedError

    def value(self, position: Position) -> tuple[float, ...]:
        """What each seat can expect: the middle between the bounds."""
        lower, upper = self.bounds(position)
        return tuple((a + b) / 2 for a, b in zip(lower, upper, strict=True))

    def advise(self, position: Position) -> list[Advice]:
        """Every legal move with its value to the mover, best first."""
        raise NotImplementedError

    def move(self, position: Position) -> str:
        """The best move."""
        return self.advise(position)[0].move

    def choice(self, position: Position) -> int:
        """The move, as a number, that the policy gives."""
        game = self.game
        decide = next(agent.decide for agent in game.agents.values() if agent.solved)
        moves = np.zeros(int(game.ask("fanout")), np.int64)
        return int(game.plain(decide)(game.table, position.state, moves, self.policy, stream(0)))

    @property
    def policy(self) -> np.ndarray:
        """What the agent `optimal` reads."""
        raise NotImplementedError

    @property
    def values(self) -> np.ndarray:
        """What the rule `worth` reads: compiled code asks it for the value of any position."""
        raise NotImplementedError

    def tables(self) -> Mapping[str, np.ndarray]:
        """What is kept of it."""
        raise NotImplementedError


class Solver:
    """How a game is solved."""

    code: tuple[str, ...] = ()  # the files of the package that do it, besides `solving`; see `package_files`
    tolerance = 1e-9  # of a solution that is made on demand
    rules: Mapping[str, Callable] = MappingProxyType({})  # the game's own `worth` and `prospect` of the contract
    evaluates = False  # whether it can also `evaluate` fixed agents
    remarks: Mapping[str, str] = MappingProxyType({})  # what a reader of grades should know

    def subject(self, game: Game) -> Game:
        """The game as it is solved: parameters that do not matter to a solution have one value."""
        return game

    def obstacle(self, game: Game) -> str:
        """Why it cannot be solved, and what would help; empty if it can."""
        return ""

    def values_obstacle(self, game: Game) -> str:
        """Why a solution of the game has no `values`, which luck and grades need; empty if it has."""
        return ""

    def quick(self, game: Game) -> bool:
        """Whether that is a matter of seconds."""
        return False

    def at_once(self, game: Game) -> bool:
        """Whether that takes a second or so, with nothing to compile."""
        return False

    def on_demand(self, game: Game) -> bool:
        """Whether a solution is made without being asked for by `hazard solve`."""
        return True

    def evaluate(
        self, game: Game, agents: Sequence[str | None], tolerance: float, progress: Progress | None
    ) -> Solution:
        """The values when each seat is played by the agent named for it, or does its best where none is named."""
        raise BadInput(f"{game.name}: agents are not evaluated exactly in this game; play a match")

    def solve(self, game: Game, tolerance: float, folder: Path | None, progress: Progress | None) -> Solution:
        """Solve the game, prove the values, and keep them in the folder, if there is one."""
        raise NotImplementedError

    def load(self, game: Game, meta: dict[str, Any], tables: Mapping[str, Table]) -> Solution:
        """The solution whose tables these are."""
        raise NotImplementedError

    def check_certificate(self, game: Game) -> None:
        """Refuse a game whose solutions have no certificates."""
        raise BadInput(
            f"--certificate: {game.name} has a solver of its own; certificates are written of games that are solved "
            "from their rules alone, such as those of a file"
        )

    def write_certificate(self, solution: Any, path: Path) -> None:
        """Write what the solution claims, so that others can check it."""

    def facts(self, solution: Any) -> dict[str, Any]:
        """What else `hazard solve` says of it."""
        return {}


def check_tolerance(tolerance: float, least: float = 1e-15) -> None:
    if not least <= tolerance <= 1:
        raise BadInput(f"--tolerance {tolerance:g}: must be from {least:g} to 1")


# --- keeping -------------------------------------------------------------------------------------------------------
def solver_of(game: Game) -> Solver:
    """How the game is solved; refused where it is not."""
    if game.declaration.solver is None:
        raise BadInput(f"{game.name}: there is no solver for this game; `hazard advise {game.name}` plays on instead")
    return game.declaration.solver


def solver_version(game: Game) -> str:
    """A digest of all code that a certified result of this game depends on, but for the rules."""
    return code_digest(*package_files("solving", "dice.py", *solver_of(game).code))


def stored_at(game: Game) -> Path:
    """Where a game's solution is kept unless told otherwise."""
    game = solver_of(game).subject(game)
    key = digest(json.dumps([game.name, game.parameters], sort_keys=True), game.version, solver_version(game))
    return cache_home() / "solutions" / f"{game.name}-{key}"


def heading(game: Game) -> dict[str, Any]:
    """What every solution says of itself."""
    said = {"game": game.name, "parameters": game.parameters, "rules": game.version}
    return said | {"solver": solver_version(game), "format": FORMAT}


def save(solution: Solution, folder: Path) -> Path:
    """Write a solution; an older one in that place is replaced when the new one is complete."""
    with replacing(folder, SIGN) as aside:
        for name, table in solution.tables().items():
            np.save(aside / f"{name}.npy", table)
        finish(aside, solution.game, solution.meta)
    return folder


def finish(folder: Path, game: Game, meta: Mapping[str, Any]) -> None:
    """Write the heading of a solution whose tables are there."""
    sums = {path.stem: checksums(path) for path in sorted(folder.glob("*.npy"))}
    said = heading(game) | dict(meta) | {"tables": sums}
    (folder / SIGN).write_text(json.dumps(said | {"sha256": _own_checksum(said)}, indent=1))


def _own_checksum(said: Mapping[str, Any]) -> str:
    """Of a heading, but for this checksum itself."""
    rest = {key: value for key, value in said.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


_opened: dict[Path, tuple[int, Solution]] = {}  # solutions that are open, with the time they were written
OPENED = 8


def load(folder: Path, game: Game | None = None) -> Solution:
    """Map a stored solution into memory, or take the one that is still open.

    One made by other rules or another solver, of another game than asked for, or damaged, is refused.
    """
    try:
        written = (folder / SIGN).stat().st_mtime_ns
    except OSError:
        raise BadInput(f"{folder}: no solution is stored there") from None
    if _opened.get(folder, (0,))[0] != written:
        _opened.pop(folder, None)
        while len(_opened) >= OPENED:
            _opened.pop(next(iter(_opened)))
        _opened[folder] = written, _load(folder)
    found = _opened[folder][1]
    if game and found.game != (asked := solver_of(game).subject(game)):
        raise BadInput(f"{folder}: solves {found.game.describe()}, but asked for is {asked.describe()}")
    return found


def _load(folder: Path) -> Solution:
    try:
        meta = json.loads((folder / SIGN).read_text())
        if meta["format"] != FORMAT:
            raise ValueError(f"format {meta['format']}, but this program reads format {FORMAT}")
        if not isinstance(meta, dict) or not all(isinstance(meta[key], kind) for key, kind in HEADING.items()):
            raise ValueError(f"{SIGN} is no heading of a solution")
        game = make_game(meta["game"], meta["parameters"])
        for what, theirs, ours in (
            ("rules", meta["rules"], game.version),
            ("a solver", meta["solver"], solver_version(game)),
        ):
            if theirs != ours and not (what == "a solver" and folder == shipped_at(game)):
                raise BadInput(f"{folder}: made with {what} {theirs}, but this program has {ours}; solve again")
        if meta["sha256"] != _own_checksum(meta):
            raise ValueError(f"{SIGN} does not match its checksum")
        tables = {name: Table(folder / f"{name}.npy", known) for name, known in meta["tables"].items()}
        for table in tables.values():
            if table.nbytes <= AT_ONCE:
                _ = table.whole
        return solver_of(game).load(game, meta, tables)
    except FileNotFoundError as problem:
        raise BadInput(f"{folder}: the solution is damaged (no {Path(problem.filename).name}); solve again") from None
    except BadInput:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, RecursionError) as problem:
        raise BadInput(f"{folder}: the solution is damaged ({problem}); solve again") from None


# --- solutions that ship with the package ----------------------------------------------------------------------------
def shipped_at(game: Game) -> Path | None:
    """Where the solution of one of the package's games with its default parameters may lie, so that a newcomer waits
    for nothing; None for other games.

    `make solved` makes them. One is refused if the rules have changed since, or its tables. A test solves the games
    again and compares.
    """
    place = vars(game.rules).get("__file__")  # a user's game has none
    folder = Path(place).parent / "solved" if place else None
    return folder if folder and folder.is_relative_to(PACKAGE) else None


def find(game: Game) -> tuple[Path, Solution] | None:
    """The solution of a game if there is one on the disk, and its folder."""
    for folder in filter(None, (stored_at(game), shipped_at(game))):
        with suppress(BadInput):
            return folder, load(folder, game)
    return None


def stored(game: Game) -> Solution | None:
    found = find(game)
    return found[1] if found else None


# --- asking for one ------------------------------------------------------------------------------------------------
def within_reach(game: Game) -> bool:
    """Whether a solution is stored, or is made in seconds."""
    solver = game.declaration.solver
    if solver is None or solver.obstacle(game):
        return False
    return solver.quick(game) or (stored_at(game) / SIGN).exists()


def at_hand(game: Game) -> bool:
    """Whether there is a solution, or there could be one in a second or so. If one is within reach, it is then made
    by a process of its own, for whoever asks again."""
    if not within_reach(game):
        return False
    if solver_of(game).at_once(game) or stored(game):
        return True
    start(partial(solved, game))
    return False


def solved(game: Game, tolerance: float | None = None, progress: Progress | None = None) -> Solution:
    """The solution of a game to within the tolerance, from the cache if possible."""
    solver, folder = solver_of(game), stored_at(game)
    found = stored(game)
    if found and (tolerance is None or found.error <= tolerance):
        return found
    if why := solver.obstacle(game) or _long_work(solver, game):
        raise BadInput(why)
    return solver.solve(solver.subject(game), tolerance or solver.tolerance, _writable(folder), progress)


def check_values(game: Game) -> None:
    """Refuse a game without values for luck and grades, before it is solved."""
    solver = solver_of(game)
    if why := solver.obstacle(game) or solver.values_obstacle(game):
        raise BadInput(why)


def _long_work(solver: Solver, game: Game) -> str:
    if solver.on_demand(game):
        return ""
    return (
        f"{game.describe()}: no solution is stored, and solving takes minutes or more; "
        f"begin with `hazard solve {game.describe()}`, or take a smaller game"
    )


# --- fixed agents --------------------------------------------------------------------------------------------------
def evaluate(game: Game, agents: Sequence[str], tolerance: float = 1e-9, progress: Progress | None = None) -> Solution:
    """The values when every seat is played by the named agent, as exact as a solution."""
    return _evaluated(game, agents, tolerance, progress)


def best_response(
    game: Game, agents: Sequence[str | None], tolerance: float = 1e-9, progress: Progress | None = None
) -> Solution:
    """The values when the one seat given as None plays its best against the named agents."""
    if list(agents).count(None) != 1:
        raise BadInput(f"a best response needs exactly one seat left open, not {list(agents).count(None)}")
    return _evaluated(game, agents, tolerance, progress)


def _evaluated(game: Game, agents: Sequence[str | None], tolerance: float, progress: Progress | None) -> Solution:
    check_tolerance(tolerance)
    if len(agents) != game.seats:
        raise BadInput(f"{len(agents)} agents for {game.seats} seats; name one for each seat")
    for name in agents:
        if name is not None and name not in game.agents:
            raise unknown(f"agent of {game.name}", name, game.agents)
    return solver_of(game).evaluate(game, agents, tolerance, progress)


def solve(game: Game, tolerance: float = 1e-9, progress: Progress | None = None) -> Solution:
    """The values of optimal play, proven to within the tolerance; for three and more players each does its best."""
    solver = solver_of(game)
    if why := solver.obstacle(game):
        raise BadInput(why)
    return solver.solve(solver.subject(game), tolerance, _writable(stored_at(game)), progress)


ROOM = "HAZARD_SOLUTIONS"  # the variable that says how many megabytes of solutions may be kept, if that is limited


def _is_full(home: Path) -> bool:
    """Whether there are as many solutions as may be kept. None is removed for another: some took hours."""
    room = os.environ.get(ROOM, "")
    return bool(room) and sum(path.stat().st_size for path in home.glob("*/*")) >= int(room) << 20


def _writable(folder: Path) -> Path | None:
    """The folder, if it can be written: a cache that cannot costs time, not the answer."""
    if _is_full(folder.parent):
        return None
    try:
        check_folder(folder, SIGN)
    except BadInput:
        return None
    return folder
