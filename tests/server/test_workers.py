"""WorkerPool answer beside the event loop, are replaced when they fail, and keep a lane free for what is quick."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec
import pytest

import hazard
from hazard.analysis.answers import Analysis, Review
from hazard.analysis.players import decision
from hazard.errors import BadInput
from hazard.server.workers import worker as asked
from hazard.server.workers.answer_cache import REMEMBERED, AnswerCache
from hazard.server.workers.pool import Kind, WorkerFailed, WorkerPool
from tests.server.talk import until
from tests.waiting import COMPILING

PIG = {"goal": 12, "sides": 6}
TURN = "p1 3:4 pot 5"


def working(check: Callable[[WorkerPool], Awaitable[Any]], **options: Any) -> None:
    async def run() -> None:
        workers = WorkerPool(**{"count": 2, "limit": COMPILING, "loading": COMPILING, **options})
        try:
            await check(workers)
        finally:
            await workers.close()
        assert workers.pids == []

    asyncio.run(run())


def move_of(workers: WorkerPool, agent: str = "random", number: int = 0) -> Coroutine[Any, Any, str]:
    return workers.agent_move("pig", PIG, TURN, agent, 7, number)


def analysis(workers: WorkerPool, pot: int) -> Coroutine[Any, Any, Analysis]:
    async def first() -> Analysis:
        return await anext(workers.analyse("pig", PIG, f"p1 3:4 pot {pot}"))

    return first()


async def stalled(workers: WorkerPool) -> int:
    """Have the worker that is not kept for quick questions stopped; its process is returned."""
    await analysis(workers, 2)
    (pid,) = workers.pids
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_the_same_question_has_the_same_answer() -> None:
    async def check(workers: WorkerPool) -> None:
        moves = [await move_of(workers, number=n) for n in range(12)]
        position = hazard.game("pig", **PIG).parse(TURN)
        assert moves == [decision(position, "random", 7, n).move() for n in range(12)]
        assert set(moves) == {"roll", "hold"}
        assert await move_of(workers, "hold-at-20") == "roll"

    working(check)


def test_what_is_wrong_is_refused_and_the_worker_lives_on() -> None:
    async def check(workers: WorkerPool) -> None:
        await move_of(workers)
        before = workers.pids
        for game, parameters, position, agent, says in [
            ("pig", PIG, "p1 3:4", "random", "p1 3:4"),
            ("pig", PIG, TURN, "nobody", "no agent of pig 'nobody'"),
            ("pigg", PIG, TURN, "random", "did you mean 'pig'"),
            ("pig", {"goal": 0}, TURN, "random", "goal=0"),
            ("pig", PIG, f"{TURN} rolling", "random", "nothing to decide: the dice are in the air"),
        ]:
            with pytest.raises(BadInput, match=says):
                await workers.agent_move(game, parameters, position, agent, 7, 0)
        assert workers.pids == before
        assert workers.replaced == 0

    working(check)


def test_an_answer_that_breaks_down_is_told_and_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> None:
        raise ZeroDivisionError("of a bug")

    monkeypatch.setattr("hazard.analysis.players.decision", broken)
    said: list[asked.Answer] = []
    found = asked.answer_to(asked.MoveQuestion("pig", PIG, TURN, "random", 7, 0), said.append)
    assert found == asked.Failed("ZeroDivisionError: of a bug")
    assert said == []


def test_killed_workers_are_replaced_and_asked_again() -> None:
    async def check(workers: WorkerPool) -> None:
        expected = [await move_of(workers, number=n) for n in range(20)]
        for n in range(20):
            asked = asyncio.create_task(move_of(workers, number=n))
            await asyncio.sleep(0.001 * n)
            if n % 4 == 0:
                for pid in workers.pids:
                    os.kill(pid, signal.SIGKILL)
            assert await asked == expected[n]

    working(check)


def test_a_worker_that_takes_too_long_is_given_up_after_two_tries() -> None:
    async def check(workers: WorkerPool) -> None:
        with pytest.raises(WorkerFailed, match=r"no answer within 0.05 s; it was asked twice"):
            await move_of(workers)
        assert workers.replaced == 2
        workers._workers[0].loading = COMPILING
        assert await move_of(workers) in ("roll", "hold")

    working(check, loading=0.05)


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ('print(\'{"type":"started"}\', flush=True); time.sleep(60)', "no answer within 0.2 s; it was asked twice"),
        ('print(\'{"type":"nonsense"}\', flush=True); time.sleep(60)', "the worker died; it was asked twice"),
        ("print('{\"type\":\"moved\",', end='', flush=True); sys.exit()", "the worker died; it was asked twice"),
        ("sys.exit(1)", "the worker died; it was asked twice"),
    ],
    ids=["thinks for ever", "talks nonsense", "breaks off", "dies"],
)
def test_a_worker_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, program: str, says: str) -> None:
    command = (sys.executable, "-c", f"import sys, time; sys.stdin.readline(); {program}")

    async def check(workers: WorkerPool) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("hazard.server.workers.pool.COMMAND", command)
            with pytest.raises(WorkerFailed, match=says):
                await move_of(workers)
        assert workers.replaced == 2
        for worker in workers._workers:
            worker.limit = COMPILING
        assert await move_of(workers) in ("roll", "hold")

    working(check, limit=0.2)


def test_a_stalled_worker_holds_up_nobody_else() -> None:
    async def check(workers: WorkerPool) -> None:
        pid = await stalled(workers)
        stuck = asyncio.create_task(analysis(workers, 5))
        for n in range(5):
            assert await move_of(workers, number=n) in ("roll", "hold")
        assert not stuck.done()
        os.kill(pid, signal.SIGCONT)
        assert (await stuck).known == "exact"

    working(check)


def test_whoever_goes_away_leaves_its_place_in_the_queue() -> None:
    async def check(workers: WorkerPool) -> None:
        pid = await stalled(workers)
        tasks = [asyncio.create_task(analysis(workers, pot)) for pot in (3, 4, 5)]
        await until(lambda: len(workers._waiting[Kind.SLOW]) == 2)
        for task in tasks[:2]:  # the one that is being answered, and one that waits
            task.cancel()
        os.kill(pid, signal.SIGCONT)
        assert (await tasks[2]).chances == pytest.approx([0.834111, 0.165889], abs=1e-6)
        assert (await analysis(workers, 6)).known == "exact"

    working(check)


def test_closing_tells_those_who_wait() -> None:
    async def check(workers: WorkerPool) -> None:
        await stalled(workers)
        tasks = [asyncio.create_task(analysis(workers, pot)) for pot in (3, 4, 5)]
        await until(lambda: len(workers._waiting[Kind.SLOW]) == 2)
        await workers.close()
        for task in tasks:
            with pytest.raises(WorkerFailed, match="closed"):
                await task
        with pytest.raises(WorkerFailed, match="closed"):
            await move_of(workers)

    working(check)


def test_a_worker_ends_with_its_server() -> None:
    async def check(workers: WorkerPool) -> None:
        await move_of(workers)
        process = workers._workers[0].process
        assert process
        assert process.stdin
        process.stdin.close()  # as when the server is killed
        assert await process.wait() == 0

    working(check)


def test_luck_and_skill_of_a_game() -> None:
    async def check(workers: WorkerPool) -> None:
        found = await anext(workers.review("pig", PIG, "p1 0:0 pot 0", ["roll", "5", "hold", "roll", "1"]))
        assert found.known == "exact"
        assert [turn.seat for turn in found.turns] == [0, 1]
        with pytest.raises(BadInput, match="'7': the dice cannot land so"):
            await anext(workers.review("pig", PIG, "p1 0:0 pot 0", ["roll", "7"]))

    working(check)


def test_a_game_without_a_step_is_reviewed_and_not_analysed() -> None:
    async def check(workers: WorkerPool) -> None:
        assert isinstance(await anext(workers.analyse("pig", PIG, TURN)), Analysis)
        assert isinstance(await anext(workers.review("pig", PIG, TURN, [])), Review)

    working(check)


class Count(msgspec.Struct):
    """An answer that is final at the fourth."""

    games: int
    final: bool


def test_those_who_ask_the_same_share_the_answers() -> None:
    asked_with: list[Any] = []

    async def ask(tally: Any) -> tuple[Count | None, Any]:
        asked_with.append(tally)
        await asyncio.sleep(0)
        n = len(asked_with)
        return (None if n == 1 else Count(n, n == 5)), n  # the first time there is no answer yet

    async def listen(memory: AnswerCache) -> list[int]:
        return [found.games async for found in memory.recall("key", ask).answers()]

    async def run() -> None:
        memory = AnswerCache()
        early = anext(memory.recall("key", ask).answers())
        assert (await early).games == 2
        heard = await asyncio.gather(*(listen(memory) for _ in range(3)))
        assert heard == [[2, 3, 4, 5]] * 3
        assert asked_with == [None, 1, 2, 3, 4], "each goes on from the one before, and none is asked for twice"
        assert await listen(memory) == [5]

    asyncio.run(run())


def test_old_answers_are_forgotten() -> None:
    async def ask(tally: Any) -> tuple[Any, Any]:
        raise AssertionError("nobody listens")

    memory = AnswerCache()
    for key in range(REMEMBERED + 10):
        memory.recall(key, ask)
        memory.recall(0, ask)
    assert len(memory.answers) == REMEMBERED
    assert 0 in memory.answers
    assert 1 not in memory.answers


def test_too_few_workers() -> None:
    with pytest.raises(BadInput, match="1 workers: there must be 2 or more"):
        WorkerPool(1)
