"""Games in which bots take part: they are played one decision at a time, and a bot's fault costs only its own game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from hazard import dice
from hazard.agents.seating import decider, seat_agents
from hazard.arena.bots.bot import Bot
from hazard.arena.bots.command import command_of, is_bot
from hazard.arena.bots.isolation import hiding
from hazard.arena.bots.limits import SUSPENDED, BotError, Fault, Limits
from hazard.arena.play.steps import Event, decisions_in, place_at, play_steps, seat_of, streams_of
from hazard.contract import deal
from hazard.errors import BadInput
from hazard.rulebook import Game, Position, plus

MOST = 100_000  # decisions after which a game is cut off and counted as a tie


@dataclass(frozen=True)
class BotGame:
    """One game with bots."""

    payoffs: list[float]  # of each seat
    length: int  # decisions
    moves: list[int]  # the number of the move of each decision
    faults: list[Fault]
    trail: list[Event]
    cut: bool  # it did not end
    comments: list[tuple[int, str]] = field(default_factory=list)  # what bots said: the decision, counted from 0


def play_bot_games(
    game: Game,
    line_up: Sequence[str],
    seed: int,
    first: int,
    count: int,
    shared: bool,
    limits: Limits,
    expelled: Collection[str] = (),
) -> list[BotGame]:
    """Play games `first` to `first + count - 1` of a line-up of bots and built-in agents.

    A bot keeps its process for all of these games in which it has the same seat, unless it fails; all processes have
    ended when this returns. Games that share their dice are thus never met by the same process, which could remember
    them. Bots that are expelled are suspended from the first game on.
    """
    if len(line_up) != game.seats:
        raise BadInput(f"{len(line_up)} agents for {game.seats} seats; name one for each seat")
    numbers = range(first, first + count)
    table = BotLineUp(game, line_up, limits)
    table.expel([place for place, text in enumerate(line_up) if text in expelled])
    found: dict[int, BotGame] = {}
    for rotation in range(game.seats) if shared else [None]:
        with table.seated():
            for n in numbers:
                if rotation is None or n % game.seats == rotation:
                    found[n] = Round(table, n, streams_of(game, seed, n, shared)).play()
    return [found[n] for n in numbers]


class BotLineUp:
    """A line-up: its bots with their strikes, its built-in agents with their memory."""

    def __init__(self, game: Game, line_up: Sequence[str], limits: Limits) -> None:
        self.game, self.limits = game, limits
        _, self.memory = seat_agents(game, [None if is_bot(text) else text for text in line_up])
        self.deciders = {place: decider(game, text) for place, text in enumerate(line_up) if not is_bot(text)}
        self.commands = {place: command_of(text) for place, text in enumerate(line_up) if is_bot(text)}
        self.apart = hiding(limits, line_up)
        self.bots: dict[int, Bot] = {}
        self.strikes = dict.fromkeys(self.commands, 0)  # faults since the last clean game
        self.room = np.zeros(int(game.ask("fanout")), np.int64)

    @contextmanager
    def seated(self) -> Iterator[None]:
        """Bots that have just come; their processes end with this."""
        with ExitStack() as stack:
            for place, words in self.commands.items():
                self.bots[place] = stack.enter_context(Bot(words, self.game, self.apart))
            yield

    def expel(self, places: Iterable[int]) -> None:
        self.strikes |= dict.fromkeys(places, self.limits.strikes)

    def suspended(self, place: int) -> bool:
        return self.strikes[place] >= self.limits.strikes

    def built_in(self, place: int, s: Any, rng: np.ndarray) -> int:
        return int(self.deciders[place](self.game.table, s, self.room, self.memory[place], rng))


def any_move(game: Game, s: Any, rng: np.ndarray) -> int:
    """A legal move, each as likely as the others."""
    legal = Position(game, s).legal()
    return legal[int(game.plain(dice.below)(rng, len(legal)))]


def told_seed(rng: np.ndarray) -> int:
    """A bot's own seed, of 53 bits, from which nothing can be found out about the dice."""
    return int.from_bytes(sha256(rng.tobytes()).digest()[:8], "little") >> 11


