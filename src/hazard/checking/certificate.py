"""Checks the certificate of a solved game by its rules alone. It shares no code with the solvers, and trusts none of
them.

A certificate has for every position with dice in the air, and every decision reached without a roll, a lower and an
upper bound of what seat 0 gets, and a rank. Checked of each is, by the rules as plain Python runs them:

- *closed*: whatever is rolled and chosen leads to a position of the table, or to an end of the game;
- *lower*: the mean over the dice of the lower bound that the best choices lead to is no less than its own;
- *upper*: that of the upper bounds is no greater than its own;
- *ending*: there is a way to land after which every choice leads to a lower rank or to an end. Where there are two
  ranks, seat 0 makes the choices of the lower bounds for the one, and seat 1 those of the upper bounds for the other;
- *payoffs* of two players add up to the constant that is stated, as closely as is stated.

`docs/solving.md` says why this proves the bounds. The arithmetic is exact: every float is a whole multiple of 2^-1074,
so sums and comparisons are of whole numbers, and nothing is rounded.
"""

from __future__ import annotations

import json
import math
import random
from bisect import bisect_left
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from hazard import contract, jit
from hazard.errors import BadInput
from hazard.rulebook import Game

FORMAT, VERSION = "hazard certificate", 1
SMALLEST = 1074  # floats are whole multiples of 2^-1074
RULES = ("start", "over", "payoff", "legal", "move", "gain", "chance", "weight", "land", "canonical", "fanout", "least")
SAMPLE, CONFIDENCE = 10_000, 0.99
Exact = int  # a float times 2^1074


def exact(number: float) -> Exact:
    """A float as a whole number, exactly."""
    if not math.isfinite(number):
        raise ValueError(f"{number} is no number")
    top, bottom = float(number).as_integer_ratio()
    return top << (SMALLEST - bottom.bit_length() + 1)


class Failure(Exception):  # noqa: N818 - a finding, not a mistake of the program
    """A position at which the certificate does not hold."""


class Field(NamedTuple):
    """Where a field of a position is in its key."""

    low: int  # added to what is in the key
    shared: int  # 0 if it has a word of its own
    bits: int
    at: int  # the bit it begins at, counted through the words


