"""Plays one batch and packs it as Parquet: what a worker does, here or on another machine.

A task is the setting as bytes and a batch; the answer holds the content of the batch's files.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from hazard.arena.bots.limits import SUSPENDED
from hazard.arena.record import moves_table
from hazard.arena.schedule import Batch
from hazard.arena.setting import Setting
from hazard.arena.tables import Played, Table, lay
from hazard.rulebook import Game

if TYPE_CHECKING:
    import pyarrow as pa


class Result(NamedTuple):
    """What a worker sends back."""

    files: dict[str, bytes]  # by kind
    suspended: list[str]  # bots that failed too often


def play_batch(raw: bytes, batch: Batch, expelled: Collection[str] = ()) -> Result:
    """Play the games of a batch."""
    setting, game = _setting(raw)
    played = _table(raw, batch.line_up).play(batch.first, batch.last - batch.first, setting.record, expelled)
    files = {"games": pack(games_table(setting, game, batch, played))}
    if setting.record and played.log is not None:
        files["moves"] = pack(moves_table(setting, game, batch, played.games, played.log))
    away = {f.place for some in played.faults or [] for f in some if f.reason == SUSPENDED}
    return Result(files, [setting.names(batch.line_up)[place] for place in sorted(away)])


@lru_cache(maxsize=4)
def _setting(raw: bytes) -> tuple[Setting, Game]:
    setting = msgspec.json.decode(raw, type=Setting)
    return setting, setting.made()


@lru_cache(maxsize=256)
def _table(raw: bytes, line_up: int) -> Table:
    setting, game = _setting(raw)
    values = _values(raw) if setting.luck else None
    names, seed = setting.names(line_up), setting.line_up_seed(line_up)
    return lay(game, names, seed, setting.shared, values, setting.limits)


@lru_cache(maxsize=1)
def _values(raw: bytes) -> np.ndarray:
    from hazard.arena.luck import values_for

    return values_for(_setting(raw)[1])


# --- Parquet -------------------------------------------------------------------------------------------------------
def seated(line_up: Sequence[int], batch: Batch) -> np.ndarray:
    """seated[n, seat]: the agent that sits at a seat in the n-th game of a batch."""
    seats = len(line_up)
    numbers = np.arange(batch.first, batch.last)[:, None]
    return np.asarray(line_up)[(np.arange(seats)[None, :] - numbers) % seats]


def games_table(setting: Setting, game: Game, batch: Batch, played: Played) -> pa.Table:
    """One row a game."""
    import pyarrow as pa

    games, numbers = played.games, np.arange(batch.first, batch.last)
    agents, names = seated(setting.line_ups[batch.line_up], batch), pa.array(setting.agents)
    columns: dict[str, Any] = {
        "game": pa.array(setting.game_id(batch.line_up, numbers), pa.int64()),
        "line_up": pa.array(np.full(len(numbers), batch.line_up, np.int32)),
        "deal": pa.array(numbers // game.seats if setting.shared else numbers, pa.int64()),
    }
    for seat in range(game.seats):
        columns[f"seat_{seat + 1}"] = names.take(pa.array(agents[:, seat]))
    for seat in range(game.seats):
        columns[f"payoff_{seat + 1}"] = pa.array(games.payoffs[:, seat])
    columns["winner"] = names.take(_winners(games.payoffs, agents))
    columns["length"] = pa.array(games.lengths.astype(np.int32))
    columns["cut"] = pa.array(games.cut.astype(bool))
    if setting.luck:
        for seat in range(game.seats - 1):
            columns[f"luck_{seat + 1}"] = pa.array(games.luck[:, seat].astype(np.float32))
    if setting.bots:
        columns |= _bot_columns(len(numbers), played)
    return pa.table(columns)


def _winners(payoffs: np.ndarray, agents: np.ndarray) -> pa.Array:
    """The agent with the most, or null where several have it."""
    import pyarrow as pa

    best = payoffs.max(axis=1, keepdims=True)
    alone = (payoffs == best).sum(axis=1) == 1
    won = np.take_along_axis(agents, payoffs.argmax(axis=1)[:, None], axis=1)[:, 0]
    return pa.array(won, mask=~alone)


def _bot_columns(count: int, played: Played) -> dict[str, Any]:
    import pyarrow as pa

    words = [(name, pa.string()) for name in ("reason", "detail", "words")]
    fault, said = pa.struct([("seat", pa.int8()), *words]), pa.struct([("ply", pa.int32()), ("text", pa.string())])
    faults = [
        [{"seat": f.seat + 1, "reason": f.reason, "detail": f.detail, "words": f.words} for f in some] or None
        for some in played.faults or [[]] * count
    ]
    comments = [[{"ply": ply, "text": text} for ply, text in some] or None for some in played.comments or [[]] * count]
    return {
        "faults": pa.array(faults, pa.list_(fault)),
        "comments": pa.array(comments, pa.list_(said)),
        "moves": pa.array(played.moves, pa.binary()) if played.moves else pa.nulls(count, pa.binary()),
    }


def pack(table: pa.Table) -> bytes:
    """The same rows give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stepping = [name for name in ("game", "deal", "ply") if name in table.column_names]
    smooth = [name for name in table.column_names if name.startswith("luck_")]
    encoding = dict.fromkeys(stepping, "DELTA_BINARY_PACKED") | dict.fromkeys(smooth, "BYTE_STREAM_SPLIT")
    few = [
        name for name in table.column_names if name not in encoding and name not in ("faults", "comments", "moves")
    ]
    out = pa.BufferOutputStream()
    pq.write_table(
        table.combine_chunks(),
        out,
        compression="zstd",
        compression_level=5,
        use_dictionary=few,
        column_encoding=encoding,
        row_group_size=max(1, table.num_rows),
    )
    return out.getvalue().to_pybytes()


def join(one: bytes, other: bytes) -> bytes:
    """Two parts of a batch as one file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pack(pa.concat_tables([pq.read_table(pa.BufferReader(part)) for part in (one, other)]))
