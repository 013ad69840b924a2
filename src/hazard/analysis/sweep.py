"""What a change of the rules does: a game with many parameters, one row each.

The value of each row is exact where the game can be solved in the time allowed, and otherwise the mean of games between
equal agents, with its interval. How long games last, and how often nobody wins alone, always comes from games played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod, sqrt

import numpy as np

from hazard.analysis.players import player
from hazard.arena.play.compiled import Games, line_up
from hazard.arena.statistics.intervals import Z95
from hazard.declaration import Declaration, Parameter
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game
from hazard.solving.solution import Solution, solved

MOST_ROWS = 10_000
GAMES, GAMES_SLOW = 2_000, 200  # of a row: by agents that are quick, and by those that search
Tell = Callable[[int, int], None]


@dataclass(frozen=True)
class Row:
    """A game with some parameters."""

    parameters: dict[str, int | str]
    value: float  # of the first seat
    margin: float  # the value is no further from the truth than this: certified, or in 95 % of all cases
    known: str  # exact, or match
    agent: str  # that played in every seat
    games: int  # that were played
    length: float  # decisions in a game, on average
    length_margin: float
    draws: float | None  # share of games in which nobody got more than all others; None for one player
    cut: int  # games that did not end
    positions: int | None = None  # that were solved
    remark: str = ""  # why it was not solved
    seconds: float = field(default=0.0, compare=False)


class Late(Exception):  # noqa: N818 - the end of the time allowed
    """Solving takes longer than allowed."""


# --- which parameters ------------------------------------------------------------------------------------------------
def grid(declaration: Declaration, texts: Mapping[str, str]) -> list[dict[str, int | str]]:
    """All combinations of the values that are asked for."""
    known = {p.name: p for p in declaration.parameters}
    for key in texts:
        if key not in known:
            raise unknown("parameter", key, known)
    values = {key: values_of(known[key], text) for key, text in texts.items()}
    if (count := prod(len(some) for some in values.values())) > MOST_ROWS:
        raise BadInput(f"{count:,} rows: a sweep has at most {MOST_ROWS:,}; take larger steps, e.g. goal=10..100:10")
    return [dict(zip(values, some, strict=True)) for some in product(*values.values())]


def values_of(parameter: Parameter, text: str) -> list[int | str]:
    """The values that a text asks for: 10..100, 10..100:10, or a list of those and of single values."""
    found: list[int | str] = []
    for part in text.split(","):
        found += _span(parameter, text, part) if ".." in part else [parameter.check(part)]
    return list(dict.fromkeys(found))


def _span(parameter: Parameter, text: str, part: str) -> list[int | str]:
    ends, _, step = part.partition(":")
    first, _, last = ends.partition("..")
    try:
        low, high, by = int(first), int(last), int(step or "1")
    except ValueError:
        raise BadInput(_unread(parameter, text)) from None
    if isinstance(parameter.default, str) or by < 1 or low > high:
        raise BadInput(_unread(parameter, text))
    parameter.check(low)
    parameter.check(high)
    if (high - low) // by >= MOST_ROWS:
        raise BadInput(f"{parameter.name}={text}: more than {MOST_ROWS:,} values; take larger steps, e.g. 10..100:10")
    return list(range(low, high + 1, by))


def _unread(parameter: Parameter, text: str) -> str:
    if isinstance(parameter.default, str):
        return f"{parameter.name}={text}: must be a list of {parameter.range}, with commas between them"
    return f"{parameter.name}={text}: write a range, with a step or without, or a list: 10..100, 10..100:10 or 10,20,50"


# --- one row ---------------------------------------------------------------------------------------------------------
def sweep(
    game: Callable[[dict[str, int | str]], Game],
    rows: Sequence[dict[str, int | str]],
    seconds: float = 60.0,
    agent: str = "",
    games: int | None = None,
    tell: Tell | None = None,
) -> Iterator[Row]:
    """The rows, one after the other. `game` makes a game with such parameters; no seconds: nothing is solved."""
    for number, parameters in enumerate(rows):
        if tell:
            tell(number, len(rows))
        yield _row(game(parameters), parameters, seconds, agent, games)


def _row(game: Game, parameters: dict[str, int | str], seconds: float, agent: str, games: int | None) -> Row:
    began = time.perf_counter()
    solution, remark = (None, "") if agent else _solution(game, seconds)
    who = agent or _best(game, solved=solution is not None)
    count = games or (GAMES_SLOW if game.agents[player(game, who).name].slow else GAMES)
    played = line_up(game, [who] * game.seats, 1, shared=False).play(0, count)
    paid = played.payoffs[:, 0]
    facts = {"value": float(paid.mean()), "margin": _margin(paid), "known": "match"}
    if solution:
        start = game.start()
        low, high = solution.bounds(start)
        facts = {"value": solution.value(start)[0], "margin": (high[0] - low[0]) / 2, "known": "exact"}
        facts |= {"positions": int(solution.meta["states"])}
    lengths = played.lengths.astype(np.float64)
    facts |= {"length": float(lengths.mean()), "length_margin": _margin(lengths), "draws": _draws(played)}
    took = time.perf_counter() - began
    return Row(parameters, agent=who, games=count, cut=int(played.cut.sum()), remark=remark, seconds=took, **facts)  # type: ignore[arg-type]


def _solution(game: Game, seconds: float) -> tuple[Solution | None, str]:
    """The solution, or why there is none."""
    if seconds <= 0 or not _best(game, solved=True):
        return None, ""
    if "deal" in game.contract:
        return None, f"{game.name} begins with boards that are dealt: it has no one value"
    began: list[float] = []  # when the first positions were found, once all is compiled

    def check(done: int, total: int) -> None:
        began.append(time.monotonic())
        if began[-1] - began[0] > seconds:
            raise Late
        del began[1:]

    try:
        return solved(game, progress=check), ""
    except Late:
        return None, f"solving takes more than {seconds:g} s"
    except BadInput as problem:
        return None, str(problem)


def _best(game: Game, solved: bool) -> str:
    """The agent that plays: the one that plays a solution, or the strongest that is quick, if there is one."""
    if solved:
        return next((name for name, agent in game.agents.items() if agent.solved), "")
    if not game.agents[game.declaration.rollout].uniform:
        return game.declaration.rollout
    named = [name for name in game.declaration.lab.opponents if not game.agents[name].solved]
    return next((name for name in named if not game.agents[name].uniform), game.declaration.rollout)


def _margin(figures: np.ndarray) -> float:
    return Z95 * float(figures.std(ddof=1)) / sqrt(len(figures)) if len(figures) > 1 else float("inf")


def _draws(played: Games) -> float | None:
    if played.payoffs.shape[1] == 1:
        return None
    best = played.payoffs.max(axis=1, keepdims=True)
    return float(((played.payoffs == best).sum(axis=1) > 1).mean())
