"""Checks a game's own numbering against its rules before anything is certified by it, on positions from play.

A numbering that gives two positions one number makes values that look proven and are wrong; one that leaves its range
reads memory that is not there. Plain Python does it: every number is looked at before it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from hazard import contract
from hazard.errors import BadInput
from hazard.rulebook import Game, Position

DECISIONS = 150  # that are checked, with all that follows from each
LANDINGS = 16  # ways for dice to land that are looked at after one move
LONGEST = 30  # decisions of one game in a row
_right: set[str] = set()  # versions of rules whose numbering was found to be right


class Numbering:
    """The numbering of one game, and the openings that were met so far."""

    def __init__(self, game: Game) -> None:
        self.game, self.rng = game, Random(1)
        self.rules: dict[str, Any] = {}
        self.size, self.span = int(game.ask("size")), int(game.ask("span"))
        self.met: dict[int, tuple[int, ...]] = {}  # the opening of each number
        self.moves = np.zeros(int(game.ask("fanout")), np.int64)

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a rule says, as `Game.ask` does; quicker if it is asked often."""
        if name not in self.rules:
            self.rules[name] = self.game.plain(getattr(contract, name))
        return self.rules[name](self.game.table, *arguments)

    def wrong(self, s: Any, words: str) -> BadInput:
        return BadInput(f"{self.game.describe()}: {words} at {str(Position(self.game, s))!r}")

    # --- one decision ------------------------------------------------------------------------------------------------
    def check(self, s: Any) -> None:
        """A decision has a number and a place in its turn that lead back to it."""
        ask = self.ask
        i, k, steps = int(ask("index", s)), int(ask("step", s)), int(ask("steps", s))
        if not 0 <= i < self.size:
            raise self.wrong(s, f"`index` is {i}, but `size` says that numbers are from 0 to {self.size - 1},")
        if not 1 <= steps <= self.span:
            raise self.wrong(s, f"`steps` is {steps}, but must be from 1 to the {self.span} of `span`,")
        if not 0 <= k < steps:
            raise self.wrong(s, f"`step` is {k}, but `steps` says that places are from 0 to {steps - 1},")
        if (found := self.plain(ask("stage", s, k))) != self.plain(s):
            raise self.wrong(s, f"`stage` gives {self.text(found)} for place {k}, which `step` gives")
        opening = self.plain(ask("stage", s, 0))
        if (found := self.plain(ask("state", i))) != opening:
            raise self.wrong(s, f"`state` gives {self.text(found)} for the number {i}, which `index` gives")
        if (other := self.met.setdefault(i, opening)) != opening:
            raise self.wrong(s, f"`index` is {i}, which is also the number of {self.text(other)},")

    def plain(self, s: Any) -> Any:
        return type(s)(*map(int, s))

    def text(self, s: Any) -> str:
        return repr(str(Position(self.game, s)))

    # --- what follows ------------------------------------------------------------------------------------------------
    def check_next(self, s: Any, after: Any) -> None:
        """Within a turn steps rise; from turn to turn layers do not fall."""
        ask = self.ask
        self.check(after)
        if step := int(ask("step", after)):
            if step <= int(ask("step", s)) or int(ask("index", after)) != int(ask("index", s)):
                place = f"from place {int(ask('step', s))} to place {step}"
                raise self.wrong(
                    s, f"a turn goes on {place} (`step`), which is not further or not the same turn (`index`),"
                )
        else:
            before, now = (int(ask("layer", ask("stage", t, 0))) for t in (s, after))
            if now < before:
                raise self.wrong(s, f"`layer` fell from {before} to {now}, at {self.text(after)}, after a move")

    def following(self, s: Any) -> list[Any]:
        """Decisions that follow a decision; of many ways for dice to land, some."""
        ask, found = self.ask, []
        for m in self.moves[: int(ask("legal", s, self.moves))].tolist():
            u = ask("move", s, m)
            ways = 0 if ask("over", u) else int(ask("chance", u))
            some = range(ways) if ways <= LANDINGS else self.rng.sample(range(ways), LANDINGS)
            found += [ask("land", u, i) for i in some if ask("weight", u, i)] if ways else [u]
        for u in found:
            if not ask("over", u) and int(ask("chance", u)):
                raise self.wrong(u, "dice go up again before a decision (`chance`): this numbering cannot be solved,")
        return [u for u in found if not ask("over", u)]

    # --- games -------------------------------------------------------------------------------------------------------
    def beginnings(self) -> Iterator[Any]:
        """The start, and any openings, in turns."""
        while True:
            yield self.ask("start")
            yield self.ask("state", self.rng.randrange(self.size))

    def play(self) -> None:
        """Play at random, and look at all that could have been played instead."""
        ask, left = self.ask, DECISIONS
        for s in self.beginnings():
            for _ in range(LONGEST):
                left -= 1
                if ask("over", s) or int(ask("chance", s)):
                    break
                self.check(s)
                nexts = self.following(s)
                for after in nexts:
                    self.check_next(s, after)
                if not nexts or left <= 0:
                    break
                s = self.rng.choice(nexts)
            if left <= 0:
                return


def check_numbering(game: Game) -> None:
    """Refuse a numbering that does not go with the rules, with the function and a position that shows it."""
    if game.version in _right:
        return
    if int(game.ask("size")) < 1:
        raise BadInput(f"{game.describe()}: `size` is {int(game.ask('size'))}; must be 1 or more")
    Numbering(game).play()
    _right.add(game.version)
