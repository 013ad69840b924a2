"""Games and positions as Python users see them: parameters are checked here, and every position has one text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hazard import contract, jit
from hazard.background import soon
from hazard.declaration import Agent, Declaration, GameFile, declared, in_file, is_file, opened
from hazard.errors import BadInput, unknown
from hazard.fingerprint import contents, digest, fingerprint


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
    file: GameFile | None = None  # that the game was read from, if it is a user's own

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.parameters.items()), self.file))

    def __reduce__(self) -> tuple[Any, ...]:
        return _found_again, (self.name, self.parameters, self.file)

    @property
    def declaration(self) -> Declaration:
        return in_file(*self.file) if self.file else declared(self.name)

    @property
    def source(self) -> str:
        """How this program finds the game again: its name, or the file that it is in."""
        return self.file.path if self.file else self.name

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
    def payoff_range(self) -> tuple[float, float] | None:
        """The least and the most that a seat can get; None for a user's game that does not say."""
        if self.scores or (self.declaration.name and not {"purse", "floor"} <= set(self.contract)):
            return None
        low = float(self.ask("floor"))
        return low, float(self.ask("purse")) - (self.seats - 1) * low

    @cached_property
    def is_chance(self) -> bool:
        """Whether what a seat can expect is its chance to win: payoffs are shares of one win."""
        return not self.declaration.lab.unit and self.payoff_range in (None, (0.0, 1.0))

    @cached_property
    def scores(self) -> bool:
        """Whether seats score with decisions on the way."""
        return "gain" in self.contract

    @cached_property
    def least(self) -> bool:
        """Whether the player wants as little as it can get."""
        return bool(self.ask("least"))

    def scored(self, decisions: Iterable[tuple[Any, int]]) -> list[float]:
        """What each seat scores with some decisions: positions, each with the number of the move made there."""
        paid = [0.0] * self.seats
        for s, m in decisions if self.scores else ():
            paid[s.mover] += float(self.ask("gain", s, m))
        return paid

    def shares(self, lost: Collection[int] = ()) -> list[float]:
        """What seats get of a game that is not played out: those that forfeit the least there is, the others share the
        rest. If all or none do it is a tie; a player who is alone gets the worst there is."""
        whole, low = float(self.ask("purse")), float(self.ask("floor"))
        if self.seats == 1:
            return [whole if self.least else low]
        if len(lost) in (0, self.seats):
            return [whole / self.seats] * self.seats
        rest = (whole - low * len(lost)) / (self.seats - len(lost))
        return [low if seat in lost else rest for seat in range(self.seats)]

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
        made = {"unpack": jit.unpacker(self.rules.State), "pack": jit.packer(self.rules.State)}
        if choices:
            made["decide"] = jit.switch("decide", choices)
        return {**self.contract, **(solver.rules if solver else {}), **made}

    @cached_property
    def _all_names(self) -> dict[str, Callable]:
        return self.names(self.agents)

    def compiled(
        self, function: Callable, hooks: Mapping[str, Callable] | None = None, agents: Sequence[str] | None = None
    ) -> Callable:
        """Generic code bound to this game's rules at compiled speed (plain Python if HAZARD_JIT=0).

        `hooks` are rules that take the place of others of the contract. Only the named agents are compiled into it,
        numbered in that order; all of the game's if that is None.
        """
        label, names = self._bound(hooks or {}, agents)
        return jit.bind(function, label, names, jit.enabled())

    def soon(
        self, function: Callable, hooks: Mapping[str, Callable] | None = None, agents: Sequence[str] | None = None
    ) -> Callable:
        """The same, beginning in plain Python until compiled code is there; see `hazard.background`."""
        label, names = self._bound(hooks or {}, agents)
        named = None if agents is None else tuple(agents)
        return soon(function, label, names, partial(self.compiled, function, dict(hooks or {}), named))

    def is_compiled(
        self, function: Callable, hooks: Mapping[str, Callable] | None = None, agents: Sequence[str] | None = None
    ) -> bool:
        """Whether there is nothing to wait for: compiled code is kept, or nothing is compiled."""
        _, names = self._bound(hooks or {}, agents)
        return not jit.enabled() or jit.is_kept(jit.made_of(function, names))

    def _bound(self, hooks: Mapping[str, Callable], agents: Sequence[str] | None) -> tuple[str, dict[str, Callable]]:
        """What tells such code apart, and the rules that it is bound to."""
        if not hooks and agents is None:
            return self.name, self._all_names
        told = [] if agents is None else [digest(*agents)]
        label = "/".join([self.name, *(hook.__name__ for hook in hooks.values()), *told])
        names = self._all_names if agents is None else self.names(agents)
        return label, {**names, **hooks}

    def plain(self, function: Callable, hooks: Mapping[str, Callable] | None = None) -> Callable:
        """The same in plain Python, for single calls."""
        label, names = self._bound(hooks or {}, None)
        return jit.bind(function, label, names, False)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule says, in plain Python: e.g. ask("over", state)."""
        rule = self._plain_rules.get(name)
        if rule is None:
            rule = self._plain_rules[name] = self.plain(getattr(contract, name))
        return rule(self.table, *arguments)

    @cached_property
    def _plain_rules(self) -> dict[str, Callable]:
        """Rules in plain Python that have been asked for, by name."""
        return {}

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
        return " ".join([self.source, *(f"-p {k}={v}" for k, v in self.parameters.items())])


def game(name: str, /, **parameters: int | str) -> Game:
    """The game of that name or in that file, e.g. game("pig", goal=50) or game("./ur.py", pieces=3)."""
    return open_game(name, parameters)


def open_game(name: str, parameters: Mapping[str, int | str]) -> Game:
    """The game that the user of this program names; it may be a file."""
    return _made(name, opened(name), parameters)


def make_game(name: str, parameters: Mapping[str, int | str]) -> Game:
    """The game of that name. No file is opened: the name may come from anybody."""
    if is_file(name):
        raise BadInput(f"game {name[:200]!r}: files are not opened here; games are known by name")
    return _made(name, declared(name), parameters)


def _found_again(name: str, parameters: Mapping[str, int | str], file: GameFile | None) -> Game:
    return _made(name, in_file(*file) if file else declared(name), parameters)


def _made(name: str, declaration: Declaration, parameters: Mapping[str, int | str]) -> Game:
    name, known = declaration.name or name, {p.name: p for p in declaration.parameters}
    for key in parameters:
        if key not in known:
            raise unknown(f"parameter of {name}", key, known)
    values = {key: p.check(parameters.get(key, p.default)) for key, p in known.items()}
    found = Game(name, values, declaration.file)
    _ = found.g  # checks that need several parameters at once
    return found


def plus(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """What two parts of a game pay each seat together."""
    return [a + b for a, b in zip(one, other, strict=True)]


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
        """What the end pays; what was scored on the way (`Game.scored`) comes to that."""
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

    def scored(self, text: str) -> list[float]:
        """What each seat scores with a move that is made here; nothing where dice are in the air."""
        if not self.game.scores or self.rolling:
            return [0.0] * self.game.seats
        return self.game.scored([(self.state, self.legal()[self.moves.index(text)])])

    def faces(self, number: int) -> list[int | str]:
        """What the dice in the air show if they land the way of that number; empty where the game does not say."""
        faces = self.game.declaration.faces
        return faces(self.game.table, self.state, number) if faces else []

    @property
    def ways(self) -> int:
        """In how many ways the dice in the air can land; there may be millions, so count before asking for them."""
        return int(self.game.ask("chance", self.state)) if self.rolling else 0

    def outcomes(self) -> list[Outcome]:
        """Every way the dice in the air can land, with its exact probability."""
        weights = self._weights()
        total = sum(weights)
        return [self._outcome(number, Fraction(weight, total)) for number, weight in enumerate(weights)]

    def roll(self, rng: np.ndarray) -> Outcome:
        """Let the dice land, drawing from a stream of `hazard.dice.stream`."""
        number, weights = int(self.game.ask("roll", self.state, rng)), self._weights()
        return self._outcome(number, Fraction(weights[number], sum(weights)))

    def _weights(self) -> list[int]:
        return [int(self.game.ask("weight", self.state, number)) for number in range(self.ways)]

    def _outcome(self, number: int, probability: Fraction) -> Outcome:
        text = self.game.notation.outcome_text(self.game.table, self.state, number)
        return Outcome(text, probability, Position(self.game, self.game.ask("land", self.state, number)))
