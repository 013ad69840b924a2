"""A room: its table, those who are in it, and what they may do. A decision counts once it is on the disk, not before.

Whatever changes the game runs one at a time, in a task of its own that goes on if the one who asked for it goes away.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from typing import Any, Literal, Protocol

from hazard.analysis.answers import Analysis
from hazard.arena.bots.messages import PROTOCOL, End, Message, Move, Ready, printable
from hazard.rulebook import Game
from hazard.server.limits import Limits
from hazard.server.protocol import (
    Ack,
    Agree,
    Back,
    Begun,
    Ping,
    Pong,
    Presence,
    Refusal,
    Resign,
    Sat,
    Snapshot,
    encode,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms import seats, view
from hazard.server.rooms import take_back as wishes
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.setting import Setting
from hazard.server.rooms.store import Store
from hazard.server.rooms.table import Step, Table, status_after

log = logging.getLogger("hazard.server")
RETRY = 2.0  # seconds after which an agent that failed is asked again, doubled each time up to ...
LONGEST_RETRY = 60.0


class Listener(Protocol):
    """Somebody in a room."""

    seat: int | None

    def send(self, message: bytes) -> None: ...


class Agents(Protocol):
    """Who moves for agents, and analyses; see hazard.server.workers.pool."""

    async def agent_move(
        self, game_name: str, parameters: dict[str, int | str], position_text: str, agent: str, seed: int, number: int
    ) -> str: ...

    def analyse(
        self, game_name: str, parameters: dict[str, int | str], position_text: str
    ) -> AsyncIterator[Analysis]: ...


class Room:
    """One room. `Rooms` opens and closes it."""

    def __init__(
        self,
        name: str,
        setting: Setting,
        game: Game,
        secret: Secret,
        tokens: dict[int, bytes],
        store: Store,
        agents: Agents,
        limits: Limits,
        closed: bool = False,
        created: float | None = None,
    ) -> None:
        self.closed = closed  # a game that is only looked at: it came as a file
        self.created = time.time() if created is None else created
        self.name, self.setting, self.game, self.tokens = name, setting, game, tokens
        self.store, self.agents, self.limits = store, agents, limits
        self.table = Table(game, secret, setting.start, limits.decisions)
        self.listeners: set[Listener] = set()
        self.present: Counter[int] = Counter()
        self.lock, self.busy = asyncio.Lock(), 0  # busy: what is done or waits to be done
        self.thinking: asyncio.Task[None] | None = None
        self.failures, self.retry = 0, 0.0
        self.touched = self.asked = time.monotonic()
        self.left: dict[int, float] = {}  # when a seat's holder was last seen

    # --- how it looks ------------------------------------------------------------------------------------------------
    def snapshot(self, seat: int | None = None, since: int = 0) -> Snapshot:
        return view.snapshot(self, seat, since)

    @property
    def may_analyse(self) -> bool:
        return self.setting.analysis or self.closed or self.table.status == "over"

    def position_at(self, seq: int) -> str:
        """The position after an event, by default the last."""
        if seq > self.table.seq:
            raise Refusal("unknown", f"there is no event {seq}; the last is {self.table.seq}")
        for event in reversed(self.table.events[: seq or None]):
            if found := getattr(event, "position", None):
                return found
        raise Refusal("state", "the game has not begun there, so there is no position")

    # --- coming and going --------------------------------------------------------------------------------------------
    def enter(self, listener: Listener, token: str, since: int) -> None:
        """Let somebody in: the holder of a token, or a spectator."""
        seat = seats.seat_of(token, self.tokens) if token else None
        if token and seat is None:
            raise Refusal("token", "the token is not that of a seat in this room")
        listener.seat = seat
        self.touched = time.monotonic()
        if seat is not None:
            self.present[seat] += 1
            self._say_present(seat)
        listener.send(encode(view.hello(self)))
        listener.send(encode(self.snapshot(seat, since)))
        self.listeners.add(listener)
        self._brief(listener)

    def leave(self, listener: Listener) -> None:
        self.listeners.discard(listener)
        self.touched = time.monotonic()
        if listener.seat is not None:
            self.present[listener.seat] -= 1
            self.left[listener.seat] = self.touched
            self._say_present(listener.seat)

    def _say_present(self, seat: int) -> None:
        self._send_all(Presence(seat, self.present[seat] > 0))

    def _brief(self, listener: Listener) -> None:
        """Tell the holder of a seat what a bot wants to know: the game, and the question that waits for it."""
        if self.table.status != "playing" or listener.seat is None:
            return
        listener.send(encode(view.new_game(self, listener.seat)))
        if self.table.mover == listener.seat:
            listener.send(encode(view.question(self)))

    # --- what they say -----------------------------------------------------------------------------------------------
    async def say(self, listener: Listener, message: Message) -> None:
        """Do what a message asks for, or raise a refusal."""
        match message:
            case Move():
                await self._do(self._move(listener, message))
            case Back():
                await self._do(self._wish(listener, lambda seat: wishes.back(self.table, seat, message)))
            case Agree():
                await self._do(self._wish(listener, lambda seat: wishes.agree(self.table, seat, message)))
            case Resign():
                await self._do(self._wish(listener, self.table.forfeit))
            case Ready():
                if message.protocol != PROTOCOL:
                    raise Refusal("malformed", f"protocol {message.protocol}, but this server speaks {PROTOCOL}")
            case Ping():
                listener.send(encode(Pong()))
            case _:
                raise Refusal("state", "you are in a room already; connect again to enter another")

    async def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """One at a time; what has begun is finished even if nobody waits for it any more."""

        async def alone() -> Any:
            try:
                async with self.lock:
                    return await work
            finally:
                self.busy -= 1
                self.touched = time.monotonic()

        if self.closed:
            work.close()
            raise Refusal("state", "this game came as a file; branch a room from it to play on")
        self.busy += 1
        return await asyncio.shield(asyncio.create_task(alone()))

    def _seat(self, listener: Listener) -> int:
        if listener.seat is None:
            raise Refusal("token", "spectators only look on; enter with the token of a seat")
        return listener.seat

    async def _move(self, listener: Listener, said: Move) -> None:
        seat = self._seat(listener)
        if done := self.table.answers.get(said.ask):
            if (done.seat, done.move, done.by) != (seat, said.move, ""):
                raise Refusal("stale", f"question {said.ask} was answered with {done.move!r}")
            return listener.send(encode(Ack(said.ask, done.seq)))
        if self.table.status == "playing" and said.ask != self.table.ask:
            raise Refusal("stale", f"question {said.ask} is not on the table; {self.table.ask} is")
        steps = self.table.play(seat, said.move, comment=printable(said.comment)[:200])
        await self._keep(steps)
        listener.send(encode(Ack(said.ask, steps[0].event.seq)))
        return self._tell(steps)

    async def _wish(self, listener: Listener, plan: Callable[[int], list[Step]]) -> None:
        """Do what a seat wishes, if the plan for it can be made."""
        await self._keep_and_tell(plan(self._seat(listener)))

    async def sit(
        self, seat: int | None, kind: Literal["person", "bot"], name: str, words: str = "", key: str = ""
    ) -> tuple[int, str]:
        """Take an open seat; the seat and its token. Whoever shows the key of a seat once more gets that seat again."""
        return await self._do(self._sit(seat, kind, name, words, seats.new_token(self.table.secret.salt, key)))

    async def _sit(
        self, seat: int | None, kind: Literal["person", "bot"], name: str, words: str, token: str
    ) -> tuple[int, str]:
        if (held := seats.seat_of(token, self.tokens)) is not None:
            return held, token
        free = [n for n in range(self.game.seats) if n not in self.table.sitting]
        if not free or (seat is not None and seat not in free):
            raise Refusal("seat", "that seat is taken" if seat is not None else "all seats are taken")
        seat = free[0] if seat is None else seat
        digest = {seat: seats.digest_of(token)}
        sat = Sat(self.table.seq + 1, seat, kind, printable(name)[:64], printable(words)[:64])
        steps = [Step(sat), *(self._beginning(sat) if len(free) == 1 else [])]
        await self._keep(steps, digest)
        self.tokens |= digest
        self._tell(steps)
        return seat, token

    def _beginning(self, sat: Sat) -> list[Step]:
        """The steps that follow when the last seat is taken."""
        self.table.sitting[sat.seat] = sat  # its words are part of the dice
        try:
            return self.table.begin(after=1)
        finally:
            del self.table.sitting[sat.seat]

    # --- keeping and telling -----------------------------------------------------------------------------------------
    async def _keep_and_tell(self, steps: Sequence[Step]) -> None:
        await self._keep(steps)
        self._tell(steps)

    async def _keep(self, steps: Sequence[Step], tokens: dict[int, bytes] | None = None) -> None:
        """Write steps to the disk, then take them; if they cannot be written, nothing has changed."""
        await self.store.append(self.name, [step.event for step in steps], status_after(steps), tokens)
        before = self.table.ask
        self.table.take(steps)
        if self.table.ask != before:
            self.asked = time.monotonic()

    def _tell(self, steps: Sequence[Step]) -> None:
        """Send events to all, then what holders of seats want to know."""
        for event, _ in steps:
            self._send_all(event)
        begun = any(isinstance(event, Begun) for event, _ in steps)
        asked = steps[0].event.seq <= self.table.ask
        for listener in [listener for listener in self.listeners if listener.seat is not None]:
            if begun:
                self._brief(listener)
            elif asked and self.table.mover == listener.seat:
                listener.send(encode(view.question(self)))
            if self.table.ended:
                listener.send(encode(End(0, self.table.ended.payoffs, self.table.ended.reason)))
        self.prompt()

    def _send_all(self, message: Message) -> None:
        text = encode(message)
        for listener in list(self.listeners):
            listener.send(text)

    # --- agents, and seats that stay away ----------------------------------------------------------------------------
    def prompt(self) -> None:
        """If an agent is to move, set it thinking."""
        seat = self.table.mover
        if seat is not None and not self.closed and self.table.sitting[seat].kind == "agent":
            self._think(seat, self.table.sitting[seat].name, "")

    def _think(self, seat: int, agent: str, by: str) -> None:
        if self.thinking is None and time.monotonic() >= self.retry:
            self.thinking = asyncio.create_task(self._agent_turn(self.table.ask, seat, agent, by))

    async def _agent_turn(self, ask: int, seat: int, agent: str, by: str) -> None:
        game, text = self.game, str(self.table.position)
        seed = fair.seed_for(self.table.key, seat)
        try:
            if all(sat.kind == "agent" for sat in self.table.sitting.values()):
                await asyncio.sleep(self.limits.pace)
            move = await self.agents.agent_move(game.name, game.parameters, text, agent, seed, ask)
            await self._do(self._agent_plays(ask, seat, move, by))
            self.failures = 0
        except Exception as problem:
            self.failures += 1
            wait = min(LONGEST_RETRY, RETRY * 2 ** (self.failures - 1))
            self.retry = time.monotonic() + wait
            log.warning("room %s: agent %s failed (%s); asked again in %g s", self.name, agent, problem, wait)
        finally:
            if self.thinking is asyncio.current_task():
                self.thinking = None

    async def _agent_plays(self, ask: int, seat: int, move: str, by: str) -> None:
        """Make an agent's move, unless the game has gone on without it."""
        steps = self.table.play(seat, move, by) if self.table.mover is not None and self.table.ask == ask else []
        if steps:
            await self._keep(steps)
        self.thinking = None
        return self._tell(steps) if steps else self.prompt()

    async def tick(self, now: float) -> None:
        """Called now and then: ask agents again that failed, and deal with seats that stay away."""
        self.prompt()
        seat, away = self.table.mover, self.setting.away
        if seat is None or self.closed or self.table.sitting[seat].kind == "agent" or away.policy == "wait":
            return
        since = max(self.asked, self.left.get(seat, self.asked))
        absent = self.present[seat] <= 0 and now - since > away.seconds
        late = self.setting.answer is not None and now - self.asked > self.setting.answer
        if (absent or late) and away.policy == "agent":
            self._think(seat, away.agent, away.agent)
        elif absent or late:
            await self._do(self._forfeit_if(seat, self.table.ask))

    async def _forfeit_if(self, seat: int, ask: int) -> None:
        if self.table.status == "playing" and self.table.ask == ask:
            await self._keep_and_tell(self.table.forfeit(seat))

    def idle(self, now: float) -> bool:
        """Whether nobody is here and nothing happens."""
        quiet = not self.listeners and self.thinking is None and not self.busy
        return quiet and now - self.touched > self.limits.idle

    def close(self) -> None:
        if self.thinking:
            self.thinking.cancel()
