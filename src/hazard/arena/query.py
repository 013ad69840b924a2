"""Questions to a tournament's folder in SQL, answered by DuckDB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hazard.arena.store import KINDS, Store, read_setting
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
            if not found.description:
                raise BadInput(f"--sql {sql!r}: gives no table; begin with select")
            return [column[0] for column in found.description], found.fetchall()
        except duckdb.Error as problem:
            raise BadInput(f"--sql {sql!r}: {problem}") from None


def _lay_out(base: Any, store: Store) -> None:
    """Make the tables; afterwards no other files can be read or written."""
    setting = store.setting
    base.execute("create table line_ups(line_up integer, place integer, agent varchar)")
    rows = [[n, place, name] for n in range(len(setting.line_ups)) for place, name in enumerate(setting.names(n))]
    base.executemany("insert into line_ups values (?, ?, ?)", rows)
    for kind in KINDS:
        if files := [str(path) for path in store.files(kind)]:
            base.from_parquet(files).create(kind)
    seats = len(setting.line_ups[0])
    each = " union all ".join(
        f"select game, line_up, deal, {seat} as seat, seat_{seat} as agent, payoff_{seat} as payoff, length from games"
        for seat in range(1, seats + 1)
    )
    base.execute(f"create view results as {each}")
    base.execute("set enable_external_access = false")
