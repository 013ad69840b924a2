"""The order of play: a tournament is cut into batches, which are always counted in the same order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hazard.arena.tournament.setting import Setting


class Batch(NamedTuple):
    """Games `first` to `last - 1` of a line-up."""

    line_up: int
    first: int
    last: int

    @property
    def name(self) -> str:
        return f"{self.line_up:05d}-{self.first:012d}-{self.last:012d}"


def schedule(setting: Setting) -> Iterator[Batch]:
    """All batches; every line-up plays its first batch before any plays its second."""
    for first in range(0, setting.games, setting.batch):
        for line_up in range(len(setting.line_ups)):
            yield Batch(line_up, first, min(first + setting.batch, setting.games))


class Work(NamedTuple):
    """A batch to be kept, and the games of it that are still to be played."""

    batch: Batch
    played: Batch | None  # what an earlier, shorter tournament has of it
    missing: Batch


def left_to_play(setting: Setting, done: dict[tuple[int, int], Batch]) -> Iterator[Work]:
    """What the batches that are done, by line-up and first game, leave to be played."""
    for batch in schedule(setting):
        have = done.get((batch.line_up, batch.first))
        if have is None:
            yield Work(batch, None, batch)
        elif have.last < batch.last:
            yield Work(batch, have, Batch(batch.line_up, have.last, batch.last))
