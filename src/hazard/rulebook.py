"""Games as they are declared, and games and positions as Python users see them.

Parameters are checked here, and every position has one text.
"""

from __future__ import annotations

import dis
import importlib
import pkgutil
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hazard import contract, jit
from hazard.errors import BadInput, unknown
from hazard.fingerprint import PACKAGE, contents, digest, fingerprint

if TYPE_CHECKING:
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


def _freeze(value: Any) -> None:
    """Make all arrays in a tuple read-only."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for part in value:
            _freeze(part)


@dataclass(frozen=True)
class Game:
    """One game with its parameters."""

    name: str
    parameters: dict[str, int | str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return make_game, (self.name, self.parameters)

    @property
    def declaration(self) -> Declaration:
        return declared(self.name)

    @property
    def rules(self) -> ModuleType:
        return self.declaration.rules

    @property
    def notation(self) -> ModuleType:
        return self.declaration.notation

    @property
    def agents(self) -> Mapping[str, Agent]:
        return self.declaration.agents

    @cached_property
    def g(self) -> Any:
        """The parameters as the rules read them: nothing in it can be written to."""
        found = self.declaration.make(self.parameters)
        _freeze(found)
        return found

    @cached_property
    def _threads(self) -> threading.local:
        return threading.local()

    @property
    def table(self) -> Any:
        """What rules and agents are given as `g`: the parameters, with scratch that belongs to this thread alone."""
        if self.declaration.scratch is None:
            return self.g
        if not hasattr(self._threads, "table"):
            self._threads.table = self.g._replace(scratch=self.declaration.scratch(self.g))
        return self._threads.table

    @property
    def seats(self) -> int:
        return self.g.players

    @cached_property
    def version(self) -> str:
        """A digest of the rules with these parameters: their code, and all tables that were made for them.

        Results made with other rules are kept apart by it.
        """
        names = self.contract
        code = [fingerprint(names[name], names) for name in sorted(names)]
        return digest(*code, fingerprint(contract.roll, names), contents(self.g))

    @cached_property
    def contract(self) -> dict[str, Callable]:
        """The game's own functions of the contract."""
        return {name: f for name, f in vars(self.rules).items() if name in vars(contract) and hasattr(f, "is_rule")}

    def names(self, agents: Iterable[str]) -> dict[str, Callable]:
        """The same, with `decide` for some agents, which are numbered in this order."""
        choices = {name: self.agents[name].decide for name in agents}
        solver = self.declaration.solver
        made = {"decide": jit.switch("decide", choices), "unpack": jit.unpacker(self.rules.State)}
        return {**self.contract, **(solver.rules if solver else {}), **made}

    @cached_property
    def _all_names(self) -> dict[str, Callable]:
        return self.names(self.agents)

    def compiled(self, function: Callable, hooks: Mapping[str, Callable] | None = None) -> Callable:
        """Generic code bound to this game's rules at compiled speed (plain Python if HAZARD_JIT=0).

        `hooks` are rules that take the place of others of the contract, to watch games.
        """
        if not hooks:
            return jit.bind(function, self.name, self._all_names, jit.enabled())
        label = "-".join([self.name, *(hook.__name__ for hook in hooks.values())])
        return jit.bind(function, label, self._all_names | dict(hooks), jit.enabled())

    def plain(self, function: Callable) -> Callable:
        """The same in plain Python, for single calls."""
        return jit.bind(function, self.name, self._all_names, False)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule says, in plain Python: e.g. ask("over", state)."""
        return self.plain(getattr(contract, name))(self.table, *arguments)

    def start(self) -> Position:
        return Position(self, self.ask("start"))

    def deal(self, rng: np.ndarray) -> Position:
        """The first position of a game whose board is drawn at random, otherwise the start."""
        return Position(self, self.ask("deal", rng))

    def parse(self, text: str) -> Position:
        """The position that a text stands for; every position has only one."""
        position = Position(self, self.notation.parse(self.table, text))
        if str(position) != text:
            raise BadInput(f"{text!r} does not go with these rules; the nearest position is {str(position)!r}")
        return position

    def seat_name(self, seat: int) -> str:
        names = self.declaration.seats
        return names[seat] if names else f"player {seat + 1}"

    def describe(self) -> str:
        """The game as typed on the command line."""
        return " ".join([self.name, *(f"-p {k}={v}" for k, v in self.parameters.items())])


def game(name: str, **parameters: int | str) -> Game:
    """The game of that name, e.g. game("pig", goal=50)."""
    return make_game(name, parameters)


def make_game(name: str, parameters: Mapping[str, int | str]) -> Game:
    known = {p.name: p for p in declared(name).parameters}
    for key in parameters:
        if key not in known:
            raise unknown(f"parameter of {name}", key, known)
    found = Game(name, {key: p.check(parameters.get(key, p.default)) for key, p in known.items()})
    _ = found.g  # checks that need several parameters at once
    return found


class Outcome(NamedTuple):
    """One way the dice can land."""

    text: str
    probability: Fraction
    position: Position
    faces: list[int | str]  # what the dice show; empty where the game does not say


@dataclass(frozen=True)
class Position:
    """A position of a game; it cannot be changed, prints as its text, and moves give new positions."""

    game: Game
    state: Any

    def __post_init__(self) -> None:
        """Positions are made of Python's own whole numbers, which do not overflow."""
        object.__setattr__(self, "state", type(self.state)(*map(int, self.state)))

    def __str__(self) -> str:
        return self.game.notation.text(self.game.table, self.state)

    @cached_property
    def over(self) -> bool:
        return bool(self.game.ask("over", self.state))

    @property
    def mover(self) -> int:
        return int(self.state.mover)

    @cached_property
    def rolling(self) -> bool:
        """Whether dice are in the air."""
        return not self.over and bool(self.game.ask("chance", self.state) > 0)

    def check_decision(self) -> None:
        """Refuse a position in which there is nothing to decide."""
        if self.over or self.rolling:
            why = "the game is over" if self.over else "the dice are in the air"
            raise BadInput(f"{str(self)!r}: nothing to decide: {why}")

    @property
    def payoffs(self) -> tuple[float, ...]:
        if not self.over:
            raise BadInput(f"{str(self)!r} is not over yet")
        return tuple(float(self.game.ask("payoff", self.state, p)) for p in range(self.game.seats))

    def legal(self) -> list[int]:
        """The legal moves as numbers, in their fixed order."""
        if self.over or self.rolling:
            return []
        moves = np.zeros(self.game.ask("fanout"), np.int64)
        count = self.game.ask("legal", self.state, moves)
        return [int(m) for m in moves[:count]]

    @property
    def moves(self) -> list[str]:
        return [self.game.notation.move_text(self.game.table, self.state, m) for m in self.legal()]

    def move(self, text: str) -> Position:
        """The position after a move."""
        named = dict(zip(self.moves, self.legal(), strict=True))
        if text not in named:
            raise BadInput(f"{text!r} is not a legal move in {str(self)!r}; legal: {', '.join(named) or 'none'}")
        return Position(self.game, self.game.ask("move", self.state, named[text]))

    def faces(self, number: int) -> list[int | str]:
        """What the dice in the air show if they land the way of that number; empty where the game does not say."""
        faces = self.game.declaration.faces
        return faces(self.game.table, self.state, number) if faces else []

    def outcomes(self) -> list[Outcome]:
        """Every way the dice in the air can land, with its exact probability."""
        if not self.rolling:
            return []
        g, ask = self.game.table, self.game.ask
        count = int(ask("chance", self.state))
        weights = [int(ask("weight", self.state, i)) for i in range(count)]
        total = sum(weights)
        return [
            Outcome(
                self.game.notation.outcome_text(g, self.state, i),
                Fraction(weights[i], total),
                Position(self.game, ask("land", self.state, i)),
                self.faces(i),
            )
            for i in range(count)
        ]

    def roll(self, rng: np.ndarray) -> Outcome:
        """Let the dice land, drawing from a stream of `hazard.dice.stream`."""
        number = int(self.game.ask("roll", self.state, rng))
        return self.outcomes()[number]
