"""Games of tournaments in rooms: nobody was promised their dice, but they follow from the tournament's seed.

Every seat has a stream of dice of its own, so they can be checked without asking the agents for their moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any, NamedTuple

from hazard import dice
from hazard.agents.seating import line_up_seed
from hazard.arena.bots.messages import printable
from hazard.arena.play.steps import streams_of
from hazard.contract import deal, roll
from hazard.errors import BadInput
from hazard.rulebook import Game, Position
from hazard.server.protocol import AnyEvent, Begun, Ended, Moved, Rolled, Sat
from hazard.server.rooms.setting import Drawn
from hazard.server.rooms.table import Table, shares

LONGEST = 64  # of a name


class Said(NamedTuple):
    """A check: what was looked at, whether it is right, and words."""

    what: str
    passed: bool
    detail: str


# --- checking the dice ------------------------------------------------------------------------------------------------
def checks(drawn: Drawn, table: Table) -> list[Said]:
    """Whether board and dice are those of the tournament's seed."""
    told = f"game {drawn.game} of the tournament {drawn.tournament!r}, seed {drawn.seed}; there was no commitment"
    streams = streams_of(table.game, line_up_seed(drawn.seed, drawn.line_up), drawn.number, drawn.shared)
    return [Said("tournament", True, told), _board(table, streams), _rolls(table, streams)]


def _board(table: Table, streams: list[Any]) -> Said:
    first, game = str(table.trail[0].position), table.game
    right = str(Position(game, game.plain(deal)(game.table, streams[dice.BOARD])))
    wrong = "" if first == right else f", but {first} was played"
    return Said("board", first == right, f"dealt from the tournament's seed: {right}{wrong}")


def _rolls(table: Table, streams: list[Any]) -> Said:
    game, number = table.game, 0
    for before, after in zip(table.trail, table.trail[1:], strict=False):
        event, state = table.events[after.seq - 1], before.position.state
        if not isinstance(event, Rolled):
            continue
        number += 1
        right = int(game.plain(roll)(game.table, state, streams[dice.DICE + int(state.mover)]))
        if right != event.number:
            said = game.notation.outcome_text(game.table, state, right)
            return Said("dice", False, f"roll {number} (event {event.seq}) should be {said}, but is {event.dice}")
    return Said("dice", True, f"all {number} rolls follow from the tournament's seed")


# --- from a replay to events ------------------------------------------------------------------------------------------
def events_of(game: Game, found: dict[str, Any]) -> list[AnyEvent]:
    """The events of a room from what `hazard replay` tells."""
    if not found["events"]:
        raise BadInput(f"game {found['game']}: nothing was played in it; there is nothing to look at")
    names = [seat["agent"] for seat in found["seats"]]
    events: list[AnyEvent] = [
        Sat(seat + 1, seat, "agent" if name in game.agents else "bot", printable(name)[:LONGEST])
        for seat, name in enumerate(names)
    ]
    events.append(Begun(len(events) + 1, found["events"][0]["position"], ""))
    events += _played(found, len(events) + 1)
    return [*events, *_end(game, found, len(events) + 1)]


def _played(found: dict[str, Any], first: int) -> Iterator[AnyEvent]:
    """Moves and rolls; each answers the question that the event before it has asked."""
    said = {comment["ply"]: printable(comment["text"])[:200] for comment in found["comments"]}
    plies, rolls, steps = count(), count(1), found["events"]
    after = [*(step["position"] for step in steps[1:]), found["end"]]
    for seq, (step, position) in enumerate(zip(steps, after, strict=True), first):
        seat = step["seat"] - 1
        if "dice" in step:
            yield Rolled(seq, seat, step["dice"], step["dice_number"], next(rolls), position)
        else:
            yield Moved(seq, seq - 1, seat, step["move"], position, comment=said.get(next(plies), ""))


def _end(game: Game, found: dict[str, Any], seq: int) -> list[AnyEvent]:
    """How the game ended, as far as the rules of rooms have a word for it."""
    if found["over"]:
        return [Ended(seq, found["payoffs"], "over", "", "")]
    for fault in reversed(found["faults"]):
        if shares(game, fault["seat"] - 1) == found["payoffs"]:
            return [Ended(seq, found["payoffs"], "forfeit", "", "", fault["seat"] - 1)]
    return [Ended(seq, found["payoffs"], "cut", "", "")] if shares(game, None) == found["payoffs"] else []
