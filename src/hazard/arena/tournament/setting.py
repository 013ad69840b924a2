"""What a tournament is: everything that its results depend on, kept in `tournament.json` beside them.

A digest of code covers the files that playing a batch imports, at any depth, and those of the game. Versions of the
libraries that compile, compute and write stand beside it, and digests of what agents read: weights, and solved tables.
"""

from __future__ import annotations

import platform
import shlex
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from hazard.agents.seating import line_up_seed
from hazard.arena.bots import command
from hazard.arena.bots.limits import Limits
from hazard.arena.play.compiled import play_games
from hazard.arena.play.seated import check_agents
from hazard.errors import BadInput, unknown
from hazard.fingerprint import PACKAGE, code_digest, digest, fingerprint, imported, package_files, package_folder
from hazard.rulebook import Game, open_game
from hazard.solving.solution import solver_version

FORMAT = 2
BATCHES = 128  # batches that a whole tournament is cut into, about: a kill loses one for each process
SMALLEST, LARGEST = 512, 1 << 19  # games in a batch of quick agents
SLOW = 16  # games in the smallest batch of bots, which are started for each batch, and of agents that search
MOST_LINE_UPS = 100_000
MOST_GAMES, MOST_SEED = 2**31 - 1, 2**63 - 1
LUCK = "--luck"  # stands for the values that luck is counted by, among what is read
LIBRARIES = ("numba", "numpy", "pyarrow")  # which compile, compute, and write the files


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament. The same setting gives the same files, byte for byte."""

    format: int
    game: str
    parameters: dict[str, int | str]
    rules: str  # digests of the rules, and of all code that the results depend on
    code: str
    versions: dict[str, str]  # of Python and of libraries
    seed: int
    games: int  # a line-up
    agents: list[str]
    bots: dict[str, str]  # fingerprints of the agents that are commands
    line_ups: list[list[int]]  # agents' numbers, by place
    batch: int  # games in a batch
    shared: bool  # games that differ only in who sits where share board and dice
    luck: bool  # what chance gave is counted
    record: bool  # every decision is kept
    limits: Limits
    reads: dict[str, str] = {}  # digests of what agents play by, known when the first game begins

    def names(self, line_up: int) -> list[str]:
        return [self.agents[a] for a in self.line_ups[line_up]]

    def has_bot(self, line_up: int) -> bool:
        return any(name in self.bots for name in self.names(line_up))

    def line_up_seed(self, line_up: int) -> int:
        return line_up_seed(self.seed, self.names(line_up))

    def game_id(self, line_up: int, number: Any) -> Any:
        """Games are numbered through all line-ups; `number` may be an array."""
        return number * len(self.line_ups) + line_up

    def find(self, game_id: int) -> tuple[int, int]:
        """The line-up and the number of a game."""
        most = self.games * len(self.line_ups)
        if not 0 <= game_id < most:
            raise BadInput(f"game {game_id}: games are numbered 0 to {most - 1}")
        return game_id % len(self.line_ups), game_id // len(self.line_ups)

    def made(self) -> Game:
        """The game itself; refused where this program has other rules than the tournament, or other code."""
        game = self.game_of_rules()
        if (code := code_version(game)) != self.code:
            what = f"{self._changed(game)} tournament was played with code {self.code}, but this is {code}"
            raise BadInput(f"{what}; play it again in another folder")
        return game

    def game_of_rules(self) -> Game:
        """The same whatever the code of agents and play."""
        game = open_game(self.game, self.parameters)
        if game.version != self.rules:
            what = f"{self._changed(game)} tournament was played with rules {self.rules}, but these are {game.version}"
            raise BadInput(f"{what}; play it again in another folder")
        return game

    def other_version(self) -> str:
        """Which version of Python or of a library is another one here; empty if all are those of the tournament."""
        here = versions()
        for name in sorted({*here, *self.versions}):
            if (theirs := self.versions.get(name)) != (ours := here.get(name)):
                return f"the tournament was played with {name} {_brief(theirs)}, but here is {ours}"
        return ""

    def check_versions(self) -> None:
        if why := self.other_version():
            raise BadInput(f"{why}; install that version, or play it again in another folder")

    def _changed(self, game: Game) -> str:
        return f"{self.game} or the program has changed: the" if game.file else "the"


@cache
def versions() -> dict[str, str]:
    """What results depend on besides this package."""
    return {"python": platform.python_version()} | {name: version(name) for name in LIBRARIES}


def code_version(game: Game) -> str:
    """A digest of all code and weights but the rules that decide what happens in a game."""
    solves = solver_version(game) if game.declaration.solver else ""
    return digest(play_version(game), solves, code_digest(*covered(game)))


def covered(game: Game) -> list[Path]:
    """The files of the package that a batch depends on: those of the game, and all that playing it imports."""
    here = [PACKAGE / "arena" / "tournament" / "batch.py", *package_files("arena/bots")]  # a bot's keeper is a program
    own = package_files("own_games") if game.file else package_folder(game.rules).rglob("*.py")
    return imported(*here, *own)


@lru_cache(maxsize=64)
def play_version(game: Game) -> str:
    """The same without what only solves the game: the agents, the loop that plays, and how games are set up."""
    names = game.names(game.agents)
    if game.file:
        weights = [game.file.digest.encode()]
    else:
        weights = [path.read_bytes() for path in sorted(package_folder(game.rules).rglob("*.bin"))]
    around = code_digest(*package_files("agents/seating.py", "arena/play", "arena/bots", "arena/tournament/batch.py"))
    return digest(fingerprint(play_games, names), around, *weights)


def _check_names(agents: Sequence[str]) -> None:
    if twice := {name for name in agents if list(agents).count(name) > 1}:
        raise BadInput(f"{min(twice)!r} is named twice; an agent plays under one name")


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise BadInput(f"{name}={str(value)[:40]}: must be from {low} to {high}")


def check_setting(setting: Setting) -> None:
    """Refuse what no tournament can be, whatever its types: a file may say anything."""
    _check_range("games", setting.games, 1, MOST_GAMES)
    _check_range("seed", setting.seed, 0, MOST_SEED)
    _check_range("batch", setting.batch, 1, MOST_GAMES)
    _check_names(setting.agents)
    _check_range("line_ups", len(setting.line_ups), 1, MOST_LINE_UPS)
    seats = len(setting.line_ups[0])
    for line_up in setting.line_ups:
        if not line_up or len(line_up) != seats or not all(0 <= a < len(setting.agents) for a in line_up):
            raise BadInput(f"line_ups: {_brief(line_up)} is no line-up of {seats} of {len(setting.agents)} agents")
    if strange := sorted({*setting.bots, *setting.reads} - {*setting.agents, LUCK}):
        raise BadInput(f"bots, reads: {_brief(strange[0])} is none of the agents")
    if setting.batch % seats:
        raise BadInput(f"batch={setting.batch}: must be a multiple of the {seats} seats")


def round_robin(agents: Sequence[str], seats: int, gauntlet: str | None = None) -> list[list[int]]:
    """Every line-up of distinct agents that fills the seats. With a gauntlet, only those that seat that agent."""
    if len(agents) < seats:
        raise BadInput(f"{len(agents)} agents for {seats} seats; name {seats} or more")
    found = [list(some) for some in combinations(range(len(agents)), seats)]
    if gauntlet is not None:
        if gauntlet not in agents:
            raise unknown("agent in this tournament", gauntlet, agents)
        one = list(agents).index(gauntlet)
        found = [[one, *(a for a in some if a != one)] for some in found if one in some]
    if len(found) > MOST_LINE_UPS:
        raise BadInput(f"{len(found)} line-ups, more than {MOST_LINE_UPS}; name fewer agents or use --lineups")
    return found


def read_line_ups(path: Path, seats: int) -> list[list[str]]:
    """Line-ups from a file: one a line, an agent for each seat, quoted where a command has blanks; # begins a comment.

    An agent may sit in several places.
    """
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            names = shlex.split(line, comments=True)
        except ValueError as problem:
            raise BadInput(f"{path} line {number}: {problem}") from None
        if names and len(names) != seats:
            raise BadInput(f"{path} line {number}: {len(names)} agents, but there are {seats} seats")
        if names:
            found.append(names)
    if not found:
        raise BadInput(f"{path}: no line-ups; write one a line, an agent for each seat")
    return found


def batch_size(total: int, seats: int, slow: bool) -> int:
    """Games in a batch: whole deals."""
    size = max(-(-total // BATCHES), SLOW if slow else SMALLEST)
    return -(-min(size, LARGEST) // seats) * seats


def settle(
    game: Game,
    agents: Sequence[str],
    line_ups: list[list[int]],
    *,
    games: int,
    seed: int,
    shared: bool = True,
    luck: bool = False,
    record: bool = False,
    limits: Limits | None = None,
    batch: int | None = None,
) -> Setting:
    """A new tournament, checked."""
    check_agents(game, agents)
    _check_names(agents)
    _check_range("games", games, 1, MOST_GAMES)
    _check_range("seed", seed, 0, MOST_SEED)
    if batch is not None and batch < game.seats:
        raise BadInput(f"batch={batch}: must be at least {game.seats}, so that every agent sits in every seat")
    bots = {name: command.fingerprint(name) for name in agents if name not in game.agents}
    slow = bool(bots) or any(game.agents[name].slow for name in agents if name in game.agents)
    size = batch_size(games * len(line_ups), game.seats, slow) if batch is None else batch // game.seats * game.seats
    return Setting(
        format=FORMAT,
        game=game.source,
        parameters=game.parameters,
        rules=game.version,
        code=code_version(game),
        versions=versions(),
        seed=seed,
        games=games,
        agents=list(agents),
        bots=bots,
        line_ups=line_ups,
        batch=size,
        shared=shared,
        luck=luck,
        record=record,
        limits=limits or Limits(),
    )


def difference(old: Setting, new: Setting) -> str | None:
    """What makes two tournaments different, apart from the number of games."""
    for name in Setting.__struct_fields__:
        a, b = getattr(old, name), getattr(new, name)
        if name not in ("games", "batch", "reads") and a != b:
            return f"{name} {_brief(a)}, not {_brief(b)}"
    return None


def _brief(value: Any) -> str:
    text = str(msgspec.to_builtins(value))
    return text if len(text) <= 60 else text[:57] + "..."
