"""Runs batches on local processes or a Dask cluster and hands their files over in the order of the schedule."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from hazard.arena.tournament.batch import Result, play_batch
from hazard.arena.tournament.schedule import Batch, Work
from hazard.arena.tournament.setting import Setting
from hazard.errors import BadInput

AHEAD = 2  # batches handed out for each worker
Expelled = Callable[[Batch], Collection[str]]  # the bots that may not play in a batch


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Here(Executor):
    """Runs a task when it is submitted, in this process."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        done: Future = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class Crew(NamedTuple):
    """Who does the work."""

    executor: Executor
    ahead: int  # batches to hand out at once
    alive: Callable[[], bool] = lambda: True  # whether answers can still come

    def answer(self, future: Future) -> Result:
        """A result, as soon as it is there."""
        while True:
            try:
                return future.result(timeout=5)
            except TimeoutError:
                if future.done():
                    return future.result()
                if not self.alive():
                    raise BadInput("the cluster is gone; nothing that was complete is lost") from None


@contextmanager
def workers(processes: int, cluster: str | None) -> Iterator[Crew]:
    """Local processes, which are gone afterwards, or those of a cluster."""
    if cluster is not None:
        with _on_cluster(cluster) as found:
            yield found
    elif processes == 1:
        yield Crew(Here(), 1)
    else:
        with _local(processes) as executor:
            yield Crew(executor, AHEAD * processes)


@contextmanager
def _local(processes: int) -> Iterator[Executor]:
    _hush()
    before = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(processes, spawn, initializer=_begin, initargs=(os.getpid(),))
    try:
        yield executor
        executor.shutdown()
    except BrokenProcessPool:
        raise BadInput("a worker process was ended from outside; nothing that was complete is lost") from None
    finally:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        executor.shutdown(cancel_futures=True)


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
def _on_cluster(address: str) -> Iterator[Crew]:
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
            yield Crew(client.get_executor(pure=False), AHEAD * count, lambda: client.status == "running")
        except (KilledWorker, CancelledError) as problem:
            raise BadInput(f"the cluster gave a batch up ({problem}); nothing that was complete is lost") from None


def played(
    setting: Setting, work: Iterable[Work], crew: Crew, expelled: Expelled = lambda batch: ()
) -> Iterator[tuple[Work, Result]]:
    """The results of every batch, in order, however the workers finish."""
    raw = msgspec.json.encode(setting)
    flying: deque[tuple[Work, Future]] = deque()
    for task in work:
        flying.append((task, crew.executor.submit(play_batch, raw, Batch(*task.missing), expelled(task.batch))))
        if len(flying) >= crew.ahead:
            first, future = flying.popleft()
            yield first, crew.answer(future)
    while flying:
        first, future = flying.popleft()
        yield first, crew.answer(future)