class Forfeit(Exception):  # noqa: N818 - the end of a game, not an error
    """A bot has lost the game by its fault."""


class Round:
    """One game at a table."""

    def __init__(self, table: BotLineUp, number: int, streams: list[np.ndarray]) -> None:
        self.table, self.game, self.number, self.streams = table, table.game, number, streams
        self.random = table.limits.fallback == "random"
        self.seats = {place: seat_of(place, number, table.game.seats) for place in table.bots}
        self.told: set[int] = set()  # places of bots that know of this game
        self.faults: list[Fault] = []
        self.comments: list[tuple[int, str]] = []
        self.trail: list[Event] = []
        self.last = self.game.plain(deal)(
            self.game.table, self.streams[dice.BOARD].copy()
        )  # a game may be over as dealt
        self.moves: list[int] = []

    def play(self) -> BotGame:
        seeds = {place: told_seed(self._stream(place)) for place in self.seats}
        if self._admit():
            self._begin(seeds)
        cut = self._play_on() if self.random or not self.faults else False
        return self._result(cut)

    def _stream(self, place: int) -> np.ndarray:
        return self.streams[dice.AGENTS + place]

    def _charge(self, place: int, reason: str, words: str = "", detail: str = "") -> None:
        self.faults.append(Fault(self.seats[place], place, reason, words, detail))
        self.table.strikes[place] += 1

    def _admit(self) -> bool:
        """Turn suspended bots away; whether there is a game to begin."""
        away = [place for place in self.seats if self.table.suspended(place)]
        for place in away:
            self._charge(place, SUSPENDED, detail=f"after {self.table.limits.strikes} faults without a clean game")
        return self.random or not away

    def _begin(self, seeds: dict[int, int]) -> None:
        """Tell the bots; all that cannot begin are charged, not only the first."""
        for place, seat in self.seats.items():
            if not self.table.suspended(place):
                self.told.add(place)
                try:
                    self.table.bots[place].begin(self.number, seat, seeds[place])
                except BotError as fault:
                    self._charge(place, fault.reason, fault.words, fault.detail)

    def _play_on(self) -> bool:
        """Play to the end, or to a fault that ends the game; whether the game was cut off."""
        try:
            for event in play_steps(self.game, self.streams, self._choose):
                self.trail.append(event)
                self.last = event.after
                if len(self.moves) >= MOST:
                    break
        except Forfeit:
            return False
        return not self.game.rules.over(self.game.table, self.last)

    def _choose(self, s: Any) -> int:
        place = place_at(s.mover, self.number, self.game.seats)
        built_in = place not in self.seats
        number = self.table.built_in(place, s, self._stream(place)) if built_in else self._ask(place, s)
        self.moves.append(number)
        return number

    def _ask(self, place: int, s: Any) -> int:
        """The bot's move, or what takes its place."""
        if self.table.suspended(place):
            return any_move(self.game, s, self._stream(place))
        try:
            answer = self.table.bots[place].ask(s)
        except BotError as fault:
            self._charge(place, fault.reason, fault.words, fault.detail)
            if not self.random:
                raise Forfeit from None
            return any_move(self.game, s, self._stream(place))
        if answer.comment:
            self.comments.append((len(self.moves), answer.comment))
        return answer.move

    def _result(self, cut: bool) -> BotGame:
        lost = set() if self.random else {fault.seat for fault in self.faults}
        payoffs = self.game.shares(lost) if lost else self._paid(cut)
        reason: Literal["over", "forfeit", "cut"] = "forfeit" if lost else "cut" if cut else "over"
        failed = {fault.place for fault in self.faults}
        for place in self.seats.keys() - failed:
            self.table.strikes[place] = 0
        for place in self.told:
            self.table.bots[place].end(payoffs, reason)
        return BotGame(payoffs, len(self.moves), self.moves, self.faults, self.trail, cut, self.comments)

    def _paid(self, cut: bool) -> list[float]:
        """What seats got in a game without a forfeit."""
        last = self.game.shares() if cut else Position(self.game, self.last).payoffs
        return plus(last, self.game.scored(decisions_in(self.trail)))
