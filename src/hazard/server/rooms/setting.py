"""How a room is set up: the game, who may sit where, and what happens to a seat that stays away. Checked here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hazard.analysis.players import check_agent
from hazard.errors import BadInput, unknown
from hazard.rulebook import Game, make_game
from hazard.server.limits import Limits
from hazard.server.protocol import Parameters, Short

MOST_GAMES = 64  # that are kept for rooms to come
Policy = Literal["wait", "agent", "forfeit"]


class Away(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happens to a seat that does not answer in time, or whose holder is not connected for some time."""

    policy: Policy = "wait"
    seconds: Annotated[float, Meta(ge=0.1, le=1e6)] = 60.0  # to wait for an absent holder that is to move
    agent: Short = "random"  # with policy `agent`: who moves instead


class SeatSetting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat: open to the first who comes, or held by an agent of the game."""

    agent: Short = ""  # empty: open


class Origin(msgspec.Struct, frozen=True):
    """Where a game was branched from."""

    room: str
    seq: int


class TournamentSource(msgspec.Struct, frozen=True):
    """Where a game of a tournament has its board and dice from. See hazard.server.rooms.tournament_game."""

    tournament: Annotated[str, Meta(max_length=200)]
    game: Annotated[int, Meta(ge=0, lt=2**62)]  # its number in the tournament
    seed: Annotated[int, Meta(ge=0)]
    line_up: Annotated[list[Annotated[str, Meta(max_length=1000)]], Meta(max_length=8)]
    number: Annotated[int, Meta(ge=0, lt=2**62)]  # its number in the line-up
    shared: bool  # games that differ only in who sits where share board and dice


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The setting of a room."""

    game: Short
    parameters: Parameters = {}
    seats: Annotated[list[SeatSetting], Meta(max_length=8)] = []  # none: all are open
    away: Away = Away()
    answer: float | None = None  # seconds for an answer, connected or not; then `away.policy` decides
    analysis: bool = True  # whether positions may be analysed while the game goes on
    parts: bool = True  # whether seats take part in the dice; if not, nobody has to be there for another's throw
    listed: bool = True  # whether the room is in the list of rooms
    start: Annotated[str, Meta(max_length=2000)] = ""  # a position to start from
    origin: Origin | None = None
    tournament: TournamentSource | None = msgspec.field(default=None, name="drawn")  # its game is only looked at


@lru_cache(MOST_GAMES)
def _shared(name: str, parameters: tuple[tuple[str, int | str], ...]) -> Game:
    return make_game(name, dict(parameters))


def shared_game(name: str, parameters: Mapping[str, int | str]) -> Game:
    """A game that all rooms with these parameters share, with what is worked out from its rules once."""
    return _shared(name, tuple(sorted(parameters.items())))


def checked(setting: Setting, limits: Limits) -> tuple[Setting, Game]:
    """The setting with its defaults filled in, and its game; or BadInput."""
    game = shared_game(setting.game, setting.parameters)
    seats = setting.seats or [SeatSetting()] * game.seats
    if len(seats) != game.seats:
        raise BadInput(f"{len(seats)} seats set up, but {game.name} has {game.seats}")
    for name in [seat.agent for seat in seats if seat.agent] + [setting.away.agent] * (setting.away.policy == "agent"):
        if name not in game.agents:
            raise unknown(f"agent of {game.name}", name, game.agents)
        check_agent(game, name)
    if setting.answer is not None and not 0.1 <= setting.answer <= limits.longest_answer:
        raise BadInput(f"answer={setting.answer}: must be from 0.1 to {limits.longest_answer:g} seconds")
    if setting.start and game.parse(setting.start).over:
        raise BadInput(f"{setting.start!r} is over; start from a position in which there is something to play")
    return msgspec.structs.replace(setting, parameters=game.parameters, seats=seats), game
