"""One game told step by step in plain Python: for replays, for bots, and wherever somebody looks on.

The streams are those of compiled play, so the same deciders give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from hazard import dice
from hazard.contract import chance, deal, roll
from hazard.rulebook import Game

LIMIT = 10_000_000  # decisions after which a game is cut off and counted as a tie


class Event(NamedTuple):
    """Dice that landed, or a decision."""

    state: Any  # before it
    rolled: bool  # whether dice landed
    number: int  # the way they landed, or the move
    after: Any  # the state that followed


def decisions_in(trail: Iterable[Event]) -> Iterator[tuple[Any, int]]:
    """The decisions of a game: positions, each with the move made there."""
    return ((event.state, event.number) for event in trail if not event.rolled)


def seat_of(place: int, number: int, seats: int) -> int:
    """Where an agent sits: the line-up moves on by one seat from game to game."""
    return (place + number) % seats


def place_at(seat: int, number: int, seats: int) -> int:
    """Which agent of the line-up sits at a seat."""
    return (seat - number) % seats


def streams_of(game: Game, seed: int, number: int, shared: bool) -> list[np.ndarray]:
    """The random streams of one game: the board, the dice of each seat, and one for each place of the line-up.

    Games that differ only in who sits where share their streams, unless every game is to have its own.
    """
    key = number // game.seats if shared else number
    return [dice.stream(seed, key, n) for n in range(dice.AGENTS + game.seats)]


def play_steps(game: Game, streams: list[np.ndarray], choose: Callable[[Any], int]) -> Iterator[Event]:
    """Play a game to its end; `choose` is asked for a legal move wherever there is a decision."""
    g, rules = game.table, game.rules
    s = game.plain(deal)(g, streams[dice.BOARD])
    decisions = 0
    while not rules.over(g, s) and decisions < LIMIT:
        rolled = game.plain(chance)(g, s) > 0
        if rolled:
            number = int(game.plain(roll)(g, s, streams[dice.DICE + s.mover]))
            after = rules.land(g, s, number)
        else:
            number = choose(s)
            after = rules.move(g, s, number)
            decisions += 1
        yield Event(s, rolled, number, after)
        s = after
