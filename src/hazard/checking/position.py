"""One position looked at: what the rules say of it in plain Python, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from hazard import contract
from hazard.checking.findings import Failure, Finding, shown
from hazard.contract import MOST_ROLLS
from hazard.rulebook import Game

UNWRITTEN = np.iinfo(np.int64).min


@dataclass
class Look:
    """What the rules say of a position."""

    state: Any
    over: bool = False
    ways: int = 0
    weights: list[int] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    after: list[Any] = field(default_factory=list)  # positions that moves or dice lead to
    payoffs: list[float] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)  # what each move scores


class Looker:
    """Asks the rules of a game about positions."""

    def __init__(self, game: Game) -> None:
        self.game, self.g = game, game.table
        self.room = np.zeros(int(game.ask("fanout")), np.int64)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule says, which must be the same if it is asked again and leave the position as it is."""
        before = [tuple(a) if isinstance(a, tuple) else a for a in arguments]
        rule: Callable = self.game.plain(getattr(contract, name))
        try:
            found, again = rule(self.g, *arguments), rule(self.g, *arguments)
        except Exception as problem:
            raise Failure(f"{name} fails{_line(problem, self.game)}: {type(problem).__name__}: {problem}") from problem
        if repr(found) != repr(again):
            raise Failure(f"{name} says {found!r}, and {again!r} if it is asked again; rules remember nothing")
        if [tuple(a) if isinstance(a, tuple) else a for a in arguments] != before:
            raise Failure(f"{name} changes the position that it is asked about; return a new State instead")
        return found

    def look(self, s: Any) -> Look:
        """What the rules say of a position, or a Failure."""
        found = Look(s, bool(self.ask("over", s)), _whole("chance", self.ask("chance", s)))
        if found.over:
            if found.ways > 0:
                raise Failure(f"chance is {found.ways} in a position that is over; it must be 0")
            seats = range(self.game.seats)
            found.payoffs = [_number(f"payoff of seat {seat}", self.ask("payoff", s, seat)) for seat in seats]
        elif found.ways > 0:
            found.weights = [_whole("weight", self.ask("weight", s, i)) for i in range(found.ways)]
            self._check_weights(found.weights)
            found.after = [self.state_of("land", i, self.ask("land", s, i)) for i in range(found.ways)]
        elif found.ways < 0:
            raise Failure(f"chance is {found.ways}; it counts ways to land, and is 0 when no dice are in the air")
        else:
            found.moves = self._legal(s)
            found.gains = [_number(f"gain of move {m}", self.ask("gain", s, m)) for m in found.moves]
            found.after = [self.state_of("move", m, self.ask("move", s, m)) for m in found.moves]
        return found

    def _check_weights(self, weights: list[int]) -> None:
        for i, share in enumerate(weights):
            if share < 1:
                raise Failure(f"weight of way {i} is {share}; every way that dice can land has a weight of 1 or more")
        if sum(weights) > MOST_ROLLS:
            raise Failure("the weights add up to more than 2**63 - 1; divide them by what they have in common")

    def _legal(self, s: Any) -> list[int]:
        lists = []
        for _ in range(2):
            self.room[:] = UNWRITTEN
            try:
                count = _whole("legal", self.game.plain(contract.legal)(self.g, s, self.room))
            except IndexError as problem:
                more = f"legal writes more than {len(self.room)} moves"
                raise Failure(
                    f"{more}{_line(problem, self.game)}; write a rule fanout(g) that gives the most"
                ) from problem
            except Failure:
                raise
            except Exception as problem:
                where = _line(problem, self.game)
                raise Failure(f"legal fails{where}: {type(problem).__name__}: {problem}") from problem
            lists.append([int(m) for m in self.room[: max(count, 0)]])
        moves = lists[0]
        if count <= 0:
            raise Failure("there is no legal move, no dice are in the air, and the game is not over")
        if UNWRITTEN in moves:
            raise Failure(f"legal counts {count} moves but writes only {moves.index(UNWRITTEN)} of them")
        if lists[0] != lists[1]:
            raise Failure(f"legal lists {lists[0]}, and {lists[1]} if it is asked again; rules remember nothing")
        if twice := [m for m in moves if moves.count(m) > 1]:
            raise Failure(f"legal lists move {twice[0]} twice")
        if min(moves) < 0:
            raise Failure(f"legal lists move {min(moves)}; moves are numbers from 0 on")
        return moves

    def state_of(self, rule: str, number: int | None, s: Any) -> Any:
        """A position as a rule made it, checked."""
        said = f"{rule} {number}" if number is not None else rule
        if not isinstance(s, self.game.rules.State):
            raise Failure(f"{said} gives {s!r}, which is no State")
        for name, value in zip(s._fields, s, strict=True):
            if isinstance(value, bool | np.bool_):
                raise Failure(f"{said} gives {name}={value}; a position holds whole numbers: write 1 if ... else 0")
            if not isinstance(value, int | np.integer):
                raise Failure(f"{said} gives {name}={value!r}; every field of a position is a whole number")
            if abs(int(value)) >= 2**62:
                raise Failure(f"{said} gives {name}={value}, which does not fit into 63 bits")
        if not 0 <= s.mover < self.game.seats:
            raise Failure(f"{said} gives mover={s.mover}; seats are 0 to {self.game.seats - 1}")
        return type(s)(*map(int, s))

    # --- words -------------------------------------------------------------------------------------------------------
    def words(self, found: Look) -> Iterator[Finding]:
        """What is wrong with the texts of a position, its moves and its dice."""
        s, notation = found.state, self.game.notation
        text = notation.text(self.g, s)
        if not isinstance(text, str):
            yield Finding(f"text gives {text!r}, which is no text", shown(self.game, s))
            return
        if back := self._unread(text, s):
            yield Finding(back, text)
        for kind, word, numbers in (
            ("move", notation.move_text, found.moves),
            ("outcome", notation.outcome_text, range(found.ways)),
        ):
            texts = [word(self.g, s, n) for n in numbers]
            twice = [t for t in texts if texts.count(t) > 1] if len(texts) <= 1000 else []
            if twice:
                same = [n for n, t in zip(numbers, texts, strict=True) if t == twice[0]]
                yield Finding(f"{kind}_text calls {same[0]} and {same[1]} both {twice[0]!r}", text)

    def _unread(self, text: str, s: Any) -> str:
        try:
            back = self.game.notation.parse(self.g, text)
        except Exception as problem:
            return f"parse does not read what text writes: {type(problem).__name__}: {problem}"
        return "" if back == s else f"parse reads {back!r} where text was given {s!r}"


def _number(what: str, value: Any) -> float:
    if not isinstance(value, int | float | np.number) or not isfinite(value):
        raise Failure(f"{what} is {value!r}; it must be a number")
    return float(value)


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, int | np.integer):
        raise Failure(f"{name} gives {value!r}, which is no whole number")
    return int(value)


def _line(problem: BaseException, game: Game) -> str:
    """Where in the game's file an error came up."""
    import traceback

    path = game.file.path if game.file else game.rules.__file__
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    return f" in line {lines[-1]}" if lines else ""
