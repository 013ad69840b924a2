"""Parameters of Dice of Doom: what can be set, and the numbers and tables that the rules read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hazard.declaration import Parameter
from hazard.dice import battle
from hazard.errors import BadInput
from hazard.games.dice_of_doom.boards import count_tiles, name_of, neighbours, read_board
from hazard.games.dice_of_doom.players.random_play import sets_of
from hazard.games.dice_of_doom.players.search import room
from hazard.games.dice_of_doom.tiles import Params, Scratch

REINFORCEMENTS = ("deterministic", "random", "weighted", "chosen", "captured")
COLOURS = "rbgy"  # of players, as positions name them
MOST_DICE = 7  # on a tile, whatever the sides
MOST_ROLLS = 2**31  # of a battle, from which one is drawn
CERTAIN = "with more dice than sides an attack cannot fail, so that games need not end and are not solved"


@dataclass(frozen=True)
class BoardParameter(Parameter):
    """A board by its one text, so that results do not depend on the file of a map."""

    def check(self, value: object) -> int | str:
        return name_of(read_board(str(value)))


@dataclass(frozen=True)
class DiceParameter(Parameter):
    """The dice limit, with the reason why there is none above it."""

    def check(self, value: object) -> int | str:
        try:
            return super().check(value)
        except BadInput as problem:
            if str(value).isdecimal() and int(str(value)) > self.high:
                raise BadInput(f"{problem}; {CERTAIN}, and its rolls are too many to draw from") from None
            raise


PARAMETERS = (
    BoardParameter("board", "5x5", "rows x columns, triangle:N, or the file of a map"),
    DiceParameter("max_dice", 5, "dice a tile can hold", 2, MOST_DICE),
    Parameter("sides", 6, "sides of a die", 2, 20),
    Parameter("players", 2, "players", 2, 4),
    Parameter("reinforcement", "deterministic", "how new dice come at the end of a turn", choices=REINFORCEMENTS),
    Parameter(
        "initialisation", "random", "tiles dealt at random, or as many to every player", choices=("random", "equal")
    ),
    Parameter("turns", 100, "turns after which the game is a tie; 0 for no limit", 0, 10_000),
    Parameter(
        "objective",
        "zero-sum",
        "what a solver plays for: a tie is half a win, or nothing",
        choices=("zero-sum", "own-win"),
    ),
)


def make(parameters: Mapping[str, Any]) -> Params:
    """The parameters as numbers, with the board and the odds of every battle."""
    grid = read_board(parameters["board"])
    tiles, most, players = count_tiles(grid), parameters["max_dice"], parameters["players"]
    if tiles < players:
        raise BadInput(f"players={players}: the board {parameters['board']} has only {tiles} tiles")
    win, every = _battles(most, parameters["sides"], parameters["turns"])
    beside, reinforcement = neighbours(grid), REINFORCEMENTS.index(parameters["reinforcement"])
    edges = [(tile, other) for tile, others in enumerate(beside) for other in others]
    return Params(
        players,
        tiles,
        (1 << tiles) - 1,
        most,
        reinforcement,
        int(parameters["initialisation"] == "equal"),
        parameters["turns"],
        int(parameters["objective"] == "own-win"),
        len(edges),
        _fixed([sum(1 << other for other in others) for others in beside]),
        _fixed([0, *np.cumsum([len(others) for others in beside])]),
        _fixed([tile for tile, _ in edges]),
        _fixed([other for _, other in edges]),
        _fixed(win),
        _fixed(every),
        _fixed(np.array(win) / np.array(every), np.float64),
        _fixed(grid),
        sets_of(beside, players, reinforcement),
        scratch=(),
    )


def scratch(g: Params) -> Scratch:
    return Scratch(*room(g.edges, g.tiles))


def _fixed(values: Any, kind: Any = np.int64) -> np.ndarray:
    table = np.array(values, kind)
    table.flags.writeable = False
    return table


def _battles(most: int, sides: int, turns: int) -> tuple[list[list[int]], list[list[int]]]:
    """For a dice against b how many of how many rolls win, in lowest terms."""
    win = [[0] * (most + 1) for _ in range(most + 1)]
    every = [[1] * (most + 1) for _ in range(most + 1)]
    for a in range(2, most + 1):
        for b in range(1, most + 1):
            odds = battle(a, b, sides)
            win[a][b], every[a][b] = odds.numerator, odds.denominator
            if odds.denominator > MOST_ROLLS:
                why = f"; nor would they be solved: {CERTAIN}" if most > sides else ""
                raise BadInput(
                    f"max_dice={most} sides={sides}: {a} dice against {b} have more than 2^31 rolls to draw from; "
                    f"take fewer dice or sides{why}"
                )
            if turns == 0 and odds in (0, 1):
                outcome = "lose" if odds == 1 else "win"
                raise BadInput(
                    f"turns=0, as for all solving: {a} dice of {sides} sides cannot {outcome} against {b}, "
                    f"so a game might never end; set a limit of turns, or max_dice={sides} or fewer"
                )
    return win, every


def fit(parameters: dict[str, Any], text: str) -> dict[str, Any]:
    """Parameters for the board, the dice and the players of a position, where the user has not set them."""
    board, _, rest = text.partition(" ")
    dice = [int(n) for n in re.findall(r"\b[rbgy](\d)\b", rest, re.ASCII)]
    found: dict[str, Any] = {"board": board} if rest else {}
    if 5 < max(dice, default=0) <= MOST_DICE:
        found["max_dice"] = max(dice)
    colours = [COLOURS.index(c) for c in re.findall(r"\b([rbgy])\d\b", rest, re.ASCII)]
    if max(colours, default=0) > 1:
        found["players"] = max(colours) + 1
    return found | parameters
