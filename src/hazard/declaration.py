"""What a game declares of itself, once, in its own folder or file; and which games there are."""

from __future__ import annotations

import dis
import importlib
import os
import pkgutil
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from hazard.errors import BadInput, unknown
from hazard.fingerprint import PACKAGE

if TYPE_CHECKING:
    import numpy as np

    from hazard.reasons import Case
    from hazard.rulebook import Game, Position
    from hazard.solving.solution import Advice, Solver


def _shown(value: object) -> str:
    """A value as it was given, on one line."""
    return str(value) if str(value).isprintable() else repr(value)


@dataclass(frozen=True)
class Parameter:
    """A parameter of a game: a whole number in a range, one of several words, or free text."""

    name: str
    default: int | str
    help: str
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()

    @property
    def range(self) -> str:
        if self.choices:
            return "|".join(self.choices)
        return f"{self.low} to {self.high}" if isinstance(self.default, int) else "text"

    def check(self, value: object) -> int | str:
        """The value as the game uses it, or an error that says what would be right."""
        if self.choices:
            if str(value) not in self.choices:
                raise BadInput(f"{self.name}={_shown(value)}: must be one of {', '.join(self.choices)}")
            return str(value)
        if isinstance(self.default, str):
            if not str(value).isprintable():
                raise BadInput(f"{self.name}={_shown(value)}: must be text that can be printed")
            return str(value)
        try:
            number = int(str(value))
        except ValueError:
            raise BadInput(f"{self.name}={_shown(value)}: must be a whole number from {self.range}") from None
        if not self.low <= number <= self.high:
            raise BadInput(f"{self.name}={number}: must be from {self.range}")
        return number


class GameFile(NamedTuple):
    """The file that a game was read from."""

    path: str  # absolute
    digest: str  # of what it says, but for comments and docstrings


class Agent(NamedTuple):
    """A player that the game knows by name."""

    decide: Callable  # a rule: decide(g, s, moves, memory, rng) -> move
    summary: str
    solved: bool = False  # reads the policy of a solution
    uniform: bool = False  # takes any legal move, each as likely as the others
    slow: bool = False  # searches: plays fewer than a thousand games a second, or so
    heavy: bool = False  # searches so much that a move takes longer in plain Python than to compile the search
    reads: Callable[[Game], np.ndarray] | None = None  # the bytes it plays by, e.g. weights that ship with the package

    @property
    def draws(self) -> bool:
        """Whether its code ever looks at its random stream."""
        rng = self.decide.__code__.co_varnames[4]
        return any(i.argval == rng for i in dis.get_instructions(self.decide) if i.opname.startswith("LOAD"))


class Drawing(NamedTuple):
    """The board in text."""

    draw: Callable[[Any, Any], list[str]]  # draw(g, s): lines
    paint: tuple[tuple[str, str], ...] = ()  # patterns of words, each with the colour of what matches


@dataclass(frozen=True, kw_only=True)
class Lab:
    """How the lab offers a game."""

    place: int = 1000  # among the cards, the lowest first
    invitation: str = ""  # a sentence on its card; the summary if there is none
    parameters: Mapping[str, int | str] = field(default_factory=dict)  # for a good first game
    shown: tuple[str, ...] = ()  # parameters that are offered first
    opponents: tuple[str, ...] = ()  # agents for a person to play against, the strongest first
    watch: tuple[str, ...] = ()  # agents that are worth watching, one for each seat
    seat: int = 0  # where a person sits
    unit: str = ""  # what payoffs are counted in, where they are no chances to win
    explore: str = ""  # what there is to explore in the solved game, in a sentence; nothing if empty


@dataclass(frozen=True, kw_only=True)
class Explorer:
    """What the page that explores a game in the lab is given. Answers are plain data; arrays are bytes.

    The server remembers answers. Parts of one that are too large to be sent at once are fetched on their own.
    """

    explore: Callable[[Game, str], dict[str, Any]]  # the text is a position, or empty
    parameters: tuple[str, ...] = ()  # that the page may set; all if none is named
    advice: bool = False  # the advice on a position goes with the answer, unless its dice are in the air
    remembered: int = 64  # answers; fewer where they are large
    parts: Mapping[str, Callable[[dict[str, Any], Mapping[str, str]], bytes]] = field(default_factory=dict)
    # by its key in the answer: reads a part of it from the answer in JSON (bytes in base64), as an address asks


