"""Runs batches on local processes or a Dask cluster and hands their files over in the order of the schedule.

A worker that dies costs only time: another one takes its place, and the batches that it had are played again.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import msgspec

from hazard.arena.tournament.batch import Result, play_batch
from hazard.arena.tournament.schedule import Batch, Work
from hazard.arena.tournament.setting import Setting
from hazard.errors import BadInput

AHEAD = 2  # batches handed out for each worker
DEATHS = 3  # of workers in a row, without a batch in between, after which to give up
LOOK = 5.0  # seconds between two looks at a cluster
Expelled = Callable[[Batch], Collection[str]]  # the bots that may not play in a batch
Tell = Callable[[str], None]  # told what happens to workers, in a line


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Here(Executor):
    """Runs a task when it is submitted, in this process."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        done: Future = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def on_standard_error(line: str) -> None:
    print(f"hazard: {line}", file=sys.stderr, flush=True)


@dataclass
class Crew:
    """Who does the work."""

    executor: Executor
    ahead: int  # batches to hand out at once
    tell: Tell = on_standard_error
    deaths: tuple[type[BaseException], ...] = ()  # raised for a batch whose worker has died
    renewed: Callable[[], Executor] | None = None  # another executor, where that is needed after a death
    alive: Callable[[], bool] = lambda: True  # whether answers can still come
    look: Callable[[], None] = lambda: None  # tells of workers that are gone

    def result(self, future: Future) -> Result:
        """A result, as soon as it is there."""
        while True:
            self.look()
            try:
                return future.result(timeout=LOOK)
            except TimeoutError:
                if future.done():
                    return future.result()
                if not self.alive():
                    raise BadInput("the cluster is gone; nothing that was complete is lost") from None


@contextmanager
def workers(processes: int, cluster: str | None, tell: Tell = on_standard_error) -> Iterator[Crew]:
    """Local processes, which are gone afterwards, or those of a cluster."""
    if cluster is not None:
        with _on_cluster(cluster, tell) as found:
            yield found
    elif processes == 1:
        yield Crew(Here(), 1, tell)
    else:
        with _local(processes, tell) as found:
            yield found


@contextmanager
def _local(processes: int, tell: Tell) -> Iterator[Crew]:
    _hush()
    before = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")

    def started() -> Executor:
        return ProcessPoolExecutor(processes, spawn, initializer=_begin, initargs=(os.getpid(),))

    crew = Crew(started(), AHEAD * processes, tell, (BrokenExecutor,), started)
    try:
        yield crew
        crew.executor.shutdown()
    except BrokenExecutor:
        raise BadInput("a worker process was ended from outside; nothing that was complete is lost") from None
    finally:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        crew.executor.shutdown(cancel_futures=True)


def _hush() -> None:
    """After a kill -9, the standard library's tracker would warn of semaphores below the command that resumes."""
    quiet = "ignore::UserWarning:multiprocessing.resource_tracker"
    known = os.environ.get("PYTHONWARNINGS", "")
    if quiet not in known:
        os.environ["PYTHONWARNINGS"] = f"{known},{quiet}" if known else quiet


def _begin(parent: int) -> None:
    """A worker leaves Ctrl-C to its parent, and ends when that is gone, even by kill -9."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["NUMBA_NUM_THREADS"] = "1"

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _on_cluster(address: str, tell: Tell) -> Iterator[Crew]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise BadInput("--cluster needs Dask: pip install 'hazard[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said in one line below
    try:
        client = Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        raise BadInput(f"--cluster {address}: no scheduler answers there ({problem})") from None
    with client:
        count = sum(client.nthreads().values())
        if count == 0:
            raise BadInput(f"--cluster {address}: no workers there; start some with `dask worker {address}`")
        try:
            look = _Lookout(address, client, tell)
            crew = Crew(client.get_executor(pure=False), AHEAD * count, tell, (KilledWorker,), look=look)
            crew.alive = lambda: client.status == "running"
            yield crew
            look(now=True)
        except CancelledError as problem:
            raise BadInput(f"the cluster gave a batch up ({problem}); nothing that was complete is lost") from None


class _Lookout:
    """Tells of workers of a cluster that have gone or joined. Dask itself gives their batches to others; where workers
    have a nanny, it starts them again."""

    def __init__(self, address: str, client: Any, tell: Tell) -> None:
        self.address, self.client, self.tell = address, client, tell
        self.known, self.due = set(client.nthreads()), time.monotonic() + LOOK

    def __call__(self, now: bool = False) -> None:
        if (time.monotonic() < self.due and not now) or self.client.status != "running":
            return
        with suppress(OSError, TimeoutError):
            there = set(self.client.nthreads(callback_timeout=LOOK))
            for worker in sorted(self.known - there):
                self.tell(f"worker {worker} of the cluster is gone; others play its batches again")
            for worker in sorted(there - self.known):
                self.tell(f"worker {worker} has joined the cluster")
            if self.known and not there:
                self.tell(f"no workers are left; waiting for others: start some with `dask worker {self.address}`")
            self.known = there
        self.due = time.monotonic() + LOOK


class _Flight:
    """A batch that was handed out."""

    def __init__(self, crew: Crew, work: Work, raw: bytes, away: Collection[str]) -> None:
        self.crew, self.work, self.asked = crew, work, (raw, Batch(*work.missing), away)
        self.future = self._submitted()

    def _submitted(self) -> Future:
        try:
            return self.crew.executor.submit(play_batch, *self.asked)
        except BrokenExecutor as death:  # is said when the answer is asked for
            failed: Future = Future()
            failed.set_exception(death)
            return failed

    @property
    def lost(self) -> bool:
        done = self.future.done()
        return done and (self.future.cancelled() or isinstance(self.future.exception(), self.crew.deaths))

    def again(self) -> None:
        self.future = self._submitted()


def played(
    setting: Setting, work: Iterable[Work], crew: Crew, expelled: Expelled = lambda batch: ()
) -> Iterator[tuple[Work, Result]]:
    """The results of every batch, in order, however the workers finish."""
    raw = msgspec.json.encode(setting)
    flying: deque[_Flight] = deque()
    for task in work:
        flying.append(_Flight(crew, task, raw, expelled(task.batch)))
        if len(flying) >= crew.ahead:
            yield _landed(crew, flying)
    while flying:
        yield _landed(crew, flying)


def _landed(crew: Crew, flying: deque[_Flight]) -> tuple[Work, Result]:
    """The first batch that was handed out; where workers die, it is handed out again, a few times."""
    for death in range(DEATHS + 1):
        try:
            found = crew.result(flying[0].future)
            return flying.popleft().work, found
        except crew.deaths:
            if death < DEATHS:
                _hand_out_again(crew, flying)
    raise BadInput(
        f"workers died {DEATHS + 1} times in a row while batch {flying[0].work.batch.name} was played (killed, or out "
        "of memory?); nothing that was complete is lost"
    )


def _hand_out_again(crew: Crew, flying: deque[_Flight]) -> None:
    if crew.renewed:
        crew.executor.shutdown(cancel_futures=True)
        crew.executor = crew.renewed()
    lost = [flight for flight in flying if flight.lost]
    for flight in lost:
        flight.again()
    words = "1 batch is" if len(lost) == 1 else f"{len(lost)} batches are"
    crew.tell(f"a worker died (killed, or out of memory?); another one takes its place, and {words} played again")
