"""Does a program keep to the protocol? Its cases are tried one after the other, each with a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

import msgspec

from hazard.arena.bots.bot import Bot
from hazard.arena.bots.command import command_of
from hazard.arena.bots.games import any_move, play_bot_games
from hazard.arena.bots.limits import CRASH, MALFORMED, TIMEOUT, BotError, Limits
from hazard.arena.bots.messages import printable, shown
from hazard.arena.bots.process import Report
from hazard.arena.play.steps import play_steps, streams_of
from hazard.dice import stream
from hazard.rulebook import Game

POSITIONS = 200  # decisions asked for
GAMES = 100  # random games they are taken from, at most
QUIET = 0.1  # seconds in which a bot that is not asked says nothing
QUIT = 1.0  # seconds to quit after `bye`
SEED = 1234567


@dataclass(frozen=True)
class Case:
    """One case of the protocol and how the bot did."""

    name: str
    passed: bool
    detail: str
    warning: bool = False  # it passed, but somebody should know


class Doubt(Exception):  # noqa: N818 - not an error of the bot
    """Something allowed that may surprise."""


@dataclass(frozen=True)
class Trial:
    """A bot on trial."""

    game: Game
    text: str
    limits: Limits

    def bot(self, kind: type[Bot] = Bot) -> Bot:
        return kind(command_of(self.text), self.game, self.limits)

    @cached_property
    def states(self) -> list[Any]:
        return sample(self.game)


class Strange(Bot):
    """Asks with a field that no bot has heard of."""

    def question(self, state: Any, named: dict[str, int]) -> Any:
        return msgspec.to_builtins(super().question(state, named)) | {"weather": {"sky": "blue"}}


def check_bot(game: Game, command: str, limits: Limits | None = None) -> list[Case]:
    """Try a bot in every case; if it does not even start, that is the only one."""
    trial = Trial(game, command, limits or Limits())
    found: list[Case] = []
    for name, run in _cases(game):
        found.append(_tried(name, run, trial))
        if not found[0].passed:
            break
    return found


def _cases(game: Game) -> Iterator[tuple[str, Callable[[Trial], str]]]:
    yield "answers hello with ready", handshake
    for seat in range(game.seats):
        yield f"plays a game as {game.seat_name(seat)}", partial(whole_games, first=seat, count=1)
    yield "plays game after game", partial(whole_games, first=0, count=2 * game.seats)
    yield "gives back the number of the ask", numbers
    yield "makes legal moves in time", legal_moves
    yield "ignores what it does not know", strangers
    yield "writes nothing but answers", quiet
    yield "makes the same moves with the same seed", repeats
    yield "quits after bye", quits
    yield "leaves no process behind", leaves_none


def _tried(name: str, run: Callable[[Trial], str], trial: Trial) -> Case:
    try:
        return Case(name, True, run(trial))
    except Doubt as doubt:
        return Case(name, True, str(doubt), warning=True)
    except BotError as fault:
        words = f"; its last words: {fault.words}" if fault.words else ""
        return Case(name, False, f"{fault}{words}")


# --- the cases: each says what it saw, or raises the fault -----------------------------------------------------------
def handshake(trial: Trial) -> str:
    began = time.monotonic()
    with trial.bot() as bot:
        bot.start()
        assert bot.ready
        by = f" by {printable(bot.ready.author)}" if bot.ready.author else ""
        return f"{printable(bot.ready.name) or 'no name'}{by}, in {time.monotonic() - began:.2g} s"


def whole_games(trial: Trial, first: int, count: int) -> str:
    """Against an agent that takes any move; in game number n the bot has seat n."""
    game = trial.game
    line_up = [trial.text, *[_random(game)] * (game.seats - 1)]
    played = play_bot_games(game, line_up, SEED, first, count, False, trial.limits)
    for fault in (fault for one in played for fault in one.faults):
        raise BotError(fault.reason, fault.detail, fault.words)
    return f"{count} game{'s'[: count > 1]}, {sum(one.length for one in played)} decisions"


def numbers(trial: Trial) -> str:
    """Numbers that cannot be guessed by counting."""
    with trial.bot() as bot:
        for number in (7, 1000, 2**40):
            bot.begin(number, trial.states[0].mover, SEED)
            bot.asked = number - 1
            bot.ask(trial.states[0])
    return f"also {2**40}"


def legal_moves(trial: Trial) -> str:
    """Over positions of random games, with a bank for every twenty."""
    slowest, states = 0.0, sorted(trial.states, key=lambda state: state.mover)
    with trial.bot() as bot:
        for number, state in enumerate(states):
            if number % 20 == 0 or state.mover != bot.now.seat:
                bot.begin(number, state.mover, SEED)
            began = time.monotonic()
            bot.ask(state)
            slowest = max(slowest, time.monotonic() - began)
    return f"{len(states)} positions, the slowest answer in {slowest:.2g} s"


def strangers(trial: Trial) -> str:
    """Messages and fields that a later version of the protocol might bring."""
    with trial.bot(Strange) as bot:
        bot.begin(0, trial.states[0].mover, SEED)
        if bot.process:
            bot.process.send(b'{"type":"weather","sky":["blue",null,1.5]}\n')
        bot.ask(trial.states[0])
    return "an unknown message and an unknown field"


def quiet(trial: Trial) -> str:
    """Between games, too."""
    with trial.bot() as bot:
        bot.begin(0, trial.states[0].mover, SEED)
        bot.ask(trial.states[0])
        bot.end([0.0] * trial.game.seats, "over")
        bot.begin(1, trial.states[0].mover, SEED)
        said = _unasked(bot)
    if said:
        raise BotError(MALFORMED, f"{shown(said)} where nothing was asked; notes go to standard error")
    return "silent when not asked"


def _unasked(bot: Bot) -> bytes:
    assert bot.process
    try:
        return bot.process.read_line(time.monotonic() + QUIET)
    except BotError as fault:
        if fault.reason == TIMEOUT:
            return bot.process.heard
        raise


def repeats(trial: Trial) -> str:
    one, other = _choices(trial), _choices(trial)
    if one != other:
        where = next(n for n, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
        raise Doubt(f"not reproducible: two runs differ at question {where + 1}; games cannot be played again")
    return f"{len(one)} positions twice"


def quits(trial: Trial) -> str:
    status = _after_bye(trial).status
    if status:
        raise Doubt(f"it quits, but with exit status {status}")
    return "in time"


def leaves_none(trial: Trial) -> str:
    left = _after_bye(trial).left
    if left:
        raise BotError(CRASH, f"{left} of its processes had to be killed; it should wait for those it starts")
    return "none"


# --- what the cases share ---------------------------------------------------------------------------------------------
def _after_bye(trial: Trial) -> Report:
    with trial.bot() as bot:
        bot.begin(0, trial.states[0].mover, SEED)
        bot.ask(trial.states[0])
        report = bot.close(QUIT)
    assert report
    if report.reason != "ended":
        raise BotError(TIMEOUT, f"it did not quit within {QUIT:g} s of `bye` and had to be killed", report.words)
    return report


def _choices(trial: Trial) -> list[int]:
    seat = trial.states[0].mover
    with trial.bot() as bot:
        bot.begin(0, seat, SEED)
        return [bot.ask(state).move for state in trial.states if state.mover == seat]


def _random(game: Game) -> str:
    return next(name for name, agent in game.agents.items() if agent.uniform)


def sample(game: Game) -> list[Any]:
    """Decisions from random games, each once."""
    found: dict[Any, None] = {}
    rng = stream(SEED)
    for n in range(GAMES):
        story = play_steps(game, streams_of(game, SEED, n, False), lambda s: any_move(game, s, rng))
        for event in islice(story, 10 * POSITIONS):
            if not event.rolled:
                found[event.state] = None
        if len(found) >= POSITIONS:
            break
    return list(found)[:POSITIONS]
