"""What pages that explore solved games are made of, worked out in a worker: maps, tables and advice, in compact form.

`explored` gives plain data for JSON. Arrays are bytes, which JSON has in base64: whole numbers as bytes, yes and no as
bits from the highest on, values in single or double precision with the lowest byte first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.solving.solution import solved, within_reach

MOST_BYTES = 36_000_000  # of a table of values that is handed on
MOST_ARMIES = 60
MOST_STAKE = 40
VALUES = "chance of winning"


def explored(game: Game, about: str) -> dict[str, Any]:
    """All that is shown of a game; `about` is a position where one is asked about."""
    known: dict[str, Callable[[Game, str], dict[str, Any]]] = {
        "great-rolled-ones": lambda game, _: policy(game),
        "risk": lambda game, _: war(game),
        "pickomino": advice,
    }
    if game.name not in known:
        raise BadInput(f"{game.name}: there is nothing to explore; there is for {', '.join(known)}")
    return known[game.name](game, about)


def _bytes(table: np.ndarray, kind: str) -> bytes:
    return np.ascontiguousarray(table).astype(kind).tobytes()


# --- Great Rolled Ones -----------------------------------------------------------------------------------------------
def policy(game: Game) -> dict[str, Any]:
    """The optimal policy before the last round; arrays are indexed [ones aside, own score, other's score, ...]."""
    from hazard.studies.great_rolled_ones.map import Map

    refuse_large(game)
    solution = solved(game) if within_reach(game) else None
    if solution is None:
        raise BadInput(f"{_named(game)}: takes long to solve; run `{_command('solve', game)}` first, then come back")
    chart = Map(solution)
    told = {"parameters": game.parameters, "goal": chart.goal, "bust": game.table.bust, "error": solution.error}
    start = list(solution.value(game.start()))
    return told | {"chances": start, "seats": [_seat(chart, seat) for seat in range(2)]}


def refuse_large(game: Game) -> None:
    """Before anything is solved: what is too large to be shown."""
    g = game.table
    if g.players != 2:
        raise BadInput(f"players={g.players}: maps are for two players; `{_command('solve', game)}` solves this game")
    if g.bust * g.goal**2 * (g.ceiling + g.goal + 2) * 8 > MOST_BYTES:
        raise BadInput(
            f"{_named(game)}: too large for a map in the browser, take a goal of 75 or less; "
            f"`{_command('solve', game)}` solves it, and `{_command('advise', game)} POSITION` reads it"
        )


def _named(game: Game) -> str:
    return " ".join(f"{name}={value}" for name, value in _set(game).items()) or game.name


def _set(game: Game) -> dict[str, Any]:
    """The parameters that are not as usual."""
    return {p.name: game.parameters[p.name] for p in game.notation.PARAMETERS if game.parameters[p.name] != p.default}


def _command(verb: str, game: Game) -> str:
    return " ".join([f"hazard {verb} {game.name}", *(f"-p {name}={value}" for name, value in _set(game).items())])


def _seat(chart: Any, seat: int) -> dict[str, Any]:
    """Of one player: which pots it rolls with, the least it holds at, what turns and both moves are worth."""
    from hazard.studies.great_rolled_ones.map import makeable

    counted = range(chart.game.table.bust)
    worth = np.stack([chart.worth(seat, ones) for ones in counted])
    gain = worth[..., 0] - worth[..., 1]
    rolls = gain >= 0
    top = min(gain.shape[3], int(np.nonzero(rolls)[3].max(initial=0)) + 7)  # pots beyond are held at any rate
    made = np.stack([makeable(chart.game, ones, top - 1) for ones in counted])
    hold = np.stack([chart.smallest_hold(seat, ones) for ones in counted])
    return {
        "pots": top,
        "rolls": _bytes(np.packbits(rolls[..., :top]), "u1"),
        "made": _bytes(made, "u1"),
        "hold": _bytes(hold, "u1"),
        "start": _bytes(_starts(chart, seat), "<f4"),
        "worth": _bytes(worth[..., :top, :].transpose(1, 2, 0, 3, 4), "<f4"),  # [own, other, ones, pot, move]
    }


def _starts(chart: Any, seat: int) -> np.ndarray:
    """What the start of a turn is worth to the mover."""
    from hazard.studies.great_rolled_ones.map import openings

    scores = np.arange(chart.goal)
    low = chart.solution.low[openings(chart.goal, seat, scores[:, None], scores[None, :])]
    return (low[..., 0] + 1 - low[..., 1]) / 2


# --- Risk ------------------------------------------------------------------------------------------------------------
def war(game: Game) -> dict[str, Any]:
    """Every battle up to some armies: what the attacker can expect, and the best answers to each of his rolls."""
    from hazard.games.risk.exact import battles, koole_dice

    most, objective = _war(game)
    found = battles(most, most, objective)
    armies = range(most + 1)
    best = [[float(found.value(a, d)) if a else 0.0 for d in armies] for a in armies]
    rules = {"classic": lambda faces, d: min(2, d), "koole": koole_dice, "one": lambda faces, d: 1}
    values = {"dutch": best} | {name: _by_rule(found, rule) for name, rule in rules.items()}
    return {
        "armies": most,
        "objective": objective,
        "values": {name: _bytes(np.array(table), "<f8") for name, table in values.items()},
        "rolls": [[_roll(found, dice, *roll) for roll in found.attacks(dice + 1)] for dice in range(1, 4)],
        "best": _bytes(found.best, "u1"),  # [attackers, defenders, roll]: 1 for one die, 2 for two, 3 for both
        "error": 1e-12,
        "stakes": _stakes(),
    }


def _war(game: Game) -> tuple[int, str]:
    p: dict[str, Any] = game.parameters
    most = max(p["attackers"], p["defenders"])
    if most > MOST_ARMIES:
        raise BadInput(
            f"{most} armies: up to {MOST_ARMIES} are shown here; `hazard solve risk -p attackers={p['attackers']} "
            f"-p defenders={p['defenders']}` solves larger battles"
        )
    return most, p["objective"]


def _roll(found: Any, dice: int, faces: tuple[int, ...], weight: int) -> dict[str, Any]:
    """A roll of the attacker, and in how many rolls of one die and of two he loses 0, 1, ... armies."""
    from hazard.games.risk.exact import outcomes

    lost = [outcomes(dice, j, found.sides, faces) for j in (1, 2)]
    return {"faces": faces, "chance": weight / found.sides**dice, "lost": lost}


def _by_rule(found: Any, rule: Callable[[tuple[int, ...], int], int]) -> list[list[float]]:
    """What the attacker can expect of a defender who goes by a rule; sums of positive numbers, right to 1e-12."""
    from hazard.games.risk.exact import OBJECTIVES

    ended, armies = OBJECTIVES[found.objective], range(found.attackers + 1)
    table = [[float(ended(a, d)) for d in armies] for a in armies]
    for a in armies[2:]:
        for d in armies[1:]:
            total = sum(
                weight * _answered(found, table, a, d, faces, rule(faces, d)) for faces, weight in found.attacks(a)
            )
            table[a][d] = total / sum(weight for _, weight in found.attacks(a))
    return table


def _answered(found: Any, table: list[list[float]], a: int, d: int, faces: tuple[int, ...], dice: int) -> float:
    from hazard.games.risk.exact import outcomes

    ways = outcomes(min(a - 1, found.attack_dice), dice, found.sides, faces)
    pairs = len(ways) - 1
    return sum(n * table[a - lost][d - pairs + lost] for lost, n in enumerate(ways)) / found.sides**dice


def _stakes() -> list[dict[str, Any]]:
    """Koole's problem: with 1, 2, ... armies at stake what the attacker loses at most, and the best answers."""
    from hazard.games.risk.koole import Problem

    found = Problem().stakes(MOST_STAKE)
    return [
        {"loss": float(found.value(n)), "best": [sum(1 << j - 1 for j in best) for best in found.best_at(n)]}
        for n in range(1, MOST_STAKE + 1)
    ]


# --- Pickomino -------------------------------------------------------------------------------------------------------
def advice(game: Game, text: str) -> dict[str, Any]:
    """What to do in a turn: every move with its value and chances; and how likely each score is to be reached."""
    from hazard.analysis.advice import advise_report
    from hazard.games.pickomino.solver.advice import at_stake
    from hazard.games.pickomino.turn.endings import ends_of

    position = game.parse(text) if text else game.start()
    if position.over:
        raise BadInput("centre -: the game is over; put a tile in the centre")
    failed = str(Position(game, ends_of(game.table, position.state).failed))
    after = {name: str(position.move(name)) for name in position.moves}
    told = {"position": str(position), "parameters": game.parameters, "failed": failed, "after": after}
    told |= {"reach": _reach(position)}
    if position.rolling:
        return told | {"rolling": True, "at_stake": at_stake(game.table, position.state), "moves": [], "values": VALUES}
    return told | {"rolling": False, "values": VALUES} | advise_report(game, str(position), 1e-9, None, None, None)


def _reach(position: Any) -> dict[str, Any]:
    """The best chances to stop with at least so many points, and with just so many, for each way to go on."""
    from hazard.games.pickomino.rules import FACES, LOWEST, ROLL
    from hazard.games.pickomino.turn.endings import Turn, after_move
    from hazard.games.pickomino.turn.states import state_of

    g, s = position.game.table, position.state
    ways = {"roll": (int(state_of(g, s.kept)), True)} if position.rolling else {}
    for name, m in zip(position.moves, position.legal(), strict=True):
        if m < FACES or m == ROLL:
            ways[name] = after_move(g, s, m)
    scores = [*range(LOWEST, min(LOWEST + g.tiles, 5 * g.dice + 1))]
    turns = [[Turn(g.dice, ends) for ends in row] for row in _wanted(g.dice, scores)]
    found = {name: [[turn.value(*where) for turn in row] for row in turns] for name, where in ways.items()}
    return {"scores": scores, "ways": found}


def _wanted(dice: int, scores: list[int]) -> list[list[np.ndarray]]:
    """Values of endings to one who wants at least so many points, and to one who wants just so many."""
    from hazard.games.pickomino.turn.states import NEVER

    every = np.arange(5 * dice + 1)

    def ends(good: np.ndarray) -> np.ndarray:
        return np.concatenate([np.where(good, 1.0, NEVER), np.full(len(every), NEVER), [0.0]])

    return [[ends(every >= n) for n in scores], [ends(every == n) for n in scores]]
