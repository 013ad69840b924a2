"""A room: its game, the clients in it, and what they may do. A decision counts once it is on the disk, not before.

Changes of the game run one at a time. Each is a task of its own, which goes on if the client that caused it leaves.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Sequence
from typing import Any, Literal, Protocol

from hazard.analysis.answers import Analysis
from hazard.arena.bots.messages import PROTOCOL, End, Message, Move, Ready, printable
from hazard.rulebook import Game, Position
from hazard.server.limits import Limits
from hazard.server.protocol import (
    Ack,
    Agree,
    Back,
    Begun,
    Part,
    Ping,
    Pong,
    PositionEvent,
    Presence,
    Refusal,
    Resign,
    Sat,
    Snapshot,
    Throw,
    encode,
)
from hazard.server.rooms import fair_dice as fair
from hazard.server.rooms import tokens, view
from hazard.server.rooms.fair_dice import Secret
from hazard.server.rooms.game_record import GameRecord, Step, status_after
from hazard.server.rooms.setting import Setting
from hazard.server.rooms.store import Store
from hazard.server.rooms.take_back import answer_proposal, ask_to_take_back
from hazard.server.visitors import visitor

log = logging.getLogger("hazard.server")
RETRY = 2.0  # seconds after which an agent that failed is asked again, doubled each time up to ...
LONGEST_RETRY = 60.0


class Listener(Protocol):
    """A client in a room."""

    seat: int | None

    def send(self, message: bytes) -> None: ...

    def end(self, code: int) -> None: ...


class Agents(Protocol):
    """What computes the moves of agents, and analyses; see hazard.server.workers.pool."""

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
        self.visitor = visitor.get()  # who opened it
        self.source = "server"  # where the game was played; see `store`
        self.closed = closed  # the game came as a file, and is only looked at
        self.created = time.time() if created is None else created
        self.name, self.setting, self.game, self.tokens = name, setting, game, tokens
        self.store, self.agents, self.limits = store, agents, limits
        self.record = GameRecord(game, secret, setting.start, limits.decisions)
        self.listeners: set[Listener] = set()
        self.present: Counter[int] = Counter()
        self.lock, self.busy = asyncio.Lock(), 0  # busy: the changes that run or wait
        self.thinking: asyncio.Task[None] | None = None
        self.failures, self.retry = 0, 0.0
        self.touched = self.asked_at = time.monotonic()
        self._hidden: tuple[int, set[str]] = (-1, set())  # positions that must not be analysed, after an event
        self.left: dict[int, float] = {}  # when a seat's holder was last seen

    # --- what is shown -----------------------------------------------------------------------------------------------
    def snapshot(self, seat: int | None = None, since: int = 0) -> Snapshot:
        return view.snapshot(self, seat, since)

    @property
    def may_analyse(self) -> bool:
        return self.setting.analysis or self.closed or self.record.status == "over"

    def hides(self, game: Game, positions: Collection[str]) -> bool:
        """Whether one of the positions is on the table here, or a move away, and is kept for the end of the game."""
        record = self.record
        if self.may_analyse or record.position is None or game != self.game:
            return False
        if self._hidden[0] != record.seq:
            here, ask = record.position, self.game.ask
            after = [Position(self.game, ask("move", here.state, move)) for move in record.moves.values()]
            self._hidden = record.seq, {str(one) for one in (here, *after)}
        return not self._hidden[1].isdisjoint(positions)

    def position_at(self, seq: int) -> str:
        """The position after an event, by default the last."""
        if seq > self.record.seq:
            raise Refusal("unknown", f"there is no event {seq}; the last is {self.record.seq}")
        for event in reversed(self.record.full_events[: seq or None]):
            if isinstance(event, PositionEvent):
                return event.position
        raise Refusal("state", "the game has not begun there, so there is no position")

    # --- coming and going --------------------------------------------------------------------------------------------
    def enter(self, listener: Listener, token: str, since: int) -> None:
        """Let a client in: the holder of a token, or a spectator."""
        seat = tokens.seat_of(token, self.tokens) if token else None
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
        """Send the holder of a seat what a bot needs: the game, and its open question."""
        if listener.seat is None:
            return
        if self.record.status == "playing":
            listener.send(encode(view.new_game(self, listener.seat)))
        self._ask(listener)

    def _ask(self, listener: Listener) -> None:
        """Ask the holder of a seat for what the game waits for: its part in a throw, or its decision."""
        record = self.record
        if listener.seat in record.missing:
            listener.send(encode(Throw(record.wanted, record.seq)))
        elif record.mover == listener.seat and record.position and not record.position.rolling:
            listener.send(encode(view.question(self)))

    # --- messages from clients ---------------------------------------------------------------------------------------
    async def receive(self, listener: Listener, message: Message) -> None:
        """Do what a message asks for, or raise a refusal."""
        match message:
            case Move():
                await self._do(self._move(listener, message))
            case Part():
                await self._do(self._tell(listener, message))
            case Back():
                await self._do(self._plan(listener, lambda seat: ask_to_take_back(self.record, seat, message)))
            case Agree():
                await self._do(self._plan(listener, lambda seat: answer_proposal(self.record, seat, message)))
            case Resign():
                await self._do(self._plan(listener, self.record.forfeit))
            case Ready():
                if message.protocol != PROTOCOL:
                    raise Refusal("malformed", f"protocol {message.protocol}, but this server speaks {PROTOCOL}")
            case Ping():
                listener.send(encode(Pong()))
            case _:
                raise Refusal("state", "you are in a room already; connect again to enter another")

    async def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Make a change, one at a time. It is finished even if nobody waits for it any more."""

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

    async def _move(self, listener: Listener, message: Move) -> None:
        seat = self._seat(listener)
        if done := self.record.answers.get(message.ask):
            if (done.seat, done.move, done.by) != (seat, message.move, ""):
                raise Refusal("stale", f"question {message.ask} was answered with {done.move!r}")
            return listener.send(encode(Ack(message.ask, done.seq)))
        if self.record.status == "playing" and message.ask != self.record.ask:
            raise Refusal("stale", f"question {message.ask} is not on the table; {self.record.ask} is")
        steps = self.record.play(seat, message.move, comment=printable(message.comment)[:200])
        await self._store(steps)
        listener.send(encode(Ack(message.ask, steps[0].event.seq)))
        return self._publish(steps)

    async def _tell(self, listener: Listener, message: Part) -> None:
        """Take a seat's part in a throw; with the last one the dice fall."""
        if steps := self.record.tell(self._seat(listener), message):
            await self._store_and_publish(steps)

    async def _plan(self, listener: Listener, plan: Callable[[int], list[Step]]) -> None:
        """Plan the steps that a seat asks for, and apply them; or raise a refusal."""
        await self._store_and_publish(plan(self._seat(listener)))

    async def sit(
        self, seat: int | None, kind: Literal["person", "bot"], name: str, key: str = "", promise: str = ""
    ) -> tuple[int, str]:
        """Take an open seat; the seat and its token. A client that repeats its key gets the same seat again."""
        promise = promise if self.setting.parts else ""
        return await self._do(self._sit(seat, kind, name, tokens.new_token(self.record.secret.salt, key), promise))

    async def _sit(
        self, seat: int | None, kind: Literal["person", "bot"], name: str, token: str, promise: str
    ) -> tuple[int, str]:
        if (held := tokens.seat_of(token, self.tokens)) is not None:
            return held, token
        free = [n for n in range(self.game.seats) if n not in self.record.sitting]
        if not free or (seat is not None and seat not in free):
            raise Refusal("seat", "that seat is taken" if seat is not None else "all seats are taken")
        seat = free[0] if seat is None else seat
        digest = {seat: tokens.digest_of(token)}
        steps = [Step(Sat(self.record.seq + 1, seat, kind, printable(name)[:64], promise=promise))]
        steps += self.record.begin(steps) if len(free) == 1 else []
        await self._store(steps, digest)
        self.tokens |= digest
        self._publish(steps)
        return seat, token

    # --- storing and publishing --------------------------------------------------------------------------------------
    async def _store_and_publish(self, steps: Sequence[Step]) -> None:
        await self._store(steps)
        self._publish(steps)

    async def _store(self, steps: Sequence[Step], digests: dict[int, bytes] | None = None) -> None:
        """Write steps to the disk, then apply them; if they cannot be written, nothing has changed."""
        await self.store.append(self.name, [step.event for step in steps], status_after(steps), digests)
        before = self.record.ask, self.record.wanted
        self.record.apply(steps)
        if (self.record.ask, self.record.wanted) != before:
            self.asked_at = time.monotonic()

    def _publish(self, steps: Sequence[Step]) -> None:
        """Send events to all, then to holders of seats what bots are sent."""
        for event, _ in steps:
            self._send_all(self.record.full_events[event.seq - 1])
        begun = any(isinstance(event, Begun) for event, _ in steps)
        asks = steps[0].event.seq <= self.record.ask or self.record.wanted
        for listener in [listener for listener in self.listeners if listener.seat is not None]:
            if begun:
                self._brief(listener)
            elif asks:
                self._ask(listener)
            if self.record.ended:
                listener.send(encode(End(0, self.record.ended.payoffs, self.record.ended.reason)))
        self.prompt()

    def _send_all(self, message: Message) -> None:
        text = encode(message)
        for listener in list(self.listeners):
            listener.send(text)

    # --- agents, and seats that stay away ----------------------------------------------------------------------------
    def prompt(self) -> None:
        """If an agent is to move, let it compute its move."""
        seat, position = self.record.mover, self.record.position
        if seat is None or self.closed or position is None or position.rolling:
            return
        if self.record.sitting[seat].kind == "agent":
            self._think(seat, self.record.sitting[seat].name, "")

    def _think(self, seat: int, agent: str, by: str) -> None:
        if self.thinking is None and time.monotonic() >= self.retry:
            self.thinking = asyncio.create_task(self._agent_turn(self.record.ask, seat, agent, by))

    async def _agent_turn(self, ask: int, seat: int, agent: str, by: str) -> None:
        game, text = self.game, str(self.record.position)
        seed = fair.seed_for(self.record.seeds, seat)
        try:
            if all(sat.kind == "agent" for sat in self.record.sitting.values()):
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
        steps = self.record.play(seat, move, by) if self.record.mover is not None and self.record.ask == ask else []
        if steps:
            await self._store(steps)
        self.thinking = None
        return self._publish(steps) if steps else self.prompt()

    async def tick(self, now: float) -> None:
        """Called every fraction of a second: ask failed agents again, and deal with seats that stay away."""
        self.prompt()
        if self.closed or self.setting.away.policy == "wait":
            return
        if self.record.wanted:
            if gone := [seat for seat in self.record.missing if self._stays_away(seat, now)]:
                await self._do(self._go_on_without(gone, self.record.wanted))
            return
        seat = self.record.mover
        if seat is not None and self.record.sitting[seat].kind != "agent" and self._stays_away(seat, now):
            await self._replace(seat)

    def _stays_away(self, seat: int, now: float) -> bool:
        """Whether a seat that is waited for has been away for too long, or takes too long."""
        since = max(self.asked_at, self.left.get(seat, self.asked_at))
        absent = self.present[seat] <= 0 and now - since > self.setting.away.seconds
        return absent or (self.setting.answer is not None and now - self.asked_at > self.setting.answer)

    async def _replace(self, seat: int) -> None:
        """Deal with a seat that does not move."""
        away = self.setting.away
        if away.policy == "agent":
            self._think(seat, away.agent, away.agent)
        else:
            await self._do(self._forfeit_if(seat, self.record.ask))

    async def _go_on_without(self, seats: list[int], throw: int) -> None:
        """Deal with seats that do not tell their parts in a throw, unless they have meanwhile."""
        seats = [seat for seat in seats if seat in self.record.missing]
        if not seats or self.record.wanted != throw:
            return
        forfeits = self.setting.away.policy == "forfeit" and self.record.status == "playing"
        await self._store_and_publish(self.record.forfeit(seats[0]) if forfeits else self.record.withhold(seats))

    async def _forfeit_if(self, seat: int, ask: int) -> None:
        if self.record.status == "playing" and self.record.ask == ask:
            await self._store_and_publish(self.record.forfeit(seat))

    def idle(self, now: float) -> bool:
        """Whether nobody is here and nothing happens."""
        quiet = not self.listeners and self.thinking is None and not self.busy
        return quiet and now - self.touched > self.limits.idle

    @property
    def without_people(self) -> bool:
        """Whether agents play here and nobody else."""
        sitting = self.record.sitting
        return len(sitting) == self.game.seats and all(sat.kind == "agent" for sat in sitting.values())

    def unwatched(self, now: float) -> bool:
        """Whether agents play here and nobody has looked on for some time. The game goes on when somebody enters."""
        quiet = not self.listeners and not self.busy and now - self.touched > self.limits.unwatched
        return quiet and self.without_people

    def close(self) -> None:
        if self.thinking:
            self.thinking.cancel()
