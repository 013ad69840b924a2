"""Answers that get better, shared: whoever asks the same question hears the same answers, and no work is done twice.

An answer goes on from where it was left, as long as it is remembered. Nothing is done while nobody listens.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Any

from hazard.analysis.answers import Tally

KEPT = 256  # answers that are remembered
Ask = Callable[[Tally | None], Awaitable[tuple[Any | None, Tally]]]  # more on top of what is known; None for not yet


class Refining:
    """One question, with the best answer so far."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.found: Any = None
        self.tally: Tally | None = None
        self.heard = 0  # answers so far
        self.lock = asyncio.Lock()

    async def beyond(self, known: int) -> int:
        """Wait for an answer later than the one of that number; one of those who wait does the asking for all."""
        if self.heard > known:
            return self.heard
        async with self.lock:
            while self.heard <= known:
                found, self.tally = await self.ask(self.tally)
                if found is not None:
                    self.found, self.heard = found, self.heard + 1
        return self.heard

    async def answers(self) -> AsyncIterator[Any]:
        """What is known by now, then better and better answers."""
        known, final = 0, False
        while not final:
            known, found = await self.beyond(known), self.found
            yield found
            final = found.final


class Memory:
    """The questions asked lately."""

    def __init__(self) -> None:
        self.kept: OrderedDict[Hashable, Refining] = OrderedDict()

    def recall(self, key: Hashable, ask: Ask) -> Refining:
        """The answers to a question, begun anew if it has been forgotten."""
        found = self.kept.setdefault(key, Refining(ask))
        self.kept.move_to_end(key)
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return found
