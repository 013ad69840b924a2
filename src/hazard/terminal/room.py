"""A seat in a room of a server, from the terminal: the same board, hints and words as in a game on this machine.

The server owns rules and dice. A lost connection is made again. Whoever quits can return with the token.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import click
import msgspec
import numpy as np
from msgspec.structs import replace

from hazard.analysis.answers import Review
from hazard.arena.bots.messages import Ask, Bye, Move, printable
from hazard.errors import BadInput
from hazard.rulebook import make_game
from hazard.server.guest.client import Guest, ask_server, place_of, sit_down
from hazard.server.protocol import (
    Agree,
    Analyse,
    Analysed,
    Answered,
    Back,
    Begun,
    Ended,
    Event,
    Moved,
    Proposed,
    Refused,
    Resign,
    Rolled,
    Sat,
    Snapshot,
    Still,
    TookBack,
    Withheld,
)
from hazard.terminal.hints import PATIENCE
from hazard.terminal.prompt import BACK, HINT, LUCK, QUIT, RESIGN, ask
from hazard.terminal.screen import Screen

HELP = "Type a move or its number; `?` shows what each is worth, `back` takes back, `luck` sums up, `resign`, `quit`."


def play_in_room(url: str, seat: int | None = None, name: str = "", token: str = "", watch: bool = False) -> None:
    """Take a seat in a room until the game has ended or the person quits; or only watch."""
    place = place_of(url)
    room = ask_server(place.server, f"/api/rooms/{place.room}")
    if not token and not watch:
        token = sit_down(url, seat, "person", name or "guest").token
        click.echo(f"to come back to this seat: HAZARD_TOKEN={token} hazard play --room {url}")
    game = make_game(room["game"], room["parameters"])
    with (
        Guest(url, token, game=game) as guest,
        np.errstate(over="ignore"),
    ):  # plain rules wrap 64-bit integers as compiled ones do
        RoomVisit(guest, Screen(game, [""] * game.seats)).stay()


class RoomVisit:
    """A person's stay in a room, as a player or a spectator."""

    def __init__(self, guest: Guest, screen: Screen) -> None:
        self.guest, self.screen, self.game = guest, screen, screen.game
        self.seat: int | None = None
        self.question: Ask | None = None  # the decision that this seat has to make
        self.choices: list[int] = []  # numbers of events after which this seat had a choice
        self.returns: dict[int, int] = {}  # for events that took back, the event that they returned to
        self.waiting: deque[Any] = deque()  # messages that are not handled yet
        self.entered = self.over = False
        self.fresh = True  # whether this seat made no move before this visit

    def stay(self) -> None:
        while not self.over:
            self.handle(self.waiting.popleft() if self.waiting else harmless(self.guest.hear()))

    # --- what the server says ----------------------------------------------------------------------------------------
    def handle(self, message: Any) -> None:
        match message:
            case Snapshot():
                self._enter(message)
            case Event():
                self._show(message)
                self._consider(message if isinstance(message, Proposed) else None)
                self.over = isinstance(message, Ended)
            case Ask():
                self.question = message
                self._show_question(message)
                self._decide()
            case Refused():
                self.screen.say(f"  {message.text}")
                self._decide()
            case Bye():
                self.screen.say("the server stops; waiting for it to come back")

    def _enter(self, room: Snapshot) -> None:
        """Show the room; after a lost connection, what was missed."""
        self.seat = room.seat
        for view in room.seats:
            self.screen.players[view.seat] = view.name or view.kind
        if self.entered:
            for event in room.events:
                self._show(event)
        else:
            self.entered = True
            self.fresh = not any(isinstance(event, Moved) and event.seat == self.seat for event in room.events)
            self._welcome(room)
        self.over = room.status == "over"
        self._consider(_open_proposal(room.events, self.seat))

    def _welcome(self, room: Snapshot) -> None:
        names = ", ".join(self.screen.who(view.seat) for view in room.seats)
        self.screen.say(f"{self.game.declaration.title}, room {room.room}: {names}")
        self.screen.note("you look on; Ctrl-C ends" if self.seat is None else HELP)
        if room.status == "waiting":
            self.screen.say("waiting for the other seats to be taken")
        elif room.position and room.mover != self.seat:
            self.screen.board(self.game.parse(room.position))
        for event in room.events[-1:]:
            if isinstance(event, Ended | Proposed):
                self._show(event)

    def _show(self, event: Any) -> None:
        """Show an event of the room in words."""
        match event:
            case Sat():
                self.screen.players[event.seat] = event.name or event.kind
                self.screen.say(f"{self.screen.who(event.seat)} sits down")
            case Begun():
                self.screen.note(f"the game begins; its dice are committed to as {event.commitment}")
            case Moved():
                self._show_move(event)
            case Rolled():
                self.screen.rolled(event.dice)
            case Withheld():
                self._show_withheld(event)
            case Proposed():
                self.screen.say(f"{self.screen.who(event.seat)} would like to take back")
            case Answered():
                self.screen.say(f"{self.screen.who(event.seat)} {'agrees' if event.yes else 'does not agree'}")
                self._decide()
            case TookBack():
                self._took_back(event)
            case Ended():
                self._ended(event)

    def _show_move(self, event: Moved) -> None:
        if self.question and event.ask == self.question.ask:
            self.question = None
        if event.seat != self.seat or event.by:
            self.screen.played(event.seat, event.move + (f" (by {event.by})" if event.by else ""))

    def _show_withheld(self, event: Withheld) -> None:
        names = " and ".join(self.screen.who(seat) for seat in event.seats)
        self.screen.say(f"{names} did not tell their part in the dice: throw {event.throw} is made anew, without it")

    def _took_back(self, event: TookBack) -> None:
        self.question = None
        self.returns[event.seq] = event.to
        self.choices = [choice for choice in self.choices if choice < event.to]
        self.screen.say(f"{self.screen.who(event.seat)} takes back")

    def _ended(self, event: Ended) -> None:
        self.question = None
        self.screen.say(f"the game has ended ({event.reason})")
        self.screen.result(event.payoffs)
        place = self.guest.place
        self.screen.note(f"the dice can be checked: {place.server}/api/rooms/{place.room}/verify")

    def _consider(self, proposal: Proposed | None) -> None:
        """Ask the person whether somebody else may take back."""
        if proposal is None or proposal.seat == self.seat or self.seat is None:
            return
        try:
            yes = click.confirm("  do you agree?")
        except click.Abort:
            yes = False
        self.guest.say(Agree(proposal.seq, yes))

    # --- what the person says ----------------------------------------------------------------------------------------
    def _show_question(self, question: Ask) -> None:
        if len(question.moves) > 1:
            self.screen.board(self.game.parse(question.position))
            self.screen.say(f"{self.screen.who(question.seat)} to move")
            self.screen.menu(question.moves)

    def _decide(self) -> None:
        """Make the decision that waits for this seat, if there is one."""
        if self.question is None:
            return None
        moves = self.question.moves
        if len(moves) == 1:
            self.screen.say(f"{self.screen.who(self.question.seat)}: only move: {moves[0]}")
            return self._send(moves[0], self.question.ask)
        while (answer := ask(moves, (RESIGN,))) in (HINT, LUCK):
            self._explain(answer)
        self._send(answer, self.question.ask)
        if answer in moves:
            self.choices.append(self.returns.get(self.question.ask, self.question.ask))
        return None

    def _send(self, answer: str, number: int) -> None:
        if answer == QUIT:
            self.over = True
        elif answer == RESIGN:
            self.guest.say(Resign())
        elif answer == BACK and self.fresh and not self.choices:
            self.screen.say("  there is nothing to take back")
            self._decide()
        elif answer == BACK:
            self.guest.say(Back(number, self.choices[-1] if self.choices else 0))
        else:
            self.guest.say(Move(number, answer))

    def _explain(self, word: str) -> None:
        try:
            if word == HINT:
                self._hint()
            else:
                place = self.guest.place
                review = ask_server(place.server, f"/api/rooms/{place.room}/review")
                self.screen.review(msgspec.convert(harmless(review), Review))
        except BadInput as problem:
            self.screen.say(f"  {problem}")

    def _hint(self) -> None:
        """Let the server analyse for a while; its other messages wait."""
        self.guest.say(Analyse())
        analysis, end = None, time.monotonic() + PATIENCE
        while not (analysis and (analysis.final or time.monotonic() > end)):
            message = harmless(self.guest.hear())
            if isinstance(message, Refused):
                raise BadInput(message.text)
            if isinstance(message, Analysed):
                analysis = message.found
            else:
                self.waiting.append(message)
        self.guest.say(Still())
        self.screen.hint(analysis)


def harmless(heard: Any) -> Any:
    """What a server says, without control characters, which could play tricks with a terminal."""
    match heard:
        case str():
            return printable(heard).replace("\n", " ")
        case list():
            return [harmless(part) for part in heard]
        case dict():
            return {key: harmless(part) for key, part in heard.items()}
        case msgspec.Struct():
            return replace(heard, **{name: harmless(getattr(heard, name)) for name in heard.__struct_fields__})
    return heard


def _open_proposal(events: list[Any], seat: int | None) -> Proposed | None:
    """A proposal to take back that a seat has not answered yet."""
    proposal = None
    for event in events:
        if isinstance(event, Proposed):
            proposal = event
        elif not (isinstance(event, Answered) and event.yes and event.seat != seat):
            proposal = None
    return proposal
