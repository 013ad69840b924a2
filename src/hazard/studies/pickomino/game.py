"""The game that the study of Pickomino plays."""

from __future__ import annotations

import hazard
from hazard.rulebook import Game

NAME = "pickomino"


def make(**parameters: int | str) -> Game:
    """A game of Pickomino; two players and all tiles unless said otherwise."""
    return hazard.game(NAME, **parameters)
