"""A game at the terminal: the dice come from a seed that is printed, and people may take back.

Taking back also takes the dice back: whoever makes the same moves again meets the same dice.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hazard import dice
from hazard.agents.seating import agent_move, seat_agents
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.terminal.asking import BACK, HELP, HINT, LUCK, QUIT, ask
from hazard.terminal.hints import show_hint, show_review
from hazard.terminal.screen import Screen

HUMAN = "human"


class Moment(NamedTuple):
    """Where a person had a choice."""

    position: Position
    streams: list[np.ndarray]
    steps: int  # moves and rolls until then


class Table:
    """One game, from its start to its end."""

    def __init__(self, game: Game, seats: Sequence[str], seed: int | None) -> None:
        self.game = game
        self.seats = list(seats) or [HUMAN, *[_opponent(game)] * (game.seats - 1)]
        if len(self.seats) != game.seats:
            raise BadInput(
                f"{len(self.seats)} seats named, but {game.name} has {game.seats}; name human or an agent for each"
            )
        self.numbers, self.memory = seat_agents(game, [None if name == HUMAN else name for name in self.seats])
        self.seed = secrets.randbelow(2**31) if seed is None else seed
        if not 0 <= self.seed < 2**63:
            raise BadInput(f"seed={seed}: must be from 0 to 2^63 - 1")
        self.streams = [dice.stream(self.seed, 0, n) for n in range(dice.AGENTS + game.seats)]
        self.start = self.position = game.deal(self.streams[dice.BOARD])
        self.steps: list[str] = []
        self.moments: list[Moment] = []
        self.screen = Screen(game, self.seats)

    def play(self) -> None:
        """Play to the end, or until somebody quits."""
        names = ", ".join(f"{self.game.seat_name(p)} is {name}" for p, name in enumerate(self.seats))
        self.screen.say(f"{self.game.notation.TITLE}: {names}")
        self.screen.say(f"Seed {self.seed}. {HELP}")
        with np.errstate(over="ignore"):  # plain rules wrap 64-bit integers as compiled ones do
            self._play_on()

    def _play_on(self) -> None:
        while not self.position.over:
            if not self._go_on():
                return
        self.screen.board(self.position)
        self.screen.say("over")
        self.screen.result(self.position.payoffs)
        if any(self.game.agents[name].solved for name in self.seats if name != HUMAN):
            show_review(self.screen, self.start, self.steps)

    def _go_on(self) -> bool:
        """The next roll or decision; whether the game goes on."""
        seat = self.position.mover
        if self.position.rolling:
            outcome = self.position.roll(self.streams[dice.DICE + seat])
            self.screen.rolled(outcome.text)
            self._pass_to(outcome.position, outcome.text)
            return True
        if self.numbers[seat] < 0:
            return self._person(seat)
        move = agent_move(self.position, self.numbers[seat], self.memory[seat], self.streams[dice.AGENTS + seat])
        self.screen.played(seat, move)
        self._pass_to(self.position.move(move), move)
        return True

    def _pass_to(self, position: Position, text: str) -> None:
        self.position = position
        self.steps.append(text)

    def _person(self, seat: int) -> bool:
        """Let a person decide, or do what they say first; whether the game goes on."""
        moves = self.position.moves
        if len(moves) == 1:
            self.screen.say(f"{self.screen.who(seat)}: only move: {moves[0]}")
            self._pass_to(self.position.move(moves[0]), moves[0])
            return True
        self.screen.board(self.position)
        self.screen.say(f"{self.screen.who(seat)} to move")
        self.screen.menu(moves)
        while (said := ask(moves)) in (HINT, LUCK):
            self._tell(said)
        if said == BACK:
            self._take_back()
        elif said != QUIT:
            self.moments.append(Moment(self.position, [s.copy() for s in self.streams], len(self.steps)))
            self._pass_to(self.position.move(said), said)
        return said != QUIT

    def _tell(self, said: str) -> None:
        if said == HINT:
            show_hint(self.screen, self.position)
        else:
            show_review(self.screen, self.start, self.steps)

    def _take_back(self) -> None:
        """To where a person last had a choice, with the dice as they were."""
        if not self.moments:
            self.screen.say("  there is nothing to take back")
            return
        self.position, self.streams, steps = self.moments.pop()
        del self.steps[steps:]
        self.screen.say("  taken back; the same moves will meet the same dice")


def _opponent(game: Game) -> str:
    """The best that can play at once."""
    from hazard.solving.solution import within_reach

    return "optimal" if "optimal" in game.agents and within_reach(game) else game.declaration.rollout
