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
from hazard.arena.tournament.setting import Setting
from hazard.arena.tournament.store import Store, read_setting
from hazard.contract import deal
from hazard.errors import BadInput
from hazard.rulebook import Game, Position, plus


def replay(folder: Path, game_id: int) -> dict[str, Any]:
    """A game as data: who sat where, and every roll and move with the position before it."""
    setting = read_setting(folder)
    game = setting.made()
    line_up, number = setting.find(game_id)
    found, wrong = told(setting, game, game_id, _row(Store(folder, setting), line_up, number))
    if wrong:
        raise BadInput(f"game {game_id}: {wrong}; the solution or an agent has changed")
    return found


def told(setting: Setting, game: Game, game_id: int, row: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A game as data, and how its end differs from what is recorded of it in a row."""
    line_up, number = setting.find(game_id)
    names = setting.names(line_up)
    streams = streams_of(game, setting.line_up_seed(line_up), number, setting.shared)
    choose = _decider(game, names, number, streams)
    if setting.has_bot(line_up):
        choose = _recorded(game, row["moves"] or [], choose)
    seats = [names[place_at(seat, number, game.seats)] for seat in range(game.seats)]
    told, paid = _told(game, seats, streams, choose)
    found: dict[str, Any] = {
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
    return found, _difference(found, paid, row)


def _row(store: Store, line_up: int, number: int) -> dict[str, Any]:
    """What is recorded of a game."""
    first = number // store.setting.batch * store.setting.batch
    batch: Batch | None = store.done.get((line_up, first))
    if batch is None or number >= batch.last:
        raise BadInput(
            f"game {store.setting.game_id(line_up, number)} has not been played yet; "
            f"`hazard resume {store.folder}` plays on"
        )
    return store.read("games", batch).slice(number - first, 1).to_pylist()[0]


PROGRAM = -1  # stands for the move of a program, which only the record knows


class Ended(Exception):  # noqa: N818 - the end of a record, not an error
    """The record of a game has no further moves."""


def _recorded(game: Game, moves: list[int], decide: Callable[[Any], int]) -> Callable[[Any], int]:
    """The moves of a record. All must be legal, and those of built-in agents what they `decide`."""
    left = iter(moves)

    def choose(s: Any) -> int:
        number = next(left, None)
        if number is None:
            raise Ended
        at = Position(game, s)
        if number not in at.legal():
            raise BadInput(f"move {number} is recorded at {str(at)!r}, which is not legal there")
        if (meant := decide(s)) not in (number, PROGRAM):
            played, own = (game.notation.move_text(game.table, s, n) for n in (number, meant))
            raise BadInput(f"{played!r} is recorded at {str(at)!r}, but the agent that sits there decides {own!r}")
        return number

    return choose


def _decider(game: Game, names: list[str], number: int, streams: list[np.ndarray]) -> Callable[[Any], int]:
    """What built-in agents decide; PROGRAM where a program does."""
    known = [name if name in game.agents else None for name in names]
    _, memory = seat_agents(game, known)
    deciders = [decider(game, name) if name else None for name in known]
    room = np.zeros(int(game.ask("fanout")), np.int64)

    def choose(s: Any) -> int:
        place = place_at(int(s.mover), number, game.seats)
        decide, rng = deciders[place], streams[dice.AGENTS + place]
        return PROGRAM if decide is None else int(decide(game.table, s, room, memory[place], rng))

    return choose


def _told(
    game: Game, seats: list[str], streams: list[np.ndarray], choose: Callable[[Any], int]
) -> tuple[dict[str, Any], list[float] | None]:
    """The events in words, and what a game that is over paid; a forfeited game ends where its record does."""
    trail: list[Event] = []
    first = game.plain(deal)(game.table, streams[dice.BOARD].copy())
    with suppress(Ended):
        trail.extend(play_steps(game, streams, choose))
    last = Position(game, trail[-1].after if trail else first)
    told = {"events": [_in_words(game, seats, event) for event in trail], "end": str(last), "over": last.over}
    return told, list(plus(last.payoffs, game.scored(decisions_in(trail)))) if last.over else None


def _in_words(game: Game, seats: list[str], event: Event) -> dict[str, Any]:
    g, s, words = game.table, event.state, game.notation
    found: dict[str, Any] = {"position": words.text(g, s), "seat": int(s.mover) + 1, "agent": seats[int(s.mover)]}
    if event.rolled:
        return found | {"dice": words.outcome_text(g, s, event.number), "dice_number": event.number}
    return found | {"move": words.move_text(g, s, event.number), "move_number": event.number}


def _difference(found: dict[str, Any], paid: list[float] | None, row: dict[str, Any]) -> str:
    """A game that is over must end as recorded; one that is not has a fault, or was cut off."""
    length = sum("move" in event for event in found["events"])
    paid = paid or found["payoffs"]
    if paid != found["payoffs"] or length != row["length"]:
        return f"ends with {paid} after {length} decisions, but {found['payoffs']} after {row['length']} are recorded"
    if not (found["over"] or found["faults"] or row["cut"]):
        return f"the record ends after {length} decisions, before the game does"
    return ""


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
