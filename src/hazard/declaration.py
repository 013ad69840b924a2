"""What a game declares of itself, once, in its own folder; and which games there are."""

from __future__ import annotations

import dis
import importlib
import pkgutil
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
            return str(value)
        try:
            number = int(str(value))
        except ValueError:
            raise BadInput(f"{self.name}={_shown(value)}: must be a whole number from {self.range}") from None
        if not self.low <= number <= self.high:
            raise BadInput(f"{self.name}={number}: must be from {self.range}")
        return number


class Agent(NamedTuple):
    """A player that the game knows by name."""

    decide: Callable  # a rule: decide(g, s, moves, memory, rng) -> move
    summary: str
    solved: bool = False  # reads the policy of a solution
    uniform: bool = False  # takes any legal move, each as likely as the others
    slow: bool = False  # searches: plays fewer than a thousand games a second, or so
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


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A game as its own folder declares it, in `GAME`. All other parts of the program read this and nothing else."""

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
    rollout: str = "random"  # the agent that plays rollouts: the strongest that is quick
    advise: Callable[[Position], MoreAdvice] | None = None  # what the game itself has to say of each move
    show_advice: Callable[[dict[str, Any]], tuple[str, dict[str, list[str]]]] | None = None  # that, as text for a table
    drawing: Drawing | None = None
    picture: Callable[[Game, Position, Sequence[Advice]], str] | None = None  # SVG
    board: Callable[[Any, Any], dict[str, Any]] | None = None  # board(g, s): where tiles lie, for the browser
    map: Callable[[Game, int, Path], dict[str, int]] | None = None  # draws or saves the map of a number
    learn: Callable[[Game], Any] | None = None  # what is learnt in self-play
    faces: Callable[[Any, Any, int], list[int | str]] | None = None  # faces(g, s, i): what dice show that landed so
    explore: Explorer | None = None
    paper: Paper | None = None
    lab: Lab = Lab()


class MoreAdvice(NamedTuple):
    """What a game says of a position besides the values of moves."""

    facts: dict[str, Any]
    moves: dict[str, dict[str, Any]]  # facts about each move, by its name


# --- games ---------------------------------------------------------------------------------------------------------
def game_names() -> list[str]:
    """The games there are, by the names of their folders."""
    found = pkgutil.iter_modules([str(PACKAGE / "games")])
    return sorted(module.name.replace("_", "-") for module in found if module.ispkg)


@cache
def declared(name: str) -> Declaration:
    """The declaration of the game of that name."""
    if name not in game_names():
        raise unknown("game", name, game_names())
    return importlib.import_module(f"hazard.games.{name.replace('-', '_')}").GAME
