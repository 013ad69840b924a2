"""The game that the study of Pickomino plays, and its seed."""

from __future__ import annotations

import hazard
from hazard.rulebook import Game

NAME = "pickomino"
SEED = 1


def make(**parameters: int | str) -> Game:
    """A game of Pickomino; two players and all tiles unless said otherwise."""
    return hazard.game(NAME, **parameters)
