"""Work begins in plain Python, and changes over when compiled code is ready: a process of its own compiles meanwhile.

Rules give the same results either way, to the bit. So short work never waits for a compiler, and long work loses
nothing. `python -m hazard.background` is that process. It ends with its work, and at once if its parent does.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import IO, Any

import numpy as np

from hazard.jit import bind, enabled, is_kept, made_of

compiled_only = False  # whether to wait for compiled code instead
PATIENCE = 3.0  # processor seconds of plain work after which compiling, which takes about as long, begins
LOOK = 0.05  # seconds between two looks for compiled code


def outline(value: Any) -> Any:
    """Something small of the same type to compiled code: arrays lose their contents."""
    if isinstance(value, np.ndarray):
        return _array_like(value)
    if isinstance(value, tuple):
        parts = [outline(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _array_like(array: np.ndarray) -> np.ndarray:
    shape = (2,) * array.ndim
    if array.flags.c_contiguous or array.flags.f_contiguous:
        small = np.zeros(shape, array.dtype, "C" if array.flags.c_contiguous else "F")
    else:
        small = np.zeros((4,) * array.ndim, array.dtype)[(slice(None, None, 2),) * array.ndim]
    small.flags.writeable = array.flags.writeable
    return small


def soon(function: Callable, label: str, names: Mapping[str, Callable], compiled: Callable[[], Callable]) -> Callable:
    """A function bound as by `hazard.jit.bind`, in plain Python until `compiled` gives it compiled at once."""
    plain = bind(function, label, names, False)
    if not enabled():
        return plain
    key = label, names.get("start"), function
    if key not in _begun:
        _begun[key] = Soon(plain, compiled, made_of(function, names))
    return _begun[key]


_begun: dict[tuple[Any, ...], Soon] = {}  # by what is bound


class Soon:
    """A function that runs as plain Python until its compiled code is there."""

    def __init__(self, plain: Callable, compiled: Callable[[], Callable], made_of: str) -> None:
        self.plain, self.made_of = plain, made_of
        self.compiled = compiled  # gives the compiled function; it can be pickled
        self.ready: Callable | None = None
        self.spent = 0.0  # processor seconds of plain work
        self.looked = float("-inf")
        self.compiler: subprocess.Popen | None = None

    def __call__(self, *arguments: Any) -> Any:
        run = self.now(arguments)
        began = time.thread_time()
        try:
            return run(*arguments)
        finally:
            self.spent += time.thread_time() - began

    def now(self, arguments: tuple) -> Callable:
        """What to run at this moment; compiling begins after some plain work."""
        if self.ready is None and time.perf_counter() - self.looked > LOOK:
            if compiled_only or is_kept(self.made_of) or (self.compiler and self.compiler.poll() is not None):
                self.ready = self.compiled()  # if the compiler has failed, this says why
            elif self.compiler is None and self.spent > PATIENCE:
                self.compiler = start(partial(compile_for, self.compiled, tuple(map(outline, arguments))))
            self.looked = time.perf_counter()
        return self.ready or self.plain


_running: list[subprocess.Popen] = []  # the process that works, if there is one


def start(work: Callable[[], Any]) -> subprocess.Popen | None:
    """Do some work, which can be pickled, in a process of its own; None while there is one already."""
    if _running and _running[0].poll() is None:
        return None
    command = [sys.executable, "-P", "-m", "hazard.background"]
    nowhere = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, start_new_session=True)
    assert process.stdin
    with suppress(OSError):  # if it has ended already, that will be seen
        process.stdin.write(pickle.dumps(work))
        process.stdin.flush()
    _running[:] = [process]
    return process


@atexit.register
def _end() -> None:
    for process in _running:
        process.kill()
        process.wait()


def make_ready(function: Any, *arguments: Any) -> None:
    """Compile a function for such arguments without running it."""
    if isinstance(function, partial):
        function, arguments = function.func, (*function.args, *arguments)
    if hasattr(function, "typeof_pyval"):
        function.compile(tuple(function.typeof_pyval(argument) for argument in arguments))


def compile_for(compiled: Callable[[], Callable], arguments: tuple[Any, ...]) -> None:
    make_ready(compiled(), *arguments)


def _end_with_input(source: IO[bytes]) -> None:
    """The parent keeps this process's input open as long as it lives."""
    source.read()
    os._exit(1)


def main() -> None:
    work = pickle.load(sys.stdin.buffer)  # only the program that started this one writes here
    threading.Thread(target=_end_with_input, args=(sys.stdin.buffer,), daemon=True).start()
    work()


if __name__ == "__main__":
    main()
