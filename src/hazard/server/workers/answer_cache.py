"""Answers that get better, shared by all who ask the same question, so that no work is done twice.

As long as an answer is remembered, it is refined from where it stands. Nothing is computed while nobody waits.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from typing import Any

from hazard.analysis.answers import Tally

REMEMBERED = 256  # answers
Ask = Callable[[Tally | None], Awaitable[tuple[Any | None, Tally]]]  # refines what is known; None for no answer yet


class RefiningAnswer:
    """One question, with the best answer so far."""

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.best: Any = None
        self.tally: Tally | None = None
        self.count = 0  # of answers so far
        self.lock = asyncio.Lock()

    async def beyond(self, known: int) -> int:
        """Wait for an answer after the one of that number; one of those who wait asks for all."""
        if self.count > known:
            return self.count
        async with self.lock:
            while self.count <= known:
                answer, self.tally = await self.ask(self.tally)
                if answer is not None:
                    self.best, self.count = answer, self.count + 1
        return self.count

    async def answers(self) -> AsyncIterator[Any]:
        """The best answer so far, then better and better ones."""
        known, final = 0, False
        while not final:
            known, answer = await self.beyond(known), self.best
            yield answer
            final = answer.final


class AnswerCache:
    """The answers to the latest questions."""

    def __init__(self) -> None:
        self.answers: OrderedDict[Hashable, RefiningAnswer] = OrderedDict()

    def recall(self, key: Hashable, ask: Ask) -> RefiningAnswer:
        """The answers to a question; they start again if it has been forgotten."""
        answer = self.answers.setdefault(key, RefiningAnswer(ask))
        self.answers.move_to_end(key)
        while len(self.answers) > REMEMBERED:
            self.answers.popitem(last=False)
        return answer
