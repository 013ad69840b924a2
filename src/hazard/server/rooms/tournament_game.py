"""Games of tournaments in rooms: there was no commitment to their dice, but they follow from the tournament's seed.

Every seat has its own stream of dice, so they can be checked without asking the agents for their moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from hazard import dice
from hazard.agents.seating import line_up_seed
from hazard.arena.bots.messages import printable
from hazard.arena.play.steps import streams_of
from hazard.contract import deal, roll
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.server.protocol import AnyEvent, Begun, Ended, Moved, Rolled, Sat
from hazard.server.rooms.game_record import GameRecord, total
from hazard.server.rooms.setting import TournamentSource

LONGEST = 64  # of a name
Row = tuple[str, bool, str]  # a check: of what, whether it passed, and the detail


# --- checking the dice ------------------------------------------------------------------------------------------------
def checks(source: TournamentSource, record: GameRecord) -> list[Row]:
    """Whether board and dice are those of the tournament's seed."""
    detail = f"game {source.game} of the tournament {source.tournament!r}, seed {source.seed}; there was no commitment"
    streams = streams_of(record.game, line_up_seed(source.seed, source.line_up), source.number, source.shared)
    return [("tournament", True, detail), _board(record, streams), _rolls(record, streams)]


def _board(record: GameRecord, streams: list[Any]) -> Row:
    first, game = str(record.trail[0].position), record.game
    right = str(Position(game, game.plain(deal)(game.table, streams[dice.BOARD])))
    wrong = "" if first == right else f", but {first} was played"
    return ("board", first == right, f"dealt from the tournament's seed: {right}{wrong}")


def _rolls(record: GameRecord, streams: list[Any]) -> Row:
    game, number = record.game, 0
    for before, after in zip(record.trail, record.trail[1:], strict=False):
        event, state = record.full_events[after.seq - 1], before.state
        if not isinstance(event, Rolled):
            continue
        number += 1
        right = int(game.plain(roll)(game.table, state, streams[dice.DICE + int(state.mover)]))
        if right != event.number:
            text = game.notation.outcome_text(game.table, state, right)
            return ("dice", False, f"roll {number} (event {event.seq}) should be {text}, but is {event.dice}")
    return ("dice", True, f"all {number} rolls follow from the tournament's seed")


# --- from a replay to events ------------------------------------------------------------------------------------------
def events_of(game: Game, replay: dict[str, Any]) -> list[AnyEvent]:
    """The events of a room from the output of `hazard replay`."""
    if not replay["events"]:
        raise BadInput(f"game {replay['game']}: nothing was played in it; there is nothing to look at")
    names = [seat["agent"] for seat in replay["seats"]]
    events: list[AnyEvent] = [
        Sat(seat + 1, seat, "agent" if name in game.agents else "bot", printable(name)[:LONGEST])
        for seat, name in enumerate(names)
    ]
    events.append(Begun(len(events) + 1, replay["events"][0]["position"], ""))
    events += _played(replay, len(events) + 1)
    return [*events, *_end(game, replay, len(events) + 1)]


def _played(replay: dict[str, Any], first: int) -> Iterator[AnyEvent]:
    """Moves and rolls; each move answers the question with the number of the event before it."""
    comments = {comment["ply"]: printable(comment["text"])[:200] for comment in replay["comments"]}
    plies, rolls, steps = count(), count(1), replay["events"]
    after = [*(step["position"] for step in steps[1:]), replay["end"]]
    for seq, (step, position) in enumerate(zip(steps, after, strict=True), first):
        seat = step["seat"] - 1
        if "dice" in step:
            yield Rolled(seq, seat, step["dice"], step["dice_number"], next(rolls), position)
        else:
            yield Moved(seq, seq - 1, seat, step["move"], position, comment=comments.get(next(plies), ""))


def _end(game: Game, replay: dict[str, Any], seq: int) -> list[AnyEvent]:
    """The event that ended the game, if rooms have one for it."""
    if replay["over"]:
        return [Ended(seq, replay["payoffs"], "over", "", "")]
    for fault in reversed(replay["faults"]):
        if game.shares([fault["seat"] - 1]) == replay["payoffs"]:
            return [Ended(seq, replay["payoffs"], "forfeit", "", "", fault["seat"] - 1)]
    made = [(game.parse(e["position"]).state, e["move_number"]) for e in replay["events"] if "move" in e]
    cut = total(game.shares(), game.scored(made)) == replay["payoffs"]
    return [Ended(seq, replay["payoffs"], "cut", "", "")] if cut else []
