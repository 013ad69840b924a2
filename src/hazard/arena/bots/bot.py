"""A bot at the table: the conversation of the protocol, with the bot's clock. Its process starts when first needed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal, NamedTuple, Self

from hazard.arena.bots.limits import CRASH, ILLEGAL, MALFORMED, MEMORY, PROCESSES, START, TIMEOUT, BotError, Limits
from hazard.arena.bots.messages import (
    PROTOCOL,
    Ask,
    Bye,
    End,
    Hello,
    Message,
    Move,
    NewGame,
    Ready,
    answer_of,
    limits_data,
    line_of,
    printable,
    state_data,
)
from hazard.arena.bots.process import Process, Report
from hazard.errors import BadInput
from hazard.rulebook import Game, Position

GRACE = 0.5  # seconds to quit after `bye`
SETTLE = 1.0  # seconds in which the keeper says how a bot ended whose output is closed


class Answer(NamedTuple):
    """What a bot decided."""

    move: int  # as the rules number it
    comment: str


class Bot:
    """One bot in one place of a line-up. After a fault its process has ended; the next question starts it again."""

    def __init__(self, command: Sequence[str], game: Game, limits: Limits) -> None:
        self.command, self.game, self.limits = list(command), game, limits
        self.process: Process | None = None
        self.ready: Ready | None = None  # what it said of itself
        self.asked = 0  # the number of the last question
        self.bank = 0.0  # seconds left in this game
        self.now = NewGame(0, 0, 0, 0.0, 0.0)  # the game it is in

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(0.0 if kind else GRACE)

    def begin(self, number: int, seat: int, seed: int) -> None:
        """Tell the bot that a game begins; its bank is filled."""
        self.bank = self.limits.bank
        self.now = NewGame(number, seat, seed, self.bank, self.limits.increment)
        self.enter()

    def enter(self) -> None:
        """Bring the bot into the game, starting its process if there is none."""
        self.start()
        self.tell(self.now)

    def start(self) -> None:
        """Have a running bot that has said `ready`."""
        if self.process is None:
            self.process = Process(self.command, self.limits)
            with self._charged(starting=True):
                self._greet(self.process)

    def tell(self, message: Message) -> None:
        if self.process is not None:
            self.process.send(line_of(message))

    def _greet(self, process: Process) -> None:
        self.tell(self._hello())
        said = answer_of(process.read_line(time.monotonic() + self.limits.start))
        if not isinstance(said, Ready):
            raise BotError(MALFORMED, "the first line was not `ready`")
        if said.protocol != PROTOCOL:
            raise BotError(START, f"it speaks protocol {said.protocol}, the arena {PROTOCOL}")
        self.ready = said

    def _hello(self) -> Hello:
        game, limits = self.game, limits_data(self.limits)
        names = [game.seat_name(seat) for seat in range(game.seats)]
        return Hello(PROTOCOL, game.name, game.parameters, game.version, game.seats, names, limits)

    def ask(self, state: Any) -> Answer:
        """The bot's decision; its clock runs from the question to the answer."""
        if self.process is None:
            self.enter()
        position = Position(self.game, state)
        named = dict(zip(position.moves, position.legal(), strict=True))
        self.asked += 1
        with self._charged():
            said = self._answer(line_of(self.question(state, named)))
            if said.move not in named:
                legal = ", ".join(named)
                raise BotError(ILLEGAL, f"{said.move[:80]!r} in {str(position)!r}; legal: {legal}")
        return Answer(named[said.move], printable(said.comment))

    def question(self, state: Any, named: dict[str, int]) -> Ask:
        text = self.game.notation.text(self.game.table, state)
        seat, left = int(state.mover), round(self.bank, 3)
        return Ask(self.asked, text, state_data(state), seat, list(named), list(named.values()), left)

    def _answer(self, line: bytes) -> Move:
        """Ask, and stop the clock when the answer is there."""
        assert self.process
        had, deadline = self.bank, time.monotonic() + self.bank
        try:
            self.process.send(line)
            said = answer_of(self.process.read_line(deadline))
        except BotError as fault:
            if fault.reason == TIMEOUT:
                fault.detail = f"no answer in the {had:.3g} s left"
            raise
        finally:
            self.bank = max(0.0, deadline - time.monotonic()) + self.limits.increment
        if not isinstance(said, Move):
            raise BotError(MALFORMED, "`ready` where a move was asked for")
        if said.ask != self.asked:
            raise BotError(MALFORMED, f"an answer to ask {said.ask} where {self.asked} was asked")
        return said

    @contextmanager
    def _charged(self, starting: bool = False) -> Iterator[None]:
        """After a fault end the process, and add what its keeper knows."""
        try:
            yield
        except BotError as fault:
            report = self.close(SETTLE if fault.reason == CRASH else 0.0, polite=False)
            assert report
            if report.reason == "walls":  # nothing that the bot did
                raise BadInput(f"bots cannot be isolated any more: {report.words}; try again later") from None
            raise self._verdict(fault, report, starting) from None

    def _verdict(self, fault: BotError, report: Report, starting: bool) -> BotError:
        """The fault with the bot's last words. Where its output was closed, the keeper knows why."""
        reason, detail = fault.reason, fault.detail
        if reason == CRASH and report.reason in (MEMORY, PROCESSES):
            most = f"{self.limits.memory} MB" if report.reason == MEMORY else f"{self.limits.processes} processes"
            return BotError(report.reason, f"it used more than {most}", report.words)
        if reason == CRASH and report.reason == START:
            return BotError(START, report.words)
        if reason == CRASH and report.reason == "lost":
            detail = "it killed its keeper"
        if reason == CRASH and report.reason == "ended":
            how = f"exit status {report.status}" if report.status >= 0 else f"signal {-report.status}"
            detail = f"it ended with {how}" + (" before `ready`" if starting else "")
        if reason == TIMEOUT and starting:
            detail = f"no `ready` within {self.limits.start:g} s; is every line flushed?"
        return BotError(START if starting and reason in (CRASH, TIMEOUT) else reason, printable(detail), report.words)

    def end(self, payoffs: Sequence[float], reason: Literal["over", "forfeit", "cut"]) -> None:
        """Tell the bot how the game ended, if it is still there."""
        self.tell(End(self.now.game, list(payoffs), reason))

    def close(self, grace: float = GRACE, polite: bool = True) -> Report | None:
        """End the bot, with some seconds to quit by itself; how it came to its end, if it was running."""
        process, self.process = self.process, None
        if process is None:
            return None
        if polite:
            process.send(line_of(Bye()))
        return process.finish(grace)