@dataclass(frozen=True, kw_only=True)
class Paper:
    """The paper that a game comes from, in a few sentences. Its study has the name of the game."""

    title: str
    authors: str
    year: str = ""  # empty if it is not known
    place: str  # where it was published
    published: str  # what it says
    found: str  # what the study here found
    takes: str  # how long a quick run of the study takes
    quick: bool = False  # whether the lab may make it while people play: a minute or so


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A game as its own folder declares it, in `GAME`. All other parts of the program read this and nothing else."""

    name: str = ""  # of a game that a user brings
    title: str
    summary: str  # one sentence
    parameters: tuple[Parameter, ...]
    make: Callable[[Mapping[str, Any]], Any]  # the parameters as rules read them: numbers and arrays
    rules: ModuleType  # the functions of `hazard.contract`, and `State`
    notation: ModuleType  # texts of positions, moves and outcomes, and an EXAMPLE
    agents: Mapping[str, Agent]
    seats: tuple[str, ...] = ()  # their names; players are counted if there are none
    scratch: Callable[[Any], Any] | None = None  # arrays that rules and agents may write to; see `hazard.contract`
    fit: Callable[[dict[str, Any], str], dict[str, Any]] | None = None  # parameters that go with a position's text
    solver: Solver | None = None
    answer: Callable[[Game], dict[str, Any] | None] | None = None  # to a question that parameters ask instead
    judge: Callable[[Position], tuple[float, ...]] | None = None  # chances of a position that is not solved: a network
    glance: Callable[[Position], tuple[float, ...]] | None = None  # the same, for as long as rollouts are not compiled
    rollout: str = "random"  # the agent that plays rollouts: the strongest that is quick
    advise: Callable[[Position], MoreAdvice] | None = None  # what the game itself has to say of each move
    show_advice: Callable[[dict[str, Any]], tuple[str, dict[str, list[str]]]] | None = None  # that, as text for a table
    why: Callable[[Case], str] | None = None  # a move explained in a sentence or two; empty for what any game says
    drawing: Drawing | None = None
    picture: Callable[[Game, Position, Sequence[Advice]], str] | None = None  # SVG
    board: Callable[[Any, Any], dict[str, Any]] | None = None  # board(g, s): where tiles lie, for the browser
    map: Callable[[Game, int, Path], dict[str, int]] | None = None  # draws or saves the map of a number
    learn: Callable[[Game], Any] | None = None  # what is learnt in self-play
    faces: Callable[[Any, Any, int], list[int | str]] | None = None  # faces(g, s, i): what dice show that landed so
    explore: Explorer | None = None
    paper: Paper | None = None
    lab: Lab = Lab()
    charts: tuple[Chart, ...] = ()  # its lines in the atlas
    file: GameFile | None = None  # that it was read from


class Chart(NamedTuple):
    """A game with certain parameters that the atlas has a line for, and what is known of it from elsewhere."""

    rules: str  # in one line
    parameters: Mapping[str, int]
    published: tuple[tuple[str, str], ...] = ()  # of the first player's value: "51.54 %" or "254.5896", and who says so
    reading: str = ""  # why ours differs, where that is known
    open: str = ""  # why it has no certified value here, where that is known


class MoreAdvice(NamedTuple):
    """What a game says of a position besides the values of moves."""

    facts: dict[str, Any]
    moves: dict[str, dict[str, Any]]  # facts about each move, by its name


# --- games ---------------------------------------------------------------------------------------------------------
# A game is one of the package, or an installed package brings it, or it is a file. A file is read only where its user
# names it: by its path, or in HAZARD_GAMES, which lists files whose games are known by name to this process and to
# those that it starts. What comes from elsewhere, such as a visitor of a server, can only ask for names.
GROUP = "hazard.games"  # of entry points
KNOWN = "HAZARD_GAMES"
_opened: dict[str, str] = {}  # the latest file that was opened, by its game's name


def is_file(name: str) -> bool:
    """Whether a game is named by its file."""
    return name.endswith(".py") or "/" in name or os.sep in name


def game_names() -> list[str]:
    """The games that are known by name, but for those of the atlas."""
    return sorted({*_own_names(), *_entry_points(), *_known_files()})


@cache
def atlas_names() -> frozenset[str]:
    """The games of the atlas: famous ones, of which the package has the rules and nothing else."""
    found = pkgutil.iter_modules([str(PACKAGE / "atlas" / "games")])
    return frozenset(module.name.replace("_", "-") for module in found)


def all_names() -> list[str]:
    """All games that are known by name."""
    return sorted({*game_names(), *atlas_names()})


def installed_names() -> list[str]:
    """The games of the package, those of the atlas among them, and of installed packages that bring some."""
    return sorted({*_own_names(), *_entry_points(), *atlas_names()})


def declared(name: str) -> Declaration:
    """The declaration of the game of that name."""
    if name in installed_names():
        return _installed(name)
    if name in (known := _known_files()):
        return in_file(*known[name])
    if name not in _opened:
        raise unknown("game", name, all_names())
    return in_file(_opened[name])


def declarations() -> dict[str, Declaration]:
    """All games that are known by name. One that an installed package brings and that does not load is left out."""
    found = {}
    for name in game_names():
        try:
            found[name] = declared(name)
        except BadInput as problem:
            warnings.warn(str(problem), stacklevel=2)
    return found


def opened(name: str) -> Declaration:
    """The declaration of a game that the user of this program names, who may name a file."""
    if is_file(name) and Path(name).absolute().parent != PACKAGE / "atlas" / "games":
        return in_file(name)
    return declared(known_as(name))


def in_file(path: str, digest: str = "") -> Declaration:
    """The declaration that a file makes, which must say what it said when its digest was taken, if there is one."""
    found = importlib.import_module("hazard.own_games.load").load(path, digest)
    _opened[found.name] = found.file.path
    return found


def opened_files() -> list[str]:
    """The files that were opened, the latest last."""
    return list(_opened.values())


def make_known(paths: Sequence[str]) -> None:
    """Have the games of these files known by name, as they are now."""
    files = [declaration.file for path in paths if (declaration := in_file(path)).file]
    for file in files:
        if os.pathsep in file.path:
            raise BadInput(f"{file.path}: a path with {os.pathsep!r} cannot be listed in {KNOWN}; move the file")
    texts = [f"{file.path}#{file.digest}" for file in files]
    os.environ[KNOWN] = os.pathsep.join([*filter(None, [os.environ.get(KNOWN)]), *texts])


def _known_files() -> dict[str, tuple[str, str]]:
    """Files by the names of their games, each with the digest of what it must say, if that was noted behind a #."""
    texts = filter(None, os.environ.get(KNOWN, "").split(os.pathsep))
    found = [re.fullmatch(r"(.*?)(?:#([0-9a-f]{12}))?", text, re.DOTALL) for text in texts]
    return {name_in(match[1]): (match[1], match[2] or "") for match in found if match}


def known_as(source: str) -> str:
    """The name of a game that is stored by its name or its file."""
    return name_in(source) if is_file(source) else source


def name_in(path: str) -> str:
    """The name of the game in a file of that name."""
    return Path(path).stem.replace("_", "-")


@cache
def _own_names() -> frozenset[str]:
    found = pkgutil.iter_modules([str(PACKAGE / "games")])
    return frozenset(module.name.replace("_", "-") for module in found if module.ispkg)


@cache
def _entry_points() -> Mapping[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _installed(name: str) -> Declaration:
    if name in _own_names():
        return importlib.import_module(f"hazard.games.{name.replace('-', '_')}").GAME
    if name in atlas_names():
        module = importlib.import_module(f"hazard.atlas.games.{name.replace('-', '_')}")
        return importlib.import_module("hazard.own_games.load").declared_in(module, name)
    return importlib.import_module("hazard.own_games.load").brought(name, _entry_points()[name])
