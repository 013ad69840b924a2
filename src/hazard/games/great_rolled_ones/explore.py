"""The maps of Great Rolled Ones that the lab shows: the optimal policy of both players before the last round.

Arrays are bytes: whole numbers in one byte each, yes and no as bits from the highest on, values in single precision
with the lowest byte first. They are indexed [ones aside, own score, other's score, ...].
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import numpy as np

from hazard.declaration import Explorer, Parameter
from hazard.errors import BadInput
from hazard.games.great_rolled_ones.policy_map import Map, makeable, openings
from hazard.rulebook import Game
from hazard.solving.solution import solved, within_reach

MOST_BYTES = 36_000_000  # of the values of both moves


def explore(game: Game, _: str) -> dict[str, Any]:
    """The policy of both players, and what both moves are worth."""
    refuse_large(game)
    if not within_reach(game):
        raise BadInput(f"{_named(game)}: takes long to solve; run `{_command('solve', game)}` first, then come back")
    solution = solved(game)
    chart, counted = Map(solution), range(game.g.bust)
    worth = [np.stack([chart.worth(seat, ones) for ones in counted]) for seat in range(2)]
    pots = [_pots(table) for table in worth]
    return {
        "parameters": game.parameters,
        "goal": chart.goal,
        "bust": game.g.bust,
        "error": solution.error,
        "chances": list(solution.value(game.start())),
        "seats": [_seat(chart, seat, worth[seat], pots[seat]) for seat in range(2)],
        "worth": [_bytes(worth[seat][..., : pots[seat], :].transpose(1, 2, 0, 3, 4), "<f4") for seat in range(2)],
    }


def refuse_large(game: Game) -> None:
    """Refuse what is too large to be shown, before anything is solved."""
    g = game.g
    if g.players != 2:
        raise BadInput(f"players={g.players}: maps are for two players; `{_command('solve', game)}` solves this game")
    if g.bust * g.goal**2 * (g.ceiling + g.goal + 2) * 8 > MOST_BYTES:
        raise BadInput(
            f"{_named(game)}: too large for a map in the browser, take a goal of 75 or less; "
            f"`{_command('solve', game)}` solves it, and `{_command('advise', game)} POSITION` reads it"
        )


def _named(game: Game) -> str:
    return " ".join(f"{name}={value}" for name, value in _changed(game).items()) or game.name


def _changed(game: Game) -> dict[str, Any]:
    """The parameters that differ from their defaults."""
    defaults = {p.name: p.default for p in game.declaration.parameters}
    return {name: value for name, value in game.parameters.items() if value != defaults[name]}


def _command(verb: str, game: Game) -> str:
    return " ".join([f"hazard {verb} {game.name}", *(f"-p {name}={value}" for name, value in _changed(game).items())])


def _pots(worth: np.ndarray) -> int:
    """How many pots are shown: a few more than those it is ever right to roll with."""
    rolls = worth[..., 0] >= worth[..., 1]
    return min(rolls.shape[3], int(np.nonzero(rolls)[3].max(initial=0)) + 7)


def _seat(chart: Map, seat: int, worth: np.ndarray, pots: int) -> dict[str, Any]:
    """Of one player: the pots it rolls with, those that dice can make, the least it holds at, the worth of turns."""
    rolls, counted = worth[..., :pots, 0] >= worth[..., :pots, 1], range(chart.game.g.bust)
    return {
        "pots": pots,
        "rolls": _bytes(np.packbits(rolls), "u1"),
        "made": _bytes(np.stack([makeable(chart.game, ones, pots - 1) for ones in counted]), "u1"),
        "hold": _bytes(np.stack([chart.smallest_hold(seat, ones) for ones in counted]), "u1"),
        "start": _bytes(_starts(chart, seat), "<f4"),
    }


def _starts(chart: Map, seat: int) -> np.ndarray:
    """What the start of a turn is worth to the mover."""
    scores = np.arange(chart.goal)
    low = chart.solution.tables()["low"][openings(chart.goal, seat, scores[:, None], scores[None, :])]
    return (low[..., 0] + 1 - low[..., 1]) / 2


def _bytes(table: np.ndarray, kind: str) -> bytes:
    return np.ascontiguousarray(table).astype(kind).tobytes()


def worth_row(answer: dict[str, Any], query: Mapping[str, str]) -> bytes:
    """What both moves are worth to a seat with one own score: [other, ones, pot, move]."""
    most = {"seat": 1, "own": answer["goal"] - 1}
    seat, own = (int(Parameter(name, 0, "", 0, top).check(query.get(name, 0))) for name, top in most.items())
    size = answer["goal"] * answer["bust"] * answer["seats"][seat]["pots"] * 2 * 4
    return _slice(answer["worth"][seat], own * size, size)


def _slice(text: str, first: int, size: int) -> bytes:
    """Some of the bytes that a text in base64 stands for, without decoding all of it."""
    begin = first // 3 * 4
    end = -(-(first + size) // 3) * 4
    return base64.b64decode(text[begin:end])[first % 3 : first % 3 + size]


EXPLORER = Explorer(
    explore=explore, parameters=("goal", "dice", "bust", "sides"), remembered=6, parts={"worth": worth_row}
)
