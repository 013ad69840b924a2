"""Every decision as a row: the position as text and as numbers, the move, and what the game paid in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hazard.arena.play.compiled import Games
from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.setting import Setting
from hazard.rulebook import Game

if TYPE_CHECKING:
    import pyarrow as pa


def moves_table(setting: Setting, game: Game, batch: Batch, games: Games, log: np.ndarray) -> pa.Table:
    """A table of the decisions in `log`: rows of a move's number and the position's numbers, game by game."""
    import pyarrow as pa

    lengths, fields = games.lengths, game.rules.State._fields
    owner = np.repeat(np.arange(len(lengths)), lengths)
    mover = log[:, 1 + fields.index("mover")]
    ply = np.arange(len(log)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    positions, moves = _texts(game, log)
    columns: dict[str, Any] = {
        "game": pa.array(setting.game_id(batch.line_up, batch.first + owner), pa.int64()),
        "ply": pa.array(ply, pa.int32()),
        "seat": pa.array(mover + 1, pa.int8()),
        "position": positions,
        "move": moves,
        "move_number": pa.array(np.ascontiguousarray(log[:, 0]), pa.int64()),
        "payoff": pa.array(games.payoffs[owner, mover]),
    }
    for n, name in enumerate(fields):
        columns[f"s_{name}"] = pa.array(np.ascontiguousarray(log[:, 1 + n]))
    return pa.table(columns)


def _texts(game: Game, log: np.ndarray) -> tuple[Any, Any]:
    """Positions and moves in words; each different row is put into words once."""
    import pyarrow as pa

    rows = np.ascontiguousarray(log)
    keys = pa.FixedSizeBinaryArray.from_buffers(pa.binary(8 * rows.shape[1]), len(rows), [None, pa.py_buffer(rows)])
    coded = keys.dictionary_encode()
    positions, moves = [], []
    for key in coded.dictionary.to_pylist():
        number, *state = (int(n) for n in np.frombuffer(key, np.int64))
        s = game.rules.State(*state)
        positions.append(game.notation.text(game.table, s))
        moves.append(game.notation.move_text(game.table, s, number))
    return tuple(pa.array(some, pa.string()).take(coded.indices) for some in (positions, moves))
