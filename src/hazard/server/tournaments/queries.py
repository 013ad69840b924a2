"""Queries of a tournament's games: a page of them, and the mean payoff of each seat."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from typing import Any

from hazard.arena.statistics.intervals import Z95
from hazard.arena.tournament.query import query
from hazard.arena.tournament.store import read_setting
from hazard.errors import unknown

PAGE = 20  # games
ORDERS = {"": "game", "number": "game", "longest": "length desc, game", "shortest": "length, game"}
RESULTS = ("", "won", "lost", "tied")


def page_of_games(folder: Path, page: int, agent: str, against: str, result: str, order: str) -> dict[str, Any]:
    """A page of games in which `agent` and `against` sit, with the result that the first had."""
    setting = read_setting(folder)
    for name in (agent, against):
        if name and name not in setting.agents:
            raise unknown("agent in this tournament", name, setting.agents)
    for what, wanted, known in (("result", result, RESULTS), ("order", order, ORDERS)):
        if wanted not in known:
            raise unknown(what, wanted, known)
    seats = range(1, len(setting.line_ups[0]) + 1)
    where = " and ".join(_conditions(seats, agent, against, result)) or "true"
    columns = [f"seat_{n}" for n in seats] + [f"payoff_{n}" for n in seats]
    sql = f"select count(*) over (), game, winner, length, cut, {', '.join(columns)} from games where {where}"
    rows = query(folder, f"{sql} order by {ORDERS[order]} limit {PAGE} offset {PAGE * page}")[1]
    count = rows[0][0] if rows else 0
    numbers = {"count": count, "page": page, "pages": -(-count // PAGE), "first": PAGE * page}
    return numbers | {"games": [_game(row, len(seats)) for row in rows]}


def _game(row: tuple[Any, ...], seats: int) -> dict[str, Any]:
    _, game, winner, length, cut, *rest = row
    facts = {"game": game, "winner": winner, "length": length, "cut": bool(cut)}
    return facts | {"seats": rest[:seats], "payoffs": rest[seats:]}


def _conditions(seats: range, agent: str, against: str, result: str) -> list[str]:
    names = ", ".join(f"seat_{n}" for n in seats)
    conditions = [f"{_text(name)} in ({names})" for name in (agent, against) if name]
    if result == "tied":
        conditions.append("winner is null")
    elif result and agent:
        conditions.append(f"winner {'=' if result == 'won' else '!='} {_text(agent)}")
    return conditions


def _text(value: str) -> str:
    """A text in SQL."""
    return "'" + value.replace("'", "''") + "'"


def by_seat(folder: Path, seats: int) -> list[dict[str, Any]]:
    """The mean payoff of each seat over all games, whoever sat there; its error is that between deals."""
    means = ", ".join(f"avg(payoff_{n}) as m{n}" for n in range(1, seats + 1))
    figures = ", ".join(f"avg(m{n}), stddev_samp(m{n})" for n in range(1, seats + 1))
    deals = f"select {means} from games group by line_up, deal"
    row = query(folder, f"select count(*), {figures} from ({deals})")[1][0]
    return [_estimate(row[1 + 2 * n], row[2 + 2 * n], row[0]) for n in range(seats)]


def _estimate(mean: float, scatter: float | None, deals: int) -> dict[str, Any]:
    margin = None if scatter is None else Z95 * scatter / sqrt(deals)
    low, high = (None, None) if margin is None else (mean - margin, mean + margin)
    return {"mean": mean, "low": low, "high": high}
