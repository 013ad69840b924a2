"""What an analysis says: chances of the seats, values of moves, the next roll as a map, luck and skill of a game.

Chances are what seats can expect of the game's payoff: where a win pays 1, the probability to win. `known` says how:
`exact` from a solution, `network` from a trained judge, `rollout` from games played on, with 95 % intervals.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Known = Literal["exact", "rollout", "network"]


class MoveValue(msgspec.Struct, frozen=True):
    """A legal move and what it is worth to the mover."""

    move: str
    value: float
    lower: float
    upper: float
    cost: float  # how much worse than the best move
    why: str = ""  # a sentence or two, addressed to the mover


class OutcomeValue(msgspec.Struct, frozen=True):
    """One way the dice in the air can land."""

    outcome: str
    probability: float
    chances: list[float]  # of each seat, once they have landed so
    faces: list[int | str] = []  # what the dice show, where the game can say


class Analysis(msgspec.Struct, frozen=True):
    """A position."""

    position: str
    mover: int
    known: Known
    chances: list[float]  # one number a seat
    lower: list[float]
    upper: list[float]
    moves: list[MoveValue] = []  # best first; none while dice are in the air
    outcomes: list[OutcomeValue] = []  # while dice are in the air, unless there are very many
    games: int = 0  # rollouts of each move or outcome so far
    agent: str = ""  # who plays the rollouts
    final: bool = True  # whether no better answer will come


class Step(msgspec.Struct, frozen=True):
    """A move or a roll of a game, and what it changed."""

    seat: int
    rolled: bool
    text: str
    chances: list[float]  # of each seat, after it
    change: list[float]  # of each seat's chances
    error: float = 0.0  # half the width of the 95 % interval, as all errors here


class Turn(msgspec.Struct, frozen=True):
    """A run of steps of one seat. Luck is what the dice changed, choices what the moves did, for every seat."""

    seat: int
    first: int  # number of its first step
    last: int
    luck: list[float]
    choices: list[float]
    luck_error: float = 0.0
    choices_error: float = 0.0


class SeatSum(msgspec.Struct, frozen=True):
    """One seat's game: start + luck - lost + given = result."""

    seat: int
    start: float  # its chances at first
    luck: float  # what all dice gave it
    lost: float  # what its own choices gave away
    given: float  # what the choices of others gave it
    result: float  # its payoff, or its chances where the game stands
    luck_error: float = 0.0
    lost_error: float = 0.0
    given_error: float = 0.0


class Review(msgspec.Struct, frozen=True):
    """Luck and skill of a game."""

    known: Known
    over: bool
    start: list[float]  # chances of each seat at first
    steps: list[Step]
    turns: list[Turn]
    seats: list[SeatSum]
    games: int = 0  # rollouts from each position so far
    agent: str = ""
    final: bool = True


class Tally(msgspec.Struct):
    """Games played on from some points: how many, and the sums of each seat's payoffs and of their squares."""

    games: list[int]
    sums: list[list[float]]
    squares: list[list[float]]
