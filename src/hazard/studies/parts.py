"""How far a study is: what is being done, and how many of its planned parts are done."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

Show = Callable[[str, int, int], None]  # show(what is being done, parts done, parts planned)


def _nobody(text: str, done: int, planned: int) -> None:
    """Nobody wants to know."""


class Parts:
    """Called with a line, it says what is being done. A study that plans its parts counts them too, from any thread."""

    def __init__(self, show: Show = _nobody) -> None:
        self.text, self.done, self.planned = "", 0, 0
        self._show, self._lock = show, Lock()

    def __call__(self, text: str) -> None:
        self.text = text
        self._show(text, self.done, self.planned)

    def plan(self, parts: int) -> None:
        """So many parts will be done besides those planned before."""
        self.planned += parts

    def finish(self) -> None:
        """One more part is done."""
        with self._lock:
            self.done += 1
            self._show(self.text, self.done, self.planned)
