"""Any game of a tournament, move by move, from its seed; what bots did is read from the record."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from hazard import dice
from hazard.agents.seating import decider, seat_agents
from hazard.arena.play.steps import Event, decisions_in, place_at, play_steps, streams_of
from hazard.arena.tournament.schedule import Batch
from hazard.arena.tournament.store import Store, read_setting
from hazard.errors import BadInput
from hazard.rulebook import Game, Position, plus


def replay(folder: Path, game_id: int) -> dict[str, Any]:
    """A game as data: who sat where, and every roll and move with the position before it."""
    setting = read_setting(folder)
    game = setting.made()
    line_up, number = setting.find(game_id)
    row = _row(Store(folder, setting), line_up, number)
    names = setting.names(line_up)
    streams = streams_of(game, setting.line_up_seed(line_up), number, setting.shared)
    choose = _recorded(row["moves"]) if setting.has_bot(line_up) else _decider(game, names, number, streams)
    seats = [names[place_at(seat, number, game.seats)] for seat in range(game.seats)]
    told, paid = _told(game, seats, streams, choose)
    found = {
        "game": game_id,
        "rules": {"game": setting.game, "parameters": setting.parameters, "version": setting.rules},
        "seed": setting.seed,
        "line_up": line_up,
        "number": number,
        "deal": row["deal"],
        "seats": [{"seat": game.seat_name(seat), "agent": name} for seat, name in enumerate(seats)],
        **told,
        "payoffs": [row[f"payoff_{seat + 1}"] for seat in range(game.seats)],
        "faults": row.get("faults") or [],
        "comments": row.get("comments") or [],
    }
    _compare(found, paid, row)
    return found


def _row(store: Store, line_up: int, number: int) -> dict[str, Any]:
    """What is recorded of a game."""
    import pyarrow.parquet as pq

    first = number // store.setting.batch * store.setting.batch
    batch: Batch | None = store.done.get((line_up, first))
    if batch is None or number >= batch.last:
        raise BadInput(
            f"game {store.setting.game_id(line_up, number)} has not been played yet; "
            f"`hazard resume {store.folder}` plays on"
        )
    try:
        return pq.read_table(store.path("games", batch)).slice(number - first, 1).to_pylist()[0]
    except (OSError, ValueError, IndexError) as problem:
        raise BadInput(f"{store.path('games', batch)}: damaged ({problem})") from None


class Ended(Exception):  # noqa: N818 - the end of a record, not an error
    """The record of a game has no further moves."""


def _recorded(moves: list[int]) -> Callable[[Any], int]:
    left = iter(moves)

    def choose(s: Any) -> int:
        number = next(left, None)
        if number is None:
            raise Ended
        return number

    return choose


def _decider(game: Game, names: list[str], number: int, streams: list[np.ndarray]) -> Callable[[Any], int]:
    _, memory = seat_agents(game, names)
    deciders = [decider(game, name) for name in names]
    room = np.zeros(int(game.ask("fanout")), np.int64)

    def choose(s: Any) -> int:
        place = place_at(int(s.mover), number, game.seats)
        rng = streams[dice.AGENTS + place]
        return int(deciders[place](game.table, s, room, memory[place], rng))

    return choose


def _told(
    game: Game, seats: list[str], streams: list[np.ndarray], choose: Callable[[Any], int]
) -> tuple[dict[str, Any], list[float] | None]:
    """The events in words, and what a game that is over paid; a forfeited game ends where its record does."""
    trail: list[Event] = []
    with suppress(Ended):
        trail.extend(play_steps(game, streams, choose))
    last = Position(game, trail[-1].after) if trail else None
    told = {"events": [_in_words(game, seats, event) for event in trail], "end": last and str(last)}
    if last is None or not last.over:
        return told | {"over": False}, None
    return told | {"over": True}, plus(last.payoffs, game.scored(decisions_in(trail)))


def _in_words(game: Game, seats: list[str], event: Event) -> dict[str, Any]:
    g, s, words = game.table, event.state, game.notation
    found: dict[str, Any] = {"position": words.text(g, s), "seat": int(s.mover) + 1, "agent": seats[int(s.mover)]}
    if event.rolled:
        return found | {"dice": words.outcome_text(g, s, event.number), "dice_number": event.number}
    return found | {"move": words.move_text(g, s, event.number), "move_number": event.number}


def _compare(found: dict[str, Any], paid: list[float] | None, row: dict[str, Any]) -> None:
    """A game that is over must end as recorded."""
    length = sum("move" in event for event in found["events"])
    paid = paid or found["payoffs"]
    if paid != found["payoffs"] or length != row["length"]:
        raise BadInput(
            f"game {found['game']}: ends with {paid} after {length} decisions, but {found['payoffs']} after "
            f"{row['length']} are recorded; the solution or an agent has changed"
        )


def lines(found: dict[str, Any]) -> list[str]:
    """The same for reading."""
    seats = ", ".join(f"{seat['seat']} is {seat['agent']}" for seat in found["seats"])
    told = [f"game {found['game']}: {seats}"]
    said, ply = {comment["ply"]: comment["text"] for comment in found["comments"]}, 0
    for event in found["events"]:
        if "dice" in event:
            told.append(f"    the dice: {event['dice']}")
        else:
            remark = f'   "{said[ply]}"' if ply in said else ""
            told.append(f"{event['position']}   {event['agent']}: {event['move']}{remark}")
            ply += 1
    told.append(f"{found['end']}   {'over' if found['over'] else 'not played to the end'}")
    told += [f"    {seat['agent']}: {paid:g}" for seat, paid in zip(found["seats"], found["payoffs"], strict=True)]
    told += [
        f"    fault of {found['seats'][f['seat'] - 1]['agent']}: {f['reason']}, {f['detail']}" for f in found["faults"]
    ]
    return told
