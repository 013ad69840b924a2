"""Games and positions as Python users see them: parameters are checked here, and every position has one text."""

from __future__ import annotations

import dis
import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hazard import contract, dice, jit
from hazard.errors import BadInput, unknown


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


def game_names() -> list[str]:
    """The games there are, by the names of their folders."""
    found = pkgutil.iter_modules([str(jit.PACKAGE / "games")])
    return sorted(module.name.replace("_", "-") for module in found if module.ispkg)


@cache
def _module(name: str, part: str) -> ModuleType:
    return importlib.import_module(f"hazard.games.{name.replace('-', '_')}.{part}")


def notation_of(name: str) -> ModuleType:
    """The notation of the game of that name."""
    if name not in game_names():
        raise unknown("game", name, game_names())
    return _module(name, "notation")


def _own_files(path: Path) -> list[Path]:
    """A module of a game and those of the same folder that it imports, at any depth."""
    found, waiting = [], [path]
    while waiting:
        file = waiting.pop(0)
        found.append(file)
        names = re.findall(r"^from hazard\.games\.\w+\.(\w+) import", file.read_text(), re.MULTILINE)
        waiting += [near for name in names if (near := path.with_name(f"{name}.py")) not in [*found, *waiting]]
    return found


@dataclass(frozen=True)
class Game:
    """One game with its parameters."""

    name: str
    parameters: dict[str, int | str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters.items())))

    @cached_property
    def rules(self) -> ModuleType:
        return _module(self.name, "rules")

    @cached_property
    def notation(self) -> ModuleType:
        return _module(self.name, "notation")

    @cached_property
    def agents(self) -> dict[str, Agent]:
        return _module(self.name, "agents").AGENTS

    def part(self, name: str) -> ModuleType | None:
        """A further module of the game's folder, if it has one of that name."""
        if importlib.util.find_spec(f"hazard.games.{self.name.replace('-', '_')}.{name}") is None:
            return None
        return _module(self.name, name)

    @cached_property
    def g(self) -> Any:
        """The parameters as the rules read them."""
        return self.notation.make(self.parameters)

    @property
    def seats(self) -> int:
        return self.g.players

    @cached_property
    def version(self) -> str:
        """A digest of the rules and of what they are made of: results made with other rules are kept apart."""
        return jit.version(*_own_files(Path(self.rules.__file__ or "")), Path(contract.__file__), Path(dice.__file__))

    @cached_property
    def _names(self) -> dict[str, Callable]:
        names = {name: f for name, f in vars(self.rules).items() if name in vars(contract) and callable(f)}
        choices = {name: agent.decide for name, agent in self.agents.items()}
        names["decide"] = jit.switch("decide", choices, _module(self.name, "agents").__file__ or "")
        return names

    def compiled(self, function: Callable) -> Callable:
        """Generic code bound to this game's rules at compiled speed (plain Python if HAZARD_JIT=0)."""
        return jit.bind(function, self.name, self._names, jit.enabled())

    def plain(self, function: Callable) -> Callable:
        """The same in plain Python, for single calls."""
        return jit.bind(function, self.name, self._names, False)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule says, in plain Python: e.g. ask("over", state)."""
        return self.plain(getattr(contract, name))(self.g, *arguments)

    def start(self) -> Position:
        return Position(self, self.ask("start"))

    def deal(self, rng: np.ndarray) -> Position:
        """The first position of a game whose board is drawn at random, otherwise the start."""
        return Position(self, self.ask("deal", rng))

    def parse(self, text: str) -> Position:
        """The position that a text stands for; every position has only one."""
        position = Position(self, self.notation.parse(self.g, text))
        if str(position) != text:
            raise BadInput(f"{text!r} does not go with these rules; the nearest position is {str(position)!r}")
        return position

    def seat_name(self, seat: int) -> str:
        names = getattr(self.notation, "SEATS", None)
        return names[seat] if names else f"player {seat + 1}"

    def describe(self) -> str:
        """The game as typed on the command line."""
        return " ".join([self.name, *(f"-p {k}={v}" for k, v in self.parameters.items())])


def game(name: str, **parameters: int | str) -> Game:
    """The game of that name, e.g. game("pig", goal=50)."""
    return make_game(name, parameters)


def make_game(name: str, parameters: Mapping[str, int | str]) -> Game:
    declared = {p.name: p for p in notation_of(name).PARAMETERS}
    for key in parameters:
        if key not in declared:
            raise unknown(f"parameter of {name}", key, declared)
    found = Game(name, {key: p.check(parameters.get(key, p.default)) for key, p in declared.items()})
    _ = found.g  # checks that need several parameters at once
    return found


class Outcome(NamedTuple):
    """One way the dice can land."""

    text: str
    probability: Fraction
    position: Position


@dataclass(frozen=True)
class Position:
    """A position of a game; it cannot be changed, prints as its text, and moves give new positions."""

    game: Game
    state: Any

    def __post_init__(self) -> None:
        """Positions are made of Python's own whole numbers, which do not overflow."""
        object.__setattr__(self, "state", type(self.state)(*map(int, self.state)))

    def __str__(self) -> str:
        return self.game.notation.text(self.game.g, self.state)

    @property
    def over(self) -> bool:
        return bool(self.game.ask("over", self.state))

    @property
    def mover(self) -> int:
        return int(self.state.mover)

    @property
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
        return [self.game.notation.move_text(self.game.g, self.state, m) for m in self.legal()]

    def move(self, text: str) -> Position:
        """The position after a move."""
        named = dict(zip(self.moves, self.legal(), strict=True))
        if text not in named:
            raise BadInput(f"{text!r} is not a legal move in {str(self)!r}; legal: {', '.join(named) or 'none'}")
        return Position(self.game, self.game.ask("move", self.state, named[text]))

    def outcomes(self) -> list[Outcome]:
        """Every way the dice in the air can land, with its exact probability."""
        if not self.rolling:
            return []
        g, ask = self.game.g, self.game.ask
        count = int(ask("chance", self.state))
        weights = [int(ask("weight", self.state, i)) for i in range(count)]
        return [
            Outcome(
                self.game.notation.outcome_text(g, self.state, i),
                Fraction(weights[i], sum(weights)),
                Position(self.game, ask("land", self.state, i)),
            )
            for i in range(count)
        ]

    def roll(self, rng: np.ndarray) -> Outcome:
        """Let the dice land, drawing from a stream of `hazard.dice.stream`."""
        number = int(self.game.ask("roll", self.state, rng))
        return self.outcomes()[number]
