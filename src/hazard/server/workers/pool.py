"""A pool of worker processes: whatever is made, counted, decided or analysed for a visitor, never in the event loop.

A worker that dies or takes too long is replaced, and its question is asked once more. One worker takes only questions
that are known to be quick, so that slow agents and analyses do not keep others waiting. Long analyses are cut into
slices of a second and queue up again after each. What may take minutes, to solve a game, is never given to all others.
Visitors take turns: one who asks for a hundred analyses waits for his own. Every worker has a limit of memory, and one
that has come to hold half of that ends, with all that it remembers. Processes are started when they are first needed.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress
from enum import IntEnum
from typing import Any, Literal

import msgspec

from hazard.analysis.answers import Analysis, Review, Tally
from hazard.declaration import all_names
from hazard.errors import BadInput
from hazard.rulebook import Game
from hazard.server.machine import memory_used
from hazard.server.protocol import Refusal
from hazard.server.rooms.setting import Setting
from hazard.server.visitors import FairQueue, visitor
from hazard.server.workers.answer_cache import AnswerCache
from hazard.server.workers.worker import (
    MEMORY,
    Analysed,
    Answers,
    Explored,
    ExploreQuestion,
    Failed,
    FileQuestion,
    GameQuestion,
    LookQuestion,
    Moved,
    MoveQuestion,
    Parameters,
    PositionQuestion,
    Questions,
    Refused,
    Reviewed,
    RoomQuestion,
    Started,
    Told,
    answer_of,
    encode,
)
from hazard.solving.solution import ROOM

LIMIT = 30.0  # seconds for an answer
LOADING = 300.0  # seconds to start, load and compile what it needs
QUICK = 0.1  # seconds: an agent that decided in less is quick
PROMPT = 20.0  # seconds for the facts about a position, or to check the setting of a room
CHECKING = 120.0  # seconds to check a game file
LONGEST = 1 << 26  # bytes of an answer
COMMAND = (
    sys.executable,
    "-P",
    "-m",
    "hazard.server.workers.worker",
)  # -P: nothing is imported from the current folder
CLOSING = "the workers are closed"
KNOWN = 4096  # agents whose pace is remembered
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("NUMBA", "OMP", "OPENBLAS", "MKL")}


class WorkerFailed(Exception):  # noqa: N818 - what it says is the point
    """There is no answer; the message says why."""


class Kind(IntEnum):
    """How long a question takes, which says what workers may be given to it."""

    QUICK = 0  # any
    SLOW = 1  # all but the first
    LONG = 2  # all but the first and one more


class Worker:
    """One process, which answers one question at a time."""

    def __init__(self, limit: float, loading: float, memory: int = 0, solutions: int | None = None) -> None:
        self.limit, self.loading, self.memory = limit, loading, memory
        self.settings = {MEMORY: str(memory)} | ({} if solutions is None else {ROOM: str(solutions)})
        self.process: asyncio.subprocess.Process | None = None

    async def ask(self, question: Questions, limit: float | None = None) -> Answers:
        """The answer; if there is none, the process is ended and a new one will take its place."""
        try:
            answer = await self._answer(question, limit or self.limit)
            if self.process and self.memory and memory_used(self.process.pid) > self.memory << 19:
                await self.end()
            return answer
        except (EOFError, OSError, ValueError, msgspec.MsgspecError):
            await self.end()
            raise WorkerFailed("the worker died") from None
        except BaseException:
            await self.end()
            raise

    async def _answer(self, question: Questions, limit: float) -> Answers:
        """Loading and deciding have time limits of their own."""
        answer = await _within(self.loading, self._exchange(question))
        if isinstance(answer, Started):
            answer = await _within(limit, self._read())
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self.process is None or self.process.returncode is not None:
            self.process = await asyncio.create_subprocess_exec(
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=os.environ | ONE_THREAD | self.settings,
                limit=LONGEST,
                start_new_session=True,  # Ctrl-C is for the server, which ends its workers
            )
        return self.process

    async def _exchange(self, question: Questions) -> Answers:
        process = await self._running()
        assert process.stdin
        process.stdin.write(encode(question) + b"\n")
        await process.stdin.drain()
        return await self._read()

    async def _read(self) -> Answers:
        assert self.process
        assert self.process.stdout
        line = await self.process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return answer_of(line)

    async def end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _within(seconds: float, work: Awaitable[Answers]) -> Answers:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise WorkerFailed(f"no answer within {seconds:g} s") from None


class WorkerPool:
    """Some workers, the first of which is reserved for quick questions."""

    def __init__(
        self,
        count: int | None = None,
        limit: float = LIMIT,
        loading: float = LOADING,
        memory: int = 0,  # megabytes of each; 0 for no limit
        questions: int = 64,  # that one visitor may have waiting
        solutions: int | None = None,  # megabytes on the disk, beyond which workers keep no more of them
    ) -> None:
        count = max(3, os.cpu_count() or 1) if count is None else count
        if count < 2:
            raise BadInput(f"{count} workers: there must be 2 or more, since one is kept for what is quick")
        self.replaced = 0  # workers that died or took too long
        self.questions = questions
        self._workers = [Worker(limit, loading, memory, solutions) for _ in range(count)]
        self._idle = list(self._workers)
        self._waiting: dict[Kind, FairQueue[asyncio.Future[Worker]]] = {kind: FairQueue() for kind in Kind}
        self._long: set[Worker] = set()  # that are at work on long questions
        self._tasks: set[asyncio.Task[Answers]] = set()
        self._pace: dict[Any, float] = {}  # seconds of an agent's latest decision
        self._answers = AnswerCache()
        self._closed = False

    @property
    def pids(self) -> list[int]:
        """The processes that are running."""
        return [worker.process.pid for worker in self._workers if worker.process and worker.process.returncode is None]

    # --- questions ---------------------------------------------------------------------------------------------------
    async def agent_move(
        self, game_name: str, parameters: Parameters, position_text: str, agent: str, seed: int, number: int
    ) -> str:
        """An agent's move. Its random stream comes from the seed and the number of the decision: asked again, it gives
        the same move."""
        kind = (game_name, *sorted(parameters.items()), agent)
        speed = self._kind(kind, Kind.QUICK if _seems_quick(game_name, agent) else Kind.SLOW)
        answer = await self._ask(MoveQuestion(game_name, parameters, position_text, agent, seed, number), speed)
        assert isinstance(answer, Moved)
        self._remember(kind, answer.seconds)
        return answer.move

    def _kind(self, question: Any, otherwise: Kind) -> Kind:
        """How long such a question takes, by the time that the last one took."""
        if question not in self._pace:
            return otherwise
        return Kind.QUICK if self._pace[question] < QUICK else Kind.SLOW

    def _remember(self, question: Any, seconds: float) -> None:
        if len(self._pace) >= KNOWN:
            self._pace.pop(next(iter(self._pace)))
        self._pace[question] = seconds

    async def look(
        self, game_name: str, parameters: Parameters, position: str, about: Literal["position", "board"] = "position"
    ) -> dict[str, Any]:
        """The facts about a position, or its board. A game that nobody has asked about may take long to make."""
        kind = (about, game_name, *sorted(parameters.items()))
        question = LookQuestion(game_name, parameters, position, about)
        answer = await self._told(question, self._kind(kind, Kind.SLOW), PROMPT)
        self._remember(kind, answer.seconds)
        return answer.facts

    async def check_room(self, setting: Setting, longest_answer: float) -> None:
        """Refuse a room that cannot be, or whose game takes too long or too much memory to make."""
        await self._told(RoomQuestion(setting, longest_answer), Kind.SLOW, PROMPT)

    async def check_file(self, content: str) -> dict[str, Any]:
        """The `parameters` of the game in a file and the `checks` of its dice; refused if it breaks the rules."""
        return (await self._told(FileQuestion(content), Kind.LONG, CHECKING)).facts

    async def _told(self, question: Questions, kind: Kind, limit: float) -> Told:
        """The facts. Who asks for what takes too long is not asked for again."""
        try:
            answer = await self._ask(question, kind, limit, tries=1)
        except WorkerFailed as problem:
            raise BadInput(f"{problem}: this takes more than the server allows; take a smaller game") from None
        assert isinstance(answer, Told)
        return answer

    def analyse(self, game_name: str, parameters: Parameters, position_text: str) -> AsyncIterator[Analysis]:
        """Better and better answers about a position, for as long as the caller takes them."""

        async def ask(tally: Tally | None) -> tuple[Analysis | None, Tally]:
            answer = await self._ask(PositionQuestion(game_name, parameters, position_text, tally), Kind.SLOW)
            assert isinstance(answer, Analysed)
            return answer.analysis, answer.tally

        return self._answers.recall(("position", game_name, *sorted(parameters.items()), position_text), ask).answers()

    def review(self, game_name: str, parameters: Parameters, start: str, steps: list[str]) -> AsyncIterator[Review]:
        """Luck and skill of a game, better and better for as long as the caller takes answers.

        The steps are moves and rolls as text, in the order they were made.
        """

        async def ask(tally: Tally | None) -> tuple[Review | None, Tally]:
            answer = await self._ask(GameQuestion(game_name, parameters, start, steps, tally), Kind.SLOW)
            assert isinstance(answer, Reviewed)
            return answer.review, answer.tally

        return self._answers.recall(("game", game_name, *sorted(parameters.items()), start, *steps), ask).answers()

    async def explore(self, game_name: str, parameters: Parameters, position: str = "") -> dict[str, Any]:
        """What a page that explores the game shows; not remembered here."""
        answer = await self._ask(ExploreQuestion(game_name, parameters, position), Kind.LONG, tries=1)
        assert isinstance(answer, Explored)
        return answer.answer

    async def close(self) -> None:
        """End all workers; those who still wait get an error."""
        self._closed = True
        for place in (place for places in self._waiting.values() for place in places if not place.done()):
            place.set_exception(WorkerFailed(CLOSING))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for worker in self._workers:
            await worker.end()

    # --- assigning workers -------------------------------------------------------------------------------------------
    async def _ask(self, question: Questions, kind: Kind, limit: float | None = None, tries: int = 2) -> Answers:
        """Ask, and ask once more if the worker fails; if the caller goes away, the worker still finishes."""
        why = ""
        for _ in range(tries):
            task = self._begin(await self._take(kind), question, limit)
            try:
                answer = await asyncio.shield(task)
            except WorkerFailed as problem:
                why = str(problem)
            except asyncio.CancelledError:
                if not (self._closed and task.cancelled()):
                    raise
                raise WorkerFailed(CLOSING) from None
            else:
                return _checked(answer)
        raise WorkerFailed(f"{why}; it was asked twice" if tries > 1 else why)

    def _begin(self, worker: Worker, question: Questions, limit: float | None) -> asyncio.Task[Answers]:
        task = asyncio.create_task(self._ask_worker(worker, question, limit))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # retrieved even if nobody waits
        return task

    async def _ask_worker(self, worker: Worker, question: Questions, limit: float | None) -> Answers:
        try:
            return await worker.ask(question, limit)
        except WorkerFailed:
            self.replaced += 1
            raise
        finally:
            self._give_back(worker)

    async def _take(self, kind: Kind) -> Worker:
        """A free worker, at once or when it is this question's turn."""
        if self._closed:
            raise WorkerFailed(CLOSING)
        for worker in self._workers:
            if worker in self._idle and self._may(worker, kind):
                self._idle.remove(worker)
                return self._given(worker, kind)
        return await self._wait(kind)

    async def _wait(self, kind: Kind) -> Worker:
        who, queue = visitor.get(), self._waiting[kind]
        if who and queue.waiting(who) >= self.questions:
            raise Refusal("busy", f"{self.questions} questions of yours wait for an answer; ask again later")
        place: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        queue.add(who, place)
        try:
            return await place
        except asyncio.CancelledError:
            queue.discard(who, place)
            if place.done() and not place.cancelled() and not place.exception():
                self._give_back(place.result())
            raise

    def _may(self, worker: Worker, kind: Kind) -> bool:
        """Whether a worker may be given to such a question: some are kept for what takes less time."""
        if kind is Kind.LONG and len(self._long) >= max(1, len(self._workers) - 2):
            return False
        return kind is Kind.QUICK or worker is not self._workers[0]

    def _given(self, worker: Worker, kind: Kind) -> Worker:
        if kind is Kind.LONG:
            self._long.add(worker)
        return worker

    def _give_back(self, worker: Worker) -> None:
        """Give a worker to the question whose turn it is, long ones first where it takes all."""
        self._long.discard(worker)
        for kind in reversed(Kind):
            while self._may(worker, kind) and (place := self._waiting[kind].pop()):
                if not place.done():
                    place.set_result(self._given(worker, kind))
                    return
        self._idle.append(worker)


def _checked(answer: Answers) -> Answers:
    """The answer; an error is raised here."""
    if isinstance(answer, Refused):
        raise BadInput(answer.why)
    if isinstance(answer, Failed):
        raise WorkerFailed(answer.why)
    return answer


def _seems_quick(game_name: str, agent: str) -> bool:
    """Whether an agent that has not been asked yet is likely to be quick."""
    if game_name not in all_names():
        return True
    known = Game(game_name).agents.get(agent)
    return known is None or not (known.slow or known.solved or known.reads)
