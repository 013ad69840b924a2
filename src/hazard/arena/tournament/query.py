"""Questions to a tournament's folder in SQL, answered by DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hazard.arena.tournament.setting import Setting
from hazard.arena.tournament.store import KINDS, Store, read_setting
from hazard.errors import BadInput


def query(folder: Path, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Ask DuckDB about a tournament: tables games, results (a row for each agent in each game), line_ups, moves."""
    import duckdb

    store = Store(folder, read_setting(folder))
    store.check()
    files = store.files("games")
    if not files:
        raise BadInput(f"{folder}: no batch is complete yet; `hazard resume {folder}` plays on")
    with duckdb.connect() as base:
        try:
            _lay_out(base, store)
            found = base.execute(sql)
            if found is None or not found.description:  # None for a text without any statement
                raise BadInput(f"--sql {sql!r}: gives no table; begin with select")
            return [column[0] for column in found.description], found.fetchall()
        except (duckdb.Error, ValueError, OverflowError) as problem:  # also what Python has no value for
            raise (
                problem if isinstance(problem, BadInput) else BadInput(f"--sql {sql!r}: {_first_line(problem)}")
            ) from None


def _first_line(problem: Exception) -> str:
    """What DuckDB says, without the lines that show where."""
    return str(problem).strip().partition("\n")[0] or type(problem).__name__


def _lay_out(base: Any, store: Store) -> None:
    """Make the tables; afterwards no other files can be read or written."""
    setting = store.setting
    base.execute("create table line_ups(line_up integer, place integer, agent varchar)")
    rows = [[n, place, name] for n in range(len(setting.line_ups)) for place, name in enumerate(setting.names(n))]
    base.executemany("insert into line_ups values (?, ?, ?)", rows)
    for kind, table in zip(KINDS, ("played", "moves"), strict=True):
        if files := [str(path) for path in store.files(kind)]:
            base.from_parquet(files).create(table)
    seats = range(1, len(setting.line_ups[0]) + 1)
    base.execute(f"create view games as {_games(seats, setting)}")
    each = "select game, line_up, deal, {0} as seat, seat_{0} as agent, payoff_{0} as payoff, length from games"
    base.execute(f"create view results as {' union all '.join(each.format(seat) for seat in seats)}")
    base.execute("set enable_external_access = false")


def _games(seats: range, setting: Setting) -> str:
    """The view of all games: the stored columns with the game's number, the agents' names by seat and the winner's."""
    number = f"(p.deal::bigint * {len(seats)} + p.rotation)" if setting.shared else "p.deal::bigint"
    names = ", ".join(f"a{seat}.agent as seat_{seat}" for seat in seats)
    most = f"greatest({', '.join(f'payoff_{seat}' for seat in seats)})"
    alone = " + ".join(f"(payoff_{seat} = {most})::int" for seat in seats)
    which = " ".join(f"when payoff_{seat} = {most} then a{seat}.agent" for seat in seats)
    joined = " ".join(
        f"join line_ups a{seat} on a{seat}.line_up = p.line_up "
        f"and a{seat}.place = ({seat - 1} - p.rotation + {len(seats)}) % {len(seats)}"
        for seat in seats
    )
    winner = f"case when {alone} > 1 then null {which} end as winner"
    game = f"{number} * {len(setting.line_ups)} + p.line_up as game"
    return f"select {game}, p.* exclude (rotation), {names}, {winner} from played p {joined}"
