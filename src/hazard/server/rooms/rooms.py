"""All rooms of a server: opened when a client enters, closed when all have left, always on disk."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Sequence

import msgspec

from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.server.limits import Limits
from hazard.server.protocol import Parameters, Refusal, Sat
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms import signing
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.game_file import GameFile, replayed, secret_of, write_file
from hazard.server.rooms.game_record import GameRecord, Step, status_after
from hazard.server.rooms.replay import replay
from hazard.server.rooms.room import Agents, Room
from hazard.server.rooms.setting import Origin, SeatSetting, Setting, checked, shared_game
from hazard.server.rooms.store import RoomSummary, Store, StoredRoom
from hazard.server.visitors import visitor

log = logging.getLogger("hazard.server")
GONE = 1001  # the WebSocket code that asks a client to come again
TICK = 0.25  # seconds between calls of `Room.tick`
RESUMED = 3600.0  # rooms that changed within these seconds before a restart are opened at once


class Rooms:
    """The rooms that are open, and how to open others."""

    def __init__(
        self, store: Store, agents: Agents, limits: Limits, draw: Callable[[], Secret] = fair.new_secret
    ) -> None:
        self.store, self.agents, self.limits, self.draw = store, agents, limits, draw
        self.open: dict[str, Room] = {}
        self.opening: dict[str, asyncio.Task[None]] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.key = signing.key_in(store.folder)  # for games that were played here
        self.checking = asyncio.Lock()  # one file at a time is played through

    def start(self) -> None:
        self.tasks = [asyncio.create_task(self._tick_forever()), asyncio.create_task(self._resume())]

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        for room in self.open.values():
            room.close()

    # --- new rooms ---------------------------------------------------------------------------------------------------
    async def create(self, setting: Setting) -> Room:
        """A new room; its agents sit down at once."""
        setting = msgspec.structs.replace(setting, tournament=None)
        setting, game = await asyncio.to_thread(checked, setting, self.limits)  # large games take a while
        self._make_space(all(seat.agent for seat in setting.seats))
        name = secrets.token_hex(8)
        room = Room(name, setting, game, self.draw(), {}, self.store, self.agents, self.limits)
        steps = _agents_sit(room.record, setting.seats)
        await self.store.create(name, setting, room.record.secret, [step.event for step in steps], status_after(steps))
        room.record.apply(steps)
        self.open[name] = room
        room.prompt()
        return room

    async def branch(self, name: str, seq: int, setting: Setting | None) -> Room:
        """A new room that starts from a position of another; by default with all seats as they were, open ones open."""
        old = await self.get(name)
        if not 0 <= seq <= old.record.seq:
            raise Refusal("unknown", f"event {seq}: there are events 1 to {old.record.seq}")
        start, seats = old.position_at(seq), _same_seats(old)
        setting = setting or Setting(game=old.game.name, seats=seats, away=old.setting.away)
        return await self.create(
            msgspec.structs.replace(
                setting, game=old.game.name, parameters=old.game.parameters, start=start, origin=Origin(name, seq)
            )
        )

    async def upload(
        self, file: GameFile, name: str = "", source: str = "upload", parameters: Parameters | None = None
    ) -> str:
        """Store a game that came as a file, if it follows the rules; the name of the room that shows it.

        The parameters of the game are given where the rules have been checked already.
        """
        if len(file.events) > 3 * self.limits.decisions:
            raise BadInput(f"{len(file.events)} events: a game has at most {3 * self.limits.decisions}")
        if parameters is None:
            async with self.checking:
                parameters = (await asyncio.to_thread(replayed, file)).game.parameters
        setting = Setting(
            game=file.game,
            parameters=parameters,
            start=file.start,
            listed=False,
            tournament=file.tournament,
        )
        name = name or secrets.token_hex(8)
        if source == "upload" and await asyncio.to_thread(signing.is_signed, file, self.key):
            source = "signed"
        await self.store.create(name, setting, secret_of(file), file.events, "over", source)
        return name

    def check_open(self, game: Game, *positions: str) -> None:
        """Refuse to analyse what a room keeps for the end of its game, wherever it is asked for."""
        if any(room.hides(game, positions) for room in self.open.values() if not room.setting.analysis):
            raise Refusal("state", "this position is on the table of a room without analysis before the game is over")

    def file_of(self, room: Room) -> GameFile:
        """A room's game as a file; signed, if it was played here."""
        setting = room.setting
        file = write_file(room.game, room.record, room.name, room.created, setting.origin, setting.tournament)
        return file if room.closed else signing.signed(file, self.key)

    def _make_space(self, without_people: bool = False) -> None:
        """If there are too many rooms, in all or of this visitor, close one that nobody is in; refuse if there is none.

        A room that is closed is kept on the disk, and its game goes on when somebody enters.
        """
        limits, everyone = self.limits, list(self.open.values())
        mine = [room for room in everyone if room.visitor and room.visitor == visitor.get()]
        if without_people:
            agents = [room for room in mine if room.without_people]
            self._close_one(agents, limits.agent_rooms, "rooms of yours in which only agents play")
        self._close_one(mine, limits.rooms_each, "rooms of yours")
        self._close_one(everyone, limits.rooms, "rooms")

    def _close_one(self, rooms: list[Room], most: int, words: str) -> None:
        """Close the room that has been left the longest if there are so many; first those in which nothing happens."""
        if len(rooms) < most:
            return
        quiet = [room for room in rooms if room.idle(room.touched + self.limits.idle + 1)]
        quiet = quiet or [room for room in rooms if room.unwatched(room.touched + self.limits.unwatched + 1)]
        if not quiet:
            raise Refusal("full", f"{most} {words} are open; try again later")
        self._shut(min(quiet, key=lambda room: room.touched))

    def _shut(self, room: Room) -> None:
        if self.open.pop(room.name, None):
            room.close()

    async def remove(self, name: str) -> None:
        """Remove a room for good; whoever is there is sent away."""
        if not await self.store.has(name):
            raise Refusal("room", f"there is no room {name[:64]!r}")
        if room := self.open.get(name):
            room.closed = True  # nothing more is played or stored
            self._shut(room)
            for listener in list(room.listeners):
                listener.end(GONE)
        await self.store.remove(name)

    async def remove_name(self, name: str, seat: int) -> None:
        """Take away the name of a person or bot. The room is opened anew, so that everybody sees it."""
        room = await self.get(name)
        sat = room.record.sitting.get(seat)
        if sat is None or sat.kind == "agent":
            raise Refusal("seat", f"nobody with a name sits in seat {seat}")
        event = msgspec.structs.replace(sat, name="")
        await self.store.replace(name, event)
        room.record.rename(event)
        for listener in list(room.listeners):
            listener.end(GONE)

    # --- rooms on disk -----------------------------------------------------------------------------------------------
    async def get(self, name: str) -> Room:
        """The room of that name, loaded if it is not open; two requests at once get the same room."""
        while name not in self.open:  # it may be closed again before we get to it
            if name not in self.opening:
                self.opening[name] = asyncio.create_task(self._load(name))
            try:
                await asyncio.shield(self.opening[name])
            finally:
                if name in self.opening and self.opening[name].done():
                    del self.opening[name]
        self.open[name].touched = time.monotonic()
        return self.open[name]

    async def _load(self, name: str) -> None:
        try:
            stored = await self.store.load(name)
            if stored is None:
                raise Refusal("room", f"there is no room {name[:64]!r}")
            self._make_space()
            room = self._made(name, stored)
            await _replay(room.record, stored)
        except (BadInput, msgspec.MsgspecError) as problem:
            raise Refusal("state", f"room {name} is damaged, or was played by other rules: {problem}") from None
        room.asked_at = time.monotonic()
        self.open[name] = room
        room.prompt()

    def _made(self, name: str, stored: StoredRoom) -> Room:
        game = shared_game(stored.setting.game, stored.setting.parameters)
        parts = (stored.tokens, self.store, self.agents, self.limits)
        closed, created = stored.source != "server", stored.created
        room = Room(name, stored.setting, game, stored.secret, *parts, closed=closed, created=created)
        room.source = stored.source
        return room

    async def _resume(self) -> None:
        """After a restart, open the rooms that were being played, so that their agents and clocks go on."""
        for row in await self.store.listed(["playing"], self.limits.rooms // 2):
            if row.changed > time.time() - RESUMED:
                try:
                    await self.get(row.room)
                except Refusal as problem:
                    log.warning("room %s cannot be opened: %s", row.room, problem)
                await asyncio.sleep(0)

    async def listed(self) -> list[RoomSummary]:
        rows = await self.store.listed(["waiting", "playing"])
        return [row for row in rows if row.setting.listed]

    async def finished(self, before: float = 1e18) -> list[RoomSummary]:
        return await self.store.listed(["over"], 100, before)

    # --- time --------------------------------------------------------------------------------------------------------
    async def _tick_forever(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            now = time.monotonic()
            for room in list(self.open.values()):
                try:
                    await room.tick(now)
                except Refusal as problem:
                    log.warning("room %s: %s", room.name, problem)
                except Exception:
                    log.exception("room %s", room.name)
                if room.idle(now) or room.unwatched(now):
                    self._shut(room)


async def _replay(record: GameRecord, stored: StoredRoom) -> None:
    for number, event in enumerate(stored.events, 1):
        replay(record, event)
        if number % 200 == 0:
            await asyncio.sleep(0)  # other rooms go on meanwhile


def _agents_sit(record: GameRecord, seats: Sequence[SeatSetting]) -> list[Step]:
    """The first steps of a room; if all seats are agents', the game begins."""
    steps: list[Step] = []
    for seat, wanted in enumerate(seats):
        if wanted.agent:
            steps.append(Step(Sat(len(steps) + 1, seat, "agent", wanted.agent)))
    if len(steps) == len(seats):
        steps += record.begin(steps)
    return steps


def _same_seats(room: Room) -> list[SeatSetting]:
    return [
        SeatSetting(sat.name if sat and sat.kind == "agent" else "")
        for sat in (room.record.sitting.get(seat) for seat in range(room.game.seats))
    ]
