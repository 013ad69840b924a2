"""Plays one batch and packs it as Parquet: what a worker does, here or on another machine.

A task is the setting as bytes and a batch; the answer holds the content of the batch's files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from hazard.agents.seating import seat_agents
from hazard.arena.bots.limits import SUSPENDED
from hazard.arena.match import tally_of
from hazard.arena.play.seated import Played, Seated, seat
from hazard.arena.statistics.intervals import Tally
from hazard.arena.tournament.decisions import moves_table
from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import LUCK, Setting
from hazard.errors import BadInput
from hazard.rulebook import Game

if TYPE_CHECKING:
    import pyarrow as pa


class Result(NamedTuple):
    """What a worker sends back."""

    files: dict[str, bytes]  # by kind
    tally: Tally | None  # not of games that begin in the middle of a deal
    suspended: list[str]  # bots that failed too often


def play_batch(raw: bytes, batch: Batch, expelled: Collection[str] = ()) -> Result:
    """Play the games of a batch."""
    setting, game = _setting(raw)
    played, tables = play_tables(setting, game, _table(raw, batch.line_up), batch, expelled)
    files = {kind: pack(table) for kind, table in tables.items()}
    away = {f.place for some in played.faults or [] for f in some if f.reason == SUSPENDED}
    tally = None if batch.first % game.seats else tally_of(game, batch.first, played)
    return Result(files, tally, [setting.names(batch.line_up)[place] for place in sorted(away)])


def play_tables(
    setting: Setting, game: Game, seated: Seated, batch: Batch, expelled: Collection[str] = ()
) -> tuple[Played, dict[str, pa.Table]]:
    """Play some games of a line-up; the tables of a batch that consists of them."""
    played = seated.play(batch.first, batch.last - batch.first, setting.record, expelled)
    if setting.luck:  # what is kept is what counts, so that reading it again gives the same sums
        played = played._replace(games=played.games._replace(luck=played.games.luck.astype(np.float32)))
    tables = {"games": games_table(setting, game, batch, played)}
    if setting.record and played.log is not None:
        tables["moves"] = moves_table(setting, game, batch, played.games, played.log)
    return played, tables


@lru_cache(maxsize=4)
def _setting(raw: bytes) -> tuple[Setting, Game]:
    setting = msgspec.json.decode(raw, type=Setting)
    setting.check_versions()
    return setting, setting.made()


@lru_cache(maxsize=256)
def _table(raw: bytes, line_up: int) -> Seated:
    setting, game = _setting(raw)
    for name in [*setting.names(line_up), LUCK]:
        if name in setting.reads and read_by(game, name) != setting.reads[name]:
            raise BadInput(other_reading(name))
    return seated(setting, game, line_up)


def seated(setting: Setting, game: Game, line_up: int) -> Seated:
    """A line-up of the tournament."""
    values = values_of(game) if setting.luck else None
    names, seed = setting.names(line_up), setting.line_up_seed(line_up)
    return seat(game, names, seed, setting.shared, values, setting.limits, setting.agents)


# --- what agents read ----------------------------------------------------------------------------------------------
def all_read(setting: Setting, game: Game) -> dict[str, str]:
    """Digests of what the agents play by, and of the values that luck is counted by."""
    agents = [name for name in setting.agents if name in game.agents and game.agents[name].reads]
    return {name: read_by(game, name) for name in [*agents, *([LUCK] if setting.luck else [])]}


@lru_cache(maxsize=64)
def read_by(game: Game, name: str) -> str:
    """A digest of the table or the weights that an agent reads: solved anew, a table may differ in its last digits."""
    memory = values_of(game) if name == LUCK else seat_agents(game, [name])[1][0]
    return hashlib.sha256(np.ascontiguousarray(memory).view(np.uint8).data).hexdigest()[:16]


def other_reading(name: str) -> str:
    what = "luck is counted by other values" if name == LUCK else f"{name!r} reads another table or other weights"
    return f"{what} than when the tournament began; put them back, or play it again in another folder"


@lru_cache(maxsize=1)
def values_of(game: Game) -> np.ndarray:
    """The values that luck is counted by."""
    from hazard.arena.play.luck import values_for

    return values_for(game)


# --- Parquet -------------------------------------------------------------------------------------------------------
def games_table(setting: Setting, game: Game, batch: Batch, played: Played) -> pa.Table:
    """One row a game. What follows from these columns, such as the game's number, is left to queries."""
    import pyarrow as pa

    games, count, seats = played.games, batch.last - batch.first, game.seats
    deals = -(-batch.last // seats) - batch.first // seats
    skipped = batch.first % seats
    begun = np.arange(batch.first // seats, batch.first // seats + deals, dtype=np.int32)
    deal = np.repeat(begun, seats)[skipped : skipped + count]
    columns: dict[str, Any] = {
        "line_up": np.full(count, batch.line_up, np.int32),
        "deal": deal if setting.shared else np.arange(batch.first, batch.last, dtype=np.int32),
        "rotation": np.tile(np.arange(seats, dtype=np.int32), deals)[skipped : skipped + count],
        **{f"payoff_{seat + 1}": games.payoffs[:, seat] for seat in range(seats)},
        "length": games.lengths,
        "cut": games.cut,
    }
    if setting.luck:
        columns |= {f"luck_{seat + 1}": games.luck[:, seat] for seat in range(games.luck.shape[1])}
    arrays = {name: pa.array(some) for name, some in columns.items()}
    fields = [pa.field(name, some.type, nullable=False) for name, some in arrays.items()]
    if setting.bots:
        more = _bot_columns(count, played)
        arrays |= more
        fields += [pa.field(name, some.type) for name, some in more.items()]
    return pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))


def _bot_columns(count: int, played: Played) -> dict[str, Any]:
    import pyarrow as pa

    words = [(name, pa.string()) for name in ("reason", "detail", "words")]
    fault, said = pa.struct([("seat", pa.int8()), *words]), pa.struct([("ply", pa.int32()), ("text", pa.string())])
    faults = [
        [{"seat": f.seat + 1, "reason": f.reason, "detail": f.detail, "words": f.words} for f in some] or None
        for some in played.faults or [[]] * count
    ]
    comments = [[{"ply": ply, "text": text} for ply, text in some] or None for some in played.comments or [[]] * count]
    numbers = pa.list_(pa.int64())
    return {
        "faults": pa.array(faults, pa.list_(fault)),
        "comments": pa.array(comments, pa.list_(said)),
        "moves": pa.array(played.moves, numbers) if played.moves else pa.nulls(count, numbers),
    }


def pack(table: pa.Table) -> bytes:
    """The same rows give the same bytes.

    The bytes of numbers are kept apart, which is quick and packs well; a million games stay below five megabytes.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {field.name: field.type for field in table.schema}
    split = {n: "BYTE_STREAM_SPLIT" for n, kind in kinds.items() if pa.types.is_primitive(kind)}
    texts = [n for n, kind in kinds.items() if pa.types.is_string(kind)]
    out = pa.BufferOutputStream()
    pq.write_table(
        table.combine_chunks(),
        out,
        compression={n: "lz4" if n in split else "zstd" for n in kinds},
        use_dictionary=texts,
        column_encoding=split,
        write_statistics=False,
        row_group_size=max(1, table.num_rows),
    )
    return out.getvalue().to_pybytes()


def join(one: bytes, other: bytes) -> bytes:
    """Two parts of a batch as one file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pack(pa.concat_tables([pq.read_table(pa.BufferReader(part)) for part in (one, other)]))