# --- the file --------------------------------------------------------------------------------------------------------
class Certificate:
    """A certificate that was read, and the rules that it is about."""

    def __init__(self, path: Path, game: Game) -> None:
        try:
            self.head = head_of(path)
            with np.load(path, allow_pickle=False) as file:
                self.tables = {name: file[name] for name in file.files if name != "head"}
            self._check_head(path, game)
        except (OSError, ValueError, KeyError, TypeError, BadZipFile, EOFError) as problem:
            raise BadInput(f"{path}: not a certificate that can be read ({problem})") from None
        self.game, self.g = game, game.table
        names = game.names(())
        self.rule: dict[str, Callable] = {
            name: jit.bind(getattr(contract, name), f"{game.name}/checked", names, False, entry=False) for name in RULES
        }
        keys = self.tables["key"]
        self.order = np.lexsort(keys.T[::-1])
        self.sorted = _Keys(keys, self.order)
        self.constant, self.apart = exact(self.head["constant"]), exact(self.head["apart"])
        self.room = np.zeros(2 * int(self.rule["fanout"](self.g)) + 1024, np.int64)

    def _check_head(self, path: Path, game: Game) -> None:
        head, tables = self.head, self.tables
        if head["format"] != FORMAT or head["version"] != VERSION:
            raise ValueError(f"{head['format']} {head['version']}, but this program reads {FORMAT} {VERSION}")
        for key, theirs, ours in (
            ("parameters", head["parameters"], game.parameters),
            ("rules", head["rules"], game.version),
        ):
            if theirs != ours:
                raise BadInput(f"{path}: of {key} {theirs}, but the game given has {ours}")
        if list(head["fields"]) != list(game.rules.State._fields):
            raise ValueError("its fields are not those of a position")
        self.fields, self.words = [Field(**row) for row in head["fields"].values()], tables["key"].shape[1]
        self._check_fields()
        count = len(tables["key"])
        ranks = {"rank"} if "rank" in tables else {"rank_lower", "rank_upper"}
        if tables["key"].ndim != 2 or any(tables[name].shape != (count,) for name in {"lower", "upper"} | ranks):
            raise ValueError("its tables are not of one length")

    def _check_fields(self) -> None:
        """No two fields may share a bit, so that different positions have different keys."""
        taken = [0] * self.words
        for field in self.fields:
            bits = ((1 << field.bits) - 1) << field.at % 64 if field.shared else (1 << 64) - 1
            if min(field.bits, field.at) < 0 or bits >> (63 if field.shared else 64) or taken[field.at // 64] & bits:
                raise ValueError("its fields overlap")
            taken[field.at // 64] |= bits

    def state(self, at: int) -> Any:
        """The position of an entry."""
        key, numbers = self.tables["key"][at].tolist(), []
        for field in self.fields:
            word = key[field.at // 64]
            inside = (word >> field.at % 64) & ((1 << field.bits) - 1)
            numbers.append(inside + field.low if field.shared else word)
        return self.game.rules.State(*numbers)

    def entry(self, s: Any) -> int:
        """The entry of a position; a failure if there is none."""
        key = [0] * self.words
        for field, value in zip(self.fields, self.rule["canonical"](self.g, s), strict=True):
            number, word = int(value), field.at // 64
            if number != value:
                raise Failure(f"{_text(s)} has a field that is no whole number")
            inside = number - field.low
            if field.shared and not 0 <= inside < 1 << field.bits:
                raise Failure(f"{_text(s)} is not in the table")
            key[word] |= inside << field.at % 64 if field.shared else number
        found = bisect_left(self.sorted, tuple(key))
        if found == len(self.order) or self.sorted[found] != tuple(key):
            raise Failure(f"{_text(s)} is not in the table")
        return int(self.order[found])


class _Keys:
    """Keys in their order, as bisection reads them."""

    def __init__(self, keys: np.ndarray, order: np.ndarray) -> None:
        self.keys, self.order = keys, order

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, n: int) -> tuple[int, ...]:
        return tuple(self.keys[self.order[n]].tolist())


def _text(s: Any) -> str:
    return " ".join(f"{name}={int(value)}" for name, value in zip(s._fields, s, strict=True))


def head_of(path: Path) -> dict[str, Any]:
    """What a certificate says of itself."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return dict(json.loads(bytes(file["head"]).decode()))
    except (OSError, ValueError, KeyError, TypeError, BadZipFile, EOFError) as problem:
        raise BadInput(f"{path}: not a certificate that can be read ({problem})") from None


# --- one position ----------------------------------------------------------------------------------------------------
class Option(NamedTuple):
    """What a choice leads to."""

    lower: Exact
    upper: Exact
    ranks: tuple[int, int]  # for the lower bound, for the upper; 0 at an end


class Checker:
    """Checks positions of a certificate, one by one."""

    def __init__(self, certificate: Certificate) -> None:
        self.c, self.g, self.rule = certificate, certificate.g, certificate.rule
        tables = certificate.tables
        self.lower, self.upper = tables["lower"], tables["upper"]
        self.single = "rank" in tables
        names = ("rank", "rank") if self.single else ("rank_lower", "rank_upper")
        self.ranks = tables[names[0]], tables[names[1]]
        self.players, self.least = certificate.game.seats, bool(self.rule["least"](self.g))

    def option(self, s: Any, gain: float = 0.0) -> Option:
        """A position that is reached, with what is scored on the way."""
        scored = exact(gain) if gain else 0
        if self.rule["over"](self.g, s):
            paid = exact(float(self.rule["payoff"](self.g, s, 0)))
            if self.players == 2:
                other = exact(float(self.rule["payoff"](self.g, s, 1)))
                if abs(paid + other - self.c.constant) > self.c.apart:
                    raise Failure(f"payoffs at {_text(s)} do not add up to {self.c.head['constant']}")
            return Option(paid + scored, paid + scored, (0, 0))
        at = self.c.entry(s)
        ranks = int(self.ranks[0][at]), int(self.ranks[1][at])
        if min(ranks) < 1:
            raise Failure(f"{_text(s)} has no rank")
        return Option(exact(float(self.lower[at])) + scored, exact(float(self.upper[at])) + scored, ranks)

    def ways(self, s: Any) -> Iterator[tuple[int, Any]]:
        """How the dice of a position can land, with weights."""
        count = int(self.rule["chance"](self.g, s))
        if count == 0:
            yield 1, s
        for i in range(count):
            share = self.rule["weight"](self.g, s, i)
            if share < 0 or int(share) != share:
                raise Failure(f"a weight at {_text(s)} is {share}")
            if share:
                yield int(share), self.rule["land"](self.g, s, i)

    def choices(self, u: Any) -> tuple[list[Option], int]:
        """What a position leads to without another roll, and the seat that chooses; -1 if nobody does."""
        if self.rule["over"](self.g, u) or self.rule["chance"](self.g, u) > 0:
            return [self.option(u)], -1
        count, seat = int(self.rule["legal"](self.g, u, self.c.room)), int(u.mover)
        if count < 1 or not 0 <= seat < self.players:
            raise Failure(f"{_text(u)} has {count} moves for seat {seat}")
        found = []
        for m in self.c.room[:count].tolist():
            gain = float(self.rule["gain"](self.g, u, m))
            if gain and self.players > 1:
                raise Failure(f"a move at {_text(u)} scores, in a game of two")
            found.append(self.option(self.rule["move"](self.g, u, m), gain))
        return found, seat

    def check(self, s: Any) -> None:
        """Check one position; a failure says what is wrong with it."""
        at = self.c.entry(s)
        mine = int(self.ranks[0][at]), int(self.ranks[1][at])
        low = high = total = 0
        down = [False, False]
        for share, u in self.ways(s):
            options, seat = self.choices(u)
            best = min if seat == 1 or self.least else max
            first = best(options, key=lambda option: option.lower)
            second = best(options, key=lambda option: option.upper)
            low, high, total = low + share * first.lower, high + share * second.upper, total + share
            for side, chosen, keeps in ((0, first, 0), (1, second, 1)):
                bound_by = [chosen] if not self.single and seat == keeps else options
                down[side] = down[side] or all(option.ranks[side] < mine[side] for option in bound_by)
        if not total:
            raise Failure("no way to land has a weight")
        if low < total * exact(float(self.lower[at])):
            raise Failure("the lower bound is more than what play leads to")
        if high > total * exact(float(self.upper[at])):
            raise Failure("the upper bound is less than what play leads to")
        if not all(down):
            raise Failure("no way to land is sure to lower its rank: play need not end")


# --- all of them -----------------------------------------------------------------------------------------------------
def entries(certificate: Certificate, sample: int | None, seed: int) -> Iterator[Any]:
    """The positions of the table, or some of them drawn at random."""
    count = len(certificate.order)
    if sample is None:
        yield from map(certificate.state, range(count))
        return
    draw = random.Random(seed)
    for _ in range(sample):
        yield certificate.state(draw.randrange(count))


def reached(checker: Checker) -> Iterator[Any]:
    """All positions that play can reach, as they are: where some stand for others, each must hold by itself."""
    rule, g = checker.rule, checker.g
    waiting = [rule["start"](g)]
    known = {tuple(map(int, waiting[0]))}
    while waiting:
        s = waiting.pop()
        yield s
        for _, u in checker.ways(s):
            for v in _next(checker, u):
                numbers = tuple(map(int, v))
                if numbers not in known and not rule["over"](g, v):
                    known.add(numbers)
                    waiting.append(v)


def _next(checker: Checker, u: Any) -> Iterator[Any]:
    rule, g = checker.rule, checker.g
    if rule["over"](g, u) or rule["chance"](g, u) > 0:
        yield u
        return
    count = int(rule["legal"](g, u, checker.c.room))
    for m in checker.c.room[:count].tolist():
        yield rule["move"](g, u, m)


def check_certificate(
    path: Path, game: Game, every: bool, sample: int, seed: int, progress: Callable[[int, int], None] | None
) -> dict[str, Any]:
    """What became of a certificate, as plain data."""
    if game.seats > 2:
        raise BadInput(f"{game.describe()}: certificates are for one player or two")
    certificate = Certificate(path, game)
    checker, count = Checker(certificate), len(certificate.order)
    every = every or count <= sample
    stands = "canonical" in game.contract
    with np.errstate(over="ignore"):
        if certificate.rule["over"](certificate.g, certificate.rule["start"](certificate.g)):
            positions = iter(())
        elif every and stands:
            positions = reached(checker)
        else:
            positions = entries(certificate, None if every else sample, seed)
        done, failure = _check_all(checker, positions, count if every else sample, progress)
    return _report(certificate, done, failure, every)


def _check_all(checker: Checker, positions: Iterator[Any], total: int, progress: Any) -> tuple[int, str]:
    """How many positions were checked, and what is wrong with the first that failed; of the claim first."""
    done, s = 0, checker.rule["start"](checker.g)
    try:
        _check_claim(checker, s)
        for s in positions:
            checker.check(s)
            done += 1
            if progress and done % 500 == 0:
                progress(done, max(done, total))
    except (Failure, ValueError, ArithmeticError, LookupError) as problem:
        return done, f"{_text(s)}: {problem}"
    return done, ""


def _check_claim(checker: Checker, start: Any) -> None:
    """What is claimed must be what the table says of the start."""
    found, claim = checker.option(start), checker.c.head["claim"]
    if (found.lower, found.upper) != (exact(claim["lower"]), exact(claim["upper"])):
        raise Failure("the claim is not what the table says of the start")


def _report(certificate: Certificate, done: int, failure: str, every: bool) -> dict[str, Any]:
    head = certificate.head
    found: dict[str, Any] = {"game": head["game"], "parameters": head["parameters"], "rules": head["rules"]}
    found |= {"claim": head["claim"], "positions": head["positions"], "checked": done}
    if failure:
        return found | {"verdict": "refused", "position": failure}
    if every:
        return found | {"verdict": "proven"}
    share = -math.log(1 - CONFIDENCE) / done
    verdict = f"not refuted: with {CONFIDENCE:.0%} confidence less than {share:.2g} of all positions fail"
    return found | {"verdict": verdict}
