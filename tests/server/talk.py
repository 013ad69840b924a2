"""What the tests of the server share: somebody who listens, and agents that answer at once."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import hazard
from hazard.analysis.answers import Analysis
from hazard.errors import BadInput
from hazard.server.guest.parts import Parts
from hazard.server.http.app import LabServer
from hazard.server.limits import Limits
from hazard.server.protocol import Ask, Event, Snapshot, Throw, read_answer
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.room import Room
from hazard.server.rooms.rooms import Rooms
from hazard.server.rooms.setting import SeatSetting, Setting
from hazard.server.rooms.store import Store
from hazard.server.workers.worker import (
    FileQuestion,
    LookQuestion,
    Prompt,
    Refused,
    RoomQuestion,
    Told,
    answer_of,
    answer_to,
    encode,
)
from tests.waiting import COMPILING, PATIENCE

PIG = {"goal": 50, "sides": 6}


class Ear:
    """Somebody in a room who remembers all that was said; with parts, somebody who takes part in the dice."""

    def __init__(self, room: Room | None = None, parts: Parts | None = None) -> None:
        self.seat: int | None = None
        self.heard: list[Any] = []
        self.raw: list[bytes] = []
        self.ended = 0
        self.room, self.parts = room, parts
        self.telling: list[asyncio.Task[None]] = []

    def send(self, message: bytes) -> None:
        self.raw.append(message)
        self.heard.append(read_answer(message))
        if self.parts and isinstance(self.heard[-1], Event | Snapshot):
            self.parts.follow(self.heard[-1])
        if isinstance(self.heard[-1], Throw) and self.room and self.parts:
            self.telling.append(asyncio.create_task(self.room.receive(self, self.parts.answer(self.heard[-1]))))

    def end(self, code: int) -> None:
        self.ended = code

    def last(self, kind: type) -> Any:
        return [message for message in self.heard if isinstance(message, kind)][-1]

    def all(self, kind: type) -> list[Any]:
        return [message for message in self.heard if isinstance(message, kind)]

    @property
    def ask(self) -> Ask:
        return self.last(Ask)


class FirstMove:
    """Agents that take the first legal move; `fail` makes them fail so many times before."""

    def __init__(self, fail: int = 0) -> None:
        self.fail, self.asked = fail, 0

    async def agent_move(self, name: str, parameters: dict, position: str, agent: str, seed: int, number: int) -> str:
        self.asked += 1
        await asyncio.sleep(0)
        if self.asked <= self.fail:
            raise RuntimeError("no answer")
        return hazard.game(name, **parameters).parse(position).moves[0]

    async def analyse(self, name: str, parameters: dict, position: str) -> AsyncIterator[Any]:
        for games in (1, 2, 3):
            await asyncio.sleep(0)
            yield Analysis(position, 0, "rollout", [0.5, 0.5], [0.0, 0.0], [1.0, 1.0], games=games, final=games == 3)

    async def look(self, name: str, parameters: dict, position: str, about: Any = "position") -> dict[str, Any]:
        return self._facts(LookQuestion(name, parameters, position, about))

    async def check_room(self, setting: Setting, longest_answer: float) -> None:
        self._facts(RoomQuestion(setting, longest_answer))

    async def check_file(self, content: str) -> dict[str, Any]:
        return self._facts(FileQuestion(content))

    def _facts(self, question: Prompt) -> dict[str, Any]:
        """What a worker would say, as it comes over the line."""
        answer = answer_of(encode(answer_to(question, lambda started: None)))
        if isinstance(answer, Refused):
            raise BadInput(answer.why)
        assert isinstance(answer, Told), answer
        return answer.facts

    async def close(self) -> None:
        pass


def as_owner(server: LabServer) -> dict[str, str]:
    """The header of requests that the server's owner makes."""
    return {"authorization": f"Bearer {server.owner.sign_in('', server.owner.link())}"}


def pig(*agents: str, **options: Any) -> Setting:
    """A room of Pig; an empty name is an open seat."""
    seats = [SeatSetting(agent) for agent in agents]
    return Setting(game="pig", parameters=PIG, seats=seats, **options)


@asynccontextmanager
async def opened(folder: Path, agents: Any = None, **limits: Any) -> AsyncIterator[Rooms]:
    """The rooms of a server without a network; their dice are the same in every run."""
    store = Store(folder)
    numbers = count()
    rooms = Rooms(store, agents or FirstMove(), Limits(**limits), lambda: Secret(b"%032d" % next(numbers), b"salt" * 8))
    try:
        yield rooms
    finally:
        await rooms.close()
        store.close()


async def seated(room: Room, seat: int | None = None, parts: Parts | None = None, silent: bool = False) -> Ear:
    """Somebody who has taken a seat and entered; `silent` for one who promises parts in the dice and does not tell."""
    ear = Ear(None if silent else room, parts)
    _, token = await room.sit(seat, "person", "somebody", promise=parts.promise(1) if parts else "")
    ear.token = token  # type: ignore[attr-defined]
    room.enter(ear, token, 0)
    return ear


async def until(true: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.002)


def run(work: Callable[[], Awaitable[Any]]) -> Any:
    """Run a test that waits."""

    async def within() -> Any:
        async with asyncio.timeout(COMPILING):
            return await work()

    return asyncio.run(within())
