"""A game in the terminal: the dice come from a seed that is printed, and people may take back.

Taking back takes the dice back too: the same moves meet the same dice again.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hazard import dice
from hazard.agents.seating import agent_move, seat_agents
from hazard.errors import BadInput
from hazard.rulebook import Game, Position, plus
from hazard.terminal.hints import show_hint, show_review
from hazard.terminal.prompt import BACK, HELP, HINT, LUCK, QUIT, ask
from hazard.terminal.screen import Screen

HUMAN = "human"


class Choice(NamedTuple):
    """A point at which a person had a choice, to which they can take back."""

    position: Position
    streams: list[np.ndarray]
    steps: int  # moves and rolls until then


class TerminalGame:
    """One game of people and agents, from its start to its end."""

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
        self.scores: list[list[float]] = []  # of each step
        self.choices: list[Choice] = []
        self.screen = Screen(game, self.seats)

    def play(self) -> None:
        """Play to the end, or until somebody quits."""
        names = ", ".join(f"{self.game.seat_name(p)} is {name}" for p, name in enumerate(self.seats))
        self.screen.say(f"{self.game.declaration.title}: {names}")
        self.screen.say(f"Seed {self.seed}. {HELP}")
        with np.errstate(over="ignore"):  # plain rules wrap 64-bit integers as compiled ones do
            self._play()

    def _play(self) -> None:
        while not self.position.over:
            if not self._step():
                return
        self.screen.board(self.position)
        self.screen.say("over")
        self.screen.result(plus(self.position.payoffs, self._scored()))
        if any(self.game.agents[name].solved for name in self.seats if name != HUMAN):
            show_review(self.screen, self.start, self.steps)

    def _step(self) -> bool:
        """Make the next roll or decision; false if a person quits."""
        seat = self.position.mover
        if self.position.rolling:
            outcome = self.position.roll(self.streams[dice.DICE + seat])
            self.screen.rolled(outcome.text)
            self._advance(outcome.position, outcome.text)
            return True
        if self.numbers[seat] < 0:
            return self._ask_person(seat)
        move = agent_move(self.position, self.numbers[seat], self.memory[seat], self.streams[dice.AGENTS + seat])
        self.screen.played(seat, move)
        self._advance(self.position.move(move), move)
        return True

    def _scored(self) -> list[float]:
        """What seats have scored so far."""
        return [sum(step[seat] for step in self.scores) for seat in range(self.game.seats)]

    def _advance(self, position: Position, text: str) -> None:
        self.scores.append(self.position.scored(text))
        self.position = position
        self.steps.append(text)

    def _ask_person(self, seat: int) -> bool:
        """Let a person decide, or take back; false if they quit."""
        moves = self.position.moves
        if len(moves) == 1:
            self.screen.say(f"{self.screen.who(seat)}: only move: {moves[0]}")
            self._advance(self.position.move(moves[0]), moves[0])
            return True
        self.screen.board(self.position)
        if self.game.scores:
            self.screen.scored(self._scored())
        self.screen.say(f"{self.screen.who(seat)} to move")
        self.screen.menu(moves)
        while (answer := ask(moves)) in (HINT, LUCK):
            self._show(answer)
        if answer == BACK:
            self._take_back()
        elif answer != QUIT:
            self.choices.append(Choice(self.position, [s.copy() for s in self.streams], len(self.steps)))
            self._advance(self.position.move(answer), answer)
        return answer != QUIT

    def _show(self, word: str) -> None:
        if word == HINT:
            show_hint(self.screen, self.position)
        else:
            show_review(self.screen, self.start, self.steps)

    def _take_back(self) -> None:
        """Return to the last choice of a person, with the dice as they were."""
        if not self.choices:
            self.screen.say("  there is nothing to take back")
            return
        self.position, self.streams, steps = self.choices.pop()
        del self.steps[steps:], self.scores[steps:]
        self.screen.say("  taken back; the same moves will meet the same dice")


def _opponent(game: Game) -> str:
    """The strongest agent that can play without a long solve first."""
    from hazard.solving.solution import within_reach

    return "optimal" if "optimal" in game.agents and within_reach(game) else game.declaration.rollout
